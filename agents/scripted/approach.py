"""Walking towards the enemy, for every scripted agent: a matter of distance, not of preference."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def without_detours(legal: Array, distance: Array) -> Array:
    """(B, A) uint8: the legal actions less every walk that does not bring an enemy nearer.

    Of the legal actions that ``distance`` (B, A; see ``lens_env.core.ruleset.Advice``) speaks of, only the best
    remains: the nearest step, or what stays in place (it comes first in the catalogue) if none is better. So a
    MOVE is dropped where nothing is gained, and a mover stops as soon as it is in reach.
    """
    known = ~np.isnan(distance)
    columns = np.flatnonzero(known.any(axis=0))
    walks = (legal[:, columns] != 0) & known[:, columns]
    rows = np.flatnonzero(walks.any(axis=1))
    if not len(rows):
        return legal
    best = columns[np.where(walks[rows], distance[rows[:, None], columns], np.inf).argmin(axis=1)]
    kept = legal.copy()
    kept[:, columns] -= walks
    kept[rows, best] = 1
    return kept
