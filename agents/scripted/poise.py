"""Agents that reckon: ``poise_miser`` and ``tier_gambler``.

Both take the defence with the smallest exact chance of failing, by the roll itself where it lies open; they differ
in whether to go without a defence is one of the choices.
"""

from __future__ import annotations

from agents.scripted.prefer import ANSWERS, TURN, Preset

DEFENSES = ("CLASH", "BLOCK", "PARRY", "DODGE", "MITIGATE", "ABJURE")  # the preference among equally sure ones


def poise_miser() -> Preset:
    """Recovers before it attacks, cashes Criticals for Poise, and defends by what fails least often."""
    return Preset((*TURN, *ANSWERS, *DEFENSES, "NONE"), name="poise_miser", focus=True, surest=DEFENSES)


def tier_gambler() -> Preset:
    """Goes without a defence when the Tier Score stops the attack more surely than the best defence would.

    On equal chances it does not defend, for that costs no Poise.
    """
    return Preset((*TURN, *ANSWERS, "NONE", *DEFENSES), name="tier_gambler", focus=True, surest=("NONE", *DEFENSES))
