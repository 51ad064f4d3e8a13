"""What an encounter file of The Lens may say: pydantic models, field by field.

Only what a field may hold on its own is checked here; what shows only together is in :mod:`.checks`.
Target numbers and ratings are 1..30, pools 0..200 points, positions cells of the board.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from lens_env.core.fields import EncounterModel, Exactly, Model, Name, Position

from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_INITIATIVE, MAX_ITEMS, MAX_SPELLS

TALENT_SIDES = {"weak": 6, "average": 8, "strong": 10, "gifted": 12}
RANK_SIDES = {"untrained": 0, "novice": 4, "apprentice": 6, "journeyman": 8, "artisan": 10, "master": 12}
RANKS = tuple(RANK_SIDES)  # a rank's place is how many tags an ATTACK may carry
QUALITY_SIDES = {"crude": 2, "common": 4, "fine": 6, "superior": 8, "exquisite": 10, "legendary": 12}
WEAPON_DICE = {"tiny": 1, "small": 2, "medium": 3, "large": 4}
ITEM_COST = {"tiny": 0, "small": 1, "medium": 2, "large": 3, "huge": 4, "great": 5, "massive": 6, "immense": 7}

Talent = Literal["weak", "average", "strong", "gifted"]
Rank = Literal["untrained", "novice", "apprentice", "journeyman", "artisan", "master"]
Quality = Literal["crude", "common", "fine", "superior", "exquisite", "legendary"]
WeaponSize = Literal["tiny", "small", "medium", "large"]
ItemSize = Literal["tiny", "small", "medium", "large", "huge", "great", "massive", "immense"]
PoolName = Literal["body", "mind", "spirit"]
GuardName = Literal["none", "shield", "nimble", "parry"]
Gift = Literal["quickness", "reflexes", "swiftness", "speed"]
EffectName = Literal["heal", "harm", "cure", "add_tag"]
TagName = Literal[
    "stun",
    "prone",
    "hamstrung",
    "disarmed",
    "burning",
    "bleeding",
    "freezing",
    "overbearing",
    "slashing",
    "crushing",
    "sweeping",
    "heavy",
    "piercing",
    "missile",
]

TargetNumber = Annotated[int, Field(ge=1, le=30)]
Points = Annotated[int, Field(ge=1, le=200)]
DiceCount = Annotated[int, Field(ge=1, le=20)]
Sides = Annotated[int, Field(ge=1, le=20)]
Range = Annotated[int, Field(ge=1, le=100)]  # squares; 1 = melee
Parameter = Annotated[int, Field(ge=0, le=30)]


class RulesModel(Model):
    """``rules``: the switches of the specification, the default first."""

    third_die: Literal["quality", "training"] = "quality"
    surprised_initiative: Literal["normal", "confused"] = "normal"
    moves_per_turn: Annotated[Literal["any", 1], Exactly] = "any"
    parry: Literal["as_printed", "riposte"] = "as_printed"
    reactions: Literal["all", "defence_only"] = "all"


class AmbushModel(Model):
    """``ambush: {ability, tn}``: each character must notice it, or is surprised."""

    ability: Name = "perception"
    tn: TargetNumber


class StalkModel(Model):
    """``stalk: {ability, tn}``: if every character does well, the foes are surprised."""

    ability: Name
    tn: TargetNumber


class SurpriseModel(Model):
    """``surprise``, if dice decide: exactly one of the two."""

    ambush: AmbushModel | None = None
    stalk: StalkModel | None = None


class AspectsModel(Model):
    """The maxima of a character's pools, in points; 0 = has no such pool."""

    body: Points
    mind: Annotated[int, Field(ge=0, le=200)]
    spirit: Annotated[int, Field(ge=0, le=200)]


class AbilityModel(Model):
    """The Talent and the Training of an ability."""

    talent: Talent = "average"
    rank: Rank = "untrained"


class WeaponModel(Model):
    """A weapon: its size gives the number of dice, its quality their sides."""

    name: Name
    size: WeaponSize
    quality: Quality
    tags: list[TagName] = Field(default_factory=list)
    range: Range = 1


class ShieldModel(Model):
    """A shield."""

    quality: Quality


class ArmorModel(Model):
    """Worn armour, or a natural one, which may lack a quality."""

    rating: Annotated[int, Field(ge=1, le=50)]
    quality: Quality | None = None
    natural: bool = False


