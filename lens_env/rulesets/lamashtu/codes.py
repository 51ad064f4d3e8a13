"""The codes of Legacy of Lamashtu: everything that a record stores as a number."""

from __future__ import annotations

from enum import IntEnum


class Defense(IntEnum):
    """The defences; NONE leaves it to the Tier Score."""

    NONE = 0
    BLOCK = 1
    DODGE = 2
    CLASH = 3


class Cash(IntEnum):
    """What a Critical buys, in the order in which it may be bought."""

    POISE = 0
    AP = 1
    SPACE = 2


class Condition(IntEnum):
    """The dodge ladder, from its first rung down; one who is Prone is on no rung."""

    OFF_BALANCE = 0
    STAGGERED = 1
    PRONE = 2


class Window(IntEnum):
    """What the decider is asked."""

    NONE = 0
    ACT = 1  # what to do on the own turn
    STEP = 2  # where to go next
    DEFEND = 3  # which defence
    CASH = 4  # what to give a Critical up for
    IMPOSE = 5  # whether a won CLASH puts the attacker off balance
    PUSH = 6  # where to push the attacker
    SIDESTEP = 7  # where a DODGE leads


class Stage(IntEnum):
    """What follows when no window is open."""

    ROUND_START = 0
    NEXT_FIGHTER = 1
    TURN = 2
    CASH = 3  # another Critical may be given up
    SETTLE = 4  # what the successful defence does
    EXCHANGE_END = 5


class Happened(IntEnum):
    """Events of the tape. In brackets: what ``what``, ``amount`` and ``detail`` hold."""

    ROUND = 0  # [-, number]
    TURN = 1  # [-, Action Points]
    ATTACKS = 2  # who -> other
    ROLLS = 3  # [dice, successes, Criticals]
    DEFENDS = 4  # who against other [Defense]
    TIER = 5  # who is compared with its target number [1 if it is hit, target number]
    SUCCEEDS = 6  # who against other [Defense]
    FAILS = 7  # who against other [Defense]
    MATCH = 8  # who against other
    LOSES_POISE = 9  # [-, points left]
    GAINS_POISE = 10  # [-, points given, points now]
    BANKS = 11  # [-, points banked]
    BUYS_SPACE = 12
    GAINED = 13  # [Condition]
    ENDED = 14  # [Condition]
    IMPOSES = 15  # who on other
    PUSHED = 16  # who by other [Direction, x, y]
    SIDESTEPS = 17  # [Direction, x, y]
    MOVES = 18
    STEPS = 19  # [Direction, x, y]
    DAMAGE = 20  # [-, points, points left]
    OUT = 21
    WON = 22  # [Winner]
    RECOVERS = 23
