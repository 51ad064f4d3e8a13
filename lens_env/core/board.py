"""Boards: none, squares with eight neighbours, hexes with six. Up to 32 x 32 cells.

A cell is (x, y), x to the east and y to the south, from (0, 0). Hexes stand on a corner, odd rows are shifted
half a cell to the east ("odd-r offset" coordinates); their distances are taken in cube coordinates. Both kinds
use the same eight direction names; a hex has no neighbour to the north and south.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from .kernel import hot, kernel
from .record import Many, Record

MAX_SIZE = 32
CELLS = MAX_SIZE * MAX_SIZE
BLOCKED = -1


class BoardKind(IntEnum):
    """The shape of the cells."""

    NONE = 0
    SQUARE = 1
    HEX = 2


class Direction(IntEnum):
    """The eight directions, clockwise from north."""

    N = 0
    NE = 1
    E = 2
    SE = 3
    S = 4
    SW = 5
    W = 6
    NW = 7


class Side(IntEnum):
    """Where an attack comes from, seen from the one it strikes."""

    FRONT = 0
    FLANK = 1
    BEHIND = 2


DIRECTIONS = 8
# What a step adds to x and y, plus one, four bits each by direction (a tuple would be checked at every use):
SQUARE_DX = 0x00012221
HEX_DX_EVEN = 0x00011211
HEX_DX_ODD = 0x10112221
DY = 0x01222100
SQUARE_SIDES = 0x1650  # the Side of what lies so many eighths of a turn clockwise of the facing, two bits each
SAME = 8  # what ``step_between`` says of one and the same cell
APART = 15  # and of cells that are not neighbours
# The direction to a neighbour, four bits each by 4 * (dy + 1) + (dx + 1), APART in the fourth row and column:
SQUARE_STEPS = -0xCBA0D790EF9
HEX_STEPS_EVEN = -0xCA0D7900E9
HEX_STEPS_ODD = -0xCA00D790E81


class Board(Record):
    """The ground of a skirmish."""

    kind: int  # BoardKind
    width: int  # 1..32 cells
    height: int  # 1..32 cells
    cells: Annotated[Many[int], CELLS]  # 0 open, BLOCKED, or the target number of difficult terrain
    ways: Annotated[Many[int], CELLS]  # bits of the directions that lead to a cell that is not blocked (survey)
    rough: Annotated[Many[int], CELLS]  # bits of those that lead to difficult terrain (survey)


@hot
def exists(board: Board) -> bool:
    """Is there a board at all?"""
    return board.kind != BoardKind.NONE


@hot
def inside(board: Board, x: int, y: int) -> bool:
    """Is (x, y) a cell of the board?"""
    return 0 <= x < board.width and 0 <= y < board.height


@hot
def terrain(board: Board, x: int, y: int) -> int:
    """0 for open ground, BLOCKED, or the target number of difficult terrain. Outside the board: BLOCKED."""
    if not inside(board, x, y):
        return BLOCKED
    return board.cells[y * MAX_SIZE + x]


@hot
def is_direction(board: Board, direction: int) -> bool:
    """Does this kind of board know the direction?"""
    return board.kind == BoardKind.SQUARE or (
        board.kind == BoardKind.HEX and direction != Direction.N and direction != Direction.S
    )


@hot
def step_x(board: Board, x: int, y: int, direction: int) -> int:
    """The x of the neighbour of (x, y) in a direction."""
    table = SQUARE_DX
    if board.kind == BoardKind.HEX:
        table = HEX_DX_ODD if y & 1 else HEX_DX_EVEN
    return x + ((table >> (4 * direction)) & 15) - 1


@hot
def step_y(board: Board, x: int, y: int, direction: int) -> int:
    """The y of the neighbour of (x, y) in a direction."""
    return y + ((DY >> (4 * direction)) & 15) - 1


@hot
def distance(board: Board, x1: int, y1: int, x2: int, y2: int) -> int:
    """Steps from one cell to another, nothing being in the way. Without a board everyone is one step away."""
    if board.kind == BoardKind.NONE:
        return 1
    dx = abs(x1 - x2)
    dy = abs(y1 - y2)
    if board.kind == BoardKind.SQUARE:
        return max(dx, dy)
    dq = abs((x1 - ((y1 - (y1 & 1)) >> 1)) - (x2 - ((y2 - (y2 & 1)) >> 1)))
    dr = dy
    ds = abs((x1 - ((y1 - (y1 & 1)) >> 1) + y1) - (x2 - ((y2 - (y2 & 1)) >> 1) + y2))
    return max(dq, max(dr, ds))


@hot
def step_between(board: Board, x: int, y: int, to_x: int, to_y: int) -> int:
    """The direction in which a neighbouring cell lies; SAME for the cell itself, APART for one farther off."""
    column = to_x - x + 1
    row = to_y - y + 1
    if (column | row) & ~3 != 0:
        return APART
    table = SQUARE_STEPS
    if board.kind == BoardKind.HEX:
        table = HEX_STEPS_ODD if y & 1 else HEX_STEPS_EVEN
    return (table >> (16 * row + 4 * column)) & 15


@hot
def ways(board: Board, x: int, y: int) -> int:
    """Bits of the directions in which a cell that is not blocked lies."""
    return board.ways[y * MAX_SIZE + x]


@hot
def rough_ways(board: Board, x: int, y: int) -> int:
    """Bits of the directions in which difficult terrain lies."""
    return board.rough[y * MAX_SIZE + x]


@kernel
def survey(board: Board) -> None:
    """Work out ``ways`` and ``rough`` from the cells. Call once when the cells are filled."""
    for y in range(board.height):
        for x in range(board.width):
            open_ways = 0
            rough = 0
            for direction in range(DIRECTIONS):
                if is_direction(board, direction):
                    ground = terrain(board, step_x(board, x, y, direction), step_y(board, x, y, direction))
                    if ground != BLOCKED:
                        open_ways |= 1 << direction
                    if ground > 0:
                        rough |= 1 << direction
            board.ways[y * MAX_SIZE + x] = open_ways
            board.rough[y * MAX_SIZE + x] = rough


@kernel
def along(board: Board, x: int, y: int, direction: int, steps: int) -> tuple[int, int]:
    """The cell ``steps`` away in a straight line (it may lie outside the board)."""
    for _ in range(steps):
        x, y = step_x(board, x, y, direction), step_y(board, x, y, direction)
    return x, y


@kernel
def direction_towards(board: Board, x: int, y: int, to_x: int, to_y: int) -> int:
    """The direction that points best from one cell to another; -1 for the same cell.

    Squares: the nearest of the eight by angle, a sector of 45 degrees each. The border of a sector has the
    slope tan(22.5 degrees) = sqrt(2) - 1, which no cell lies on: min > (sqrt(2) - 1) * max is taken in integers
    as (min + max)^2 > 2 * max^2.
    Hexes: the step that comes nearest to the goal, the first clockwise from north-east among equals.
    """
    if x == to_x and y == to_y:
        return -1
    if board.kind == BoardKind.HEX:
        return nearest_hex_direction(board, x, y, to_x, to_y)
    dx = to_x - x
    dy = to_y - y
    wide = abs(dx)
    high = abs(dy)
    longer = max(wide, high)
    across = (wide + high) * (wide + high) > 2 * longer * longer
    # signs without branches: where two fighters stand is hard to predict
    sx = min(1, max(-1, dx)) * (across | (wide >= high))
    sy = min(1, max(-1, dy)) * (across | (high > wide))
    return (SQUARE_STEPS >> (16 * (sy + 1) + 4 * (sx + 1))) & 15


@kernel
def nearest_hex_direction(board: Board, x: int, y: int, to_x: int, to_y: int) -> int:
    """The step on hexes after which the straight line to the goal is shortest.

    Compared are exact squared distances: a row is sqrt(3)/2 of a cell high, so 4 * d^2 = (2 dx)^2 + 3 dy^2
    in half-cell coordinates.
    """
    best = -1
    nearest = 0
    for direction in range(DIRECTIONS):
        if not is_direction(board, direction):
            continue
        nx = step_x(board, x, y, direction)
        ny = step_y(board, x, y, direction)
        across = (2 * to_x + (to_y & 1)) - (2 * nx + (ny & 1))
        down = to_y - ny
        far = across * across + 3 * down * down
        if best < 0 or far < nearest:
            best = direction
            nearest = far
    return best


@hot
def opposite(direction: int) -> int:
    """The direction that points back."""
    return (direction + 4) & 7


@kernel
def side_of(board: Board, facing: int, direction: int) -> int:
    """Is something that lies in ``direction`` in front of, beside or behind one who looks to ``facing``?

    Front: the faced cell and its two neighbours; behind: the opposite cell; flank: the rest.
    """
    if board.kind == BoardKind.HEX and direction != opposite(facing):
        return 0 if hex_turns(facing, direction) <= 1 else 1  # Side.FRONT, Side.FLANK
    return (SQUARE_SIDES >> (2 * ((direction - facing) & 7))) & 3


@kernel
def hex_turns(a: int, b: int) -> int:
    """How many sixths of a turn lie between two hex directions, 0..3."""
    ia = a - 1 if a < Direction.S else a - 2
    ib = b - 1 if b < Direction.S else b - 2
    turn = (ia - ib) % 6
    return min(turn, 6 - turn)
