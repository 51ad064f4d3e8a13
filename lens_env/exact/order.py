"""Loops over a finished graph: its order inside a round, the values of its states, and how often they are visited.

They know nothing of any ruleset. The graph is in CSR form: state s has the actions ``first_action[s]`` up to
``first_action[s + 1]``, action a the outcomes ``first_outcome[a]`` up to ``first_outcome[a + 1]``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from lens_env.core.kernel import prange

Array = Any
WORTH_SHARING = 2000  # states of a level from which it pays to share them among threads
BEYOND = 1e300  # no value is as small


class Role(IntEnum):
    """How a state gets its value from those of its actions."""

    MOST = 0  # the largest
    LEAST = 1  # the smallest
    MEAN = 2  # their mean, weighted by a policy
    END = 3  # it has none; its value is given


def levels(first_action: Array, first_outcome: Array, targets: Array, places: Array, queue: Array) -> int:
    """Write how many decisions a state is away from the round's beginning, at most; how many states have a level.

    ``targets``: twice the state, plus 1 if a round ends. ``places`` (S, 2), zeros at first: the outcomes inside the
    round that lead to a state from states without a level, and its level. States on a cycle inside a round get
    none, nor do those behind them. ``queue`` (S).
    """
    count = len(places)
    for o in range(first_outcome[first_action[count]]):
        if targets[o] & 1 == 0:
            places[targets[o] >> 1, 0] += 1
    found = 0
    for s in range(count):
        if places[s, 0] == 0:
            queue[found] = s
            found += 1
    done = 0
    while done < found:
        s = queue[done]
        done += 1
        deeper = places[s, 1] + 1
        for o in range(first_outcome[first_action[s]], first_outcome[first_action[s + 1]]):
            if targets[o] & 1 == 0:
                t = targets[o] >> 1
                places[t, 1] = max(places[t, 1], deeper)
                places[t, 0] -= 1
                if places[t, 0] == 0:
                    queue[found] = t
                    found += 1
    return found


def arrange(places: Array, free: Array, order: Array, number: Array) -> None:
    """Write the states in the ``order`` (S) of their levels, in a level as before; ``number`` (S) is the inverse.

    ``free`` (levels): where the next state of each level goes.
    """
    for s in range(len(places)):
        level = places[s, 1]
        number[s] = free[level]
        order[free[level]] = s
        free[level] += 1


def rearrange(
    order: Array,
    number: Array,
    old_action: Array,
    old_actions: Array,
    old_outcome: Array,
    old_targets: Array,
    old_chances: Array,
    first_action: Array,
    actions: Array,
    first_outcome: Array,
    targets: Array,
    chances: Array,
) -> None:
    """Write the graph with its states in ``order`` (S); ``number`` (S) is the inverse.

    A target becomes the number of the state, plus S if a round ends on the way.
    """
    count = len(order)
    a = 0
    o = 0
    for new in range(count):
        old = order[new]
        first_action[new] = a
        for b in range(old_action[old], old_action[old + 1]):
            actions[a] = old_actions[b]
            first_outcome[a] = o
            for p in range(old_outcome[b], old_outcome[b + 1]):
                targets[o] = number[old_targets[p] >> 1] + count * (old_targets[p] & 1)
                chances[o] = old_chances[p]
                o += 1
            a += 1
    first_action[count] = a
    first_outcome[a] = o


def sweep(
    level_ends: Array,
    threads: int,
    first_action: Array,
    first_outcome: Array,
    targets: Array,
    chances: Array,
    allowed: Array,
    roles: Array,
    weights: Array,
    values: Array,
) -> None:
    """The values of all states with one more round to go, the last level first.

    ``values`` (2 S): what is written, then the values with one round less. ``allowed`` (A): 0 for actions that
    are forbidden; each state has one that is not. ``weights`` (A): a policy, where the role is MEAN. States of one
    level do not need each other, so ``threads`` share them.
    """
    for level in range(len(level_ends) - 1, -1, -1):
        first = level_ends[level - 1] if level > 0 else 0
        size = level_ends[level] - first
        shares = threads if size >= WORTH_SHARING else 1
        for i in prange(shares):
            begin = first + size * i // shares
            end = first + size * (i + 1) // shares
            fold(begin, end, first_action, first_outcome, targets, chances, allowed, roles, weights, values)


def expected(a: int, first_outcome: Array, targets: Array, chances: Array, values: Array) -> float:
    """The value of an action."""
    value = 0.0
    for o in range(np.int64(first_outcome[a]), np.int64(first_outcome[a + 1])):
        value += chances[o] * values[targets[o]]
    return value


def fold(
    first: int,
    end: int,
    first_action: Array,
    first_outcome: Array,
    targets: Array,
    chances: Array,
    allowed: Array,
    roles: Array,
    weights: Array,
    values: Array,
) -> None:
    """The values of the states ``first`` to ``end``, from those of the states that follow them."""
    for s in range(first, end):
        actions = range(np.int64(first_action[s]), np.int64(first_action[s + 1]))
        if roles[s] <= 1:  # MOST, LEAST
            sign = 1.0 - 2.0 * roles[s]
            best = -BEYOND
            for a in actions:
                if allowed[a] != 0:
                    best = max(best, sign * expected(a, first_outcome, targets, chances, values))
            values[s] = sign * best
        elif roles[s] == 2:  # MEAN
            mean = 0.0
            for a in actions:
                if weights[a] != 0.0:
                    mean += weights[a] * expected(a, first_outcome, targets, chances, values)
            values[s] = mean


def action_values(
    first_action: Array, first_outcome: Array, targets: Array, chances: Array, values: Array, out: Array
) -> None:
    """Write the value of every action (A)."""
    for a in range(np.int64(first_action[len(first_action) - 1])):
        out[a] = expected(a, first_outcome, targets, chances, values)


def regrets(
    first_action: Array,
    first_outcome: Array,
    targets: Array,
    chances: Array,
    allowed: Array,
    sides: Array,
    values: Array,
    out: Array,
) -> None:
    """Write what every action (A) costs its side, compared with the best; infinite where it is not allowed."""
    for s in range(len(sides)):
        sign = 1.0 - 2.0 * sides[s]
        best = -BEYOND
        actions = range(np.int64(first_action[s]), np.int64(first_action[s + 1]))
        for a in actions:
            out[a] = sign * expected(a, first_outcome, targets, chances, values)
            if allowed[a] != 0:
                best = max(best, out[a])
        for a in actions:
            out[a] = best - out[a] if allowed[a] != 0 else np.inf


def choose(first_action: Array, allowed: Array, roles: Array, worth: Array, choice: Array) -> None:
    """Write the best action of every state, as its place among them: the first of those that are equally good."""
    for s in range(len(roles)):
        choice[s] = 0
        best = -1
        for a in range(np.int64(first_action[s]), np.int64(first_action[s + 1])):
            if allowed[a] != 0 and roles[s] <= 1:
                if best < 0 or (worth[a] > worth[best] if roles[s] == 0 else worth[a] < worth[best]):
                    best = a
        if best >= 0:
            choice[s] = best - first_action[s]


def flow(
    first_action: Array, first_outcome: Array, targets: Array, chances: Array, weights: Array, mass: Array
) -> None:
    """Let the probability in ``mass`` (2 S) run through one round: from its first half on, and over into the second.

    ``weights`` (A): the policies of both sides.
    """
    for s in range(len(first_action) - 1):
        if mass[s] == 0.0:
            continue
        for a in range(np.int64(first_action[s]), np.int64(first_action[s + 1])):
            part = mass[s] * weights[a]
            if part != 0.0:
                for o in range(np.int64(first_outcome[a]), np.int64(first_outcome[a + 1])):
                    mass[targets[o]] += part * chances[o]
