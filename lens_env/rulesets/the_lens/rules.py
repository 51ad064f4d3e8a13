"""The rules module of The Lens: open, legal, apply, payoff ... as the contract names them.

The whole skirmish is one machine: a window asks, ``apply`` hands the answer to the rule that asked, and
``advance`` runs the stages until the next window opens.
"""

from __future__ import annotations

from typing import Any

from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow, clear
from lens_env.core.record import dtype_of
from lens_env.core.skirmish import Winner, close_window, forbid, is_over, payoff

from . import actions, catalogue, defenses, items, movement, reactions, turns
from .codes import Defense, Happened, Roll, Stage, Window
from .fighters import WITH_TOOL, challenge, end_exchange, spend
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
from .observe import health, observe_fighter, observe_scene
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
    elif window == Window.DEFEND:
        defenses.legal_defenses(game, who, mask)
    elif window == Window.STEP:
        movement.legal_steps(game, who, mask)
    elif window == Window.FREE_MOVE:
        movement.legal_sidesteps(game, who, mask)
    elif window == Window.INITIATIVE:
        for choice in range(game.setup.sheets[who].initiative_count):
            allow(mask, catalogue.INITIATIVE + choice)
    elif window == Window.TIMING:
        allow(mask, catalogue.BEFORE)
        allow(mask, catalogue.AFTER)
    elif window == Window.TARGET:
        items.legal_targets(game, who, mask)
    elif window == Window.ADD_TAG:
        actions.legal_triumph_tags(game, mask)
    elif window == Window.RECOVER:
        for points in range(turns.least_points(game, who), turns.most_points(game, who) + 1):
            allow(mask, catalogue.RECOVER + points)
    else:
        legal_answer(game, window, mask)
    if game.setup.forbids == 1:
        forbid(game, mask)


@hot
def legal_answer(game: Game, window: int, mask: Any) -> None:
    """The windows with two fixed answers, and those that name a tag."""
    if window == Window.MITIGATION:
        allow(mask, catalogue.REDUCE_DAMAGE)
        defenses.legal_removals(game, mask)
    elif window == Window.REMOVE_TAG:
        defenses.legal_removals(game, mask)
    elif window == Window.ASSIST:
        allow(mask, catalogue.ASSIST)
        allow(mask, catalogue.PASS)
    elif window == Window.INTERFERE:
        allow(mask, catalogue.INTERFERE)
        allow(mask, catalogue.PASS)
    elif window == Window.GUARD:
        allow(mask, catalogue.GUARD)
        allow(mask, catalogue.PASS)
    else:
        allow(mask, catalogue.YIELD)
        allow(mask, catalogue.SACRIFICE)


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
            movement.end_move(game)
        else:
            movement.step(game, who, action - catalogue.STEP)
    elif window == Window.FREE_MOVE:
        movement.sidestep(game, who, action - catalogue.STEP)
    elif window == Window.INITIATIVE:
        turns.roll_initiative(game, who, action - catalogue.INITIATIVE)
    elif window == Window.TIMING:
        turns.choose_timing(game, who, 1 if action == catalogue.AFTER else 0)
    elif window == Window.TARGET:
        items.aim(game, who, action - catalogue.TARGET)
    elif window == Window.RECOVER:
        turns.recover(game, who, action - catalogue.RECOVER)
    else:
        answer(game, window, who, action)
    advance(game)


@hot
def answer(game: Game, window: int, who: int, action: int) -> None:
    """The answers to reactions, sacrifices and tags."""
    if window == Window.ASSIST:
        if action == catalogue.ASSIST:
            reactions.assist(game, who)
        else:
            game.state.asked += 1
    elif window == Window.INTERFERE:
        if action == catalogue.INTERFERE:
            reactions.interfere(game, who)
        else:
            game.state.asked += 1
    elif window == Window.GUARD:
        if action == catalogue.GUARD:
            reactions.guard(game, who)
        else:
            game.state.stage = Stage.STRIKE
    elif window == Window.ADD_TAG:
        actions.add_tag(game, action - catalogue.TAG)
    elif window == Window.MITIGATION:
        if action == catalogue.REDUCE_DAMAGE:
            defenses.reduce_damage(game, who)
        else:
            defenses.remove_tag(game, action - catalogue.REMOVE)
    elif window == Window.REMOVE_TAG:
        defenses.remove_tag(game, action - catalogue.REMOVE)
    elif action == catalogue.SACRIFICE:
        pay(game, window, who)
    else:
        yield_to(game, window, who)


