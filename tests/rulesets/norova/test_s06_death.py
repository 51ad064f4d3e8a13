"""Section 6: the free Save, the Saves that XP buys, permanent death, and when a side has lost."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.norova.scenes import (
    ALL,
    asked,
    attack,
    attacked,
    begin,
    chances,
    duel,
    fighter,
    on_board,
    p,
    play,
    strike,
    vitality,
    who,
)

pytestmark = pytest.mark.kernel

DOWN, DEAD = 1, 2


def fallen(*rolls: Any, **me: Any) -> Game:
    """Kara, with 5 Vitality, is struck down and fails her free Save; the Foe's turn goes on. Bran stands by."""
    party = [fighter(**{"vitality": 5, **me}), fighter("Bran")]
    data = duel(party, rules=ALL)
    return strike(begin(data, "FAILURE", *rolls, order=["Foe", "Kara", "Bran"])).play("NONE")


def kara_again(running: Game) -> Game:
    """Everybody ends turns until Kara is asked, or a round has gone."""
    start = running.round
    while not running.over and running.decider != "Kara" and running.round < start + 2:
        running.play("END TURN")
    return running


@pytest.mark.parametrize("bonus", [-3, 0, 6, 13])
def test_s06_r16_at_0_there_is_one_free_save_d20_plus_vitality_save_against_15(bonus: int) -> None:
    running = attacked(rules=ALL, vitality=5, vitality_save=bonus, xp=1)
    found = chances(running, "NONE", lambda after: (vitality(after), who(after)["out"]))
    expected = {(1, 0): float(p(bonus, 15)), (0, DOWN): float(1 - p(bonus, 15))}
    assert found == pytest.approx(expected, abs=1e-12)


def test_s06_the_free_save_comes_each_time_and_for_foes_too() -> None:
    data = duel(foes=[fighter("Foe", vitality=4)], rules=ALL)
    running = strike(begin(data, "SUCCESS", "FAILURE"), "Foe").play("NONE")
    assert (vitality(running, "Foe"), running.over) == (1, False)
    play(running, "END TURN", "END TURN")
    strike(running, "Foe").play("NONE")
    assert (running.over, running.winner) == (True, "party")


def test_s06_up_again_is_standing() -> None:
    running = attacked("SUCCESS", rules=ALL, vitality=5, statuses={"prone": 1}).play("NONE")
    assert (vitality(running), who(running)["prone"]) == (1, 0)


def test_s06_the_fallen_cannot_be_targeted() -> None:
    running = fallen(xp=9).play("END TURN")
    kara_again(running).play("PASS").play("END TURN")
    assert [name for name in running.legal() if "Kara" in name] == []


def test_s06_r28_the_fallen_lose_their_statuses_and_keep_their_space_until_they_are_dead() -> None:
    party = [fighter(vitality=5, xp=1, statuses={"dazed": 5}), fighter("Bran")]
    data = on_board({"Kara": (1, 1), "Bran": (7, 7), "Foe": (1, 0)}, party=party, rules=ALL)
    running = strike(begin(data, "FAILURE", order=["Foe", "Kara", "Bran"])).play("DEFEND")
    it = who(running)
    assert (it["out"], it["x"], it["y"], it["dazed"], it["tries"]) == (DOWN, 1, 1, 0, 4)
    running.play("MOVE")
    assert "STEP S" not in running.legal()
    play(running, "STOP", "FACE S", "END TURN")
    for _ in range(4):
        assert asked(running) == ("Kara", "SAVE")
        play(running, "PASS", "END TURN", "END TURN")
    it = who(running)
    assert (it["out"], it["x"], it["y"]) == (DEAD, -1, -1)


def test_s06_r17_a_save_is_bought_for_1d20_xp_at_the_start_of_an_own_turn() -> None:
    running = kara_again(fallen(xp=30, vitality_save=5))
    found = chances(running, "SAVE", lambda after: (who(after)["xp"], who(after)["out"]))
    saved = p(5, 15)
    expected = {(30 - price, 0): saved / 20 for price in range(1, 21)}
    expected |= {(30 - price, DOWN): (1 - saved) / 20 for price in range(1, 21)}
    assert found == pytest.approx({key: float(chance) for key, chance in expected.items()}, abs=1e-12)


