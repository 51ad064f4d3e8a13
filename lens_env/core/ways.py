"""Ways to the enemy, for scripted policies: how far every cell is from one that an enemy can be reached from.

Worked out once for a board as tables over its N cells (cell N lies outside); a decision only looks up. Fighters
do not block: what is in the way today may be gone tomorrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import board as ground
from .ruleset import Built

Array = np.ndarray[Any, Any]

FAR = 9999  # steps to a place that cannot be reached


@dataclass(frozen=True)
class Ways:
    """The way tables of an encounter of F fighters on a board of N cells."""

    width: int
    neighbours: Array  # (N + 1, 8) int: the cell in each direction, N where there is none or it is blocked
    to_go: Array  # (F, N + 1, N + 1) int16: steps from a cell until an enemy on another is in a fighter's reach

    def distances(self, who: Array, xs: Array, ys: Array, sides: Array) -> tuple[Array, Array, Array]:
        """Steps still to go for R fighters ``who``: (R,) from here, (R, 8) after each step, (R,) after the best.

        ``xs``, ``ys`` (R, F) tell where everybody is (x < 0: nowhere), ``sides`` (F,) whose side they are on. A cell
        with somebody on it counts one step more, since nobody can stop there, and never as the best.
        """
        outside = len(self.neighbours) - 1
        cells = np.where(xs < 0, outside, ys * self.width + xs)
        own = cells[np.arange(len(cells)), who]
        options = np.concatenate([own[:, None], self.neighbours[own]], axis=1)
        enemies = np.where(sides[None, :] != sides[who][:, None], cells, outside)
        steps = self.to_go[who[:, None, None], options[:, :, None], enemies[:, None, :]].min(axis=2)
        taken = (options[:, 1:, None] == cells[:, None, :]).any(axis=2)
        around = np.where(taken, steps[:, 1:] + 1, steps[:, 1:])
        return steps[:, 0], around, np.where(taken, FAR, around).min(axis=1)


def distances(
    states: Array,
    built: Built,
    ways: Ways | None,
    windows: Sequence[int],
    actions: tuple[int, int, int],
    there: Array | None = None,
) -> Array:
    """(B, A) steps still to go, as ``Advice.distance`` says, for B states of an encounter; all nan without ways.

    ``windows``: the one of the own turn, then those in which steps are taken; ``actions``: the indices of MOVE,
    STOP and the first STEP; ``there`` (B, F): who is to be reckoned with, by default all that stand on the board.
    """
    found = np.full((len(states), len(built.actions)), np.nan)
    rows = np.flatnonzero(np.isin(states["window"], windows))
    if ways is None or not len(rows):
        return found
    move, stop, step = actions
    count = len(built.fighters)
    xs, ys = states["fighters"]["x"][rows, :count], states["fighters"]["y"][rows, :count]
    if there is not None:
        xs = np.where(there[rows], xs, -1)
    here, after, best = ways.distances(states["decider"][rows], xs, ys, built.sides)
    walking = states["window"][rows] != windows[0]
    found[rows[~walking], move] = np.where(best < here, best, np.inf)[~walking]
    found[rows[walking], stop] = here[walking]
    found[rows[walking], step : step + ground.DIRECTIONS] = after[walking]
    return found


def survey(board: Any, reaches: Sequence[int]) -> Ways | None:
    """The ways on a board record for fighters of these reaches (cells; FAR: everywhere); None without a board."""
    if not board["kind"]:
        return None
    neighbours = _neighbours(board)
    apart = _straight(board)
    by_reach = {reach: _walk(apart <= reach, neighbours) for reach in set(reaches)}
    return Ways(int(board["width"]), neighbours, np.stack([by_reach[reach] for reach in reaches]))


def _neighbours(board: Any) -> Array:
    """(N + 1, 8) the cell in each direction, N where there is none or it is blocked."""
    width, height = int(board["width"]), int(board["height"])
    outside = width * height
    found = np.full((outside + 1, ground.DIRECTIONS), outside)
    for y in range(height):
        for x in range(width):
            for direction in range(ground.DIRECTIONS):
                found[y * width + x, direction] = _next_cell(board, x, y, direction, outside)
    return found


def _next_cell(board: Any, x: int, y: int, direction: int, outside: int) -> int:
    if not board["ways"][y * ground.MAX_SIZE + x] >> direction & 1:
        return outside
    there = board.view((np.record, board.dtype))
    return ground.step_y(there, x, y, direction) * int(board["width"]) + ground.step_x(there, x, y, direction)


def _straight(board: Any) -> Array:
    """(N + 1, N + 1) the distance between two cells with nothing in the way; FAR from outside."""
    width, height = int(board["width"]), int(board["height"])
    y, x = (axis.ravel() for axis in np.mgrid[0:height, 0:width])
    if board["kind"] == ground.BoardKind.HEX:
        q = x - ((y - (y & 1)) >> 1)
        parts: tuple[Array, ...] = (q, y, q + y)
    else:
        parts = (x, y)
    apart = np.full((width * height + 1, width * height + 1), FAR)
    apart[:-1, :-1] = np.max([np.abs(part[:, None] - part[None, :]) for part in parts], axis=0)
    return apart


def _walk(there: Array, neighbours: Array) -> Array:
    """How many steps each cell is from one where ``there`` holds, for each column; walls are walked around."""
    steps = np.where(there, 0, FAR).astype(np.int16)
    outside = len(neighbours) - 1
    steps[outside] = FAR
    while True:
        nearer = np.minimum(steps, steps[neighbours].min(axis=1) + 1)
        nearer[outside] = FAR
        if np.array_equal(nearer, steps):
            return steps
        steps = nearer.astype(np.int16)
