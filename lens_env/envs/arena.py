"""The arena: a batch of skirmishes in which one side is asked, whatever the interface above it is called."""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from gymnasium import logger

from lens_env.core import philox, record
from lens_env.core.loops import NOTHING, OPENING
from lens_env.core.policies import plan_dtype
from lens_env.core.ruleset import SIDES, WINNERS
from lens_env.core.seats import BOTH, MOST_TRIES, REPEAT, Reply, Seat, views
from lens_env.errors import IllegalAction, LensError
from lens_env.play.encounter import Encounter
from lens_env.play.engine import Batch

from .options import Options, Policy

Array = np.ndarray[Any, Any]

OWN, OTHER = 2**62 + 1, 2**62 + 2  # seeds of the policies, far from those that people choose


class Buffers:
    """What a step writes into, handed out again once nobody holds it: fresh pages cost more than the step itself."""

    KEPT = 4

    def __init__(self, count: int, scene: int, fighter: int, slots: int, words: int, actions: int) -> None:
        self._shape, self._words, self._actions = (count, scene + 2 * slots * fighter), (count, words), actions
        self._parts = scene, fighter
        self._mask = np.dtype([("words", np.int64, (words,))])
        self._kept: list[tuple[tuple[int, ...], Views]] = []

    def take(self) -> Views:
        """Arrays of any content that nobody else holds or sees a part of."""
        for idle, kept in self._kept:
            if idle == _holders(kept):
                return kept
        made = self._make()
        if len(self._kept) < self.KEPT:
            self._kept.append((_holders(made), made))
        return made

    def _make(self) -> Views:
        count, width = self._shape
        room = np.empty((max(2, count), width), np.float32)  # a single row would be of another layout: compiled anew
        observations = room[:count]
        words = np.empty(self._words, np.int64)
        flags = words.view(np.int8)[:, : self._actions]
        return Views(observations, room, words, flags, *views(room, *self._parts), words.view(self._mask)[:, 0])


class Views(NamedTuple):
    """The arrays of one step, and the same memory as the records that the loops write."""

    observations: Array  # (B, D) float32
    room: Array  # (2 or more, D) float32, of which they are the first rows
    words: Array  # (B, W) int64: the masks, eight actions a word
    flags: Array  # (B, A) int8: the same; what is handed out are views of it
    scenes: Array
    blocks: Array
    masks: Array

    @property
    def records(self) -> tuple[Array, Array, Array]:
        """What the loops write."""
        return self.scenes, self.blocks, self.masks


def _holders(kept: Views) -> tuple[int, ...]:
    """How many hold the arrays themselves, or (since a part of a part belongs to the whole) any part of them."""
    return sys.getrefcount(kept.observations), sys.getrefcount(kept.room), sys.getrefcount(kept.words)


def _reply(policy: Policy | None) -> Reply:
    """Who decides for a policy: the compiled loop, if it is random or has a plan."""
    if policy is None:
        return Reply.RANDOM
    return Reply.PLAN if hasattr(policy, "plan") else Reply.WAIT


