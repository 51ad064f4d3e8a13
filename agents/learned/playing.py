"""What agents with a saved policy have in common: observing a batch, and choosing among the legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator, Philox

from agents.base import BaseAgent
from lens_env import Encounter
from lens_env.core.seats import views
from lens_env.errors import LensError
from lens_env.play.engine import Batch

from .card import check_encounters, read_card

Array = np.ndarray[Any, Any]


def observe(batch: Batch, slots: int) -> Array:
    """(B, D) float32: what the decider of each skirmish sees; nobody may be without one."""
    rules = batch.ruleset
    scene, fighter = len(rules.scene), len(rules.fighter)
    room = np.zeros((max(2, len(batch)), scene + 2 * slots * fighter), np.float32)
    where = batch.states, batch.dice, batch.setups, batch.which, batch.logs, np.ascontiguousarray(batch.deciders)
    batch.engine.run("observe_many", *where, *views(room, scene, fighter))
    return room[: len(batch)]


class NetworkAgent(BaseAgent):
    """Plays the legal action that a network likes best, or draws among them as training did (``sample``)."""

    colon = "folder"

    def __init__(self, folder: str, *, sample: bool = False, name: str = "") -> None:
        super().__init__(name)
        if not isinstance(sample, bool):
            raise LensError(f"agent {self.name}: sample: true or false, got {sample!r}")
        if not isinstance(folder, str) or not folder:
            raise LensError(f"agent {self.name}: folder: the folder of a saved policy, got {folder!r}")
        self.folder = Path(folder)
        self.card = read_card(self.folder)
        self.sample = sample
        if sample and self.card.get("training", {}).get("algorithm") == "dqn":
            raise LensError(f"agent {self.name}: sample: a policy of dqn has values of actions, no chances to draw by")

    def check(self, encounters: Sequence[Encounter]) -> None:
        """LensError for an encounter that the policy was not trained to play."""
        check_encounters(self.name, self.card, encounters)

    def scores(self, observations: Array) -> Array:
        """(B, A) float32: what the network says of each action, legal or not."""
        raise NotImplementedError

    def act(self, batch: Batch) -> Array:
        """(B,) int64: the legal action with the highest score, of equals the first; or one drawn by its chance."""
        if not self.sample:
            return best_of(self.scores(observe(batch, self.card["slots"])), batch.mask)
        sums = self.chances(batch).cumsum(axis=1)
        found: Array = (sums > (self._uniform(batch) * sums[:, -1])[:, None]).argmax(axis=1).astype(np.int64)
        return found

    def chances(self, batch: Batch) -> Array:
        """(B, A) float64: how likely each action is to be played."""
        if not self.sample:
            return super().chances(batch)
        scores = self.scores(observe(batch, self.card["slots"])).astype(np.float64)
        scores = np.where(batch.mask != 0, scores, -np.inf)
        found: Array = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances: Array = found / found.sum(axis=1, keepdims=True)
        return chances

    def _uniform(self, batch: Batch) -> Array:
        """(B,) float64 in [0, 1): a function of the seed, the skirmish's stream, its history and the side alone."""
        own = batch.dice["source"]
        stream = [own[name].tolist() for name in ("seed_low", "seed_high", "environment", "episode")]
        rows = zip(*stream, batch.dice["trail"].tolist(), batch.sides.tolist(), strict=True)
        low, high = self.seed
        drawn = [
            # the lowest 64 bits of the counter are those that drawing advances
            Generator(Philox(counter=[0, trail, environment, episode << 1 | side], key=[low ^ a << 32, high ^ b << 32]))
            for a, b, environment, episode, trail, side in rows
        ]
        return np.array([generator.random() for generator in drawn])


def best_of(scores: Array, masks: Array) -> Array:
    """(B,) int64: the legal action (masks: (B, A), 0 = not) with the highest score; of equals the first."""
    found: Array = np.where(masks != 0, scores, -np.inf).argmax(axis=1).astype(np.int64)
    return found


__all__ = ["NetworkAgent", "best_of", "observe"]
