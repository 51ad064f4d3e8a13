"""Who decides: agents for any ruleset, found by name with :func:`load_agent`."""

from __future__ import annotations

from agents.base import Agent, BaseAgent
from agents.known import list_agents, load_agent, modules_of

__all__ = ["Agent", "BaseAgent", "list_agents", "load_agent", "modules_of"]
