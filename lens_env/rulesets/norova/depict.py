"""What a picture shows of Legends of Nor'Ova: Vitality, Power and Soul, facing, statuses, and the attack under way."""

from __future__ import annotations

from typing import Any

from lens_env.core.board import Side as From
from lens_env.core.ruleset import Built, Count, Picture, Portrait

from .codes import Out
from .text import statuses

USES = 4  # Attack, Move, Support, Magic: each once a turn
POOLS = ("vitality", "power", "soul")
OFF = -1  # the x of a fighter that stands on no cell


def depict(state: Any, built: Built) -> Picture:
    """The fighters as they stand, and who attacks whom with what."""
    return Picture(
        portraits=tuple(portrait(state, built, who) for who in range(len(built.fighters))),
        attack=attack_text(state, built),
        attacker=int(state["attacker"]) - 1,
        target=int(state["target"]) - 1,
    )


def portrait(state: Any, built: Built, who: int) -> Portrait:
    """A fighter; its pips are what it can still do this turn, one for each kind of action."""
    fighter, sheet = state["fighters"][who], built.setup[0]["sheets"][who]
    out = int(fighter["out"])
    mine = state["acting"] == who + 1
    notes = [f"{fighter['tries']} turns left to buy a Save"] if out == Out.DOWN else statuses(fighter, built, who)
    on_board = fighter["x"] != OFF
    return Portrait(
        bars=tuple(Count(pool.capitalize(), int(fighter[pool]), int(sheet[pool])) for pool in POOLS if sheet[pool]),
        pips=Count("Actions", USES - int(state["used"]).bit_count() if mine else 0, USES if mine else 0),
        notes=(*(("spectator",) if out == Out.SPECTATOR else ()), *notes),
        out=out in (Out.DOWN, Out.DEAD),
        cell=(int(fighter["x"]), int(fighter["y"])) if on_board else None,
        facing=int(fighter["facing"]) if on_board else None,
    )


def attack_text(state: Any, built: Built) -> str:
    """The attack under way, what it does on average, where it comes from, and whether it is seen; "" without one."""
    attacker, slot = int(state["attacker"]) - 1, int(state["strike"])
    if attacker < 0:
        return ""
    strike = built.setup[0]["sheets"][attacker]["strikes"][slot]
    name = built.names["strikes"][attacker][slot]
    parts = [
        f"{name}, {float(strike['expected']):.1f} on average",
        f"from {From(int(state['direction'])).name.lower()}",
    ]
    if not state["aware"]:
        parts.append("not noticed")
    return "; ".join(parts)
