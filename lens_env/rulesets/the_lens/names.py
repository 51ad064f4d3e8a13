"""What the actions of an encounter are called: unique names by catalogue index, and the actions a file forbids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lens_env.core.board import Direction
from lens_env.core.fields import FieldError, Path
from lens_env.core.record import Many

from . import catalogue
from .codes import Defense, Tag
from .roster import Entry
from .sheets import CharacterModel, MonsterModel, TheLensEncounter, ability_key
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_INITIATIVE, MAX_ITEMS, MAX_MOMENTUM, MAX_SPELLS

BARE_HANDS = "bare hands"
FIXED = {
    catalogue.END_TURN: "END TURN",
    catalogue.MOVE: "MOVE",
    catalogue.STOP: "STOP",
    catalogue.STAND: "STAND",
    catalogue.RECOVER_WEAPON: "RECOVER WEAPON",
    catalogue.DOUSE: "DOUSE",
    catalogue.BEFORE: "BEFORE",
    catalogue.AFTER: "AFTER",
    catalogue.YIELD: "YIELD",
    catalogue.SACRIFICE: "SACRIFICE",
    catalogue.ASSIST: "ASSIST",
    catalogue.INTERFERE: "INTERFERE",
    catalogue.GUARD: "GUARD",
    catalogue.PASS: "PASS",
    catalogue.REDUCE_DAMAGE: "REDUCE DAMAGE",
    **{catalogue.DEFEND + code: code.name for code in Defense},
    **{catalogue.STEP + code: f"STEP {code.name}" for code in Direction},
    **{catalogue.TAG + code: f"TAG {code.name}" for code in Tag if code != Tag.MISSILE},
    **{catalogue.REMOVE + code: f"REMOVE {code.name}" for code in Tag if code <= Tag.SLASHING},
    **{catalogue.RECOVER + points: f"RECOVER {points}" for points in range(MAX_MOMENTUM + 1)},
}


def action_names(encounter: TheLensEncounter, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The name of every action by index, all different; unused ones are called "#index"."""
    names = {index: (name, 0) for index, name in FIXED.items()}
    names |= {index: (name, slot) for index, name, slot in _own(encounter.party)}
    names |= {index: (name, slot) for index, name, slot in _aimed(encounter, entries)}
    return _unique([names.get(index, (f"#{index}", 0)) for index in range(catalogue.SIZE)])


def _unique(wanted: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """A name that is taken gets its slot, counted from 1, and dashes if even that is taken."""
    names: list[str] = []
    taken: set[str] = set()
    for name, slot in wanted:
        if name in taken:
            name = f"{name} (slot {slot + 1})"
        while name in taken:
            name += "'"
        taken.add(name)
        names.append(name)
    return tuple(names)


def _own(party: Sequence[CharacterModel]) -> Iterator[tuple[int, str, int]]:
    """ROLL, FORM and USE: (index, name, slot), a slot that characters share named after all of them."""
    for slot in range(MAX_INITIATIVE):
        choices = [hero.initiative_abilities for hero in party if slot < len(hero.initiative_abilities)]
        shared = [ability_key(choice[slot]) for choice in choices]
        if shared:
            yield catalogue.INITIATIVE + slot, f"ROLL {joined(shared)}", slot
    for slot in range(MAX_SPELLS):
        shared = [hero.spells[slot].name for hero in party if slot < len(hero.spells)]
        if shared:
            yield catalogue.FORM + slot, f"FORM {joined(shared)}", slot
    for slot in range(MAX_ITEMS):
        shared = [hero.items[slot].name for hero in party if slot < len(hero.items)]
        if shared:
            yield catalogue.USE + slot, f"USE {joined(shared)}", slot


def joined(names: Sequence[str]) -> str:
    """The different names in file order, with "/" between them."""
    return "/".join(dict.fromkeys(names))


def _aimed(encounter: TheLensEncounter, entries: Sequence[Entry]) -> Iterator[tuple[int, str, int]]:
    """TARGET, CAST and ATTACK. A character's weapon and bare hands share slot 0; only enemies are attacked."""
    items = {item.effect == "harm" for hero in encounter.party for item in hero.items}
    spells = any(hero.spells for hero in encounter.party)
    for who, entry in enumerate(entries):
        foe = isinstance(entry.model, MonsterModel)
        if foe in items:  # harmful items are for foes, helpful ones for the party
            yield catalogue.TARGET + who, f"TARGET {entry.name}", 0
        if foe and spells:
            yield catalogue.CAST + who, f"CAST {entry.name}", 0
        if foe:
            yield catalogue.ATTACK + who, f"ATTACK {entry.name}", 0
        else:
            yield from _attacks_on(entry.name, who, encounter.foes)


def _attacks_on(name: str, who: int, foes: Sequence[MonsterModel]) -> Iterator[tuple[int, str, int]]:
    for slot in range(MAX_ATTACKS):
        shared = [foe.attacks[slot].name for foe in foes if slot < len(foe.attacks)]
        if shared:
            yield catalogue.ATTACK + slot * MAX_FIGHTERS + who, f"ATTACK {name} with {joined(shared)}", slot


# --- forbidden actions -------------------------------------------------------------------------------------


def forbid(mask: Many[int], entries: Sequence[str], actions: Sequence[str], path: Path) -> list[FieldError]:
    """Set the byte of every forbidden action in ``mask`` (64-bit words); returns what is wrong with the entries.

    An entry is the full name of an action, or the first word of one, which forbids all that begin with it.
    """
    named = [name for name in actions if not name.startswith("#")]
    known = [*dict.fromkeys(name.split()[0] for name in named), *named]
    flags = np.asarray(mask).view(np.uint8)
    errors = []
    for i, entry in enumerate(entries):
        hit = [index for index, name in enumerate(actions) if matches(entry, name)]
        if not hit:
            errors.append(FieldError((*path, i), f"no action is called {entry!r} here", tuple(dict.fromkeys(known))))
        flags[hit] = 1
    return errors


def matches(entry: str, action: str) -> bool:
    """Does an entry of ``forbid`` speak of this action?"""
    return not action.startswith("#") and entry in (action, action.split()[0])
