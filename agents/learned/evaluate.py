"""How good a policy is: by play, and exactly on the graph of a small encounter."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import Agent
from lens_env import Encounter
from lens_env.core.loops import NOTHING
from lens_env.core.ruleset import SIDES
from lens_env.exact import StateGraph, Values, best_response, policy_of
from lens_env.play.engine import Batch

Figures = dict[str, Any]


def play(encounter: Encounter, side: str, agent: Agent, opponent: Agent, skirmishes: int, seed: int) -> float:
    """The mean outcome for ``side``: 1 won, 0.5 undecided, 0 lost."""
    own = SIDES.index(side)
    for one in (agent, opponent):
        one.reset(seed)
    batch = Batch(encounter, skirmishes, seed=seed)
    while not batch.over.all():
        actions = np.full(len(batch), NOTHING)
        for number, one in ((own, agent), (1 - own, opponent)):
            rows = np.flatnonzero((batch.sides == number) & ~batch.over)
            if len(rows):
                actions[rows] = one.act(batch.select(rows))
        batch.step(actions)
    won, undecided = batch.winners == own + 1, batch.winners == 3
    return float(won.mean() + undecided.mean() / 2)


class Exactly:
    """The exact value of policies of one side against one opponent, in one encounter."""

    def __init__(self, graph: StateGraph, side: str, opponent: Agent) -> None:
        self.graph, self.side = graph, side
        opponent.reset(0)
        self._other = policy_of(graph, opponent, SIDES[1 - SIDES.index(side)])
        self.optimum = self._for_side(best_response(graph, side, self._other).value)

    def _for_side(self, value: float) -> float:
        return value if self.side == "party" else 1 - value

    def value(self, agent: Agent) -> Figures:
        """Its ``value`` (0..1, from its side), the ``optimum``, ``regret`` and ``share`` of the optimum."""
        policies = {self.side: policy_of(self.graph, agent, self.side)}
        policies[SIDES[1 - SIDES.index(self.side)]] = self._other
        value = self._for_side(Values(self.graph, party=policies["party"], foes=policies["foes"]).value)
        share = value / self.optimum if self.optimum > 0 else 1.0
        return {"value": value, "optimum": self.optimum, "regret": self.optimum - value, "share": share}
