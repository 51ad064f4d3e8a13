"""What any two sides on any board need, whatever the rules: windows, enemies, free cells, steps, victory.

A ``game`` here is that of any ruleset whose records have the fields named in :mod:`lens_env.core.ruleset` and
beside them: ``state.fighters`` with ``x``, ``y`` (-1 off the board) and ``out``; ``setup.board``; and
``setup.forbids``, ``setup.forbidden_party`` and ``setup.forbidden_foes`` (bytes like the mask, 1 = forbidden).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from . import board as ground
from .bits import has
from .kernel import hot, kernel
from .mask import allow, remove

ALL_WAYS = 0xFF  # the eight directions, without SAME
NEAR = ALL_WAYS | 1 << ground.SAME
UNKNOWN = -1.0  # stands for a chance that nobody has worked out
UNLIMITED = 1 << 30  # points, where nothing has to be saved


class Side(IntEnum):
    """Who a fighter fights for."""

    PARTY = 0
    FOES = 1


class Winner(IntEnum):
    """How a skirmish stands."""

    NOBODY_YET = 0
    PARTY = 1
    FOES = 2
    UNDECIDED = 3


# --- windows -----------------------------------------------------------------------------------------------


@hot
def ask(game: Any, who: int, window: int) -> None:
    """Open a window: ``who`` decides."""
    state = game.state
    state.window = window
    state.decider = who
    state.side = game.setup.sheets[who].side


@hot
def close_window(game: Any) -> None:
    """No window is open."""
    state = game.state
    state.window = 0
    state.decider = -1
    state.side = -1


@kernel
def forbid(game: Any, mask: Any) -> None:
    """Take the forbidden actions of the decider's side out of the mask, unless nothing would be left."""
    if game.state.side == Side.PARTY:
        remove(mask, game.setup.forbidden_party)
    else:
        remove(mask, game.setup.forbidden_foes)


# --- friend and enemy --------------------------------------------------------------------------------------


@hot
def standing(game: Any, who: int) -> bool:
    """Is the fighter still in the skirmish?"""
    return bool(game.state.fighters[who].out == 0)


@hot
def allies(game: Any, a: int, b: int) -> bool:
    """Are both on the same side?"""
    return bool(game.setup.sheets[a].side == game.setup.sheets[b].side)


@hot
def first_enemy(game: Any, who: int) -> int:
    """The index of the first enemy: the party comes first, then the foes."""
    return int(game.setup.party_count) if game.setup.sheets[who].side == Side.PARTY else 0


@hot
def last_enemy(game: Any, who: int) -> int:
    """One past the index of the last enemy."""
    return int(game.setup.count if game.setup.sheets[who].side == Side.PARTY else game.setup.party_count)


@hot
def distance(game: Any, a: int, b: int) -> int:
    """Cells between two fighters; 1 without a board."""
    one = game.state.fighters[a]
    other = game.state.fighters[b]
    return int(ground.distance(game.setup.board, one.x, one.y, other.x, other.y))


# --- victory -----------------------------------------------------------------------------------------------


@kernel
def anyone_standing(game: Any, side: int) -> bool:
    """Does a side still have a fighter?"""
    for who in range(game.setup.count):
        if game.setup.sheets[who].side == side and standing(game, who):
            return True
    return False


@kernel
def winner(game: Any) -> int:
    """A side whose fighters are all out has lost; both at once: undecided. NOBODY_YET while both stand."""
    party = anyone_standing(game, Side.PARTY)
    foes = anyone_standing(game, Side.FOES)
    if party and foes:
        return Winner.NOBODY_YET
    if party:
        return Winner.PARTY
    return Winner.FOES if foes else Winner.UNDECIDED


@kernel
def is_over(game: Any) -> bool:
    """Has the skirmish ended?"""
    return bool(game.state.winner != Winner.NOBODY_YET)


@kernel
def payoff(game: Any) -> float:
    """1 = the party won, 0 = the foes won, 0.5 = undecided or not over."""
    if game.state.winner == Winner.PARTY:
        return 1.0
    return 0.0 if game.state.winner == Winner.FOES else 0.5


# --- cells and steps ---------------------------------------------------------------------------------------


@hot
def around(game: Any, who: int, first: int, last: int, x: int, y: int) -> int:
    """Bits of the directions in which the fighters first..last-1 stand next to (x, y); bit SAME for the cell itself.

    ``who``, the mover, is not counted. The fallen stand off the board, where no way leads.
    """
    bits = 0
    for other in range(first, last):
        if other != who:
            it = game.state.fighters[other]
            bits |= 1 << ground.step_between(game.setup.board, x, y, it.x, it.y)
    return bits & NEAR


@kernel
def free_ways(game: Any, who: int) -> int:
    """Bits of the directions from a fighter to adjacent cells that are neither blocked nor taken."""
    it = game.state.fighters[who]
    return ground.ways(game.setup.board, it.x, it.y) & ~around(game, who, 0, game.setup.count, it.x, it.y)


@hot
def allow_ways(mask: Any, ways: int, first: int) -> None:
    """Make the actions ``first`` + direction legal for these directions."""
    for direction in range(ground.DIRECTIONS):
        if has(ways, direction):
            allow(mask, first + direction)


@kernel
def walk(game: Any, who: int, direction: int) -> None:
    """Put a fighter on the next cell."""
    board = game.setup.board
    it = game.state.fighters[who]
    x = ground.step_x(board, it.x, it.y, direction)
    y = ground.step_y(board, it.x, it.y, direction)
    it.x = x
    it.y = y
