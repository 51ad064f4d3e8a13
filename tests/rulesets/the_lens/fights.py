"""Scenes for sections 6 to 10: a well equipped heroine under attack, weapons with tags, sums of dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lens_env import Game
from tests.rulesets.the_lens.scenes import attack, begin, duel, efforts, foes_turn, hero, ogre, play

TN_4 = efforts([8, 6, 4], 4)  # the standard dice against the standard target number
INFLICTED = ("STUN", "PRONE", "HAMSTRUNG", "DISARMED", "BURNING", "BLEEDING", "FREEZING", "OVERBEARING", "SLASHING")
ARMOR, WARD = 3, 2


def knight(name: str = "Kara", **changes: Any) -> dict[str, Any]:
    """A character who has every defence: shield, armour of rating 3, ward of 2, sword."""
    equipment = {"shield": {"quality": "common"}, "armor": {"rating": ARMOR, "quality": "common"}, "ward": WARD}
    return hero(name, **{**equipment, **changes})


def armed_with(*tags: str, **changes: Any) -> dict[str, Any]:
    """A Master of the sword (five tags an ATTACK), whose sword of 2d4 carries these tags."""
    skilled = {name: {"talent": "average", "rank": "apprentice"} for name in ("maneuvering", "source", "fire")}
    weapon = {"name": "sword", "size": "small", "quality": "common", "tags": [tag.lower() for tag in tags]}
    abilities = {**skilled, "weapon_use": {"talent": "average", "rank": "master"}}
    return hero(**{"abilities": abilities, "weapon": weapon, "momentum": 5, **changes})


def attacked(*rolls: Any, by: Mapping[str, Any] | None = None, **changes: Any) -> Game:
    """A knight, alone, who has to defend against the first attack of an ogre; ``by`` changes the attack."""
    scene = {"party": [knight()], "foes": [ogre(attacks=[attack(**(by or {}))])], **changes}
    return declared(foes_turn(duel(**scene), *rolls))


def declared(running: Game, target: str = "Kara") -> Game:
    """The foe whose turn it is attacks with its first attack."""
    first = next(action for action in running.legal() if action.startswith(f"ATTACK {target} with "))
    return running.play(first)


def readied(data: Any, *tags: str, rolls: tuple[Any, ...] = ()) -> Game:
    """The heroine has readied these tags."""
    return play(begin(data, *rolls), *(f"TAG {tag}" for tag in tags))


def sums(dice: int, sides: int) -> dict[int, Fraction]:
    """The chance of every sum of some dice, by going through the dice one by one."""
    found = {0: Fraction(1)}
    for _ in range(dice):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for total, chance in found.items():
            for face in range(1, sides + 1):
                after[total + face] += chance / sides
        found = dict(after)
    return found


def mixed(*parts: tuple[Fraction, Mapping[Any, Fraction]]) -> dict[Any, float]:
    """The mixture of some distributions, each with its weight."""
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for weight, part in parts:
        for value, chance in part.items():
            found[value] += weight * chance
    return {value: float(chance) for value, chance in found.items() if chance}