@kernel
def pay(game: Game, window: int, who: int) -> None:
    """The better alternative of a SACRIFICE: 1 Momentum, or what the defence asks."""
    if window == Window.DEFENSE_SACRIFICE:
        defenses.pay_price(game, who)
        return
    spend(game, who, 1)
    emit(game.log, Happened.PAYS_PRICE, who, -1, Defense.NONE, 0, 0)
    if window == Window.ATTACK_SACRIFICE:
        actions.connect(game)
    elif window == Window.FORM_SACRIFICE:
        actions.formed(game)
    else:
        game.state.stage = Stage.ENTER


@kernel
def yield_to(game: Game, window: int, who: int) -> None:
    """The worse alternative of a SACRIFICE."""
    emit(game.log, Happened.YIELDS, who, -1, 0, 0, 0)
    if window == Window.ATTACK_SACRIFICE:
        actions.miss(game)
    elif window == Window.FORM_SACRIFICE:
        actions.not_formed(game)
    elif window == Window.STEP_SACRIFICE:
        movement.get_stuck(game)


# --- advance -----------------------------------------------------------------------------------------------


@kernel
def advance(game: Game) -> None:
    """Run the stages until a window opens or the skirmish ends."""
    state = game.state
    while state.window == Window.NONE and state.winner == Winner.NOBODY_YET:
        stage = state.stage
        if stage == Stage.TURN:
            turns.turn(game)
        elif stage == Stage.NEXT_FIGHTER:
            turns.next_fighter(game)
        elif stage >= Stage.ROUND_END:
            advance_round_end(game, stage)
        elif stage < Stage.NEXT_FIGHTER:
            advance_start(game, stage)
        elif stage == Stage.ASK_ASSIST:
            reactions.ask_assist(game)
        elif stage == Stage.ASK_INTERFERE:
            reactions.ask_interfere(game)
        elif stage == Stage.ROLL:
            roll(game)
        elif stage == Stage.RESOLVE:
            resolve(game)
        elif stage == Stage.ASK_GUARD:
            reactions.ask_guard(game)
        elif stage == Stage.STRIKE:
            actions.strike(game)
        elif stage == Stage.ENTER:
            movement.enter(game)
        elif stage == Stage.EFFECT:
            items.take_effect(game)
        elif stage == Stage.SUFFER:
            defenses.suffer(game)
        elif stage == Stage.AFTERMATH:
            defenses.aftermath(game)
        else:
            end_exchange(game)
            state.stage = Stage.TURN


@kernel
def advance_start(game: Game, stage: int) -> None:
    """Before the first round, and at the start of each."""
    if stage == Stage.ROUND_START:
        turns.start_round(game)
    elif stage == Stage.INITIATIVE:
        turns.next_initiative(game)
    else:
        turns.settle_surprise(game)


@kernel
def advance_round_end(game: Game, stage: int) -> None:
    """The steps at the end of a round."""
    if stage == Stage.ROUND_END:
        turns.end_round(game)
    elif stage == Stage.RECOVERY:
        turns.recover_next(game)
    else:
        turns.count_down(game)


@hot
def roll(game: Game) -> None:
    """Nobody has anything more to say: the dice fall."""
    state = game.state
    who = state.actor - 1
    helper = reactions.reaction_die(game, state.helper - 1, state.ability)
    hinderer = reactions.reaction_die(game, state.hinderer - 1, state.ability)
    state.outcome = challenge(game, who, state.ability, state.tn, WITH_TOOL, helper, hinderer)
    state.stage = Stage.RESOLVE


@hot
def resolve(game: Game) -> None:
    """What the outcome means depends on what was rolled for."""
    kind = game.state.roll
    if kind == Roll.DEFENSE:
        defenses.resolve_defense(game)
    elif kind == Roll.FORM:
        actions.resolve_form(game)
    elif kind == Roll.STEP:
        movement.resolve_step(game)
    elif kind == Roll.USE:
        items.resolve_use(game)
    else:
        actions.resolve_attack(game)
