"""What scripted policies may know of The Lens without playing an action: damage, health and the way to an enemy.

Everything that does not change in an encounter is worked out once as tables; ``advise`` only looks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lens_env.core.ruleset import Advice, Built, remembered
from lens_env.core.skirmish import Side
from lens_env.core.tables import mean
from lens_env.core.ways import FAR, Ways, distances, survey

from . import catalogue
from .codes import Tag, Window
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_SPELLS

Array = np.ndarray[Any, Any]

BARE_HANDS = 1  # the attack slot of a character without weapon
WALKS = (Window.ACT, Window.STEP, Window.FREE_MOVE)


@dataclass(frozen=True)
class Tables:
    """What is fixed in an encounter of F fighters."""

    strikes: Array  # (disarmed 2, piercing 2, F, A) float: mean damage of ATTACK
    casts: Array  # (spell + 1, F, A) float: mean damage of CAST with this spell formed
    forms: Array  # (F, A) float: mean damage of the spell that FORM would form
    targets: Array  # (A,) int
    ways: Ways | None  # None without a board


def advise(states: Array, built: Built) -> Advice:
    """Damage, targets, health and distances for B states of one encounter."""
    tables = tables_of(built)
    deciding = states["fighters"][np.arange(len(states)), np.maximum(states["decider"], 0)]
    return Advice(
        expected=_expected(states, deciding, tables),
        target=tables.targets,
        health=states["fighters"]["body"][:, : len(built.fighters)].astype(float),
        distance=_distances(states, built, tables.ways),
        left=deciding["momentum"].astype(float),
    )


@remembered
def tables_of(built: Built) -> Tables:
    """The tables of an encounter."""
    setup = built.setup[0]
    count = len(built.fighters)
    sheets = setup["sheets"][:count]
    return Tables(
        strikes=np.stack([[_strikes(sheets, *case) for case in ((d, 0), (d, 1))] for d in (0, 1)]),
        casts=np.stack([_casts(sheets, formed) for formed in range(MAX_SPELLS + 1)]),
        forms=_forms(sheets),
        targets=_targets(count),
        ways=survey(setup["board"], [_reach(sheet) for sheet in sheets]),
    )


# --- damage ------------------------------------------------------------------------------------------------


def _strikes(sheets: Any, disarmed: int, piercing: int) -> Array:
    """(F, A) mean damage of ATTACK; a character's weapon and bare hands share column 0."""
    found = np.zeros((len(sheets), catalogue.SIZE))
    for who, sheet in enumerate(sheets):
        for column in range(MAX_ATTACKS):
            character = sheet["side"] == Side.PARTY
            if character and column > 0:
                break
            slot = BARE_HANDS if character and (disarmed or not sheet["has_weapon"]) else column
            for target, other in enumerate(sheets):
                if other["side"] != sheet["side"] and sheet["attacks"][slot]["exists"]:
                    hide = 0 if piercing else int(other["armor"])
                    place = catalogue.ATTACK + column * MAX_FIGHTERS + target
                    found[who, place] = mean(sheet["attacks"][slot]["damage"], hide)
    return found


def _casts(sheets: Any, formed: int) -> Array:
    """(F, A) mean damage of CAST with the spell of slot ``formed`` - 1."""
    found = np.zeros((len(sheets), catalogue.SIZE))
    for who, sheet in enumerate(sheets):
        if formed and sheet["spells"][formed - 1]["exists"]:
            damage = mean(sheet["spells"][formed - 1]["damage"])
            found[who, catalogue.CAST : catalogue.CAST + MAX_FIGHTERS] = damage
    return found


def _forms(sheets: Any) -> Array:
    """(F, A) mean damage of the spell that FORM would form."""
    found = np.zeros((len(sheets), catalogue.SIZE))
    for who, sheet in enumerate(sheets):
        for slot in range(MAX_SPELLS):
            if sheet["spells"][slot]["exists"]:
                found[who, catalogue.FORM + slot] = mean(sheet["spells"][slot]["damage"])
    return found


def _targets(count: int) -> Array:
    """(A,) the fighter an action is aimed at, -1 for none."""
    targets = np.full(catalogue.SIZE, -1)
    starts = [catalogue.TARGET, catalogue.CAST]
    starts += [catalogue.ATTACK + slot * MAX_FIGHTERS for slot in range(MAX_ATTACKS)]
    for start in starts:
        targets[start : start + count] = np.arange(count)
    return targets


def _expected(states: Array, mine: Array, tables: Tables) -> Array:
    """(B, A) mean damage of ATTACK, CAST and FORM for whoever decides (``mine``, B) on its own turn, else 0."""
    who = np.maximum(states["decider"], 0)
    piercing = (mine["readied"] >> int(Tag.PIERCING)) & 1
    found = tables.strikes[mine["disarmed"], piercing, who]
    if tables.forms.any():
        found += tables.casts[mine["formed"], who] + tables.forms[who]
    found[states["window"] != Window.ACT] = 0.0
    expected: Array = found
    return expected


# --- ways --------------------------------------------------------------------------------------------------


def _reach(sheet: Any) -> int:
    """The farthest that a fighter strikes, in squares; a spell without range reaches everywhere."""
    attacks = [int(attack["reach"]) for attack in sheet["attacks"] if attack["exists"]]
    spells = [int(spell["reach"]) or FAR for spell in sheet["spells"] if spell["exists"]]
    return max(attacks + spells, default=1)


def _distances(states: Array, built: Built, ways: Ways | None) -> Array:
    """(B, A) steps still to go, as ``Advice.distance`` says."""
    return distances(states, built, ways, WALKS, (catalogue.MOVE, catalogue.STOP, catalogue.STEP))
