"""Boards: neighbours, distances and directions against breadth-first search and plain geometry."""

from __future__ import annotations

import math
from collections import deque
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_env.core import board
from lens_env.core.board import BLOCKED, MAX_SIZE, BoardKind, Direction, Side
from tests.support import board_of, direct

pytestmark = pytest.mark.kernel

KINDS = [BoardKind.SQUARE, BoardKind.HEX]
HEX_RING = [Direction.NE, Direction.E, Direction.SE, Direction.SW, Direction.W, Direction.NW]
kinds = st.sampled_from(KINDS)
cells = st.tuples(st.integers(0, MAX_SIZE - 1), st.integers(0, MAX_SIZE - 1))
Cell = tuple[int, int]


@cache
def empty(kind: BoardKind) -> Any:
    """The largest board of a kind, all open ground."""
    return board_of(kind, MAX_SIZE, MAX_SIZE)


def directions(kind: BoardKind) -> list[Direction]:
    """The directions of a kind of board."""
    return [d for d in Direction if direct(board.is_direction)(empty(kind), int(d))]


def step(kind: BoardKind, cell: Cell, direction: int) -> Cell:
    """The neighbour in a direction."""
    # a plain number: compiled, a member of an enumeration is no index
    x, y = (int(direct(f)(empty(kind), *cell, int(direction))) for f in (board.step_x, board.step_y))
    return x, y


def distance(kind: BoardKind, a: Cell, b: Cell) -> int:
    """The distance of two cells."""
    return int(direct(board.distance)(empty(kind), *a, *b))


def towards(kind: BoardKind, a: Cell, b: Cell) -> int:
    """The direction from one cell to another."""
    return int(direct(board.direction_towards)(empty(kind), *a, *b))


def centre(kind: BoardKind, cell: Cell) -> tuple[float, float]:
    """Where the middle of a cell lies, in cells to the east and to the south."""
    x, y = cell
    return (float(x), float(y)) if kind == BoardKind.SQUARE else (x + 0.5 * (y % 2), y * math.sqrt(3) / 2)


# --- neighbours --------------------------------------------------------------------------------------------


def test_which_directions_there_are() -> None:
    assert directions(BoardKind.SQUARE) == list(Direction)
    assert directions(BoardKind.HEX) == HEX_RING
    assert directions(BoardKind.NONE) == []
    assert [bool(direct(board.exists)(empty(kind))) for kind in BoardKind] == [False, True, True]


@given(kinds, cells)
def test_neighbours_are_different_and_at_distance_one(kind: BoardKind, cell: Cell) -> None:
    around = {step(kind, cell, direction) for direction in directions(kind)}
    assert len(around) == (8 if kind == BoardKind.SQUARE else 6)
    assert all(distance(kind, cell, other) == 1 for other in around)
    x, y = cell
    near = {(x + dx, y + dy) for dx, dy in product(range(-2, 3), repeat=2)}
    assert {other for other in near if distance(kind, cell, other) == 1} == around


@given(kinds, cells, st.data())
def test_neighbours_lie_where_their_name_says(kind: BoardKind, cell: Cell, data: st.DataObject) -> None:
    direction = data.draw(st.sampled_from(directions(kind)))
    (x, y), (to_x, to_y) = centre(kind, cell), centre(kind, step(kind, cell, direction))
    assert ("E" in direction.name, "W" in direction.name) == (to_x > x, to_x < x)
    assert ("S" in direction.name, "N" in direction.name) == (to_y > y, to_y < y)


@given(kinds, cells, st.data())
def test_there_and_back(kind: BoardKind, cell: Cell, data: st.DataObject) -> None:
    direction = data.draw(st.sampled_from(directions(kind)))
    back = int(direct(board.opposite)(int(direction)))
    assert back in directions(kind)
    assert step(kind, step(kind, cell, direction), back) == cell
    assert direct(board.opposite)(back) == direction


@given(kinds, cells, st.integers(0, 9), st.data())
def test_along_is_many_steps(kind: BoardKind, cell: Cell, steps: int, data: st.DataObject) -> None:
    direction = data.draw(st.sampled_from(directions(kind)))
    there = cell
    for _ in range(steps):
        there = step(kind, there, direction)
    assert tuple(direct(board.along)(empty(kind), *cell, int(direction), steps)) == there
    assert distance(kind, cell, there) == steps
    assert towards(kind, cell, there) == (direction if steps else -1)


@pytest.mark.parametrize("kind", KINDS)
def test_step_between_is_the_step_that_leads_there(kind: BoardKind) -> None:
    for cell in [(5, 5), (5, 6), (0, 0)]:
        expected = {step(kind, cell, direction): int(direction) for direction in directions(kind)} | {cell: board.SAME}
        for other in product(range(cell[0] - 3, cell[0] + 4), range(cell[1] - 3, cell[1] + 4)):
            found = direct(board.step_between)(empty(kind), *cell, *other)
            assert found == expected.get(other, board.APART), (cell, other)


@pytest.mark.parametrize("kind", KINDS)
def test_survey_says_where_one_can_go(kind: BoardKind) -> None:
    ground = board_of(kind, 5, 4, {(1, 1): BLOCKED, (2, 1): 7, (3, 3): 4, (4, 0): BLOCKED})
    ground["ways"], ground["rough"] = 0xFFFF, 0xFFFF  # what an earlier survey left
    direct(board.survey)(ground)
    for cell in product(range(5), range(4)):
        around = {d: int(direct(board.terrain)(ground, *step(kind, cell, d))) for d in directions(kind)}
        ways, rough = direct(board.ways)(ground, *cell), direct(board.rough_ways)(ground, *cell)
        assert ways == sum(1 << d for d, there in around.items() if there != BLOCKED)
        assert rough == sum(1 << d for d, there in around.items() if there > 0)


