"""From the models of an encounter of Nor'Ova to the Setup record that the rules read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lens_env.core import board as ground
from lens_env.core.fields import raise_together
from lens_env.core.layout import NOWHERE, fill_board
from lens_env.core.naming import fill_forbidden
from lens_env.core.record import new
from lens_env.core.ruleset import Built
from lens_env.core.tables import fill_sum

from . import catalogue
from .checks import problems
from .codes import AttackKind, Defense, Effect, Nature, Status, Trait
from .fighters import FACES
from .names import action_names
from .roster import Entry, roster
from .sheets import AbsorbModel, AttackModel, DiceModel, FighterModel, NorOvaEncounter, SkillModel, SpellModel
from .state import MAX_ATTACKS, Setup
from .warnings import warnings

STEALTH = 20  # of a covert or invisible attack that says nothing else
FAST, INVISIBLE = 2, 5  # what these spells take off the evade check
EVERYWHERE = 0
FROM = {"front": ground.Side.FRONT, "side": ground.Side.FLANK, "behind": ground.Side.BEHIND}


def build(encounter: NorOvaEncounter) -> Built:
    """The records and names of a validated encounter. Raises FieldError, with all that is wrong."""
    raise_together(problems(encounter))
    entries = roster(encounter)
    actions = action_names(entries, encounter.board != "none")
    records = new_setup(encounter, entries)
    setup = records[0]
    raise_together(fill_forbidden(setup, encounter.forbid, actions))
    fill_offers(setup, encounter.rules.offer_dominated)
    return Built(
        setup=records,
        fighters=tuple(entry.name for entry in entries),
        party_count=len(encounter.party),
        actions=actions,
        warnings=tuple(warnings(entries)),
        names=texts(entries),
    )


def new_setup(encounter: NorOvaEncounter, entries: Sequence[Entry]) -> Any:
    """One Setup record, all but the forbidden actions and what follows from them."""
    records = new(Setup)
    setup = records[0]
    setup["party_count"], setup["count"] = len(encounter.party), len(entries)
    setup["spectators"] = sum(entry.spectates for entry in entries)
    fill_sum(setup["d20"], 1, FACES)
    rules = setup["rules"]
    rules["simple"] = encounter.rules.evade_table == "simple"
    rules["evade_then_act"] = encounter.rules.evade_then_act
    rules["minimum_damage"] = encounter.rules.minimum_damage
    rules["max_rounds"] = encounter.max_rounds
    if encounter.board != "none":
        fill_board(setup, encounter.board)
    for sheet, entry in zip(setup["sheets"], entries, strict=False):
        fill_fighter(sheet, entry)
    return records


def texts(entries: Sequence[Entry]) -> dict[str, Any]:
    """The names that sentences use, by fighter and slot."""
    return {
        "strikes": tuple(_strike_names(entry.model) for entry in entries),
        "skills": tuple(tuple(skill.name for skill in entry.model.skills) for entry in entries),
        "supports": tuple(tuple(support.name for support in entry.model.support) for entry in entries),
    }


def _strike_names(model: FighterModel) -> tuple[str, ...]:
    attacks = [attack.name for attack in model.attacks]
    padding = [""] * (MAX_ATTACKS - len(attacks))
    return (*attacks, *padding, *(spell.name for spell in model.spells))


def fill_offers(setup: Any, everything: bool) -> None:
    """Who is offered dominated defences: all by the switch, else a side to which better ones are forbidden (R-12)."""
    for sheet in setup["sheets"][: setup["count"]]:
        flags = setup["forbidden_foes" if sheet["side"] else "forbidden_party"].view(np.uint8)
        better = flags[catalogue.DEFEND + Defense.EVADE] or flags[catalogue.DEFEND + Defense.DEFEND]
        sheet["offers_all"] = bool(everything or better)


# --- fighters ----------------------------------------------------------------------------------------------


def fill_fighter(sheet: Any, entry: Entry) -> None:
    """The sheet of a fighter."""
    model = entry.model
    sheet["side"], sheet["spectator"], sheet["hidden"] = entry.side, entry.spectates, model.hidden
    for field in ("vitality", "power", "soul", "xp", "speed", "initiative", "flying", "hindered"):
        sheet[field] = getattr(model, field)
    for field in ("vitality", "power", "soul", "xp"):
        whole = getattr(model, field)
        sheet[f"one_{field}"] = 1 / whole if whole > 0 else 0.0
    sheet["bulk"] = model.size
    sheet["guards"], sheet["counters"] = model.guard, model.counter_attack
    sheet["protects"] = model.guard or any(skill.ally for skill in model.skills)
    for trait in Trait:
        field = "vitality_save" if trait == Trait.VITALITY else trait.name.lower()
        sheet["traits"][trait] = getattr(model, field)
    sheet["start_x"], sheet["start_y"] = model.position or (NOWHERE, NOWHERE)
    sheet["start_facing"] = ground.Direction[model.facing] if model.facing else -1
    for name, turns in model.statuses.items():
        sheet["statuses"][Status[name.upper()]] = turns
    fill_equipment(sheet, model)


def fill_equipment(sheet: Any, model: FighterModel) -> None:
    """Armour, attacks, spells, skills and support actions."""
    if model.armor:
        fill_armor(sheet["armors"][Nature.PHYSICAL], model.armor.physical, model.armor.defense)
        fill_armor(sheet["armors"][Nature.MAGICAL], model.armor.magical, model.armor.spirit)
    for slot, attack in enumerate(model.attacks):
        fill_attack(sheet["strikes"][slot], attack)
    for slot, spell in enumerate(model.spells):
        fill_attack(sheet["strikes"][MAX_ATTACKS + slot], spell)
    for record, skill in zip(sheet["skills"], model.skills, strict=False):
        fill_skill(record, skill)
    for record, support in zip(sheet["supports"], model.support, strict=False):
        record["exists"], record["heal"] = 1, support.heal or 0
        if support.restore:
            record["power"], record["soul"] = support.restore.power, support.restore.soul


def fill_armor(record: Any, dice: DiceModel, score: int) -> None:
    """What an armour absorbs of one nature of damage."""
    record["rolled"], record["plus"], record["score"] = dice.dice > 0, dice.flat, score
    fill_sum(record["table"], dice.dice, dice.sides)


def fill_attack(record: Any, attack: AttackModel) -> None:
    """An attack, or a spell, which reaches everywhere unless it says otherwise (R-23)."""
    spell = attack if isinstance(attack, SpellModel) else None
    record["exists"], record["magical"] = 1, attack.nature == "magical"
    record["kind"] = AttackKind[attack.kind.upper()]
    record["reach"] = attack.range or (EVERYWHERE if spell else 1)
    record["rolled"], record["plus"] = attack.dice > 0, attack.flat
    fill_sum(record["damage"], attack.dice, attack.sides)
    record["expected"] = attack.dice * (attack.sides + 1) / 2 + attack.flat
    if attack.kind in ("covert", "invisible_spell"):
        record["stealth"] = attack.stealth or STEALTH
    penalties = {"projectile": attack.evade_penalty or 0, "fast_spell": FAST, "invisible_spell": INVISIBLE}
    record["hinders"] = penalties.get(attack.kind, 0)
    record["evade"] = attack.evade_difficulty or 0
    record["radius"], record["evadable"] = attack.radius or 0, attack.evadable
    record["direction"] = FROM[attack.direction]
    if attack.inflicts:
        record["inflicts"], record["rounds"] = Status[attack.inflicts.status.upper()] + 1, attack.inflicts.rounds
    if spell:
        record["soul"], record["delay"] = spell.soul, spell.rounds


def fill_skill(record: Any, skill: SkillModel) -> None:
    """A defensive skill."""
    record["exists"], record["check"], record["difficulty"] = 1, Trait[skill.check.upper()], skill.difficulty
    record["power"], record["soul"] = skill.cost.power, skill.cost.soul
    record["nature"], record["ally"] = Nature[skill.nature.upper()], skill.ally
    if isinstance(skill.effect, AbsorbModel):
        record["effect"], record["points"] = Effect.ABSORB, skill.effect.absorb
    else:
        record["effect"] = Effect[skill.effect.upper()]
