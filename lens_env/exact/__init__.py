"""Exact solving: every position of a small encounter, its value, and what each defence in it is worth."""

from __future__ import annotations

from .graph import MAX_STATES, StateGraph, build_graph
from .policies import Optimum, policy_of
from .solve import Fixed, Values, best_response, exploitability
from .thumb import Rule, rules_of_thumb
from .worth import Choice, Worth, choices, forbidding, worths

__all__ = [
    "MAX_STATES",
    "Choice",
    "Fixed",
    "Optimum",
    "Rule",
    "StateGraph",
    "Values",
    "Worth",
    "best_response",
    "build_graph",
    "choices",
    "exploitability",
    "forbidding",
    "policy_of",
    "rules_of_thumb",
    "worths",
]
