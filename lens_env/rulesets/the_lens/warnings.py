"""What the loader warns of: rolls of a character that cannot but be a BOTCH, or cannot get the SUCCESS they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from lens_env.core.fields import BoardModel

from .codes import Ability, Defense, Outcome, SurpriseKind, Tag
from .roster import FIXED_ABILITIES, Entry
from .sheets import CharacterModel, MonsterModel, TheLensEncounter, ability_key

Sentences = Iterator[str]


def warnings(encounter: TheLensEncounter, entries: Sequence[Entry], setup: Any, abilities: Sequence[str]) -> Sentences:
    """One sentence for each thing that is probably not meant. ``setup`` is the finished Setup record."""
    foes = [(who, entry) for who, entry in enumerate(entries) if isinstance(entry.model, MonsterModel)]
    foes = [(who, entry) for i, (who, entry) in enumerate(foes) if entry.model is not foes[i - 1][1].model or i == 0]
    for who, hero in enumerate(encounter.party):
        loader = Loader(hero, setup["sheets"][who], abilities)
        yield from loader.misspelt()
        yield from loader.opening(setup["rules"])
        if encounter.board != "none":
            yield from loader.ground(encounter.board)
        yield from loader.sources()
        for foe, entry in foes:
            yield from loader.against(entry.model, setup["sheets"][foe])


def most_effort(tn: int, *sides: int) -> int:
    """How many of the dice (0 = none) can reach the target number."""
    return sum(of >= tn for of in sides)


class Loader:
    """The warnings about one character."""

    def __init__(self, hero: CharacterModel, sheet: Any, abilities: Sequence[str]) -> None:
        self.hero, self.sheet, self.abilities = hero, sheet, abilities

    def hopeless(self, ability: int, tn: int, third: str = "third") -> bool:
        """Is every roll of this ability against ``tn`` a BOTCH?"""
        return self.best(ability, tn, third) == Outcome.BOTCH

    def best(self, ability: int, tn: int, third: str = "third") -> int:
        """The best Outcome that a roll of this ability against ``tn`` can have, without help."""
        dice = self.sheet["abilities"][ability]
        last = self.sheet["unarmed_third"] if third == "unarmed" else dice[third]
        return most_effort(tn, int(dice["talent"]), int(dice["training"]), int(last))

    def say(self, roll: str, tn: int, what: str) -> str:
        """The sentence."""
        return f"{self.hero.name}: every {roll} roll against {what} {tn} is a certain BOTCH"

    def short(self, ability: int, tn: int, what: str, third: str = "third") -> Sentences:
        """The warning about a roll for which nothing below SUCCESS counts."""
        best = self.best(ability, tn, third)
        if best == Outcome.BOTCH:
            yield self.say(self.abilities[ability], tn, what)
        elif best == Outcome.SACRIFICE:
            yield (
                f"{self.hero.name}: no {self.abilities[ability]} roll against {what} {tn} can get SUCCESS, "
                "and nothing less counts"
            )

    def misspelt(self) -> Sentences:
        """An ability that nothing here rolls and that looks like one that is rolled."""
        for name in self.hero.abilities:
            if ability_key(name) not in self.abilities:
                near = get_close_matches(ability_key(name), [*FIXED_ABILITIES, *self.abilities], 1, 0.8)
                if near:
                    yield f"{self.hero.name}: the ability {name} is never rolled here; did you mean {near[0]}?"

    def opening(self, rules: Any) -> Sentences:
        """Surprise and initiative, for which no tool counts."""
        kind, tn = rules["surprise"], int(rules["surprise_tn"])
        slot = int(rules["surprise_ability"])
        if kind in (SurpriseKind.AMBUSH, SurpriseKind.STALK):
            yield from self.short(
                slot, tn, "the ambush's TN" if kind == SurpriseKind.AMBUSH else "the stalking TN", "bare"
            )
        choices = self.sheet["initiative"][: self.sheet["initiative_count"]]
        tn = int(rules["initiative_tn"])
        if all(self.hopeless(int(choice), tn, "bare") for choice in choices):
            yield self.say("initiative", tn, "the foes' Initiative")

    def ground(self, board: BoardModel) -> Sentences:
        """Entering difficult terrain."""
        worst = max(board.difficult.values(), default=0)
        if worst and self.hopeless(Ability.MANEUVERING, worst):
            yield self.say("maneuvering", worst, "the terrain's TN")

    def sources(self) -> Sentences:
        """FORM against the Complexity, and items that ask for a roll."""
        for spell, record in zip(self.hero.spells, self.sheet["spells"], strict=False):
            if not record["sure"] and self.hopeless(Ability.SOURCE, spell.complexity):
                yield self.say("source", spell.complexity, f"the Complexity of {spell.name},")
        for item, record in zip(self.hero.items, self.sheet["items"], strict=False):
            if record["rolled"]:
                yield from self.short(int(record["ability"]), int(record["tn"]), f"the TN of {item.name},")

    def against(self, foe: Any, its: Any) -> Sentences:
        """Attacks on a foe, and defences against its attacks."""
        defense, abjuration = int(its["defense"]), int(its["abjuration"])
        if self.hopeless(Ability.WEAPON_USE, defense, "third" if self.hero.weapon else "unarmed"):
            yield self.say("weapon_use", defense, f"the Defense of {foe.name},")
        for spell, record in zip(self.hero.spells, self.sheet["spells"], strict=False):
            school = int(record["school"])
            if self.hopeless(school, abjuration):
                yield self.say(f"{self.abilities[school]} ({spell.name})", abjuration, f"the Abjuration of {foe.name},")
        for attack, record in zip(foe.attacks, its["attacks"], strict=False):
            rating = int(record["rating"])
            for defence in self.defences(record):
                if self.hopeless(*self.ability_of(defence, rating)):
                    yield self.say(defence.name, rating, f"the Attack Rating of {foe.name}'s {attack.name},")

    def defences(self, attack: Any) -> Iterator[Defense]:
        """The defences that this character can ever make against an attack (section 7)."""
        magic, tags = bool(attack["magic"]), int(attack["tags"])
        if magic:
            yield Defense.ABJURE
        if not magic and self.hero.armor and not tags >> Tag.PIERCING & 1:
            yield Defense.MITIGATE
        if not magic and self.hero.shield and not tags >> Tag.CRUSHING & 1:
            yield Defense.BLOCK
        if not tags >> Tag.SWEEPING & 1:
            yield Defense.DODGE
        armed = self.hero.weapon is not None or self.hero.natural_parry
        if not magic and armed and not tags >> Tag.HEAVY & 1 and not tags >> Tag.MISSILE & 1:
            yield Defense.PARRY

    def ability_of(self, defence: Defense, tn: int) -> tuple[int, int, str]:
        """What a defence rolls: (ability, target number, which third die)."""
        if defence == Defense.PARRY:
            return Ability.WEAPON_USE, tn, "third" if self.hero.weapon else "unarmed"
        ability = {
            Defense.ABJURE: Ability.ABJURATION,
            Defense.MITIGATE: Ability.ARMOR_USE,
            Defense.BLOCK: Ability.SHIELD_USE,
            Defense.DODGE: Ability.MANEUVERING,
        }[defence]
        return ability, tn, "third"
