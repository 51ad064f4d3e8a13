"""Whom to strike: the target nearest to falling, with the highest expected damage."""

from __future__ import annotations

from typing import Any

import numpy as np

from lens_env.core.ruleset import Advice

Array = np.ndarray[Any, Any]


def on_the_weakest(legal: Array, advice: Advice) -> Array:
    """(B, A) uint8: the legal actions less every attack but the best.

    The best is the one with the highest expected damage on the target nearest to falling. Actions that prepare an
    attack (forming a spell) remain only if what they prepare promises more than the best attack at hand.
    """
    columns = np.flatnonzero(legal.any(axis=0) & (advice.expected > 0).any(axis=0))
    if not len(columns):
        return legal
    open_, expected, target = legal[:, columns] != 0, advice.expected[:, columns], advice.target[columns]
    strikes = open_ & (expected > 0) & (target >= 0)
    health = np.where(strikes, advice.health[:, np.maximum(target, 0)], np.inf)
    weakest = strikes & (health == health.min(axis=1, keepdims=True))
    damage = np.where(weakest, expected, 0.0)
    most = damage.max(axis=1, keepdims=True)
    prepares = open_ & (target < 0) & (expected > most)
    useless = open_ & (expected > 0) & ~(weakest & (damage == most)) & ~prepares
    kept = legal.copy()
    kept[:, columns] -= useless
    return kept
