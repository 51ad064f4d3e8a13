"""What scripted policies may know of Nor'Ova without playing an action: damage, Vitality, ways and facing.

Everything that does not change in an encounter is worked out once as tables; ``advise`` only looks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lens_env.core.board import DIRECTIONS, is_direction
from lens_env.core.ruleset import Advice, Built, remembered
from lens_env.core.ways import FAR, Ways, distances, survey

from . import catalogue
from .codes import Out, Window
from .state import MAX_FIGHTERS, MAX_STRIKES, MAX_SUPPORTS

Array = np.ndarray[Any, Any]

STRIKES = (Window.ACT, Window.OPPORTUNITY, Window.SPECTATE)
WALKS = (Window.ACT, Window.STEP)


@dataclass(frozen=True)
class Tables:
    """What is fixed in an encounter of F fighters."""

    strikes: Array  # (F, A) float: mean damage of ATTACK and CAST that the armour's dice let through
    targets: Array  # (A,) int
    ways: Ways | None  # None without a board
    facings: Array  # the directions that the board knows


def advise(states: Array, built: Built) -> Advice:
    """Damage, targets, Vitality and distances for B states of one encounter. No points have to be saved."""
    tables = tables_of(built)
    who = np.maximum(states["decider"], 0)
    expected = tables.strikes[who]
    expected[~np.isin(states["window"], STRIKES)] = 0.0
    fighters = states["fighters"][:, : len(built.fighters)]
    return Advice(
        expected=expected,
        target=tables.targets,
        health=np.where(fighters["out"] == Out.NO, fighters["vitality"], 0).astype(float),
        distance=_distances(states, built, tables),
        left=np.full(len(states), np.inf),
    )


@remembered
def tables_of(built: Built) -> Tables:
    """The tables of an encounter."""
    setup = built.setup[0]
    sheets = setup["sheets"][: len(built.fighters)]
    board = setup["board"].view((np.record, setup["board"].dtype))
    known = [heading for heading in range(DIRECTIONS) if is_direction(board, heading)]
    return Tables(
        strikes=_strikes(sheets),
        targets=_targets(len(sheets)),
        ways=survey(setup["board"], [_reach(sheet) for sheet in sheets]),
        facings=np.array(known),
    )


# --- damage ------------------------------------------------------------------------------------------------


def distribution(table: Any, rolled: int, flat: int) -> tuple[Array, Array]:
    """The points that some dice and a flat part give, and how likely each is."""
    if not rolled:
        return np.array([int(flat)]), np.ones(1)
    count = int(table["count"])
    return int(table["least"]) + int(flat) + np.arange(count), table["weights"][:count] / table["total"]


def mean_damage(attack: Any, armor: Any) -> float:
    """The mean of what an attack does to somebody whose armour absorbs its dice, never below 0."""
    points, chances = distribution(attack["damage"], attack["rolled"], attack["plus"])
    absorbed, likely = distribution(armor["table"], armor["rolled"], armor["plus"])
    through = np.maximum(points[:, None] - absorbed[None, :], 0)
    return float(chances @ through @ likely)


def _strikes(sheets: Any) -> Array:
    """(F, A) mean damage of ATTACK and CAST."""
    found = np.zeros((len(sheets), catalogue.SIZE))
    for who, sheet in enumerate(sheets):
        for slot in range(MAX_STRIKES):
            attack = sheet["strikes"][slot]
            for target, other in enumerate(sheets):
                if attack["exists"] and other["side"] != sheet["side"]:
                    place = catalogue.ATTACK + slot * MAX_FIGHTERS + target
                    found[who, place] = mean_damage(attack, other["armors"][attack["magical"]])
    return found


def _targets(count: int) -> Array:
    """(A,) the fighter an action is aimed at, -1 for none."""
    targets = np.full(catalogue.SIZE, -1)
    starts = [catalogue.ATTACK + slot * MAX_FIGHTERS for slot in range(MAX_STRIKES)]
    starts += [catalogue.SUPPORT + slot * MAX_FIGHTERS for slot in range(MAX_SUPPORTS)]
    for start in starts:
        targets[start : start + count] = np.arange(count)
    return targets


# --- ways and facing ---------------------------------------------------------------------------------------


def _reach(sheet: Any) -> int:
    """The farthest that a fighter strikes, in spaces; a reach of 0 is everywhere."""
    reaches = [int(strike["reach"]) or FAR for strike in sheet["strikes"] if strike["exists"]]
    return max(reaches, default=1)


def _distances(states: Array, built: Built, tables: Tables) -> Array:
    """(B, A) steps still to go, as ``Advice.distance`` says; for a FACE the eighths of a turn off the nearest enemy.

    A MOVE that leads nowhere still makes sense (0 steps) if the mover looks away from the nearest enemy.
    """
    there = states["fighters"]["out"][:, : len(built.fighters)] == Out.NO
    walks = (catalogue.MOVE, catalogue.STOP, catalogue.STEP)
    found = distances(states, built, tables.ways, WALKS, walks, there)
    if tables.ways is not None:
        _turning(found, states, built, tables)
    return found


def _places(states: Array, built: Built, rows: Array) -> tuple[Array, Array]:
    """(R, F) x and y of everybody who takes part, -1 for the others."""
    fighters = states["fighters"][rows, : len(built.fighters)]
    there = fighters["out"] == Out.NO
    return np.where(there, fighters["x"], -1), np.where(there, fighters["y"], -1)


def _turning(found: Array, states: Array, built: Built, tables: Tables) -> None:
    """Write how far each FACE looks away from the nearest enemy, and a MOVE that serves only to turn."""
    rows = np.flatnonzero(np.isin(states["window"], (Window.ACT, Window.FACE)))
    if not len(rows):
        return
    off = _eighths_off(states, built, rows)[:, tables.facings]
    who = states["decider"][rows]
    facing = states["fighters"]["facing"][rows, who]
    now = off[np.arange(len(rows)), np.searchsorted(tables.facings, facing)]
    acting = states["window"][rows] == Window.ACT
    leads_nowhere = np.isinf(found[rows, catalogue.MOVE])
    found[rows[acting & leads_nowhere & (now > off.min(axis=1))], catalogue.MOVE] = 0.0
    found[rows[~acting][:, None], catalogue.FACE + tables.facings] = off[~acting]


def _eighths_off(states: Array, built: Built, rows: Array) -> Array:
    """(R, 8) how many eighths of a turn each direction is off the nearest enemy; 0 if there is none."""
    xs, ys = _places(states, built, rows)
    who = states["decider"][rows]
    fighters = states["fighters"][rows, who]
    east, south = xs - fighters["x"][:, None], ys - fighters["y"][:, None]
    enemy = (built.sides[None, :] != built.sides[who][:, None]) & (xs >= 0)
    apart = np.where(enemy, np.maximum(abs(east), abs(south)), FAR)
    nearest = apart.argmin(axis=1)
    each = np.arange(len(rows))
    angle = np.arctan2(east[each, nearest], -south[each, nearest]) * (4 / np.pi)
    off = abs((np.arange(DIRECTIONS)[None, :] - angle[:, None] + 4) % DIRECTIONS - 4)
    off[~enemy.any(axis=1)] = 0.0
    return np.asarray(off)
