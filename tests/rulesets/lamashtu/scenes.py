"""Small skirmishes for the rule tests: encounters as dicts, games with scripted dice, exact chances.

The pools of the standard fighters are all different, so that a wrong one shows. A pool's roll is scripted as
(successes, Criticals).
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from lens_env import Encounter, Game, Scripted

FIGHTER: dict[str, Any] = {"attack": 4, "block": 6, "dodge": 7, "clash": 5, "health": 10, "damage": 3}
SHEET = (*FIGHTER, "poise", "insights", "helpless", "range", "action_points", "speed")
NEXT = {"Kara": (3, 3), "Anzu": (4, 3)}  # neighbours in the middle of the board


def fighter(name: str = "Kara", **changes: Any) -> dict[str, Any]:
    """A fighter; ``changes`` replace fields. Kara acts before all others."""
    return copy.deepcopy({"name": name, **FIGHTER, "initiative": 9 if name == "Kara" else 1, **changes})


def duel(*, party: list[dict[str, Any]] | None = None, foes: list[dict[str, Any]] | None = None, **changes: Any) -> Any:
    """An encounter without a board: Kara against Anzu, or whoever is given; ``changes`` are fields of it."""
    sides = {"party": [fighter()] if party is None else party, "foes": [fighter("Anzu")] if foes is None else foes}
    return copy.deepcopy({"ruleset": "lamashtu", "name": "Test", **sides, **changes})


def on_board(
    places: dict[str, tuple[int, int]], *, kind: str = "square", size: tuple[int, int] = (7, 7), **changes: Any
) -> Any:
    """An encounter on a board; ``places`` by name, ``blocked`` cells; the rest as ``duel``."""
    blocked = changes.pop("blocked", [])
    data = duel(**changes)
    data["board"] = {"kind": kind, "width": size[0], "height": size[1], "blocked": blocked}
    for it in [*data["party"], *data["foes"]]:
        it["position"] = list(places[it["name"]])
    return data


def game(data: Any, *rolls: Any) -> Game:
    """A game whose dice are given."""
    return Game(Encounter.from_dict(data), dice=Scripted(rolls))


def play(running: Game, *actions: str) -> Game:
    """Play some actions in order."""
    for action in actions:
        running.play(action)
    return running


def two(by: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Kara, changed by ``by``, and Anzu; ``changes`` are those of his sheet and of the encounter."""
    mine = {key: value for key, value in changes.items() if key in SHEET}
    rest = {key: value for key, value in changes.items() if key not in SHEET}
    return {"party": [fighter(**by)], "foes": [fighter("Anzu", **mine)], **rest}


def attacked(*rolls: Any, by: Mapping[str, Any] | None = None, **changes: Any) -> Game:
    """Kara attacks Anzu, who has to defend, without a board.

    ``rolls`` are the dice: the attack's first, then the defence's, and whatever follows. ``by`` changes Kara's
    sheet, ``changes`` Anzu's or the encounter.
    """
    return game(duel(**two(by or {}, changes)), *rolls).play("ATTACK Anzu")


def beside(*rolls: Any, by: Mapping[str, Any] | None = None, **changes: Any) -> Game:
    """The same on squares of 7 by 7, Kara at (3, 3), Anzu to the east of her."""
    places = changes.pop("places", NEXT)
    return game(on_board(places, **two(by or {}, changes)), *rolls).play("ATTACK Anzu")


def who(running: Game, name: str = "Anzu") -> Any:
    """What changes about a fighter, as a dict."""
    return running.state_dict()["fighters"][name]


def at(running: Game, name: str = "Anzu") -> tuple[int, int]:
    """The cell of a fighter."""
    return who(running, name)["x"], who(running, name)["y"]


def asked(running: Game) -> tuple[str | None, str | None]:
    """(who decides, what is asked)."""
    return running.decider, running.window


def conditions(running: Game, name: str = "Anzu") -> set[str]:
    """The conditions of a fighter."""
    it = who(running, name)
    found = {field for field in ("off_balance", "staggered", "prone") if it[field]}
    return found | ({"broken"} if it["poise"] == 0 else set())


def happened(running: Game) -> list[str]:
    """The log without its indentation."""
    return [line.strip() for line in running.log]


# --- chances -----------------------------------------------------------------------------------------------


def chances(running: Game, action: str, of: Callable[[Game], Hashable]) -> dict[Any, float]:
    """The exact probability of each value of ``of`` after an action."""
    found: dict[Any, float] = defaultdict(float)
    for probability, after in running.outcomes(action):
        found[of(after)] += probability
    return dict(found)


def faces(dice: int, sides: int = 6, success_at: int = 5, critical_at: int = 6) -> dict[tuple[int, int], Fraction]:
    """The chance of every (successes, Criticals), by going through all faces of the dice."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    for shown in product(range(1, sides + 1), repeat=dice):
        counts[sum(face >= success_at for face in shown), sum(face >= critical_at for face in shown)] += 1
    return {pair: Fraction(count, sides**dice) for pair, count in counts.items()}


def successes(dice: int) -> list[Fraction]:
    """The chances of 0, 1, 2 ... successes of d6 that succeed on 5: Binomial(dice, 1/3)."""
    third = Fraction(1, 3)
    return [comb(dice, n) * third**n * (1 - third) ** (dice - n) for n in range(dice + 1)]


def compared(defence: int, attack: int) -> tuple[Fraction, Fraction, Fraction]:
    """The chances that a defence shows fewer, as many, or more successes than an attack."""
    pairs = [(x, y, p * q) for x, p in enumerate(successes(defence)) for y, q in enumerate(successes(attack))]
    fewer, same, more = (sum((p for x, y, p in pairs if sign(x - y) == s), Fraction(0)) for s in (-1, 0, 1))
    return fewer, same, more


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)