# --- distance ----------------------------------------------------------------------------------------------


@given(kinds, cells, cells, cells)
def test_distance_is_a_metric(kind: BoardKind, a: Cell, b: Cell, c: Cell) -> None:
    assert (distance(kind, a, b) == 0) == (a == b)
    assert distance(kind, a, b) == distance(kind, b, a) >= 0
    assert distance(kind, a, c) <= distance(kind, a, b) + distance(kind, b, c)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [(0, 0), (3, 2), (2, 3), (5, 4)])
def test_distance_against_breadth_first_search(kind: BoardKind, start: Cell) -> None:
    # steps may leave the board of 6 x 5 by a margin, as a straight way between hexes may
    steps = {start: 0}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        for direction in directions(kind):
            x, y = other = step(kind, cell, direction)
            if -2 <= x < 8 and -2 <= y < 7 and other not in steps:
                steps[other] = steps[cell] + 1
                queue.append(other)
    assert all(distance(kind, start, cell) == steps[cell] for cell in product(range(6), range(5)))


def test_without_a_board_everyone_is_one_step_away() -> None:
    assert distance(BoardKind.NONE, (0, 0), (0, 0)) == 1
    assert distance(BoardKind.NONE, (0, 0), (9, 4)) == 1


# --- directions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("here", [(16, 16), (0, 31)])
def test_direction_on_squares_is_the_nearest_by_angle(here: Cell) -> None:
    for there in product(range(MAX_SIZE), range(MAX_SIZE)):
        dx, dy = there[0] - here[0], there[1] - here[1]
        # clockwise from north, in eighths of a turn; no cell lies on the border of two sectors
        expected = round(math.atan2(dx, -dy) / (math.pi / 4)) % 8 if (dx, dy) != (0, 0) else -1
        assert towards(BoardKind.SQUARE, here, there) == expected, there


@pytest.mark.parametrize("here", [(16, 16), (16, 15), (0, 31)])
def test_direction_on_hexes_is_the_nearest_by_angle(here: Cell) -> None:
    x, y = centre(BoardKind.HEX, here)
    for there in product(range(MAX_SIZE), range(MAX_SIZE)):
        if there == here:
            assert towards(BoardKind.HEX, here, there) == -1
            continue
        to_x, to_y = centre(BoardKind.HEX, there)
        # clockwise from north-east (30 degrees from north), in sixths of a turn
        sixths = (math.atan2(to_x - x, y - to_y) - math.pi / 6) / (math.pi / 3) % 6
        off = [min((sixths - i) % 6, (i - sixths) % 6) for i in range(6)]
        best = [HEX_RING[i] for i in range(6) if off[i] < min(off) + 1e-9]
        assert towards(BoardKind.HEX, here, there) == min(best), there  # the first clockwise among equals


@given(kinds, cells, cells)
def test_a_step_in_the_direction_comes_nearer(kind: BoardKind, a: Cell, b: Cell) -> None:
    direction = towards(kind, a, b)
    if direction >= 0:
        assert distance(kind, step(kind, a, direction), b) == distance(kind, a, b) - 1


@pytest.mark.parametrize("facing", list(Direction))
def test_sides_on_squares(facing: Direction) -> None:
    sides = [direct(board.side_of)(empty(BoardKind.SQUARE), int(facing), (facing + turn) % 8) for turn in range(8)]
    front, flank, behind = Side.FRONT, Side.FLANK, Side.BEHIND
    assert sides == [front, front, flank, flank, behind, flank, flank, front]


@pytest.mark.parametrize("facing", range(6))
def test_sides_on_hexes(facing: int) -> None:
    ring = [int(HEX_RING[(facing + turn) % 6]) for turn in range(6)]
    sides = [direct(board.side_of)(empty(BoardKind.HEX), ring[0], direction) for direction in ring]
    assert sides == [Side.FRONT, Side.FRONT, Side.FLANK, Side.BEHIND, Side.FLANK, Side.FRONT]
    assert [direct(board.hex_turns)(ring[0], direction) for direction in ring] == [0, 1, 2, 3, 2, 1]


# --- terrain -----------------------------------------------------------------------------------------------


def test_terrain() -> None:
    ground = board_of(BoardKind.HEX, 4, 3, {(3, 2): 6, (1, 0): BLOCKED})
    terrain = direct(board.terrain)
    assert terrain(ground, 3, 2) == 6
    assert terrain(ground, 1, 0) == BLOCKED
    assert terrain(ground, 2, 2) == 0
    assert {int(terrain(ground, x, y)) for x, y in [(-1, 0), (0, -1), (4, 0), (0, 3), (99, 99)]} == {BLOCKED}


@given(st.integers(1, MAX_SIZE), st.integers(1, MAX_SIZE), st.integers(-2, 40), st.integers(-2, 40))
def test_inside(width: int, height: int, x: int, y: int) -> None:
    ground = board_of(BoardKind.SQUARE, width, height)
    assert direct(board.inside)(ground, x, y) == (x in range(width) and y in range(height))
