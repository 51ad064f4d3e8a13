"""States of the graph, packed into a few 64-bit words.

Which words of a state record ever vary, and between which values, is learned: from play at first, and from every
state that turns out not to fit later on. So the packing needs nothing from a ruleset, loses nothing and notices
whatever it could not hold.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from lens_env.core.record import Many, Record, new
from lens_env.errors import SolveError

Array = np.ndarray[Any, Any]

MOST_FIELDS = 512
MOST_SLOTS = 16
SLOT_BITS = 62  # of a word, so that it is never negative


class Packing(Record):
    """How the words of a state lie in its key."""

    used: int  # leading words of a state record that are in use
    round_at: int  # which of them holds the round
    count: int  # words that vary: the fields
    slots: int  # words of a key
    at: Annotated[Many[int], MOST_FIELDS]  # by field: the word of the state
    low: Annotated[Many[int], MOST_FIELDS]  # its least value
    most: Annotated[Many[int], MOST_FIELDS]  # the largest difference from it that the bits hold
    slot: Annotated[Many[int], MOST_FIELDS]  # where it lies: a word of the key
    shift: Annotated[Many[int], MOST_FIELDS]  # and a bit of it
    key: Annotated[Many[int], MOST_SLOTS]  # the key that was packed last
    wide: int  # the word that did not fit, -1 if all did
    value: int  # what it holds


class Ranges:
    """The least and the largest value of every word so far, and the packing that holds them."""

    def __init__(self, words: Array, round_at: int) -> None:
        """``words``: (n, W) int64, some states."""
        self.low, self.high = words.min(axis=0), words.max(axis=0)
        self.base = words[0].copy()  # what the words hold that never vary
        self.round_at = round_at

    def take_in(self, words: Array) -> None:
        """Make room for these states (n, W) too."""
        self.low = np.minimum(self.low, words.min(axis=0))
        self.high = np.maximum(self.high, words.max(axis=0))

    def widen(self, word: int, value: int) -> None:
        """Make room for a value that did not fit."""
        self.low[word], self.high[word] = min(self.low[word], value), max(self.high[word], value)

    @property
    def varying(self) -> Array:
        """The words that have held more than one value."""
        return np.flatnonzero(self.low != self.high)

    def packing(self) -> Array:
        """(1,) Packing. SolveError if the states vary in too many ways."""
        fields = self.varying
        packing = new(Packing)
        bits = [int(self.high[word] - self.low[word]).bit_length() for word in fields]
        slot, shift = 0, 0
        for field, (word, width) in enumerate(zip(fields, bits, strict=True)):
            if shift + width > SLOT_BITS:
                slot, shift = slot + 1, 0
            if field >= MOST_FIELDS or slot >= MOST_SLOTS or width > SLOT_BITS:
                raise SolveError(f"positions vary in too many ways to be kept apart ({sum(bits)} bits)")
            packing["at"][0, field], packing["low"][0, field] = word, self.low[word]
            packing["most"][0, field] = (1 << width) - 1
            packing["slot"][0, field], packing["shift"][0, field] = slot, shift
            shift += width
        packing["used"], packing["round_at"] = len(self.base), self.round_at
        packing["count"], packing["slots"], packing["wide"] = len(fields), slot + 1, -1
        return packing


def unpacked(packing: Array, base: Array, keys: Array) -> Array:
    """(n, W) int64: the words of the states with these keys (n, P)."""
    words = np.repeat(base[None, :], len(keys), axis=0)
    one = packing[0]
    for field in range(int(one["count"])):
        words[:, one["at"][field]] = column(packing, keys, field)
    return words


def column(packing: Array, keys: Array, field: int) -> Array:
    """(n,) int64: one field of the states with these keys (n, P)."""
    one = packing[0]
    found: Array = one["low"][field] + ((keys[:, one["slot"][field]] >> one["shift"][field]) & one["most"][field])
    return found


def packed(packing: Array, words: Array) -> Array:
    """(n, P) int64: the keys of states (n, W) that fit."""
    one = packing[0]
    keys = np.zeros((len(words), int(one["slots"])), np.int64)
    for field in range(int(one["count"])):
        keys[:, one["slot"][field]] |= (words[:, one["at"][field]] - one["low"][field]) << one["shift"][field]
    return keys


def repacked(old: Array, new_packing: Array, base: Array, keys: Array, chunk: int = 1 << 16) -> Array:
    """(n, P) int64: keys of one packing as keys of a wider one."""
    found = np.zeros((len(keys), int(new_packing[0]["slots"])), np.int64)
    for first in range(0, len(keys), chunk):
        part = slice(first, first + chunk)
        found[part] = packed(new_packing, unpacked(old, base, keys[part]))
    return found
