"""What a picture shows of Legacy of Lamashtu: Health, Poise, Action Points, conditions, and the attack under way."""

from __future__ import annotations

from typing import Any

from lens_env.core.layout import NOWHERE
from lens_env.core.ruleset import Built, Count, Picture, Portrait

from .codes import Defense
from .text import conditions, count


def depict(state: Any, built: Built) -> Picture:
    """The fighters as they stand, and who attacks whom."""
    sheets = built.setup[0]["sheets"]
    return Picture(
        portraits=tuple(portrait(state["fighters"][who], sheets[who]) for who in range(len(built.fighters))),
        attack=attack_text(state, sheets),
        attacker=int(state["attacker"]) - 1,
        target=int(state["target"]) - 1,
    )


def portrait(fighter: Any, sheet: Any) -> Portrait:
    """A fighter."""
    points, banked = int(fighter["points"]), int(fighter["banked"])
    notes = conditions(fighter, sheet) + ([f"{banked} banked"] if banked else [])
    return Portrait(
        bars=tuple(Count(name, int(fighter[name.lower()]), int(sheet[name.lower()])) for name in ("Health", "Poise")),
        pips=Count("Action Points", points, max(points, int(sheet["points"]))),
        notes=() if fighter["out"] else tuple(notes),
        out=bool(fighter["out"]),
        cell=None if fighter["x"] == NOWHERE else (int(fighter["x"]), int(fighter["y"])),
    )


def attack_text(state: Any, sheets: Any) -> str:
    """The attack under way, its revealed roll, and the defence chosen; "" if there is none."""
    attacker = int(state["attacker"]) - 1
    if attacker < 0:
        return ""
    dice, damage = int(sheets[attacker]["attack"]), int(sheets[attacker]["damage"])
    parts = [f"{count(dice, 'die', 'dice')} for {damage} damage"]
    if state["rolled"]:
        parts.append(count(int(state["rolled"]) - 1, "success", "successes"))
    if state["defense"]:
        parts.append(f"against {Defense(int(state['defense'])).name}")
    return "; ".join(parts)
