"""What the actions of an encounter are called: unique names by catalogue index."""

from __future__ import annotations

from collections.abc import Sequence

from lens_env.core.board import Direction
from lens_env.core.naming import unique

from . import catalogue
from .codes import Cash, Defense

FIXED = {
    catalogue.END_TURN: "END TURN",
    catalogue.MOVE: "MOVE",
    catalogue.STOP: "STOP",
    catalogue.STAND: "STAND",
    catalogue.RECOVER: "RECOVER",
    catalogue.DONE: "DONE",
    catalogue.IMPOSE: "IMPOSE",
    catalogue.DECLINE: "DECLINE",
    **{catalogue.DEFEND + code: code.name for code in Defense},
    **{catalogue.CASH + code: f"CASH {code.name}" for code in Cash},
    **{catalogue.STEP + code: f"STEP {code.name}" for code in Direction},
    **{catalogue.PUSH + code: f"PUSH {code.name}" for code in Direction},
}


def action_names(fighters: Sequence[str]) -> tuple[str, ...]:
    """The name of every action by index, all different; unused ones are called "#index"."""
    names = FIXED | {catalogue.ATTACK + who: f"ATTACK {name}" for who, name in enumerate(fighters)}
    return unique([(names.get(index, f"#{index}"), 0) for index in range(catalogue.SIZE)])
