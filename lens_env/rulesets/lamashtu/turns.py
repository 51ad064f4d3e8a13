"""Rounds and turns, and the actions of an own turn but ATTACK and MOVE (section 4)."""

from __future__ import annotations

from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.skirmish import Winner, ask, close_window, standing

from .codes import Condition, Happened, Stage, Window
from .fighters import (
    clear_fighter,
    end_exchange,
    end_turn_fields,
    fighter,
    finish,
    gain_poise,
    leave_rung,
    sheet,
    spend,
)
from .state import Game


@kernel
def set_up(game: Game) -> None:
    """Everybody at full strength and in place, whatever the state held before."""
    state = game.state
    state.winner = Winner.NOBODY_YET
    end_exchange(game)
    end_turn_fields(game)
    for who in range(game.setup.count):
        clear_fighter(game, who)
        it = fighter(game, who)
        its = sheet(game, who)
        it.out = 0
        it.health = its.health
        it.poise = its.poise
        it.x = its.start_x
        it.y = its.start_y
    close_window(game)
    state.place = 0
    state.game_round = 1
    state.stage = Stage.ROUND_START


@kernel
def start_round(game: Game) -> None:
    """A round: everybody has one turn."""
    emit(game.log, Happened.ROUND, -1, -1, 0, game.state.game_round, 0)
    game.state.place = 0
    game.state.stage = Stage.NEXT_FIGHTER


@kernel
def next_fighter(game: Game) -> None:
    """The next turn, by initiative, ties by file order (R-04); after the last one the next round, or the end."""
    state = game.state
    while state.place < game.setup.count:
        who = game.setup.order[state.place]
        if standing(game, who):
            start_turn(game, who)
            return
        state.place += 1
    if state.game_round >= game.setup.rules.max_rounds:
        finish(game, Winner.UNDECIDED)
        return
    state.game_round += 1
    state.stage = Stage.ROUND_START


@kernel
def start_turn(game: Game, who: int) -> None:
    """Full Action Points and the banked ones, 1 less if Staggered (R-04); Poise as the rules give it (R-15)."""
    it = fighter(game, who)
    it.points = max(0, sheet(game, who).points + it.banked - it.staggered)
    it.banked = 0
    it.settled = it.off_balance + it.staggered
    game.state.acting = who + 1
    game.state.stage = Stage.TURN
    emit(game.log, Happened.TURN, who, -1, 0, it.points, 0)
    gain_poise(game, who, game.setup.rules.poise_per_round)


@hot
def turn(game: Game) -> None:
    """The turn goes on until the fighter ends it."""
    state = game.state
    who = state.acting - 1
    if state.turn_over == 0:
        ask(game, who, Window.ACT)
        return
    leave_rung(game, who)
    end_turn_fields(game)
    state.place += 1
    state.stage = Stage.NEXT_FIGHTER


@kernel
def recover(game: Game, who: int) -> None:
    """RECOVER: 1 Poise for 1 Action Point (R-05)."""
    spend(game, who)
    game.state.recovered += 1
    emit(game.log, Happened.RECOVERS, who, -1, 0, 0, 0)
    gain_poise(game, who, 1)


@kernel
def stand(game: Game, who: int) -> None:
    """STAND: ends Prone; the ladder is empty then."""
    spend(game, who)
    fighter(game, who).prone = 0
    emit(game.log, Happened.ENDED, who, -1, Condition.PRONE, 0, 0)
