"""Ways to attack and ways to defend: each is an agent of its own, and any two can be joined, ``aggressive+thrifty``.

As an agent of its own a way to attack defends as ``balanced`` does, and a way to defend attacks as it does.
"""

from __future__ import annotations

from typing import Any

from agents.scripted.plan import Attack, Defense, PlanAgent
from agents.scripted.prefer import ACTIVE, ANSWERS, PASSIVE, TURN
from lens_env.core.policies import Focus, When
from lens_env.errors import LensError

EAGER = (*ANSWERS, *ACTIVE, *PASSIVE, "NONE")
CALM = (*ANSWERS, *PASSIVE, "NONE", *ACTIVE)
BALANCED = Attack((*TURN, *ANSWERS), Focus.WEAKEST, 1)


def _attacks(name: str, focus: Focus, reserve: int = 1) -> PlanAgent:
    return PlanAgent(Attack((*TURN, *ANSWERS), focus, reserve), Defense(EAGER), name)


def _defends(name: str, defense: Defense) -> PlanAgent:
    return PlanAgent(BALANCED, defense, name)


# --- whom to attack ----------------------------------------------------------------------------------------


def focus_weakest() -> PlanAgent:
    """Attacks the enemy with the least life left, by what does the most damage there."""
    return _attacks("focus_weakest", Focus.WEAKEST)


def focus_strongest() -> PlanAgent:
    """Attacks the enemy with the most life left, by what does the most damage there."""
    return _attacks("focus_strongest", Focus.STRONGEST)


def spread() -> PlanAgent:
    """Attacks the enemy that has lost the least share of its life, so that all are hurt alike."""
    return _attacks("spread", Focus.FRESHEST)


def tag_hunter() -> PlanAgent:
    """Attacks by what does the most harm to a target that defends as well as it can: tags rule out its best defence.

    The exchange is foreseen exactly. It readies tags first where the attack promises more then than at once.
    """
    return _attacks("tag_hunter", Focus.OPENING)


def cautious() -> PlanAgent:
    """Attacks the weakest enemy, but keeps two points of Momentum for reactions."""
    return _attacks("cautious", Focus.WEAKEST, reserve=2)


# --- how to answer an attack -------------------------------------------------------------------------------


def _share(name: str, threshold: Any) -> float:
    """A share from 0 to 1; LensError otherwise."""
    try:
        found = float(threshold)
    except (TypeError, ValueError):
        found = -1.0
    if isinstance(threshold, bool) or not 0.0 <= found <= 1.0:
        raise LensError(f"agent {name}: threshold: a share from 0 to 1, got {threshold!r}")
    return found


def thrifty(threshold: Any = 0.25) -> PlanAgent:
    """Defends actively only against an attack that threatens at least a quarter of the life left.

    ``threshold``: another share, 0..1.
    """
    share = _share("thrifty", threshold)
    return _defends("thrifty", Defense(EAGER, CALM, When.THREATENED, share))


def last_stand(threshold: Any = 0.5) -> PlanAgent:
    """Defends actively only once it has at most half of its life left.

    ``threshold``: another share, 0..1.
    """
    return _defends("last_stand", Defense(EAGER, CALM, When.HURT, _share("last_stand", threshold)))


def expected_harm() -> PlanAgent:
    """Defends by what leaves it best off at the end of this exchange, exactly; of equally good defences the cheapest.

    All dice and all that both sides may still decide in the exchange are reckoned with, and nothing beyond it.
    """
    return _defends("expected_harm", Defense(CALM, careful=True))


thrifty.colon = last_stand.colon = "threshold"  # type: ignore[attr-defined]


# --- both --------------------------------------------------------------------------------------------------


def joined(attack: Any, defense: Any, name: str = "joined") -> PlanAgent:
    """Attacks as one agent and defends as another, so that ways to defend are compared with the rest held equal.

    ``attack``, ``defense``: the names (or settings) of scripted agents.
    """
    from agents.known import load_agent

    found = [load_agent(spec) for spec in (attack, defense)]
    for part, agent in zip(("attack", "defense"), found, strict=True):
        if not isinstance(agent, PlanAgent):
            raise LensError(f"agent {name}: {part}: {agent.name} follows no written plan, so it cannot be joined")
    one, other = found
    assert isinstance(one, PlanAgent) and isinstance(other, PlanAgent)
    return PlanAgent(one.attack, other.defense, name)
