"""Section 5: cashing Criticals (R-11, R-19)."""

from __future__ import annotations

import pytest

from lens_env import Game
from tests.rulesets.lamashtu.scenes import asked, at, attacked, beside, faces, happened, play, who

pytestmark = pytest.mark.kernel

WORN = ((1, 0), (0, 0))  # a failure first, so that there is Poise to regain


def worn(*rolls: tuple[int, int], board: bool = False, **changes: object) -> Game:
    """Anzu has lost 2 of 5 Poise by blocking, and is attacked again."""
    begun = (beside if board else attacked)(*WORN, *WORN, *rolls, poise=5, by={"action_points": 4}, **changes)
    return play(begun, "BLOCK", "ATTACK Anzu", "BLOCK", "ATTACK Anzu")


def test_s5_a_critical_buys_1_poise() -> None:
    running = worn((1, 0), (3, 1)).play("BLOCK")
    assert (asked(running), running.legal()) == (("Anzu", "CASH"), ["CASH POISE", "CASH AP", "DONE"])
    running.play("CASH POISE")
    assert (who(running)["poise"], asked(running)) == (4, ("Kara", "ACT"))


def test_s5_a_critical_buys_1_action_point_for_the_next_turn() -> None:
    running = attacked((1, 0), (3, 1)).play("BLOCK")
    assert running.legal() == ["CASH AP", "DONE"]
    running.play("CASH AP")
    assert (who(running)["banked"], who(running)["points"]) == (1, 0)


def test_s5_a_critical_buys_a_dodge_an_additional_space() -> None:
    running = beside((1, 0), (3, 1)).play("DODGE")
    assert running.legal() == ["CASH AP", "CASH SPACE", "DONE"]
    play(running, "CASH SPACE", "STEP E")
    assert (asked(running), at(running)) == (("Anzu", "SIDESTEP"), (5, 3))
    assert at(running.copy().play("STOP")) == (5, 3)
    assert at(running.play("STEP E")) == (6, 3)
    assert asked(running) == ("Kara", "ACT")


def test_s5_several_spaces() -> None:
    running = beside((0, 0), (3, 3)).play("DODGE")
    play(running, "CASH SPACE", "CASH SPACE", "CASH SPACE")
    for way in ("N", "N", "N", "E"):
        assert asked(running) == ("Anzu", "SIDESTEP")
        running.play(f"STEP {way}")
    assert (at(running), asked(running)) == ((5, 0), ("Kara", "ACT"))


def test_s5_only_a_dodge_buys_space() -> None:
    assert beside((1, 0), (3, 1)).play("BLOCK").legal() == ["CASH AP", "DONE"]
    assert attacked((1, 0), (3, 1)).play("DODGE").legal() == ["CASH AP", "DONE"]  # no board, no space


def test_s5_done_gives_up_nothing() -> None:
    running = attacked((1, 0), (3, 2)).play("BLOCK").play("DONE")
    assert (who(running)["banked"], asked(running)) == (0, ("Kara", "ACT"))


# --- how many ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("defence", ["BLOCK", "DODGE"])
@pytest.mark.parametrize(
    ("attack", "own", "most"),
    [(2, (2, 2), 0), (2, (3, 3), 1), (1, (3, 1), 1), (1, (4, 2), 2), (0, (4, 4), 4), (0, (3, 0), 0), (3, (5, 1), 1)],
)
def test_r11_each_one_takes_a_success_and_it_must_stay_a_success(
    defence: str, attack: int, own: tuple[int, int], most: int
) -> None:
    """At most as many as there are Criticals, and as there are successes to spare."""
    running = attacked((attack, 0), own, rules={"most_banked": 9}).play(defence)
    for given in range(most):
        assert asked(running) == ("Anzu", "CASH")
        running.play("CASH AP")
        assert who(running)["banked"] == given + 1
    assert asked(running) == ("Kara", "ACT")


def test_r11_a_failure_cashes_nothing() -> None:
    assert asked(attacked((4, 0), (3, 3)).play("BLOCK")) == ("Kara", "ACT")


