"""States in their packed form: nothing is lost, and what does not fit is noticed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_env.errors import SolveError
from lens_env.exact.packing import Ranges, repacked

WORDS = st.lists(
    st.lists(st.one_of(st.integers(-3, 40), st.just(7), st.integers(0, 2**40)), min_size=4, max_size=4),
    min_size=1,
    max_size=8,
).map(lambda rows: np.array(rows, np.int64))


@given(WORDS)
def test_what_is_packed_comes_back(words: np.ndarray) -> None:
    layout = Ranges(words, 0).layout()
    keys = layout.packed(words)
    assert (layout.unpacked(keys) == words).all()
    assert (keys >= 0).all()
    for word in range(4):
        assert (layout.column(keys, word) == words[:, word]).all()
    assert len(np.unique(keys, axis=0)) == len(np.unique(words, axis=0))


@given(WORDS, st.integers(0, 3), st.integers(-100, 200))
def test_a_wider_layout_keeps_whatever_the_old_one_held(words: np.ndarray, word: int, value: int) -> None:
    ranges = Ranges(words, 0)
    old = ranges.layout()
    # all that it can hold, not only what it was made from
    held = np.concatenate([words, np.repeat(words[:1], 2, axis=0)])
    held[-1] = old.low + old.most
    held[-2] = old.low
    keys = old.packed(held)
    ranges.widen(word, value)
    wider = ranges.layout()
    assert (wider.unpacked(repacked(old, wider, keys)) == held).all()
    more = held[:1].copy()
    more[0, word] = value
    assert (wider.unpacked(wider.packed(more)) == more).all()


def test_a_state_that_does_not_fit_is_refused() -> None:
    layout = Ranges(np.array([[0, 5], [4, 5]]), 0).layout()
    assert layout.packed(np.array([[7, 5]])).shape == (1, 1)
    for wrong in ([8, 5], [-1, 5], [0, 6]):
        with pytest.raises(SolveError, match="does not fit"):
            layout.packed(np.array([wrong]))


def test_too_many_ways_to_vary_are_refused() -> None:
    with pytest.raises(SolveError, match="too many ways"):
        Ranges(np.array([[0] * 20, [2**60] * 20]), 0).layout()
