"""Section 5: armour in its order, the Defense and Spirit checks, minimum damage; Bob's example."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from lens_env import Game, Scripted, load_encounter
from tests.rulesets.norova.scenes import ALL, PLATE, attacked, chances, p, sums, vitality

pytestmark = pytest.mark.kernel

BOB_EVADE, BOB_DEFENSE = 2, 5


def struck_bob(*rolls: Any) -> Game:
    """The Enemy strikes at Bob; ``rolls`` follow the initiative."""
    dice = Scripted([1, 20, *rolls]) if rolls else None
    return Game(load_encounter("norova/bob"), dice=dice).play("ATTACK Bob with great axe")


def test_s05_the_worked_example_20_damage_armour_roll_6_defense_check_passed_vitality_16() -> None:
    running = struck_bob("FAILURE", 6, "SUCCESS").play("EVADE")
    assert vitality(running, "Bob") == 16
    told = " ".join(line.strip() for line in running.log)
    assert "Damage: 20. Physical Armor absorbs 6." in told
    assert "Defense absorbs 10 more. Bob loses 4 Vitality: 16 left." in told


def test_s05_the_whole_distribution_of_the_worked_example_equals_brute_force() -> None:
    expected: dict[int, Fraction] = defaultdict(Fraction)
    evaded, hardened = p(BOB_EVADE, 15), p(BOB_DEFENSE, 15)
    expected[20] += evaded
    for absorbed, chance in sums(2, 8).items():
        for score, likely in ((10, hardened), (0, 1 - hardened)):
            expected[20 - max(1, 20 - absorbed - score)] += (1 - evaded) * chance * likely
    found = chances(struck_bob(), "EVADE", lambda after: vitality(after, "Bob"))
    assert found == pytest.approx({value: float(chance) for value, chance in expected.items()}, abs=1e-12)


@pytest.mark.parametrize(
    ("nature", "trait", "dice", "sides", "score"),
    [("physical", "defense", 2, 8, 10), ("magical", "spirit", 1, 6, 4)],
)
def test_s05_dice_against_dice_and_score_equal_brute_force(
    nature: str, trait: str, dice: int, sides: int, score: int
) -> None:
    by = {"nature": nature, "dice": 3, "sides": 6, "flat": 2}
    running = attacked(by=by, armor=PLATE, rules=ALL, vitality=100, **{trait: 6})
    expected: dict[int, Fraction] = defaultdict(Fraction)
    for rolled, chance in sums(3, 6).items():
        for absorbed, likely in sums(dice, sides).items():
            for off, passes in ((score, p(6, 15)), (0, 1 - p(6, 15))):
                expected[100 - max(1, rolled + 2 - absorbed - off)] += chance * likely * passes
    found = chances(running, "DEFEND", vitality)
    assert found == pytest.approx({value: float(chance) for value, chance in expected.items()}, abs=1e-12)


def test_s05_damage_is_rolled_first_then_the_armour_then_the_check() -> None:
    by = {"dice": 2, "sides": 6, "flat": 0}
    assert vitality(attacked(9, 3, "SUCCESS", by=by, armor={**PLATE, "defense": 4}, rules=ALL).play("DEFEND")) == 18


@pytest.mark.parametrize(("minimum", "left"), [(True, 19), (False, 20)])
def test_s05_minimum_damage_is_1_unless_the_gm_says_otherwise(minimum: bool, left: int) -> None:
    rules = {**ALL, "minimum_damage": minimum}
    assert vitality(attacked(16, rules=rules, armor=PLATE).play("NONE")) == left


def test_s05_what_was_evaded_or_negated_does_no_damage_at_all() -> None:
    assert vitality(attacked("SUCCESS").play("EVADE")) == 20
    ward = {"name": "ward", "check": "spirit", "difficulty": 15, "effect": "negate"}
    assert vitality(attacked("SUCCESS", skills=[ward]).play("SKILL 1")) == 20


def test_s05_r30_nothing_is_rolled_that_could_change_nothing() -> None:
    assert vitality(attacked(rules=ALL, armor={"physical": {"flat": 2}}).play("DEFEND")) == 17


def test_s05_the_four_protective_values_protect_only_against_their_nature() -> None:
    armor = {"physical": {"flat": 3}, "magical": {"flat": 1}, "defense": 1, "spirit": 2}
    assert vitality(attacked("SUCCESS", rules=ALL, armor=armor).play("DEFEND")) == 19
    magic = attacked("SUCCESS", by={"nature": "magical"}, rules=ALL, armor=armor).play("DEFEND")
    assert vitality(magic) == 18
