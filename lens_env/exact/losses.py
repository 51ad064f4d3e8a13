"""What the actions of a skirmish cost, by the values of a solved encounter."""

from __future__ import annotations

from typing import Any

import numpy as np

from lens_env.errors import SolveError

from .solve import Values

Array = np.ndarray[Any, Any]


class Losses:
    """What actions cost their side, against the best that it could have done in the same position.

    With the values of a best response to the other side's policy, the expected sum of an agent's losses over a
    skirmish against that policy is its regret: the value of the best response less its own (Kakade and Langford,
    "Approximately optimal approximate reinforcement learning", ICML 2002, lemma 6.1). The sum varies far less from
    skirmish to skirmish than victory does.
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        self._known: dict[int, Array] = {}

    def of(self, batch: Any, actions: Array) -> Array:
        """(B,) float64, 0 for the best: of legal actions (B,) in skirmishes of the encounter that are not over."""
        graph = self._values.graph
        numbers = graph.find(batch.states)
        if (numbers < 0).any():
            raise SolveError(f"{graph.encounter.name}: a position that play cannot reach")
        rounds = np.minimum(graph.max_rounds - batch.states["game_round"], self._values.settled)
        found = np.zeros(len(numbers))
        for left in np.unique(rounds).tolist():
            rows = np.flatnonzero(rounds == left)
            first, last = graph.first_action[numbers[rows]], graph.first_action[numbers[rows] + 1]
            places = [
                int(begin) + int(np.flatnonzero(graph.actions[begin:end] == action)[0])
                for begin, end, action in zip(first, last, actions[rows], strict=True)
            ]
            found[rows] = self._regrets(left)[places]
        return found

    def _regrets(self, left: int) -> Array:
        if left not in self._known:
            self._known[left] = self._values.regrets(left)
        return self._known[left]
