"""Philox4x32-10, a counter-based random generator: four 32-bit words are a pure function of a counter and a key.

Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC'11, section 4.3. The counter holds
(block, episode, environment, stream), the key the seed, so no stream depends on the size of a batch, on threads
or on any generator outside.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from .kernel import INTERPRETED, hot, kernel
from .record import Many, Record

MULTIPLIER_A = 0xD2511F53
MULTIPLIER_B = 0xCD9E8D57
WEYL_A = 0x9E3779B9
WEYL_B = 0xBB67AE85
LOW = 0xFFFFFFFF


class Source(Record):
    """Where random words come from. All fields but ``taken`` hold 32 bits."""

    seed_low: int
    seed_high: int
    stream: int  # 0 the dice, 1 and up the policies
    environment: int
    episode: int
    taken: int  # words drawn so far
    words: Annotated[Many[int], 4]  # the current block


if INTERPRETED:

    def multiply(a: int, b: int) -> tuple[int, int]:
        """The high and the low 32 bits of a product of two 32-bit numbers (NumPy's scalars would overflow)."""
        product = int(a) * int(b)
        return product >> 32, product & LOW

else:

    @hot
    def multiply(a: int, b: int) -> tuple[int, int]:
        """The high and the low 32 bits of a product of two 32-bit numbers."""
        product = np.uint64(a) * np.uint64(b)
        return np.int64(product >> np.uint64(32)), np.int64(product & np.uint64(LOW))  # type: ignore[return-value]


@kernel
def block(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Ten rounds of Philox4x32 over a counter of four and a key of two 32-bit words."""
    for _ in range(10):
        high_a, low_a = multiply(MULTIPLIER_A, c0)
        high_b, low_b = multiply(MULTIPLIER_B, c2)
        c0, c1, c2, c3 = high_b ^ c1 ^ k0, low_b, high_a ^ c3 ^ k1, low_a
        k0 = (k0 + WEYL_A) & LOW
        k1 = (k1 + WEYL_B) & LOW
    return c0, c1, c2, c3


@kernel
def refill(source: Source) -> None:
    """Compute the block that the next word lies in."""
    w0, w1, w2, w3 = block(
        source.taken >> 2, source.episode, source.environment, source.stream, source.seed_low, source.seed_high
    )
    source.words[0] = w0
    source.words[1] = w1
    source.words[2] = w2
    source.words[3] = w3


@hot
def below(source: Source, n: int) -> int:
    """A number in 0..n-1, for n < 2**31. Its chances differ from 1/n by less than 2**-32."""
    if source.taken & 3 == 0:
        refill(source)
    bits = source.words[source.taken & 3]
    source.taken += 1
    return (bits * n) >> 32


@kernel
def start(source: Source, seed_low: int, seed_high: int, stream: int, environment: int, episode: int) -> None:
    """Put the source at the beginning of its stream."""
    source.seed_low = seed_low
    source.seed_high = seed_high
    source.stream = stream
    source.environment = environment
    source.episode = episode
    source.taken = 0
    for i in range(4):
        source.words[i] = 0


def split_seed(seed: int) -> tuple[int, int]:
    """The (low, high) 32-bit halves of a seed in 0..2**64-1; ValueError outside."""
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed {seed}: allowed are 0 to 2**64 - 1")
    return seed & LOW, seed >> 32
