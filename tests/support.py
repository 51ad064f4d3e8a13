"""Helpers of the kernel tests: records for the way this process runs kernels, and their compiled form."""

from __future__ import annotations

from typing import Any

import numpy as np

from lens_env import Game
from lens_env.core import board, dice, philox, tables
from lens_env.core.kernel import INTERPRETED, direct
from lens_env.core.record import Record, as_kernel_argument, new

# agents that need settings, or much time
SPECIAL = ("prefer", "joined", "exact", "policy", "onnx", "greedy", "expectimax", "mcts")
FEW = 8 if INTERPRETED else 25  # examples of a property that whole skirmishes have

__all__ = [
    "FEW", "SPECIAL", "board_of", "dice_of", "direct", "enumerate_all", "one", "records", "records_of", "source_of",
    "table_of", "words",
]  # fmt: skip


def records(record: type[Record], count: int = 1) -> Any:
    """Zeroed records that a kernel takes here: a recarray when interpreted, else a plain structured array."""
    return as_kernel_argument(new(record, count), INTERPRETED)


def records_of(running: Game) -> Any:
    """What the rules receive: the records of a skirmish as it stands."""
    arrays = (running.state, running.dice, running.built.setup, running._tape)
    return running.ruleset.rules.Game(*(as_kernel_argument(array, INTERPRETED)[0] for array in arrays))


def one(record: type[Record]) -> Any:
    """A single zeroed record."""
    return records(record)[0]


def source_of(seed: int = 0, stream: int = 0, environment: int = 0, episode: int = 0) -> Any:
    """A random source at the beginning of its stream."""
    source = one(philox.Source)
    low, high = philox.split_seed(seed)
    for name, value in zip(
        ("seed_low", "seed_high", "stream", "environment", "episode"),
        (low, high, stream, environment, episode),
        strict=True,
    ):
        source[name] = value
    return source


def dice_of(script: list[tuple[int, int]] | None = None, seed: int = 0) -> Any:
    """Sampled dice, or scripted ones if the (kind, value) entries are given."""
    result = one(dice.Dice)
    result["source"]["seed_low"], result["source"]["seed_high"] = philox.split_seed(seed)
    if script is not None:
        result["mode"] = dice.Mode.SCRIPTED
        result["script_count"] = len(script)
        for i, (kind, value) in enumerate(script):
            result["script_kind"][i], result["script_value"][i] = kind, value
    return result


def table_of(weights: list[int], least: int = 0) -> Any:
    """A table record of these weights."""
    table = one(dice.Table)
    tables.fill(table, weights, least)
    return table


def board_of(kind: board.BoardKind, width: int, height: int, cells: dict[tuple[int, int], int] | None = None) -> Any:
    """A board record; ``cells`` gives the cells that are not open ground."""
    result = one(board.Board)
    result["kind"], result["width"], result["height"] = kind, width, height
    for (x, y), value in (cells or {}).items():
        result["cells"][y * board.MAX_SIZE + x] = value
    return result


def enumerate_all(die: Any, action: Any) -> list[tuple[Any, float]]:
    """What ``action(die)`` returns for every sequence of outcomes, with its probability."""
    direct(dice.begin_enumeration)(die)
    found = []
    while True:
        result = action(die)
        found.append((result, float(die["weight"])))
        if not direct(dice.next_sequence)(die):
            return found


def words(source: Any, count: int) -> np.ndarray[Any, Any]:
    """The next ``count`` 32-bit words of a source, without their lowest bit."""
    below = direct(philox.below)
    return np.array([below(source, 2**31 - 1) for _ in range(count)])
