"""Playing a study: cell by cell, every cell in batches, cells side by side in several processes.

The result of a cell is a function of the cell alone: neither the number of processes nor the size of the batches
changes it.
"""

from __future__ import annotations

import hashlib
import json
import math
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from agents import Agent, load_agent
from experiments.settings import Cell
from lens_env import Encounter
from lens_env.core import dice, mask, philox, record
from lens_env.core.kernel import source_digest
from lens_env.core.loops import NOTHING
from lens_env.errors import LensError
from lens_env.play.engine import Batch
from lens_env.play.files import write_atomically

Array = np.ndarray[Any, Any]
Task = TypeVar("Task")
Found = TypeVar("Found")

CHUNK = 2048  # skirmishes played in step
MAX_DECISIONS = 1_000_000  # of one skirmish; only rules that never end reach it
FORMAT = 1  # of a stored cell
COUNTS = ("skirmishes", "wins", "losses", "undecided", "rounds", "decisions", "trajectories")  # whole numbers of it


@dataclass
class Tally:
    """What is counted in a cell."""

    skirmishes: int = 0
    wins: int = 0  # of the party
    losses: int = 0
    undecided: int = 0
    rounds: int = 0  # sum over the skirmishes
    health: float = 0.0  # sum over the skirmishes of the party's points of life that are left, a whole number
    full: float = 1.0  # the party's points at the beginning of one skirmish
    decisions: int = 0
    trajectories: int = 0  # different skirmishes
    defenses: dict[str, int] | None = None  # how often the party chose each defence


def play_cell(cell: Cell, chunk: int = CHUNK) -> Tally:
    """Play all skirmishes of a cell."""
    sides = (cell.party.load(), cell.foes.load())
    for agent in sides:
        agent.reset(cell.seed)
    tally = Tally(defenses=dict.fromkeys(cell.encounter.ruleset.defenses, 0))
    trails: list[Array] = []
    for first in range(0, cell.skirmishes, chunk):
        environments = np.arange(first, min(first + chunk, cell.skirmishes))
        batch = Batch(cell.encounter, len(environments), seed=cell.seed, environments=environments)
        watch = _Watch(batch, tally)
        play_batch(batch, sides, watch)
        trails += watch.trails
    tally.trajectories = len(np.unique(np.concatenate(trails)))
    return tally


class Watcher(Protocol):
    """Is told what happens in a batch."""

    def decided(self, batch: Batch, actions: Array) -> None:
        """These actions (B,) are about to be played; NOTHING where it is over."""

    def finished(self, batch: Batch) -> None:
        """These skirmishes are over, and will not be told of again."""


def play_batch(batch: Batch, sides: Sequence[Agent], watch: Watcher) -> None:
    """Play a batch to its end."""
    for _ in range(MAX_DECISIONS):
        over = batch.over
        if over.any() and (over.all() or over.sum() * 8 > len(batch)):
            watch.finished(batch.select(np.flatnonzero(over)))
            if over.all():
                return
            batch = batch.select(np.flatnonzero(~over))
        actions = decide(batch, sides)
        watch.decided(batch, actions)
        batch.step(actions)
    raise LensError(f"a skirmish did not end within {MAX_DECISIONS:,} decisions")


def decide(batch: Batch, sides: Sequence[Agent]) -> Array:
    """(B,) int64: each skirmish's action by the agent whose side is asked; NOTHING where it is over."""
    actions = np.full(len(batch), NOTHING, np.int64)
    for side, agent in enumerate(sides):
        rows = np.flatnonzero(batch.sides == side)
        if len(rows):
            actions[rows] = agent.act(batch.select(rows))
    return actions


class _Watch:
    """Counts what happens in a batch."""

    def __init__(self, batch: Batch, tally: Tally) -> None:
        self.tally, self.trails = tally, list[Array]()
        self._built = batch.encounters[0].built
        ruleset = batch.ruleset
        tally.full = float(self._health(batch)[0])
        self._windows = [ruleset.windows.index(name) for name in ruleset.defense_windows]
        self._defenses = [self._built.actions.index(name) for name in ruleset.defenses]

    def _health(self, batch: Batch) -> Array:
        """(B,) points left of the party in all."""
        left: Array = batch.lives()[:, : self._built.party_count].sum(axis=1)
        return left

    def decided(self, batch: Batch, actions: Array) -> None:
        """Count the defences that the party chose in this step."""
        self.tally.decisions += int((actions >= 0).sum())
        chosen = actions[np.isin(batch.windows, self._windows) & (batch.sides == 0)]
        counts = np.bincount(chosen, minlength=batch.ruleset.size)[self._defenses]
        assert self.tally.defenses is not None
        for name, count in zip(batch.ruleset.defenses, counts, strict=True):
            self.tally.defenses[name] += int(count)

    def finished(self, batch: Batch) -> None:
        """Count the skirmishes of a batch that are over."""
        tally, winners = self.tally, np.bincount(batch.winners, minlength=4)
        tally.skirmishes += len(batch)
        tally.wins += int(winners[1])
        tally.losses += int(winners[2])
        tally.undecided += int(winners[3])
        tally.rounds += int(batch.states["game_round"].sum())
        tally.health += float(self._health(batch).sum())
        self.trails.append(batch.trails.copy())


