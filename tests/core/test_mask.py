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
    legal = sorted(actions)
    assert np.flatnonzero(flags).tolist() == legal
    assert set(flags.tolist()) <= {0, 1}
    assert direct(mask.count_legal)(record) == len(legal)
    assert [direct(mask.nth_legal)(record, n) for n in range(len(legal))] == legal
    assert direct(mask.nth_legal)(record, len(legal)) == -1
    assert [action for action in range(ACTIONS) if direct(mask.allowed)(record, action)] == legal


def test_all_and_twice() -> None:
    record, flags = mask_of(set(range(48)))
    direct(mask.allow)(record, 7)
    assert flags.all()
    assert direct(mask.count_legal)(record) == 48
    assert direct(mask.nth_legal)(record, 47) == 47


def test_as_many_legal_actions_as_can_be_counted() -> None:
    array = np.zeros(1, mask.dtype(256))
    record = as_kernel_argument(array, INTERPRETED)[0]
    array["words"].view(np.uint8)[0, :255] = 1
    assert direct(mask.count_legal)(record) == 255
    assert direct(mask.nth_legal)(record, 254) == 254
