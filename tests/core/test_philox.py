"""The random generator: its published vectors, independent streams, and uniform numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from lens_env.core import philox
from tests.support import direct, one, source_of, words

pytestmark = pytest.mark.kernel

ONES = 0xFFFFFFFF

# kat_vectors of Random123 1.14.0, "philox4x32 10": counter, key, result
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
def test_published_vectors(counter: tuple[int, ...], key: tuple[int, ...], result: tuple[int, ...]) -> None:
    assert direct(philox.block)(*counter, *key) == result


@given(st.integers(0, ONES), st.integers(0, ONES))
def test_multiply(a: int, b: int) -> None:
    assert direct(philox.multiply)(a, b) == divmod(a * b, 2**32)


def test_words_come_in_the_order_of_the_blocks() -> None:
    source = source_of(seed=5 + (6 << 32), stream=4, environment=3, episode=2)
    below, block = direct(philox.below), direct(philox.block)
    expected = [word for at in range(3) for word in block(at, 2, 3, 4, 5, 6)]
    assert [below(source, 1000) for _ in range(12)] == [(word * 1000) >> 32 for word in expected]
    assert source["taken"] == 12


def test_start_begins_the_stream_again() -> None:
    source = source_of(9, 1, 2, 3)
    first = words(source, 6)
    direct(philox.start)(source, 9, 0, 1, 2, 3)
    assert (words(source, 6) == first).all()


def test_the_last_episode_environment_stream_and_seed_work() -> None:
    source = one(philox.Source)
    direct(philox.start)(source, ONES, ONES, ONES, ONES, ONES)
    assert 0 <= direct(philox.below)(source, 2**31 - 1) < 2**31 - 1


@pytest.mark.parametrize("what", ["seed", "seed_high", "stream", "environment", "episode"])
def test_neighbouring_streams_are_uncorrelated(what: str) -> None:
    count = 1000
    if what == "seed_high":
        streams = [words(source_of(seed=i << 32), count) for i in range(4)]
    else:
        streams = [words(source_of(**{what: i}), count) for i in range(4)]
    for a, b in combinations(streams, 2):
        # the correlation of n independent pairs has the standard deviation n ** -0.5; also with b one draw later
        assert abs(np.corrcoef(a, b)[0, 1]) < 4.5 * count**-0.5
        assert abs(np.corrcoef(a[:-1], b[1:])[0, 1]) < 4.5 * count**-0.5
        assert not (a == b).any()


def test_swapped_numbers_are_another_stream() -> None:
    assert not (words(source_of(environment=1, episode=2), 8) == words(source_of(environment=2, episode=1), 8)).any()
    assert not (words(source_of(seed=1), 8) == words(source_of(seed=1 << 32), 8)).any()


@pytest.mark.parametrize("n", [2, 6, 7, 20, 100])
def test_below_is_uniform(n: int) -> None:
    below, source = direct(philox.below), source_of(seed=2026)
    counts = np.bincount([below(source, n) for _ in range(100 * n)], minlength=n)
    assert len(counts) == n
    assert chisquare(counts).pvalue > 1e-3


@given(st.integers(1, 2**31 - 1), st.integers(0, 2**64 - 1))
def test_below_stays_below(n: int, seed: int) -> None:
    assert 0 <= direct(philox.below)(source_of(seed=seed), n) < n


@given(st.integers(0, 2**64 - 1))
def test_split_seed(seed: int) -> None:
    low, high = philox.split_seed(seed)
    assert low + (high << 32) == seed
    assert 0 <= low <= ONES


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_outside_are_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="allowed are 0 to"):
        philox.split_seed(seed)
