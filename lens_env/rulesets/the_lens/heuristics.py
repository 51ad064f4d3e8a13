"""What scripted policies may know of The Lens without playing an action: damage, health and the way to an enemy.

Everything that does not change in an encounter is worked out once as tables; ``advise`` only looks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lens_env.core import board as ground
from lens_env.core.ruleset import Advice, Built

from . import catalogue
from .codes import Side, Tag, Window
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_SPELLS

Array = np.ndarray[Any, Any]

FAR = 9999  # steps to a place that cannot be reached
BARE_HANDS = 1  # the attack slot of a character without weapon
WALKS = (Window.ACT, Window.STEP, Window.FREE_MOVE)
KEPT = 64  # encounters whose tables are remembered

_tables: dict[int, tuple[Built, Tables]] = {}


@dataclass(frozen=True)
class Tables:
    """What is fixed in an encounter of F fighters on a board of N cells (cell N lies outside)."""

    strikes: Array  # (disarmed 2, piercing 2, F, A) float: mean damage of ATTACK
    casts: Array  # (spell + 1, F, A) float: mean damage of CAST with this spell formed
    forms: Array  # (F, A) float: mean damage of the spell that FORM would form
    targets: Array  # (A,) int
    width: int
    neighbours: Array | None  # (N + 1, 8) int: the cell in each direction; None without a board
    to_go: Array  # (F, N + 1, N + 1) int16: steps from a cell until an enemy on another is in a fighter's reach


def advise(states: Array, built: Built) -> Advice:
    """Damage, targets, health and distances for B states of one encounter."""
    tables = tables_of(built)
    deciding = states["fighters"][np.arange(len(states)), np.maximum(states["decider"], 0)]
    return Advice(
        expected=_expected(states, deciding, tables),
        target=tables.targets,
        health=states["fighters"]["body"][:, : len(built.fighters)].astype(float),
        distance=_distances(states, built, tables),
        left=deciding["momentum"].astype(float),
    )


def tables_of(built: Built) -> Tables:
    """The tables of an encounter; those of the last few encounters are remembered."""
    known = _tables.get(id(built))
    if known is None:
        if len(_tables) >= KEPT:
            _tables.pop(next(iter(_tables)))
        known = _tables[id(built)] = (built, _make_tables(built))
    return known[1]


def _make_tables(built: Built) -> Tables:
    setup = built.setup[0]
    count = len(built.fighters)
    sheets = setup["sheets"][:count]
    neighbours = _neighbours(setup["board"])
    return Tables(
        strikes=np.stack([[_strikes(sheets, *case) for case in ((d, 0), (d, 1))] for d in (0, 1)]),
        casts=np.stack([_casts(sheets, formed) for formed in range(MAX_SPELLS + 1)]),
        forms=_forms(sheets),
        targets=_targets(count),
        width=int(setup["board"]["width"]),
        neighbours=neighbours,
        to_go=np.zeros((count, 1, 1), np.int16) if neighbours is None else _to_go(sheets, setup["board"], neighbours),
    )


# --- damage ------------------------------------------------------------------------------------------------


def mean_damage(table: Any, absorbed: int = 0) -> float:
    """The mean of a damage roll of which ``absorbed`` points are taken off, never below 0."""
    if table["total"] == 0:
        return 0.0
    shown = table["least"] + np.arange(len(table["weights"]))
    return float((np.maximum(shown - absorbed, 0) * table["weights"]).sum() / table["total"])


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
                    found[who, place] = mean_damage(sheet["attacks"][slot]["damage"], hide)
    return found


def _casts(sheets: Any, formed: int) -> Array:
    """(F, A) mean damage of CAST with the spell of slot ``formed`` - 1."""
    found = np.zeros((len(sheets), catalogue.SIZE))
    for who, sheet in enumerate(sheets):
        if formed and sheet["spells"][formed - 1]["exists"]:
            damage = mean_damage(sheet["spells"][formed - 1]["damage"])
            found[who, catalogue.CAST : catalogue.CAST + MAX_FIGHTERS] = damage
    return found


def _forms(sheets: Any) -> Array:
    """(F, A) mean damage of the spell that FORM would form."""
    found = np.zeros((len(sheets), catalogue.SIZE))
    for who, sheet in enumerate(sheets):
        for slot in range(MAX_SPELLS):
            if sheet["spells"][slot]["exists"]:
                found[who, catalogue.FORM + slot] = mean_damage(sheet["spells"][slot]["damage"])
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


def _neighbours(board: Any) -> Array | None:
    """(N + 1, 8) the cell in each direction, N where there is none or it is blocked; None without a board."""
    if not board["kind"]:
        return None
    width, height = int(board["width"]), int(board["height"])
    outside = width * height
    found = np.full((outside + 1, ground.DIRECTIONS), outside)
    for y in range(height):
        for x in range(width):
            for direction in range(ground.DIRECTIONS):
                found[y * width + x, direction] = _next_cell(board, x, y, direction, outside)
    return found


def _next_cell(board: Any, x: int, y: int, direction: int, outside: int) -> int:
    if not board["ways"][y * ground.MAX_SIZE + x] >> direction & 1:
        return outside
    there = board.view((np.record, board.dtype))
    return ground.step_y(there, x, y, direction) * int(board["width"]) + ground.step_x(there, x, y, direction)


def _to_go(sheets: Any, board: Any, neighbours: Array) -> Array:
    """(F, N + 1, N + 1) steps from a cell until an enemy on the other is in the fighter's reach, allies ignored."""
    apart = _straight(board)
    by_reach = {reach: _walk(apart <= reach, neighbours) for reach in {_reach(sheet) for sheet in sheets}}
    return np.stack([by_reach[_reach(sheet)] for sheet in sheets])


