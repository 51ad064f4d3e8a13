"""Section 3: direction, awareness, areas; a blow strikes unless it is evaded."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.norova.scenes import (
    ALL,
    attack,
    attacked,
    begin,
    chances,
    defences,
    duel,
    fighter,
    foe_first,
    on_board,
    p,
    play,
    spell,
    strike,
    vitality,
)

pytestmark = pytest.mark.kernel

COMPASS = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
NAMES = list(COMPASS)
SIDES = ("front", "front", "side", "side", "behind", "side", "side", "front")


def direction(running: Game) -> str:
    """Where the committed attack comes from."""
    return ("front", "side", "behind")[running.state_dict()["direction"]]


def test_s03_r04_there_is_no_roll_to_hit() -> None:
    running = attacked(rules=ALL)
    assert chances(running, "NONE", vitality) == {15: 1.0}


@pytest.mark.parametrize("facing", NAMES)
@pytest.mark.parametrize("turn", range(8))
def test_s03_r05_front_side_and_behind_on_squares(facing: str, turn: int) -> None:
    dx, dy = COMPASS[NAMES[(NAMES.index(facing) + turn) % 8]]
    data = on_board({"Kara": (3, 3, facing), "Foe": (3 + dx, 3 + dy)})
    assert direction(strike(foe_first(data, "FAILURE"))) == SIDES[turn]


@pytest.mark.parametrize(
    ("place", "seen"), [((3, 0), "front"), ((5, 1), "front"), ((6, 2), "side"), ((7, 4), "side"), ((4, 7), "behind")]
)
def test_s03_r05_a_distant_attacker_counts_by_the_nearest_direction(place: tuple[int, int], seen: str) -> None:
    foe = fighter("Foe", attacks=[attack(kind="projectile", range=10)])
    data = on_board({"Kara": (3, 3, "N"), "Foe": place}, foes=[foe])
    assert direction(strike(foe_first(data, "FAILURE"))) == seen


def test_s03_r05_facing_changes_only_at_the_end_of_the_own_move() -> None:
    data = on_board({"Kara": (3, 3, "N"), "Foe": (3, 4)}, party=[fighter(counter_attack=True, perceive=5)])
    running = strike(foe_first(data, "SUCCESS", "FAILURE")).play("COUNTER")
    assert running.state_dict()["fighters"]["Kara"]["facing"] == 0
    play(running, "END TURN", "MOVE")
    assert running.state_dict()["fighters"]["Kara"]["facing"] == 0
    play(running, "STOP", "FACE S")
    assert running.state_dict()["fighters"]["Kara"]["facing"] == 4


@pytest.mark.parametrize("seen", ["front", "side", "behind"])
def test_s03_r05_without_a_board_the_attack_names_its_direction(seen: str) -> None:
    assert direction(attacked("FAILURE", by={"from": seen})) == seen


# --- awareness ---------------------------------------------------------------------------------------------

NOTICES: list[tuple[str, dict[str, Any], dict[str, Any], int]] = [
    ("front", {}, {}, 0),
    ("side", {"from": "side"}, {}, 0),
    ("behind", {"from": "behind"}, {}, 20),
    ("distracted", {}, {"statuses": {"distracted": 1}}, 20),
    ("covert", {"kind": "covert"}, {}, 20),
    ("covert, impossible", {"kind": "covert", "stealth": 25}, {}, 25),
    ("invisible", {"kind": "invisible_spell", "nature": "magical", "stealth": 25}, {}, 25),
    ("the highest counts", {"kind": "covert", "stealth": 25, "from": "behind"}, {"statuses": {"distracted": 1}}, 25),
    ("a projectile from behind too", {"kind": "projectile", "from": "behind"}, {}, 20),
]


@pytest.mark.parametrize(("by", "me", "number"), [row[1:] for row in NOTICES], ids=[row[0] for row in NOTICES])
def test_s03_awareness_is_one_perceive_check(by: dict[str, Any], me: dict[str, Any], number: int) -> None:
    foe = fighter("Foe", attacks=[attack(**by)])
    running = foe_first(duel([fighter(perceive=7, **me)], [foe]))
    name = next(name for name in running.legal() if name.startswith("ATTACK"))
    found = chances(running, name, lambda after: "NONE" not in after.legal())
    assert found.get(True, 0.0) == pytest.approx(float(p(7, number)) if number else 1.0, abs=1e-12)


def test_s03_r07_the_unaware_have_no_defence_but_their_armours_dice() -> None:
    armor = {"physical": {"dice": 1, "sides": 4}, "defense": 10}
    running = attacked("FAILURE", 3, by={"from": "behind"}, armor=armor, counter_attack=True, rules=ALL)
    assert defences(running) == {"NONE"}
    assert vitality(running.play("NONE")) == 20 - (5 - 3)


def test_s03_r25_who_cannot_act_makes_no_check_and_is_asked_all_the_same() -> None:
    for status in ("stunned", "unconscious"):
        running = attacked(by={"from": "behind"}, statuses={status: 2})
        assert (running.window, running.legal()) == ("DEFEND", ["NONE"])


# --- areas -------------------------------------------------------------------------------------------------


def burning(*rolls: Any, order: list[str] | None = None, **changes: Any) -> Game:
    """A mage at 0,0 with a fire of radius 2; Kara at 5,5, Bran two away from her, Cole at the rim of the board."""
    fire = {"name": "fire", "kind": "area", "radius": 2, "flat": 5, "range": 20, **changes}
    mage = fighter("Mage", spells=[fire])
    places = {"Kara": (5, 5, "NW"), "Bran": (5, 7), "Cole": (0, 7), "Mage": (0, 0), "Imp": (6, 6)}
    party = [fighter(), fighter("Bran"), fighter("Cole")]
    data = on_board(places, party=party, foes=[mage, fighter("Imp")])
    return begin(data, *rolls, order=order or ["Mage", "Kara", "Bran", "Cole", "Imp"])


def test_s03_an_area_strikes_everyone_within_in_file_order_and_only_the_edge_may_evade() -> None:
    running = strike(burning("SUCCESS"), word="CAST")
    seen = []
    while running.window == "DEFEND":
        seen.append((running.decider, running.legal()))
        running.play(running.legal()[0])
    assert seen == [("Kara", ["DEFEND"]), ("Bran", ["EVADE"]), ("Imp", ["DEFEND"])]
    assert [vitality(running, name) for name in ("Kara", "Bran", "Cole", "Imp", "Mage")] == [15, 20, 20, 15, 20]


def test_s03_an_evadable_area_may_be_evaded_everywhere() -> None:
    running = strike(burning(evadable=True), word="CAST")
    assert running.legal() == ["EVADE"]


def test_s03_an_area_may_name_a_space() -> None:
    running = burning(order=["Mage", "Kara", "Bran", "Cole", "Imp"], range=2)
    play(running, "AIM fire")
    assert running.legal() == ["COLUMN 0", "COLUMN 1", "COLUMN 2"]
    running.play("COLUMN 1")
    assert running.legal() == ["ROW 0", "ROW 1", "ROW 2"]
    running.play("ROW 2")
    assert (running.decider, running.legal()) == ("Mage", ["EVADE"])  # the caster stands at the edge of its own fire


def test_s03_r24_the_direction_of_an_area_is_where_its_centre_lies() -> None:
    fire = {"name": "fire", "kind": "area", "radius": 1, "flat": 5, "range": 20}
    data = on_board({"Kara": (4, 4, "N"), "Foe": (4, 0), "Bran": (0, 7)}, party=[fighter(), fighter("Bran")],
                    foes=[fighter("Foe", attacks=[attack(), fire])])  # fmt: skip
    running = play(foe_first(data, "SUCCESS"), "AIM fire", "COLUMN 4", "ROW 5")
    assert direction(running) == "behind"  # although the thrower is in front
    on_her = play(foe_first(data), "ATTACK Kara with fire")
    assert direction(on_her) == "front"


def test_s03_r24_each_target_rolls_its_own_damage() -> None:
    running = strike(burning(3, "FAILURE", 6, 1, flat=0, dice=1, sides=6), word="CAST")
    for choice in ("DEFEND", "EVADE", "DEFEND"):
        running.play(choice)
    assert [vitality(running, name) for name in ("Kara", "Bran", "Imp")] == [17, 14, 19]


def test_s03_r22_without_a_board_an_area_strikes_the_side_and_has_no_edge() -> None:
    fire = attack("fire", kind="area", radius=1)
    running = foe_first(duel([fighter(), fighter("Bran")], [fighter("Foe", attacks=[fire]), fighter("Imp")]))
    strike(running)
    assert (running.decider, running.legal()) == ("Kara", ["DEFEND"])
    running.play("DEFEND")
    assert (running.decider, running.legal()) == ("Bran", ["DEFEND"])
    running.play("DEFEND")
    assert [vitality(running, name) for name in ("Kara", "Bran", "Foe", "Imp")] == [15, 15, 20, 20]


def test_s03_r23_an_attack_reaches_one_space_and_a_spell_everywhere() -> None:
    data = on_board({"Kara": (0, 0), "Foe": (7, 7)}, party=[fighter(spells=[spell()])])
    assert begin(data).legal() == ["END TURN", "MOVE", "CAST Foe with bolt"]
