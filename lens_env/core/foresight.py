"""Foresight: what an action is worth if both sides go on as well as they can, to some depth, all dice enumerated.

``foresee`` is a template like the loops. It walks through the tree of decisions and dice depth first; the position
at every depth lies in the room that it is given. A decision maximises for the side that asks, and minimises for the
other one.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

import numpy as np

from .dice import begin_enumeration, next_sequence
from .kernel import Linked
from .record import Record

DEPTH = 12  # decisions, the most that can be looked ahead
MOST_WAYS = 4096  # of the dice to fall in one action; the rest is taken to be like these
QUIET = 0  # look that many decisions ahead, and on to the end of an exchange that is under way then
EXCHANGE = 1  # look to the end of the exchange, at most that many decisions
PREPARED = 2  # the same, but the exchange may begin with the next decision, if it is the same fighter's


class Node(Record):
    """What is known of the position at some depth while its tree is being walked through."""

    at: int  # which of its legal actions is being looked at
    side: int  # who decides in it
    ways: int  # of the dice to fall, seen for that action so far
    chance: float  # of them together
    total: float  # their worths, by chance
    best: float  # the worth of the best action so far


def balance(game: Any, side: int) -> float:
    """The life that a side has left less that of its enemies, each as a share of all it may have: -1..1."""
    margin = 0.0
    for who in range(game.setup.count):
        if game.setup.sheets[who].side == 0:
            margin += health(game, who) / game.setup.party_count
        else:
            margin -= health(game, who) / (game.setup.count - game.setup.party_count)
    return -margin if side == 1 else margin


def appraise(game: Any, side: int) -> float:
    """What a position seems to be worth to a side: 2 if it has won, -2 if it has lost, else the balance."""
    found = balance(game, side)
    if is_over(game):
        won = payoff(game)
        found += 2.0 * won - 1.0 if side == 0 else 1.0 - 2.0 * won
    return found


def sees_on(game: Any, room: Any, depth: int, most: int, horizon: int) -> bool:
    """Is it worth looking on from here?"""
    if depth >= DEPTH or is_over(game):
        return False
    if horizon == QUIET:
        return bool(depth < most or attacker_of(game) >= 0)
    if depth >= most:
        return False
    if attacker_of(game) >= 0:
        return True
    first = room.states[0]
    same = game.state.decider == first.decider and game.state.window == first.window
    return bool(horizon == PREPARED and depth == 1 and same)


def enter(room: Any, depth: int, side: int) -> None:
    """Begin with the first action of the position at a depth."""
    node = room.nodes[depth]
    node.at = 0
    node.side = side
    node.ways = 0
    node.chance = 0.0
    node.total = 0.0
    node.best = -np.inf
    begin_enumeration(room.dice[depth])


def fold_up(room: Any, depth: int, value: float, own: int) -> bool:
    """Note the worth of what came of the last dice at a depth; True if its actions are all looked at."""
    node = room.nodes[depth]
    node.ways += 1
    node.chance += room.dice[depth].weight
    node.total += room.dice[depth].weight * value
    if next_sequence(room.dice[depth]) and node.ways < MOST_WAYS:
        return False
    worth = node.total / node.chance
    node.best = max(node.best, worth if node.side == own else -worth)
    if depth == 0:
        return True  # at the top only one action is asked about
    node.at += 1
    node.ways = 0
    node.chance = 0.0
    node.total = 0.0
    begin_enumeration(room.dice[depth])
    return bool(node.at >= room.masks[depth].count)


def foresee(game: Any, action: int, most: int, horizon: int, own: int, room: Any) -> float:
    """What an action is worth to side ``own``, looking ``most`` (1..DEPTH) decisions ahead, this one included."""
    room.states[0] = game.state
    enter(room, 0, own)
    depth = 0
    while True:
        now = action if depth == 0 else room.masks[depth].listed[room.nodes[depth].at]
        room.states[depth + 1] = room.states[depth]
        after = Game(room.states[depth + 1], room.dice[depth], game.setup, game.log)
        apply(after, now)
        if sees_on(after, room, depth + 1, most, horizon):
            depth += 1
            legal(after, room.masks[depth])
            enter(room, depth, after.state.side)
            continue
        value = appraise(after, own)
        while fold_up(room, depth, value, own):
            best = room.nodes[depth].best
            value = best if room.nodes[depth].side == own else -best
            if depth == 0:
                return float(value)
            depth -= 1


FORESEE = Linked(foresee, ("balance", "appraise", "sees_on", "enter", "fold_up"))
