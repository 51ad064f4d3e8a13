"""The compiled loops of a ruleset, and a batch of skirmishes that they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from lens_env.core import dice as dice_module
from lens_env.core import kernel, log, loops, mask, philox, policies, record, seats
from lens_env.core.ruleset import Ruleset
from lens_env.errors import DiceError, LensError

from .encounter import Encounter

Array = np.ndarray[Any, Any]

DTYPE = np.dtype(np.int64)
FAULTS: dict[int, str] = {
    dice_module.Fault.SCRIPT_RAN_OUT: "the script has run out of dice",
    dice_module.Fault.IMPOSSIBLE: "this result cannot occur on the dice that are rolled",
    dice_module.Fault.WRONG_KIND: "another kind of roll is being made",
    dice_module.Fault.TOO_MANY_DRAWS: f"one action made more than {dice_module.DEPTH} rolls",
}


class Engine:
    """The loops of ``lens_env.core.loops`` bound to one ruleset; each compiles at its first call."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        names = ("step_many", "mask_many", "random_play", "expand")
        self._loops = {
            name: kernel.specialise(getattr(loops, name), ruleset.rules, ruleset.name, loops.ENTRIES) for name in names
        }
        for name in ("play_seats", "observe_many"):
            self._loops[name] = self.bind(getattr(seats, name), seats.PARTS, (policies.DECIDE,))
        for name, linked in policies.LINKED.items():
            self._loops[name] = self.bind(getattr(policies, name), policies.LOOP_PARTS, linked)
        free = ("random_actions", "pick_many", "seed_many")
        self._loops |= {name: kernel.specialise(getattr(loops, name), loops, "core") for name in free}

    def bind(
        self, template: Callable[..., Any], parts: Sequence[str] = (), linked: Sequence[kernel.Linked] = ()
    ) -> kernel.Specialised:
        """Another loop, bound to the ruleset; see ``kernel.specialise``."""
        return kernel.specialise(
            template, self.ruleset.rules, self.ruleset.name, loops.ENTRIES, parts, linked=tuple(linked)
        )

    def run(self, loop: str, *arguments: Any) -> Any:
        """Call a loop."""
        return call(self._loops[loop], *arguments)

    def bound(self, loop: str, *arguments: Any) -> Callable[..., Any]:
        """A loop for arguments of just these types and layouts, which it no longer looks at: for many small calls."""
        if kernel.INTERPRETED:
            return partial(_interpreted, self._loops[loop])
        return self._loops[loop].bound(*arguments)

    def new_room(self) -> Array:
        """(1,) room for the loops that think; not to be shared by threads."""
        return np.zeros(1, policies.room_dtype(self.ruleset.state, self.ruleset.size))

    @property
    def digest(self) -> str:
        """A digest of the rules' code: equal digests play equal skirmishes, whatever compiles them."""
        return kernel.code_digest(loops.__name__, self.ruleset.rules.__name__)


def call(loop: Callable[..., Any], *arguments: Any) -> Any:
    """Call a bound loop with structured arrays, compiled or interpreted."""
    return _interpreted(loop, *arguments) if kernel.INTERPRETED else loop(*arguments)


def _interpreted(loop: Callable[..., Any], *arguments: Any) -> Any:
    """Call a loop with structured arrays in the form that has attributes."""
    return loop(
        *(
            record.as_kernel_argument(argument, True) if getattr(argument, "dtype", DTYPE).names else argument
            for argument in arguments
        )
    )


@cache
def engine_of(ruleset_name: str) -> Engine:
    """The engine of a ruleset, one for the whole process."""
    from lens_env.rulesets import RULESETS

    return Engine(RULESETS[ruleset_name])


@dataclass(frozen=True)
class Advice:
    """What heuristics know of the legal actions without playing one, for B skirmishes, A actions and F fighters.

    Not a number (nan) stands for actions that are not legal, and for what is not known.
    """

    expected: Array  # (B, A) mean damage if the attack strikes undefended, or of the attack that it prepares; else 0
    target: Array  # (B, A) the fighter that the action is aimed at, -1 for none
    # (B, A) steps still to go until an enemy is in reach: after a STEP, as things stand for a STOP, and after the best
    # first step of a MOVE (NOWHERE if that brings nobody nearer); where facing counts, how far a FACE looks away from
    # the nearest enemy, in eighths of a turn, and 0 for a MOVE that serves to turn; nan for actions that lead nowhere
    distance: Array
    risk: Array  # (B, A) the chance that a defence fails, whatever it costs then; nan where it is not worked out
    life: Array  # (B, F) points until a fighter falls; 0 if it has fallen


