"""Section 1: checks and the ladder of difficulties."""

from __future__ import annotations

import pytest

from lens_env.errors import DiceError
from tests.rulesets.norova.scenes import attacked, chances, p, vitality

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(("face", "left"), [(11, 15), (12, 20)])
def test_s01_r01_a_check_is_d20_plus_trait_and_succeeds_if_it_reaches_the_difficulty(face: int, left: int) -> None:
    assert vitality(attacked(face, evade=3).play("EVADE")) == left


@pytest.mark.parametrize("number", [10, 12, 15, 17, 20, 25])
@pytest.mark.parametrize("trait", [-10, -1, 0, 3, 10, 13])
def test_s01_r02_every_step_of_the_ladder_has_its_exact_chance(number: int, trait: int) -> None:
    running = attacked(by={"evade_difficulty": number}, evade=trait)
    found = chances(running, "EVADE", vitality)
    assert found.get(20, 0.0) == pytest.approx(float(p(trait, number)), abs=1e-12)


def test_s01_no_face_succeeds_or_fails_by_itself() -> None:
    assert set(chances(attacked(by={"evade_difficulty": 25}), "EVADE", vitality)) == {15}  # not even a 20
    assert set(chances(attacked(evade=14), "EVADE", vitality)) == {20}  # not even a 1


def test_s01_the_script_gives_the_face_or_the_outcome() -> None:
    assert vitality(attacked("SUCCESS").play("EVADE")) == 20
    assert vitality(attacked("FAILURE").play("EVADE")) == 15


@pytest.mark.parametrize(("roll", "message"), [(21, "cannot occur"), (0, "cannot occur"), ("TRIUMPH", "no outcome")])
def test_s01_a_roll_that_no_d20_shows_is_refused(roll: int | str, message: str) -> None:
    with pytest.raises(DiceError, match=message):
        attacked(roll).play("EVADE")


def test_s01_an_outcome_that_is_out_of_reach_is_refused() -> None:
    with pytest.raises(DiceError, match="cannot occur"):
        attacked("SUCCESS", by={"evade_difficulty": 25}).play("EVADE")