# --- many cells --------------------------------------------------------------------------------------------


def cell_key(cell: Cell) -> str:
    """A digest of all that the result of a cell depends on, the code of rules and agents included."""
    ruleset = cell.encounter.ruleset
    modules = sorted({*cell.party.modules, *cell.foes.modules})
    code = source_digest(*modules, ruleset.rules.__name__, __name__)
    parts = [FORMAT, code, cell.encounter.digest, cell.party.spec, cell.foes.spec, cell.seed, cell.skirmishes]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def play_cells(
    cells: Sequence[Cell], jobs: int, store: Path, fresh: bool, on_done: Callable[[Cell, bool], None]
) -> list[Tally]:
    """The results of all cells, in their order.

    Each result is stored in the folder ``store`` as soon as it is there, and found there the next time unless
    ``fresh``. ``on_done(cell, found)`` is called as results come in.
    """
    paths = [store / f"{cell_key(cell)}.json" for cell in cells]
    results: dict[int, Tally] = {}
    for i, path in enumerate(paths):
        stored = None if fresh else read_tally(path, cells[i])
        if stored is not None:
            results[i] = stored
            on_done(cells[i], True)
    todo = [i for i in range(len(cells)) if i not in results]
    for encounter in {cells[i].encounter.ruleset.name: cells[i].encounter for i in todo}.values():
        compile_loops(encounter)
    for i, tally in side_by_side(play_cell, [(i, cells[i]) for i in todo], jobs):
        write_atomically(paths[i], json.dumps(asdict(tally)) + "\n")
        results[i] = tally
        on_done(cells[i], False)
    return [results[i] for i in range(len(cells))]


def read_tally(path: Path, cell: Cell) -> Tally | None:
    """The stored result of a cell; None if there is none, or it cannot be that of this cell."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return Tally(**data) if _is_tally(data, cell) else None


def _is_tally(data: Any, cell: Cell) -> bool:
    """Has a stored result all its fields, and do they add up?"""
    if not isinstance(data, dict) or data.keys() != {field.name for field in fields(Tally)}:
        return False
    points, defenses = (data["health"], data["full"]), data["defenses"]
    if not isinstance(defenses, dict) or list(defenses) != list(cell.encounter.ruleset.defenses):
        return False
    counts = [*(data[name] for name in COUNTS), *defenses.values()]
    if not all(type(count) is int and count >= 0 for count in counts) or not all(type(it) is float for it in points):
        return False
    ended = data["wins"] + data["losses"] + data["undecided"]
    return bool(
        ended == data["skirmishes"] == cell.skirmishes
        and 1 <= data["trajectories"] <= ended
        and 0 < data["full"] < math.inf
        and 0 <= data["health"] <= data["full"] * ended
    )


def side_by_side(
    play: Callable[[Task], Found], todo: Sequence[tuple[int, Task]], jobs: int
) -> Iterator[tuple[int, Found]]:
    """Each task's number and result, as they come, from at most ``jobs`` processes. Ctrl-C ends them all."""
    if min(jobs, len(todo)) <= 1:
        for i, task in todo:
            yield i, play(task)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(todo)), mp_context=context, initializer=_begin_worker) as pool:
        try:
            with _interrupts_wait():
                futures: dict[Future[Found], int] = {pool.submit(play, task): i for i, task in todo}
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                child.terminate()
            raise


def compile_loops(encounter: Encounter) -> None:
    """Compile what a ruleset's cells need, before all processes would compile the same: run it on no skirmish at all.

    One after the other, since the loops share most of their kernels.
    """
    ruleset = encounter.ruleset
    masks, actions = np.zeros(0, mask.dtype(ruleset.size)), np.zeros(0, np.int64)
    batch = Batch.of(encounter, ruleset.new_states(0), record.new(dice.Dice, 0), masks)
    batch.engine.run("random_actions", record.new(philox.Source, 0), masks, actions)
    batch.reset(0)
    batch.step(actions)
    batch.lives()
    load_agent("balanced").act(batch)


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Ctrl-C comes after this, not within: a process begun here never hears it, not even before `_begin_worker`."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Ctrl-C is for the parent, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
