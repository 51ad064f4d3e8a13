"""The rules module of Legacy of Lamashtu: open, legal, apply, payoff ... as the contract names them.

The whole skirmish is one machine: a window asks, ``apply`` hands the answer to the rule that asked, and
``advance`` runs the stages until the next window opens.
"""

from __future__ import annotations

from typing import Any

from lens_env.core.kernel import hot, kernel
from lens_env.core.mask import allow, clear
from lens_env.core.record import dtype_of
from lens_env.core.skirmish import Winner, allow_ways, close_window, forbid, is_over, payoff

from . import actions, catalogue, criticals, defenses, movement, turns
from .codes import Stage, Window
from .fighters import end_exchange
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
]  # fmt: skip


@kernel
def open(game: Game) -> None:
    """Prepare a zeroed state and run to the first window."""
    turns.set_up(game)
    advance(game)


@kernel
def used_words(game: Game) -> int:
    """The leading 64-bit words of the state that are in use: the fields, then the fighters there are."""
    return HEAD_WORDS + game.setup.count * FIGHTER_WORDS


@kernel
def health(game: Game, who: int) -> float:
    """The share of its Health that a fighter has left, 0..1."""
    return game.state.fighters[who].health / game.setup.sheets[who].health


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
    elif window == Window.DEFEND:
        defenses.legal_defenses(game, who, mask)
    elif window == Window.STEP or window == Window.SIDESTEP:
        movement.legal_steps(game, who, mask)
    elif window == Window.CASH:
        criticals.legal_cash(game, who, mask)
    elif window == Window.IMPOSE:
        allow(mask, catalogue.IMPOSE)
        allow(mask, catalogue.DECLINE)
    else:
        allow_ways(mask, movement.push_ways(game, game.state.attacker - 1, who), catalogue.PUSH)
    if game.setup.forbids == 1:
        forbid(game, mask)


# --- apply -------------------------------------------------------------------------------------------------


@kernel
def apply(game: Game, action: int) -> None:
    """Carry out a legal action (unchecked) and run to the next window or the end."""
    window = game.state.window
    who = game.state.decider
    close_window(game)
    if window == Window.ACT:
        actions.act(game, who, action)
    elif window == Window.DEFEND:
        defenses.defend(game, who, action - catalogue.DEFEND)
    elif window == Window.STEP:
        if action == catalogue.STOP:
            game.state.steps = 0
        else:
            movement.step(game, who, action - catalogue.STEP)
    else:
        answer(game, window, who, action)
    advance(game)


@hot
def answer(game: Game, window: int, who: int, action: int) -> None:
    """The answers of a defender that has succeeded, or has to move."""
    if window == Window.SIDESTEP:
        if action != catalogue.STOP:
            movement.sidestep(game, who, action - catalogue.STEP)
    elif window == Window.CASH:
        if action == catalogue.DONE:
            game.state.stage = Stage.SETTLE
        else:
            criticals.cash(game, who, action - catalogue.CASH)
    elif window == Window.IMPOSE:
        if action == catalogue.IMPOSE:
            criticals.impose(game, who)
    else:
        movement.push(game, game.state.attacker - 1, who, action - catalogue.PUSH)


# --- advance -----------------------------------------------------------------------------------------------


@kernel
def advance(game: Game) -> None:
    """Run the stages until a window opens or the skirmish ends."""
    state = game.state
    while state.window == Window.NONE and state.winner == Winner.NOBODY_YET:
        stage = state.stage
        if stage == Stage.TURN:
            turns.turn(game)
        elif stage == Stage.EXCHANGE_END:
            end_exchange(game)
            state.stage = Stage.TURN
        elif stage == Stage.NEXT_FIGHTER:
            turns.next_fighter(game)
        elif stage == Stage.CASH:
            criticals.ask_cash(game)
        elif stage == Stage.SETTLE:
            criticals.settle(game)
        else:
            turns.start_round(game)
