"""The loops that walk through all positions of an encounter. They are templates, bound to a ruleset.

The names ``Game``, ``legal``, ``apply`` and ``is_over`` are those of the ruleset's module.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from enum import IntEnum
from typing import Any

from lens_env.core.dice import begin_enumeration, next_sequence
from lens_env.core.kernel import hot, kernel
from lens_env.core.philox import LOW, MULTIPLIER_A, MULTIPLIER_B, multiply
from lens_env.core.record import Record
from lens_env.core.seats import lead

Array = Any
NO_ROOM = -1
TOO_WIDE = -2
LATELY = 8  # outcomes that are compared before a state is looked up
TOGETHER = 192  # outcomes from which on they are looked up
MOST_TOGETHER = 256
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
    settling: int  # the action whose outcomes were written last
    draws: int  # sequences of dice that were gone through
    why: int  # Stop


class Found(Record):
    """An outcome that waits to be looked up."""

    code: int  # the hash of its key
    chance: float
    action: int  # its place among the actions of the graph
    crossed: int  # 1 if a round has ended
    guess: int  # the state at the first place where it could be in the table, -1 if that is another one


@hot
def packed(words: Array, rows: Array, pack: Any) -> bool:
    """Write the key of the state ``words`` (W) into the packer; False if it does not fit."""
    low = rows[0]
    most = rows[1]
    shift = rows[2]
    wrong = 0
    first = 0
    for j in range(pack.slots):
        end = pack.ends[j]
        key = 0
        # slices, since a loop from 0 over whole arrays is one that compilers can vectorise
        part, part_low, part_most, part_shift = words[first:end], low[first:end], most[first:end], shift[first:end]
        for k in range(len(part)):
            value = part[k] - part_low[k]
            wrong |= value & ~part_most[k]
            key |= value << part_shift[k]
        pack.key[j] = key
        first = end
    return bool(wrong == 0)


@hot
def unpack(key: Array, rows: Array, pack: Any, words: Array) -> None:
    """Write the state with this key (P)."""
    low = rows[0]
    most = rows[1]
    shift = rows[2]
    first = 0
    for j in range(pack.slots):
        end = pack.ends[j]
        bits = key[j]
        part, part_low, part_most, part_shift = words[first:end], low[first:end], most[first:end], shift[first:end]
        for k in range(len(part)):
            part[k] = part_low[k] + ((bits >> part_shift[k]) & part_most[k])
        first = end


@kernel
def note_what_is_wide(words: Array, rows: Array, pack: Any) -> None:
    """Keep a word that the layout does not hold, and its value."""
    for k in range(pack.used):
        if (words[k] - rows[0, k]) & ~rows[1, k] != 0:
            pack.wide = k
            pack.value = words[k]


@hot
def is_key(pack: Any, keys: Array, at: int) -> bool:
    """Is this row of ``keys`` (n, P) the key that is in the packing?"""
    same = True
    for j in range(pack.slots):
        if keys[at, j] != pack.key[j]:
            same = False
    return same


@hot
def take(pack: Any, keys: Array, at: int) -> None:
    """Put this row of ``keys`` (n, P) into the packing."""
    for j in range(pack.slots):
        pack.key[j] = keys[at, j]


@hot
def hashed(pack: Any) -> int:
    """A hash of the key that is in the packing."""
    code = 0
    for j in range(pack.slots):
        high_a, low_a = multiply(MULTIPLIER_A, (code ^ pack.key[j]) & LOW)
        high_b, low_b = multiply(MULTIPLIER_B, low_a ^ (pack.key[j] >> 32))
        code = high_a ^ high_b ^ low_b
    return int(code)


@hot
def placed(code: int, pack: Any, keys: Array, table: Array, walk: Any) -> int:
    """The number of the state whose key is in the packing, ``code`` its hash: open addressing with linear probes."""
    last = len(table) - 1
    spot = code & last
    while table[spot] != 0:
        if is_key(pack, keys, table[spot] - 1):
            return int(table[spot] - 1)
        spot = (spot + 1) & last
    if walk.states >= keys.shape[0]:
        return NO_ROOM
    table[spot] = walk.states + 1
    for j in range(pack.slots):
        keys[walk.states, j] = pack.key[j]
    walk.states += 1
    return int(walk.states - 1)


def rehash(packer: Array, keys: Array, table: Array, walk: Array) -> None:
    """Put the states that are known into an empty table, in their order."""
    count = walk[0].states
    walk[0].states = 0
    for i in range(count):
        take(packer[0], keys, i)
        placed(hashed(packer[0]), packer[0], keys, table, walk[0])


def enter(words: Array, numbers: Array, rows: Array, packer: Array, keys: Array, table: Array, walk: Array) -> None:
    """The numbers of states (n, W), which get one if they are new; NO_ROOM or TOO_WIDE where that fails."""
    for i in range(words.shape[0]):
        if packed(words[i], rows, packer[0]):
            numbers[i] = placed(hashed(packer[0]), packer[0], keys, table, walk[0])
        else:
            note_what_is_wide(words[i], rows, packer[0])
            numbers[i] = TOO_WIDE


@kernel
def settle(
    count: int,
    found: Array,
    found_keys: Array,
    pack: Any,
    keys: Array,
    table: Array,
    at: Any,
    first_outcome: Array,
    targets: Array,
    chances: Array,
) -> None:
    """Look up the first ``count`` outcomes of ``found`` and write them into the graph.

    All are looked up before any is compared: reads that need not wait for each other cost far less than one by one.
    """
    last = len(table) - 1
    for m in range(count):
        found[m].guess = table[found[m].code & last] - 1
    for m in range(count):
        guess = found[m].guess
        if guess >= 0:
            for j in range(pack.slots):
                if keys[guess, j] != found_keys[m, j]:
                    found[m].guess = -1
    for m in range(count):
        target = found[m].guess
        if target < 0:
            take(pack, found_keys, m)
            target = placed(found[m].code, pack, keys, table, at)
            if target < 0:
                at.why = Stop.STATES
                return
        if at.outcomes >= len(targets):
            at.why = Stop.OUTCOMES
            return
        action = found[m].action
        if action != at.settling:
            at.settling = action
            first_outcome[action] = at.outcomes
        code = 2 * target + found[m].crossed
        known = keys[target, pack.slots]
        if first_outcome[action] <= known < at.outcomes and targets[known] == code:
            chances[known] += found[m].chance
        else:
            keys[target, pack.slots] = at.outcomes
            targets[at.outcomes] = code
            chances[at.outcomes] = found[m].chance
            at.outcomes += 1
        first_outcome[action + 1] = at.outcomes


def explore(
    setups: Array,
    logs: Array,
    die: Array,
    masks: Array,
    work: Array,
    words: Array,
    rows: Array,
    packer: Array,
    found: Array,
    found_keys: Array,
    keys: Array,
    table: Array,
    walk: Array,
    first_action: Array,
    actions: Array,
    first_outcome: Array,
    targets: Array,
    chances: Array,
) -> None:
    """Look at states in the order in which they were found, until ``walk.until`` or until there is no room.

    ``work`` (2): state records, ``words`` (2, W) the same as integers. State s has the actions ``first_action[s]``
    and on, action a the outcomes ``first_outcome[a]`` and on: ``targets``, twice the number of the state that
    follows, plus 1 if a round ends on the way; and ``chances``. Equal outcomes of one action are merged: behind its
    key, ``keys`` (N, P+1) has the outcome that a state was last found as. Outcomes are gathered in ``found`` (M) with
    their keys (M, P), and looked up many at a time; states whose outcomes are not all written when there is no more
    room are begun anew.
    """
    pack = packer[0]
    at = walk[0]
    before = words[0]
    after = words[1]
    source = Game(work[0], die[0], setups[0], logs[0])
    game = Game(work[1], die[0], setups[0], logs[0])
    at.why = 0
    while at.why == 0 and at.following < at.until and at.following < at.states:
        actions_before = at.actions
        outcomes_before = at.outcomes
        at.settling = -1
        state = at.following
        count = 0
        while at.why == 0 and count < TOGETHER and state < at.until and state < at.states:
            unpack(keys[state], rows, pack, before)
            listed = 0
            if not is_over(source):
                legal(source, masks[0])
                listed = masks[0].count
            for n in range(listed):
                if at.actions >= len(actions):
                    at.why = Stop.ACTIONS
                    break
                action = masks[0].listed[n]
                actions[at.actions] = action
                start = count
                begin_enumeration(die[0])
                more = True
                while more:
                    if count >= len(found):
                        settle(count, found, found_keys, pack, keys, table, at, first_outcome, targets, chances)
                        if at.why != 0:
                            break
                        start = 0
                        count = 0
                    for k in range(pack.used):
                        after[k] = before[k]
                    apply(game, action)
                    at.draws += 1
                    crossed = after[pack.round_at] - before[pack.round_at]
                    after[pack.round_at] = min(1, after[pack.round_at])
                    if die[0].fault != 0:
                        at.why = Stop.FAULT
                        break
                    if not packed(after, rows, pack):
                        note_what_is_wide(after, rows, pack)
                        at.why = Stop.WIDE
                        break
                    if crossed > 1:
                        at.why = Stop.SKIPPED
                        break
                    # often an outcome is one that this action has just had
                    same = -1
                    for m in range(count - 1, max(start, count - LATELY) - 1, -1):
                        if is_key(pack, found_keys, m) and found[m].crossed == crossed:
                            same = m
                            break
                    if same >= 0:
                        found[same].chance += die[0].weight
                    else:
                        for j in range(pack.slots):
                            found_keys[count, j] = pack.key[j]
                        found[count].code = hashed(pack)
                        found[count].chance = die[0].weight
                        found[count].action = at.actions
                        found[count].crossed = crossed
                        count += 1
                    more = next_sequence(die[0])
                if at.why != 0:
                    break
                at.actions += 1
            state += 1
            first_action[state] = at.actions
        if at.why == 0:
            settle(count, found, found_keys, pack, keys, table, at, first_outcome, targets, chances)
        if at.why == 0:
            at.following = state
        else:
            at.actions = actions_before
            at.outcomes = outcomes_before


def leads(states: Array, dice: Array, setups: Array, logs: Array, found: Array) -> None:
    """Write the health that the party has left less that of the foes, -1..1."""
    for i in range(states.shape[0]):
        found[i] = lead(Game(states[i], dice[0], setups[0], logs[0]), 0)