class Batch:
    """B skirmishes of one encounter (or several of one ruleset), played in step.

    Skirmish i has its own stream of dice, a function of (seed, environments[i], episode) alone, so results do
    not depend on the size of the batch.
    """

    def __init__(
        self,
        encounters: Encounter | Sequence[Encounter],
        count: int,
        *,
        seed: int = 0,
        which: Array | None = None,
        environments: Array | None = None,
    ) -> None:
        self.encounters = (encounters,) if isinstance(encounters, Encounter) else tuple(encounters)
        rulesets = {encounter.ruleset.name for encounter in self.encounters}
        if len(rulesets) != 1 or count < 1:
            raise LensError(f"a batch holds at least one skirmish of exactly one ruleset, got {count} of {rulesets}")
        self.ruleset = self.encounters[0].ruleset
        self.engine = engine_of(self.ruleset.name)
        self.setups = np.concatenate([encounter.built.setup for encounter in self.encounters])
        self.which = np.zeros(count, np.int64) if which is None else np.asarray(which, np.int64)
        self.environments = np.arange(count) if environments is None else np.asarray(environments, np.int64)
        self.states = self.ruleset.new_states(count)
        self.dice = record.new(dice_module.Dice, count)
        self.masks = np.zeros(count, mask.dtype(self.ruleset.size))
        self.logs = record.new(log.Log)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.states)

    def reset(self, seed: int, episode: int = 0) -> None:
        """Open all skirmishes anew."""
        low, high = philox.split_seed(seed)
        self.dice[:] = np.zeros((), self.dice.dtype)
        source = self.dice["source"]
        source["seed_low"], source["seed_high"] = low, high
        source["environment"], source["episode"] = self.environments, episode
        self.step(np.full(len(self), loops.OPENING))

    def step(self, actions: Array) -> None:
        """(B,) int64: apply one legal action (unchecked) in each skirmish that is not over.

        ``loops.NOTHING`` leaves a skirmish as it is, ``loops.OPENING`` opens it anew.
        """
        self.run("step_many", actions)
        self._check_dice()

    @classmethod
    def of(cls, encounter: Encounter, states: Array, dice: Array, masks: Array) -> Batch:
        """A batch that shares these arrays: skirmishes of one encounter as they stand."""
        batch = object.__new__(cls)
        batch.encounters, batch.ruleset = (encounter,), encounter.ruleset
        batch.engine, batch.setups = engine_of(encounter.ruleset.name), encounter.built.setup
        batch.which, batch.environments = np.zeros(len(states), np.int64), dice["source"]["environment"]
        batch.states, batch.dice, batch.masks, batch.logs = states, dice, masks, record.new(log.Log)
        return batch

    def select(self, keep: Array) -> Batch:
        """A new batch of the skirmishes at these positions; they go on independently of this one."""
        part = object.__new__(Batch)
        part.encounters, part.ruleset, part.engine = self.encounters, self.ruleset, self.engine
        part.setups, part.logs = self.setups, self.logs
        part.which, part.environments = self.which[keep], self.environments[keep]
        taken = (record.rows(array, keep) for array in (self.states, self.dice, self.masks))
        part.states, part.dice, part.masks = taken
        return part

    def run(self, loop: str, *arguments: Any) -> Any:
        """Call a loop of the engine over these skirmishes."""
        return self.engine.run(loop, *self._arrays, *arguments)

    def call(self, loop: kernel.Specialised, *arguments: Any) -> Any:
        """Call a loop that was bound with ``Engine.bind`` over these skirmishes."""
        return call(loop, *self._arrays, *arguments)

    @property
    def _arrays(self) -> tuple[Array, ...]:
        """What every loop takes first."""
        return self.states, self.dice, self.setups, self.which, self.logs, self.masks

    @property
    def most_fighters(self) -> int:
        """How many fighters the largest of the encounters has."""
        return max(len(encounter.built.fighters) for encounter in self.encounters)

    def advice(self) -> Advice:
        """What heuristics know of the legal actions of whoever decides in each skirmish."""
        numbers = np.full((len(self), self.ruleset.size, 4), np.nan)
        lives = np.zeros((len(self), self.most_fighters))
        self.run("advise_many", self.engine.new_room(), numbers, lives)
        expected, target, distance, risk = np.moveaxis(numbers, 2, 0)
        return Advice(expected, target, distance, risk, lives)

    def lives(self) -> Array:
        """(B, F) points until each fighter falls; 0 if it has fallen, or there is no such fighter."""
        lives = np.zeros((len(self), self.most_fighters))
        self.run("live_many", lives)
        return lives

    @property
    def mask(self) -> Array:
        """(B, A) uint8 view: 1 = legal."""
        flags: Array = self.masks["words"].view(np.uint8)
        return flags[:, : self.ruleset.size]

    @property
    def sides(self) -> Array:
        """(B,) who decides: 0 the party, 1 the foes, -1 nobody."""
        sides: Array = self.states["side"]
        return sides

    @property
    def deciders(self) -> Array:
        """(B,) the fighter that decides, -1 for none."""
        deciders: Array = self.states["decider"]
        return deciders

    @property
    def windows(self) -> Array:
        """(B,) the code of the open window, 0 for none."""
        windows: Array = self.states["window"]
        return windows

    @property
    def winners(self) -> Array:
        """(B,) 0 nobody yet, 1 the party, 2 the foes, 3 undecided."""
        winners: Array = self.states["winner"]
        return winners

    @property
    def over(self) -> Array:
        """(B,) has it ended?"""
        ended: Array = self.winners != 0
        return ended

    @property
    def trails(self) -> Array:
        """(B,) a hash of all actions and dice so far: equal trails are the same skirmish."""
        trails: Array = self.dice["trail"]
        return trails

    def _check_dice(self) -> None:
        faults = self.dice["fault"]
        if faults.any():
            worst = int(np.flatnonzero(faults)[0])
            raise DiceError(f"skirmish {worst}: {FAULTS[int(faults[worst])]}")


def certain(actions: Any, batch: Batch) -> Array:
    """(B, A) float64: 1 for the action (B, int) that is played in each skirmish.

    LensError if there is not one whole number from 0 to A - 1 for each of them; it need not be legal.
    """
    found = np.asarray(actions)
    size = batch.ruleset.size
    if found.shape != (len(batch),) or found.dtype.kind not in "iu":
        raise LensError(f"actions must be {len(batch)} whole numbers, got {found.shape} of {found.dtype}")
    if ((found < 0) | (found >= size)).any():
        raise LensError(f"actions must be from 0 to {size - 1}, got {found.min()} to {found.max()}")
    chances = np.zeros((len(batch), size))
    chances[np.arange(len(batch)), found] = 1.0
    return chances
