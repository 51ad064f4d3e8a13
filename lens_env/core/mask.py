"""The legal actions, twice: as one byte each, for agents, and as a list, for drawing one at random.

The bytes are written eight to a word. Seen from NumPy, ``masks["words"].view(uint8)`` is the flat mask, 1 = legal;
every machine that numba compiles for here is little-endian, which is checked at import. The list holds the same
actions in the order in which the rules allow them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .kernel import hot, kernel

if sys.byteorder != "little":
    raise ImportError("lens_env needs a little-endian machine: its action masks are bytes inside words")


def dtype(actions: int) -> np.dtype[Any]:
    """The dtype of a mask record for this many actions (the bytes rounded up to whole words)."""
    return np.dtype([("words", np.int64, (-(-actions // 8),)), ("count", np.int64), ("listed", np.int64, (actions,))])


@hot
def clear(mask: Any) -> None:
    """Nothing is legal."""
    for i in range(len(mask.words)):
        mask.words[i] = 0
    mask.count = 0


@hot
def allow(mask: Any, action: int) -> None:
    """Make an action legal that is not yet."""
    mask.words[action >> 3] |= 1 << ((action & 7) << 3)
    mask.listed[mask.count] = action
    mask.count += 1


@hot
def allowed(mask: Any, action: int) -> bool:
    """Is this action legal?"""
    return bool((mask.words[action >> 3] >> ((action & 7) << 3)) & 1 == 1)


@hot
def nth_legal(mask: Any, n: int) -> int:
    """The n-th legal action, 0 <= n < mask.count (unchecked)."""
    return mask.listed[n]  # type: ignore[no-any-return]


@kernel
def remove(mask: Any, forbidden: Any) -> None:
    """Take the actions out whose bytes are set in the words of ``forbidden``, unless nothing would be left."""
    kept = 0
    for i in range(mask.count):
        action = mask.listed[i]
        if (forbidden[action >> 3] >> ((action & 7) << 3)) & 1 == 0:
            kept += 1
    if kept == 0 or kept == mask.count:
        return
    count = mask.count
    mask.count = 0
    for i in range(len(mask.words)):
        mask.words[i] &= ~forbidden[i]
    for i in range(count):
        action = mask.listed[i]
        if (forbidden[action >> 3] >> ((action & 7) << 3)) & 1 == 0:
            mask.listed[mask.count] = action
            mask.count += 1


def fill(masks: np.ndarray[Any, Any], flags: np.ndarray[Any, Any]) -> None:
    """Write (B, A) flags, 1 = legal, into (B,) mask records."""
    masks["words"].view(np.uint8)[:, : flags.shape[1]] = flags
    masks["count"] = flags.sum(axis=1)
    rows, actions = np.nonzero(flags)
    first = np.concatenate([[0], np.cumsum(masks["count"])[:-1]])
    masks["listed"][rows, np.arange(len(rows)) - first[rows]] = actions
