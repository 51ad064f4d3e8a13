"""MOVE with its STEPs, the free steps of a DODGE, and the push of a CLASH (sections 4, 5 and 8)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.bits import count_bits, has, lowest_bit
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import allow_ways, ask, free_ways, walk

from . import catalogue
from .codes import Happened, Stage, Window
from .fighters import fighter, sheet, spend
from .state import Game


@hot
def may_move(game: Game, who: int) -> bool:
    """MOVE: on a board, once a turn, with somewhere to go (R-04); the caller has seen that it is not Prone."""
    if not ground.exists(game.setup.board) or game.state.moved > 0 or sheet(game, who).speed == 0:
        return False
    return free_ways(game, who) != 0


@hot
def begin_move(game: Game, who: int) -> None:
    """MOVE: up to ``speed`` spaces, one decision a space."""
    spend(game, who)
    state = game.state
    state.moved = 1
    state.steps = sheet(game, who).speed
    emit(game.log, Happened.MOVES, who, -1, 0, 0, 0)
    ask(game, who, Window.STEP)


@hot
def legal_steps(game: Game, who: int, mask: Any) -> None:
    """The windows STEP and SIDESTEP: a free adjacent space (R-16), or STOP unless a failed DODGE has to move."""
    allow_ways(mask, free_ways(game, who), catalogue.STEP)
    if game.state.forced == 0:
        allow(mask, catalogue.STOP)


@hot
def step(game: Game, who: int, direction: int) -> None:
    """One STEP of a MOVE. Nobody reacts to one that leaves (R-04)."""
    walk(game, who, direction)
    it = fighter(game, who)
    emit(game.log, Happened.STEPS, who, -1, direction, it.x, it.y)
    game.state.steps -= 1
    if game.state.steps > 0:
        ask(game, who, Window.STEP)


@kernel
def begin_sidestep(game: Game, who: int, spaces: int, forced: int) -> None:
    """What a DODGE moves: skipped without a board or a free space; asked if there is a choice (R-10)."""
    state = game.state
    state.stage = Stage.EXCHANGE_END
    if not ground.exists(game.setup.board):
        return
    ways = free_ways(game, who)
    if ways == 0:
        return
    state.steps = spaces
    state.forced = forced
    if forced == 1 and count_bits(ways) == 1:
        sidestep(game, who, lowest_bit(ways))
    else:
        ask(game, who, Window.SIDESTEP)


@kernel
def sidestep(game: Game, who: int, direction: int) -> None:
    """One space of a DODGE; those that Criticals bought follow."""
    state = game.state
    walk(game, who, direction)
    it = fighter(game, who)
    emit(game.log, Happened.SIDESTEPS, who, -1, direction, it.x, it.y)
    state.steps -= 1
    if state.steps > 0 and free_ways(game, who) != 0:
        ask(game, who, Window.SIDESTEP)


# --- the push (R-12) ---------------------------------------------------------------------------------------


@kernel
def push_ways(game: Game, who: int, away_from: int) -> int:
    """Bits of the directions to free adjacent spaces that are farther from the other fighter."""
    board = game.setup.board
    it = fighter(game, who)
    other = fighter(game, away_from)
    now = ground.distance(board, it.x, it.y, other.x, other.y)
    free = free_ways(game, who)
    ways = 0
    for direction in range(ground.DIRECTIONS):
        if has(free, direction):
            x = ground.step_x(board, it.x, it.y, direction)
            y = ground.step_y(board, it.x, it.y, direction)
            if ground.distance(board, x, y, other.x, other.y) > now:
                ways |= 1 << direction
    return ways


@kernel
def begin_push(game: Game, who: int, by: int) -> None:
    """Push a fighter away: not without a board or a space; asked if there is a choice."""
    if not ground.exists(game.setup.board):
        return
    ways = push_ways(game, who, by)
    if count_bits(ways) > 1:
        ask(game, by, Window.PUSH)
    elif ways != 0:
        push(game, who, by, lowest_bit(ways))


@kernel
def push(game: Game, who: int, by: int, direction: int) -> None:
    """The pushed fighter is on the next cell."""
    walk(game, who, direction)
    it = fighter(game, who)
    emit(game.log, Happened.PUSHED, who, by, direction, it.x, it.y)
