"""Small encounters, solved once."""

from __future__ import annotations

from functools import cache

from lens_env import load_encounter
from lens_env.exact import StateGraph, Values, build_graph


@cache
def graph_of(name: str, max_rounds: int | None = None) -> StateGraph:
    """The graph of an encounter that comes with lens_env, perhaps a shorter one."""
    encounter = load_encounter(name)
    return build_graph(encounter if max_rounds is None else encounter.with_changes({"max_rounds": max_rounds}))


@cache
def game_of(name: str, max_rounds: int | None = None) -> Values:
    """Its value if both sides play optimally."""
    return Values(graph_of(name, max_rounds))
