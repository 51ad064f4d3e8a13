"""What a picture shows of The Lens: pools, Momentum, conditions, and the attack under way."""

from __future__ import annotations

from typing import Any

from lens_env.core.ruleset import Built, Count, Picture, Portrait
from lens_env.core.skirmish import Side

from .codes import Defense, Pool, Roll, Tag
from .state import MAX_MOMENTUM
from .text import conditions

OFF = -1  # the x of a fighter that stands on no cell


def depict(state: Any, built: Built) -> Picture:
    """The fighters as they stand, and who attacks whom with what."""
    sheets = built.setup[0]["sheets"]
    fighters = range(len(built.fighters))
    return Picture(
        portraits=tuple(portrait(state["fighters"][who], sheets[who]) for who in fighters),
        attack=attack_text(state, built),
        attacker=int(state["attacker"]) - 1,
        target=int(state["target"]) - 1,
    )


def portrait(fighter: Any, sheet: Any) -> Portrait:
    """A fighter."""
    pools = [(pool.name, int(fighter[pool.name.lower()]), int(sheet[pool.name.lower()])) for pool in Pool]
    most = min(MAX_MOMENTUM, max(int(sheet["momentum"]), int(fighter["momentum"])))
    return Portrait(
        bars=tuple(Count(*pool) for pool in pools if pool[2] > 0),
        pips=Count("Momentum", int(fighter["momentum"]), most),
        notes=() if fighter["out"] else tuple(conditions(fighter)),
        out=bool(fighter["out"]),
        cell=None if fighter["x"] == OFF else (int(fighter["x"]), int(fighter["y"])),
    )


def attack_text(state: Any, built: Built) -> str:
    """The attack under way, its tags, what it does on average, and the defence chosen; "" if there is none."""
    attacker = int(state["attacker"]) - 1
    if attacker < 0:
        return ""
    sheet, slot = built.setup[0]["sheets"][attacker], int(state["attack"])
    spell = state["roll"] == Roll.CAST
    name = built.names["spells" if spell else "attacks"][attacker][slot]
    average = float(sheet["spells" if spell else "attacks"][slot]["average"])
    tags = [tag.name for tag in Tag if int(state["tags"]) >> tag & 1]
    parts = [f"{name}, {average:.1f} on average", *([", ".join(tags)] if tags else [])]
    if sheet["side"] == Side.FOES and state["defense"]:
        parts.append(f"against {Defense(int(state['defense'])).name}")
    return "; ".join(parts)
