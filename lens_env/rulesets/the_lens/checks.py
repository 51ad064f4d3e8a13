"""What is wrong with an encounter of The Lens that shows only when fields are seen together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lens_env.core.fields import FieldError, Path
from lens_env.core.layout import Placed, board_problems, name_problems, place_problems
from lens_env.core.tables import check, sum_weights

from .codes import INFLICTED, OFFENSIVE, Tag
from .roster import ability_slots, rolled_abilities, roster
from .sheets import (
    WEAPON_DICE,
    AttackModel,
    CharacterModel,
    ItemModel,
    MonsterModel,
    SpellModel,
    SurpriseModel,
    TheLensEncounter,
    ability_key,
)
from .state import MAX_ABILITIES, MAX_FIGHTERS

Errors = Iterator[FieldError]
MAX_COMPLEXITY = 30


def tags_in(bits: int) -> list[str]:
    """The tags of a bit set, as a file writes them."""
    return [tag.name.lower() for tag in Tag if bits >> tag & 1]


def problems(encounter: TheLensEncounter) -> Errors:
    """Every field that is wrong, in the order of the file as far as possible."""
    yield from _surprise(encounter)
    if encounter.board != "none":
        yield from board_problems(encounter.board)
    for i, hero in enumerate(encounter.party):
        yield from _character(hero, ("party", i))
    for i, foe in enumerate(encounter.foes):
        yield from _monster(foe, ("foes", i))
    yield from _fighters(encounter)
    yield from _slots(encounter)


def repeated(names: Sequence[str], path: Path, what: str) -> Errors:
    """Entries of a list that stand there twice."""
    for i, name in enumerate(names):
        if name in names[:i]:
            yield FieldError((*path, i), f"{what} {name!r} is named twice")


def _surprise(encounter: TheLensEncounter) -> Errors:
    surprise = encounter.surprise
    if isinstance(surprise, SurpriseModel) and (surprise.ambush is None) == (surprise.stalk is None):
        yield FieldError(("surprise",), "must have exactly one of ambush and stalk", ("ambush", "stalk"))


# --- fighters ----------------------------------------------------------------------------------------------


def _fighters(encounter: TheLensEncounter) -> Errors:
    entries = roster(encounter)
    if len(entries) > MAX_FIGHTERS:
        yield FieldError(("foes",), f"{len(entries)} fighters in all; at most {MAX_FIGHTERS} fit")
    yield from name_problems((entry.name, entry.path) for entry in entries)
    fit = [entry for entry in entries if entry.position or not _positions_miscounted(entry.model)]
    placed = (Placed(entry.name, entry.path, entry.position, entry.position_path) for entry in fit)
    yield from place_problems(encounter.board, placed)


def _positions_miscounted(model: CharacterModel | MonsterModel) -> bool:
    if not isinstance(model, MonsterModel) or model.positions is None:
        return False
    return model.count is None or len(model.positions) != model.count


def _monster(foe: MonsterModel, path: Path) -> Errors:
    if foe.count is not None and foe.position is not None:
        yield FieldError((*path, "position"), "with count, the cells are listed as positions: [[x, y], ...]")
    if foe.count is None and foe.positions is not None:
        yield FieldError((*path, "positions"), "needs a count; for a single monster write position: [x, y]")
    elif _positions_miscounted(foe):
        yield FieldError((*path, "positions"), f"{len(foe.positions or [])} positions for a count of {foe.count}")
    yield from repeated([attack.name for attack in foe.attacks], (*path, "attacks"), "attack")
    for i, attack in enumerate(foe.attacks):
        yield from _damage(attack, (*path, "attacks", i))


def _damage(attack: AttackModel | SpellModel, path: Path) -> Errors:
    """The sum of the dice must fit a table; the same tag twice says nothing."""
    problem = check(sum_weights(attack.dice, attack.sides))
    if problem:
        yield FieldError((*path, "dice"), f"{attack.dice}d{attack.sides} is too much: {problem}")
    yield from repeated(attack.tags, (*path, "tags"), "tag")


# --- characters --------------------------------------------------------------------------------------------


def _character(hero: CharacterModel, path: Path) -> Errors:
    yield from _abilities(hero, path)
    yield from _equipment(hero, path)
    gifts = ["swiftness" if gift == "speed" else gift for gift in hero.gifts]
    yield from repeated(gifts, (*path, "gifts"), "gift")
    if hero.spells and not hero.aspects.spirit:
        yield FieldError((*path, "spells"), "spells need SPIRIT: give the aspect spirit at least 1")
    yield from repeated([spell.name for spell in hero.spells], (*path, "spells"), "spell")
    for i, spell in enumerate(hero.spells):
        yield from _spell(spell, (*path, "spells", i))
    yield from repeated([item.name for item in hero.items], (*path, "items"), "item")
    for i, item in enumerate(hero.items):
        yield from _item(item, (*path, "items", i))


def _abilities(hero: CharacterModel, path: Path) -> Errors:
    times = Counter(ability_key(name) for name in hero.abilities)
    for name in hero.abilities:
        if times[ability_key(name)] > 1:
            yield FieldError((*path, "abilities", name), f"{ability_key(name)} is listed twice in other spellings")
    chosen = [ability_key(name) for name in hero.initiative_abilities]
    yield from repeated(chosen, (*path, "initiative_abilities"), "ability")


def _equipment(hero: CharacterModel, path: Path) -> Errors:
    if hero.weapon and WEAPON_DICE[hero.weapon.size] == WEAPON_DICE["large"] and hero.shield:
        yield FieldError((*path, "shield"), "a large weapon needs both hands: no shield")
    if hero.weapon:
        yield from repeated(hero.weapon.tags, (*path, "weapon", "tags"), "tag")
    if hero.armor and not hero.armor.natural and hero.armor.quality is None:
        yield FieldError((*path, "armor"), "worn armour needs a quality (only natural armour may lack one)")


def _spell(spell: SpellModel, path: Path) -> Errors:
    if not 1 <= spell.complexity <= MAX_COMPLEXITY:
        problem = f"add up to a Complexity of {spell.complexity}; it must be 1 to {MAX_COMPLEXITY}"
        yield FieldError((*path, "parameters"), problem)
    yield from _damage(spell, path)


WANTED = {  # effect: fields it needs, fields it may have
    "heal": ({"amount"}, {"pool"}),
    "harm": ({"amount"}, {"pool", "tag"}),
    "cure": ({"tag"}, set()),
    "add_tag": ({"tag"}, set()),
}


def _item(item: ItemModel, path: Path) -> Errors:
    needed, possible = WANTED[item.effect]
    for field in ("amount", "pool", "tag"):
        given = getattr(item, field) is not None
        if field in needed and not given:
            yield FieldError(path, f"effect {item.effect} needs {field}")
        if given and field not in needed | possible:
            yield FieldError((*path, field), f"means nothing for effect {item.effect}")
    if (item.ability is None) != (item.tn is None):
        yield FieldError(path, "ability and tn belong together: give both or neither")
    allowed = tags_in(OFFENSIVE if item.effect == "add_tag" else INFLICTED)
    if item.tag is not None and "tag" in needed | possible and item.tag not in allowed:
        yield FieldError((*path, "tag"), f"{item.tag!r} cannot be the tag of effect {item.effect}", allowed)


def _slots(encounter: TheLensEncounter) -> Errors:
    slots = ability_slots(encounter)
    for path, name in rolled_abilities(encounter):
        if slots[ability_key(name)] >= MAX_ABILITIES:
            yield FieldError(path, f"is one ability too many: at most {MAX_ABILITIES - 6} beside the six fixed ones")
            return
