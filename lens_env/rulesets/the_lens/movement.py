"""MOVE with its STEPs, and the free move of a dodge (section 5: MOVE; section 7)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.bits import count_bits, has, lowest_bit
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import ALL_WAYS, Side, allies, allow_ways, around, ask, free_ways, walk

from . import catalogue
from .codes import Ability, Happened, Outcome, Roll, Stage, Window
from .fighters import end_exchange, fighter, sheet, spend
from .state import MOVE_STEPS, Game


@hot
def cell_of(game: Game, who: int) -> tuple[int, int]:
    """Where a fighter stands."""
    return fighter(game, who).x, fighter(game, who).y


@hot
def party_around(game: Game, who: int, x: int, y: int) -> int:
    """Where the party's fighters stand around a cell."""
    return around(game, who, 0, game.setup.party_count, x, y)


@hot
def foes_around(game: Game, who: int, x: int, y: int) -> int:
    """Where the foes stand around a cell."""
    return around(game, who, game.setup.party_count, game.setup.count, x, y)


@kernel
def firm_ways(game: Game, who: int, x: int, y: int) -> int:
    """Bits of the directions from (x, y) in which the fighter needs no roll; a monster never does (R-13)."""
    board = game.setup.board
    if sheet(game, who).side == Side.FOES:
        return ground.ways(board, x, y)
    return ground.ways(board, x, y) & ~ground.rough_ways(board, x, y)


@kernel
def step_ways(game: Game, who: int, steps: int) -> int:
    """Bits of the directions in which a fighter with ``steps`` left can go one cell; bit SAME: it may stop here.

    Fighters block cells; allies may be passed but not stopped on, so an ally's cell is entered only if the move
    can surely end beyond it, and left only towards ground that cannot stop it (R-29).
    """
    x, y = cell_of(game, who)
    party = party_around(game, who, x, y)
    foes = foes_around(game, who, x, y)
    friends = party if sheet(game, who).side == Side.PARTY else foes
    shared = has(friends, ground.SAME)
    ways = firm_ways(game, who, x, y) if shared else ground.ways(game.setup.board, x, y)
    free = ways & ~party & ~foes
    passing = ways & friends
    if passing != 0 and steps > 1:
        for direction in range(ground.DIRECTIONS):
            if has(passing, direction) and passable(game, who, direction, steps - 1):
                free |= 1 << direction
    return free if shared else free | (1 << ground.SAME)


@kernel
def passable(game: Game, who: int, direction: int, steps: int) -> bool:
    """From the ally's cell in this direction, can the mover still end on free, firm ground with ``steps`` left?

    Its way may lead through more allies; they are searched breadth first. To come back to the cell on which it
    stands now would be no move at all (R-29).
    """
    board = game.setup.board
    x, y = cell_of(game, who)
    edge = allies_on(game, who, ground.step_x(board, x, y, direction), ground.step_y(board, x, y, direction))
    reached = edge
    for _ in range(steps):
        found = 0
        for ally in range(game.setup.count):
            if has(edge, ally):
                at_x, at_y = cell_of(game, ally)
                back = 1 << ground.step_between(board, at_x, at_y, x, y)
                firm = firm_ways(game, who, at_x, at_y)
                if firm & ~back & ~around(game, who, 0, game.setup.count, at_x, at_y) != 0:
                    return True
                found |= allies_along(game, who, at_x, at_y, firm)
        edge = found & ~reached
        reached |= found
    return False


@kernel
def allies_on(game: Game, who: int, x: int, y: int) -> int:
    """Bits of the mover's allies on a cell."""
    return allies_along(game, who, x, y, 1 << ground.SAME)


@kernel
def allies_along(game: Game, who: int, x: int, y: int, ways: int) -> int:
    """Bits of the mover's allies that stand in one of these directions from (x, y)."""
    bits = 0
    for other in range(game.setup.count):
        it = fighter(game, other)
        if other != who and allies(game, who, other):
            if has(ways, ground.step_between(game.setup.board, x, y, it.x, it.y)):
                bits |= 1 << other
    return bits


@hot
def may_move(game: Game, who: int) -> bool:
    """MOVE: on a board, neither PRONE nor HAMSTRUNG, with somewhere to go."""
    it = fighter(game, who)
    if not ground.exists(game.setup.board) or it.prone == 1 or it.hamstrung > 0:
        return False
    if game.setup.rules.one_move == 1 and game.state.moves > 0:
        return False
    return free_ways(game, who) != 0 or step_ways(game, who, MOVE_STEPS) & ALL_WAYS != 0


