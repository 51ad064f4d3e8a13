"""Finding agents by name: our own, and those that others installed under the entry-point group lens_env.agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from agents.base import Agent
from lens_env.errors import LensError
from lens_env.play import yaml_text

ENTRY_POINTS = "lens_env.agents"
JOINED = "joined"  # the agent that "attack+defense" stands for
OWN = {
    "random": "agents.scripted.random:RandomAgent",
    "prefer": "agents.scripted.prefer:PreferAgent",
    "always_block": "agents.scripted.prefer:always_block",
    "always_dodge": "agents.scripted.prefer:always_dodge",
    "always_parry": "agents.scripted.prefer:always_parry",
    "always_clash": "agents.scripted.prefer:always_clash",
    "always_mitigate": "agents.scripted.prefer:always_mitigate",
    "never_defend": "agents.scripted.prefer:never_defend",
    "balanced": "agents.scripted.prefer:balanced",
    "aggressive": "agents.scripted.gm:aggressive",
    "poise_miser": "agents.scripted.poise:poise_miser",
    "tier_gambler": "agents.scripted.poise:tier_gambler",
    "always_evade": "agents.scripted.defensive_turn:always_evade",
    "always_defend": "agents.scripted.defensive_turn:always_defend",
    "counter_first": "agents.scripted.defensive_turn:counter_first",
    "guardian": "agents.scripted.defensive_turn:guardian",
    "focus_weakest": "agents.scripted.parts:focus_weakest",
    "focus_strongest": "agents.scripted.parts:focus_strongest",
    "spread": "agents.scripted.parts:spread",
    "tag_hunter": "agents.scripted.parts:tag_hunter",
    "cautious": "agents.scripted.parts:cautious",
    "thrifty": "agents.scripted.parts:thrifty",
    "last_stand": "agents.scripted.parts:last_stand",
    "expected_harm": "agents.scripted.parts:expected_harm",
    "joined": "agents.scripted.parts:joined",
    "greedy": "agents.search.ahead:greedy",
    "expectimax": "agents.search.ahead:ExpectimaxAgent",
    "mcts": "agents.search.uct:MctsAgent",
    "exact": "agents.exact:ExactAgent",
    "policy": "agents.learned.policy:PolicyAgent",
    "onnx": "agents.learned.onnx:OnnxAgent",
}

Spec = str | Mapping[str, Any]


@cache
def list_agents() -> dict[str, str]:
    """The known agents as "module:factory" by name: others' first, then our own, which nobody replaces."""
    others = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return {**others, **OWN}


def describe_agent(name: str) -> str:
    """The first line of an agent's documentation."""
    return (factory_of(name).__doc__ or "").strip().partition("\n")[0]


def load_agent(spec: Spec) -> Agent:
    """An agent by name, or by name and settings.

    ``"always_block"``; ``"prefer:BLOCK,ATTACK"`` (what follows the colon is the setting that the agent calls its
    ``colon``, a list of words if ``colon_lists``: here the preferences of ``prefer``);
    ``{"agent": "prefer", "preferences": ["BLOCK", "ATTACK"], "reserve": 1}``, also as text (YAML);
    ``"aggressive+thrifty"``: attacks as the one and defends as the other. Raises LensError with the known names, or
    the settings that the agent takes.
    """
    name, settings, argument = _parse(spec)
    factory = factory_of(name)
    if argument is not None:
        if not hasattr(factory, "colon"):
            raise LensError(f"agent {name!r} takes no settings after a colon; write only {name!r}")
        words = [word.strip() for word in argument.split(",") if word.strip()]
        settings[factory.colon] = words if getattr(factory, "colon_lists", False) else argument
    try:
        agent = factory(**settings)
    except TypeError as error:
        raise LensError(f"agent {name!r}: its settings do not fit: {_plain(error)}") from None
    if not isinstance(agent, Agent):
        raise LensError(f"agent {name!r}: {_place(name)} makes no agent (it lacks reset, act, choose or check)")
    if isinstance(spec, str):
        agent.name = spec
    return agent


def modules_of(spec: Spec) -> tuple[str, ...]:
    """The names of the modules that make this agent, and those that it is joined of."""
    name, settings, _ = _parse(spec)
    parts = [settings[key] for key in ("attack", "defense") if name == JOINED and key in settings]
    found = {_place(name).partition(":")[0]} | {module for part in parts for module in modules_of(part)}
    return tuple(sorted(found))


def _parse(spec: Spec) -> tuple[str, dict[str, Any], str | None]:
    """The name, the settings, and what follows a colon."""
    if isinstance(spec, str) and spec.lstrip().startswith("{"):
        spec = yaml_text.read(spec, f"agent {spec}")[0]
    if isinstance(spec, str):
        attack, plus, defense = spec.partition("+")
        if plus and ":" not in attack:
            return JOINED, {"attack": attack.strip(), "defense": defense.strip()}, None
        name, colon, rest = spec.partition(":")
        return name.strip(), {}, rest.strip() if colon else None
    if not isinstance(spec, Mapping) or not isinstance(spec.get("agent"), str):
        raise LensError(f"an agent is a name or a mapping with the key 'agent', got {spec!r}")
    return spec["agent"], {key: value for key, value in spec.items() if key != "agent"}, None


def _place(name: str) -> str:
    """Where an agent's factory is; LensError with the known names if there is none."""
    known = list_agents()
    if name not in known:
        near = get_close_matches(name, known, 1)
        hint = f", did you mean {near[0]!r}?" if near else ""
        raise LensError(f"unknown agent {name!r}{hint}; known: {', '.join(sorted(known))}")
    return known[name]


def factory_of(name: str) -> Callable[..., Any]:
    """What makes an agent. LensError with the known names if there is none, or why it cannot be loaded."""
    module, _, attribute = _place(name).partition(":")
    try:
        factory: Callable[..., Any] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise LensError(f"agent {name!r} cannot be loaded from {_place(name)}: {error}") from None
    return factory


def _plain(error: TypeError) -> str:
    """The message of a wrong call without the name of the function."""
    _, _, rest = str(error).partition("() ")
    return rest or str(error)
