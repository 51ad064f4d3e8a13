"""Agents for Legends of Nor'Ova: what to do in the Defensive Turn, while the own turn is played alike."""

from __future__ import annotations

from agents.scripted.prefer import Preset

TURN = ("STAND", "ATTACK", "CAST", "MOVE", "SUPPORT", "END TURN", "SAVE")


def always_evade() -> Preset:
    """Evades whatever can be evaded; takes no blow for others, and strikes nobody back."""
    return Preset((*TURN, "PASS", "EVADE", "DEFEND", "NONE"), name="always_evade", focus=True)


def always_defend() -> Preset:
    """Braces behind its armour wherever that is offered; takes no blow for others, and strikes nobody back."""
    return Preset((*TURN, "PASS", "DEFEND", "EVADE", "NONE"), name="always_defend", focus=True)


def counter_first() -> Preset:
    """Strikes back, or uses a skill, before it thinks of evading; takes no blow for others."""
    return Preset((*TURN, "COUNTER", "SKILL", "PASS", "EVADE", "DEFEND", "NONE"), name="counter_first", focus=True)


def guardian() -> Preset:
    """Steps in for its allies, or protects them with a skill, as long as power and soul last; evades itself."""
    return Preset((*TURN, "GUARD", "EVADE", "SKILL", "PASS", "DEFEND", "NONE"), name="guardian", focus=True)
