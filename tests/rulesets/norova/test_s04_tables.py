"""Section 4: every row of the table of defence situations and of the evade table, full and simple."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.norova.scenes import attack, begin, chances, duel, fighter, on_board, p, strike, vitality

pytestmark = pytest.mark.kernel

EVADE = 12  # with this trait every number from 13 to 32 has a chance of its own
PERCEIVE = 9
Row = tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], int]


def defending(me: dict[str, Any], foe: dict[str, Any], by: dict[str, Any], **rules: Any) -> Game:
    """Kara, who has noticed the attack if that was to be noticed, is asked for her defence."""
    noticing = by.get("from") == "behind" or "distracted" in me.get("statuses", {})
    hidden = by.get("kind") in ("covert", "invisible_spell")
    rolls = ["SUCCESS"] if noticing or hidden else []
    kara = fighter(evade=EVADE, perceive=PERCEIVE, **me)
    data = duel([kara], [fighter("Foe", attacks=[attack(**by)], **foe)], rules=rules)
    return strike(begin(data, *rolls, order=["Foe", "Kara"]))


def has_number(running: Game, number: int) -> None:
    """The evade check must reach ``number``; 0: no evasion is offered."""
    if number == 0:
        assert "EVADE" not in running.legal()
        return
    assert running.state_dict()["evade"] == number
    found = chances(running, "EVADE", vitality)
    assert found.get(20, 0.0) == pytest.approx(float(p(EVADE, number)), abs=1e-12)


# --- the evade table ---------------------------------------------------------------------------------------

EVADE_TABLE: list[Row] = [
    ("evenly matched", {}, {}, {}, 15),
    ("flying", {"flying": True}, {}, {}, 17),
    ("50 % smaller", {"size": 50}, {}, {}, 20),
    ("much smaller", {"size": 20}, {}, {}, 20),
    ("not quite 50 % smaller", {"size": 51}, {}, {}, 15),
    ("50 % larger", {"size": 150}, {}, {}, 12),
    ("not quite 50 % larger", {"size": 149}, {}, {}, 15),
    ("a larger attacker", {}, {"size": 200}, {}, 20),
    ("hindered", {"hindered": True}, {}, {}, 25),
    ("hindered for a while", {"statuses": {"hindered": 2}}, {}, {}, 25),
    ("prone", {"statuses": {"prone": 1}}, {}, {}, 0),
    ("trapped", {"statuses": {"trapped": 1}}, {}, {}, 0),
    ("stunned", {"statuses": {"stunned": 1}}, {}, {}, 0),
    ("r15: dazed", {"statuses": {"dazed": 1}}, {}, {}, 0),
    ("berserk", {"statuses": {"berserk": 1}}, {}, {}, 0),
    ("unconscious", {"statuses": {"unconscious": 1}}, {}, {}, 0),
    ("r14: the highest row counts", {"flying": True, "size": 150}, {}, {}, 17),
    ("r14: small and flying", {"flying": True, "size": 40}, {}, {}, 20),
    ("r14: large and hindered", {"size": 300, "hindered": True}, {}, {}, 25),
    ("r14: the attack's own number", {"flying": True}, {}, {"evade_difficulty": 13}, 13),
    ("r14: no evasion whatever the attack's number", {"statuses": {"dazed": 1}}, {}, {"evade_difficulty": 13}, 0),
]


@pytest.mark.parametrize("row", EVADE_TABLE, ids=[row[0] for row in EVADE_TABLE])
def test_s04_r14_the_full_evade_table(row: Row) -> None:
    _, me, foe, by, number = row
    has_number(defending(me, foe, by), number)


@pytest.mark.parametrize("row", EVADE_TABLE, ids=[row[0] for row in EVADE_TABLE])
def test_s04_the_simple_evade_table(row: Row) -> None:
    _, me, foe, by, number = row
    simple = by.get("evade_difficulty", 15) if number else 0
    has_number(defending(me, foe, by, evade_table="simple"), simple)


# --- the table of defence situations -----------------------------------------------------------------------

MAGIC = {"nature": "magical"}
SITUATIONS: list[tuple[str, dict[str, Any], dict[str, Any], int]] = [
    ("melee from the front", {"kind": "melee"}, {}, 15),
    ("a thrown object from the front", {"kind": "thrown_object"}, {}, 15),
    ("from behind", {"from": "behind"}, {}, 20),
    ("distracted", {}, {"statuses": {"distracted": 1}}, 20),
    ("from behind and distracted: once", {"from": "behind"}, {"statuses": {"distracted": 1}}, 20),
    ("from the side", {"from": "side"}, {}, 17),
    ("from the side and distracted", {"from": "side"}, {"statuses": {"distracted": 1}}, 20),
    ("a thrown object from the side", {"kind": "thrown_object", "from": "side"}, {}, 17),
    ("a projectile: the weapon's penalty", {"kind": "projectile", "evade_penalty": 4}, {}, 19),
    ("a projectile without a penalty", {"kind": "projectile"}, {}, 15),
    (
        "a projectile from the side: no other penalty",
        {"kind": "projectile", "evade_penalty": 4, "from": "side"},
        {},
        19,
    ),
    (
        "a projectile from behind: no other penalty",
        {"kind": "projectile", "evade_penalty": 1, "from": "behind"},
        {},
        16,
    ),
    ("an area", {"kind": "area", "radius": 1}, {}, 0),
    ("an area that may be evaded", {"kind": "area", "radius": 1, "evadable": True}, {}, 15),
    ("a seen spell", {"kind": "seen_spell", **MAGIC}, {}, 15),
    ("r35: a seen spell from the side", {"kind": "seen_spell", "from": "side", **MAGIC}, {}, 17),
    ("a fast spell", {"kind": "fast_spell", **MAGIC}, {}, 17),
    ("r35: a fast spell from the side", {"kind": "fast_spell", "from": "side", **MAGIC}, {}, 19),
    ("an invisible spell", {"kind": "invisible_spell", **MAGIC}, {}, 20),
    ("r35: an invisible spell from behind", {"kind": "invisible_spell", "from": "behind", **MAGIC}, {}, 25),
    ("a covert attack", {"kind": "covert"}, {}, 15),
    ("a covert attack from behind", {"kind": "covert", "from": "behind"}, {}, 20),
]


@pytest.mark.parametrize(("by", "me", "number"), [row[1:] for row in SITUATIONS], ids=[row[0] for row in SITUATIONS])
def test_s04_the_table_of_defence_situations(by: dict[str, Any], me: dict[str, Any], number: int) -> None:
    has_number(defending(me, {}, by), number)


@pytest.mark.parametrize(("by", "me", "number"), [row[1:] for row in SITUATIONS], ids=[row[0] for row in SITUATIONS])
def test_s04_the_modifiers_stay_with_the_simple_table(by: dict[str, Any], me: dict[str, Any], number: int) -> None:
    has_number(defending({**me, "flying": True}, {}, by, evade_table="simple"), number)


@pytest.mark.parametrize(
    ("place", "offered"), [((3, 3), False), ((3, 4), False), ((3, 5), True), ((5, 5), True), ((5, 4), True)]
)
def test_s04_an_area_can_be_evaded_only_at_its_edge(place: tuple[int, int], offered: bool) -> None:
    fire = {"name": "fire", "kind": "area", "radius": 2, "flat": 1, "range": 9}
    places = {"Kara": (*place, "N"), "Bran": (7, 7), "Foe": (3, 0)}
    data = on_board(places, party=[fighter(), fighter("Bran")], foes=[fighter("Foe", attacks=[fire])])
    running = begin(data, order=["Foe", "Kara", "Bran"])
    for name in ("AIM fire", "COLUMN 3", "ROW 3"):
        running.play(name)
    assert ("EVADE" in running.legal()) is offered


# --- the three examples of exact chances -------------------------------------------------------------------


def total(by: dict[str, Any]) -> float:
    """The chance that somebody whose traits are all 0 takes no damage, from the declaration of the attack on."""
    running = begin(duel([fighter()], [fighter("Foe", attacks=[attack(**by)])]), order=["Foe", "Kara"])
    name = next(name for name in running.legal() if name.startswith("ATTACK"))
    found = 0.0
    for chance, after in running.outcomes(name):
        if "EVADE" in after.legal():
            found += chance * chances(after, "EVADE", vitality).get(20, 0.0)
    return found


@pytest.mark.parametrize(
    ("by", "chance"), [({}, 6 / 20), ({"from": "side"}, 4 / 20), ({"from": "behind"}, 1 / 20 * 1 / 20)]
)
def test_s04_evade_0_against_15_from_the_front_the_side_and_behind(by: dict[str, Any], chance: float) -> None:
    assert total(by) == pytest.approx(chance, abs=1e-12)
