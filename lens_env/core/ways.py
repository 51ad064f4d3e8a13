"""Ways to the enemy, for scripted policies: how many steps every cell is from one in which an enemy is in reach.

Fighters do not block: what is in the way today may be gone tomorrow. A cell with somebody on it counts one step more,
since nobody can stop there.
"""

from __future__ import annotations

from typing import Annotated, Any

from . import board as ground
from .bits import has
from .kernel import kernel
from .record import Many, Record
from .skirmish import first_enemy, last_enemy, standing

FAR = 9999  # steps to a place that cannot be reached
NOT_A_WALK = -1.0  # stands for the steps of an action that goes nowhere by its nature
NOWHERE = 1e9  # steps; stands for a walk that is legal but leads nowhere


class Ways(Record):
    """Room to work in; it holds the answer for one fighter at a time."""

    steps: Annotated[Many[int], ground.CELLS]  # by cell: to one in which an enemy is in reach
    queue: Annotated[Many[int], ground.CELLS]


@kernel
def survey_ways(game: Any, who: int, reach: int, ways: Ways) -> None:
    """Work out the steps of all cells for a fighter that strikes ``reach`` cells far (FAR: everywhere)."""
    board = game.setup.board
    count = 0
    for y in range(board.height):
        for x in range(board.width):
            cell = y * ground.MAX_SIZE + x
            ways.steps[cell] = FAR
            if board.cells[cell] != ground.BLOCKED and enemy_within(game, who, x, y, reach):
                ways.steps[cell] = 0
                ways.queue[count] = cell
                count += 1
    at = 0
    while at < count:
        count = spread(board, ways, ways.queue[at], count)
        at += 1


@kernel
def enemy_within(game: Any, who: int, x: int, y: int, reach: int) -> bool:
    """Would an enemy be in reach from this cell?"""
    for other in range(first_enemy(game, who), last_enemy(game, who)):
        it = game.state.fighters[other]
        if standing(game, other) and ground.distance(game.setup.board, x, y, it.x, it.y) <= reach:
            return True
    return False


@kernel
def spread(board: Any, ways: Ways, cell: int, count: int) -> int:
    """Note the neighbours of a cell that nothing nearer has noted, and queue them; how many are queued then."""
    x = cell % ground.MAX_SIZE
    y = cell // ground.MAX_SIZE
    for direction in range(ground.DIRECTIONS):
        if has(ground.ways(board, x, y), direction):
            there = ground.step_y(board, x, y, direction) * ground.MAX_SIZE + ground.step_x(board, x, y, direction)
            if ways.steps[there] == FAR:
                ways.steps[there] = ways.steps[cell] + 1
                ways.queue[count] = there
                count += 1
    return count


@kernel
def steps_from(ways: Ways, x: int, y: int) -> int:
    """Steps still to go from a cell."""
    return ways.steps[y * ground.MAX_SIZE + x]


@kernel
def is_taken(game: Any, x: int, y: int) -> bool:
    """Does anybody stand on this cell?"""
    for other in range(game.setup.count):
        it = game.state.fighters[other]
        if standing(game, other) and it.x == x and it.y == y:
            return True
    return False


@kernel
def steps_after(game: Any, who: int, direction: int, ways: Ways) -> int:
    """Steps still to go after a step in this direction; FAR if none leads there."""
    board = game.setup.board
    it = game.state.fighters[who]
    if not has(ground.ways(board, it.x, it.y), direction):
        return FAR
    x = ground.step_x(board, it.x, it.y, direction)
    y = ground.step_y(board, it.x, it.y, direction)
    return steps_from(ways, x, y) + (1 if is_taken(game, x, y) else 0)


@kernel
def best_step(game: Any, who: int, ways: Ways) -> int:
    """Steps still to go after the best step onto a free cell."""
    board = game.setup.board
    it = game.state.fighters[who]
    best = FAR
    for direction in range(ground.DIRECTIONS):
        if has(ground.ways(board, it.x, it.y), direction):
            x = ground.step_x(board, it.x, it.y, direction)
            y = ground.step_y(board, it.x, it.y, direction)
            if not is_taken(game, x, y):
                best = min(best, steps_from(ways, x, y))
    return best


@kernel
def walk_to_go(game: Any, action: int, walking: bool, move: int, stop: int, step: int, ways: Ways) -> float:
    """Steps still to go after an action of the decider: MOVE on its turn, STOP or a STEP when it is ``walking``.

    ``move``, ``stop`` and ``step`` are the places of these actions in the catalogue. NOT_A_WALK for all others, and
    NOWHERE for a MOVE that brings nobody nearer.
    """
    who = game.state.decider
    it = game.state.fighters[who]
    if walking:
        if action == stop:
            return float(steps_from(ways, it.x, it.y))
        if step <= action < step + ground.DIRECTIONS:
            return float(steps_after(game, who, action - step, ways))
    elif action == move:
        best = best_step(game, who, ways)
        return float(best) if best < steps_from(ways, it.x, it.y) else NOWHERE
    return NOT_A_WALK
