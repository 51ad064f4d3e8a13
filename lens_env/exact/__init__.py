"""Exact solving: every position of a small encounter, its value, and what each defence in it is worth."""

from __future__ import annotations

from .build import MAX_STATES, Standing, build_graph
from .export import Unrolled, unrolled, write_arrays, write_drn
from .graph import StateGraph, digest_of
from .losses import Losses
from .policies import Optimum, policy_of
from .reached import Reached, TooManyStates, value_of
from .solve import OBJECTIVES, Fixed, Policy, Values, best_response, exploitability
from .thumb import Rule, rules_of_thumb
from .worth import Choice, Worth, choices, forbidding, solved_without, worths

__all__ = [
    "MAX_STATES",
    "OBJECTIVES",
    "Choice",
    "Fixed",
    "Losses",
    "Optimum",
    "Policy",
    "Reached",
    "Rule",
    "Standing",
    "StateGraph",
    "TooManyStates",
    "Unrolled",
    "Values",
    "Worth",
    "best_response",
    "build_graph",
    "choices",
    "digest_of",
    "exploitability",
    "forbidding",
    "policy_of",
    "rules_of_thumb",
    "solved_without",
    "unrolled",
    "value_of",
    "worths",
    "write_arrays",
    "write_drn",
]
