"""Which defence fails least often: for scripted agents that reckon with the exact odds."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

ALIKE = 1e-12  # chances that differ by less are the same chance


def the_surest(legal: Array, risk: Array | None, compared: Array) -> Array:
    """(B, A) uint8: the legal actions less every compared one that fails more often than the surest of them.

    ``risk`` (B, A) is that of ``lens_env.core.ruleset.Advice``; ``compared`` (A,) bool tells which actions are
    weighed against each other. Where nothing is known of them, all remain.
    """
    if risk is None or not compared.any():
        return legal
    weighed = (legal != 0) & compared & ~np.isnan(risk)
    rows = np.flatnonzero(weighed.any(axis=1))
    if not len(rows):
        return legal
    chances = np.where(weighed[rows], risk[rows], np.inf)
    least = chances.min(axis=1, keepdims=True)
    kept = legal.copy()
    kept[rows] -= weighed[rows] & (chances > least + ALIKE)
    return kept