def test_s06_r17_with_less_xp_than_the_roll_all_is_spent_and_there_is_no_save() -> None:
    running = kara_again(fallen(xp=7, vitality_save=5))
    found = chances(running, "SAVE", lambda after: (who(after)["xp"], who(after)["out"]))
    expected: dict[Any, Fraction] = defaultdict(Fraction)
    for price in range(1, 21):
        if price > 7:
            expected[0, DOWN] += Fraction(1, 20)
        else:
            expected[7 - price, 0] += p(5, 15) / 20
            expected[7 - price, DOWN] += (1 - p(5, 15)) / 20
    assert found == pytest.approx({key: float(chance) for key, chance in expected.items()}, abs=1e-12)


def test_s06_r28_who_stands_up_by_a_bought_save_has_its_turn() -> None:
    running = kara_again(fallen(3, "SUCCESS", xp=10)).play("SAVE")
    assert (asked(running), vitality(running), who(running)["xp"]) == (("Kara", "ACT"), 1, 7)


def test_s06_declining_counts_and_after_four_turns_death_is_permanent() -> None:
    running = fallen(2, "FAILURE", xp=10)
    choices = iter(["PASS", "SAVE", "PASS", "PASS"])
    for choice in choices:
        assert asked(kara_again(running)) == ("Kara", "SAVE")
        running.play(choice)
    assert who(running)["out"] == DEAD
    assert kara_again(running).decider != "Kara"


def test_s06_r17_without_xp_nothing_is_asked() -> None:
    running = fallen(xp=0).play("END TURN")
    assert (asked(running), who(running)["tries"]) == (("Bran", "ACT"), 3)


def test_s06_r29_a_side_has_lost_when_none_is_up_and_none_can_buy_a_save() -> None:
    alone = duel([fighter(vitality=5, xp=3)], rules=ALL)
    running = strike(begin(alone, "FAILURE", 20, order=["Foe", "Kara"])).play("NONE")
    assert not running.over
    running.play("END TURN").play("SAVE")  # 20 XP would be needed: all 3 are spent
    assert (running.over, running.winner) == (True, "foes")
    broke = duel([fighter(vitality=5)], rules=ALL)
    assert strike(begin(broke, "FAILURE", order=["Foe", "Kara"])).play("NONE").winner == "foes"


def test_s06_r29_the_targets_of_an_area_fall_in_file_order_so_one_side_loses_first() -> None:
    fire = attack("fire", kind="area", radius=1, range=2, evadable=False)
    foe = fighter("Foe", vitality=5, attacks=[fire])
    data = on_board({"Kara": (0, 0), "Foe": (0, 1)}, party=[fighter(vitality=5, xp=1)], foes=[foe], rules=ALL)
    running = begin(data, "FAILURE", "FAILURE", order=["Foe", "Kara"])
    play(running, "AIM fire", "COLUMN 0", "ROW 0", "NONE", "NONE")
    assert (running.over, running.winner) == (True, "party")  # Kara could still buy a Save
    data["party"][0]["xp"] = 0
    running = begin(data, "FAILURE", order=["Foe", "Kara"])
    play(running, "AIM fire", "COLUMN 0", "ROW 0", "NONE")
    assert (running.over, running.winner) == (True, "foes")


def test_s06_one_who_falls_in_its_own_turn_has_four_more() -> None:
    data = duel([fighter(vitality=5, xp=5), fighter("Bran")], [fighter("Foe", counter_attack=True)], rules=ALL)
    running = begin(data, "SUCCESS", "FAILURE")
    strike(running, "Foe").play("COUNTER").play("NONE")
    assert (asked(running), who(running)["tries"]) == (("Bran", "ACT"), 4)
