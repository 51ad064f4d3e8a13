"""What searching agents share: how their settings are read."""

from __future__ import annotations

from typing import Any

from agents.scripted.plan import PlanAgent
from lens_env.errors import LensError


def whole(agent: str, setting: str, value: Any, least: int, most: int) -> int:
    """A whole number in these bounds, which may be given as text; LensError otherwise."""
    try:
        found = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else least - 1
    except ValueError:
        found = least - 1
    if not least <= found <= most:
        raise LensError(f"agent {agent}: {setting}: a whole number from {least} to {most}, got {value!r}")
    return found


def plan_agent(agent: str, setting: str, spec: Any) -> PlanAgent:
    """A scripted agent by name or settings; LensError if it follows no written plan."""
    from agents.known import load_agent

    found = load_agent(spec)
    if not isinstance(found, PlanAgent):
        raise LensError(f"agent {agent}: {setting}: a scripted agent, got {found.name}, which follows no written plan")
    return found
