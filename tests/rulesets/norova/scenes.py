"""Small skirmishes for the rule tests: encounters as dicts, games with scripted dice, exact chances.

``begin`` scripts the initiative so that the fighters act in the order given; every other roll is the test's. The
standard attack does 5 damage without dice, so that only checks are rolled.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from typing import Any

from lens_env import Encounter, Game, Scripted

SWORD: dict[str, Any] = {"name": "sword", "flat": 5}
ALL = {"offer_dominated": True}
PLATE = {"physical": {"dice": 2, "sides": 8}, "magical": {"dice": 1, "sides": 6}, "defense": 10, "spirit": 4}


def fighter(name: str = "Kara", **changes: Any) -> dict[str, Any]:
    """A fighter whose traits are all 0; ``changes`` replace whole fields."""
    return copy.deepcopy({"name": name, "vitality": 20, "attacks": [SWORD], **changes})


def attack(name: str = "sword", **changes: Any) -> dict[str, Any]:
    """An attack of 5 damage."""
    return {**SWORD, "name": name, **changes}


def spell(name: str = "bolt", **changes: Any) -> dict[str, Any]:
    """A magical attack of 5 damage that costs nothing."""
    return {"name": name, "flat": 5, **changes}


def duel(party: list[Any] | None = None, foes: list[Any] | None = None, **changes: Any) -> dict[str, Any]:
    """An encounter without a board: Kara against the Foe, or whoever is given; ``changes`` are fields of it."""
    data = {"ruleset": "norova", "name": "Test", "party": party or [fighter()], "foes": foes or [fighter("Foe")]}
    return copy.deepcopy({**data, **changes})


def on_board(places: dict[str, Any], *, kind: str = "square", size: int = 8, **changes: Any) -> dict[str, Any]:
    """The same on a board: ``places`` gives x, y and the facing, if it matters, by name."""
    data = duel(**changes)
    data["board"] = {"kind": kind, "width": size, "height": size, "blocked": changes.get("blocked", [])}
    data.pop("blocked", None)
    for it in [*data["party"], *data["foes"]]:
        x, y, *facing = places[it["name"]]
        it["position"] = [x, y]
        if facing:
            it["facing"] = facing[0]
    return data


def begin(data: dict[str, Any], *rolls: Any, order: list[str] | None = None) -> Game:
    """A game in which initiative falls so that ``order`` (by default the file's) is the order of the turns."""
    entries = [it for it in [*data["party"], *data["foes"]] if it.get("role") != "spectator"]
    names = [it["name"] for it in entries]
    wanted = order or names
    faces = [20 - wanted.index(name) for name in names]
    return Game(Encounter.from_dict(data), dice=Scripted([*faces, *rolls]))


def foe_first(data: dict[str, Any], *rolls: Any) -> Game:
    """A game in which the foes act first."""
    names = [it["name"] for it in [*data["foes"], *data["party"]] if it.get("role") != "spectator"]
    return begin(data, *rolls, order=names)


def attacked(*rolls: Any, by: dict[str, Any] | None = None, foe: Any = None, rules: Any = None, **me: Any) -> Game:
    """Kara has to defend against the Foe's first attack, which ``by`` changes; ``rolls`` follow the initiative."""
    foes = [fighter("Foe", **{"attacks": [attack(**(by or {}))], **(foe or {})})]
    data = duel([fighter(**me)], foes, rules=rules or {})
    return strike(foe_first(data, *rolls))


def strike(running: Game, target: str = "Kara", word: str = "ATTACK") -> Game:
    """Whoever's turn it is attacks (or casts at) the target with what it has first."""
    return running.play(next(name for name in running.legal() if name.startswith(f"{word} {target} ")))


def play(running: Game, *actions: str) -> Game:
    """Play some actions in order."""
    for action in actions:
        running.play(action)
    return running


def who(running: Game, name: str = "Kara") -> Any:
    """What changes about a fighter, as a dict."""
    return running.state_dict()["fighters"][name]


def vitality(running: Game, name: str = "Kara") -> int:
    """The Vitality of a fighter."""
    return int(who(running, name)["vitality"])


def asked(running: Game) -> tuple[str | None, str | None]:
    """(who decides, what is asked)."""
    return running.decider, running.window


def defences(running: Game) -> set[str]:
    """The defence actions on offer."""
    return set(running.legal())


def chances(running: Game, action: str, of: Callable[[Game], Hashable]) -> dict[Any, float]:
    """The exact probability of each value of ``of`` after an action."""
    found: dict[Any, float] = defaultdict(float)
    for probability, after in running.outcomes(action):
        found[of(after)] += probability
    return dict(found)


def p(trait: int, difficulty: int) -> Fraction:
    """The chance that d20 + trait reaches a difficulty, by counting faces."""
    return Fraction(sum(face + trait >= difficulty for face in range(1, 21)), 20)


def sums(dice: int, sides: int) -> dict[int, Fraction]:
    """The chance of every sum of some dice, by going through all faces."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for faces in product(range(1, sides + 1), repeat=dice):
        found[sum(faces)] += Fraction(1, sides**dice)
    return dict(found)


def happened_last(running: Game) -> list[str]:
    """What the last action did, in sentences."""
    return [line.strip() for line in running.describe(len(running.events) - len(running._events[-1]))]
