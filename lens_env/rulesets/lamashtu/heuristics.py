"""What scripted policies may know of Legacy of Lamashtu without playing an action.

Everything that does not change in an encounter is worked out once as tables; ``advise`` only looks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from lens_env.core.dice import pool_index
from lens_env.core.ruleset import Advice, Built, remembered
from lens_env.core.ways import Ways, distances, survey

from . import catalogue
from .codes import Defense, Window
from .state import MAX_POOL

Array = np.ndarray[Any, Any]

WALKS = (Window.ACT, Window.STEP, Window.SIDESTEP)
DEFENDING = slice(catalogue.DEFEND, catalogue.DEFEND + len(Defense))


@dataclass(frozen=True)
class Tables:
    """What is fixed in an encounter of F fighters."""

    strikes: Array  # (F, A) float: mean damage of ATTACK on one who does not defend
    targets: Array  # (A,) int
    risks: Array  # (F, F, D) float: by attacker, target and defence the chance that it fails
    revealed: Array  # (F, S, D) float: by target, successes of the attack and defence the chance that it fails
    ways: Ways | None  # None without a board


def advise(states: Array, built: Built) -> Advice:
    """Damage, targets, health, distances and risks for B states of one encounter."""
    tables = tables_of(built)
    expected = tables.strikes[np.maximum(states["decider"], 0)]
    expected[states["window"] != Window.ACT] = 0.0
    return Advice(
        expected=expected,
        target=tables.targets,
        health=states["fighters"]["health"][:, : len(built.fighters)].astype(float),
        distance=distances(states, built, tables.ways, WALKS, (catalogue.MOVE, catalogue.STOP, catalogue.STEP)),
        left=np.full(len(states), np.inf),  # reactions cost no Action Points
        risk=_risks(states, tables),
    )


def _risks(states: Array, tables: Tables) -> Array:
    """(B, A) the chance that a defence fails (NONE: of a hit), by the revealed roll if there is one."""
    found = np.full((len(states), catalogue.SIZE), np.nan)
    rows = np.flatnonzero(states["window"] == Window.DEFEND)
    attacker, target = states["attacker"][rows] - 1, states["target"][rows] - 1
    rolled = states["rolled"][rows] - 1
    known = tables.revealed[target, np.maximum(rolled, 0)]
    found[rows, DEFENDING] = np.where((rolled >= 0)[:, None], known, tables.risks[attacker, target])
    return found


@remembered
def tables_of(built: Built) -> Tables:
    """The tables of an encounter."""
    setup = built.setup[0]
    count = len(built.fighters)
    sheets = setup["sheets"][:count]
    chances = np.stack([successes(pool) for pool in setup["pools"]])
    revealed = np.stack([_fails(sheet, chances) for sheet in sheets])
    targets = np.full(catalogue.SIZE, -1)
    targets[catalogue.ATTACK : catalogue.ATTACK + count] = np.arange(count)
    return Tables(
        strikes=_strikes(sheets, setup["pools"]),
        targets=targets,
        risks=np.einsum("as,tsd->atd", chances[sheets["attack"]], revealed),
        revealed=revealed,
        ways=survey(setup["board"], [int(sheet["reach"]) for sheet in sheets]),
    )


def successes(pool: Any) -> Array:
    """(S,) the chance of each number of successes, 0..MAX_POOL; zeros for a pool that nobody has."""
    table = pool["table"]
    weights = table["weights"][: table["count"]]
    ends = [pool_index(n, 0) for n in range(MAX_POOL + 2)]
    found: Array = np.array([weights[a:b].sum() for a, b in pairwise(ends)]) / max(1, table["total"])
    return found


def _fails(sheet: Any, chances: Array) -> Array:
    """(S, D) the chance that each defence fails against an attack of 0, 1, 2 ... successes."""
    found = np.zeros((MAX_POOL + 1, len(Defense)))
    attacks = np.arange(MAX_POOL + 1)
    found[:, Defense.NONE] = attacks > sheet["target"]
    for defense, field in ((Defense.BLOCK, "block"), (Defense.DODGE, "dodge"), (Defense.CLASH, "clash")):
        found[:, defense] = np.cumsum(chances[sheet[field]]) - chances[sheet[field]]
    return found


def _strikes(sheets: Any, pools: Any) -> Array:
    """(F, A) mean damage of ATTACK, were it compared with the Tier Score."""
    found = np.zeros((len(sheets), catalogue.SIZE))
    for who, sheet in enumerate(sheets):
        for target, other in enumerate(sheets):
            if other["side"] != sheet["side"] and other["target"] <= MAX_POOL:
                chance = pools[sheet["attack"]]["above"][other["target"]]
                found[who, catalogue.ATTACK + target] = sheet["damage"] * chance
    return found
