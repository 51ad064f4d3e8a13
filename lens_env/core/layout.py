"""The ground of an encounter file and who stands on it: what is wrong with it, and the record made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np

from .board import BLOCKED, MAX_SIZE, BoardKind, survey
from .fields import BoardModel, FieldError, Path

Errors = Iterator[FieldError]
NOWHERE = -1  # both coordinates of a start without a board


class Placed(NamedTuple):
    """Where the file puts a fighter."""

    name: str
    path: Path  # of the fighter's block
    cell: tuple[int, int] | None
    cell_path: Path  # of the position, or of the block if it has none


def cell_of(text: str) -> tuple[int, int] | None:
    """The cell that "x,y" names; None if it is written otherwise."""
    x, comma, y = text.partition(",")
    x, y = x.strip(), y.strip()
    if not comma or not all(n.isascii() and n.isdecimal() and len(n) <= 3 for n in (x, y)):
        return None
    return int(x), int(y)


def board_problems(board: BoardModel) -> Errors:
    """Cells that are off the board, written wrongly, or named twice."""
    seen: set[tuple[int, int]] = set()
    for i, (x, y) in enumerate(board.blocked):
        path: Path = ("board", "blocked", i)
        if (x, y) in seen:
            yield FieldError(path, f"cell {x},{y} is named twice")
        elif not _inside(board, x, y):
            yield _outside(path, board, x, y)
        seen.add((x, y))
    for text in board.difficult:
        path = ("board", "difficult", text)
        cell = cell_of(text)
        if cell is None:
            yield FieldError(path, f'a cell is written "x,y", not {text!r}')
        elif not _inside(board, *cell):
            yield _outside(path, board, *cell)
        elif cell in seen:
            yield FieldError(path, f"cell {cell[0]},{cell[1]} is named twice")
        else:
            seen.add(cell)


def place_problems(board: Literal["none"] | BoardModel, fighters: Iterable[Placed]) -> Errors:
    """A position on a board, and none without one; nobody on a blocked or taken cell."""
    taken: dict[tuple[int, int], str] = {}
    for fighter in fighters:
        yield from _placed(board, fighter, taken)


def _placed(board: Literal["none"] | BoardModel, fighter: Placed, taken: dict[tuple[int, int], str]) -> Errors:
    cell = fighter.cell
    if board == "none":
        if cell is not None:
            yield FieldError(fighter.cell_path, "there is no board to stand on: give a board, or no position")
    elif cell is None:
        yield FieldError(fighter.path, f"{fighter.name} has no position on the board: add position: [x, y]")
    elif not _inside(board, *cell):
        yield _outside(fighter.cell_path, board, *cell)
    elif list(cell) in board.blocked:
        yield FieldError(fighter.cell_path, f"cell {cell[0]},{cell[1]} is blocked")
    elif cell in taken:
        yield FieldError(fighter.cell_path, f"{taken[cell]} stands on cell {cell[0]},{cell[1]} already")
    else:
        taken[cell] = fighter.name


def _inside(board: BoardModel, x: int, y: int) -> bool:
    return 0 <= x < min(board.width, MAX_SIZE) and 0 <= y < min(board.height, MAX_SIZE)


def _outside(path: Path, board: BoardModel, x: int, y: int) -> FieldError:
    return FieldError(path, f"cell {x},{y} is off the board", (f"0..{board.width - 1},0..{board.height - 1}",))


def name_problems(fighters: Iterable[tuple[str, Path]]) -> Errors:
    """Fighters (name, path of the block) that are called the same."""
    seen: dict[str, Path] = {}
    for name, path in fighters:
        if name in seen:
            yield FieldError((*path, "name"), f"another fighter is called {name!r} already")
        seen.setdefault(name, path)


def fill_board(setup: Any, model: BoardModel) -> None:
    """Write the ground into a Setup record with a ``board``: cells by y * MAX_SIZE + x, and the ways between them."""
    board = setup["board"]
    board["kind"] = BoardKind[model.kind.upper()]
    board["width"], board["height"] = model.width, model.height
    for x, y in model.blocked:
        board["cells"][y * MAX_SIZE + x] = BLOCKED
    for text, tn in model.difficult.items():
        cell = cell_of(text)
        if cell is not None:
            board["cells"][cell[1] * MAX_SIZE + cell[0]] = tn
    survey(board.view((np.record, board.dtype)))
