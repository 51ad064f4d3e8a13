"""From the roll for initiative through turns, Saves and spectators to the end of a round (2, 6, 8, 10, 11)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.dice import draw_sum
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import Winner, ask, close_window, distance, first_enemy, last_enemy

from . import catalogue, strikes
from .codes import Happened, Origin, Out, Stage, Status, Trait, Window
from .fighters import (
    SAVE_DIFFICULTY,
    able,
    check,
    clear_statuses,
    count_down,
    die,
    end_blast,
    end_exchange,
    end_turn_fields,
    fighter,
    fighting,
    finish,
    gm_decides,
    set_status,
    settle,
    sheet,
    stand_up,
)
from .state import MAX_FIGHTERS, Game

BASE = 100  # added to an initiative, so that 0 means none

assert MAX_FIGHTERS <= 15, "a place of the order has four bits"

# --- before the first round --------------------------------------------------------------------------------


@kernel
def set_up(game: Game) -> None:
    """Everybody at full strength and in place, whatever the state held before; then the order (R-21)."""
    state = game.state
    state.winner = Winner.NOBODY_YET
    end_exchange(game)
    end_blast(game)
    end_turn_fields(game)
    close_window(game)
    for who in range(game.setup.count):
        set_up_fighter(game, who)
    for who in range(game.setup.count):
        fighter(game, who).facing = first_facing(game, who)
    state.place = 0
    state.order = 0
    state.ordered = 0
    make_order(game)
    state.game_round = 0
    state.stage = Stage.ROUND_END


@kernel
def set_up_fighter(game: Game, who: int) -> None:
    """What the sheet says."""
    it = fighter(game, who)
    its = sheet(game, who)
    clear_statuses(game, who)
    for code in range(Status.HINDERED + 1):
        set_status(game, who, code, its.statuses[code])
    it.out = Out.SPECTATOR if its.spectator == 1 else Out.NO
    it.tries = 0
    it.rolled = 0
    it.vitality = its.vitality
    it.power = its.power
    it.soul = its.soul
    it.xp = its.xp
    it.x = its.start_x
    it.y = its.start_y


@kernel
def first_facing(game: Game, who: int) -> int:
    """Where a fighter looks at first: as its sheet says, or towards the nearest enemy (R-05, R-21)."""
    if not ground.exists(game.setup.board):
        return 0
    if sheet(game, who).start_facing >= 0:
        return sheet(game, who).start_facing
    nearest = -1
    for other in range(first_enemy(game, who), last_enemy(game, who)):
        if fighting(game, other):
            if nearest < 0 or distance(game, who, other) < distance(game, who, nearest):
                nearest = other
    it = fighter(game, who)
    other_one = fighter(game, nearest)
    return ground.direction_towards(game.setup.board, it.x, it.y, other_one.x, other_one.y)


@kernel
def make_order(game: Game) -> None:
    """d20 + initiative, the highest first, ties by file order (R-03); spectators have no place (section 8)."""
    for who in range(game.setup.count):
        if fighting(game, who):
            fighter(game, who).rolled = BASE + draw_sum(game.dice, game.setup.d20) + sheet(game, who).initiative
    best = highest(game)
    while best >= 0:
        emit(game.log, Happened.ORDER, best, -1, 0, game.state.ordered + 1, fighter(game, best).rolled - BASE)
        append(game, best)
        fighter(game, best).rolled = 0
        best = highest(game)


@kernel
def highest(game: Game) -> int:
    """The fighter with the highest initiative that has no place yet, -1 for none."""
    best = -1
    most = 0
    for who in range(game.setup.count):
        if fighter(game, who).rolled > most:
            best = who
            most = fighter(game, who).rolled
    return best


@hot
def placed(game: Game, place: int) -> int:
    """Who acts in this place of the order."""
    return (game.state.order >> (4 * place)) & 15


@kernel
def append(game: Game, who: int) -> None:
    """Put a fighter last in the order."""
    game.state.order |= who << (4 * game.state.ordered)
    game.state.ordered += 1


# --- turns (section 2) -------------------------------------------------------------------------------------


@hot
def next_fighter(game: Game) -> None:
    """The next in the order; then the spectators."""
    state = game.state
    while state.place < state.ordered:
        who = placed(game, state.place)
        if fighter(game, who).out != Out.DEAD:
            start_turn(game, who)
            return
        state.place += 1
    state.watcher = 0
    state.stage = Stage.SPECTATORS


@hot
def start_turn(game: Game, who: int) -> None:
    """The start of an own turn: a Save may be bought, or a spell goes off; then the turn (sections 6 and 10)."""
    state = game.state
    state.acting = who + 1
    state.stage = Stage.TURN
    it = fighter(game, who)
    if it.out == Out.DOWN:
        if it.xp > 0:
            ask(game, who, Window.SAVE)
        else:
            fail_to_return(game, who)
        return
    emit(game.log, Happened.TURN, who, -1, 0, 0, 0)
    if it.casting > 0:
        it.delay -= 1
        if it.delay == 0:
            strikes.go_off(game, who)


@hot
def turn(game: Game) -> None:
    """The turn goes on until the fighter ends it, or cannot act (section 9)."""
    who = game.state.acting - 1
    if fighting(game, who) and able(game, who):
        ask(game, who, Window.ACT)
    else:
        end_turn(game)


@hot
def end_turn(game: Game) -> None:
    """Statuses have a turn less (R-20); the next fighter follows."""
    state = game.state
    who = state.acting - 1
    emit(game.log, Happened.TURN_ENDS, who, -1, 0, 0, 0)
    if fighting(game, who):
        count_down(game, who)
    end_turn_fields(game)
    state.place += 1
    state.stage = Stage.NEXT_FIGHTER


# --- Saves (section 6) -------------------------------------------------------------------------------------


@kernel
def legal_save(game: Game, mask: Any) -> None:
    """Pay for another Save, or let the turn pass."""
    allow(mask, catalogue.SAVE)
    allow(mask, catalogue.PASS)


@kernel
def buy_save(game: Game, who: int) -> None:
    """1d20 XP for another Save; with less XP than the roll, all of it is spent and there is none (R-17)."""
    it = fighter(game, who)
    price = draw_sum(game.dice, game.setup.d20)
    paid = min(price, it.xp)
    it.xp -= paid
    emit(game.log, Happened.PAYS_XP, who, -1, 0, paid, it.xp)
    if paid == price and check(game, who, Trait.VITALITY, SAVE_DIFFICULTY):
        stand_up(game, who)
        game.state.stage = Stage.TURN  # and acts
    else:
        fail_to_return(game, who)


@kernel
def decline_save(game: Game, who: int) -> None:
    """Declining counts as one of the four turns (section 6)."""
    emit(game.log, Happened.DECLINES, who, -1, 0, 0, 0)
    fail_to_return(game, who)


@kernel
def fail_to_return(game: Game, who: int) -> None:
    """One of the four turns has gone; after the last the fighter is permanently dead (section 6)."""
    it = fighter(game, who)
    it.tries -= 1
    if it.tries == 0:
        die(game, who)
    end_turn_fields(game)
    game.state.place += 1
    game.state.stage = Stage.NEXT_FIGHTER
    settle(game)


# --- spectators (section 8) --------------------------------------------------------------------------------


@hot
def next_spectator(game: Game) -> None:
    """Each spectator may make one attack at the end of the round, in file order, as the GM decides."""
    state = game.state
    if game.setup.spectators > 0:
        while state.watcher < game.setup.count:
            who = state.watcher
            if fighter(game, who).out == Out.SPECTATOR and strikes.reaches_anyone(game, who):
                ask(game, who, Window.SPECTATE)
                gm_decides(game)
                return
            state.watcher += 1
    state.watcher = 0
    state.stage = Stage.ROUND_END


@kernel
def legal_spectate(game: Game, who: int, mask: Any) -> None:
    """Any attack of the spectator on an enemy of its allegiance, or none (R-32)."""
    strikes.legal_attacks(game, who, mask)
    allow(mask, catalogue.PASS)


@kernel
def spectate(game: Game, who: int, action: int) -> None:
    """The spectator's attack."""
    game.state.watcher += 1
    if action == catalogue.PASS:
        game.state.stage = Stage.SPECTATORS
    else:
        game.state.origin = Origin.SPECTATOR
        strikes.declare(game, who, action)


@kernel
def draw_in(game: Game, who: int) -> None:
    """Countered, a spectator becomes a participant, and acts last from the next round on (section 8; R-19)."""
    fighter(game, who).out = Out.NO
    append(game, who)
    emit(game.log, Happened.JOINS, who, -1, 0, 0, 0)


# --- the end of a round (section 11) -----------------------------------------------------------------------


@kernel
def end_round(game: Game) -> None:
    """The next round, or after the last the end, undecided."""
    state = game.state
    if state.game_round >= game.setup.rules.max_rounds:
        finish(game, Winner.UNDECIDED)
        return
    state.game_round += 1
    state.place = 0
    state.stage = Stage.NEXT_FIGHTER
    emit(game.log, Happened.ROUND, -1, -1, 0, state.game_round, 0)