def _reach(sheet: Any) -> int:
    """The farthest that a fighter strikes, in squares; a spell without range reaches everywhere."""
    attacks = [int(attack["reach"]) for attack in sheet["attacks"] if attack["exists"]]
    spells = [int(spell["reach"]) or FAR for spell in sheet["spells"] if spell["exists"]]
    return max(attacks + spells, default=1)


def _straight(board: Any) -> Array:
    """(N + 1, N + 1) the distance between two cells with nothing in the way; FAR from outside."""
    width, height = int(board["width"]), int(board["height"])
    y, x = (axis.ravel() for axis in np.mgrid[0:height, 0:width])
    if board["kind"] == ground.BoardKind.HEX:
        q = x - ((y - (y & 1)) >> 1)
        parts: tuple[Array, ...] = (q, y, q + y)
    else:
        parts = (x, y)
    apart = np.full((width * height + 1, width * height + 1), FAR)
    apart[:-1, :-1] = np.max([np.abs(part[:, None] - part[None, :]) for part in parts], axis=0)
    return apart


def _walk(there: Array, neighbours: Array) -> Array:
    """How many steps each cell is from one where ``there`` holds, for each column; walls are walked around."""
    steps = np.where(there, 0, FAR).astype(np.int16)
    outside = len(neighbours) - 1
    steps[outside] = FAR
    while True:
        nearer = np.minimum(steps, steps[neighbours].min(axis=1) + 1)
        nearer[outside] = FAR
        if np.array_equal(nearer, steps):
            return steps
        steps = nearer.astype(np.int16)


def _distances(states: Array, built: Built, tables: Tables) -> Array:
    """(B, A) steps still to go, as ``Advice.distance`` says."""
    found = np.full((len(states), catalogue.SIZE), np.nan)
    rows = np.flatnonzero(np.isin(states["window"], WALKS))
    if tables.neighbours is None or not len(rows):
        return found
    here, there, best = _ways(states[["window", "decider"]][rows], _cells(states, rows, built, tables), built, tables)
    window = states["window"][rows]
    acting, walking = rows[window == Window.ACT], rows[window != Window.ACT]
    found[acting, catalogue.MOVE] = np.where(best < here, best, np.inf)[window == Window.ACT]
    found[walking, catalogue.STOP] = here[window != Window.ACT]
    found[walking, catalogue.STEP : catalogue.STEP + ground.DIRECTIONS] = there[window != Window.ACT]
    return found


def _cells(states: Array, rows: Array, built: Built, tables: Tables) -> Array:
    """(R, F) the cell of each fighter, the one outside for those who are out."""
    count = len(built.fighters)
    assert tables.neighbours is not None
    xs, ys = states["fighters"]["x"][rows, :count], states["fighters"]["y"][rows, :count]
    return np.where(xs < 0, len(tables.neighbours) - 1, ys * tables.width + xs)


def _ways(asked: Array, cells: Array, built: Built, tables: Tables) -> tuple[Array, Array, Array]:
    """Steps to go from (R,) here and (R, 8) the cells around, (R,) the best of them that is free.

    A cell with an ally on it counts one step more, since nobody can stop there.
    """
    assert tables.neighbours is not None
    outside = len(tables.neighbours) - 1
    who, own = asked["decider"], cells[np.arange(len(cells)), asked["decider"]]
    options = np.concatenate([own[:, None], tables.neighbours[own]], axis=1)
    enemies = np.where(built.sides[None, :] != built.sides[who][:, None], cells, outside)
    steps = tables.to_go[who[:, None, None], options[:, :, None], enemies[:, None, :]].min(axis=2)
    taken = (options[:, 1:, None] == cells[:, None, :]).any(axis=2)
    around = np.where(taken, steps[:, 1:] + 1, steps[:, 1:])
    return steps[:, 0], around, np.where(taken, FAR, around).min(axis=1)
