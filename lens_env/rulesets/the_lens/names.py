"""What the actions of an encounter are called: unique names by catalogue index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lens_env.core.board import Direction
from lens_env.core.naming import unique
from lens_env.core.skirmish import Side

from . import catalogue
from .codes import Defense, Tag
from .roster import Entry
from .sheets import CharacterModel, MonsterModel, TheLensEncounter, ability_key
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_INITIATIVE, MAX_ITEMS, MAX_MOMENTUM, MAX_SPELLS

BARE_HANDS = "bare hands"
WALKING = (catalogue.MOVE, catalogue.STOP)
BOTH = frozenset({  # what monsters do too, besides walking and their attacks
    catalogue.END_TURN, catalogue.STAND, catalogue.RECOVER_WEAPON, catalogue.DOUSE,
    catalogue.ASSIST, catalogue.INTERFERE, catalogue.PASS,
})  # fmt: skip
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
    return unique([names.get(index, (f"#{index}", 0)) for index in range(catalogue.SIZE)])


def own_names(
    encounter: TheLensEncounter, entries: Sequence[Entry], actions: Sequence[str]
) -> dict[tuple[int, int], str]:
    """What a fighter calls an action whose name it shares with others, by (fighter, action).

    An index means the same slot for everyone, so "ATTACK Kara with claw/staff" is the claw of one and the staff of
    another; each speaks of its own.
    """
    found: dict[tuple[int, int], str] = {}
    for who, entry in enumerate(entries):
        model = entry.model
        named = (
            _aimed(encounter.model_copy(update={"foes": [model]}), entries)
            if isinstance(model, MonsterModel)
            else _own([model])
        )
        taken: set[str] = set()
        for index, name, _ in named:
            mine = index >= catalogue.ATTACK or isinstance(model, CharacterModel)
            if mine and name != actions[index] and name not in taken:
                found[who, index] = name
                taken.add(name)
    return found


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


def possible(encounter: TheLensEncounter, actions: Sequence[str], side: Side) -> set[int]:
    """The actions that the fighters of a side can ever take on this ground, whatever they carry."""
    named = {index for index, name in enumerate(actions) if not name.startswith("#")}
    ground = {index for index in named if index in WALKING or catalogue.STEP <= index < catalogue.STEP + len(Direction)}
    if encounter.board == "none":
        named -= ground
    elif encounter.board.kind == "hex":
        named -= {catalogue.STEP + Direction.N, catalogue.STEP + Direction.S}
    attacks = {index for index in named if index >= catalogue.ATTACK}
    on_foes = {index for index in attacks if (index - catalogue.ATTACK) % MAX_FIGHTERS >= len(encounter.party)}
    if side == Side.PARTY:
        return named - (attacks - on_foes) - {catalogue.GUARD}
    return named & (BOTH | {catalogue.GUARD} | ground) | (attacks - on_foes)
