"""Scripted policies in compiled code: which of the legal actions a written plan is content with.

``decide`` is a template like the loops: bound to a ruleset it asks the ruleset's heuristics (see :mod:`.ruleset`),
which know nothing of plans. It strikes actions out until only equally good ones are left: walks that lead nowhere,
defences that fail more often than others, attacks on others than the plan's target, then all that another action is
preferred to.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from .dice import Dice
from .foresight import DEPTH, EXCHANGE, FORESEE, PREPARED, Node, foresee
from .kernel import Linked
from .loops import decision_below
from .mask import dtype as mask_dtype
from .record import Record, dtype_of
from .skirmish import UNKNOWN
from .ways import NOT_A_WALK, NOWHERE, Ways, survey_ways

Array = Any
ALIKE = 1e-12  # chances and damages that differ by less are the same
PARTS = (
    "strike_out", "drop_detours", "keep_surest", "chosen_target", "keep_best_attack", "prepared_better",
    "keep_foreseen",
    "table_of", "keep_preferred",
)  # fmt: skip


class Focus(IntEnum):
    """Whom to strike."""

    ANYONE = 0
    WEAKEST = 1  # the target with the least life left
    STRONGEST = 2  # the target with the most life left
    FRESHEST = 3  # the target that has lost the least share of its life
    OPENING = 4  # what does the most harm to a target that defends as well as it can, by foresight


class When(IntEnum):
    """When the first table of preferences holds in a reaction, and not the one for calm moments."""

    ALWAYS = 0
    THREATENED = 1  # the attack does at least that share of the life that its target has left, on average
    HURT = 2  # the decider has at most that share of its life left


class Table(IntEnum):
    """Which preferences hold."""

    TURN = 0  # whenever no enemy attacks
    ALARM = 1  # in reactions to an attack
    CALM = 2  # the same, when ``When`` does not hold


@cache
def plan_dtype(actions: int) -> np.dtype[Any]:
    """The dtype of a plan for a catalogue of so many actions: what a policy wants in one encounter."""
    return np.dtype([
        ("ranks", np.int64, (len(Table) * actions,)),  # by table and action: its place in the preferences, 0 = best
        ("compared", np.int64, (actions,)),  # 1: only those that fail least often are considered
        ("surest", np.int64),  # 1: some are compared
        ("reserve", np.int64),  # points to be kept for reactions; 0: none
        ("finish", np.int64),  # the action that ends the turn, -1: there is none
        ("focus", np.int64),  # Focus
        ("when", np.int64),  # When
        ("threshold", np.float64),  # of ``when``, a share
        ("careful", np.int64),  # 1: the defence with the least expected harm of the exchange, by foresight
    ])  # fmt: skip


def room_dtype(state: type[Record], actions: int) -> np.dtype[Any]:
    """The dtype of the room that a decision is thought over in; its content means nothing afterwards."""
    return np.dtype([
        ("listed", np.int64, (actions,)),  # the actions still considered
        ("worth", np.float64, (actions,)),  # by place in the list, whatever is being compared
        ("count", np.int64),
        ("picked", np.int64, (actions,)),  # another list
        ("chosen", np.int64),
        ("ways", dtype_of(Ways)),
        ("states", dtype_of(state), (DEPTH + 1,)),  # foresight: the position at each depth
        ("dice", dtype_of(Dice), (DEPTH + 1,)),
        ("masks", mask_dtype(actions), (DEPTH + 1,)),
        ("nodes", dtype_of(Node), (DEPTH + 1,)),
    ])  # fmt: skip


def decide(game: Any, mask: Any, plan: Any, room: Any, low: int, high: int) -> int:
    """One of the actions that the plan is content with, all with the same chance, by the policy's seed (low, high)."""
    consider(game, mask, plan, room)
    if room.count == 1:
        return int(room.listed[0])
    in_order(room)
    return int(room.listed[decision_below(game.dice, max(0, game.state.side), low, high, room.count)])


def consider(game: Any, mask: Any, plan: Any, room: Any) -> None:
    """Leave those legal actions in the list of the room that the plan is content with, at least one."""
    consider_all(mask, room)
    narrow(game, plan, room)


def narrow(game: Any, plan: Any, room: Any) -> None:
    """Leave those of the actions in the list of the room that the plan is content with, at least one."""
    if room.count > 1 and walks(game):
        drop_detours(game, room)
    if room.count > 1 and plan.surest == 1:
        keep_surest(game, plan, room)
    table = table_of(game, plan)
    if room.count > 1 and table == Table.TURN and plan.focus == Focus.OPENING:
        keep_foreseen(game, room)
    elif room.count > 1 and plan.focus != Focus.ANYONE:
        keep_best_attack(game, plan, room)
    if room.count > 1 and plan.careful == 1 and table != Table.TURN:
        keep_foreseen(game, room)
    keep_preferred(game, plan, table, room)


