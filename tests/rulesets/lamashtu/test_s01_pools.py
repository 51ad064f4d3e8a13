"""Section 1: dice pools (R-01)."""

from __future__ import annotations

import math

import pytest

from lens_env import Encounter
from lens_env.core.dice import pool_index
from lens_env.core.kernel import direct
from lens_env.errors import DiceError, EncounterError
from lens_env.rulesets.lamashtu import heuristics
from tests.rulesets.lamashtu.scenes import (
    asked,
    attacked,
    chances,
    compared,
    duel,
    faces,
    fighter,
    game,
    happened,
    successes,
    who,
)
from tests.support import records_of

pytestmark = pytest.mark.kernel

EXACT = 1e-12


def table_of(dice: int, **pool: int) -> dict[tuple[int, int], float]:
    """The probability of each (successes, Criticals) as the records of an encounter hold it."""
    data = duel(party=[fighter(attack=dice, block=0, dodge=0, clash=0)], rules={"pool": pool, "failure_hits": True})
    table = Encounter.from_dict(data).built.setup[0]["pools"][dice]["table"]
    pairs = [(s, c) for s in range(dice + 1) for c in range(s + 1)]
    return {pair: table["weights"][pool_index(*pair)] / table["total"] for pair in pairs}


@pytest.mark.parametrize("dice", range(1, 7))
def test_r01_the_joint_table_is_that_of_all_faces(dice: int) -> None:
    expected = faces(dice)
    for pair, probability in table_of(dice).items():
        assert math.isclose(probability, float(expected.get(pair, 0)), abs_tol=EXACT), pair


@pytest.mark.parametrize(("sides", "success_at", "critical_at"), [(6, 4, 6), (10, 7, 10), (8, 5, 5), (4, 2, 4)])
@pytest.mark.parametrize("dice", [1, 2, 4])
def test_r01_other_dice(dice: int, sides: int, success_at: int, critical_at: int) -> None:
    expected = faces(dice, sides, success_at, critical_at)
    for pair, probability in table_of(dice, sides=sides, success_at=success_at, critical_at=critical_at).items():
        assert math.isclose(probability, float(expected.get(pair, 0)), abs_tol=EXACT), pair


def test_one_die_succeeds_in_a_third_and_is_critical_in_a_sixth() -> None:
    table = table_of(1)
    assert math.isclose(table[1, 0] + table[1, 1], 1 / 3, abs_tol=EXACT)
    assert math.isclose(table[1, 1], 1 / 6, abs_tol=EXACT)


def test_two_dice() -> None:
    """P(2 successes) 1/9, P(2 successes, no Critical) 1/36, P(at least one Critical) 11/36."""
    table = table_of(2)
    assert math.isclose(sum(p for (s, _), p in table.items() if s == 2), 1 / 9, abs_tol=EXACT)
    assert math.isclose(table[2, 0], 1 / 36, abs_tol=EXACT)
    assert math.isclose(sum(p for (_, c), p in table.items() if c), 11 / 36, abs_tol=EXACT)


def test_three_dice_against_a_block_of_three() -> None:
    """P(X >= Y) of two equal binomials is (1 + sum of P(k)^2) / 2."""
    expected = 0.5 * (1 + sum(p**2 for p in successes(3)))
    running = attacked(by={"attack": 3}, block=3)
    found = chances(running, "BLOCK", lambda after: who(after)["poise"])
    assert math.isclose(found[2], float(expected), abs_tol=EXACT)
    assert math.isclose(found[1], 1 - float(expected), abs_tol=EXACT)


@pytest.mark.parametrize(("defence", "dice"), [("BLOCK", 6), ("DODGE", 7), ("CLASH", 5)])
def test_every_defence_rolls_its_own_pool_against_the_attack(defence: str, dice: int) -> None:
    fewer, _, _ = compared(dice, 4)
    found = chances(attacked(), defence, lambda after: who(after)["poise"])
    assert math.isclose(found[1], float(fewer), abs_tol=EXACT)


def test_a_clash_is_a_roll_of_the_attack_pool_unless_the_file_says_otherwise() -> None:
    running = game(duel(foes=[fighter("Anzu", clash=None)])).play("ATTACK Anzu")
    fewer, same, more = compared(4, 4)
    found = chances(running, "CLASH", lambda after: (who(after)["poise"], who(after, "Kara")["poise"], after.window))
    assert math.isclose(found[1, 2, "ACT"], float(fewer), abs_tol=EXACT)
    assert math.isclose(found[2, 2, "ACT"], float(same), abs_tol=EXACT)
    rest = sum(p for key, p in found.items() if key not in {(1, 2, "ACT"), (2, 2, "ACT")})
    assert math.isclose(rest, float(more), abs_tol=EXACT)


@pytest.mark.parametrize("dice", [0, 1, 5, 11])
def test_the_chances_that_agents_reckon_with_are_binomial(dice: int) -> None:
    running = game(duel(party=[fighter(block=dice)]))
    pool = running.built.setup[0]["pools"][dice]
    expected = [float(p) for p in successes(dice)]
    told = [direct(heuristics.chance_of)(records_of(running), dice, n) for n in range(dice + 1)]
    assert told == pytest.approx(expected, abs=EXACT)
    above = [sum(expected[n + 1 :]) for n in range(13)]
    assert pool["above"] == pytest.approx(above, abs=EXACT)


def test_a_pool_of_no_dice_has_no_successes() -> None:
    running = attacked((0, 0), (0, 0), block=0).play("BLOCK")
    assert (who(running)["poise"], asked(running)) == (2, ("Kara", "ACT"))


@pytest.mark.parametrize(
    ("roll", "problem"),
    [
        ((1, 2), "a Critical is also a success"),
        (3, "no roll"),
        ("SUCCESS", "no roll"),
        ((1,), "no roll"),
        ((1, True), "no roll"),
        ((-1, -1), "no roll"),
    ],
)
def test_scripted_rolls_name_successes_and_criticals(roll: object, problem: str) -> None:
    with pytest.raises(DiceError, match=problem):
        game(duel(), roll)


def test_a_scripted_roll_must_fit_its_pool() -> None:
    running = attacked((5, 0), (0, 0))
    with pytest.raises(DiceError, match="cannot occur"):
        running.play("NONE")


def test_the_log_tells_faces_that_show_the_roll() -> None:
    told = " ".join(happened(attacked((3, 1), (4, 0)).play("BLOCK")))
    shown = told.partition("Kara rolls 4 dice: ")[2].partition(":")[0]
    dice = [int(face) for face in shown.split(", ")]
    assert (len(dice), sum(face >= 5 for face in dice), dice.count(6)) == (4, 3, 1)
    assert "3 successes, 1 Critical." in told and "Anzu rolls 6 dice: " in told


@pytest.mark.parametrize(
    ("pool", "field"),
    [
        ({"success_at": 7}, "rules.pool.success_at"),
        ({"critical_at": 7}, "rules.pool.critical_at"),
        ({"critical_at": 4}, "rules.pool.critical_at"),
        ({"sides": 1}, "rules.pool.sides"),
    ],
)
def test_r01_impossible_dice_are_refused(pool: dict[str, int], field: str) -> None:
    with pytest.raises(EncounterError, match=field):
        Encounter.from_dict(duel(rules={"pool": pool}))


def test_r01_a_pool_without_an_exact_table_is_refused() -> None:
    with pytest.raises(EncounterError, match=r"party\.0\.block: 12 dice of 6 sides are too many"):
        Encounter.from_dict(duel(party=[fighter(block=12)]))
    Encounter.from_dict(duel(party=[fighter(block=11)]))
