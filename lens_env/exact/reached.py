"""The value of two given policies, and agents that are asked only where these two can lead.

To ask a searching agent about every state of a graph would take days; what it does in states that play never reaches
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lens_env.core.ruleset import SIDES
from lens_env.errors import SolveError

from .graph import StateGraph
from .policies import ask
from .solve import Policy, Values, check_side

Array = np.ndarray[Any, Any]


class TooManyStates(SolveError):
    """An agent would have to be asked about more states than is allowed."""


def value_of(graph: StateGraph, party: Policy, foes: Policy, **settings: Any) -> Values:
    """The values of two given policies: nobody chooses. ``settings``: those of :class:`Values`."""
    return Values(graph, party=party, foes=foes, **settings)


class Reached:
    """The policy of an agent, asked where it and the policy of the other side can lead, and nowhere else.

    In all other states its chances are all alike, so only its value against that policy means something.
    """

    def __init__(
        self,
        graph: StateGraph,
        agent: Any,
        side: str,
        other: Policy,
        *,
        most: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Ask about all of them. TooManyStates if more than ``most`` would have to be asked about.

        ``progress`` is told how many states more have been asked about. An agent that does not read the round is
        asked about each state once.
        """
        check_side(side)
        self._graph, self._agent, self._side = graph, agent, SIDES.index(side)
        self._most, self._progress = most, progress
        self._reads_round = getattr(agent, "reads_round", True)
        self.asked = 0
        self._counts = np.diff(graph.first_action)
        self._flat = 1.0 / self._counts[graph.owners]
        self._known = np.zeros(len(graph), bool)
        self._weights = self._flat.copy()
        self._found: dict[int, tuple[Array, Array]] = {}
        self._walk(other)

    def weights(self, left: int) -> Array:
        """(A,) the chances with ``left`` more rounds to begin."""
        if not self._reads_round:
            return self._weights
        weights = self._flat.copy()
        if left in self._found:
            places, chances = self._found[left]
            weights[places] = chances
        return weights

    def on(self, graph: StateGraph) -> Policy:
        """SolveError: it is known where it leads in one graph only."""
        raise SolveError("an agent that was asked only where play leads says nothing in another graph")

    def _walk(self, other: Policy) -> None:
        graph = self._graph
        reached = np.zeros(2 * len(graph), bool)  # in this round, then in the next one
        for left in range(graph.most_left, -1, -1):
            reached = np.concatenate((reached[len(graph) :], np.zeros(len(graph), bool)))
            reached[graph.starts[graph.max_rounds - graph.start_rounds == left]] = True
            if not reached.any():
                continue
            if self._reads_round:
                self._known[:] = False
                self._weights = self._flat.copy()
            theirs = other.weights(left) > 0
            first = 0
            for end in graph.level_ends:
                states = first + np.flatnonzero(reached[first:end])
                self._go_on(states[self._counts[states] > 0], graph.max_rounds - left, theirs, reached)
                first = end
            if self._reads_round:
                mine = self._known[graph.owners]
                self._found[left] = np.flatnonzero(mine), self._weights[mine]

    def _go_on(self, states: Array, game_round: int, theirs: Array, reached: Array) -> None:
        """Mark (2 S,) where play leads from states (n,) of one level."""
        graph = self._graph
        mine = states[(graph.sides[states] == self._side) & ~self._known[states]]
        self.asked += len(mine)
        if self._most is not None and self.asked > self._most:
            raise TooManyStates(f"more than {self._most:,} states would have to be asked about")
        ask(graph, self._agent, mine, game_round if self._reads_round else None, self._weights, self._progress)
        self._known[mine] = True
        actions = _spread(graph.first_action, states)
        own = graph.sides[graph.owners[actions]] == self._side
        actions = actions[np.where(own, self._weights[actions] > 0, theirs[actions])]
        reached[graph.targets[_spread(graph.first_outcome, actions)]] = True


def _spread(first: Array, which: Array) -> Array:
    """(m,) int64: the numbers of all that belongs to the entries (n,) of ``first``, as in CSR form."""
    begins = first[which].astype(np.int64)  # unsigned numbers would become floats below
    counts = first[which + 1] - begins
    before = np.repeat(np.cumsum(counts) - counts, counts)
    found: Array = np.repeat(begins, counts) + np.arange(counts.sum()) - before
    return found