def consider_all(mask: Any, room: Any) -> None:
    """Everything legal."""
    for i in range(mask.count):
        room.listed[i] = mask.listed[i]
    room.count = mask.count


def strike_out(room: Any, least: float, most: float) -> None:
    """Leave those whose worth lies in between, and those of an unknown one (not a number)."""
    kept = 0
    for i in range(room.count):
        if not (room.worth[i] < least or room.worth[i] > most):
            room.listed[kept] = room.listed[i]
            kept += 1
    room.count = kept


def drop_detours(game: Any, room: Any) -> None:
    """Of the walks only the best remains, the first in the catalogue among equal ones.

    That one too is dropped if it leads nowhere, unless nothing else would be left.
    """
    survey_ways(game, game.state.decider, farthest_reach(game, game.state.decider), room.ways)
    best = -1
    steps = 0.0
    others = 0
    for i in range(room.count):
        action = room.listed[i]
        far = to_go(game, action, room.ways)
        room.worth[i] = 0.0 if far == NOT_A_WALK else 1.0
        if far == NOT_A_WALK:
            others += 1
        elif best < 0 or far < steps or (far == steps and action < best):
            best = action
            steps = far
    if best < 0:
        return
    strike_out(room, 0.0, 0.0)
    if steps < NOWHERE or others == 0:
        room.listed[room.count] = best
        room.count += 1


def keep_surest(game: Any, plan: Any, room: Any) -> None:
    """Of the compared actions only those remain that fail least often, where that is known."""
    least = 2.0
    for i in range(room.count):
        action = room.listed[i]
        chance = risk(game, action) if plan.compared[action] == 1 else UNKNOWN
        room.worth[i] = chance if chance != UNKNOWN else np.nan
        if chance != UNKNOWN:
            least = min(least, chance)
    strike_out(room, -1.0, least + ALIKE)


def chosen_target(game: Any, focus: int, target: int) -> float:
    """How much a target is to the taste of a focus: the more the better."""
    if focus == Focus.WEAKEST:
        return -float(life(game, target))
    if focus == Focus.STRONGEST:
        return float(life(game, target))
    return float(health(game, target))


def keep_best_attack(game: Any, plan: Any, room: Any) -> None:
    """Of the attacks only those remain that are aimed at the plan's target and promise the most damage there.

    Actions that prepare an attack (forming a spell) remain only if what they prepare promises more than that.
    """
    fancy = -np.inf
    most = 0.0
    for i in range(room.count):
        target = aimed_at(game, room.listed[i])
        damage = expected_damage(game, room.listed[i])
        room.worth[i] = damage
        if damage > 0 and target >= 0:
            taste = chosen_target(game, plan.focus, target)
            if taste > fancy:
                fancy = taste
                most = 0.0
            if taste == fancy:
                most = max(most, damage)
    kept = 0
    for i in range(room.count):
        target = aimed_at(game, room.listed[i])
        damage = room.worth[i]
        if target < 0:
            keeps = damage <= 0 or damage > most
        else:
            keeps = damage <= 0 or (damage == most and chosen_target(game, plan.focus, target) == fancy)
        if keeps:
            room.listed[kept] = room.listed[i]
            kept += 1
    room.count = kept


def keep_foreseen(game: Any, room: Any) -> None:
    """Of the attacks, or of the answers to one, only those remain after which the exchange ends best.

    The exchange is foreseen exactly: all dice, and all that both sides may still decide in it, each as well as it can.
    Other actions remain; but if an attack promises more after one of them than at once, only the best of these does.
    """
    attacked = attacker_of(game) >= 0
    best = -np.inf
    found = 0
    for i in range(room.count):
        room.worth[i] = np.nan
        if attacked or (aimed_at(game, room.listed[i]) >= 0 and expected_damage(game, room.listed[i]) > 0):
            room.worth[i] = foresee(game, room.listed[i], DEPTH, EXCHANGE, game.state.side, room)
            best = max(best, room.worth[i])
            found += 1
    if found == 0:
        return
    if not attacked and prepared_better(game, room, best):
        return
    strike_out(room, best - ALIKE, np.inf)


