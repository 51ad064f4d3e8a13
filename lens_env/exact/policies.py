"""What an agent does in every state of a graph, as chances of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError, SolveError
from lens_env.play.engine import Batch, certain

from .graph import StateGraph
from .solve import TOLERANCE, Fixed, Policy, Values, check_side

Array = np.ndarray[Any, Any]
CHUNK = 4096  # states that an agent is asked about at once
COSTLY_CHUNK = 64  # one that takes long for each, so that progress shows


def policy_of(graph: StateGraph, agent: Any, side: str, progress: Callable[[int], None] | None = None) -> Policy:
    """The policy of an agent for ``side`` ("party" or "foes"), asked about all of its states in batches.

    The agent says its chances in ``chances(batch)``, (B, A) float, or else plays ``act(batch)`` for certain. One whose
    attribute ``reads_round`` is false is asked once, any other for every round. SolveError if what it plays is not
    legal. ``progress`` is told how many states more have been asked about.
    """
    check_side(side)
    if getattr(agent, "reads_round", True):
        return ByRound(graph, agent, side, progress)
    weights = _asked(graph, agent, side, None, progress)
    return Fixed(weights, lambda other: policy_of(other, agent, side, progress))


class ByRound:
    """The policy of an agent that looks at the number of the round."""

    def __init__(self, graph: StateGraph, agent: Any, side: str, progress: Callable[[int], None] | None = None) -> None:
        self._graph, self._agent, self._side, self._progress = graph, agent, side, progress
        self._kept: dict[int, Array] = {}

    def weights(self, left: int) -> Array:
        """(A,) the chances with ``left`` more rounds to begin."""
        if left not in self._kept:
            game_round = self._graph.max_rounds - left
            self._kept = {left: _asked(self._graph, self._agent, self._side, game_round, self._progress)}
        return self._kept[left]

    def on(self, graph: StateGraph) -> Policy:
        """The same agent, asked in another graph."""
        return ByRound(graph, self._agent, self._side, self._progress)


class Optimum:
    """The optimal policy of one side, as a policy to play against: it looks at the rounds left."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def weights(self, left: int) -> Array:
        """(A,) 1 for the best action of each state."""
        return self._values.weights(left)

    def on(self, graph: StateGraph) -> Policy:
        """SolveError: what is optimal in one game says nothing in another one."""
        raise SolveError("an optimal policy is one of the game that it was found in")


def _asked(
    graph: StateGraph, agent: Any, side: str, game_round: int | None, progress: Callable[[int], None] | None
) -> Array:
    """(A,) the chances of the actions of a side's states; all alike where there can be no such round."""
    weights = np.zeros(len(graph.actions))
    counts = np.diff(graph.first_action)
    mine = (graph.sides == SIDES.index(side)) & (counts > 0)
    if game_round is not None:
        never = mine & ((graph.rounds == 0) != (game_round == 0))
        others = never[graph.owners]
        weights[others] = 1.0 / counts[graph.owners[others]]
        mine &= ~never
    ask(graph, agent, np.flatnonzero(mine), game_round, weights, progress)
    return weights


def ask(
    graph: StateGraph,
    agent: Any,
    which: Array,
    game_round: int | None,
    weights: Array,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write what an agent does in these states (n,), in which its side decides, into ``weights`` (A,)."""
    counts = np.diff(graph.first_action)
    chunk = COSTLY_CHUNK if getattr(agent, "costly", False) else CHUNK
    for first in range(0, len(which), chunk):
        states = which[first : first + chunk]
        batch = graph.batch(states, game_round)
        chances = _chances(agent, batch)
        rows = np.repeat(np.arange(len(states)), counts[states])
        places = np.concatenate([np.arange(graph.first_action[s], graph.first_action[s + 1]) for s in states])
        kept = np.bincount(rows, chances[rows, graph.actions[places]], len(states))
        wrong = (np.abs(chances.sum(axis=1) - kept) > TOLERANCE) | (np.abs(kept - 1.0) > TOLERANCE)
        wrong |= ~(chances >= 0).all(axis=1)  # not a number is not at least 0 either
        if wrong.any():
            text = graph.encounter.ruleset.summary(batch.states[int(wrong.argmax())], graph.encounter.built)
            raise SolveError(
                f"{_named(agent)}: what it plays is not legal, or its chances do not sum to 1, in:\n{text}"
            )
        weights[places] = chances[rows, graph.actions[places]] / kept[rows]
        if progress is not None:
            progress(len(states))


def _chances(agent: Any, batch: Batch) -> Array:
    """(B, A) float: the chances of all actions. SolveError if what the agent says has another form."""
    shape = len(batch), batch.ruleset.size
    if hasattr(agent, "chances"):
        found = np.asarray(agent.chances(batch))
        if found.shape != shape or found.dtype.kind not in "fiub":
            raise SolveError(f"{_named(agent)}: chances must be {shape} numbers, got {found.shape} of {found.dtype}")
        return found.astype(np.float64)
    try:
        return certain(agent.act(batch), batch)
    except LensError as error:
        raise SolveError(f"{_named(agent)}: {error}") from None


def _named(agent: Any) -> str:
    return f"agent {getattr(agent, 'name', type(agent).__name__)}"
