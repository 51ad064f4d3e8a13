"""Tables: exact integer weights against brute force over all faces."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_env.core import dice, tables
from lens_env.core.dice import MAX_TOTAL, WEIGHTS
from tests.support import direct, one


@pytest.mark.parametrize(
    ("count", "sides"), [(1, 1), (1, 20), (2, 4), (3, 4), (3, 6), (4, 8), (6, 6), (5, 10), (2, 12)]
)
def test_sum_against_brute_force(count: int, sides: int) -> None:
    found = Counter(sum(faces) for faces in product(range(1, sides + 1), repeat=count))
    assert tables.sum_weights(count, sides) == [found[total] for total in range(count, count * sides + 1)]


def test_no_dice_show_nothing() -> None:
    assert tables.sum_weights(0, 6) == [1]


@given(st.integers(0, 8), st.integers(1, 12))
def test_sum_counts_every_case_and_is_symmetric(count: int, sides: int) -> None:
    weights = tables.sum_weights(count, sides)
    assert sum(weights) == sides**count
    assert weights == weights[::-1]


@pytest.mark.parametrize("count", range(7))
@pytest.mark.parametrize(
    ("sides", "success_at", "critical_at"), [(6, 5, 6), (6, 4, 6), (4, 2, 4), (6, 3, 3), (6, 1, 7)]
)
def test_pool_against_brute_force(count: int, sides: int, success_at: int, critical_at: int) -> None:
    found: Counter[tuple[int, int]] = Counter()
    for faces in product(range(1, sides + 1), repeat=count):
        criticals = sum(face >= critical_at for face in faces)
        found[criticals + sum(success_at <= face < critical_at for face in faces), criticals] += 1
    expected = [found[successes, criticals] for successes in range(count + 1) for criticals in range(successes + 1)]
    assert tables.pool_weights(count, sides, success_at, critical_at) == expected


@given(st.integers(0, 40), st.data())
def test_places_in_a_pool_go_both_ways(successes: int, data: st.DataObject) -> None:
    criticals = data.draw(st.integers(0, successes))
    index = dice.pool_index(successes, criticals)
    assert dice.pool_successes(index) == successes
    assert index - dice.pool_index(dice.pool_successes(index), 0) == criticals


@pytest.mark.kernel
def test_places_in_a_pool_are_counted_without_gaps() -> None:
    index, successes = direct(dice.pool_index), direct(dice.pool_successes)
    places = [(s, c) for s in range(12) for c in range(s + 1)]
    assert [index(s, c) for s, c in places] == list(range(len(places)))
    assert [successes(place) for place in range(len(places))] == [s for s, _ in places]


def test_fill_replaces_what_was_there() -> None:
    table = one(dice.Table)
    tables.fill_sum(table, 3, 6)
    assert (table["least"], table["count"], table["total"]) == (3, 16, 216)
    tables.fill(table, [1, 0, 2], -4)
    assert (table["least"], table["count"], table["total"]) == (-4, 3, 3)
    assert table["weights"].tolist() == [1, 0, 2] + [0] * (WEIGHTS - 3)
    tables.fill_sum(table, 0, 6)
    assert (table["least"], table["count"], table["total"]) == (0, 1, 1)


def test_the_limits_of_a_table() -> None:
    assert tables.check([1] * WEIGHTS) is None
    assert tables.check([MAX_TOTAL]) is None
    with pytest.raises(ValueError, match=f"{WEIGHTS + 1} different results"):
        tables.fill(one(dice.Table), [1] * (WEIGHTS + 1), 0)
    with pytest.raises(ValueError, match="equally likely cases"):
        tables.fill_sum(one(dice.Table), 12, 6)
