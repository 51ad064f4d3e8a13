"""What a defence is worth: in restricted play, and choice by choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from lens_env.core.ruleset import SIDES, called
from lens_env.errors import SolveError
from lens_env.play.encounter import Encounter

from .build import build_graph
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

    Weighted figures count a window as often as optimal play meets it, the others each position once, with all rounds
    to come.
    """

    side: str
    defense: str
    offered: float  # expected number of windows in a skirmish that offer it
    optimal: float  # share of these in which nothing is better, weighted
    alone: float  # share in which everything else is worse, weighted
    optimal_anywhere: float  # the same two shares over positions, each counted once
    alone_anywhere: float
    dominant: bool  # in every position, however many rounds are left, nothing is better
    dominated: bool  # in every one something else is as good
    regret: float  # the most that choosing it can cost where optimal play may meet it


def defenses_of(values: Values, side: str) -> dict[str, Array]:
    """The defences that a side is ever offered and allowed, not to defend left out: (A,) bool, where they are."""
    graph = values.graph
    ruleset = graph.encounter.ruleset
    mine = (graph.sides == SIDES.index(side))[graph.owners] & (values.allowed != 0)
    at_window = mine & _defending(graph, side)[graph.owners]
    found = {}
    for name in ruleset.defenses:
        if name != NOTHING:
            where = np.isin(graph.actions, called(name, graph.encounter.built.actions))
            if (where & mine).any():
                found[name] = where & at_window
    return found


def worths(values: Values, pairs: bool = True) -> Iterator[Worth]:
    """The worth of every defence, then of every two and of all, for each side that plays optimally.

    Found by solving the game in which the rules forbid them. SolveError if the other side's policy is not known there.
    """
    for side, policy in zip(SIDES, values.policies, strict=True):
        defenses = list(defenses_of(values, side)) if policy is None else []
        sets: list[tuple[str, ...]] = [(name,) for name in defenses]
        if pairs and len(defenses) > 1:
            sets += combinations(defenses, 2)
        if pairs and len(defenses) > 2:
            sets.append(tuple(defenses))
        for names in sets:
            without = solved_without(values, side, names).value
            gain = values.value - without if side == "party" else without - values.value
            yield Worth(side, names, without, gain)


def solved_without(values: Values, side: str, names: tuple[str, ...]) -> Values:
    """The same game if some actions, or the words that they begin with, are forbidden to a side.

    SolveError where the rules then offer others, if actions are taken away already or a policy is not known there.
    """
    graph = values.graph
    encounter = forbidding(graph.encounter, side, names)
    if _but_for_forbidden(encounter) == _but_for_forbidden(graph.encounter):  # then a part of the graph is left
        flags = encounter.built.setup[f"forbidden_{side}"].view(np.uint8).ravel()
        mine = (graph.sides == SIDES.index(side))[graph.owners]
        return values.again(allowed=values.allowed & ~(mine & (flags[graph.actions] != 0)))
    if not values.allowed.all():
        raise SolveError("actions that are taken away from a graph say nothing about the graph of other rules")
    other = build_graph(encounter)
    party, foes = (None if policy is None else policy.on(other) for policy in values.policies)
    return Values(other, party=party, foes=foes, objective=values.objective, threads=values.threads)


def forbidding(encounter: Encounter, side: str, names: Iterable[str]) -> Encounter:
    """The same encounter with more actions forbidden to a side. EncounterError for one that it does not have."""
    before = {one: list(getattr(encounter.model.forbid, one)) for one in SIDES}
    more = [name for name in names if name not in before[side]]
    return encounter.with_changes({"forbid": {**before, side: before[side] + more}})


def _but_for_forbidden(encounter: Encounter) -> bytes:
    """The setup without its forbidden actions."""
    setup = encounter.built.setup.copy()
    for field in ("forbids", *(f"forbidden_{side}" for side in SIDES)):
        setup[field] = 0
    return setup.tobytes()


def choices(values: Values) -> list[Choice]:
    """How good every defence is in the windows that offer it, for each side that plays optimally; NONE included."""
    found = []
    for side, policy in zip(SIDES, values.policies, strict=True):
        if policy is None:
            tally = _Tally(values, side)
            for left in range(values.settled + 1):
                tally.count(left)
            found += tally.choices()
    return found


class _Tally:
    """Counts in how many windows a defence is as good as any other."""

    def __init__(self, values: Values, side: str) -> None:
        graph = values.graph
        self.values, self.side = values, side
        self.windows = _defending(graph, side)
        self.kinds = {name: where for name, where in defenses_of(values, side).items() if where.any()}
        nothing = called(NOTHING, graph.encounter.built.actions)
        idle = self.windows[graph.owners] & np.isin(graph.actions, nothing) & (values.allowed != 0)
        if self.kinds and idle.any():
            self.kinds[NOTHING] = idle
        self.inside = np.flatnonzero(self.windows[graph.owners])  # the actions of these windows
        self.rows = np.cumsum(self.windows)[graph.owners[self.inside]] - 1  # which window they belong to
        self.sums = {name: np.zeros(6) for name in self.kinds}
        self.regrets = dict.fromkeys(self.kinds, 0.0)
        self.dominant = dict.fromkeys(self.kinds, True)
        self.dominated = dict.fromkeys(self.kinds, True)

    def count(self, left: int) -> None:
        """Add the windows as they are with ``left`` more rounds to begin."""
        if not self.kinds:
            return
        regrets = self.values.regrets(left)[self.inside]
        visits = self.values.met.get(left)
        for name, where in self.kinds.items():
            inside = where[self.inside]
            own, rest = self._least(regrets, inside), self._least(regrets, ~inside)
            # a window with nothing else to choose says nothing about the choice
            offered = np.isfinite(own) & np.isfinite(rest)
            good, only = own[offered] <= EQUAL, rest[offered] > EQUAL
            self.dominant[name] &= bool(good.all())
            self.dominated[name] &= not only.any()
            if visits is not None:
                part = visits[self.windows][offered]
                self.sums[name][:3] += part.sum(), part[good].sum(), part[only].sum()
                self.regrets[name] = max(self.regrets[name], float(own[offered][part > 0].max(initial=0.0)))
            if left == self.values.settled:
                self.sums[name][3:] += offered.sum(), good.sum(), only.sum()

    def _least(self, regrets: Array, where: Array) -> Array:
        """(windows,) the least regret among some of their actions (inside,); inf where there is none of them."""
        found = np.full(int(self.windows.sum()), np.inf)
        np.minimum.at(found, self.rows[where], regrets[where])
        return found

    def choices(self) -> list[Choice]:
        """What has been counted."""
        found = []
        for name, (offered, optimal, alone, positions, good, only) in self.sums.items():
            if positions > 0:
                choice = Choice(
                    self.side,
                    name,
                    offered=float(offered),
                    optimal=float(optimal / offered) if offered > 0 else 0.0,
                    alone=float(alone / offered) if offered > 0 else 0.0,
                    optimal_anywhere=float(good / positions),
                    alone_anywhere=float(only / positions),
                    dominant=self.dominant[name],
                    dominated=self.dominated[name],
                    regret=self.regrets[name],
                )
                found.append(choice)
        return found


def _defending(graph: StateGraph, side: str) -> Array:
    """(S,) bool: a defence window of this side."""
    ruleset = graph.encounter.ruleset
    codes = [ruleset.windows.index(name) for name in ruleset.defense_windows]
    found: Array = np.isin(graph.windows, codes) & (graph.sides == SIDES.index(side))
    return found