def prepared_better(game: Any, room: Any, best: float) -> bool:
    """Leave only the actions after which the best attack promises most, if that is more than ``best``."""
    most = best + ALIKE
    room.chosen = 0
    for i in range(room.count):
        if np.isnan(room.worth[i]):
            worth = foresee(game, room.listed[i], DEPTH, PREPARED, game.state.side, room)
            if worth > most + ALIKE:
                most = worth
                room.chosen = 0
            if worth >= most - ALIKE and most > best + ALIKE:
                room.picked[room.chosen] = room.listed[i]
                room.chosen += 1
    for i in range(room.chosen):
        room.listed[i] = room.picked[i]
    if room.chosen > 0:
        room.count = room.chosen
    return bool(room.chosen > 0)


def table_of(game: Any, plan: Any) -> int:
    """Which preferences hold."""
    attacker = attacker_of(game)
    if attacker < 0 or game.setup.sheets[attacker].side == game.state.side:
        return Table.TURN
    if plan.when == When.THREATENED and threat(game) < plan.threshold * life(game, game.state.target - 1):
        return Table.CALM
    if plan.when == When.HURT and health(game, game.state.decider) > plan.threshold:
        return Table.CALM
    return Table.ALARM


def keep_preferred(game: Any, plan: Any, table: int, room: Any) -> None:
    """Only the best of the preferences remain; or the end of the turn, once only the reserve is left."""
    first = table * len(plan.compared)
    best = len(plan.ranks)
    for i in range(room.count):
        action = room.listed[i]
        if action == plan.finish and plan.reserve > 0 and points_left(game, game.state.decider) <= plan.reserve:
            room.listed[0] = action
            room.count = 1
            return
        room.worth[i] = plan.ranks[first + action]
        best = min(best, plan.ranks[first + action])
    strike_out(room, best, best)


def in_order(room: Any) -> None:
    """Sort the list by the places in the catalogue."""
    for i in range(1, room.count):
        action = room.listed[i]
        k = i
        while k > 0 and room.listed[k - 1] > action:
            room.listed[k] = room.listed[k - 1]
            k -= 1
        room.listed[k] = action


NARROW = Linked(narrow, PARTS, (FORESEE,))
CONSIDER = Linked(consider, ("consider_all",), (NARROW,))
DECIDE = Linked(decide, ("in_order",), (CONSIDER,))
LINKED = {"decide_many": (DECIDE,), "consider_many": (CONSIDER,), "live_many": (), "advise_many": ()}
LOOP_PARTS = ("live_many",)


# --- loops -------------------------------------------------------------------------------------------------


def decide_many(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    plans: Array,
    rooms: Array,
    low: int,
    high: int,
    actions: Array,
) -> None:
    """What the plans (K), by encounter, do in each skirmish (B) that is not over; ``rooms`` (1) is worked in."""
    for i in range(states.shape[0]):
        if masks[i].count > 0:
            game = Game(states[i], dice[i], setups[which[i]], logs[0])
            actions[i] = decide(game, masks[i], plans[which[i]], rooms[0], low, high)


def consider_many(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    plans: Array,
    rooms: Array,
    flags: Array,
) -> None:
    """Flag (B, A; uint8) all actions that the plans (K), by encounter, are content with."""
    for i in range(states.shape[0]):
        if masks[i].count > 0:
            consider(Game(states[i], dice[i], setups[which[i]], logs[0]), masks[i], plans[which[i]], rooms[0])
            for k in range(rooms[0].count):
                flags[i, rooms[0].listed[k]] = 1


def live_many(states: Array, dice: Array, setups: Array, which: Array, logs: Array, masks: Array, lives: Array) -> None:
    """Write the points of life (B, F) that every fighter has left."""
    for i in range(states.shape[0]):
        game = Game(states[i], dice[i], setups[which[i]], logs[0])
        for who in range(min(lives.shape[1], game.setup.count)):
            lives[i, who] = life(game, who)


def advise_many(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    rooms: Array,
    numbers: Array,
    lives: Array,
) -> None:
    """Write what heuristics know: ``numbers`` (B, A, 4) and ``lives`` (B, F).

    The numbers are expected damage, target, steps to go and risk, only of legal actions; not a number if not known.
    """
    live_many(states, dice, setups, which, logs, masks, lives)
    for i in range(states.shape[0]):
        game = Game(states[i], dice[i], setups[which[i]], logs[0])
        walking = masks[i].count > 0 and walks(game)
        if walking:
            survey_ways(game, game.state.decider, farthest_reach(game, game.state.decider), rooms[0].ways)
        for k in range(masks[i].count):
            action = masks[i].listed[k]
            numbers[i, action, 0] = expected_damage(game, action)
            numbers[i, action, 1] = aimed_at(game, action)
            far = to_go(game, action, rooms[0].ways) if walking else NOT_A_WALK
            numbers[i, action, 2] = far if far != NOT_A_WALK else np.nan
            chance = risk(game, action)
            numbers[i, action, 3] = chance if chance != UNKNOWN else np.nan
