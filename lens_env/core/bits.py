"""Bit sets in an integer."""

from __future__ import annotations

from .kernel import hot, kernel

WIDTH = 16  # bits that are counted and searched


@hot
def has(bits: int, bit: int) -> bool:
    """Is this position in the set?"""
    return (bits >> bit) & 1 == 1


@kernel
def count_bits(bits: int) -> int:
    """How many of the lowest 16 bits are set."""
    count = 0
    for bit in range(WIDTH):
        count += (bits >> bit) & 1
    return count


@kernel
def lowest_bit(bits: int) -> int:
    """The position of the lowest set bit of the lowest 16, -1 if none is."""
    for bit in range(WIDTH):
        if (bits >> bit) & 1:
            return bit
    return -1
