"""One skirmish, for people: names instead of numbers, every mistake explained."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from lens_env.core import dice as dice_module
from lens_env.core import log, mask, philox, record
from lens_env.core.loops import MOST_SEQUENCES, OPENING
from lens_env.core.ruleset import SIDES, WINNERS
from lens_env.errors import DiceError, IllegalAction, LensError, SolveError

from .encounter import Encounter
from .engine import FAULTS, engine_of

Array = np.ndarray[Any, Any]
MAX_OUTCOMES = 65536


class Scripted:
    """Dice whose results are given, one entry a roll, as the rulebook speaks of them.

    A Challenge: ``"SUCCESS"`` or its faces ``(7, 4, 2)`` (Talent, Training, third die, then helpers; dice that
    the fighter lacks are left out). A damage roll or a d20: the number shown, ``9``. A pool: ``(successes,
    criticals)``.
    """

    def __init__(self, rolls: Sequence[Any]) -> None:
        if isinstance(rolls, str) or not isinstance(rolls, Sequence):
            raise TypeError(f"scripted dice are a list with an entry a roll, got {rolls!r}")
        self.rolls = tuple(rolls)


class Indices(Scripted):
    """Dice given as the index of each draw's outcome in its table: how a replay stores them."""


class Move(NamedTuple):
    """What happened in one step: the action (OPENING for the start) and the index of each draw's outcome."""

    action: int
    draws: tuple[int, ...]


