"""The state graph of an encounter: every position that can be reached, its actions and their outcomes."""

from __future__ import annotations

import os
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile

from lens_env.core import dice as dice_module
from lens_env.core import kernel, log, loops, mask, record
from lens_env.core.ruleset import Ruleset
from lens_env.errors import LensError, SolveError
from lens_env.play.encounter import Encounter
from lens_env.play.engine import Batch

from . import explore, order
from .explore import Walk
from .packing import Layout, Packer

Array = np.ndarray[Any, Any]

CHUNK = 20_000  # states that are unpacked at once
FORMAT = 1  # of a saved graph
MOST_THREADS = 8


@cache
def rule_loops(ruleset: Ruleset) -> dict[str, kernel.Specialised]:
    """The loops that walk through a ruleset's positions."""
    bind = kernel.specialise
    rules = (ruleset.rules, ruleset.name, loops.ENTRIES)
    found = {"gather": bind(explore.gather, *rules)}
    found["leads"] = bind(explore.leads, *rules, ("balance",))
    return found


@cache
def free_loops() -> dict[str, kernel.Specialised]:
    """The loops that know no rules."""
    named = {function.__name__: function for function in (explore.rehash, explore.enter, explore.settle)}
    found = {name: kernel.specialise(function, explore, "exact") for name, function in named.items()}
    for function in (order.levels, order.arrange, order.rearrange, order.choose, order.flow):
        found[function.__name__] = kernel.specialise(function, order, "exact")
    found["action_values"] = kernel.specialise(order.action_values, order, "exact", parts=("expected",))
    found["regrets"] = kernel.specialise(order.regrets, order, "exact", parts=("expected",))
    found["sweep"] = kernel.specialise(order.sweep, order, "exact", parts=("expected", "fold"), parallel=True)
    return found


def run(loop: kernel.Specialised, *arguments: Any) -> Any:
    """Call a loop; interpreted code gets structured arrays in the form that has attributes."""
    if kernel.INTERPRETED:
        arguments = tuple(
            record.as_kernel_argument(argument, True) if getattr(argument, "dtype", np.dtype(int)).names else argument
            for argument in arguments
        )
    return loop(*arguments)


