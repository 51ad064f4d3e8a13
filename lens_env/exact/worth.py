"""What a defence is worth: in restricted play, and choice by choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from lens_env.core.ruleset import SIDES, called
from lens_env.errors import LensError

from .graph import StateGraph
from .solve import Values

Array = np.ndarray[Any, Any]
EQUAL = 1e-12  # differences of values that are rounding
NOTHING = "NONE"  # what a defence window calls not to defend


@dataclass(frozen=True)
class Worth:
    """What one defence, or two together, are worth to a side."""

    side: str
    defenses: tuple[str, ...]
    without: float  # the value of the game, for the party, if the side may not choose them
    gain: float  # what the side loses by that: in shares of a victory, or of health


@dataclass(frozen=True)
class Choice:
    """How good a defence is where it can be chosen, if all else is played optimally.

    Weighted figures count a window as often as optimal play meets it, the others each position once.
    """

    side: str
    defense: str
    offered: float  # expected number of windows in a skirmish that offer it
    optimal: float  # share of these in which nothing is better, weighted
    alone: float  # share in which everything else is worse, weighted
    optimal_anywhere: float  # the same two shares over positions, each counted once
    alone_anywhere: float
    never: bool  # it is the best choice in no position at all
    regret: float  # the most that choosing it can cost


def defenses_of(values: Values, side: str) -> dict[str, Array]:
    """The defences that a side is ever offered and allowed, not to defend left out: (A,) bool, where they are."""
    graph = values.graph
    ruleset = graph.encounter.ruleset
    at_window = _defending(graph, side)[graph.owners] & (values.allowed != 0)
    found = {}
    for name in ruleset.defenses:
        if name != NOTHING:
            where = at_window & np.isin(graph.actions, called(name, graph.encounter.built.actions))
            if where.any():
                found[name] = where
    return found


def worths(values: Values, pairs: bool = True) -> Iterator[Worth]:
    """The worth of every defence, then of every two and of all, for each side: by solving the game without them."""
    graph = values.graph
    for side in SIDES:
        defenses = defenses_of(values, side)
        sets: list[tuple[str, ...]] = [(name,) for name in defenses]
        if pairs and len(defenses) > 2:
            sets += [*combinations(defenses, 2), tuple(defenses)]
        for names in sets:
            allowed = values.allowed.copy()
            for name in names:
                allowed[defenses[name]] = 0
            party, foes = values.policies
            without = Values(
                graph, party=party, foes=foes, objective=values.objective, allowed=allowed, threads=values.threads
            ).value
            gain = values.value - without if side == "party" else without - values.value
            yield Worth(side, names, without, gain)


def forbidding(graph: StateGraph, side: str, words: tuple[str, ...]) -> Array:
    """(A,) uint8: 0 for the actions of a side that these words name. LensError for a word that names none."""
    names = graph.encounter.built.actions
    allowed = np.ones(len(graph.actions), np.uint8)
    mine = graph.sides[graph.owners] == SIDES.index(side)
    for word in words:
        indices = called(word, names)
        where = mine & np.isin(graph.actions, indices)
        if not where.any():
            known = sorted({names[action] for action in np.unique(graph.actions[mine])})
            raise LensError(f"forbid: {word!r} is no action that the {side} can ever take; it can: {', '.join(known)}")
        allowed[where] = 0
    return allowed


def choices(values: Values) -> list[Choice]:
    """How good every defence is in the windows that offer it, for each side; NONE included."""
    graph = values.graph
    most = graph.max_rounds - int(graph.start_rounds.min())
    found = []
    for side in SIDES:
        tally = _Tally(values, side)
        tally.count(most, np.ones(len(graph)), anywhere=True)
        for left, visits in enumerate(values.visits):
            if len(visits) and visits[tally.windows].any():
                tally.count(left, visits, anywhere=False)
        found += tally.choices()
    return found


class _Tally:
    """Counts in how many windows a defence is as good as any other."""

    def __init__(self, values: Values, side: str) -> None:
        graph = values.graph
        self.values, self.side = values, side
        self.windows = _defending(graph, side)
        self.kinds = defenses_of(values, side)
        nothing = called(NOTHING, graph.encounter.built.actions)
        idle = self.windows[graph.owners] & np.isin(graph.actions, nothing) & (values.allowed != 0)
        if self.kinds and idle.any():
            self.kinds[NOTHING] = idle
        self.sums = {name: np.zeros(6) for name in self.kinds}
        self.regrets = dict.fromkeys(self.kinds, 0.0)

    def count(self, left: int, weight: Array, *, anywhere: bool) -> None:
        """Add the windows as they are with ``left`` more rounds to begin, each with its weight (S,)."""
        graph = self.values.graph
        worth = self.values.worth(left) * (1 if self.side == "party" else -1)
        worth[self.values.allowed == 0] = -np.inf
        best = np.full(len(graph), -np.inf)
        np.maximum.at(best, graph.owners, worth)
        for name, where in self.kinds.items():
            own = np.full(len(graph), -np.inf)
            np.maximum.at(own, graph.owners[where], worth[where])
            rest = np.full(len(graph), -np.inf)
            np.maximum.at(rest, graph.owners[~where], worth[~where])
            # a window with nothing else to choose says nothing about the choice
            offered = self.windows & np.isfinite(own) & np.isfinite(rest)
            regret = best[offered] - own[offered]
            part = weight[offered]
            sums = np.array([part.sum(), part[regret <= EQUAL].sum(), part[own[offered] > rest[offered] + EQUAL].sum()])
            self.sums[name][3 * anywhere : 3 * anywhere + 3] += sums
            if len(regret) and (part > 0).any():
                self.regrets[name] = max(self.regrets[name], float(regret[part > 0].max()))

    def choices(self) -> list[Choice]:
        """What has been counted."""
        found = []
        for name, (offered, optimal, alone, positions, good, only) in self.sums.items():
            if positions == 0:
                continue
            found.append(
                Choice(
                    self.side,
                    name,
                    offered=float(offered),
                    optimal=float(optimal / offered) if offered > 0 else 0.0,
                    alone=float(alone / offered) if offered > 0 else 0.0,
                    optimal_anywhere=float(good / positions),
                    alone_anywhere=float(only / positions),
                    never=bool(good == 0 and optimal == 0),
                    regret=self.regrets[name],
                )
            )
        return found


def _defending(graph: StateGraph, side: str) -> Array:
    """(S,) bool: a defence window of this side."""
    ruleset = graph.encounter.ruleset
    codes = [ruleset.windows.index(name) for name in ruleset.defense_windows]
    found: Array = np.isin(graph.windows, codes) & (graph.sides == SIDES.index(side))
    return found
