"""Section 3: the Tier Score of the defenceless, and of those who choose it (R-02, R-03)."""

from __future__ import annotations

import math

import pytest

from lens_env import Encounter
from tests.rulesets.lamashtu.scenes import asked, attacked, chances, duel, fighter, happened, successes, who

pytestmark = pytest.mark.kernel

TARGETS = {0: 1, 4: 1, 5: 2, 9: 2, 10: 3, 19: 3, 20: 4, 1000: 4}


@pytest.mark.parametrize(("insights", "target"), TARGETS.items())
def test_r03_the_target_numbers_of_the_tiers(insights: int, target: int) -> None:
    data = duel(party=[fighter(attack=6)], foes=[fighter("Anzu", insights=insights)])
    assert Encounter.from_dict(data).built.setup[0]["sheets"][1]["target"] == target


@pytest.mark.parametrize("insights", [0, 5, 10])
@pytest.mark.parametrize("rolled", range(6))
def test_s3_up_to_the_target_number_misses_more_hits(insights: int, rolled: int) -> None:
    running = attacked((rolled, 0), by={"attack": 6}, insights=insights).play("NONE")
    assert who(running)["health"] == (7 if rolled > TARGETS[insights] else 10)
    assert asked(running) == ("Kara", "ACT")


def test_r03_tiers_of_the_file() -> None:
    rules = {"tiers": [{"insights": 0, "target": 0}, {"insights": 3, "target": 5}]}
    assert who(attacked((1, 0), rules=rules).play("NONE"))["health"] == 7
    assert who(attacked((5, 0), by={"attack": 6}, insights=3, rules=rules).play("NONE"))["health"] == 10


def test_r02_whoever_could_defend_may_choose_the_tier_score_and_loses_no_poise() -> None:
    running = attacked((4, 4))
    assert running.legal() == ["NONE", "BLOCK", "DODGE", "CLASH"]
    running.play("NONE")
    assert (who(running)["poise"], who(running)["health"]) == (2, 7)


def test_s3_the_broken_have_only_the_tier_score() -> None:
    running = attacked((1, 0), (0, 0), (2, 0), poise=1).play("BLOCK").play("ATTACK Anzu")
    assert running.legal() == ["NONE"]
    assert who(running.play("NONE"))["health"] == 7


def test_s3_the_helpless_have_only_the_tier_score() -> None:
    running = attacked((2, 0), helpless=True)
    assert running.legal() == ["NONE"]
    assert who(running.play("NONE"))["health"] == 7


@pytest.mark.parametrize(("dice", "insights"), [(3, 0), (4, 5), (5, 10)])
def test_s3_the_chance_of_a_hit(dice: int, insights: int) -> None:
    running = attacked(by={"attack": dice}, insights=insights)
    found = chances(running, "NONE", lambda after: who(after)["health"])
    expected = float(sum(successes(dice)[TARGETS[insights] + 1 :]))
    assert math.isclose(found[7], expected, abs_tol=1e-12)
    assert math.isclose(found[10], 1 - expected, abs_tol=1e-12)


def test_s3_the_log_tells_hit_and_miss() -> None:
    assert "A miss, against Anzu's Tier Score of 1." in happened(attacked((1, 0)).play("NONE"))
    assert "A hit, against Anzu's Tier Score of 1." in happened(attacked((2, 0)).play("NONE"))
