"""What a searching agent loses to the best response, found in play: asking it everywhere would take too long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t

from agents import Agent
from experiments.evaluate_play import COSTLY_SHARE
from experiments.results import CONFIDENCE
from experiments.tournament import play_batch
from lens_env import Encounter
from lens_env.exact import Losses, Values
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]

MOST_WATCHED = 400  # skirmishes


@dataclass(frozen=True)
class Mean:
    """A mean over skirmishes with its interval (95 %, Student's t)."""

    mean: float
    low: float
    high: float
    skirmishes: int


class _Watch:
    """Adds up the losses of a side's actions, skirmish by skirmish."""

    def __init__(self, losses: Losses, side: int, total: Array) -> None:
        self._losses, self._side, self._total = losses, side, total

    def decided(self, batch: Batch, actions: Array) -> None:
        """Add what these actions cost."""
        rows = np.flatnonzero((batch.sides == self._side) & ~batch.over)
        if len(rows):
            numbers = batch.dice["source"]["environment"][rows]
            self._total[numbers] += self._losses.of(batch.select(rows), actions[rows])

    def finished(self, batch: Batch) -> None:
        """Nothing is lost any more."""


def regret_in_play(
    encounter: Encounter,
    best: Values,
    side: int,
    agents: Sequence[Agent],
    seed: int,
    skirmishes: int,
    tell: Callable[[int], None],
) -> Mean:
    """The mean sum of losses of a side's agent in skirmishes 0..skirmishes - 1 (two or more).

    ``best``: the values of the best response to the other side's agent; ``agents``: the party's and the foes';
    ``tell`` is told how many skirmishes more have been played.
    """
    total = np.zeros(skirmishes)
    for agent in agents:
        agent.reset(seed)
    losses = Losses(best)
    for first in range(0, skirmishes, COSTLY_SHARE):
        environments = np.arange(first, min(first + COSTLY_SHARE, skirmishes))
        batch = Batch(encounter, len(environments), seed=seed, environments=environments)
        play_batch(batch, agents, _Watch(losses, side, total))
        tell(len(environments))
    return mean_of(total)


def mean_of(values: Array) -> Mean:
    """The mean of two or more numbers of 0 and above, with its interval."""
    mean, error = float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5
    reach = float(t.ppf((1 + CONFIDENCE) / 2, len(values) - 1)) * error
    return Mean(mean, max(0.0, mean - reach), mean + reach, len(values))
