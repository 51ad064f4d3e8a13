"""Dice: the three readings of a draw, each against brute force over all faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from lens_env.core import dice, tables
from lens_env.core.dice import DEPTH, Draw, Fault, Kind
from tests.support import dice_of, direct, enumerate_all, table_of

pytestmark = pytest.mark.kernel

NO_DIE = (0, 1)
Die = tuple[int, int]


def die(sides: int, tn: int) -> Die:
    """(favourable cases, all cases) of a die; 0 sides are no die."""
    return (direct(dice.hits)(sides, tn), sides) if sides else NO_DIE


def best_of(a: int, b: int, tn: int) -> Die:
    """The better of two dice as one die of a * b cases."""
    return a * b - min(a, tn - 1) * min(b, tn - 1), a * b


def worst_of(a: int, b: int, tn: int) -> Die:
    """The worse of two dice as one die of a * b cases."""
    return direct(dice.hits)(a, tn) * direct(dice.hits)(b, tn), a * b


def effort(roller: Any, talent: Die, training: Die, third: Die) -> int:
    """One Challenge."""
    return int(direct(dice.draw_effort)(roller, *talent, *training, *third))


def effort_chances(talent: Die, training: Die, third: Die) -> dict[int, float]:
    """The enumerated distribution of the effort."""
    found = enumerate_all(dice_of(), lambda roller: effort(roller, talent, training, third))
    assert len({outcome for outcome, _ in found}) == len(found)
    return dict(found)


def brute_force(faces: Sequence[Sequence[int]], shown: Callable[..., int]) -> dict[int, Fraction]:
    """The exact distribution of ``shown(*faces)`` over all equally likely faces."""
    found = Counter(shown(*roll) for roll in product(*faces))
    total = sum(found.values())
    return {outcome: Fraction(ways, total) for outcome, ways in found.items()}


def die_faces(sides: int) -> range:
    """The faces of a die; no die shows 0 always."""
    return range(1, sides + 1) if sides else range(1)


def same(chances: dict[int, float], exact: dict[int, Fraction]) -> bool:
    """Do both give the same outcomes the same chances?"""
    return chances.keys() == exact.keys() and all(abs(chances[key] - exact[key]) < 1e-15 for key in exact)


# --- a Challenge -------------------------------------------------------------------------------------------


@given(st.integers(0, 20), st.integers(-2, 25))
def test_hits(sides: int, tn: int) -> None:
    assert direct(dice.hits)(sides, tn) == sum(face >= tn for face in range(1, sides + 1))


@pytest.mark.parametrize("tn", [1, 2, 4, 5, 7, 13])
def test_effort_against_all_faces(tn: int) -> None:
    for sides in product((0, 4, 6, 8, 12), repeat=3):
        exact = brute_force([die_faces(s) for s in sides], lambda *roll: sum(face >= tn for face in roll))
        assert same(effort_chances(*(die(s, tn) for s in sides)), exact), sides


@pytest.mark.parametrize("tn", [1, 3, 5, 8, 9])
@pytest.mark.parametrize(("a", "b"), [(4, 4), (6, 6), (4, 10), (8, 6)])
def test_effort_with_two_talent_dice(a: int, b: int, tn: int) -> None:
    faces = [range(1, s + 1) for s in (a, b, 6, 4)]
    for combined, pick in ((best_of, max), (worst_of, min)):
        exact = brute_force(faces, lambda x, y, *rest, pick=pick: sum(f >= tn for f in (pick(x, y), *rest)))
        assert same(effort_chances(combined(a, b, tn), die(6, tn), die(4, tn)), exact)


def test_effort_with_best_and_worst_at_once() -> None:
    # an advantage on one die, a disadvantage on another
    faces = [range(1, 7), range(1, 7), range(1, 9), range(1, 9), range(1, 5)]
    exact = brute_force(faces, lambda a, b, c, d, e: sum(face >= 4 for face in (max(a, b), min(c, d), e)))
    assert same(effort_chances(best_of(6, 6, 4), worst_of(8, 8, 4), die(4, 4)), exact)


def test_closed_forms() -> None:
    # three dice that succeed with 1/4, 3/4 and 3/4 and with 1/4, 1/2 and 5/8
    assert effort_chances((1, 4), (3, 4), (3, 4))[3] == 9 / 64
    assert effort_chances((1, 4), (1, 2), (5, 8))[3] == 5 / 64


def test_sampled_effort_has_the_enumerated_chances() -> None:
    triple = die(8, 5), die(6, 4), die(4, 4)
    roller = dice_of(seed=11)
    draw_effort, begin = direct(dice.draw_effort), direct(dice.begin_action)
    counts = [0] * 4
    for _ in range(4000):
        begin(roller)
        counts[draw_effort(roller, *triple[0], *triple[1], *triple[2])] += 1
    chances = effort_chances(*triple)
    assert chisquare(counts, [4000 * chances[i] for i in range(4)]).pvalue > 1e-3


def test_sampled_effort_never_shows_what_cannot_be() -> None:
    roller = dice_of(seed=3)
    for _ in range(DEPTH // 2):
        assert effort(roller, (1, 1), (1, 1), NO_DIE) == 2
        assert effort(roller, NO_DIE, NO_DIE, NO_DIE) == 0
    assert roller["fault"] == Fault.NONE


# --- tables ------------------------------------------------------------------------------------------------


def draw_sum(table: Any) -> Callable[[Any], int]:
    """One roll of a sum."""
    return lambda roller: int(direct(dice.draw_sum)(roller, table))


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 20), (2, 4), (3, 6), (4, 4)])
def test_sum_against_all_faces(count: int, sides: int) -> None:
    table = table_of(tables.sum_weights(count, sides), count)
    exact = brute_force([range(1, sides + 1)] * count, lambda *roll: sum(roll))
    assert same(dict(enumerate_all(dice_of(), draw_sum(table))), exact)


@pytest.mark.parametrize("weights", [[1] * 20, tables.sum_weights(3, 6), [5, 0, 3, 0, 0, 8, 0]])
def test_sampled_table_has_its_chances(weights: list[int]) -> None:
    table, roller = table_of(weights), dice_of(seed=7)
    draw, begin = direct(dice.draw), direct(dice.begin_action)
    counts = [0] * len(weights)
    for _ in range(3000):
        begin(roller)
        counts[draw(roller, table, Draw.SUM)] += 1
    possible = np.array(weights) > 0
    assert not np.array(counts)[~possible].any()
    expected = 3000 * np.array(weights)[possible] / sum(weights)
    assert chisquare(np.array(counts)[possible], expected).pvalue > 1e-3


def test_a_table_with_the_largest_total() -> None:
    table, roller = table_of([1, dice.MAX_TOTAL - 2, 1]), dice_of(seed=1)
    assert {int(direct(dice.draw)(roller, table, Draw.SUM)) for _ in range(DEPTH)} == {1}


# --- scripted ----------------------------------------------------------------------------------------------

D20 = [1] * 20
POOL = tables.pool_weights(3, 6, 4, 6)


def test_scripted_draws_in_order() -> None:
    table, pool = table_of(D20, 1), table_of(POOL)
    index = dice.pool_index(2, 1)
    roller = dice_of([(Kind.NUMBER, 13), (Kind.INDEX, 0), (Kind.POOL, 2 | 1 << 16), (Kind.INDEX, 2)])
    assert direct(dice.draw_sum)(roller, table) == 13
    assert direct(dice.draw_sum)(roller, table) == 1
    assert direct(dice.draw)(roller, pool, Draw.POOL) == index
    assert effort(roller, (1, 2), (1, 2), (1, 2)) == 2
    assert (roller["script_at"], roller["fault"]) == (4, Fault.NONE)
    assert roller["choice"][:4].tolist() == [12, 0, index, 2]


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ((Kind.POOL, 1), Draw.SUM),
        ((Kind.FACES, 1), Draw.SUM),
        ((Kind.NUMBER, 1), Draw.POOL),
        ((Kind.FACES, 1), Draw.POOL),
        ((Kind.NUMBER, 1), None),
        ((Kind.POOL, 1), None),
        ((Kind.FACES, 1), None),
    ],
)
def test_an_entry_of_the_wrong_kind(entry: tuple[int, int], kind: Draw | None) -> None:
    roller = dice_of([entry])
    if kind is None:
        effort(roller, (1, 2), (1, 2), (1, 2))
    else:
        direct(dice.draw)(roller, table_of(POOL if kind == Draw.POOL else D20), kind)
    assert roller["fault"] == Fault.WRONG_KIND


@pytest.mark.parametrize(
    ("entry", "kind", "weights"),
    [
        ((Kind.NUMBER, 0), Draw.SUM, D20),
        ((Kind.NUMBER, 21), Draw.SUM, D20),
        ((Kind.INDEX, -1), Draw.SUM, D20),
        ((Kind.INDEX, 20), Draw.SUM, D20),
        ((Kind.INDEX, 1), Draw.SUM, [1, 0, 1]),
        ((Kind.POOL, 4), Draw.POOL, POOL),  # four successes with three dice
        ((Kind.POOL, 1 | 2 << 16), Draw.POOL, POOL),  # more criticals than successes
        ((Kind.POOL, 0 | 1 << 16), Draw.POOL, POOL),
        ((Kind.POOL, -1), Draw.POOL, POOL),
    ],
)
def test_an_impossible_entry(entry: tuple[int, int], kind: Draw, weights: list[int]) -> None:
    roller = dice_of([entry])
    direct(dice.draw)(roller, table_of(weights, 1 if kind == Draw.SUM else 0), kind)
    assert roller["fault"] == Fault.IMPOSSIBLE


@pytest.mark.parametrize("said", [-1, 4, 3])
def test_an_impossible_effort(said: int) -> None:
    roller = dice_of([(Kind.INDEX, said)])
    effort(roller, (1, 2), (1, 2), NO_DIE)
    assert roller["fault"] == Fault.IMPOSSIBLE


def test_a_script_that_runs_out() -> None:
    roller = dice_of([(Kind.NUMBER, 4)])
    table = table_of(D20, 1)
    assert direct(dice.draw_sum)(roller, table) == 4
    assert roller["fault"] == Fault.NONE
    direct(dice.draw_sum)(roller, table)
    assert roller["fault"] == Fault.SCRIPT_RAN_OUT


def test_the_first_fault_stays() -> None:
    roller = dice_of([(Kind.INDEX, 99), (Kind.NUMBER, 4)])
    table = table_of(D20, 1)
    direct(dice.draw)(roller, table, Draw.SUM)
    assert direct(dice.draw_sum)(roller, table) == 4
    direct(dice.begin_action)(roller)
    direct(dice.draw)(roller, table, Draw.SUM)
    direct(dice.end_action)(roller, 0)
    assert roller["fault"] == Fault.IMPOSSIBLE


def test_scripted_faces_looks_only_at_the_next_entry() -> None:
    look = direct(dice.scripted_faces)
    roller = dice_of([(Kind.FACES, 1), (Kind.INDEX, 0)])
    assert look(roller)
    assert direct(dice.next_entry)(roller) == 0
    assert not look(roller)
    assert direct(dice.next_entry)(roller) == 1
    assert not look(roller)  # the script has run out
    assert not look(dice_of())  # sampled


# --- enumerated --------------------------------------------------------------------------------------------


def chain(weights: Sequence[list[int]]) -> Callable[[Any], tuple[int, ...]]:
    """An action that draws from each of the tables."""
    made = [table_of(each) for each in weights]
    draw = direct(dice.draw)
    return lambda roller: tuple(int(draw(roller, table, Draw.SUM)) for table in made)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any), max_size=4))
def test_every_sequence_once(weights: list[list[int]]) -> None:
    found = enumerate_all(dice_of(), chain(weights))
    possible = [[i for i, weight in enumerate(each) if weight] for each in weights]
    assert [sequence for sequence, _ in found] == list(product(*possible))
    for sequence, chance in found:
        exact = Fraction(1)
        for each, outcome in zip(weights, sequence, strict=True):
            exact *= Fraction(each[outcome], sum(each))
        assert abs(chance - exact) < 1e-15
    assert abs(sum(chance for _, chance in found) - 1) < 1e-14


def test_weights_of_a_real_exchange_sum_to_one() -> None:
    def action(roller: Any) -> tuple[int, int]:
        return effort(roller, die(8, 5), die(6, 5), die(4, 5)), int(direct(dice.draw_sum)(roller, damage))

    damage = table_of(tables.sum_weights(3, 4), 3)
    found = enumerate_all(dice_of(), action)
    assert len(found) == 3 * 10  # a d4 never shows 5, so there is no Triumph
    assert abs(sum(chance for _, chance in found) - 1) < 1e-15


def test_later_draws_may_depend_on_earlier_outcomes() -> None:
    coin = table_of([1, 1])
    draw = direct(dice.draw)

    def action(roller: Any) -> str:
        """Toss until heads, at most four times."""
        tosses = ""
        while len(tosses) < 4 and not tosses.endswith("h"):
            tosses += "th"[int(draw(roller, coin, Draw.SUM))]
        return tosses

    found = enumerate_all(dice_of(), action)
    assert sorted(found) == sorted([("h", 0.5), ("th", 0.25), ("tth", 0.125), ("ttth", 0.0625), ("tttt", 0.0625)])


def test_an_action_without_draws_has_one_outcome() -> None:
    assert enumerate_all(dice_of(), lambda roller: 5) == [(5, 1.0)]


def test_beginning_again_forgets_the_last_enumeration() -> None:
    roller = dice_of()
    first = enumerate_all(roller, chain([[1, 1], [1, 2, 3]]))
    roller["fault"] = Fault.IMPOSSIBLE
    assert enumerate_all(roller, chain([[1, 1], [1, 2, 3]])) == first
    assert roller["fault"] == Fault.NONE


@pytest.mark.parametrize("mode", ["sampled", "scripted", "enumerated"])
def test_too_many_draws(mode: str) -> None:
    roller = dice_of([(Kind.INDEX, 0)] * (DEPTH + 1) if mode == "scripted" else None)
    if mode == "enumerated":
        direct(dice.begin_enumeration)(roller)
    table = table_of([1, 1])
    for _ in range(DEPTH):
        direct(dice.draw)(roller, table, Draw.SUM)
    assert roller["fault"] == Fault.NONE
    direct(dice.draw)(roller, table, Draw.SUM)
    assert (roller["fault"], roller["depth"]) == (Fault.TOO_MANY_DRAWS, DEPTH)


# --- the trail ---------------------------------------------------------------------------------------------


def trail_of(actions: Sequence[tuple[int, Sequence[int]]]) -> int:
    """The trail after actions with these scripted outcomes."""
    roller = dice_of([(Kind.INDEX, outcome) for _, outcomes in actions for outcome in outcomes])
    for action, outcomes in actions:
        direct(dice.begin_action)(roller)
        for _ in outcomes:
            direct(dice.draw)(roller, table_of([1] * 20), Draw.SUM)
        direct(dice.end_action)(roller, action)
    assert roller["fault"] == Fault.NONE
    return int(roller["trail"])


def test_the_trail_tells_actions_and_outcomes_apart() -> None:
    paths: list[list[tuple[int, list[int]]]] = [
        [], [(-1, [])], [(0, [])], [(1, [])], [(0, [0])], [(0, [1])], [(0, [0, 1])], [(0, [1, 0])],
        [(0, [0]), (0, [])], [(3, [19]), (200, [4])], [(200, [4]), (3, [19])],
    ]  # fmt: skip
    trails = [trail_of(path) for path in paths]
    assert len(set(trails)) >= len(paths) - 1  # (0, [0]) may equal (0), (0) as they fold the same numbers
    assert all(0 <= trail < 2**43 for trail in trails)
    assert trail_of(paths[-1]) == trails[-1]


def test_the_trail_never_overflows() -> None:
    # interpreted, an overflow is a RuntimeWarning and so an error
    roller = dice_of()
    roller["trail"] = 2**43 - 1
    direct(dice.end_action)(roller, 10_000)
    assert 0 <= roller["trail"] < 2**43
