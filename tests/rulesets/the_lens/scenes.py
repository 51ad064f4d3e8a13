"""Small skirmishes for the rule tests: encounters as dicts, games with scripted dice, exact chances.

The die sizes of the standard hero are all different (d8 Talent, d6 Training, d4 third die), so that a wrong die
shows. ``begin`` scripts the initiative; every other roll is given by the test.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from typing import Any

from lens_env import Encounter, Game, Scripted

OUTCOMES = ("BOTCH", "SACRIFICE", "SUCCESS", "TRIUMPH")
BRACKETS = {"BOTCH": 0, "SACRIFICE": 1, "SUCCESS": 2, "TRIUMPH": 3}
APPRENTICE = {"talent": "average", "rank": "apprentice"}
ABILITIES = ("weapon_use", "shield_use", "armor_use", "maneuvering", "abjuration", "source", "fire")
HERO: dict[str, Any] = {
    "name": "Kara",
    "aspects": {"body": 20, "mind": 10, "spirit": 8},
    "abilities": dict.fromkeys(ABILITIES, APPRENTICE),
    "initiative_abilities": ["maneuvering"],
    "weapon": {"name": "sword", "size": "small", "quality": "common", "tags": []},
}
OGRE: dict[str, Any] = {
    "name": "Ogre",
    "body": 30,
    "initiative": 4,
    "defense": 4,
    "abjuration": 4,
    "attack_rating": 4,
    "attacks": [{"name": "club", "dice": 2, "sides": 4}],
}


def hero(name: str = "Kara", **changes: Any) -> dict[str, Any]:
    """A character; ``changes`` replace whole fields."""
    return copy.deepcopy({**HERO, "name": name, **changes})


def ogre(name: str = "Ogre", **changes: Any) -> dict[str, Any]:
    """A monster; ``changes`` replace whole fields."""
    return copy.deepcopy({**OGRE, "name": name, **changes})


def attack(name: str = "club", **changes: Any) -> dict[str, Any]:
    """An attack of a monster: 2d4 without tags."""
    return {"name": name, "dice": 2, "sides": 4, **changes}


def duel(*, party: list[dict[str, Any]] | None = None, foes: list[dict[str, Any]] | None = None, **changes: Any) -> Any:
    """An encounter without a board: Kara against the Ogre, or whoever is given; ``changes`` are fields of it."""
    data = {"ruleset": "the_lens", "name": "Test", "party": party or [hero()], "foes": foes or [ogre()]}
    return copy.deepcopy({**data, **changes})


def on_board(
    places: dict[str, tuple[int, int]], *, width: int = 8, height: int = 8, ground: Any = None, **changes: Any
) -> Any:
    """An encounter on squares; ``places`` by name, ``ground``: ``blocked`` and ``difficult``; the rest as ``duel``."""
    data = duel(**changes)
    data["board"] = {"kind": "square", "width": width, "height": height, **(ground or {})}
    for it in [*data["party"], *data["foes"]]:
        it["position"] = list(places[it["name"]])
    return data


def game(data: Any, *rolls: Any) -> Game:
    """A game whose dice are given, those of surprise and initiative included."""
    return Game(Encounter.from_dict(data), dice=Scripted(rolls))


def begin(data: Any, *rolls: Any, initiative: str = "SUCCESS") -> Game:
    """A game in which every character has rolled this initiative; ``rolls`` are the dice after that."""
    return game(data, *[initiative] * len(data["party"]), *rolls)


def foes_turn(data: Any, *rolls: Any) -> Game:
    """A game in which all characters are Prepared and have ended their turns at once."""
    started = begin(data, *rolls)
    while started.side == "party":
        started.play("END TURN")
    return started


def play(running: Game, *actions: str) -> Game:
    """Play some actions in order."""
    for action in actions:
        running.play(action)
    return running


def who(running: Game, name: str = "Kara") -> Any:
    """What changes about a fighter, as a dict."""
    return running.state_dict()["fighters"][name]


def at(running: Game, name: str = "Kara") -> tuple[int, int]:
    """The cell of a fighter."""
    return who(running, name)["x"], who(running, name)["y"]


def asked(running: Game) -> tuple[str | None, str | None]:
    """(who decides, what is asked)."""
    return running.decider, running.window


def happened(running: Game) -> list[str]:
    """The log without its indentation."""
    return [line.strip() for line in running.log]


def chances(running: Game, action: str, of: Callable[[Game], Hashable]) -> dict[Any, float]:
    """The exact probability of each value of ``of`` after an action."""
    found: dict[Any, float] = defaultdict(float)
    for probability, after in running.outcomes(action):
        found[of(after)] += probability
    return dict(found)


def efforts(sides: list[int], tn: int) -> list[Fraction]:
    """The chances of 0, 1, 2, 3 Effort, by going through all faces of the dice (0 = no such die)."""
    dice = [side for side in sides if side]
    counts = [0, 0, 0, 0]
    for faces in product(*(range(1, side + 1) for side in dice)):
        counts[sum(face >= tn for face in faces)] += 1
    return [Fraction(count, sum(counts)) for count in counts]
