"""Section 7: Attacks of Opportunity."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.norova.scenes import (
    ALL,
    asked,
    attack,
    begin,
    fighter,
    on_board,
    play,
    spell,
    strike,
    vitality,
    who,
)

pytestmark = pytest.mark.kernel


def leaving(*rolls: Any, foe: Any = None, foe_at: Any = (3, 2, "S"), **me: Any) -> Game:
    """Kara, at 3,3 and looking north, begins a Move; the Foe stands next to her."""
    data = on_board(
        {"Kara": (3, 3, "N"), "Foe": foe_at}, party=[fighter(**me)], foes=[fighter("Foe", **(foe or {}))], rules=ALL
    )
    return begin(data, *rolls).play("MOVE")


def test_s07_a_step_out_of_a_space_next_to_an_enemy_provokes_before_the_step() -> None:
    running = leaving().play("STEP S")
    assert (asked(running), running.legal()) == (("Foe", "OPPORTUNITY"), ["PASS", "ATTACK Kara with sword"])
    assert (who(running)["x"], who(running)["y"]) == (3, 3)
    running.play("ATTACK Kara with sword").play("NONE")
    assert (asked(running), vitality(running), who(running)["y"]) == (("Kara", "STEP"), 15, 4)


def test_s07_every_step_even_one_that_stays_next_to_it_but_none_from_afar() -> None:
    running = leaving().play("STEP E")
    assert asked(running) == ("Foe", "OPPORTUNITY")
    play(running, "PASS", "STEP S", "PASS")
    assert (asked(running), who(running)["y"]) == (("Kara", "STEP"), 4)
    assert asked(running.play("STEP S")) == ("Kara", "STEP")


def test_s07_once_per_enemy_in_a_movers_turn() -> None:
    running = play(leaving(), "STEP E", "ATTACK Kara with sword", "NONE", "STEP S")
    assert asked(running) == ("Kara", "STEP")
    play(running, "STOP", "FACE N", "END TURN", "END TURN", "MOVE", "STEP N")
    assert asked(running) == ("Kara", "STEP")  # she was two spaces away
    assert asked(running.play("STEP W")) == ("Foe", "OPPORTUNITY")


def test_s07_each_enemy_is_asked_in_file_order() -> None:
    places = {"Kara": (3, 3), "Foe": (3, 2), "Imp": (2, 3)}
    data = on_board(places, foes=[fighter("Foe"), fighter("Imp")], rules=ALL)
    running = play(begin(data), "MOVE", "STEP SE")
    assert asked(running) == ("Foe", "OPPORTUNITY")
    play(running, "ATTACK Kara with sword", "NONE")
    assert asked(running) == ("Imp", "OPPORTUNITY")
    assert asked(running.play("PASS")) == ("Kara", "STEP")


@pytest.mark.parametrize(
    ("foe", "place", "asks"),
    [
        ({}, (3, 2, "S"), True),
        ({}, (3, 2, "E"), True),  # the mover is beside it
        ({}, (3, 2, "N"), False),  # the mover is behind it
        ({"statuses": {"distracted": 2}}, (3, 2, "S"), False),
        ({"statuses": {"stunned": 2}}, (3, 2, "S"), False),
        ({"statuses": {"unconscious": 2}}, (3, 2, "S"), False),
        ({"statuses": {"prone": 1}}, (3, 2, "S"), True),
        ({"statuses": {"berserk": 2}}, (3, 2, "S"), True),
        ({"attacks": [attack("fire", kind="area", radius=1)]}, (3, 2, "S"), False),  # no basic attack
    ],
)
def test_s07_r26_the_enemy_must_be_aware_and_able(foe: Any, place: Any, asks: bool) -> None:
    assert (leaving(foe=foe, foe_at=place).play("STEP S").window == "OPPORTUNITY") is asks


def test_s07_r26_one_who_is_casting_makes_none() -> None:
    foe = fighter("Foe", spells=[spell(rounds=2)])
    data = on_board({"Kara": (3, 3), "Foe": (3, 2)}, foes=[foe])
    running = play(begin(data, order=["Foe", "Kara"]), "CAST Kara with bolt", "END TURN", "MOVE", "STEP S")
    assert asked(running) == ("Kara", "STEP")


def test_s07_it_is_the_basic_attack() -> None:
    foe = {"attacks": [attack("fist", flat=2), attack("axe", flat=9)]}
    assert leaving(foe=foe).play("STEP S").legal() == ["PASS", "ATTACK Kara with fist"]


def test_s07_the_mover_defends_as_always_and_may_counter() -> None:
    running = play(leaving("SUCCESS", counter_attack=True), "STEP S", "ATTACK Kara with sword")
    assert set(running.legal()) == {"NONE", "EVADE", "DEFEND", "COUNTER"}
    play(running, "COUNTER", "NONE")
    assert (vitality(running), vitality(running, "Foe"), asked(running)) == (15, 15, ("Kara", "STEP"))
    assert who(running)["y"] == 4


def test_s07_r18_a_mover_that_falls_stops() -> None:
    running = play(leaving("FAILURE", vitality=5, xp=2), "STEP S", "ATTACK Kara with sword", "NONE")
    assert (asked(running), who(running)["y"], who(running)["out"]) == (("Foe", "ACT"), 3, 1)


@pytest.mark.parametrize("status", ["prone", "trapped", "stunned", "unconscious"])
def test_s07_r26_a_mover_that_is_held_stops_and_does_not_turn(status: str) -> None:
    foe = {"attacks": [attack(inflicts={"status": status})]}
    running = play(leaving(foe=foe), "STEP S", "ATTACK Kara with sword", "NONE")
    able = status in ("prone", "trapped")
    assert asked(running) == (("Kara", "ACT") if able else ("Foe", "ACT"))
    assert (who(running)["y"], who(running)["facing"], "MOVE" in running.legal()) == (3, 0, not able)


def test_s07_turning_on_the_spot_and_attacking_provoke_nothing() -> None:
    running = play(leaving(), "STOP", "FACE S")
    assert asked(strike(running, "Foe")) == ("Foe", "DEFEND")
