"""What an agent does in every state of a graph, as chances of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lens_env.core.ruleset import SIDES
from lens_env.errors import SolveError

from .graph import StateGraph
from .solve import Fixed, Policy, Values

Array = np.ndarray[Any, Any]
CHUNK = 4096  # states that an agent is asked about at once


def policy_of(graph: StateGraph, agent: Any, side: str, progress: Callable[[int], None] | None = None) -> Policy:
    """The policy of an agent for ``side`` ("party" or "foes"), asked about all of its states in batches.

    The agent says its chances in ``chances(batch)``, (B, A) float, or else plays ``act(batch)`` for certain. One with
    a true attribute ``reads_round`` is asked again for every round. SolveError if it plays what is not legal.
    """
    if getattr(agent, "reads_round", False):
        return ByRound(graph, agent, side)
    return Fixed(_asked(graph, agent, side, None, progress))


class ByRound:
    """The policy of an agent that looks at the number of the round."""

    def __init__(self, graph: StateGraph, agent: Any, side: str) -> None:
        self._graph, self._agent, self._side = graph, agent, side

    def weights(self, left: int) -> Array:
        """(A,) the chances with ``left`` more rounds to begin."""
        return _asked(self._graph, self._agent, self._side, self._graph.max_rounds - left, None)


class Optimum:
    """The optimal policy of one side, as a policy to play against: it looks at the rounds left."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def weights(self, left: int) -> Array:
        """(A,) 1 for the best action of each state."""
        return self._values.weights(left)


def _asked(
    graph: StateGraph, agent: Any, side: str, game_round: int | None, progress: Callable[[int], None] | None
) -> Array:
    """(A,) the chances of the actions of a side's states."""
    weights = np.zeros(len(graph.actions))
    which = np.flatnonzero((graph.sides == SIDES.index(side)) & (np.diff(graph.first_action) > 0))
    for first in range(0, len(which), CHUNK):
        states = which[first : first + CHUNK]
        batch = graph.batch(states, game_round)
        chances = _chances(agent, batch)
        counts = np.diff(graph.first_action)[states]
        rows = np.repeat(np.arange(len(states)), counts)
        places = np.concatenate([np.arange(graph.first_action[s], graph.first_action[s + 1]) for s in states])
        weights[places] = chances[rows, graph.actions[places]]
        kept = np.zeros(len(states))
        np.add.at(kept, rows, weights[places])
        if not np.allclose(kept, 1.0, atol=1e-9):
            worst = int(np.argmax(np.abs(kept - 1.0)))
            text = graph.encounter.ruleset.summary(batch.states[worst], graph.encounter.built)
            name = getattr(agent, "name", type(agent).__name__)
            raise SolveError(f"agent {name}: what it plays is not legal, or its chances do not sum to 1, in:\n{text}")
        if progress is not None:
            progress(len(states))
    return weights


def _chances(agent: Any, batch: Any) -> Array:
    """(B, A) float: the chances of all actions."""
    if hasattr(agent, "chances"):
        return np.asarray(agent.chances(batch), np.float64)
    actions = np.asarray(agent.act(batch))
    found = np.zeros((len(batch), batch.ruleset.size))
    inside = (actions >= 0) & (actions < batch.ruleset.size)
    found[np.flatnonzero(inside), actions[inside]] = 1.0
    return found
