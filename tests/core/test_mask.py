"""Action masks: words of eight flags against a NumPy array of bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_env.core import mask
from lens_env.core.kernel import INTERPRETED
from lens_env.core.record import as_kernel_argument
from tests.support import direct

pytestmark = pytest.mark.kernel

ACTIONS = 45  # not a whole number of words
WORDS = 6


def mask_of(actions: set[int]) -> tuple[Any, np.ndarray[Any, Any]]:
    """A mask record in which these actions are allowed, and its bytes."""
    array = np.zeros(1, mask.dtype(ACTIONS))
    record = as_kernel_argument(array, INTERPRETED)[0]
    for action in actions:
        direct(mask.allow)(record, action)
    return record, array["words"].view(np.uint8)[0]


def test_dtype_is_whole_words() -> None:
    assert mask.dtype(ACTIONS)["words"].shape == (WORDS,)
    assert mask.dtype(48)["words"].shape == (6,)
    assert mask.dtype(1)["words"].shape == (1,)


@given(st.sets(st.integers(0, ACTIONS - 1)))
def test_against_numpy(actions: set[int]) -> None:
    record, flags = mask_of(actions)
    assert np.flatnonzero(flags).tolist() == sorted(actions)
    assert set(flags.tolist()) <= {0, 1}
    assert record["count"] == len(actions)
    assert sorted(direct(mask.nth_legal)(record, n) for n in range(len(actions))) == sorted(actions)
    assert [action for action in range(ACTIONS) if direct(mask.allowed)(record, action)] == sorted(actions)


def test_clear_leaves_nothing() -> None:
    record, flags = mask_of({0, 7, 44})
    direct(mask.clear)(record)
    assert not flags.any() and record["count"] == 0


@given(st.sets(st.integers(0, ACTIONS - 1)), st.sets(st.integers(0, ACTIONS - 1)))
def test_remove_takes_out_all_or_nothing(actions: set[int], forbidden: set[int]) -> None:
    record, flags = mask_of(actions)
    words = mask_of(forbidden)[0]
    direct(remove_words)(record, words)
    left = actions - forbidden or actions
    assert np.flatnonzero(flags).tolist() == sorted(left)
    assert sorted(direct(mask.nth_legal)(record, n) for n in range(record["count"])) == sorted(left)


def remove_words(record: Any, other: Any) -> None:
    """``mask.remove`` with the words of another mask."""
    mask.remove(record, other.words)


@given(st.lists(st.sets(st.integers(0, ACTIONS - 1)), min_size=1, max_size=4))
def test_fill_writes_both_forms(rows: list[set[int]]) -> None:
    flags = np.zeros((len(rows), ACTIONS), np.uint8)
    for row, actions in enumerate(rows):
        flags[row, sorted(actions)] = 1
    masks = np.zeros(len(rows), mask.dtype(ACTIONS))
    mask.fill(masks, flags)
    for row, actions in enumerate(rows):
        assert masks["listed"][row, : masks["count"][row]].tolist() == sorted(actions)
    assert (masks["words"].view(np.uint8)[:, :ACTIONS] == flags).all()
