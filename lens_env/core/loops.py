"""The batched loops, written once. They are templates: bound to a ruleset by ``kernel.specialise``.

The names ``Game``, ``open``, ``legal``, ``apply``, ``is_over`` and ``used_words`` are those of the ruleset's
module. A loop holds only the loop; what one skirmish does is a kernel.

Arrays: ``states``, ``dice``, ``masks`` hold one record a skirmish (B); ``setups`` one an encounter (K) and
``which`` (B, int64) says which of them a skirmish plays; ``logs`` holds a single record, shared when off.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from .dice import Dice, begin_action, begin_enumeration, end_action, next_sequence
from .kernel import kernel
from .mask import nth_legal
from .philox import LOW, below, block, start

Array = Any
ENTRIES = ("open", "legal", "apply")  # the kernels that all loops of a ruleset share
NOTHING = -1  # the "action" that leaves a skirmish as it is
OPENING = -2  # the "action" that opens a skirmish
DECISIONS = 16  # the first stream of policies' decisions; those below belong to the skirmish itself
MOST_SEQUENCES = 1 << 22  # of dice that one action or opening is enumerated over
MIX = 0x9E37  # keeps the seeds of a policy and of the dice from cancelling out; their product fits 63 bits


def step_many(
    states: Array, dice: Array, setups: Array, which: Array, logs: Array, masks: Array, actions: Array
) -> None:
    """Apply one legal action in each skirmish, or open it anew (OPENING), and write the mask.

    A skirmish whose action is NOTHING is left as it is, and a finished one until it is opened.
    """
    for i in range(states.shape[0]):
        game = Game(states[i], dice[i], setups[which[i]], logs[0])
        action = actions[i]
        if action == NOTHING or (action != OPENING and is_over(game)):
            continue
        begin_action(dice[i])
        if action == OPENING:
            open(game)
        else:
            apply(game, action)
        end_action(dice[i], action)
        legal(game, masks[i])


def mask_many(states: Array, dice: Array, setups: Array, which: Array, logs: Array, masks: Array) -> None:
    """Write the mask of every skirmish as it stands."""
    for i in range(states.shape[0]):
        legal(Game(states[i], dice[i], setups[which[i]], logs[0]), masks[i])


def seed_many(sources: Array, low: Array, high: Array, stream: int, environments: Array, episodes: Array) -> None:
    """Put every random source at the beginning of its stream."""
    for i in range(sources.shape[0]):
        start(sources[i], low[i], high[i], stream, environments[i], episodes[i])


def random_actions(sources: Array, masks: Array, actions: Array) -> None:
    """Draw one legal action a skirmish, each with the same chance; NOTHING where none is legal."""
    for i in range(masks.shape[0]):
        count = masks[i].count
        actions[i] = nth_legal(masks[i], below(sources[i], count)) if count > 0 else NOTHING


def pick_many(dice: Array, sides: Array, masks: Array, low: int, high: int, actions: Array) -> None:
    """Draw one legal action a skirmish with the random number that belongs to this decision; NOTHING without one."""
    for i in range(masks.shape[0]):
        actions[i] = NOTHING
        if masks[i].count > 0:
            actions[i] = nth_legal(masks[i], decision_below(dice[i], max(0, sides[i]), low, high, masks[i].count))


@kernel
def decision_below(dice: Dice, side: int, low: int, high: int, n: int) -> int:
    """A number in 0..n-1 for a policy's next decision: a function of its seed (low, high) and the skirmish alone.

    The skirmish is its dice's stream and all that has happened so far: so what a policy leaves to chance depends
    neither on other skirmishes nor on when it is asked. The trail's 43 bits lie in the episode and the block.
    """
    own = dice.source
    key = (low + MIX * own.seed_low) & LOW
    stream = DECISIONS + side + 2 * (own.episode & 0x3FFFFFFF)
    counter = (dice.trail >> 32, dice.trail & LOW, own.environment, stream)
    return (block(*counter, key, high ^ own.seed_high)[0] * n) >> 32


def random_play(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    sources: Array,
    decisions: int,
) -> int:
    """Play ``decisions`` random legal actions in each skirmish, opening the next when one ends.

    Returns how many skirmishes ended.
    """
    ended = 0
    for _ in range(decisions):
        for i in range(states.shape[0]):
            game = Game(states[i], dice[i], setups[which[i]], logs[0])
            action = nth_legal(masks[i], below(sources[i], masks[i].count))
            begin_action(dice[i])
            apply(game, action)
            end_action(dice[i], action)
            if is_over(game):
                ended += 1
                source = dice[i].source
                start(
                    source,
                    source.seed_low,
                    source.seed_high,
                    source.stream,
                    source.environment,
                    source.episode + 1,
                )
                begin_action(dice[i])
                open(game)
            legal(game, masks[i])
    return ended


def expand(
    state: Array,
    die: Array,
    setups: Array,
    logs: Array,
    action: int,
    work: Array,
    outcomes: Array,
    words: Array,
    weights: Array,
    hashes: Array,
) -> int:
    """Every outcome of ``action`` (OPENING: of opening the skirmish) in ``state[0]``, equal successors merged.

    ``outcomes`` (M) receives the successors and ``weights`` (M) their probabilities; ``words`` (M, W) is
    ``outcomes`` seen as integers. Returns their number, or -1 if there are more than M, or -2 if the dice can fall in
    more than MOST_SEQUENCES ways. ``die[0].fault`` tells
    whether to trust it.
    """
    found = 0
    tried = 0
    mode = die[0].mode
    begin_enumeration(die[0])
    more = True
    while more:
        tried += 1
        if tried > MOST_SEQUENCES:
            die[0].mode = mode
            return -2
        work[0] = state[0]
        game = Game(work[0], die[0], setups[0], logs[0])
        if action == OPENING:
            open(game)
        else:
            apply(game, action)
        if found >= outcomes.shape[0]:
            die[0].mode = mode
            return -1
        outcomes[found] = work[0]
        size = used_words(game)
        code = 0
        for k in range(size):
            code = (code * 31 + words[found, k]) & 0x1FFFFFFFFFFFFF
        same = -1
        for j in range(found):
            if hashes[j] == code:
                equal = True
                for k in range(size):
                    if words[j, k] != words[found, k]:
                        equal = False
                        break
                if equal:
                    same = j
                    break
        if same >= 0:
            weights[same] = min(1.0, weights[same] + die[0].weight)  # what is certain is no more than that, rounded
        else:
            hashes[found] = code
            weights[found] = die[0].weight
            found += 1
        more = next_sequence(die[0])
    die[0].mode = mode
    return found
