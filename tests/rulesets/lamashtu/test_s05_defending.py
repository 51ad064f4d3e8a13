"""Section 5: being attacked: the choice, BLOCK, DODGE and its ladder (R-06 to R-10, R-13, R-21)."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.lamashtu.scenes import (
    asked,
    at,
    attacked,
    beside,
    chances,
    compared,
    conditions,
    duel,
    fighter,
    game,
    happened,
    on_board,
    play,
    who,
)

pytestmark = pytest.mark.kernel

ALL = ["NONE", "BLOCK", "DODGE", "CLASH"]
FAILS = ((2, 0), (1, 0))  # the attack has more successes
LADDER = [{"off_balance"}, {"staggered"}, {"prone"}]


# --- the choice --------------------------------------------------------------------------------------------


def test_s5_the_defender_is_asked_and_sees_the_committed_attack() -> None:
    running = attacked()
    state = running.state_dict()
    assert (asked(running), running.legal()) == (("Anzu", "DEFEND"), ALL)
    assert (state["attacker"], state["target"]) == (1, 2)


def test_r06_the_defence_is_chosen_before_the_attack_is_rolled() -> None:
    running = attacked()
    assert not any("rolls" in line for line in happened(running))
    assert running.state_dict()["rolled"] == 0


def test_r06_revealed_the_attack_is_rolled_first_and_only_once() -> None:
    running = attacked((3, 1), (2, 0), rules={"reveal_attack_roll": True})
    assert running.state_dict()["rolled"] == 3 + 1
    assert "Kara rolls 4 dice" in " ".join(happened(running))
    running.play("BLOCK")
    assert (who(running)["poise"], running.unused_rolls, running.state_dict()["rolled"]) == (1, 0, 0)


def test_r06_revealed_the_tier_score_is_known() -> None:
    running = attacked((1, 1), rules={"reveal_attack_roll": True})
    assert chances(running, "NONE", lambda after: who(after)["health"]) == {10: 1.0}


def test_s5_the_broken_and_the_helpless_have_nothing_but_none() -> None:
    assert attacked(helpless=True).legal() == ["NONE"]
    broken = attacked(*FAILS, poise=1).play("BLOCK")
    assert conditions(broken) == {"broken"}
    assert broken.play("ATTACK Anzu").legal() == ["NONE"]


@pytest.mark.parametrize(("reach", "may"), [(1, False), (2, False), (3, True)])
def test_r07_a_clash_needs_the_attacker_in_reach(reach: int, may: bool) -> None:
    places = {"Kara": (0, 3), "Anzu": (3, 3)}
    running = beside(by={"range": 3}, range=reach, places=places)
    assert ("CLASH" in running.legal()) is may
    assert {"BLOCK", "DODGE"} <= set(running.legal())


def test_r08_no_dodge_while_prone() -> None:
    running = attacked(*FAILS * 3, poise=5, by={"action_points": 4})
    for _ in range(3):
        play(running, "DODGE", "ATTACK Anzu")
    assert running.legal() == ["NONE", "BLOCK", "CLASH"]


# --- the table ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("defence", ["BLOCK", "DODGE", "CLASH"])
@pytest.mark.parametrize(("own", "result"), [(1, "fewer"), (2, "same"), (3, "more")])
def test_s5_every_cell_of_the_table(defence: str, own: int, result: str) -> None:
    running = attacked((2, 0), (own, 0)).play(defence)
    expected = {"Anzu": 1 if result == "fewer" else 2, "Kara": 1 if (defence, result) == ("CLASH", "more") else 2}
    assert {name: who(running, name)["poise"] for name in expected} == expected
    assert conditions(running) == ({"off_balance"} if (defence, result) == ("DODGE", "fewer") else set())
    assert who(running)["health"] == who(running, "Kara")["health"] == 10
    assert running.window == ("IMPOSE" if (defence, result) == ("CLASH", "more") else "ACT")


@pytest.mark.parametrize(("defence", "dice"), [("BLOCK", 6), ("DODGE", 7), ("CLASH", 5)])
def test_s5_the_chances_of_the_table(defence: str, dice: int) -> None:
    fewer, same, more = compared(dice, 4)
    found = chances(attacked(), defence, lambda after: who(after)["poise"])
    assert found == pytest.approx({1: float(fewer), 2: float(same + more)}, abs=1e-12)


def test_r09_a_block_stops_the_attack_and_does_not_move() -> None:
    running = beside((2, 0), (2, 0)).play("BLOCK")
    assert (at(running), asked(running)) == ((4, 3), ("Kara", "ACT"))
    assert "Anzu stops the attack." in happened(running)


def test_s5_poise_never_falls_below_0() -> None:
    """The broken attacker of a lost CLASH."""
    running = attacked((1, 0), (2, 0), (1, 0), (2, 0), by={"poise": 1})
    play(running, "CLASH", "DECLINE", "ATTACK Anzu", "CLASH", "DECLINE")
    assert (who(running, "Kara")["poise"], asked(running)) == (0, ("Kara", "ACT"))


# --- DODGE -------------------------------------------------------------------------------------------------


def test_s5_the_dodge_ladder() -> None:
    running = attacked(*FAILS * 3, poise=5)
    for rung in LADDER:
        running.play("DODGE")
        assert conditions(running) == rung
        if rung != LADDER[-1]:
            running.play("ATTACK Anzu")
    assert who(running)["poise"] == 2


def test_r10_prone_takes_the_place_of_the_rung() -> None:
    """After STAND the ladder begins anew."""
    running = attacked(*FAILS * 4, poise=5)
    play(running, "DODGE", "ATTACK Anzu", "DODGE", "ATTACK Anzu", "DODGE", "END TURN", "STAND", "END TURN")
    assert conditions(running) == set()
    assert conditions(play(running, "ATTACK Anzu", "DODGE")) == {"off_balance"}


def test_s5_a_failed_dodge_still_moves_where_the_defender_chooses() -> None:
    running = beside(*FAILS).play("DODGE")
    assert asked(running) == ("Anzu", "SIDESTEP")
    ways = ["N", "NE", "E", "SE", "S", "SW", "NW"]  # Kara stands to the west
    assert running.legal() == [f"STEP {way}" for way in ways]
    running.play("STEP NE")
    assert (at(running), asked(running)) == ((5, 2), ("Kara", "ACT"))


def test_r10_a_failed_dodge_with_one_way_takes_it_unasked() -> None:
    walls = [[3, 2], [4, 2], [5, 2], [3, 4], [4, 4], [5, 4]]
    running = beside(*FAILS, blocked=walls).play("DODGE")
    assert (at(running), asked(running)) == ((5, 3), ("Kara", "ACT"))


def test_r10_a_failed_dodge_without_a_way_stays() -> None:
    walls = [[3, 2], [4, 2], [5, 2], [5, 3], [3, 4], [4, 4], [5, 4]]
    running = beside(*FAILS, blocked=walls).play("DODGE")
    assert (at(running), asked(running), conditions(running)) == ((4, 3), ("Kara", "ACT"), {"off_balance"})


def test_s5_every_failure_moves_even_the_one_that_throws_down() -> None:
    running = beside(*FAILS * 3, poise=5)
    play(running, "DODGE", "STEP N", "ATTACK Anzu", "DODGE", "STEP S", "ATTACK Anzu", "DODGE")
    assert (asked(running), conditions(running)) == (("Anzu", "SIDESTEP"), {"prone"})
    assert at(running.play("STEP S")) == (4, 4)


def test_s5_a_successful_dodge_may_move_or_stay() -> None:
    running = beside((2, 0), (2, 0)).play("DODGE")
    assert (asked(running), running.legal()[0]) == (("Anzu", "SIDESTEP"), "STOP")
    assert at(running.copy().play("STOP")) == (4, 3)
    running.play("STEP E")
    assert (at(running), asked(running), conditions(running)) == ((5, 3), ("Kara", "ACT"), set())


def test_s5_a_dodge_without_a_board_moves_nobody() -> None:
    assert asked(attacked((2, 0), (2, 0)).play("DODGE")) == ("Kara", "ACT")
    assert asked(attacked(*FAILS).play("DODGE")) == ("Kara", "ACT")


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_s8_a_dodge_on_either_board_goes_to_a_neighbour(kind: str) -> None:
    data = on_board({"Kara": (3, 3), "Anzu": (4, 3)}, kind=kind)
    running = play(game(data, *FAILS), "ATTACK Anzu", "DODGE")
    assert len(running.legal()) == (7 if kind == "square" else 5)


# --- failure_hits ------------------------------------------------------------------------------------------

HITS: dict[str, Any] = {"rules": {"failure_hits": True}}


@pytest.mark.parametrize("defence", ["BLOCK", "DODGE", "CLASH"])
def test_r13_a_failed_defence_does_no_damage_unless_failure_hits(defence: str) -> None:
    assert who(attacked(*FAILS).play(defence))["health"] == 10
    hurt = attacked(*FAILS, **HITS).play(defence)
    assert (who(hurt)["health"], who(hurt)["poise"]) == (7, 1)


def test_r13_a_successful_one_does_none_either_way() -> None:
    assert who(attacked((2, 0), (2, 0), **HITS).play("BLOCK"))["health"] == 10


def test_r21_poise_ladder_hit_and_then_the_move() -> None:
    told = happened(beside(*FAILS, **HITS).play("DODGE").play("STEP E"))
    order = ["loses 1 Poise", "is Off-Balance", "loses 3 Health", "moves aside"]
    places = [next(i for i, line in enumerate(told) if text in line) for text in order]
    assert places == sorted(places)


def test_r21_who_falls_does_not_move() -> None:
    party, foes = [fighter()], [fighter("Anzu", health=3), fighter("Mushussu")]
    places = {"Kara": (3, 3), "Anzu": (4, 3), "Mushussu": (6, 6)}
    data = on_board(places, party=party, foes=foes, **HITS)
    running = play(game(data, *FAILS), "ATTACK Anzu", "DODGE")
    it = who(running)
    assert (it["out"], at(running), asked(running)) == (1, (-1, -1), ("Kara", "ACT"))
    assert not any(it[field] for field in ("poise", "off_balance", "points", "banked"))


def test_r13_the_last_one_to_fall_ends_the_skirmish() -> None:
    running = attacked(*FAILS, health=3, **HITS).play("DODGE")
    assert (running.over, running.winner) == (True, "party")


# --- all together ------------------------------------------------------------------------------------------


def down_the_ladder() -> Game:
    """A skirmish with scripted dice, down the whole ladder, until Poise breaks."""
    fail = ((2, 0), (0, 0))
    rolls = [*fail * 3, (3, 0), (1, 0), (1, 1), (2, 1)]
    running = game(on_board({"Kara": (3, 3), "Anzu": (4, 3)}, foes=[fighter("Anzu", poise=3)]), *rolls)
    play(running, "ATTACK Anzu", "DODGE", "STEP N", "ATTACK Anzu", "DODGE", "STEP S", "ATTACK Anzu", "DODGE", "STEP N")
    return running


def test_a_whole_skirmish_down_the_ladder_and_up_again() -> None:
    """Off-Balance, Staggered, Prone and Broken; hit through the Tier Score; stands, restores Poise, defends again."""
    running = down_the_ladder()
    assert conditions(running) == {"prone", "broken"} and who(running)["health"] == 10
    play(running, "END TURN", "END TURN", "ATTACK Anzu")
    assert running.legal() == ["NONE"]
    play(running, "NONE", "ATTACK Anzu", "NONE", "END TURN")
    assert who(running)["health"] == 7  # 3 successes hit, 1 does not
    play(running, "STAND", "RECOVER", "END TURN")
    assert (conditions(running), who(running)["poise"]) == (set(), 1)
    running.play("ATTACK Anzu")
    assert running.legal() == ["NONE", "BLOCK", "DODGE", "CLASH"]
    play(running, "BLOCK", "CASH POISE")
    assert (who(running)["poise"], asked(running), running.unused_rolls) == (2, ("Kara", "ACT"), 0)


def test_nothing_of_an_exchange_is_left_behind() -> None:
    running = beside((1, 0), (4, 2)).play("DODGE")
    play(running, "CASH AP", "CASH SPACE", "STEP E", "STEP E")
    state = running.state_dict()
    fields = ("attacker", "target", "rolled", "defense", "margin", "criticals", "buying", "spaces", "forced", "steps")
    assert {field: state[field] for field in fields if state[field]} == {}


def test_forbid_takes_a_defence_away_but_never_the_last() -> None:
    assert attacked(forbid={"foes": ["NONE", "DODGE"]}).legal() == ["BLOCK", "CLASH"]
    assert attacked(forbid={"foes": ALL}).legal() == ALL
    assert game(duel(forbid={"party": ["ATTACK"]})).legal() == ["END TURN"]
