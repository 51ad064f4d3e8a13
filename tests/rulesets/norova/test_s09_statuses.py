"""Section 9: statuses, and how long they last."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.norova.scenes import (
    ALL,
    asked,
    attack,
    attacked,
    begin,
    duel,
    fighter,
    on_board,
    play,
    spell,
    strike,
    vitality,
    who,
)

pytestmark = pytest.mark.kernel

TIMED = ("trapped", "stunned", "dazed", "unconscious", "berserk", "distracted", "hindered")


def inflicted(status: str, rounds: int = 1, **me: Any) -> Game:
    """Kara was hit by an attack that inflicts a status; the Foe has ended its turn."""
    by = {"inflicts": {"status": status, "rounds": rounds}}
    return attacked(by=by, rules=ALL, **me).play("NONE").play("END TURN")


@pytest.mark.parametrize("status", TIMED)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_s09_r20_n_rounds_end_after_the_victims_nth_own_turn(status: str, rounds: int) -> None:
    by = {"inflicts": {"status": status, "rounds": rounds}}
    running = attacked(by=by, rules=ALL).play("NONE")
    assert who(running)[status] == rounds
    for left in range(rounds - 1, -1, -1):
        running.play("END TURN")  # the Foe's turn
        if running.decider == "Kara":
            running.play("END TURN")
        assert who(running)[status] == left
    assert running.decider == "Foe"


def test_s09_an_attack_inflicts_only_on_a_hit() -> None:
    by = {"inflicts": {"status": "dazed"}}
    assert who(attacked("SUCCESS", by=by).play("EVADE"))["dazed"] == 0
    assert who(attacked("FAILURE", by=by).play("EVADE"))["dazed"] == 1


def test_s09_the_fallen_gain_nothing() -> None:
    by = {"inflicts": {"status": "dazed"}}
    running = attacked("FAILURE", by=by, rules=ALL, vitality=5, xp=1).play("NONE")
    assert (who(running)["out"], who(running)["dazed"]) == (1, 0)


def test_s09_r31_of_two_times_the_longer_counts() -> None:
    for first, second, left in ((3, 1, 3), (1, 3, 3)):
        by = {"inflicts": {"status": "dazed", "rounds": second}}
        assert who(attacked(by=by, rules=ALL, statuses={"dazed": first}).play("NONE"))["dazed"] == left


def test_s09_r31_a_turn_under_way_counts() -> None:
    foe = fighter("Foe", counter_attack=True, attacks=[attack(inflicts={"status": "dazed"})])
    running = begin(duel([fighter()], [foe], rules=ALL), "SUCCESS")
    strike(running, "Foe").play("COUNTER").play("NONE")
    assert who(running)["dazed"] == 1
    assert who(running.play("END TURN"))["dazed"] == 0


def test_s09_prone_ends_with_the_move() -> None:
    running = inflicted("prone")
    assert {name.split()[0] for name in running.legal()} == {"END", "ATTACK", "STAND"}
    play(running, "END TURN", "END TURN")
    assert who(running)["prone"] == 1
    assert who(running.play("STAND"))["prone"] == 0


@pytest.mark.parametrize("status", ["stunned", "unconscious"])
def test_s09_stunned_and_unconscious_have_no_actions(status: str) -> None:
    assert asked(inflicted(status)) == ("Foe", "ACT")


def test_s09_trapped_cannot_move_but_strikes() -> None:
    data = on_board({"Kara": (0, 0), "Foe": (0, 1)}, party=[fighter(statuses={"trapped": 1, "prone": 1})])
    assert begin(data).legal() == ["END TURN", "ATTACK Foe with sword"]


def test_s09_berserk_only_attacks_and_doubles_its_damage() -> None:
    berserker = fighter(statuses={"berserk": 1}, spells=[spell()], support=[{"name": "b", "restore": {"soul": 1}}])
    data = on_board({"Kara": (0, 0), "Foe": (0, 1)}, party=[berserker], rules=ALL)
    data["foes"][0]["armor"] = {"physical": {"flat": 3}}
    running = begin(data)
    assert running.legal() == ["END TURN", "ATTACK Foe with sword"]
    assert vitality(strike(running, "Foe").play("NONE"), "Foe") == 20 - (2 * 5 - 3)


def test_s09_r31_stunned_and_unconscious_end_a_casting() -> None:
    for status, kept in (("stunned", 0), ("unconscious", 0), ("dazed", 5)):
        foe = fighter("Foe", attacks=[attack(inflicts={"status": status})])
        data = duel([fighter(spells=[spell(rounds=3)])], [foe], rules=ALL)
        rolls = ["SUCCESS"] if kept else []
        running = begin(data, *rolls).play("CAST Foe with bolt").play("END TURN")
        assert who(strike(running).play("NONE"))["casting"] == kept


def test_s09_a_status_of_the_sheet_is_there_from_the_start() -> None:
    running = begin(duel([fighter(statuses={"distracted": 2, "prone": 1})]))
    assert (who(running)["distracted"], who(running)["prone"]) == (2, 1)
