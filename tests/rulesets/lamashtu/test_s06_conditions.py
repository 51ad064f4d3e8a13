"""Sections 6 and 7: conditions (R-14) and restoring Poise (R-05, R-15)."""

from __future__ import annotations

import pytest

from lens_env import Game
from tests.rulesets.lamashtu.scenes import asked, attacked, beside, conditions, duel, fighter, game, play, who

pytestmark = pytest.mark.kernel

FAILS = ((1, 0), (0, 0))


def after_dodges(times: int, *rolls: tuple[int, int], **changes: object) -> Game:
    """Anzu has failed some dodges in Kara's turn; it is his turn."""
    running = attacked(*FAILS * times, *rolls, **{"poise": 5, **changes})
    running.play("DODGE")
    for _ in range(times - 1):
        play(running, "ATTACK Anzu", "DODGE")
    return running.play("END TURN")


def test_s6_broken_is_poise_0_and_ends_with_1() -> None:
    running = attacked(*FAILS, (0, 0), (1, 0), (1, 0), poise=1).play("BLOCK")
    assert conditions(running) == {"broken"}
    assert running.play("ATTACK Anzu").legal() == ["NONE"]
    play(running, "NONE", "END TURN", "RECOVER", "END TURN", "ATTACK Anzu")
    assert running.legal() == ["NONE", "BLOCK", "DODGE", "CLASH"]
    assert conditions(running.play("BLOCK")) == set()


def test_s6_the_broken_may_do_everything_else() -> None:
    running = attacked(*FAILS, poise=1).play("BLOCK").play("END TURN")
    assert running.legal() == ["END TURN", "RECOVER", "ATTACK Kara"]


@pytest.mark.parametrize(("times", "rung"), [(1, "off_balance"), (2, "staggered")])
def test_r14_a_rung_ends_with_the_first_own_turn_that_begins_after_it(times: int, rung: str) -> None:
    running = after_dodges(times)
    assert (asked(running), conditions(running)) == (("Anzu", "ACT"), {rung})
    running.play("END TURN")
    assert (asked(running), conditions(running)) == (("Kara", "ACT"), set())


def test_r14_a_rung_gained_later_in_the_round_lasts_as_long() -> None:
    """Anzu acts first; what he gains in Kara's turn lasts to the end of his turn in the next round."""
    data = duel(foes=[fighter("Anzu", initiative=20, poise=5)])
    running = play(game(data, *FAILS), "END TURN", "ATTACK Anzu", "DODGE", "END TURN")
    assert conditions(running) == {"off_balance"}
    assert conditions(running.play("END TURN")) == set()


def test_r14_the_staggered_lose_one_action_point_once() -> None:
    running = after_dodges(2)
    assert who(running)["points"] == 2
    play(running, "END TURN", "END TURN")
    assert who(running)["points"] == 3


def test_r14_off_balance_alone_costs_nothing() -> None:
    running = after_dodges(1)
    assert who(running)["points"] == 3
    assert "ATTACK Kara" in running.legal()


def test_r14_a_new_failure_begins_the_time_of_its_rung() -> None:
    """Off-Balance in one round and Staggered in the next is Staggered to the end of the turn after that."""
    data = duel(foes=[fighter("Anzu", initiative=20, poise=5)])
    running = play(game(data, *FAILS * 2), "END TURN", "ATTACK Anzu", "DODGE", "ATTACK Anzu", "DODGE", "END TURN")
    assert (who(running)["points"], conditions(running)) == (2, {"staggered"})
    assert conditions(running.play("END TURN")) == set()


def test_r14_prone_neither_attacks_moves_nor_dodges_until_it_stands() -> None:
    running = beside(*FAILS * 3, poise=5)
    play(running, "DODGE", "STEP N", "ATTACK Anzu", "DODGE", "STEP S", "ATTACK Anzu", "DODGE", "STEP N", "END TURN")
    assert (conditions(running), running.legal()) == ({"prone"}, ["END TURN", "STAND", "RECOVER"])
    play(running, "END TURN", "ATTACK Anzu")
    assert running.legal() == ["NONE", "BLOCK", "CLASH"]
    assert conditions(running) == {"prone"}  # it lasts


def test_r14_prone_ends_with_stand() -> None:
    running = after_dodges(3).play("STAND")
    assert (conditions(running), who(running)["points"]) == (set(), 2)


# --- restoring Poise (section 7) ---------------------------------------------------------------------------


def test_s7_nothing_comes_back_by_itself() -> None:
    running = play(attacked(*FAILS), "BLOCK", "END TURN")
    assert who(running)["poise"] == 1


@pytest.mark.parametrize(("by_round", "poise"), [(0, 2), (1, 3), (2, 4), (3, 4)])
def test_r15_poise_per_round_at_the_start_of_the_own_turn(by_round: int, poise: int) -> None:
    running = attacked(*FAILS * 2, poise=4, rules={"poise_per_round": by_round})
    play(running, "BLOCK", "ATTACK Anzu", "BLOCK")
    assert who(running)["poise"] == 2
    assert who(running.play("END TURN"))["poise"] == poise


def test_r15_it_mends_the_broken() -> None:
    running = play(attacked(*FAILS, poise=1, rules={"poise_per_round": 1}), "BLOCK", "END TURN", "END TURN")
    assert running.play("ATTACK Anzu").legal() == ["NONE", "BLOCK", "DODGE", "CLASH"]


def test_s7_recover_and_criticals_restore_poise() -> None:
    running = play(attacked(*FAILS, (0, 0), (1, 1), poise=3), "BLOCK", "ATTACK Anzu", "BLOCK", "CASH POISE")
    assert who(running)["poise"] == 3
    running = play(attacked(*FAILS, poise=3), "BLOCK", "END TURN", "RECOVER")
    assert who(running)["poise"] == 3
