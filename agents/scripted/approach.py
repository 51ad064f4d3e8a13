"""Walking towards the enemy, for every scripted agent: a matter of distance, not of preference."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

NOWHERE = 1e9  # steps; stands for a walk that is legal but leads nowhere


def without_detours(legal: Array, distance: Array) -> Array:
    """(B, A) uint8: the legal actions less every walk that does not bring an enemy nearer.

    Of the steps that ``distance`` (B, A; see ``lens_env.core.ruleset.Advice``) speaks of, only the best remains, or
    STOP (it comes first in the catalogue) if none is better than that; a MOVE that leads nowhere is dropped.
    """
    known = ~np.isnan(distance)
    columns = np.flatnonzero(known.any(axis=0))
    walks = (legal[:, columns] != 0) & known[:, columns]
    rows = np.flatnonzero(walks.any(axis=1))
    if not len(rows):
        return legal
    steps = np.where(walks, np.minimum(distance[:, columns], NOWHERE), np.inf)
    best = steps.argmin(axis=1)
    kept = legal.copy()
    kept[:, columns] -= walks
    useful = rows[(steps[rows, best[rows]] < NOWHERE) | ~kept[rows].any(axis=1)]
    kept[useful, columns[best[useful]]] = 1
    return kept