class StateGraph:
    """Every position of an encounter that can be reached, whatever is decided and rolled.

    Positions are those at which somebody is asked, and those at which it is over. The number of the round is left
    out: rules read no more of it than whether it is 0, and whether it is the last, so an outcome only tells
    whether a round ends on the way. States are numbered so that inside a round every outcome leads to a higher
    number.

    ``first_action`` (S+1), ``actions`` (A) the index in the catalogue, ``first_outcome`` (A+1), ``targets`` (O) the
    state that follows, plus S where a round ends on the way, ``chances`` (O). ``sides``, ``windows``, ``winners``
    (S) and ``rounds`` (S; 0 a surprise round, else 1). ``starts`` (N) and ``start_chances`` (N): where the dice of
    the opening lead; ``start_rounds`` (N) its round.
    """

    ARRAYS = (
        *("first_action", "actions", "first_outcome", "targets", "chances", "keys", "level_ends"),
        *("starts", "start_chances", "start_rounds", "packer", "rows"),
    )

    def __init__(self, encounter: Encounter, arrays: dict[str, Array], seconds: float = 0.0, draws: int = 0) -> None:
        """``seconds`` that building took, ``draws``: sequences of dice that were gone through; 0 if it was loaded."""
        self.encounter, self.seconds, self.draws = encounter, seconds, draws
        self.first_action, self.actions = arrays["first_action"], arrays["actions"]
        self.first_outcome, self.targets = arrays["first_outcome"], arrays["targets"]
        self.chances, self.keys = arrays["chances"], arrays["keys"]
        self.level_ends, self.packer, self.rows = arrays["level_ends"], arrays["packer"], arrays["rows"]
        self.starts, self.start_chances = arrays["starts"], arrays["start_chances"]
        self.start_rounds = arrays["start_rounds"]
        self.layout = Layout(self.packer, self.rows)
        self.sides, self.windows = self._field("side"), self._field("window")
        self.winners, self.rounds = self._field("winner"), self._field("game_round")
        self._table: Array | None = None

    def __len__(self) -> int:
        return len(self.first_action) - 1

    @property
    def max_rounds(self) -> int:
        """The round after which the skirmish is undecided."""
        return int(self.encounter.built.setup["rules"]["max_rounds"][0])

    @property
    def most_left(self) -> int:
        """How many rounds can at most begin after the first one."""
        return self.max_rounds - int(self.start_rounds.min())

    @property
    def digest(self) -> str:
        """Of the encounter and the code of its rules: what a solution belongs to."""
        return digest_of(self.encounter)

    @cached_property
    def owners(self) -> Array:
        """(A,) int32: the state that an action belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first_action))

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(int(getattr(self, name).nbytes) for name in self.ARRAYS) + 4 * len(self) * 2

    def states(self, which: Array, game_round: int | None = None) -> Array:
        """(n,) state records of these states (n,), in the given round (default: 1, or 0 in a surprise round)."""
        made = self.encounter.ruleset.new_states(len(which))
        words = made.view(np.int64).reshape(len(which), -1)
        words[:, : self.layout.used] = self.layout.unpacked(self.keys[which])
        if game_round is not None:
            made["game_round"] = game_round
        return made

    def batch(self, which: Array, game_round: int | None = None) -> Batch:
        """These states (n,) as a batch, for an agent to decide in.

        Each has a stream of dice of its own, so that an agent that draws lots draws them anew for each.
        """
        states = self.states(which, game_round)
        dice = record.new(dice_module.Dice, len(which))
        dice["source"]["environment"], dice["source"]["episode"] = which, game_round or 0
        batch = Batch.of(
            self.encounter,
            states,
            dice,
            np.zeros(len(which), mask.dtype(self.encounter.ruleset.size)),
        )
        batch.engine.run("mask_many", states, batch.dice, batch.setups, batch.which, batch.logs, batch.masks)
        return batch

    def find(self, states: Array) -> Array:
        """(n,) the numbers of states (n,) of this encounter, in any round; -1 where one is not in the graph."""
        if self._table is None:
            self._table = np.zeros(power_of_two(2 * len(self)), np.int32)
            run(free_loops()["rehash"], self.packer, self.keys, self._table, self._walk())
        numbers = np.zeros(len(states), np.int64)
        where = (self.rows, self.packer, self.keys, self._table, self._walk())
        run(free_loops()["enter"], self.layout.canonical(states), numbers, *where)
        return np.where(numbers >= 0, numbers, -1)

    def _walk(self) -> Array:
        walk = record.new(Walk)
        walk["states"] = len(self)
        return walk

    def _field(self, name: str) -> Array:
        """(S,) int16: a field of all states."""
        fields = self.encounter.ruleset.new_states(1).dtype.fields or {}
        word = fields[name][1] // 8
        return self.layout.column(self.keys, word).astype(np.int16)

    def leads(self, which: Array) -> Array:
        """(n,) the health that the party has left less that of the foes, as shares of all: -1..1."""
        found = np.zeros(len(which))
        loop = rule_loops(self.encounter.ruleset)["leads"]
        die, quiet = record.new(dice_module.Dice), record.new(log.Log)
        for first in range(0, len(which), CHUNK):
            part = slice(first, first + CHUNK)
            run(loop, self.states(which[part]), die, self.encounter.built.setup, quiet, found[part])
        return found

    # --- on disk -------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the graph to a file (NumPy's npz); what was there before stays whole until it is complete."""
        arrays = {name: getattr(self, name) for name in self.ARRAYS if name != "packer"}
        arrays["packer"] = self.packer.view(np.int64)
        beside = path.with_name(f"{path.name}.part")
        with beside.open("wb") as file:
            np.savez(file, digest=np.array(self.digest), format=np.array(FORMAT), **arrays)
        beside.replace(path)

    @classmethod
    def load(cls, path: Path, encounter: Encounter) -> StateGraph:
        """Read a graph; SolveError if it is none, or one of another encounter or of other rules."""
        try:
            # opened here, since what is no zip file would be left open
            with path.open("rb") as raw, NpzFile(raw, allow_pickle=False) as file:
                arrays = dict(file.items())
        except (OSError, ValueError, EOFError, BadZipFile) as error:
            raise SolveError(f"{path}: this is no saved graph ({error})") from None
        missing = [name for name in (*cls.ARRAYS, "digest", "format") if name not in arrays]
        if missing or int(arrays["format"]) != FORMAT:
            raise SolveError(f"{path}: this is no graph that this version has saved")
        if str(arrays["digest"]) != digest_of(encounter):
            raise SolveError(f"{path}: the graph of another encounter, or of {encounter.ruleset.name} with other rules")
        arrays["packer"] = arrays["packer"].view(record.dtype_of(Packer))
        return cls(encounter, arrays)


def digest_of(encounter: Encounter) -> str:
    """Of an encounter's records and the code of its rules."""
    import hashlib

    from lens_env.play.engine import engine_of

    code = engine_of(encounter.ruleset.name).digest
    return hashlib.sha256(code.encode() + encounter.built.setup.tobytes()).hexdigest()[:16]


def words_of(encounter: Encounter) -> list[str]:
    """What each word of a state record is, as a person says it."""
    names: dict[int, str] = {}
    fighters = encounter.built.fighters

    def walk(dtype: np.dtype[Any], before: str, offset: int) -> None:
        for name, (inner, at, *_) in (dtype.fields or {}).items():
            for i in range(int(np.prod(inner.shape)) if inner.shape else 1):
                place = offset + at + i * inner.base.itemsize
                label = f"{before}{name}" + (f"[{i}]" if inner.shape else "")
                if inner.base.fields:
                    who = fighters[i] if name == "fighters" and i < len(fighters) else label
                    walk(inner.base, f"{who}'s ", place)
                else:
                    names[place // 8] = label

    walk(encounter.ruleset.new_states(1).dtype, "", 0)
    return [names[word] for word in sorted(names)]


def threads_of(asked: int | None) -> int:
    """How many threads to use: what is asked, else one for each core."""
    if asked is not None and (isinstance(asked, bool) or not isinstance(asked, int) or asked < 1):
        raise LensError(f"threads: a whole number from 1, got {asked!r}")
    return min(MOST_THREADS, os.cpu_count() or 1) if asked is None else asked


def power_of_two(least: int) -> int:
    """The least one from 16 on that is not smaller."""
    return 1 << max(4, (least - 1).bit_length())
