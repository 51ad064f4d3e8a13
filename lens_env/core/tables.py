"""Building the exact tables that :mod:`lens_env.core.dice` draws from. Plain Python: runs once an encounter."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from .dice import MAX_TOTAL, WEIGHTS, pool_index


def sum_weights(dice: int, sides: int) -> list[int]:
    """In how many ways ``dice`` equal dice of ``sides`` show each sum, from ``dice`` to ``dice * sides``."""
    weights = [1]
    for _ in range(dice):
        longer = [0] * (len(weights) + sides - 1)
        for i, weight in enumerate(weights):
            for face in range(sides):
                longer[i + face] += weight
        weights = longer
    return weights


def pool_weights(dice: int, sides: int, success_at: int, critical_at: int) -> list[int]:
    """In how many ways a pool shows each (successes, criticals), in the order of ``dice.pool_index``.

    Multinomial: a die shows a critical in ``sides - critical_at + 1`` ways, a plain success in
    ``critical_at - success_at`` ways, and nothing in ``success_at - 1`` ways.
    """
    critical, plain, nothing = sides - critical_at + 1, critical_at - success_at, success_at - 1
    weights = [0] * (pool_index(dice, dice) + 1)
    for successes in range(dice + 1):
        for criticals in range(successes + 1):
            ways = comb(dice, successes) * comb(successes, criticals)
            weights[pool_index(successes, criticals)] = (
                ways * critical**criticals * plain ** (successes - criticals) * nothing ** (dice - successes)
            )
    return weights


def check(weights: list[int]) -> str | None:
    """Why a table of these weights would not fit, or None."""
    if len(weights) > WEIGHTS:
        return f"{len(weights)} different results; at most {WEIGHTS}"
    if sum(weights) > MAX_TOTAL:
        return f"{sum(weights):,} equally likely cases; at most {MAX_TOTAL:,}"
    return None


def fill(table: Any, weights: list[int], least: int) -> None:
    """Write a distribution into a Table record; ValueError if it does not fit."""
    problem = check(weights)
    if problem:
        raise ValueError(problem)
    table["least"], table["count"], table["total"] = least, len(weights), sum(weights)
    table["weights"][:] = 0
    table["weights"][: len(weights)] = weights


def fill_sum(table: Any, dice: int, sides: int) -> None:
    """Make ``table`` the sum of ``dice`` dice of ``sides``; no dice is the constant 0."""
    fill(table, sum_weights(dice, sides), dice)


def mean(table: Any, less: int = 0) -> float:
    """The mean of what a table shows, of which ``less`` points are taken off, never below 0; 0 if it is empty."""
    if table["total"] == 0:
        return 0.0
    shown = table["least"] + np.arange(len(table["weights"]))
    return float((np.maximum(shown - less, 0) * table["weights"]).sum() / table["total"])
