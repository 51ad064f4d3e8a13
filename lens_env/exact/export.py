"""Handing a solved encounter to others: Storm's model checker (DRN), or anybody who reads arrays (npz).

What Storm gets is the game of one side against a policy of the other: a Markov decision process, unrolled over the
rounds, whose states are (position, rounds left). A payoff of v ends it in the label ``won`` with the probability v
(an objective of -1..1 is mapped to 0..1), so the optimal probability of reaching ``won`` is the value of the side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError

from .graph import free_loops, run
from .solve import Values, outcomes_of

Array = np.ndarray[Any, Any]


class Unrolled(NamedTuple):
    """A Markov decision process in CSR form; its last two states are won and lost, the first one is the start."""

    first_choice: Array  # (N+1,)
    first_outcome: Array  # (C+1,)
    targets: Array  # (O,)
    chances: Array  # (O,)

    def __len__(self) -> int:
        return len(self.first_choice) - 1


class _Parts:
    """Rows of the process, collected round by round."""

    def __init__(self) -> None:
        self.choices: list[Array] = []  # by state: how many
        self.outcomes: list[Array] = []  # by choice: how many
        self.targets: list[Array] = []
        self.chances: list[Array] = []

    def add(self, choices: Array, outcomes: Array, targets: Array, chances: Array) -> None:
        """States with so many choices, which have so many outcomes."""
        self.choices.append(choices)
        self.outcomes.append(outcomes)
        self.targets.append(targets)
        self.chances.append(chances)


def unrolled(values: Values) -> Unrolled:
    """The process that a side with a free choice faces, in ``values`` where the other side's policy is given.

    LensError if both sides, or none, have a policy.
    """
    free = [side for side, policy in zip(SIDES, values.policies, strict=True) if policy is None]
    if len(free) != 1:
        raise LensError("a decision process has one side that decides: the other one needs a policy")
    met = list(_met(values, SIDES.index(free[0])))
    counts = [len(states) for _, states, _ in met]
    offsets = 1 + np.concatenate([[0], np.cumsum(counts)])
    payoffs = _payoffs(values)
    levels = np.unique(payoffs[np.isfinite(payoffs)])
    last = int(offsets[-1])  # then the payoffs, then won and lost
    numbers = np.full(2 * len(values.graph), -1)
    numbers[np.isfinite(payoffs)] = last + np.searchsorted(levels, payoffs[np.isfinite(payoffs)])
    won = last + len(levels)
    parts = _Parts()
    starts, chances = _opening(values, met, offsets, numbers)
    parts.add(np.array([1]), np.array([len(starts)]), starts, chances)
    for place, (_, states, weights) in enumerate(met):
        if len(states) == 0:
            continue
        ends = numbers.copy()
        ends[states] = offsets[place] + np.arange(len(states))
        if place + 1 < len(met):
            after = met[place + 1][1]
            ends[len(values.graph) + after] = offsets[place + 1] + np.arange(len(after))
            over = np.flatnonzero(np.isfinite(payoffs[: len(values.graph)]))
            ends[len(values.graph) + over] = numbers[over]
        _add_round(values, parts, states, weights, ends, SIDES.index(free[0]))
    one = np.ones(len(levels), np.int64)
    parts.add(one, 2 * one, np.tile([won, won + 1], len(levels)), np.stack([levels, 1 - levels], axis=1).ravel())
    parts.add(np.array([1, 1]), np.array([1, 1]), np.array([won, won + 1]), np.ones(2))
    return Unrolled(
        _offsets(parts.choices), _offsets(parts.outcomes), np.concatenate(parts.targets), np.concatenate(parts.chances)
    )


def _offsets(counts: list[Array]) -> Array:
    return np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)


def _payoffs(values: Values) -> Array:
    """(2 S,) 0..1: the payoffs of states at which it is over, then of those where no round may begin; else nan."""
    graph = values.graph
    both = np.concatenate([values.ends, values.undecided])
    if values.objective == "harm":
        both = (both + 1) / 2
    size = len(graph)
    both[:size][graph.winners == 0] = np.nan
    return both


def _met(values: Values, free: int) -> Iterator[tuple[int, Array, Array]]:
    """By rounds left, the most first: the states (n,) that can be met and are not over, and what is played (A,)."""
    graph, size = values.graph, len(values.graph)
    most = graph.max_rounds - int(graph.start_rounds.min())
    mass = np.zeros(2 * size)
    mine = (graph.sides == free)[graph.owners]
    for left in range(most, -1, -1):
        mass[:size] = mass[size:] > 0
        mass[size:] = 0.0
        mass[graph.starts[graph.max_rounds - graph.start_rounds == left]] = 1.0
        weights = values.weights(left)
        weights[mine] = values.allowed[mine]
        run(free_loops()["flow"], *outcomes_of(graph), np.minimum(weights, 0.5), mass)
        yield left, np.flatnonzero((mass[:size] > 0) & (graph.winners == 0)), weights


def _opening(
    values: Values, met: list[tuple[int, Array, Array]], offsets: Array, numbers: Array
) -> tuple[Array, Array]:
    """The states that the dice of the opening lead to, with their chances."""
    graph = values.graph
    found = []
    for state, game_round in zip(graph.starts, graph.start_rounds, strict=True):
        place = met[0][0] - (graph.max_rounds - int(game_round))
        if numbers[state] >= 0:  # over before anybody was asked
            found.append(int(numbers[state]))
        else:
            found.append(int(offsets[place] + np.searchsorted(met[place][1], state)))
    targets, where = np.unique(np.array(found), return_inverse=True)
    chances = np.zeros(len(targets))
    np.add.at(chances, where, graph.start_chances)
    return targets, chances


def _add_round(values: Values, parts: _Parts, states: Array, weights: Array, ends: Array, free: int) -> None:
    """The states of one round: those of the free side with all their actions, the others with their policy's."""
    graph = values.graph
    met = np.zeros(len(graph), bool)
    met[states] = True
    played = np.flatnonzero(met[graph.owners] & (weights > 0))  # actions
    owners = graph.owners[played]
    decides = graph.sides[owners] == free
    # what a policy mixes is a single choice
    begins = np.concatenate([[True], decides[1:] | (owners[1:] != owners[:-1])])
    choice = np.cumsum(begins) - 1  # (played,)
    counts = np.bincount(np.searchsorted(states, owners[begins]), minlength=len(states))
    first, end = (graph.first_outcome[played + step].astype(np.int64) for step in (0, 1))
    rows = np.repeat(np.arange(len(played)), end - first)
    where = np.arange(len(rows)) + np.repeat(first - np.concatenate([[0], np.cumsum(end - first)[:-1]]), end - first)
    factors = np.where(decides, 1.0, weights[played])
    size = int(ends.max()) + 1
    keys, merged = np.unique(choice[rows] * size + ends[graph.targets[where]], return_inverse=True)
    chances = np.bincount(merged, factors[rows] * graph.chances[where])
    parts.add(counts, np.bincount(keys // size), keys % size, chances)


def write_drn(process: Unrolled, path: Path, progress: Callable[[int], None] | None = None) -> None:
    """Write a process as Storm reads it; what was there before stays whole until it is complete."""
    first_choice, first_outcome = process.first_choice.tolist(), process.first_outcome.tolist()
    beside = path.with_name(f"{path.name}.part")
    with beside.open("w", encoding="ascii", newline="\n") as file:
        file.write("@type: MDP\n@parameters\n\n@reward_models\n\n")
        file.write(f"@nr_states\n{len(process)}\n@nr_choices\n{first_choice[-1]}\n@model\n")
        for state in range(len(process)):
            label = {0: " init", len(process) - 2: " won"}.get(state, "")
            file.write(f"state {state}{label}\n")
            for number, choice in enumerate(range(first_choice[state], first_choice[state + 1])):
                span = slice(first_outcome[choice], first_outcome[choice + 1])
                lines = zip(process.targets[span].tolist(), process.chances[span].tolist(), strict=True)
                file.write(f"\taction {number}\n" + "".join(f"\t\t{t} : {chance!r}\n" for t, chance in lines))
            if progress is not None and state % 10_000 == 0:
                progress(state)
    beside.replace(path)


def write_arrays(values: Values, path: Path) -> None:
    """Write graph and values as NumPy's npz.

    The arrays of :class:`StateGraph`, ``sides`` (S), ``windows`` (S), ``winners`` (S), ``action_names`` and
    ``values`` (L, S): in row k with k more rounds to begin, and so it stays after the last row.
    """
    graph = values.graph
    shown = (*graph.ARRAYS, "sides", "windows", "winners")
    arrays: dict[str, Any] = {name: getattr(graph, name) for name in shown if name not in ("packer", "rows")}
    arrays["values"] = np.stack([values.at(left) for left in range(values.settled + 1)])
    arrays["action_names"], arrays["digest"] = np.array(graph.encounter.built.actions), np.array(graph.digest)
    beside = path.with_name(f"{path.name}.part")
    with beside.open("wb") as file:
        np.savez_compressed(file, **arrays)
    beside.replace(path)
