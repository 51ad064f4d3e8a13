"""Building a state graph: breadth-first from where an encounter begins, through the enumerated dice of its rules."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lens_env.core import dice as dice_module
from lens_env.core import log, mask, philox, record
from lens_env.errors import DiceError, LensError, SolveError
from lens_env.play.encounter import Encounter
from lens_env.play.engine import FAULTS, Batch
from lens_env.play.game import openings

from .explore import FAR, NO_ROOM, TOO_WIDE, Found, Part, Stop, Walk
from .graph import StateGraph, free_loops, power_of_two, rule_loops, run, threads_of, words_of
from .packing import Layout, Packer, Ranges, repacked, with_round_left_out

Array = np.ndarray[Any, Any]
Progress = Callable[["Standing"], None]

MAX_STATES = 20_000_000
SHARE = 1024  # states that a thread goes through at a time
WORTH_SHARING = 128  # states from which it pays to share them
SAMPLE = 512  # skirmishes from which the packing is learned
SAMPLE_STEPS = 150
FIRST_ROOM = 1 << 18
FIRST_FOUND = 1 << 13  # outcomes of a part


class Standing(NamedTuple):
    """How far the building of a graph has come."""

    states: int
    waiting: int  # states found and not yet looked at
    outcomes: int
    seconds: float


class _Gatherer:
    """What a thread needs to go through a part of the states."""

    def __init__(self, encounter: Encounter, setup: Array) -> None:
        self.loop = rule_loops(encounter.ruleset)["gather"]
        self.die, self.part, self.packer = record.new(dice_module.Dice), record.new(Part), record.new(Packer)
        self.work = encounter.ruleset.new_states(2)
        masks = np.zeros(1, mask.dtype(encounter.ruleset.size))
        self.fixed = (setup, record.new(log.Log), self.die, masks, self.work, self.work.view(np.int64).reshape(2, -1))
        self.found, self.found_keys = record.new(Found, FIRST_FOUND), np.zeros((FIRST_FOUND, 1), np.int64)

    @property
    def why(self) -> Stop:
        """Why its part could not be gone through or written, if so."""
        return Stop(int(self.part["why"][0]))

    @property
    def gathered(self) -> tuple[Array, Array, Array, Array]:
        """The part, the packing, and the outcomes that have been found with their keys."""
        return self.part, self.packer, self.found, self.found_keys

    @property
    def nbytes(self) -> int:
        """Bytes of what it may find."""
        return int(self.found.nbytes + self.found_keys.nbytes)

    def gather(self, layout: Layout, keys: Array) -> None:
        """Go through the part."""
        self.packer[:] = layout.packer
        if self.found_keys.shape != (len(self.found), layout.slots):
            self.found_keys = np.zeros((len(self.found), layout.slots), np.int64)
        found = (self.found, self.found_keys)
        run(self.loop, *self.fixed, layout.rows, self.packer, *found, self.part, keys)

    def more_room(self) -> None:
        """Let it find twice as many outcomes."""
        self.found = record.new(Found, 2 * len(self.found))


class Builder:
    """Builds the graph of an encounter, step by step."""

    def __init__(
        self,
        encounter: Encounter,
        max_states: int = MAX_STATES,
        max_bytes: int | None = None,
        threads: int | None = None,
    ) -> None:
        """``max_bytes``: how much memory the graph may take while it is built; default: most of what is free.

        ``threads``: from 1; default: one for each core, up to 8.
        """
        if isinstance(max_states, bool) or not isinstance(max_states, int) or max_states < 1:
            raise LensError(f"max_states: a whole number from 1, got {max_states!r}")
        self.encounter, self.max_states = encounter, max_states
        self.max_bytes = max_bytes if max_bytes is not None else int(0.8 * _free_memory())
        self.begun = time.perf_counter()
        setup = encounter.built.setup.copy()
        setup["rules"]["max_rounds"] = FAR
        self.setup = setup
        self.walk = record.new(Walk)
        self.gatherers = [_Gatherer(encounter, setup) for _ in range(threads_of(threads))]
        self.openings = openings(encounter)
        self.ranges = self._learned()
        self.layout = self.ranges.layout()
        room = min(FIRST_ROOM, max_states)
        self.keys = np.zeros((room, self.layout.slots + 1), np.int64)
        self.table = np.zeros(power_of_two(2 * room), np.int32)
        self.first_action = np.zeros(room + 1, np.int64)
        self.actions, self.first_outcome = np.zeros(4 * room, np.int16), np.zeros(4 * room + 1, np.int64)
        self.targets, self.chances = np.zeros(16 * room, np.int64), np.zeros(16 * room)
        self.numbers = self._enter_openings()

    def build(self, progress: Progress | None = None) -> StateGraph:
        """Find all states. SolveError if there are too many of them, or a round has no end."""
        with ThreadPoolExecutor(len(self.gatherers)) as pool:
            while (waiting := int(self.walk["states"][0] - self.walk["following"][0])) > 0:
                self._look(waiting, pool)
                states, following = int(self.walk["states"][0]), int(self.walk["following"][0])
                if progress is not None:
                    seconds = time.perf_counter() - self.begun
                    progress(Standing(states, states - following, int(self.walk["outcomes"][0]), seconds))
        return self._finish()

    def _look(self, waiting: int, pool: ThreadPoolExecutor) -> None:
        """Look at some of the states that wait, each thread at a part of them.

        What they find is written in the order of the states, so the graph does not depend on their number. A part
        for which there was no room is begun anew.
        """
        first = int(self.walk["following"][0])
        share = min(SHARE, -(-waiting // len(self.gatherers)))
        for gatherer in self.gatherers:
            end = min(first + share, int(self.walk["states"][0]))
            gatherer.part["first"], gatherer.part["end"] = first, end
            first = end
        sharing = self.gatherers if waiting >= WORTH_SHARING else self.gatherers[:1]
        others = [pool.submit(gatherer.gather, self.layout, self.keys) for gatherer in sharing[1:]]
        sharing[0].gather(self.layout, self.keys)
        for other in others:
            other.result()
        for gatherer in sharing:
            if gatherer.why == Stop.NONE:
                rows = (self.first_action, self.actions, self.first_outcome, self.targets, self.chances)
                run(free_loops()["settle"], *gatherer.gathered, self.keys, self.table, self.walk, *rows)
            if gatherer.why != Stop.NONE:
                self._make_way(gatherer)
                return

    # --- the packing ---------------------------------------------------------------------------------------

    def _learned(self) -> Ranges:
        """Ranges of the words, from the openings and from random play."""
        batch = Batch(self.encounter, SAMPLE)
        batch.setups = self.setup
        used = _used_words(self.encounter)
        fields = batch.states.dtype.fields or {}
        at = fields["game_round"][1] // 8
        first = np.concatenate([game.state for _, game in self.openings]).view(np.int64)
        words = first.reshape(len(self.openings), -1)[:, :used].copy()
        ranges = Ranges(with_round_left_out(words, at), at)
        sources, actions = record.new(philox.Source, SAMPLE), np.zeros(SAMPLE, np.int64)
        sources["stream"], sources["environment"] = 1, np.arange(SAMPLE)
        for _ in range(SAMPLE_STEPS):
            batch.engine.run("random_actions", sources, batch.masks, actions)
            batch.step(actions)
            words = batch.states.view(np.int64).reshape(SAMPLE, -1)[:, :used].copy()
            ranges.take_in(with_round_left_out(words, at))
            if batch.over.all():
                break
        return ranges

    def _widen(self, packer: Array) -> None:
        """Make the packing hold what it could not, and pack what is known anew."""
        old = self.layout
        self.ranges.widen(int(packer["wide"][0]), int(packer["value"][0]))
        self.layout = self.ranges.layout()
        count = int(self.walk["states"][0])
        keys = np.zeros((len(self.keys), self.layout.slots + 1), np.int64)
        keys[:count, :-1] = repacked(old, self.layout, self.keys[:count])
        self.keys = keys
        self._rehash()

    def _rehash(self) -> None:
        self.table = np.zeros(power_of_two(2 * len(self.keys)), np.int32)
        run(free_loops()["rehash"], self.layout.packer, self.keys, self.table, self.walk)

    def _enter_openings(self) -> Array:
        """(N,) the numbers of the states that the encounter begins in."""
        states = np.concatenate([game.state for _, game in self.openings])
        numbers = np.zeros(len(states), np.int64)
        while True:
            where = (self.layout.rows, self.layout.packer, self.keys, self.table, self.walk)
            run(free_loops()["enter"], self.layout.canonical(states), numbers, *where)
            if (numbers == TOO_WIDE).any():
                self._widen(self.layout.packer)
            elif (numbers == NO_ROOM).any():
                self._more_states()
            else:
                return numbers

    # --- room ----------------------------------------------------------------------------------------------

    def _make_way(self, gatherer: _Gatherer) -> None:
        why = gatherer.why
        if why == Stop.STATES:
            self._more_states()
        elif why == Stop.ACTIONS:
            self._watch(2 * (self.actions.nbytes + self.first_outcome.nbytes))
            self.actions = _doubled(self.actions)
            self.first_outcome = _doubled(self.first_outcome)
        elif why == Stop.OUTCOMES:
            self._watch(2 * (self.targets.nbytes + self.chances.nbytes))
            self.targets, self.chances = _doubled(self.targets), _doubled(self.chances)
        elif why == Stop.FOUND:
            self._watch(2 * gatherer.nbytes)
            gatherer.more_room()
        elif why == Stop.WIDE:
            self._widen(gatherer.packer)
        elif why == Stop.FAULT:
            raise DiceError(FAULTS[int(gatherer.die["fault"][0])])
        elif why == Stop.SKIPPED:
            raise SolveError("a whole round can pass without a decision, which a graph by rounds cannot hold")

    def _more_states(self) -> None:
        count = int(self.walk["states"][0])
        if count >= self.max_states:
            raise SolveError(self._too_large(f"{count:,} states (max_states is {self.max_states:,})"))
        self._watch(2 * (self.keys.nbytes + self.first_action.nbytes + self.table.nbytes))
        room = min(2 * len(self.keys), self.max_states)
        self.keys, self.first_action = _grown(self.keys, room), _grown(self.first_action, room + 1)
        self._rehash()

    def _watch(self, more: int) -> None:
        """SolveError if there is no memory for that many bytes more."""
        arrays = (self.keys, self.table, self.first_action, self.actions, self.first_outcome)
        used = sum(array.nbytes for array in (*arrays, self.targets, self.chances))
        used += sum(gatherer.nbytes for gatherer in self.gatherers)
        if used + more > self.max_bytes:
            states = int(self.walk["states"][0])
            raise SolveError(self._too_large(f"{states:,} states, {used / 1e6:,.0f} MB of memory"))

    def _too_large(self, reached: str) -> str:
        waiting = int(self.walk["states"][0]) - int(self.walk["following"][0])
        names = self._widest()
        return (
            f"{self.encounter.name}: too large to be solved: {reached} and {waiting:,} still to be looked at. "
            f"What varies most: {', '.join(names)}. Fewer fighters, no board, smaller pools or less Momentum, "
            "fewer kinds of attack, or actions taken away with `forbid` make it smaller."
        )

    def _widest(self) -> list[str]:
        """The fields that take the most values."""
        count = int(self.walk["states"][0])
        names = words_of(self.encounter)
        found = []
        for word in self.layout.varying:
            found.append((len(np.unique(self.layout.column(self.keys[:count], word))), names[word]))
        return [f"{name} ({values} values)" for values, name in sorted(found, reverse=True)[:5]]

    # --- the end -------------------------------------------------------------------------------------------

    def _finish(self) -> StateGraph:
        """The graph with its states in the order of a round."""
        count = int(self.walk["states"][0])
        first_action, first_outcome = self.first_action[: count + 1], self.first_outcome
        places, queue = np.zeros((count, 2), np.int32), np.empty(count, np.int32)
        found = run(free_loops()["levels"], first_action, first_outcome, self.targets, places, queue)
        if found < count:
            raise SolveError(self._cycle(places[:, 0]))
        ends = np.cumsum(np.bincount(places[:, 1]))
        arranged, number = queue, np.empty(count, np.int32)
        run(free_loops()["arrange"], places, np.append(0, ends[:-1]), arranged, number)
        actions, outcomes = int(self.walk["actions"][0]), int(self.walk["outcomes"][0])
        if max(2 * count, actions, outcomes) >= 2**32:
            raise SolveError(self._too_large(f"{count:,} states"))
        self._watch(4 * count + 6 * actions + 12 * outcomes + self.keys.nbytes)
        arrays: dict[str, Array] = {
            "first_action": np.empty(count + 1, np.uint32),
            "actions": np.empty(actions, np.int16),
            "first_outcome": np.empty(actions + 1, np.uint32),
            "targets": np.empty(outcomes, np.uint32),  # unsigned: compiled code need not look for negative ones
            "chances": np.empty(outcomes),
        }
        old = (first_action, self.actions, first_outcome, self.targets, self.chances)
        run(free_loops()["rearrange"], arranged, number, *old, *arrays.values())
        arrays["keys"] = np.take(self.keys[:, : self.layout.slots], arranged, axis=0)
        arrays["packer"], arrays["rows"] = self.layout.packer, self.layout.rows
        arrays["level_ends"] = ends
        arrays["starts"] = number[self.numbers]
        arrays["start_chances"] = np.array([chance for chance, _ in self.openings])
        arrays["start_rounds"] = np.array([int(game.state["game_round"][0]) for _, game in self.openings])
        seconds = time.perf_counter() - self.begun
        return StateGraph(self.encounter, arrays, seconds, int(self.walk["draws"][0]))

    def _cycle(self, into: Array) -> str:
        """Says what goes round in circles inside a round; ``into`` (S): more than 0 on a cycle, and behind it."""
        count = len(into)
        owners = np.repeat(np.arange(count), np.diff(self.first_outcome[self.first_action[: count + 1]]))
        targets = self.targets[: len(owners)]
        inside = targets & 1 == 0
        sources, follows = owners[inside], targets[inside] >> 1
        left = into > 0
        while True:  # what leads nowhere is only behind it
            leads_on = np.zeros(count, bool)
            leads_on[sources[left[follows]]] = True
            if (left & leads_on == left).all():
                break
            left &= leads_on
        made = self.encounter.ruleset.new_states(1)
        words = made.view(np.int64).reshape(1, -1)
        words[:, : self.layout.used] = self.layout.unpacked(self.keys[np.flatnonzero(left)[:1]])
        text = self.encounter.ruleset.summary(made[0], self.encounter.built)
        return f"{self.encounter.name}: a round can go on for ever, which has no value; it comes back to:\n{text}"


def build_graph(
    encounter: Encounter,
    max_states: int = MAX_STATES,
    *,
    max_bytes: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> StateGraph:
    """Every position of an encounter. SolveError if there are more than ``max_states`` or they need too much memory.

    ``threads``: from 1; default: one for each core, up to 8; the graph is the same. ``progress`` is called now and
    then with how far it has come.
    """
    return Builder(encounter, max_states, max_bytes, threads).build(progress)


def _used_words(encounter: Encounter) -> int:
    """The leading words of a state record that this encounter uses."""
    ruleset = encounter.ruleset
    game = ruleset.rules.Game(
        *(
            record.as_kernel_argument(array, True)[0]
            for array in (
                ruleset.new_states(1),
                record.new(dice_module.Dice),
                encounter.built.setup,
                record.new(log.Log),
            )
        )
    )
    return int(ruleset.rules.used_words(game))


def _doubled(array: Array) -> Array:
    return _grown(array, 2 * len(array))


def _grown(array: Array, room: int) -> Array:
    """The same with room for more."""
    made = np.zeros((room, *array.shape[1:]), array.dtype)
    made[: len(array)] = array
    return made


def _free_memory() -> int:
    """Bytes that are free, as far as the system tells."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        return int(text.split("MemAvailable:")[1].split()[0]) * 1024
    except (OSError, IndexError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
