"""Several opponents at once: each skirmish meets one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.base import Agent
from lens_env import Encounter
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]


class Mixed:
    """Lets one of several agents play a skirmish; which one follows from the skirmish's stream alone."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = tuple(agents)

    def reset(self, seed: int) -> None:
        """Begin anew with this seed."""
        for agent in self.agents:
            agent.reset(seed)

    def check(self, encounters: Sequence[Encounter]) -> None:
        """LensError if one of them cannot play there."""
        for agent in self.agents:
            agent.check(encounters)

    def act(self, batch: Batch) -> Array:
        """(B,) int64: what the agent of each skirmish plays."""
        source = batch.dice["source"]
        place = (source["seed_low"] + source["environment"] + source["episode"]) % len(self.agents)
        actions = np.zeros(len(batch), np.int64)
        for number, agent in enumerate(self.agents):
            rows = np.flatnonzero(place == number)
            if len(rows):
                actions[rows] = agent.act(batch.select(rows))
        return actions