class SpellModel(Model):
    """A spell; its Complexity is the sum of its parameters. Without ``range`` it reaches everywhere."""

    name: Name
    school: Name
    parameters: dict[str, Parameter] | list[Parameter]
    dice: DiceCount
    sides: Sides
    pool: PoolName = "body"
    tags: list[TagName] = Field(default_factory=list)
    range: Range | None = None

    @property
    def complexity(self) -> int:
        """The target number of FORM."""
        values = self.parameters.values() if isinstance(self.parameters, dict) else self.parameters
        return sum(values)


class ItemModel(Model):
    """An item; with ``ability`` and ``tn`` using it is a roll."""

    name: Name
    size: ItemSize
    uses: Annotated[int, Field(ge=1, le=9)] = 1
    effect: EffectName
    amount: Annotated[int, Field(ge=1, le=200)] | None = None
    pool: PoolName | None = None
    tag: TagName | None = None
    ability: Name | None = None
    tn: TargetNumber | None = None


class CharacterModel(Model):
    """A character of the party. An ability that is not listed is average and untrained."""

    name: Name
    aspects: AspectsModel
    abilities: dict[Name, AbilityModel] = Field(default_factory=dict)
    initiative_abilities: Annotated[list[Name], Field(min_length=1, max_length=MAX_INITIATIVE)] = Field(
        default=["maneuvering"]
    )
    weapon: WeaponModel | None = None
    shield: ShieldModel | None = None
    armor: ArmorModel | None = None
    natural_parry: bool = False
    gifts: list[Gift] = Field(default_factory=list)
    spells: Annotated[list[SpellModel], Field(max_length=MAX_SPELLS)] = Field(default_factory=list)
    items: Annotated[list[ItemModel], Field(max_length=MAX_ITEMS)] = Field(default_factory=list)
    ward: Annotated[int, Field(ge=0, le=50)] | None = None  # None: half the sides of the Abjuration Training die
    momentum: Annotated[int, Field(ge=1, le=5)] = 3  # before gifts (up to 3) and the bracket (up to 1)
    position: Position | None = None


class AttackModel(Model):
    """An attack of a monster. Without ``attack_rating`` it has the monster's."""

    name: Name
    dice: DiceCount
    sides: Sides
    tags: list[TagName] = Field(default_factory=list)
    range: Range = 1
    magic: bool = False
    pool: PoolName = "body"
    attack_rating: TargetNumber | None = None
    natural: bool = False


class MonsterModel(Model):
    """A monster, or with ``count`` several alike: "Rat 1", "Rat 2" ..."""

    name: Name
    count: Annotated[int, Field(ge=1, le=MAX_FIGHTERS - 1)] | None = None
    body: Points
    initiative: TargetNumber
    defense: TargetNumber
    abjuration: TargetNumber
    attack_rating: TargetNumber
    momentum: Annotated[int, Field(ge=0, le=9)] = 3
    recovers: bool = False
    armor: Annotated[int, Field(ge=0, le=50)] = 0
    guard: GuardName = "none"
    talent: Annotated[Literal[4, 6, 8, 10, 12], Exactly] = 8  # sides of its die when it helps or hinders
    position: Position | None = None
    positions: list[Position] | None = None
    attacks: Annotated[list[AttackModel], Field(min_length=1, max_length=MAX_ATTACKS)]


class TheLensEncounter(EncounterModel):
    """An encounter of The Lens."""

    rules: RulesModel = RulesModel()
    surprise: Literal["none", "party", "foes"] | SurpriseModel = "none"
    party: Annotated[list[CharacterModel], Field(min_length=1, max_length=MAX_FIGHTERS - 1)]
    foes: Annotated[list[MonsterModel], Field(min_length=1, max_length=MAX_FIGHTERS - 1)]


def below(sides: int) -> int:
    """The die one step below a Training die: d4 -> d2 ... d12 -> d10; no die stays none (R-01)."""
    return sides - 2 if sides else 0


def ability_key(name: str) -> str:
    """How an ability is known inside: ``Weapon Use`` and ``weapon_use`` are the same."""
    return name.strip().lower().replace(" ", "_")


def is_missile(attack: WeaponModel | AttackModel) -> bool:
    """Does it strike from afar without magic? Then it carries MISSILE even if the file does not say so."""
    magic: Any = getattr(attack, "magic", False)
    return "missile" in attack.tags or (attack.range > 1 and not magic)
