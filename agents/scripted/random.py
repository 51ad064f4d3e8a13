"""The agent ``random``: any legal action, all with the same chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import BaseAgent
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]


class RandomAgent(BaseAgent):
    """Plays any legal action, all with the same chance."""

    reads_round = False

    def candidates(self, batch: Batch) -> Array:
        """(B, A) uint8: everything legal."""
        return batch.mask

    def act(self, batch: Batch) -> Array:
        """(B,) int64: a legal action in each skirmish, the same that environments draw in compiled code."""
        return self.draw(batch, batch.masks)
