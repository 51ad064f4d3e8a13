"""What every rule of Legacy of Lamashtu needs: rolls, Poise, the ladder, damage, and clearing up."""

from __future__ import annotations

from lens_env.core.dice import Draw, draw, pool_index, pool_successes
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.skirmish import Winner, close_window, winner

from .codes import Condition, Happened, Stage
from .state import Fighter, Game, Sheet


@hot
def fighter(game: Game, who: int) -> Fighter:
    """What changes about a fighter."""
    return game.state.fighters[who]


@hot
def sheet(game: Game, who: int) -> Sheet:
    """What is fixed about a fighter."""
    return game.setup.sheets[who]


@hot
def spend(game: Game, who: int) -> None:
    """An action costs 1 Action Point (section 4). Legality has been checked by the mask."""
    fighter(game, who).points -= 1


@kernel
def roll_pool(game: Game, who: int, dice: int) -> int:
    """Roll a pool (section 1, R-01): the place of (successes, Criticals) in its table."""
    place = draw(game.dice, game.setup.pools[dice].table, Draw.POOL)
    successes = pool_successes(place)
    emit(game.log, Happened.ROLLS, who, -1, dice, successes, place - pool_index(successes, 0))
    return place


# --- Poise (sections 5, 6 and 7) ---------------------------------------------------------------------------


@hot
def broken(game: Game, who: int) -> bool:
    """Poise 0: no reactive defence (section 6)."""
    return fighter(game, who).poise == 0


@kernel
def lose_poise(game: Game, who: int) -> None:
    """A failed defence, or a lost CLASH, costs 1 Poise; there is none below 0."""
    it = fighter(game, who)
    if it.poise > 0:
        it.poise -= 1
        emit(game.log, Happened.LOSES_POISE, who, -1, 0, it.poise, 0)


@kernel
def gain_poise(game: Game, who: int, points: int) -> None:
    """Poise comes back up to its maximum (section 7)."""
    it = fighter(game, who)
    given = min(points, sheet(game, who).poise - it.poise)
    if given > 0:
        it.poise += given
        emit(game.log, Happened.GAINS_POISE, who, -1, 0, given, it.poise)


# --- the ladder (sections 5 and 6, R-14) -------------------------------------------------------------------


@kernel
def step_down(game: Game, who: int) -> None:
    """A failed DODGE: Off-Balance, then Staggered, then Prone, which replaces the rung."""
    it = fighter(game, who)
    condition = it.off_balance + 2 * it.staggered
    it.off_balance = 1 if condition == Condition.OFF_BALANCE else 0
    it.staggered = 1 if condition == Condition.STAGGERED else 0
    it.prone = 1 if condition == Condition.PRONE else 0
    it.settled = 0
    emit(game.log, Happened.GAINED, who, -1, condition, 0, 0)


@kernel
def unbalance(game: Game, who: int) -> None:
    """A CLASH makes Off-Balance: its time begins anew, and it never lowers a rung (R-14, R-22)."""
    it = fighter(game, who)
    if it.staggered == 0 and it.prone == 0:
        it.off_balance = 1
        it.settled = 0
        emit(game.log, Happened.GAINED, who, -1, Condition.OFF_BALANCE, 0, 0)


@kernel
def leave_rung(game: Game, who: int) -> None:
    """A rung ends at the end of the first own turn that began after it was gained (R-14)."""
    it = fighter(game, who)
    if it.settled == 1:
        emit(game.log, Happened.ENDED, who, -1, it.staggered, 0, 0)
        it.off_balance = 0
        it.staggered = 0
        it.settled = 0


# --- damage and defeat (sections 5 and 8) ------------------------------------------------------------------


@kernel
def hit(game: Game, who: int, target: int) -> None:
    """A hit takes the attacker's damage off Health; at 0 the fighter is out, and perhaps its side has lost."""
    it = fighter(game, target)
    points = min(it.health, sheet(game, who).damage)
    it.health -= points
    emit(game.log, Happened.DAMAGE, target, who, 0, points, it.health)
    if it.health == 0:
        fall(game, target)
        decided = winner(game)
        if decided != Winner.NOBODY_YET:
            finish(game, decided)


@kernel
def fall(game: Game, who: int) -> None:
    """Put a fighter out: it leaves its cell, and nothing about it matters any more."""
    it = fighter(game, who)
    clear_fighter(game, who)
    it.poise = 0
    it.out = 1
    it.x = -1
    it.y = -1
    emit(game.log, Happened.OUT, who, -1, 0, 0, 0)


@kernel
def clear_fighter(game: Game, who: int) -> None:
    """Everything about a fighter but its Health, its Poise and its place."""
    it = fighter(game, who)
    it.points = 0
    it.banked = 0
    it.off_balance = 0
    it.staggered = 0
    it.settled = 0
    it.prone = 0


@kernel
def finish(game: Game, won: int) -> None:
    """End the skirmish (section 8)."""
    end_exchange(game)
    end_turn_fields(game)
    game.state.winner = won
    game.state.stage = Stage.ROUND_START
    game.state.place = 0
    close_window(game)
    emit(game.log, Happened.WON, -1, -1, won, 0, 0)


@kernel
def end_exchange(game: Game) -> None:
    """Clear all that belongs to an attack, so that equal positions are equal bytes."""
    state = game.state
    state.steps = 0
    state.attacker = 0
    state.target = 0
    state.rolled = 0
    state.defense = 0
    state.margin = 0
    state.criticals = 0
    state.buying = 0
    state.spaces = 0
    state.forced = 0


@kernel
def end_turn_fields(game: Game) -> None:
    """Clear all that belongs to a turn; Action Points that are left lapse."""
    state = game.state
    if state.acting > 0:
        fighter(game, state.acting - 1).points = 0
    state.acting = 0
    state.turn_over = 0
    state.moved = 0
    state.recovered = 0
    state.steps = 0
