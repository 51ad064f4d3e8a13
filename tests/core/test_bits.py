from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_env.core import bits
from lens_env.core.naming import unique
from tests.support import direct

sets = st.integers(0, 2**bits.WIDTH - 1)


@pytest.mark.kernel
@given(sets)
def test_bits_are_counted_and_found(number: int) -> None:
    positions = [bit for bit in range(bits.WIDTH) if number & 1 << bit]
    assert direct(bits.count_bits)(number) == len(positions)
    assert direct(bits.lowest_bit)(number) == (positions[0] if positions else -1)
    assert [bit for bit in range(bits.WIDTH) if direct(bits.has)(number, bit)] == positions


def test_names_that_are_taken_get_their_slot() -> None:
    assert unique([("bite", 0), ("bite", 1), ("bite (slot 2)", 0)]) == (
        "bite",
        "bite (slot 2)",
        "bite (slot 2) (slot 1)",
    )
    assert unique([("bite", 0), ("bite (slot 2)", 0), ("bite", 1)]) == ("bite", "bite (slot 2)", "bite (slot 2)'")
