"""The GM policy ``aggressive``, which may lead either side."""

from __future__ import annotations

from agents.scripted.prefer import RECOVERY, Preset

PREFERENCES = (
    *(*RECOVERY, "STAND", "RECOVER WEAPON", "FORM", "CAST", "ATTACK", "MOVE", "RECOVER", "END TURN", "BEFORE"),
    *("SACRIFICE", "SAVE", "GUARD", "PASS", "REDUCE DAMAGE", "CASH AP", "CASH POISE", "DONE", "IMPOSE", "PUSH"),
    *("MITIGATE", "ABJURE", "CLASH", "BLOCK", "PARRY", "DODGE", "EVADE", "DEFEND", "NONE"),
)


def aggressive() -> Preset:
    """The attack with the highest expected damage on the target nearest to falling.

    Moves towards the nearest enemy, stands up, recovers its weapon, and spends no Momentum on helping. It defends
    with what costs nothing, if it can, else with what may hurt the attacker.
    """
    return Preset(PREFERENCES, name="aggressive", focus=True)
