"""Seats: skirmishes in which one side is asked and the rest is played for it, for environments.

``play_seats`` carries out the decision of whoever sits there and then plays on, in compiled code, until the seat is
asked again or the skirmish ends. It is a template like those of :mod:`.loops`; the functions named in ``PARTS`` are
bound to the ruleset together with it.

A seat that must wait for a policy written in Python is left *waiting*: that policy's action is the next one.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from .dice import begin_action, end_action
from .foresight import balance
from .loops import NOTHING, OPENING, decision_below
from .mask import allowed, nth_legal
from .philox import Source, below, start
from .policies import decide
from .record import Record

Array = Any
PARTS = ("leave_empty", "observe", "viewer_of", "balance", "measure", "act", "open_next", "answer_of", "play_on")
REPEAT = -3  # the "action" that shows a skirmish again as it stands, with no reward
BOTH = 2  # as ``learner``: every decision is handed out
MOST_TRIES = 1000  # skirmishes in a row in which a seat may go unasked
CHOICE = 3  # the stream that says which encounter is played


class Reward(IntEnum):
    """What a seat is rewarded for."""

    OUTCOME = 0  # 1 for a victory, -1 for a defeat, at the end
    HARM = 1  # what the enemies lost less what the own side lost since the last decision, as shares of all


class Reply(IntEnum):
    """Who decides where a seat is not asked."""

    WAIT = 0  # a policy of Python's
    RANDOM = 1  # any legal action
    PLAN = 2  # a scripted policy, in compiled code


class Seat(Record):
    """A place at the table of one skirmish: settings, then what the last step brought."""

    learner: int  # the side that is asked: 0, 1 or BOTH
    asked: int  # bit set of the windows in which it is
    own: int  # Reply: who makes the decisions of its side that it is not asked
    other: int  # the same for the other side
    own_low: int  # the seeds of these two
    own_high: int
    other_low: int
    other_high: int
    kind: int  # Reward
    encounters: int  # how many there are to choose from at every opening
    lenient: int  # 1: an illegal action is fined, 0: refused
    fine: float  # the reward for it
    # what came out
    waiting: int  # 1: a policy of Python's is to decide
    decided: int  # 1: the seat has made a decision in this skirmish
    tries: int  # skirmishes skipped because it never was
    margin: float  # own health less that of the enemies, at the last decision
    reward: float
    terminated: int
    truncated: int
    illegal: int
    decisions: int  # made in this seat's skirmishes, by anyone


def play_seats(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    seats: Array,
    sources: Array,
    actions: Array,
    scenes: Array,
    blocks: Array,
    shown: Array,
    plans: Array,
    rooms: Array,
) -> tuple[int, int, int, int]:
    """Carry out one decision a seat and play on.

    Returns (the first seat whose action is refused, the first whose dice are at fault, how many wait for a policy,
    how many have given up since they are never asked); -1 for no seat.

    ``actions`` (B): an action, OPENING, REPEAT or NOTHING. Where a seat is not left waiting, its observation (its
    row of ``scenes`` (B) and ``blocks`` (B, 2 * slots), records of ``numbers``) and its mask (``shown`` (B), records
    of ``words``) are written. ``plans`` (2 * K) holds those of the own side and of the other for every encounter,
    ``rooms`` (1) is worked in. Nothing happens if an action is refused.
    """
    for i in range(states.shape[0]):
        refused = actions[i] >= 0 and not (actions[i] < len(masks[i].listed) and allowed(masks[i], actions[i]))
        seats[i].illegal = 1 if refused or actions[i] < REPEAT else 0
        if seats[i].illegal == 1 and (seats[i].lenient == 0 or seats[i].waiting == 1):
            return i, -1, 0, 0
    faulty = -1
    idle = 0
    waiting = 0
    for i in range(states.shape[0]):
        if actions[i] == NOTHING:
            continue
        seat = seats[i]
        seat.reward = 0.0
        if seat.illegal == 1:
            seat.reward = seat.fine
        elif actions[i] != REPEAT:
            if actions[i] == OPENING:
                seat.tries = 0
                which[i] = open_next(states[i], dice[i], setups, logs, masks[i], seat, sources[0])
            else:
                if seat.waiting == 0:
                    seat.decided = 1
                act(Game(states[i], dice[i], setups[which[i]], logs[0]), masks[i], seat, actions[i])
            seat.waiting = 0
            which[i] = play_on(states[i], dice[i], setups, which[i], logs, masks[i], seat, sources[0], plans, rooms[0])
            if dice[i].fault != 0 and faulty < 0:
                faulty = i
            if seat.waiting == 1:
                waiting += 1
                continue
            measure(Game(states[i], dice[i], setups[which[i]], logs[0]), seat)
            if seat.tries == MOST_TRIES:
                idle += 1
        game = Game(states[i], dice[i], setups[which[i]], logs[0])
        observe(game, viewer_of(game, seat), i, scenes, blocks)
        for k in range(len(masks[i].words)):
            shown[i].words[k] = masks[i].words[k]
    return -1, faulty, waiting, idle


def act(game: Any, mask: Any, seat: Seat, action: int) -> None:
    """Carry out a legal action and write the mask."""
    begin_action(game.dice)
    apply(game, action)
    end_action(game.dice, action)
    legal(game, mask)
    seat.decisions += 1


def open_next(state: Any, die: Any, setups: Array, logs: Array, mask: Any, seat: Seat, source: Source) -> int:
    """Open the next episode of this seat's stream. Returns which encounter it plays."""
    own = die.source
    start(own, own.seed_low, own.seed_high, own.stream, own.environment, own.episode + 1)
    chosen = 0
    if seat.encounters > 1:
        start(source, own.seed_low, own.seed_high, CHOICE, own.environment, own.episode)
        chosen = below(source, seat.encounters)
    game = Game(state, die, setups[chosen], logs[0])
    die.trail = 0
    seat.decided = 0
    seat.margin = 0.0
    begin_action(die)
    open(game)
    end_action(die, OPENING)
    legal(game, mask)
    return chosen


