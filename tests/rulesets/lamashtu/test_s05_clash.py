"""Section 5: CLASH and its negative effect (R-12, R-20, R-22)."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.lamashtu.scenes import asked, at, attacked, beside, conditions, game, on_board, play, who

pytestmark = pytest.mark.kernel

WON = ((1, 0), (2, 0))
COSTS: dict[str, Any] = {"rules": {"clash_effect": "costs_critical"}}


def test_s5_a_match_costs_nobody_poise() -> None:
    running = attacked((2, 0), (2, 0)).play("CLASH")
    assert (who(running)["poise"], who(running, "Kara")["poise"], asked(running)) == (2, 2, ("Kara", "ACT"))


def test_s5_a_lost_clash_costs_the_defender_poise() -> None:
    running = attacked((2, 0), (1, 0)).play("CLASH")
    assert (who(running)["poise"], who(running, "Kara")["poise"], asked(running)) == (1, 2, ("Kara", "ACT"))


def test_s5_a_won_clash_costs_the_attacker_poise_and_may_break_it() -> None:
    running = attacked(*WON, by={"poise": 1}).play("CLASH")
    assert (asked(running), conditions(running, "Kara")) == (("Anzu", "IMPOSE"), {"broken"})


def test_r12_the_effect_may_be_declined() -> None:
    running = beside(*WON).play("CLASH")
    assert running.legal() == ["IMPOSE", "DECLINE"]
    running.play("DECLINE")
    assert (at(running, "Kara"), conditions(running, "Kara"), asked(running)) == ((3, 3), set(), ("Kara", "ACT"))


def test_r12_imposed_it_pushes_away_and_makes_off_balance() -> None:
    running = play(beside(*WON), "CLASH", "IMPOSE")
    assert (asked(running), conditions(running, "Kara")) == (("Anzu", "PUSH"), {"off_balance"})
    assert running.legal() == ["PUSH SW", "PUSH W", "PUSH NW"]  # the cells two away from Anzu
    running.play("PUSH SW")
    assert (at(running, "Kara"), asked(running)) == ((2, 4), ("Kara", "ACT"))


def test_r12_a_push_with_one_way_is_not_asked() -> None:
    running = play(beside(*WON, blocked=[[2, 2], [2, 4]]), "CLASH", "IMPOSE")
    assert (at(running, "Kara"), asked(running)) == ((2, 3), ("Kara", "ACT"))


def test_r12_without_a_free_space_there_is_no_push() -> None:
    running = play(beside(*WON, blocked=[[2, 2], [2, 3], [2, 4]]), "CLASH", "IMPOSE")
    assert (at(running, "Kara"), conditions(running, "Kara")) == ((3, 3), {"off_balance"})
    places = {"Kara": (0, 3), "Anzu": (1, 3)}
    assert at(play(beside(*WON, places=places), "CLASH", "IMPOSE"), "Kara") == (0, 3)


def test_s8_without_a_board_there_is_no_push() -> None:
    running = play(attacked(*WON), "CLASH", "IMPOSE")
    assert (asked(running), conditions(running, "Kara")) == (("Kara", "ACT"), {"off_balance"})


@pytest.mark.parametrize(
    ("cell", "ways"), [((4, 3), ["SW", "W", "NW"]), ((4, 2), ["SE", "SW", "W"]), ((3, 2), ["E", "SE", "SW"])]
)
def test_r12_on_hexes_the_farther_ones_are_three(cell: tuple[int, int], ways: list[str]) -> None:
    """Kara stands on the odd row at (3, 3): (4, 3) is to her east, (4, 2) north-east, (3, 2) north-west."""
    running = game(on_board({"Kara": (3, 3), "Anzu": cell}, kind="hex"), *WON)
    play(running, "ATTACK Anzu", "CLASH", "IMPOSE")
    assert running.legal() == [f"PUSH {way}" for way in ways]


# --- clash_effect: costs_critical --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "possible"),
    [((2, 1), False), ((3, 0), False), ((3, 1), True), ((4, 2), True), ((2, 2), False)],
)
def test_r20_the_effect_costs_a_critical_and_a_success_is_left(own: tuple[int, int], possible: bool) -> None:
    """Against 1 success: one Critical must be left, and more than 2 successes."""
    running = attacked((1, 0), own, **COSTS).play("CLASH")
    if running.window == "CASH":
        running.play("DONE")
    assert who(running, "Kara")["poise"] == 1
    assert (running.window == "IMPOSE") is possible


def test_r20_a_critical_that_was_cashed_does_not_pay() -> None:
    running = play(attacked((1, 0), (3, 1), **COSTS), "CLASH", "CASH AP")
    assert (asked(running), who(running, "Kara")["poise"]) == (("Kara", "ACT"), 1)


def test_r20_of_two_criticals_one_may_be_cashed() -> None:
    running = play(attacked((1, 0), (4, 2), **COSTS), "CLASH", "CASH AP", "DONE")
    assert asked(running) == ("Anzu", "IMPOSE")
    assert conditions(running.play("IMPOSE"), "Kara") == {"off_balance"}


# --- how long it lasts (R-14, R-22) ------------------------------------------------------------------------


def imposed(*rolls: Any, **changes: Any) -> Game:
    """Kara has been made Off-Balance in her own turn."""
    return play(attacked(*WON, *rolls, **changes), "CLASH", "IMPOSE")


def test_r14_gained_in_the_own_turn_it_lasts_to_the_end_of_the_next() -> None:
    running = imposed().play("END TURN")
    assert conditions(running, "Kara") == {"off_balance"}
    running.play("END TURN")
    assert (asked(running), conditions(running, "Kara")) == (("Kara", "ACT"), {"off_balance"})
    assert conditions(running.play("END TURN"), "Kara") == set()


def test_r22_being_made_off_balance_again_begins_its_time_anew() -> None:
    running = play(imposed(*WON, by={"poise": 5}), "END TURN", "END TURN", "ATTACK Anzu", "CLASH", "IMPOSE", "END TURN")
    assert conditions(running, "Kara") == {"off_balance"}
    assert conditions(play(running, "END TURN", "END TURN"), "Kara") == set()


def test_r22_it_never_lowers_a_rung() -> None:
    """Kara, Staggered by two failed dodges, stays Staggered, and loses it when she would have."""
    fails = ((1, 0), (0, 0))
    running = attacked((0, 0), *fails, *fails, *WON, poise=3)
    play(running, "NONE", "END TURN", "ATTACK Kara", "DODGE", "ATTACK Kara", "DODGE", "END TURN")
    assert conditions(running, "Kara") == {"broken", "staggered"}
    play(running, "ATTACK Anzu", "CLASH", "IMPOSE")
    assert conditions(running, "Kara") == {"broken", "staggered"}
    assert conditions(running.play("END TURN"), "Kara") == {"broken"}


def test_r14_an_off_balance_attacker_staggers_when_its_dodge_fails() -> None:
    running = play(imposed((1, 0), (0, 0)), "END TURN", "ATTACK Kara", "DODGE")
    assert conditions(running, "Kara") == {"broken", "staggered"}
