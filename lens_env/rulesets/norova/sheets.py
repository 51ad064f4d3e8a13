"""What an encounter file of Nor'Ova may say: pydantic models, field by field.

Only what a field may hold on its own is checked here; what shows only together is in :mod:`.checks`.
Traits are -10..30, difficulties 5..40, pools 0..200 points, positions cells of the board.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lens_env.core.fields import EncounterModel, Model, Name, Position

from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_SKILLS, MAX_SPELLS, MAX_SUPPORTS

NatureName = Literal["physical", "magical"]
KindName = Literal[
    "melee", "thrown_object", "projectile", "area", "seen_spell", "fast_spell", "invisible_spell", "covert"
]
StatusName = Literal["prone", "trapped", "stunned", "dazed", "unconscious", "berserk", "distracted", "hindered"]
TraitName = Literal["evade", "perceive", "focus", "react", "defense", "spirit"]
FromName = Literal["front", "side", "behind"]
HeadingName = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

TraitValue = Annotated[int, Field(ge=-10, le=30)]
Difficulty = Annotated[int, Field(ge=5, le=40)]
Points = Annotated[int, Field(ge=0, le=200)]
DiceCount = Annotated[int, Field(ge=0, le=20)]
Sides = Annotated[int, Field(ge=2, le=20)]
Turns = Annotated[int, Field(ge=1, le=20)]


class RulesModel(Model):
    """``rules``: the switches of the specification, the default first."""

    offer_dominated: bool = False
    evade_then_act: bool = False
    evade_table: Literal["full", "simple"] = "full"
    minimum_damage: bool = True


class InflictModel(Model):
    """``inflicts: {status, rounds}``: what a hit does beside the damage; rounds are own turns of the victim."""

    status: StatusName
    rounds: Turns = 1


class AttackModel(Model):
    """An attack: dice and flat damage, its nature and kind, and what belongs to the kind."""

    name: Name
    nature: NatureName = "physical"
    kind: KindName = "melee"
    dice: DiceCount = 0
    sides: Sides = 6
    flat: Points = 0
    range: Annotated[int, Field(ge=1, le=100)] | None = None  # spaces; None: 1
    stealth: Literal[20, 25] | None = None  # covert and invisible: difficulty of noticing it; None: 20
    evade_penalty: Annotated[int, Field(ge=0, le=20)] | None = None  # projectile; None: 0
    evade_difficulty: Difficulty | None = None
    radius: Annotated[int, Field(ge=1, le=10)] | None = None  # area
    evadable: bool = False
    direction: FromName = Field(default="front", alias="from")  # without a board
    inflicts: InflictModel | None = None


class SpellModel(AttackModel):
    """A spell: an attack that costs soul; with ``rounds`` it takes that many of the caster's turns."""

    nature: NatureName = "magical"
    kind: KindName = "seen_spell"
    soul: Points = 0
    rounds: Annotated[int, Field(ge=0, le=9)] = 0


class DiceModel(Model):
    """What an armour absorbs of one nature."""

    dice: DiceCount = 0
    sides: Sides = 6
    flat: Annotated[int, Field(ge=0, le=100)] = 0


class ArmorModel(Model):
    """The four protective values."""

    physical: DiceModel = DiceModel()
    magical: DiceModel = DiceModel()
    defense: Annotated[int, Field(ge=0, le=100)] = 0
    spirit: Annotated[int, Field(ge=0, le=100)] = 0


class CostModel(Model):
    """What a skill costs."""

    power: Points = 0
    soul: Points = 0


class AbsorbModel(Model):
    """``effect: {absorb: n}``."""

    absorb: Annotated[int, Field(ge=1, le=200)]


class SkillModel(Model):
    """A defensive skill; with ``ally`` it protects allies too."""

    name: Name
    check: TraitName
    difficulty: Difficulty
    cost: CostModel = CostModel()
    nature: Literal["physical", "magical", "any"] = "any"
    effect: Literal["negate", "halve", "counter"] | AbsorbModel
    ally: bool = False


class RestoreModel(Model):
    """``restore: {power, soul}``."""

    power: Points = 0
    soul: Points = 0


class SupportModel(Model):
    """A support action: exactly one of ``heal`` (Vitality) and ``restore``."""

    name: Name
    heal: Annotated[int, Field(ge=1, le=200)] | None = None
    restore: RestoreModel | None = None


class FighterModel(Model):
    """A fighter, of the party or of the foes alike."""

    name: Name
    role: Literal["participant", "spectator"] = "participant"
    allegiance: Literal["party", "foes"] | None = None  # of a spectator; None: the list it stands in
    hidden: Annotated[int, Field(ge=0, le=20)] = 0  # of a spectator
    vitality: Annotated[int, Field(ge=1, le=500)]
    initiative: TraitValue = 0
    speed: Annotated[int, Field(ge=0, le=20)] = 6
    size: Annotated[int, Field(ge=1, le=10000)] = 100
    evade: TraitValue = 0
    perceive: TraitValue = 0
    focus: TraitValue = 0
    react: TraitValue = 0
    defense: TraitValue = 0
    spirit: TraitValue = 0
    vitality_save: Annotated[int, Field(ge=-10, le=13)] = 0
    power: Points = 0
    soul: Points = 0
    xp: Annotated[int, Field(ge=0, le=10000)] = 0
    armor: ArmorModel | None = None
    attacks: Annotated[list[AttackModel], Field(min_length=1, max_length=MAX_ATTACKS)]
    spells: Annotated[list[SpellModel], Field(max_length=MAX_SPELLS)] = Field(default_factory=list)
    skills: Annotated[list[SkillModel], Field(max_length=MAX_SKILLS)] = Field(default_factory=list)
    support: Annotated[list[SupportModel], Field(max_length=MAX_SUPPORTS)] = Field(default_factory=list)
    guard: bool = False
    counter_attack: bool = False
    flying: bool = False
    hindered: bool = False
    statuses: dict[StatusName, Turns] = Field(default_factory=dict)  # at the start: own turns left
    position: Position | None = None
    facing: HeadingName | None = None  # None: towards the nearest enemy


class NorOvaEncounter(EncounterModel):
    """An encounter of Nor'Ova."""

    rules: RulesModel = RulesModel()
    party: Annotated[list[FighterModel], Field(min_length=1, max_length=MAX_FIGHTERS - 1)]
    foes: Annotated[list[FighterModel], Field(min_length=1, max_length=MAX_FIGHTERS - 1)]
