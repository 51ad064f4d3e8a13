"""What the actions of an encounter are called: unique names by catalogue index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lens_env.core.board import MAX_SIZE, Direction
from lens_env.core.naming import unique

from . import catalogue
from .codes import Defense
from .roster import Entry
from .sheets import AttackModel, FighterModel
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_SKILLS, MAX_STRIKES, MAX_SUPPORTS

DEFENSES = ("NONE", "EVADE", "DEFEND", "COUNTER", *(f"SKILL {slot + 1}" for slot in range(MAX_SKILLS)))
FIXED = {
    catalogue.END_TURN: "END TURN",
    catalogue.MOVE: "MOVE",
    catalogue.STOP: "STOP",
    catalogue.STAND: "STAND",
    catalogue.SAVE: "SAVE",
    catalogue.PASS: "PASS",
    catalogue.GUARD: "GUARD",
    **{catalogue.DEFEND + code: name for code, name in enumerate(DEFENSES)},
    **{catalogue.STEP + code: f"STEP {code.name}" for code in Direction},
    **{catalogue.FACE + code: f"FACE {code.name}" for code in Direction},
    **{catalogue.COLUMN + x: f"COLUMN {x}" for x in range(MAX_SIZE)},
    **{catalogue.ROW + y: f"ROW {y}" for y in range(MAX_SIZE)},
}

assert catalogue.DEFEND + Defense.SKILL == catalogue.SKILL


def action_names(entries: Sequence[Entry], board: bool) -> tuple[str, ...]:
    """The name of every action by index, all different; unused ones are called "#index"."""
    names = {index: (name, 0) for index, name in FIXED.items()}
    names |= {index: (name, slot) for index, name, slot in _strikes(entries, board)}
    names |= {index: (name, slot) for index, name, slot in _supports(entries)}
    return unique([names.get(index, (f"#{index}", 0)) for index in range(catalogue.SIZE)])


def joined(names: Sequence[str]) -> str:
    """The different names in file order, with "/" between them."""
    return "/".join(dict.fromkeys(names))


def strike_at(model: FighterModel, slot: int) -> AttackModel | None:
    """The attack (slots 0 to 3) or spell (4 to 7) in a slot."""
    strikes = model.attacks if slot < MAX_ATTACKS else model.spells
    place = slot if slot < MAX_ATTACKS else slot - MAX_ATTACKS
    return strikes[place] if place < len(strikes) else None


def _strikes(entries: Sequence[Entry], board: bool) -> Iterator[tuple[int, str, int]]:
    """ATTACK, CAST and AIM (an area at a space): a slot is named after all who have it and may strike the target."""
    for slot in range(MAX_STRIKES):
        verb = "ATTACK" if slot < MAX_ATTACKS else "CAST"
        for who, target in enumerate(entries):
            found = [strike_at(one.model, slot) for one in entries if one.side != target.side]
            shared = [strike.name for strike in found if strike]
            if shared:
                index = catalogue.ATTACK + slot * MAX_FIGHTERS + who
                yield index, f"{verb} {target.name} with {joined(shared)}", slot
        everyone = [strike_at(one.model, slot) for one in entries]
        areas = [strike.name for strike in everyone if strike and strike.kind == "area"]
        if areas and board:
            yield catalogue.SPACE + slot, f"AIM {joined(areas)}", slot


def _supports(entries: Sequence[Entry]) -> Iterator[tuple[int, str, int]]:
    for slot in range(MAX_SUPPORTS):
        for who, target in enumerate(entries):
            givers = [one.model.support for one in entries if one.side == target.side]
            shared = [support[slot].name for support in givers if slot < len(support)]
            if shared:
                index = catalogue.SUPPORT + slot * MAX_FIGHTERS + who
                yield index, f"SUPPORT {target.name} with {joined(shared)}", slot
