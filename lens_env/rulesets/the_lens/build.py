"""From the models of an encounter of The Lens to the Setup record that the rules read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lens_env.core.board import MAX_SIZE
from lens_env.core.fields import raise_together
from lens_env.core.layout import NOWHERE, fill_board
from lens_env.core.naming import fill_forbidden
from lens_env.core.record import new
from lens_env.core.ruleset import Built
from lens_env.core.skirmish import Side
from lens_env.core.tables import fill_sum, mean

from . import warnings
from .checks import problems
from .codes import Ability, Effect, Guard, Pool, SurpriseKind, Tag
from .names import BARE_HANDS, action_names, own_names, possible
from .roster import Entry, ability_slots, roster
from .sheets import (
    ITEM_COST,
    QUALITY_SIDES,
    RANK_SIDES,
    RANKS,
    TALENT_SIDES,
    WEAPON_DICE,
    AbilityModel,
    AttackModel,
    CharacterModel,
    ItemModel,
    MonsterModel,
    RulesModel,
    SpellModel,
    SurpriseModel,
    TheLensEncounter,
    WeaponModel,
    ability_key,
    below,
    is_missile,
)
from .state import MAX_MOMENTUM, Setup

WEAPON, HANDS = 0, 1  # attack slots of a character
HANDS_SIDES = 2  # bare hands: 1d2 damage, third die d2
Slots = Mapping[str, int]


def build(encounter: TheLensEncounter) -> Built:
    """The records and names of a validated encounter. Raises FieldError, with all that is wrong."""
    raise_together(problems(encounter))
    entries, slots = roster(encounter), ability_slots(encounter)
    actions = action_names(encounter, entries)
    records = new_setup(encounter, entries, slots)
    setup = records[0]
    possibilities = (possible(encounter, actions, Side.PARTY), possible(encounter, actions, Side.FOES))
    raise_together(fill_forbidden(setup, encounter.forbid, actions, possibilities))
    names = texts(entries, slots)
    return Built(
        setup=records,
        fighters=tuple(entry.name for entry in entries),
        party_count=len(encounter.party),
        actions=actions,
        own_names=own_names(encounter, entries, actions),
        warnings=tuple(warnings.warnings(encounter, entries, setup, names["abilities"])),
        names=names,
    )


def new_setup(encounter: TheLensEncounter, entries: Sequence[Entry], slots: Slots) -> Any:
    """One Setup record, all but the forbidden actions."""
    records = new(Setup)
    setup = records[0]
    setup["party_count"], setup["count"] = len(encounter.party), len(entries)
    fill_rules(setup["rules"], encounter, slots)
    if encounter.board != "none":
        fill_board(setup, encounter.board)
    for sheet, entry in zip(setup["sheets"], entries, strict=False):
        sheet["start_x"], sheet["start_y"] = entry.position or (NOWHERE, NOWHERE)
        if isinstance(entry.model, MonsterModel):
            fill_monster(sheet, entry.model)
        else:
            fill_character(sheet, entry.model, encounter.rules, slots)
        fill_seen(sheet)
    return records


def texts(entries: Sequence[Entry], slots: Slots) -> dict[str, Any]:
    """The names that sentences use: abilities by slot; attacks, spells and items by fighter, by slot."""
    heroes = [entry.model if isinstance(entry.model, CharacterModel) else None for entry in entries]
    return {
        "abilities": tuple(slots),
        "attacks": tuple(_attack_names(entry.model) for entry in entries),
        "spells": tuple(tuple(spell.name for spell in hero.spells) if hero else () for hero in heroes),
        "items": tuple(tuple(item.name for item in hero.items) if hero else () for hero in heroes),
    }


def _attack_names(model: CharacterModel | MonsterModel) -> tuple[str, ...]:
    if isinstance(model, MonsterModel):
        return tuple(attack.name for attack in model.attacks)
    return (model.weapon.name if model.weapon else BARE_HANDS, BARE_HANDS)


# --- rules and board ---------------------------------------------------------------------------------------


def fill_rules(rules: Any, encounter: TheLensEncounter, slots: Slots) -> None:
    """The switches, and what surprise and initiative roll against."""
    switches, surprise = encounter.rules, encounter.surprise
    rules["riposte"] = switches.parry == "riposte"
    rules["one_move"] = switches.moves_per_turn == 1
    rules["surprised_confused"] = switches.surprised_initiative == "confused"
    rules["defence_only"] = switches.reactions == "defence_only"
    rules["max_rounds"] = encounter.max_rounds
    rules["initiative_tn"] = max(foe.initiative for foe in encounter.foes)
    if not isinstance(surprise, SurpriseModel):
        rules["surprise"] = SurpriseKind[surprise.upper()]
        return
    roll = surprise.ambush or surprise.stalk
    if roll:
        rules["surprise"] = SurpriseKind.AMBUSH if surprise.ambush else SurpriseKind.STALK
        rules["surprise_ability"], rules["surprise_tn"] = slots[ability_key(roll.ability)], roll.tn


# --- characters --------------------------------------------------------------------------------------------


def fill_character(sheet: Any, hero: CharacterModel, rules: RulesModel, slots: Slots) -> None:
    """The sheet of a character."""
    sheet["side"] = Side.PARTY
    sheet["body"], sheet["mind"], sheet["spirit"] = hero.aspects.body, hero.aspects.mind, hero.aspects.spirit
    sheet["momentum"] = hero.momentum + len(hero.gifts)
    sheet["recovers"] = 1
    abilities = {ability_key(name): ability for name, ability in hero.abilities.items()}
    fill_abilities(sheet, hero, abilities, rules, slots)
    sheet["initiative_count"] = len(hero.initiative_abilities)
    for place, name in enumerate(hero.initiative_abilities):
        sheet["initiative"][place] = slots[ability_key(name)]
    sheet["natural_parry"] = hero.natural_parry
    sheet["has_shield"], sheet["has_armor"] = hero.shield is not None, hero.armor is not None
    sheet["armor_rating"] = hero.armor.rating if hero.armor else 0
    sheet["ward"] = sheet["abilities"][Ability.ABJURATION]["training"] // 2 if hero.ward is None else hero.ward
    fill_weapon(sheet, hero.weapon)
    source = int(sheet["abilities"][Ability.SOURCE]["training"])
    for record, spell in zip(sheet["spells"], hero.spells, strict=False):
        fill_spell(record, spell, source, slots)
    for record, item in zip(sheet["items"], hero.items, strict=False):
        fill_item(record, item, slots)


def fill_abilities(
    sheet: Any, hero: CharacterModel, abilities: Mapping[str, AbilityModel], rules: RulesModel, slots: Slots
) -> None:
    """The dice of every ability that the encounter may roll (section 1, R-01)."""
    tools = tool_sides(hero)
    for name, slot in slots.items():
        ability = abilities.get(name, AbilityModel())
        training = RANK_SIDES[ability.rank]
        bare = training if rules.third_die == "training" else below(training)
        dice = sheet["abilities"][slot]
        dice["talent"], dice["training"], dice["bare"] = TALENT_SIDES[ability.talent], training, bare
        dice["third"] = bare if rules.third_die == "training" else tools.get(slot, bare)
    weapon_use = abilities.get("weapon_use", AbilityModel())
    sheet["tag_limit"] = RANKS.index(weapon_use.rank)
    sheet["unarmed_third"] = RANK_SIDES[weapon_use.rank] if rules.third_die == "training" else HANDS_SIDES


def tool_sides(hero: CharacterModel) -> dict[int, int]:
    """The Quality die of each tool the character has, by the ability that uses it."""
    tools = ((Ability.WEAPON_USE, hero.weapon), (Ability.SHIELD_USE, hero.shield), (Ability.ARMOR_USE, hero.armor))
    return {ability: QUALITY_SIDES[tool.quality] for ability, tool in tools if tool and tool.quality}


def fill_weapon(sheet: Any, weapon: WeaponModel | None) -> None:
    """Attack slot 0 is the weapon, if there is one; slot 1 is always the bare hands."""
    sheet["has_weapon"] = weapon is not None
    if weapon:
        record = sheet["attacks"][WEAPON]
        record["exists"], record["reach"] = 1, weapon.range
        record["tags"] = tag_bits(weapon.tags) | is_missile(weapon) << Tag.MISSILE
        fill_damage(record, WEAPON_DICE[weapon.size], QUALITY_SIDES[weapon.quality])
    hands = sheet["attacks"][HANDS]
    hands["exists"], hands["reach"], hands["natural"] = 1, 1, 1
    fill_damage(hands, 1, HANDS_SIDES)


def fill_damage(record: Any, dice: int, sides: int) -> None:
    """The damage roll of an attack or a spell, and its mean."""
    fill_sum(record["damage"], dice, sides)
    record["average"] = mean(record["damage"])


def tag_bits(tags: Sequence[str]) -> int:
    """The bit set of some tags."""
    return sum({1 << Tag[tag.upper()] for tag in tags})


def fill_spell(record: Any, spell: SpellModel, source: int, slots: Slots) -> None:
    """A spell; it forms without a roll up to half the sides of the Source Training die (R-07)."""
    record["exists"], record["complexity"] = 1, spell.complexity
    record["sure"] = 2 * spell.complexity <= source
    record["school"] = slots[ability_key(spell.school)]
    record["pool"], record["tags"] = Pool[spell.pool.upper()], tag_bits(spell.tags)
    record["reach"] = spell.range or 0
    fill_damage(record, spell.dice, spell.sides)


def fill_item(record: Any, item: ItemModel, slots: Slots) -> None:
    """An item."""
    record["exists"], record["cost"], record["uses"] = 1, ITEM_COST[item.size], item.uses
    record["effect"], record["amount"] = Effect[item.effect.upper()], item.amount or 0
    record["pool"] = Pool[(item.pool or "body").upper()]
    record["tag"] = -1 if item.tag is None else Tag[item.tag.upper()]
    if item.ability is not None:
        record["rolled"], record["ability"], record["tn"] = 1, slots[ability_key(item.ability)], item.tn


# --- monsters ----------------------------------------------------------------------------------------------


def fill_monster(sheet: Any, foe: MonsterModel) -> None:
    """The sheet of a monster."""
    sheet["side"], sheet["body"] = Side.FOES, foe.body
    sheet["momentum"], sheet["recovers"] = foe.momentum, foe.recovers
    sheet["defense"], sheet["abjuration"] = foe.defense, foe.abjuration
    sheet["armor"], sheet["guard"], sheet["talent"] = foe.armor, Guard[foe.guard.upper()], foe.talent
    for record, attack in zip(sheet["attacks"], foe.attacks, strict=False):
        fill_attack(record, attack, foe.attack_rating)


def fill_attack(record: Any, attack: AttackModel, rating: int) -> None:
    """An attack of a monster, whose rating it takes unless it has its own."""
    record["exists"], record["reach"] = 1, attack.range
    record["tags"] = tag_bits(attack.tags) | is_missile(attack) << Tag.MISSILE
    record["magic"], record["natural"] = attack.magic, attack.natural
    record["pool"] = Pool[attack.pool.upper()]
    record["rating"] = rating if attack.attack_rating is None else attack.attack_rating
    fill_damage(record, attack.dice, attack.sides)


# --- what anyone can see -----------------------------------------------------------------------------------


def fill_seen(sheet: Any) -> None:
    """The numbers of an observation that a sheet fixes, in the order of ``observe.FIGHTER``, each in 0..1."""
    character = sheet["side"] == Side.PARTY
    attacks = [attack for attack in sheet["attacks"] if attack["exists"]]
    spells = [spell for spell in sheet["spells"] if spell["exists"]]
    reach = max([int(attack["reach"]) for attack in attacks] + [int(spell["reach"]) or MAX_SIZE for spell in spells])
    parts = (
        (sheet["body"], 200),
        (sheet["momentum"], MAX_MOMENTUM),
        *((_sides(sheet, ability), 36) for ability in (Ability.WEAPON_USE, Ability.SHIELD_USE, Ability.ARMOR_USE)),
        (_sides(sheet, Ability.MANEUVERING), 36),
        (_sides(sheet, Ability.ABJURATION), 36) if character else (sheet["abjuration"], 30),
        (sheet["defense"], 30),
        (sheet["attacks"][0]["rating"], 30),
        (max(float(strike["average"]) for strike in (*attacks, *spells)), 50),
        (reach, MAX_SIZE - 1),
        (sheet["has_shield"], 1),
        (sheet["armor_rating"] if character else sheet["armor"], 50),
        (sheet["ward"], 50),
        (sheet["guard"] != Guard.NONE, 1),
        (len(spells) > 0, 1),
    )
    for pool in ("body", "mind", "spirit"):
        sheet[f"one_{pool}"] = 1.0 / sheet[pool] if sheet[pool] else 0.0
    sheet["seen"] = [min(1.0, part / most) for part, most in parts]


def _sides(sheet: Any, ability: int) -> int:
    """The sides of the three dice of an ability; a monster has none."""
    dice = sheet["abilities"][ability]
    return int(dice["talent"] + dice["training"] + dice["third"])
