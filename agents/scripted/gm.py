"""The GM policy ``aggressive``, which may lead either side."""

from __future__ import annotations

from agents.scripted.prefer import Preset

PREFERENCES = (
    *("STAND", "RECOVER WEAPON", "FORM", "CAST", "ATTACK", "MOVE", "END TURN", "BEFORE"),
    *("SACRIFICE", "GUARD", "PASS", "REDUCE DAMAGE", *(f"RECOVER {points}" for points in range(9, -1, -1))),
    *("MITIGATE", "ABJURE", "BLOCK", "PARRY", "DODGE", "NONE"),
)


def aggressive() -> Preset:
    """The attack with the highest expected damage on the target nearest to falling.

    Moves towards the nearest enemy, stands up, recovers its weapon, and spends no Momentum on helping. On the
    party's side it defends with what costs nothing, if it can.
    """
    return Preset(PREFERENCES, name="aggressive", focus=True)