class Numbers:
    """Some int64 fields of records as plain numbers: reading one by its name from NumPy takes a microsecond."""

    def __init__(self, records: Array, names: tuple[str, ...]) -> None:
        fields = records.dtype.fields or {}
        places = [fields[name][1] // 8 for name in names]
        self._flat = memoryview(records.view(np.int64).data)
        self._width = records.dtype.itemsize // 8
        self._first, self._end = min(places), max(places) + 1
        self._pick = itemgetter(*(place - self._first for place in places))

    def of(self, row: int) -> tuple[int, ...]:
        """The fields (two or more) of one record, in the order of their names."""
        at = row * self._width
        picked: tuple[int, ...] = self._pick(self._flat[at + self._first : at + self._end].tolist())
        return picked


class Arena(Batch):
    """B skirmishes, each with a seat that is asked and policies that decide the rest.

    Skirmish i plays the stream (seed i, episode): exactly what ``Game(encounter, seed, episode=...)`` plays. After
    ``play`` the arrays ``observations`` (B, D) float32, ``rewards`` (B,) float64, ``terminated`` and ``truncated``
    (B,) bool, and ``action_masks`` (B, A) int8 are new ones, which nobody writes to again.
    """

    def __init__(self, options: Options, count: int) -> None:
        self.options = options
        size = options.ruleset
        self.shape = len(size.scene), len(size.fighter), options.slots
        self.width = self.shape[0] + 2 * self.shape[1] * self.shape[2]
        self.seats = record.new(Seat, count)
        self._buffers = Buffers(count, *self.shape, size.words, size.size)
        self._show(self._buffers.take())
        self._source = record.new(philox.Source)
        self._settle()
        super().__init__(options.encounters, count)
        self._run_seats: Callable[..., tuple[int, int, int, int]] | None = None
        self._fixed = self.states, self.dice, self.setups, self.which, self.logs, self.masks, self.seats, self._source
        self._plans, self._rooms = self._make_plans(), self.engine.new_room()
        self._state = Numbers(self.states, ("game_round", "side", "decider", "window", "winner"))
        self._outcome = Numbers(self.seats, ("terminated", "truncated", "illegal"))
        self._reward = self.seats["reward"]

    def reset(self, seed: int, episode: int = 0) -> None:
        """Nothing is opened before :meth:`seed` and :meth:`play` ask for it."""

    def _settle(self) -> None:
        seats, options = self.seats, self.options
        seats["learner"], seats["asked"] = options.learner, options.asked
        seats["own"], seats["other"] = _reply(options.own), _reply(options.other)
        seats["own_low"], seats["own_high"] = philox.split_seed(OWN)
        seats["other_low"], seats["other_high"] = philox.split_seed(OTHER)
        seats["kind"], seats["encounters"] = options.reward, len(options.encounters)
        seats["lenient"], seats["fine"] = options.penalty is not None, options.penalty or 0.0
        for policy, seed in ((options.own, OWN), (options.other, OTHER)):
            if policy is not None:
                policy.reset(seed)

    def _make_plans(self) -> Array:
        """(2 * K,) the plans of the own and the other side by encounter; empty where a policy has none."""
        plans = np.zeros((len(self.encounters), 2), plan_dtype(self.ruleset.size))
        for place, policy in enumerate((self.options.own, self.options.other)):
            if _reply(policy) == Reply.PLAN:
                plans[:, place] = [policy.plan(encounter)[0] for encounter in self.encounters]  # type: ignore[union-attr]
        return plans.reshape(-1)

    def seed(self, rows: Array, seeds: Array) -> None:
        """Put these skirmishes (R,) at the beginning of the streams of these seeds (R,), each in 0..2**64-1."""
        values = np.asarray(seeds, np.uint64)
        source = self.dice["source"]
        source["seed_low"][rows] = (values & np.uint64(philox.LOW)).astype(np.int64)
        source["seed_high"][rows] = (values >> np.uint64(32)).astype(np.int64)
        source["episode"][rows] = -1

    def play(self, actions: Array) -> None:
        """(B,) int64: an action, OPENING (the next episode), REPEAT or NOTHING; then on to the next question.

        IllegalAction if one is not legal (nothing has happened then), unless a penalty is set.
        """
        buffers = self._buffers.take()
        self._show(buffers)
        while self._run(actions, buffers):
            actions = self._replies()

    def _show(self, buffers: Views) -> None:
        """Make these the arrays that are seen."""
        self.observations, self._words, self._flags = buffers.observations, buffers.words, buffers.flags

    def _run(self, actions: Array, buffers: Views) -> int:
        """Carry out actions; how many seats wait for a policy then."""
        arguments = *self._fixed, actions, *buffers.records, self._plans, self._rooms
        if self._run_seats is None:
            self._run_seats = self.engine.bound("play_seats", *arguments)
        refused, faulty, waiting, idle = self._run_seats(*arguments)
        if refused >= 0:
            raise IllegalAction(self._why_illegal(refused, actions[refused]))
        if faulty >= 0:
            self._check_dice()
        if idle:
            raise LensError(f"the agent was asked nothing in {MOST_TRIES:,} skirmishes in a row")
        return int(waiting)

    def _replies(self) -> Array:
        """(B,) what the policies do where a seat is waiting for them."""
        actions = np.full(len(self), NOTHING)
        waiting = self.seats["waiting"] == 1
        own = (self.sides == self.options.learner) | (self.options.learner == BOTH)
        for policy, rows in ((self.options.own, waiting & own), (self.options.other, waiting & ~own)):
            if policy is not None and rows.any():
                actions[rows] = policy.act(self.select(np.flatnonzero(rows)))
        return actions

    def _why_illegal(self, row: int, action: int) -> str:
        names = self.encounter_of(row).built.actions
        legal = np.flatnonzero(self.mask[row])
        known = f" ({names[action]})" if 0 <= action < len(names) else ""
        told = ", ".join(f"{index} ({names[index]})" for index in legal) or "none, the skirmish is over"
        return f"environment {row}: action {action}{known} is not legal; legal: {told}"

    def open_again(self, rows: Array) -> None:
        """Open the next skirmish in these rows ((B,) bool); what came out of the others stays as it is."""
        observations, masks = self.observations, self._words
        self.play(np.where(rows, OPENING, NOTHING))
        self.observations[~rows], self._words[~rows] = observations[~rows], masks[~rows]

    # --- what came out -------------------------------------------------------------------------------------

    @property
    def rewards(self) -> Array:
        """(B,) float64: since the last decision."""
        found: Array = self.seats["reward"].copy()
        return found

    @property
    def terminated(self) -> Array:
        """(B,) bool: one side has won."""
        found: Array = self.seats["terminated"] == 1
        return found

    @property
    def truncated(self) -> Array:
        """(B,) bool: undecided after max_rounds."""
        found: Array = self.seats["truncated"] == 1
        return found

    @property
    def action_masks(self) -> Array:
        """(B, A) int8: 1 = legal."""
        flags: Array = self._flags[:]
        return flags

    @property
    def decisions(self) -> int:
        """How many decisions have been made, by anyone."""
        return int(self.seats["decisions"].sum())

    def encounter_of(self, row: int) -> Encounter:
        """The encounter that one skirmish plays."""
        return self.encounters[int(self.which[row])]

    def text(self, row: int) -> str:
        """One skirmish as several lines for a terminal."""
        return self.ruleset.summary(self.states[row], self.encounter_of(row).built)

    def picture(self, row: int) -> Array:
        """One skirmish as a picture, (480, 640, 3) uint8."""
        from lens_env.play.picture import draw  # a drawing library is loaded only by those who look

        return np.asarray(draw(self.states[row], self.encounter_of(row).built, self.ruleset))

    def render(self, mode: str | None) -> Any:
        """The only skirmish as ``mode`` says: ``ansi``, ``human`` (printed), ``rgb_array``; with None a warning."""
        if mode is None:
            logger.warn("render() without a render_mode shows nothing; make the environment with one")
            return None
        if mode == "rgb_array":
            return self.picture(0)
        if mode == "ansi":
            return self.text(0)
        print(self.text(0))
        return None

    def details(self, row: int) -> dict[str, Any]:
        """What an ``info`` says of one skirmish, beside its mask."""
        game_round, side, asked, window, winner = self._state.of(row)
        if asked < 0:
            return {"round": game_round, "side": None, "decider": None, "window": None, "winner": WINNERS[winner]}
        return {
            "round": game_round,
            "side": SIDES[side],
            "decider": self.encounter_of(row).built.fighters[asked],
            "window": self.ruleset.windows[window],
            "winner": None,
        }

    def mask_of(self, row: int) -> Array:
        """(A,) int8: what is legal in one skirmish, a copy."""
        flags: Array = self._flags[row].copy()
        return flags

    def result(self, row: int) -> tuple[float, bool, bool]:
        """The reward of one skirmish since the last decision, and whether it is terminated or truncated."""
        terminated, truncated, _ = self._outcome.of(row)
        return self._reward.item(row), terminated == 1, truncated == 1

    def was_illegal(self, row: int) -> bool:
        """Was the last action here illegal (and fined)?"""
        return self._outcome.of(row)[2] == 1

    def trail(self, row: int) -> tuple[int, int]:
        """The episode of one skirmish and the hash of all that has happened in it."""
        return int(self.dice["source"]["episode"][row]), int(self.dice["trail"][row])


__all__ = ["NOTHING", "OPENING", "REPEAT", "Arena", "Policy"]