def test_r11_kinds_are_bought_in_order_and_never_back() -> None:
    running = worn((0, 0), (6, 5), board=True, dodge=8).play("DODGE")
    assert running.legal() == ["CASH POISE", "CASH AP", "CASH SPACE", "DONE"]
    running.play("CASH POISE")
    assert running.legal() == ["CASH POISE", "CASH AP", "CASH SPACE", "DONE"]
    running.play("CASH AP")
    assert running.legal() == ["CASH AP", "CASH SPACE", "DONE"]
    running.play("CASH SPACE")
    assert running.legal() == ["CASH SPACE", "DONE"]
    running.play("DONE")
    assert (asked(running), who(running)["poise"], who(running)["banked"]) == (("Anzu", "SIDESTEP"), 4, 1)


def test_s5_poise_only_up_to_the_maximum() -> None:
    running = worn((0, 0), (5, 5)).play("BLOCK")
    play(running, "CASH POISE", "CASH POISE")
    assert (who(running)["poise"], running.legal()) == (5, ["CASH AP", "DONE"])


def test_s5_at_most_2_action_points_are_banked() -> None:
    running = attacked((0, 0), (5, 5), (0, 0), (5, 5)).play("BLOCK")
    play(running, "CASH AP", "CASH AP")
    assert (asked(running), who(running)["banked"]) == (("Kara", "ACT"), 2)
    assert asked(play(running, "ATTACK Anzu", "BLOCK")) == ("Kara", "ACT")


@pytest.mark.parametrize("most", [0, 1, 3])
def test_s5_most_banked_is_a_number_of_the_rules(most: int) -> None:
    running = attacked((0, 0), (5, 5), rules={"most_banked": most}).play("BLOCK")
    for _ in range(most):
        running.play("CASH AP")
    assert (who(running)["banked"], asked(running)) == (most, ("Kara", "ACT"))


def test_r19_space_is_offered_only_where_there_is_some() -> None:
    walls = [[3, 2], [4, 2], [5, 2], [5, 3], [3, 4], [4, 4], [5, 4]]
    running = beside((0, 0), (2, 1), blocked=walls).play("DODGE")
    assert running.legal() == ["CASH AP", "DONE"]
    assert asked(running.play("DONE")) == ("Kara", "ACT")


# --- CLASH -------------------------------------------------------------------------------------------------


def test_s5_cashing_may_turn_a_clash_into_a_match() -> None:
    """Then the attacker loses no Poise."""
    running = attacked((1, 0), (2, 1)).play("CLASH")
    assert asked(running) == ("Anzu", "CASH")
    running.play("CASH AP")
    assert (who(running, "Kara")["poise"], asked(running)) == (2, ("Kara", "ACT"))
    assert "Anzu and Kara match each other." in happened(running)


def test_s5_the_attackers_loss_comes_after_done() -> None:
    running = attacked((1, 0), (3, 2)).play("CLASH")
    assert (asked(running), who(running, "Kara")["poise"]) == (("Anzu", "CASH"), 2)
    running.play("CASH AP")
    assert (asked(running), who(running, "Kara")["poise"]) == (("Anzu", "CASH"), 2)
    running.play("DONE")
    assert (asked(running), who(running, "Kara")["poise"]) == (("Anzu", "IMPOSE"), 1)


def test_r11_a_clash_never_goes_below_a_match() -> None:
    running = attacked((1, 0), (3, 3), rules={"most_banked": 9}).play("CLASH")
    play(running, "CASH AP", "CASH AP")
    assert (who(running)["banked"], asked(running)) == (2, ("Kara", "ACT"))


def test_r19_a_match_that_was_rolled_is_no_success() -> None:
    running = attacked((2, 0), (2, 2)).play("CLASH")
    assert (asked(running), who(running)["banked"]) == (("Kara", "ACT"), 0)


@pytest.mark.parametrize("defence", ["BLOCK", "CLASH"])
def test_r11_how_often_a_critical_can_be_cashed(defence: str) -> None:
    """More successes than the attacker, and a Critical among them."""
    dice = {"BLOCK": 6, "CLASH": 5}[defence]
    attack = faces(4)
    expected = sum(
        p * q
        for (own, criticals), p in faces(dice).items()
        for (other, _), q in attack.items()
        if own > other and criticals
    )
    running = attacked()
    found = sum(p for p, after in running.outcomes(defence) if after.window == "CASH")
    assert found == pytest.approx(float(expected), abs=1e-12)