class Game:
    """A skirmish between two sides, at one decision at a time.

    ``Game(encounter, seed=7)`` rolls its own dice, ``Game(encounter, dice=Scripted([...]))`` takes them from a
    script. The seed is in 0..2**64-1 (ValueError outside).
    """

    def __init__(
        self,
        encounter: Encounter,
        seed: int = 0,
        dice: Scripted | None = None,
        *,
        environment: int = 0,
        episode: int = 0,
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
            raise TypeError(f"the seed is a whole number from 0 to 2**64 - 1, got {seed!r}")
        if dice is not None and not isinstance(dice, Scripted):
            raise TypeError(f"dice are given as Scripted([...]), got {dice!r}")
        self.encounter, self.ruleset, self.built = encounter, encounter.ruleset, encounter.built
        self.seed = int(seed)
        self._engine = engine_of(self.ruleset.name)
        self._index = {name: index for index, name in enumerate(self.built.actions)}
        self._own_index = {(who, name): index for (who, index), name in self.built.own_names.items()}
        self._which = np.zeros(1, np.int64)
        self._action = np.zeros(1, np.int64)
        self._state = self.ruleset.new_states(1)
        self._dice = record.new(dice_module.Dice)
        self._mask = np.zeros(1, mask.dtype(self.ruleset.size))
        self._tape = record.new(log.Log)
        self._tape["on"] = 1
        self._events: list[Array] = []  # a chunk an action
        self._read: list[dict[str, int]] = []  # those of them that somebody has asked for
        self._chunks_read = 0
        self._moves: list[Move] = []
        self._script: tuple[tuple[int, int], ...] | None = None
        self._used = 0
        low, high = philox.split_seed(self.seed)
        source = self._dice["source"]
        source["seed_low"], source["seed_high"] = low, high
        source["environment"], source["episode"] = environment, episode
        if dice is not None:
            self._script = tuple(self._read_roll(i, roll, dice) for i, roll in enumerate(dice.rolls))
            self._dice["mode"] = dice_module.Mode.SCRIPTED
        self._run(OPENING)

    # --- what one can see ----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Has the skirmish ended?"""
        return bool(self._state["winner"][0] != 0)

    @property
    def winner(self) -> str | None:
        """``"party"``, ``"foes"``, or None while it lasts and when it ended undecided."""
        return WINNERS[int(self._state["winner"][0])]

    @property
    def side(self) -> str | None:
        """The side that decides, None when it is over."""
        side = int(self._state["side"][0])
        return SIDES[side] if side >= 0 else None

    @property
    def decider(self) -> str | None:
        """The name of the fighter that decides, None when it is over."""
        who = int(self._state["decider"][0])
        return self.built.fighters[who] if who >= 0 else None

    @property
    def window(self) -> str | None:
        """What is asked (``"ACT"``, ``"DEFEND"`` ...), None when it is over."""
        code = int(self._state["window"][0])
        return self.ruleset.windows[code] if code else None

    @property
    def round(self) -> int:
        """The number of the round; 0 is a surprise round."""
        return int(self._state["game_round"][0])

    @property
    def mask(self) -> Array:
        """(A,) bool: which actions are legal."""
        flags: Array = self._mask["words"].view(np.uint8)[0, : self.ruleset.size].astype(bool)
        return flags

    def legal(self) -> list[str]:
        """The names of the legal actions, as the decider calls them; empty when it is over."""
        return [self.action_name(index) for index in np.flatnonzero(self._mask["words"].view(np.uint8)[0]).tolist()]

    def action_name(self, index: int) -> str:
        """What the decider calls an action: where fighters share its name, its own part of it."""
        own = self.built.own_names.get((int(self._state["decider"][0]), index))
        return self.built.actions[index] if own is None else own

    @property
    def state(self) -> Array:
        """(1,) the state record. Read it; changing it voids every promise."""
        return self._state

    @property
    def dice(self) -> Array:
        """(1,) the record of chance. Read it; changing it voids every promise."""
        return self._dice

    @property
    def masks(self) -> Array:
        """(1,) the mask record: the legal actions as one byte each."""
        return self._mask

    @property
    def trail(self) -> int:
        """A hash of all actions and dice so far."""
        return int(self._dice["trail"][0])

    @property
    def moves(self) -> tuple[Move, ...]:
        """The opening and every action so far, with the outcomes of their draws."""
        return tuple(self._moves)

    @property
    def sampled(self) -> bool:
        """Does it roll its own dice, or are they those of a script?"""
        return self._script is None

    @property
    def unused_rolls(self) -> int:
        """How many entries of a script are left; 0 without a script."""
        return len(self._script) - self._used if self._script is not None else 0

    def state_dict(self) -> dict[str, Any]:
        """The state as nested dicts of plain numbers, fighters by name."""
        state: dict[str, Any] = record.to_python(self._state[0])
        state["fighters"] = dict(zip(self.built.fighters, state["fighters"], strict=False))
        return state

    @property
    def events(self) -> list[dict[str, int]]:
        """Every event so far, as numbers."""
        return list(self._all_events())

    @property
    def event_count(self) -> int:
        """How many events there were so far."""
        return len(self._all_events())

    def _all_events(self) -> list[dict[str, int]]:
        """Every event, each converted once."""
        for chunk in self._events[self._chunks_read :]:
            self._read += [record.to_python(event) for event in chunk]
        self._chunks_read = len(self._events)
        return self._read

    @property
    def log(self) -> list[str]:
        """Every event so far, as sentences."""
        return self.describe(0)

    def describe(self, since: int) -> list[str]:
        """The sentences of the events from number ``since`` on."""
        first = max(0, since)
        texts = (
            self.ruleset.describe(event, self.built, self.seed * 1000003 + number)
            for number, event in enumerate(self._all_events()[first:], first)
        )
        return [text for text in texts if text]

    def __str__(self) -> str:
        return self.ruleset.summary(self._state[0], self.built)

    def __repr__(self) -> str:
        asked = f"winner {self.winner}" if self.over else f"{self.decider}: {self.window}"
        return f"<Game {self.encounter.name!r} round {self.round}, {asked}>"

    # --- what one can do -----------------------------------------------------------------------------------

    def action_index(self, action: str | int) -> int:
        """The index of a legal action, by any of its names or the index itself; IllegalAction otherwise."""
        index = self._index_of(action)
        if 0 <= index < self.ruleset.size and self._mask["words"].view(np.uint8)[0, index]:
            return int(index)
        raise IllegalAction(self._why_illegal(action))

    def _index_of(self, action: str | int) -> int:
        """The index that a name or a number means, -1 for none."""
        if isinstance(action, str):
            own = self._own_index.get((int(self._state["decider"][0]), action))
            return self._index.get(action, -1) if own is None else own
        return int(action) if isinstance(action, int | np.integer) and not isinstance(action, bool) else -1

    def play(self, action: str | int) -> Game:
        """Carry out a legal action, by name or index, and run to the next decision. Returns the game itself."""
        self._run(self.action_index(action))
        return self

    def outcomes(self, action: str | int) -> list[tuple[float, Game]]:
        """Every possible result of a legal action: (probability, the game after it). The probabilities sum to 1.

        Equal results are merged. Raises SolveError if there are more than 65,536.
        """
        states, weights = self._expand(self.action_index(action))
        return [(float(weight), self._after(states[i : i + 1])) for i, weight in enumerate(weights)]

    def copy(self) -> Game:
        """An independent game in the same position, with the same dice to come."""
        twin = self._after(self._state)
        twin._events, twin._moves = list(self._events), list(self._moves)
        twin._read, twin._chunks_read = list(self._read), self._chunks_read
        return twin

    # --- inside --------------------------------------------------------------------------------------------

    def _run(self, action: int) -> None:
        before = (self._state.copy(), self._dice.copy()) if self._script is not None else None
        self._feed()
        self._tape["count"] = 0
        self._action[0] = action
        self._engine.run(
            "step_many", self._state, self._dice, self.built.setup, self._which, self._tape, self._mask, self._action
        )
        if self._dice["fault"][0]:
            self._fail(before)
        if self._script is not None:
            self._used += int(self._dice["script_at"][0])
        self._keep(action)
        if self.over and self.unused_rolls:
            raise DiceError(
                f"the skirmish is over, but {self.unused_rolls} of {len(self._script or ())} scripted rolls are left"
            )

    def _keep(self, action: int) -> None:
        tape = self._tape[0]
        if tape["lost"]:
            raise LensError(f"one action wrote more than {log.CAPACITY} events")
        self._events.append(tape["events"][: tape["count"]].copy())
        depth = int(self._dice["depth"][0])
        self._moves.append(Move(action, tuple(self._dice["choice"][0, :depth].tolist())))

    def _feed(self) -> None:
        """Hand the next entries of the script to the dice."""
        if self._script is None:
            return
        entries = self._script[self._used : self._used + dice_module.SCRIPT]
        self._dice["script_at"], self._dice["script_count"] = 0, len(entries)
        for i, (kind, value) in enumerate(entries):
            self._dice["script_kind"][0, i], self._dice["script_value"][0, i] = kind, value

    def _fail(self, before: tuple[Array, Array] | None) -> None:
        """Put everything back as it was and say which roll is wrong."""
        fault = FAULTS[int(self._dice["fault"][0])]
        number = self._used + int(self._dice["script_at"][0])
        if before is not None:
            self._state[:], self._dice[:] = before
            self._engine.run(
                "mask_many", self._state, self._dice, self.built.setup, self._which, self._tape, self._mask
            )
        raise DiceError(f"scripted roll {number} of {len(self._script or ())}: {fault}")

    def _read_roll(self, place: int, roll: Any, script: Scripted) -> tuple[int, int]:
        if isinstance(script, Indices):
            if isinstance(roll, bool) or not isinstance(roll, int) or not 0 <= roll < dice_module.WEIGHTS:
                raise DiceError(f"scripted roll {place + 1}: {roll!r} is the index of no outcome")
            return dice_module.Kind.INDEX, roll
        try:
            return self.ruleset.dice_outcome(roll)
        except ValueError as error:
            raise DiceError(f"scripted roll {place + 1}: {error}") from None

    def _why_illegal(self, action: str | int) -> str:
        legal = self.legal()
        if self.over:
            return f"{action!r}: the skirmish is over"
        text = f"{action!r} is not legal in window {self.window} of {self.decider}; legal: {', '.join(legal)}"
        near = get_close_matches(str(action), legal, 1)
        return f"{text}; did you mean {near[0]!r}?" if near and near[0] != action else text

    def _expand(self, action: int) -> tuple[Array, Array]:
        die, room = self._dice.copy(), 256
        while room <= MAX_OUTCOMES:
            outcomes, work = self.ruleset.new_states(room), self.ruleset.new_states(1)
            words = outcomes.view(np.int64).reshape(room, -1)
            weights, hashes = np.zeros(room), np.zeros(room, np.int64)
            quiet = record.new(log.Log)
            found = self._engine.run(
                "expand", self._state, die, self.built.setup, quiet, action, work, outcomes, words, weights, hashes
            )
            if die["fault"][0]:
                raise DiceError(FAULTS[int(die["fault"][0])])
            if found >= 0:
                return outcomes[:found], weights[:found]
            if found == -2:
                raise SolveError(f"{self._name(action)} has more than {MOST_SEQUENCES:,} ways for the dice to fall")
            room *= 4
        raise SolveError(f"{self._name(action)} has more than {MAX_OUTCOMES:,} different results")

    def _name(self, action: int) -> str:
        return "the opening" if action == OPENING else self.built.actions[action]

    def _after(self, state: Array) -> Game:
        """A game in another position of the same skirmish."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._state, twin._dice = state.copy(), self._dice.copy()
        twin._mask, twin._tape = self._mask.copy(), self._tape.copy()
        twin._which, twin._action = self._which.copy(), self._action.copy()
        twin._events, twin._moves, twin._read, twin._chunks_read = [], [], [], 0
        twin._engine.run("mask_many", twin._state, twin._dice, twin.built.setup, twin._which, twin._tape, twin._mask)
        return twin


def openings(encounter: Encounter) -> list[tuple[float, Game]]:
    """Every way an encounter can begin, with its probability: the dice rolled before the first decision."""
    first = Game(encounter)
    states, weights = first._expand(OPENING)
    return [(float(weight), first._after(states[i : i + 1])) for i, weight in enumerate(weights)]
