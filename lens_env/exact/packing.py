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

MOST_SLOTS = 16
SLOT_BITS = 62  # of a word, so that it is never negative


class Packer(Record):
    """What the loops that pack and unpack work with, besides a layout's rows."""

    used: int  # leading words of a state record that are in use
    round_at: int  # which of them holds the round
    slots: int  # words of a key
    ends: Annotated[Many[int], MOST_SLOTS]  # by word of the key: the word of the state after the last one in it
    key: Annotated[Many[int], MOST_SLOTS]  # the key that was packed last
    wide: int  # the word that did not fit
    value: int  # what it holds


class Layout:
    """Where the words of a state lie in its key.

    ``rows`` (3, W) int64: by word of the state its least value; the largest difference from it that its bits hold
    (0: it never varies); how far they are shifted. ``packer`` (1,) Packer.
    """

    def __init__(self, packer: Array, rows: Array) -> None:
        self.packer, self.rows = packer, rows
        self.low, self.most, self.shift = rows

    @property
    def slots(self) -> int:
        """Words of a key."""
        return int(self.packer[0]["slots"])

    @property
    def used(self) -> int:
        """Words of a state."""
        return int(self.packer[0]["used"])

    @property
    def varying(self) -> list[int]:
        """The words of a state that vary."""
        return [int(word) for word in np.flatnonzero(self.most)]

    def column(self, keys: Array, word: int) -> Array:
        """(n,) int64: one word of the states with these keys (n, P)."""
        slot = int(np.searchsorted(self.packer[0]["ends"][: self.slots], word, side="right"))
        found: Array = self.low[word] + ((keys[:, slot] >> self.shift[word]) & self.most[word])
        return found

    def unpacked(self, keys: Array) -> Array:
        """(n, W) int64: the words of the states with these keys (n, P)."""
        words = np.repeat(self.low[None, :], len(keys), axis=0)
        for word in self.varying:
            words[:, word] = self.column(keys, word)
        return words

    def packed(self, words: Array) -> Array:
        """(n, P) int64: the keys of states (n, W). SolveError if one does not fit."""
        if ((words - self.low) & ~self.most).any():
            raise SolveError("a state does not fit the layout")
        keys = np.zeros((len(words), self.slots), np.int64)
        first = 0
        for slot, end in enumerate(self.packer[0]["ends"][: self.slots]):
            parts = (words[:, first:end] - self.low[first:end]) << self.shift[first:end]
            keys[:, slot] = np.bitwise_or.reduce(parts, axis=1)
            first = end
        return keys

    def canonical(self, states: Array) -> Array:
        """(n, W) int64: the words of state records (n,), with the round that a graph knows them by."""
        words = np.ascontiguousarray(states).view(np.int64).reshape(len(states), -1)[:, : self.used].copy()
        return with_round_left_out(words, int(self.packer[0]["round_at"]))


def with_round_left_out(words: Array, round_at: int) -> Array:
    """The same words (n, W), changed in place: of the round only whether it is 0 is left."""
    words[:, round_at] = np.minimum(words[:, round_at], 1)
    return words


class Ranges:
    """The least and the largest value of every word so far, and the layout that holds them."""

    def __init__(self, words: Array, round_at: int) -> None:
        """``words``: (n, W) int64, some states."""
        self.low, self.high = words.min(axis=0), words.max(axis=0)
        self.round_at = round_at

    def take_in(self, words: Array) -> None:
        """Make room for these states (n, W) too."""
        self.low = np.minimum(self.low, words.min(axis=0))
        self.high = np.maximum(self.high, words.max(axis=0))

    def widen(self, word: int, value: int) -> None:
        """Make room for a value that did not fit."""
        self.low[word], self.high[word] = min(self.low[word], value), max(self.high[word], value)

    def layout(self) -> Layout:
        """SolveError if the states vary in too many ways."""
        packer = new(Packer)
        rows = np.zeros((3, len(self.low)), np.int64)
        slot, shift = 0, 0
        for word, (low, high) in enumerate(zip(self.low.tolist(), self.high.tolist(), strict=True)):
            width = (high - low).bit_length()
            if shift + width > SLOT_BITS:
                slot, shift = slot + 1, 0
            if slot >= MOST_SLOTS or width > SLOT_BITS:
                raise SolveError("positions vary in too many ways to be kept apart")
            rows[:, word] = low, (1 << width) - 1, shift
            self.high[word] = low + (1 << width) - 1  # all that it holds may have been packed when it is widened
            packer["ends"][0, slot] = word + 1
            shift += width
        packer["used"], packer["round_at"], packer["slots"] = len(self.low), self.round_at, slot + 1
        return Layout(packer, rows)


def repacked(old: Layout, wider: Layout, keys: Array, chunk: int = 1 << 16) -> Array:
    """(n, P) int64: keys of one layout as keys of a wider one."""
    found = np.zeros((len(keys), wider.slots), np.int64)
    for first in range(0, len(keys), chunk):
        part = slice(first, first + chunk)
        found[part] = wider.packed(old.unpacked(keys[part]))
    return found
