"""The agent ``exact``: plays the solution of an encounter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.base import Agent, BaseAgent, parts_of
from lens_env import Encounter
from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError
from lens_env.exact import MAX_STATES, OBJECTIVES, StateGraph, Values, best_response, build_graph, digest_of, policy_of
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]


class Solution:
    """The best action in every state of one encounter."""

    def __init__(self, graph: StateGraph, objective: str, against: Agent | None) -> None:
        self.graph = graph
        if against is None:
            self._by_side = [Values(graph, objective=objective)] * len(SIDES)  # the solution of the game serves both
        else:
            self._by_side = [
                best_response(graph, side, policy_of(graph, against, other), objective=objective)
                for side, other in (SIDES, SIDES[::-1])
            ]
        self._choices: dict[tuple[int, int], Array] = {}

    def actions(self, numbers: Array, sides: Array, left: Array) -> Array:
        """(n,) the action in these states (n,) of these sides, with so many rounds to begin."""
        found = np.zeros(len(numbers), np.int64)
        span = 1 + left.max(initial=0)
        for code in np.unique(sides * span + left).tolist():
            side, rounds = divmod(code, span)
            rows = np.flatnonzero((sides == side) & (left == rounds))
            states = numbers[rows]
            places = self.graph.first_action[:-1][states] + self._choice(side, rounds)[states]
            found[rows] = self.graph.actions[places]
        return found

    def _choice(self, side: int, left: int) -> Array:
        values = self._by_side[side]
        key = side, min(left, values.settled)
        if key not in self._choices:
            self._choices[key] = values.choice(key[1])
        return self._choices[key]


class ExactAgent(BaseAgent):
    """Plays the exact optimum, which it computes when it first meets an encounter, or reads from a file.

    ``file``: a graph saved by ``lens-env solve --save``; it plays no other encounter then. ``objective``: win or
    harm. ``against``: an agent to which it plays a best response, instead of being safe against everybody.
    ``max_states``: how large an encounter may be.
    """

    colon = "file"

    def __init__(
        self,
        file: str | None = None,
        *,
        objective: str = "win",
        against: Any = None,
        max_states: int = MAX_STATES,
        name: str = "exact",
    ) -> None:
        super().__init__(name)
        if objective not in OBJECTIVES:
            raise LensError(f"agent {name}: objective: allowed are {', '.join(OBJECTIVES)}, got {objective!r}")
        if file is not None and not isinstance(file, str):
            raise LensError(f"agent {name}: file: the path of a saved graph, got {file!r}")
        if isinstance(max_states, bool) or not isinstance(max_states, int) or max_states < 1:
            raise LensError(f"agent {name}: max_states: a whole number from 1, got {max_states!r}")
        self.objective, self.against, self.max_states = objective, against, max_states
        self.file = None if file is None else Path(file)
        self._solutions: dict[str, Solution] = {}

    def check(self, encounters: Sequence[Encounter]) -> None:
        """SolveError for an encounter that it has not been solved for, or that is too large to be solved."""
        for encounter in encounters:
            self._solution(encounter)

    def act(self, batch: Batch) -> Array:
        """(B,) int64: the best action; of equally good ones the first."""
        actions = np.zeros(len(batch), np.int64)
        for rows, encounter in parts_of(batch):
            solution = self._solution(encounter)
            states = batch.states[rows]
            numbers = solution.graph.find(states)
            if (numbers < 0).any():
                raise LensError(f"agent {self.name}: {encounter.name}: a position that play cannot reach")
            left = solution.graph.max_rounds - states["game_round"]
            actions[rows] = solution.actions(numbers, states["side"], left)
        return actions

    def _solution(self, encounter: Encounter) -> Solution:
        digest = digest_of(encounter)
        if digest not in self._solutions:
            against = None
            if self.against is not None:
                from agents.known import load_agent

                against = load_agent(self.against)
            if self.file is not None:
                graph = StateGraph.load(self.file, encounter)
            else:
                graph = build_graph(encounter, self.max_states)
            self._solutions[digest] = Solution(graph, self.objective, against)
        return self._solutions[digest]
