"""The loops that walk through all positions of an encounter. They are templates, bound to a ruleset.

The names ``Game``, ``legal``, ``apply`` and ``is_over`` are those of the ruleset's module.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from enum import IntEnum
from typing import Any

from lens_env.core.dice import begin_enumeration, next_sequence
from lens_env.core.kernel import hot
from lens_env.core.philox import LOW, MULTIPLIER_A, MULTIPLIER_B, multiply
from lens_env.core.record import Record

Array = Any
NO_ROOM = -1
TOO_WIDE = -2
FAR = 1 << 20  # rounds: as good as no end


class Stop(IntEnum):
    """Why :func:`explore` has come back."""

    NONE = 0  # it has looked at as many states as it should
    STATES = 1  # there is no room for more states
    ACTIONS = 2  # or actions
    OUTCOMES = 3  # or outcomes
    WIDE = 4  # a state does not fit the packing
    FAULT = 5  # the dice are at fault
    SKIPPED = 6  # a whole round has passed without a decision


class Walk(Record):
    """How far the walk has come."""

    states: int  # found
    following: int  # the next one to look at
    until: int  # where to come back
    actions: int
    outcomes: int
    why: int  # Stop


@hot
def index_of(words: Array, row: int, base: Array, fixed: Array, pack: Any, keys: Array, table: Array, walk: Any) -> int:
    """The number of the state in ``words[row]``, which gets the next one if it is new; NO_ROOM or TOO_WIDE."""
    other = 0
    for k in range(pack.used):
        other |= (words[row, k] ^ base[k]) & fixed[k]
    if other != 0:
        for k in range(pack.used):
            if (words[row, k] ^ base[k]) & fixed[k] != 0:
                pack.wide = k
                pack.value = words[row, k]
        return TOO_WIDE
    for j in range(pack.slots):
        pack.key[j] = 0
    for f in range(pack.count):
        value = words[row, pack.at[f]] - pack.low[f]
        if value < 0 or value > pack.most[f]:
            pack.wide = pack.at[f]
            pack.value = words[row, pack.at[f]]
            return TOO_WIDE
        pack.key[pack.slot[f]] |= value << pack.shift[f]
    return placed(pack, keys, table, walk)


@hot
def placed(pack: Any, keys: Array, table: Array, walk: Any) -> int:
    """The number of the state whose key is in the packing: open addressing with linear probes."""
    code = 0
    for j in range(pack.slots):
        high_a, low_a = multiply(MULTIPLIER_A, (code ^ pack.key[j]) & LOW)
        high_b, low_b = multiply(MULTIPLIER_B, low_a ^ (pack.key[j] >> 32))
        code = high_a ^ high_b ^ low_b
    last = len(table) - 1
    spot = code & last
    while table[spot] != 0:
        found = table[spot] - 1
        same = True
        for j in range(pack.slots):
            if keys[found, j] != pack.key[j]:
                same = False
        if same:
            return int(found)
        spot = (spot + 1) & last
    if walk.states >= keys.shape[0]:
        return NO_ROOM
    table[spot] = walk.states + 1
    for j in range(pack.slots):
        keys[walk.states, j] = pack.key[j]
    walk.states += 1
    return int(walk.states - 1)


def rehash(packing: Array, keys: Array, table: Array, walk: Array) -> None:
    """Put the states that are known into an empty table, in their order."""
    count = walk[0].states
    walk[0].states = 0
    for i in range(count):
        for j in range(packing[0].slots):
            packing[0].key[j] = keys[i, j]
        placed(packing[0], keys, table, walk[0])


def enter(
    words: Array, numbers: Array, base: Array, fixed: Array, packing: Array, keys: Array, table: Array, walk: Array
) -> None:
    """The numbers of states (n, W), which get one if they are new; NO_ROOM or TOO_WIDE where that fails."""
    for i in range(words.shape[0]):
        numbers[i] = index_of(words, i, base, fixed, packing[0], keys, table, walk[0])


def explore(
    setups: Array,
    logs: Array,
    die: Array,
    masks: Array,
    work: Array,
    words: Array,
    base: Array,
    fixed: Array,
    packing: Array,
    keys: Array,
    table: Array,
    walk: Array,
    first_action: Array,
    actions: Array,
    first_outcome: Array,
    targets: Array,
    chances: Array,
    latest: Array,
) -> None:
    """Look at states in the order in which they were found, until ``walk.until`` or until there is no room.

    ``work`` (2): state records, ``words`` (2, W) the same as integers. State s has the actions ``first_action[s]``
    and on, action a the outcomes ``first_outcome[a]`` and on: ``targets``, twice the number of the state that
    follows, plus 1 if a round ends on the way; and ``chances``. Equal outcomes of one action are merged (``latest``
    (N): by state, the outcome that it was last found as). A state that could not be finished is begun anew.
    """
    pack = packing[0]
    at = walk[0]
    source = Game(work[0], die[0], setups[0], logs[0])
    game = Game(work[1], die[0], setups[0], logs[0])
    while at.following < at.until and at.following < at.states:
        actions_before = at.actions
        outcomes_before = at.outcomes
        for k in range(pack.used):
            words[0, k] = base[k]
        for f in range(pack.count):
            bits = keys[at.following, pack.slot[f]] >> pack.shift[f]
            words[0, pack.at[f]] = pack.low[f] + (bits & pack.most[f])
        first_action[at.following] = at.actions
        at.why = 0
        listed = 0
        if not is_over(source):
            legal(source, masks[0])
            listed = masks[0].count
        for n in range(listed):
            if at.actions >= len(actions):
                at.why = Stop.ACTIONS
                break
            action = masks[0].listed[n]
            start = at.outcomes
            actions[at.actions] = action
            first_outcome[at.actions] = start
            begin_enumeration(die[0])
            more = True
            while more:
                for k in range(pack.used):
                    words[1, k] = words[0, k]
                apply(game, action)
                crossed = words[1, pack.round_at] - words[0, pack.round_at]
                words[1, pack.round_at] = min(1, words[1, pack.round_at])
                target = index_of(words, 1, base, fixed, pack, keys, table, at)
                if target < 0 or crossed > 1 or die[0].fault != 0:
                    at.why = Stop.STATES if target == NO_ROOM else Stop.WIDE
                    if die[0].fault != 0:
                        at.why = Stop.FAULT
                    elif target >= 0:
                        at.why = Stop.SKIPPED
                    break
                if at.outcomes >= len(targets):
                    at.why = Stop.OUTCOMES
                    break
                code = 2 * target + crossed
                known = latest[target]
                if start <= known < at.outcomes and targets[known] == code:
                    chances[known] += die[0].weight
                else:
                    latest[target] = at.outcomes
                    targets[at.outcomes] = code
                    chances[at.outcomes] = die[0].weight
                    at.outcomes += 1
                more = next_sequence(die[0])
            if at.why != 0:
                break
            at.actions += 1
            first_outcome[at.actions] = at.outcomes
        if at.why != 0:
            at.actions = actions_before
            at.outcomes = outcomes_before
            return
        at.following += 1
        first_action[at.following] = at.actions