def answer_of(game: Any, mask: Any, seat: Seat, own: bool, plan: Any, room: Any) -> int:
    """What the policy of a side does, in compiled code."""
    low = seat.own_low if own else seat.other_low
    high = seat.own_high if own else seat.other_high
    if (seat.own if own else seat.other) == Reply.PLAN:
        return int(decide(game, mask, plan, room, low, high))
    return int(nth_legal(mask, decision_below(game.dice, game.state.side, low, high, mask.count)))


def play_on(
    state: Any,
    die: Any,
    setups: Array,
    chosen: int,
    logs: Array,
    mask: Any,
    seat: Seat,
    source: Source,
    plans: Array,
    room: Any,
) -> int:
    """Let the policies decide until the seat is asked, must wait, or the skirmish ends. Returns its encounter."""
    while True:
        game = Game(state, die, setups[chosen], logs[0])
        if is_over(game):
            if seat.decided == 1 or seat.tries == MOST_TRIES:
                return chosen
            seat.tries += 1
            chosen = open_next(state, die, setups, logs, mask, seat, source)
            continue
        own = seat.learner == BOTH or state.side == seat.learner
        if own and (seat.asked >> state.window) & 1:
            return chosen
        if (seat.own if own else seat.other) == Reply.WAIT:
            seat.waiting = 1
            return chosen
        act(game, mask, seat, answer_of(game, mask, seat, own, plans[2 * chosen + (0 if own else 1)], room))


def measure(game: Any, seat: Seat) -> None:
    """The reward since the last decision; what happens before the first one is part of what follows it."""
    winner = game.state.winner
    seat.terminated = 1 if winner == 1 or winner == 2 else 0
    seat.truncated = 1 if winner == 3 else 0
    if seat.decided == 0:
        return
    side = 1 if seat.learner == 1 else 0
    if seat.kind == Reward.OUTCOME:
        if seat.terminated == 1:
            seat.reward = 1.0 if winner == side + 1 else -1.0
        return
    margin = balance(game, side)
    seat.reward = margin - seat.margin
    seat.margin = margin


def viewer_of(game: Any, seat: Seat) -> int:
    """Whose view is handed out: that of whoever decides; at the end, of the seat's first fighter."""
    if game.state.decider >= 0:
        return int(game.state.decider)
    return int(game.setup.party_count) if seat.learner == 1 else 0


def observe(game: Any, viewer: int, row: int, scenes: Array, blocks: Array) -> None:
    """Write an observation: the scene, then the viewer, its allies and its enemies, a block each."""
    scene = scenes[row].numbers
    for k in range(len(scene)):
        scene[k] = 0.0
    observe_scene(game, viewer, scene, 0)
    slots = blocks.shape[1] >> 1
    ally = 1
    enemy = slots
    side = game.setup.sheets[viewer].side
    for who in range(game.setup.count):
        place = 0
        if game.setup.sheets[who].side != side:
            place = enemy
            enemy += 1
        elif who != viewer:
            place = ally
            ally += 1
        block = blocks[row, place].numbers
        for k in range(len(block)):
            block[k] = 0.0
        observe_fighter(game, viewer, who, block, 0)
    for place in range(ally, slots):
        leave_empty(blocks[row, place])
    for place in range(enemy, blocks.shape[1]):
        leave_empty(blocks[row, place])


def leave_empty(block: Any) -> None:
    """A slot that nobody fills."""
    for k in range(len(block.numbers)):
        block.numbers[k] = 0.0


def observe_many(
    states: Array, dice: Array, setups: Array, which: Array, logs: Array, viewers: Array, scenes: Array, blocks: Array
) -> None:
    """Write what the fighter ``viewers`` (B) of each skirmish sees."""
    for i in range(states.shape[0]):
        observe(Game(states[i], dice[i], setups[which[i]], logs[0]), viewers[i], i, scenes, blocks)


def views(observations: np.ndarray[Any, Any], scene: int, fighter: int) -> tuple[Array, Array]:
    """(B, D) float32 seen as (B,) records of a scene and (B, 2 * slots) records of a fighter, for the loops.

    Numbers inside a record have fixed places, which compiled code writes without looking at bounds.
    """
    count, width = observations.shape
    flat = observations.view(np.uint8).reshape(-1)
    scenes = np.ndarray(count, _numbers(scene), flat.data, 0, (4 * width,))
    places = (width - scene) // fighter
    strides = (4 * width, 4 * fighter)
    blocks = np.ndarray((count, places), _numbers(fighter), flat.data, 4 * scene, strides)
    return scenes, blocks


@cache
def _numbers(count: int) -> np.dtype[Any]:
    return np.dtype([("numbers", np.float32, (count,))])
