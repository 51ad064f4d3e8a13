"""The Move: steps, Attacks of Opportunity against them, facing (sections 2 and 7)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.bits import has
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import allow_ways, ask, distance, first_enemy, free_ways, last_enemy, walk

from . import catalogue, strikes
from .awareness import seen_from
from .codes import Happened, Origin, Stage, Use, Window
from .fighters import able, can_walk, end_move_fields, fighter, fighting, sheet
from .state import Game


@hot
def legal_steps(game: Game, who: int, mask: Any) -> None:
    """The window STEP: a free neighbouring space, nobody being passed, the fallen included (R-27), or STOP."""
    allow_ways(mask, free_ways(game, who), catalogue.STEP)
    allow(mask, catalogue.STOP)


@hot
def legal_facings(game: Game, mask: Any) -> None:
    """The window FACE: every direction of the board."""
    for heading in range(ground.DIRECTIONS):
        if ground.is_direction(game.setup.board, heading):
            allow(mask, catalogue.FACE + heading)


@hot
def begin_move(game: Game, who: int) -> None:
    """The Move: up to ``speed`` spaces, one decision each; with an immediate STOP only a turn (section 2)."""
    state = game.state
    state.used |= Use.MOVE
    state.moving = 1
    state.steps = sheet(game, who).speed
    emit(game.log, Happened.MOVES, who, -1, 0, 0, 0)
    go_on(game, who)


@hot
def go_on(game: Game, who: int) -> None:
    """The next step is asked for, or at the end of the Move the facing."""
    ask(game, who, Window.STEP if game.state.steps > 0 else Window.FACE)


@hot
def step(game: Game, who: int, heading: int) -> None:
    """A step out of a space next to an enemy provokes before it is taken (section 7)."""
    game.state.heading = heading
    if provokes(game, who):
        game.state.watcher = 0
        game.state.stage = Stage.PROVOKE
    else:
        enter(game, who)


@hot
def enter(game: Game, who: int) -> None:
    """The mover enters the space."""
    state = game.state
    walk(game, who, state.heading)
    state.steps -= 1
    emit(game.log, Happened.STEPS, who, -1, state.heading, fighter(game, who).x, fighter(game, who).y)
    state.heading = 0
    go_on(game, who)


@hot
def stop(game: Game, who: int) -> None:
    """The mover stays where it is, and chooses where to look."""
    game.state.steps = 0
    ask(game, who, Window.FACE)


@hot
def face(game: Game, who: int, heading: int) -> None:
    """The Move ends with a chosen facing (section 2; R-05)."""
    fighter(game, who).facing = heading
    emit(game.log, Happened.FACES, who, -1, heading, 0, 0)
    end_move_fields(game)
    game.state.stage = Stage.TURN


@kernel
def stand(game: Game, who: int) -> None:
    """Standing up is the whole Move (sections 2 and 9)."""
    game.state.used |= Use.MOVE
    fighter(game, who).prone = 0
    emit(game.log, Happened.STANDS, who, -1, 0, 0, 0)
    game.state.stage = Stage.TURN


# --- Attacks of Opportunity (section 7) --------------------------------------------------------------------


@hot
def provokes(game: Game, who: int) -> bool:
    """Is there an enemy that may strike before a step of this fighter?"""
    for enemy in range(first_enemy(game, who), last_enemy(game, who)):
        if may_take_opportunity(game, enemy, who):
            return True
    return False


@kernel
def next_opportunity(game: Game) -> None:
    """Each enemy that may is asked in file order; a mover that falls, or cannot walk any more, stops (R-18, R-26)."""
    state = game.state
    who = state.acting - 1
    if not can_walk(game, who):
        end_move_fields(game)
        state.stage = Stage.TURN
        return
    watcher = max(state.watcher, first_enemy(game, who))
    while watcher < last_enemy(game, who):
        if may_take_opportunity(game, watcher, who):
            state.watcher = watcher
            ask(game, watcher, Window.OPPORTUNITY)
            return
        watcher += 1
    state.watcher = 0
    enter(game, who)


@kernel
def legal_opportunity(game: Game, mask: Any) -> None:
    """The basic attack on the mover, or none."""
    allow(mask, catalogue.ATTACK + game.state.acting - 1)
    allow(mask, catalogue.PASS)


@kernel
def take_opportunity(game: Game, who: int, action: int) -> None:
    """Strike at the mover, once in a turn of its (section 7), or let it go."""
    state = game.state
    state.watcher = who + 1
    if action == catalogue.PASS:
        state.stage = Stage.PROVOKE
        return
    state.provoked |= 1 << who
    state.origin = Origin.OPPORTUNITY
    strikes.declare(game, who, action)


@hot
def may_take_opportunity(game: Game, who: int, mover: int) -> bool:
    """Adjacent, aware and able (section 7; R-26): not distracted, not casting, and the mover not behind it."""
    it = fighter(game, who)
    if not fighting(game, who) or distance(game, who, mover) != 1 or has(game.state.provoked, who):
        return False
    if it.distracted > 0 or it.casting > 0 or not able(game, who) or not strikes.basic_reaches(game, who, mover):
        return False
    return seen_from(game, who, fighter(game, mover).x, fighter(game, mover).y) != ground.Side.BEHIND
