"""The legal actions as one byte each, eight to a word, so that they are counted and searched by word.

Seen from NumPy, ``words.view(uint8)`` is the flat mask: 1 = legal. (Every machine that numba compiles for here
is little-endian; the byte order is checked at import.)
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .kernel import hot, kernel

if sys.byteorder != "little":
    raise ImportError("lens_env needs a little-endian machine: its action masks are bytes inside words")


def dtype(actions: int) -> np.dtype[Any]:
    """The dtype of a mask record for this many actions (rounded up to whole words)."""
    return np.dtype([("words", np.int64, (-(-actions // 8),))])


@hot
def allow(mask: Any, action: int) -> None:
    """Make an action legal."""
    mask.words[action >> 3] |= 1 << ((action & 7) << 3)


@hot
def allowed(mask: Any, action: int) -> bool:
    """Is this action legal?"""
    return bool((mask.words[action >> 3] >> ((action & 7) << 3)) & 1 == 1)


@hot
def flags_of(word: int) -> int:
    """How many of the eight bytes are set (more generally: the sum of the bytes, below 256)."""
    word += word >> 32
    word += word >> 16
    word += word >> 8
    return word & 255


@hot
def count_legal(mask: Any) -> int:
    """How many actions are legal, at most 255: the bytes are added word by word, then across."""
    total = 0
    for i in range(len(mask.words)):
        total += mask.words[i]
    return flags_of(total)


@kernel
def nth_legal(mask: Any, n: int) -> int:
    """The n-th legal action (from 0), -1 if there are fewer."""
    for i in range(len(mask.words)):
        word = mask.words[i]
        if word == 0:
            continue
        here = flags_of(word)
        if n < here:
            for j in range(8):
                if (word >> (j << 3)) & 1:
                    if n == 0:
                        return i * 8 + j
                    n -= 1
        n -= here
    return -1
