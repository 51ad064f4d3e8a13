"""The one door through which chance enters: a draw from an exact table of integer weights.

A rule asks for the outcome of a draw and never knows how it is read:

* *sampled*: from a counter-based generator (:mod:`lens_env.core.philox`);
* *scripted*: the outcomes are given, one entry a draw;
* *enumerated*: an odometer walks through every sequence of outcomes of one action. Each draw notes its next
  possible outcome; after the action the last draw that has one is advanced and all later ones are dropped,
  so the number of draws may depend on earlier outcomes.

Faults are sticky and are looked at after every action, since past a fault the outcomes mean nothing.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from .kernel import hot, kernel
from .philox import Source, below
from .record import Many, Record

DEPTH = 32  # draws of one action
SCRIPT = 64  # scripted entries in the record; the Python layer feeds longer scripts piece by piece
WEIGHTS = 96  # outcomes of one table
MAX_TOTAL = 2**31 - 1  # so that a 32-bit random word times the total fits 63 bits


class Mode(IntEnum):
    """How the draws are read."""

    SAMPLED = 0
    SCRIPTED = 1
    ENUMERATED = 2


class Fault(IntEnum):
    """What went wrong with the draws of an action."""

    NONE = 0
    SCRIPT_RAN_OUT = 1
    IMPOSSIBLE = 2
    WRONG_KIND = 3
    TOO_MANY_DRAWS = 4


class Kind(IntEnum):
    """What a scripted entry speaks of."""

    INDEX = 0  # the index of the outcome in its table
    NUMBER = 1  # what the dice show in sum
    FACES = 2  # the single faces, six bits each from the lowest, 0 = no more
    POOL = 3  # successes and criticals, 16 bits each


class Draw(IntEnum):
    """What a rule draws, so that a scripted entry of another kind is refused."""

    CHALLENGE = 0
    SUM = 1
    POOL = 2


class Table(Record):
    """An exact distribution: outcome i has the probability weights[i] / total."""

    least: int  # the number that outcome 0 shows
    count: int  # 1..WEIGHTS
    total: int  # the sum of the weights
    weights: Annotated[Many[int], WEIGHTS]


class Dice(Record):
    """The state of chance for one skirmish."""

    mode: int
    fault: int
    depth: int  # draws of this action so far
    planned: int  # enumerated: how many of them are laid down in ``choice``
    weight: float  # enumerated: the probability of this sequence
    trail: int  # 43-bit rolling hash over all actions and outcomes: the trajectory
    source: Source
    choice: Annotated[Many[int], DEPTH]  # the outcome of each draw of this action
    following: Annotated[Many[int], DEPTH]  # enumerated: the next possible outcome, -1 if there is none
    script_at: int
    script_count: int
    script_kind: Annotated[Many[int], SCRIPT]
    script_value: Annotated[Many[int], SCRIPT]


@kernel
def fail(dice: Dice, fault: int) -> None:
    """Note the first fault; later ones follow from it."""
    if dice.fault == Fault.NONE:
        dice.fault = fault


@hot
def note(dice: Dice, index: int) -> None:
    """Keep the outcome of a draw, for the replay and the trajectory."""
    if dice.depth < DEPTH:
        dice.choice[dice.depth] = index
        dice.depth += 1
    else:
        fail(dice, Fault.TOO_MANY_DRAWS)


@hot
def begin_action(dice: Dice) -> None:
    """Call before an action: its draws are counted from zero."""
    dice.depth = 0


@hot
def end_action(dice: Dice, action: int) -> None:
    """Call after an action: fold it and its outcomes into the trail."""
    trail = (dice.trail * 1000003 + action + 1) & 0x7FFFFFFFFFF
    for i in range(dice.depth):
        trail = (trail * 1000003 + dice.choice[i] + 1) & 0x7FFFFFFFFFF
    dice.trail = trail


@kernel
def next_entry(dice: Dice) -> int:
    """The position of the next scripted entry, -1 if the script has run out."""
    if dice.script_at >= dice.script_count:
        fail(dice, Fault.SCRIPT_RAN_OUT)
        return -1
    dice.script_at += 1
    return dice.script_at - 1


@kernel
def next_possible(weights: Many[int], count: int, index: int) -> int:
    """The first outcome after ``index`` that has a weight, or -1."""
    for i in range(index + 1, count):
        if weights[i] > 0:
            return i
    return -1


@kernel
def enumerated(dice: Dice, weights: Many[int], count: int, total: int) -> int:
    """The outcome that the odometer shows for this draw."""
    at = dice.depth
    if at >= DEPTH:
        fail(dice, Fault.TOO_MANY_DRAWS)
        return next_possible(weights, count, -1)
    index = dice.choice[at] if at < dice.planned else next_possible(weights, count, -1)
    dice.following[at] = next_possible(weights, count, index)
    dice.weight *= weights[index] / total
    return index


@kernel
def begin_enumeration(dice: Dice) -> None:
    """Put the odometer at the first sequence of outcomes."""
    dice.mode = Mode.ENUMERATED
    dice.fault = Fault.NONE
    dice.planned = 0
    dice.depth = 0
    dice.weight = 1.0


@kernel
def next_sequence(dice: Dice) -> bool:
    """Advance the odometer to the next sequence; False when all have been seen."""
    for back in range(dice.depth):
        at = dice.depth - 1 - back
        if dice.following[at] >= 0:
            dice.choice[at] = dice.following[at]
            dice.planned = at + 1
            dice.depth = 0
            dice.weight = 1.0
            return True
    return False


# --- a Challenge: four outcomes from three dice ------------------------------------------------------------


@hot
def hits(sides: int, tn: int) -> int:
    """How many of the faces 1..sides show ``tn`` or more."""
    return min(sides, max(0, sides - tn + 1))


@hot
def draw_effort(
    dice: Dice, talent: int, talent_of: int, training: int, training_of: int, third: int, third_of: int
) -> int:
    """The number of dice (0..3) that show the target number or more.

    Each die is given as (favourable cases, all cases); no die is (0, 1). Best-of and worst-of two talent dice
    are one die of s1 * s2 cases, so every weight is an exact integer.
    """
    miss_1 = talent_of - talent
    miss_2 = training_of - training
    miss_3 = third_of - third
    w0 = miss_1 * miss_2 * miss_3
    w1 = talent * miss_2 * miss_3 + miss_1 * training * miss_3 + miss_1 * miss_2 * third
    w3 = talent * training * third
    total = talent_of * training_of * third_of
    if dice.mode == Mode.SAMPLED:
        roll = below(dice.source, total)
        effort = 3
        if roll < w0:
            effort = 0
        elif roll < w0 + w1:
            effort = 1
        elif roll < total - w3:
            effort = 2
    else:
        effort = told_effort(dice, (w0, w1, total - w0 - w1 - w3, w3), total)
    note(dice, effort)
    return effort


@kernel
def told_effort(dice: Dice, weights: tuple[int, int, int, int], total: int) -> int:
    """The effort of a scripted (by its outcome) or enumerated Challenge."""
    if dice.mode == Mode.ENUMERATED:
        return enumerated(dice, weights, 4, total)  # type: ignore[arg-type]
    entry = next_entry(dice)
    if entry < 0:
        return 0
    if dice.script_kind[entry] != Kind.INDEX:
        fail(dice, Fault.WRONG_KIND)
        return 0
    effort = dice.script_value[entry]
    if effort < 0 or effort > 3 or weights[effort] == 0:
        fail(dice, Fault.IMPOSSIBLE)
        return 0
    return effort


@hot
def scripted_faces(dice: Dice) -> bool:
    """Is the next entry of the script a roll given by its faces?"""
    return (
        dice.mode == Mode.SCRIPTED
        and dice.script_at < dice.script_count
        and dice.script_kind[dice.script_at] == Kind.FACES
    )


# --- tables ------------------------------------------------------------------------------------------------


@hot
def draw(dice: Dice, table: Table, kind: int) -> int:
    """The index of an outcome of ``table``. ``kind`` is a :class:`Draw`: what a script may say of it."""
    if dice.mode == Mode.SAMPLED:
        roll = below(dice.source, table.total)
        index = 0
        while roll >= table.weights[index]:
            roll -= table.weights[index]
            index += 1
    else:
        index = told(dice, table, kind)
    note(dice, index)
    return index


@kernel
def told(dice: Dice, table: Table, kind: int) -> int:
    """The scripted or enumerated outcome of a table."""
    if dice.mode == Mode.ENUMERATED:
        return enumerated(dice, table.weights, table.count, table.total)
    entry = next_entry(dice)
    if entry < 0:
        return 0
    said = dice.script_kind[entry]
    index = dice.script_value[entry]
    if said == Kind.NUMBER and kind == Draw.SUM:
        index -= table.least
    elif said == Kind.POOL and kind == Draw.POOL:
        successes, criticals = index & 0xFFFF, index >> 16
        # more criticals than successes would be the place of another pair
        index = pool_index(successes, criticals) if 0 <= criticals <= successes else -1
    elif said != Kind.INDEX:
        fail(dice, Fault.WRONG_KIND)
        return 0
    if index < 0 or index >= table.count or table.weights[index] == 0:
        fail(dice, Fault.IMPOSSIBLE)
        return 0
    return index


@hot
def draw_sum(dice: Dice, table: Table) -> int:
    """What the dice of ``table`` show in sum (or the face of a single die)."""
    return table.least + draw(dice, table, Draw.SUM)


@kernel
def mean_above(table: Table, less: int) -> float:
    """The mean of what a table shows, of which ``less`` points are taken off, never below 0; 0 of an empty table."""
    total = 0
    for index in range(table.count):
        total += max(0, table.least + index - less) * table.weights[index]
    return total / table.total if table.total > 0 else 0.0


@hot
def pool_index(successes: int, criticals: int) -> int:
    """The place of (successes, criticals) in a pool's table: the pairs in order, criticals <= successes."""
    return successes * (successes + 1) // 2 + criticals


@hot
def pool_successes(index: int) -> int:
    """The successes of a place in a pool's table; ``index - pool_index(successes, 0)`` are its criticals."""
    successes = 0
    while (successes + 1) * (successes + 2) // 2 <= index:
        successes += 1
    return successes
