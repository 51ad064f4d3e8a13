"""The rules module of Nor'Ova: open, legal, apply, payoff ... as the contract names them.

The whole skirmish is one machine: a window asks, ``apply`` hands the answer to the rule that asked, and
``advance`` runs the stages until the next window opens.
"""

from __future__ import annotations

from typing import Any

from lens_env.core.kernel import hot, kernel
from lens_env.core.mask import clear
from lens_env.core.record import dtype_of
from lens_env.core.skirmish import Winner, forbid, is_over, payoff

from . import actions, awareness, catalogue, defenses, movement, strikes, turns
from .codes import Stage, Window
from .heuristics import (
    aimed_at,
    attacker_of,
    expected_damage,
    farthest_reach,
    life,
    points_left,
    risk,
    threat,
    to_go,
    walks,
)
from .observe import observe_fighter, observe_scene
from .state import MAX_FIGHTERS, Fighter, Game, State

FIGHTER_WORDS = dtype_of(Fighter).itemsize // 8
HEAD_WORDS = dtype_of(State).itemsize // 8 - MAX_FIGHTERS * FIGHTER_WORDS

__all__ = [
    "Game",
    "aimed_at",
    "apply",
    "attacker_of",
    "expected_damage",
    "farthest_reach",
    "health",
    "is_over",
    "legal",
    "life",
    "observe_fighter",
    "observe_scene",
    "open",
    "payoff",
    "points_left",
    "risk",
    "threat",
    "to_go",
    "used_words",
    "walks",
]


@kernel
def open(game: Game) -> None:
    """Prepare a zeroed state and run to the first window."""
    turns.set_up(game)
    advance(game)


@kernel
def health(game: Game, who: int) -> float:
    """The share of its Vitality that a fighter has left, 0..1."""
    return game.state.fighters[who].vitality / game.setup.sheets[who].vitality


@kernel
def used_words(game: Game) -> int:
    """The leading 64-bit words of the state that are in use: the fields, then the fighters there are."""
    return HEAD_WORDS + game.setup.count * FIGHTER_WORDS


# --- legal -------------------------------------------------------------------------------------------------


@kernel
def legal(game: Game, mask: Any) -> None:
    """Write the legal actions of the open window; none once the skirmish is over."""
    clear(mask)
    window = game.state.window
    who = game.state.decider
    if window == Window.NONE:
        return
    if window == Window.ACT:
        actions.legal_act(game, who, mask)
    elif window == Window.STEP:
        movement.legal_steps(game, who, mask)
    elif window == Window.FACE:
        movement.legal_facings(game, mask)
    elif window == Window.DEFEND:
        defenses.legal_defenses(game, who, mask)
    else:
        legal_answer(game, window, who, mask)
    if game.setup.forbids == 1:
        forbid(game, mask)


@hot
def legal_answer(game: Game, window: int, who: int, mask: Any) -> None:
    """The windows that open less often."""
    if window == Window.GUARD:
        defenses.legal_guard(game, who, mask)
    elif window == Window.FOLLOW_UP:
        defenses.legal_follow_up(game, who, mask)
    elif window == Window.OPPORTUNITY:
        movement.legal_opportunity(game, mask)
    elif window == Window.SAVE:
        turns.legal_save(game, mask)
    elif window == Window.SPECTATE:
        turns.legal_spectate(game, who, mask)
    elif window == Window.COLUMN:
        strikes.legal_columns(game, mask)
    else:
        strikes.legal_rows(game, mask)


# --- apply -------------------------------------------------------------------------------------------------


@kernel
def apply(game: Game, action: int) -> None:
    """Carry out a legal action (unchecked) and run to the next window or the end."""
    state = game.state
    window = state.window
    who = state.decider
    state.window = Window.NONE
    if window == Window.ACT:
        actions.act(game, who, action)
    elif window == Window.STEP:
        if action == catalogue.STOP:
            movement.stop(game, who)
        else:
            movement.step(game, who, action - catalogue.STEP)
    elif window == Window.FACE:
        movement.face(game, who, action - catalogue.FACE)
    elif window == Window.DEFEND:
        defenses.defend(game, who, action - catalogue.DEFEND)
    else:
        answer(game, window, who, action)
    advance(game)


@hot
def answer(game: Game, window: int, who: int, action: int) -> None:
    """The windows that open less often."""
    if window == Window.GUARD:
        defenses.protect(game, who, action)
    elif window == Window.FOLLOW_UP:
        defenses.follow_up(game, who, action)
    elif window == Window.OPPORTUNITY:
        movement.take_opportunity(game, who, action)
    elif window == Window.SAVE:
        if action == catalogue.SAVE:
            turns.buy_save(game, who)
        else:
            turns.decline_save(game, who)
    elif window == Window.SPECTATE:
        turns.spectate(game, who, action)
    elif window == Window.COLUMN:
        strikes.choose_column(game, who, action - catalogue.COLUMN)
    else:
        strikes.choose_row(game, who, action - catalogue.ROW)


# --- advance -----------------------------------------------------------------------------------------------


@kernel
def advance(game: Game) -> None:
    """Run the stages until a window opens or the skirmish ends."""
    state = game.state
    while state.window == Window.NONE and state.winner == Winner.NOBODY_YET:
        stage = state.stage
        if stage == Stage.TURN:
            turns.turn(game)
        elif stage == Stage.TURN_ENDS:
            turns.end_turn(game)
        elif stage == Stage.NEXT_FIGHTER:
            turns.next_fighter(game)
        elif stage == Stage.NOTICE:
            awareness.notice(game)
        elif stage == Stage.ASK_GUARD:
            defenses.ask_guard(game)
        elif stage == Stage.OWN_ACTION:
            defenses.own_action(game)
        elif stage == Stage.SUFFER:
            defenses.suffer(game)
        elif stage == Stage.EXCHANGE_END:
            strikes.end_strike(game)
        else:
            advance_rarely(game, stage)


@hot
def advance_rarely(game: Game, stage: int) -> None:
    """Areas, Attacks of Opportunity, spectators, the end of a round."""
    if stage == Stage.SPECTATORS:
        turns.next_spectator(game)
    elif stage == Stage.ROUND_END:
        turns.end_round(game)
    elif stage == Stage.BLAST:
        strikes.next_in_blast(game)
    else:
        movement.next_opportunity(game)