@hot
def legal_steps(game: Game, who: int, mask: Any) -> None:
    """The window STEP: a direction, or STOP unless the cell is an ally's."""
    ways = step_ways(game, who, game.state.steps)
    allow_ways(mask, ways, catalogue.STEP)
    if has(ways, ground.SAME):
        allow(mask, catalogue.STOP)


@hot
def begin_move(game: Game, who: int) -> None:
    """MOVE: up to 30 feet, one decision a square."""
    spend(game, who, 1)
    state = game.state
    if game.setup.rules.one_move == 1:  # else the number means nothing, and equal positions must be equal bytes
        state.moves += 1
    state.moving = 1
    state.steps = MOVE_STEPS
    emit(game.log, Happened.MOVES, who, -1, 0, 0, 0)
    ask(game, who, Window.STEP)


@kernel
def end_move(game: Game) -> None:
    """The move is over, the turn goes on."""
    end_exchange(game)
    state = game.state
    state.moving = 0
    state.steps = 0
    state.heading = 0
    state.stage = Stage.TURN


@hot
def step(game: Game, who: int, direction: int) -> None:
    """One STEP; into difficult terrain a character rolls Maneuvering, a monster never does (R-13)."""
    state = game.state
    board = game.setup.board
    it = fighter(game, who)
    state.heading = direction
    x = ground.step_x(board, it.x, it.y, direction)
    y = ground.step_y(board, it.x, it.y, direction)
    terrain = ground.terrain(board, x, y)
    if terrain > 0 and sheet(game, who).side == Side.PARTY:
        state.roll = Roll.STEP
        state.actor = who + 1
        state.ability = Ability.MANEUVERING
        state.tn = terrain
        state.stage = Stage.ASK_ASSIST
    else:
        enter(game)


@kernel
def resolve_step(game: Game) -> None:
    """BOTCH: the move ends; SACRIFICE: it ends, or the mover enters and loses 1 Momentum (R-10)."""
    state = game.state
    who = state.actor - 1
    if state.outcome >= Outcome.SUCCESS:
        state.stage = Stage.ENTER
    elif state.outcome == Outcome.SACRIFICE and fighter(game, who).momentum > 0:
        ask(game, who, Window.STEP_SACRIFICE)
    else:
        get_stuck(game)


@kernel
def get_stuck(game: Game) -> None:
    """The move ends before the difficult cell."""
    emit(game.log, Happened.STUCK, game.state.acting - 1, -1, 0, 0, 0)
    end_move(game)


@kernel
def enter(game: Game) -> None:
    """The mover enters the cell."""
    state = game.state
    who = state.acting - 1
    walk(game, who, state.heading)
    steps = state.steps - 1
    emit(game.log, Happened.STEPS, who, -1, state.heading, fighter(game, who).x, fighter(game, who).y)
    end_exchange(game)
    state.steps = steps
    state.heading = 0
    if steps > 0:
        ask(game, who, Window.STEP)
    else:
        end_move(game)


# --- free moves (section 7) --------------------------------------------------------------------------------


@kernel
def can_sidestep(game: Game, who: int) -> bool:
    """Is there an open adjacent square (a free move ignores terrain)? Without a board there always is (R-14)."""
    return not ground.exists(game.setup.board) or free_ways(game, who) != 0


@kernel
def legal_sidesteps(game: Game, who: int, mask: Any) -> None:
    """The window FREE_MOVE: the mover chooses the square."""
    allow_ways(mask, free_ways(game, who), catalogue.STEP)


@kernel
def free_move(game: Game, who: int) -> None:
    """Skipped without a board, when PRONE or HAMSTRUNG, or where nothing is open; asked if there is a choice."""
    state = game.state
    state.stage = Stage.EXCHANGE_END
    it = fighter(game, who)
    if not ground.exists(game.setup.board) or it.prone == 1 or it.hamstrung > 0:
        return
    open_cells = free_ways(game, who)
    if count_bits(open_cells) > 1:
        ask(game, who, Window.FREE_MOVE)
    elif open_cells != 0:
        sidestep(game, who, lowest_bit(open_cells))


@kernel
def sidestep(game: Game, who: int, direction: int) -> None:
    """A free move to the adjacent square."""
    walk(game, who, direction)
    emit(game.log, Happened.SIDESTEPS, who, -1, direction, fighter(game, who).x, fighter(game, who).y)
    game.state.stage = Stage.EXCHANGE_END
