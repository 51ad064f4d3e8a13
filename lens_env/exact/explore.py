"""The loops that walk through all positions of an encounter. They are templates, bound to a ruleset.

The names ``Game``, ``legal``, ``apply`` and ``is_over`` are those of the ruleset's module.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from enum import IntEnum
from typing import Any

from lens_env.core.dice import begin_enumeration, next_sequence
from lens_env.core.foresight import balance
from lens_env.core.kernel import hot, kernel
from lens_env.core.philox import LOW, MULTIPLIER_A, MULTIPLIER_B, multiply
from lens_env.core.record import Record

Array = Any
NO_ROOM = -1
TOO_WIDE = -2
LATELY = 8  # outcomes that a new one is compared with
TOGETHER = 256  # outcomes that are looked up at a time
FAR = 1 << 20  # rounds: as good as no end


class Stop(IntEnum):
    """Why a part could not be gone through, or not be written."""

    NONE = 0  # it could
    STATES = 1  # there is no room for more states
    ACTIONS = 2  # or actions
    OUTCOMES = 3  # or outcomes
    WIDE = 4  # a state does not fit the packing
    FAULT = 5  # the dice are at fault
    SKIPPED = 6  # a whole round has passed without a decision
    FOUND = 7  # there is no room for the outcomes of a part


class Walk(Record):
    """How far the walk has come."""

    states: int  # found
    following: int  # the next one to look at
    actions: int
    outcomes: int
    draws: int  # sequences of dice that were gone through


class Part(Record):
    """The states that a thread goes through."""

    first: int
    end: int
    count: int  # outcomes that it has found
    draws: int  # sequences of dice
    why: int  # Stop


class Found(Record):
    """An outcome that waits to be looked up."""

    code: int  # the hash of its key
    chance: float
    state: int  # where it comes from
    action: int  # the action it is the first outcome of, else -1
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


def gather(
    setups: Array,
    logs: Array,
    dice: Array,
    masks: Array,
    work: Array,
    words: Array,
    rows: Array,
    packer: Array,
    found: Array,
    found_keys: Array,
    parts: Array,
    keys: Array,
) -> None:
    """Go through all actions and dice of the states of a part and note every outcome with its key (M, P).

    An outcome that comes again soon after is noted once. ``work`` (2): state records, ``words`` (2, W) the same as
    integers; of the other records there is one each.
    """
    part = parts[0]
    pack = packer[0]
    die = dice[0]
    before = words[0]
    after = words[1]
    source = Game(work[0], die, setups[0], logs[0])
    game = Game(work[1], die, setups[0], logs[0])
    part.why = 0
    count = 0
    draws = 0
    for state in range(part.first, part.end):
        unpack(keys[state], rows, pack, before)
        listed = 0
        if not is_over(source):
            legal(source, masks[0])
            listed = masks[0].count
        for n in range(listed):
            action = masks[0].listed[n]
            start = count
            begin_enumeration(die)
            more = True
            while more:
                for k in range(pack.used):
                    after[k] = before[k]
                apply(game, action)
                draws += 1
                crossed = after[pack.round_at] - before[pack.round_at]
                after[pack.round_at] = min(1, after[pack.round_at])
                if die.fault != 0:
                    part.why = Stop.FAULT
                    return
                if not packed(after, rows, pack):
                    note_what_is_wide(after, rows, pack)
                    part.why = Stop.WIDE
                    return
                if crossed > 1:
                    part.why = Stop.SKIPPED
                    return
                same = -1
                for m in range(count - 1, max(start, count - LATELY) - 1, -1):
                    if is_key(pack, found_keys, m) and found[m].crossed == crossed:
                        same = m
                        break
                if same >= 0:
                    found[same].chance += die.weight
                elif count >= len(found):
                    part.why = Stop.FOUND
                    return
                else:
                    for j in range(pack.slots):
                        found_keys[count, j] = pack.key[j]
                    found[count].code = hashed(pack)
                    found[count].chance = die.weight
                    found[count].state = state
                    found[count].action = action if count == start else -1
                    found[count].crossed = crossed
                    count += 1
                more = next_sequence(die)
    part.count = count
    part.draws = draws


def settle(
    parts: Array,
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
    """Write what was gathered in a part into the graph; nothing if there is no room for all of it.

    State s has the actions ``first_action[s]`` and on, action a the outcomes ``first_outcome[a]`` and on:
    ``targets``, twice the number of the state that follows, plus 1 if a round ends on the way; and ``chances``.
    Equal outcomes of one action are merged: behind its key, ``keys`` (N, P+1) has the outcome that a state was last
    found as.

    Many outcomes are looked up before any is compared: reads that need not wait for each other cost far less than
    one by one.
    """
    part = parts[0]
    pack = packer[0]
    at = walk[0]
    part.why = 0
    actions_before = at.actions
    outcomes_before = at.outcomes
    last = len(table) - 1
    state = part.first
    for begin in range(0, part.count, TOGETHER):
        end = min(begin + TOGETHER, part.count)
        for m in range(begin, end):
            found[m].guess = table[found[m].code & last] - 1
        for m in range(begin, end):
            guess = found[m].guess
            if guess >= 0:
                for j in range(pack.slots):
                    if keys[guess, j] != found_keys[m, j]:
                        found[m].guess = -1
        for m in range(begin, end):
            target = found[m].guess
            if target < 0:
                take(pack, found_keys, m)
                target = placed(found[m].code, pack, keys, table, at)
            if target < 0:
                part.why = Stop.STATES
            elif at.outcomes >= len(targets):
                part.why = Stop.OUTCOMES
            elif found[m].action >= 0 and at.actions >= len(actions):
                part.why = Stop.ACTIONS
            if part.why != 0:
                at.actions = actions_before
                at.outcomes = outcomes_before
                return
            while state < found[m].state:
                state += 1
                first_action[state] = at.actions
            if found[m].action >= 0:
                actions[at.actions] = found[m].action
                first_outcome[at.actions] = at.outcomes
                at.actions += 1
            code = 2 * target + found[m].crossed
            known = keys[target, pack.slots]
            if first_outcome[at.actions - 1] <= known < at.outcomes and targets[known] == code:
                chances[known] += found[m].chance
            else:
                keys[target, pack.slots] = at.outcomes
                targets[at.outcomes] = code
                chances[at.outcomes] = found[m].chance
                at.outcomes += 1
            first_outcome[at.actions] = at.outcomes
    while state < part.end:
        state += 1
        first_action[state] = at.actions
    at.following = part.end
    at.draws += part.draws


def leads(states: Array, dice: Array, setups: Array, logs: Array, found: Array) -> None:
    """Write the health that the party has left less that of the foes, -1..1."""
    for i in range(states.shape[0]):
        found[i] = balance(Game(states[i], dice[0], setups[0], logs[0]), 0)
