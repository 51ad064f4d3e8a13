"""Attacks and spells from their declaration on: reach, areas, casting (sections 3 and 10)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.board import MAX_SIZE
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import allies, ask, first_enemy, last_enemy

from . import catalogue
from .codes import Happened, Origin, Out, Stage, Window
from .fighters import end_blast, end_exchange, fighter, fighting, gm_decides, in_reach, sheet
from .state import MAX_ATTACKS, MAX_FIGHTERS, Attack, Game

SPACE = 64  # an aim from here on is a space: SPACE + y * MAX_SIZE + x; below, a fighter + 1


@hot
def aim_of(x: int, y: int) -> int:
    """A space as an aim."""
    return SPACE + y * MAX_SIZE + x


@hot
def attack_of(game: Game, who: int, slot: int) -> Attack:
    """An attack or spell of a fighter."""
    return sheet(game, who).strikes[slot]


@hot
def under_way(game: Game) -> Attack:
    """The attack that is being resolved."""
    return attack_of(game, game.state.attacker - 1, game.state.strike)


# --- whom it can reach -------------------------------------------------------------------------------------


@kernel
def legal_strikes(game: Game, who: int, slot: int, mask: Any) -> None:
    """The enemies in reach of an attack or spell, and for an area a space as well (section 3)."""
    attack = attack_of(game, who, slot)
    for target in range(first_enemy(game, who), last_enemy(game, who)):
        if fighting(game, target) and in_reach(game, who, target, attack.reach):
            allow(mask, catalogue.ATTACK + slot * MAX_FIGHTERS + target)
    if attack.radius > 0 and ground.exists(game.setup.board):
        allow(mask, catalogue.SPACE + slot)


@hot
def legal_attacks(game: Game, who: int, mask: Any) -> None:
    """Every attack (no spell) with every target."""
    for slot in range(MAX_ATTACKS):
        if attack_of(game, who, slot).exists == 1:
            legal_strikes(game, who, slot, mask)


@kernel
def reaches_anyone(game: Game, who: int) -> bool:
    """Has the fighter an attack that reaches an enemy?"""
    for slot in range(MAX_ATTACKS):
        attack = attack_of(game, who, slot)
        for target in range(first_enemy(game, who), last_enemy(game, who)):
            if attack.exists == 1 and fighting(game, target) and in_reach(game, who, target, attack.reach):
                return True
    return False


@hot
def basic_reaches(game: Game, who: int, target: int) -> bool:
    """Does the basic attack, the first of the sheet, reach the target? An area is none (R-23)."""
    attack = attack_of(game, who, 0)
    return attack.radius == 0 and in_reach(game, who, target, attack.reach)


# --- the declaration ---------------------------------------------------------------------------------------


@hot
def declare(game: Game, who: int, action: int) -> None:
    """An attack on a fighter, or on a space, which is asked for in two steps: its x, then its y."""
    if action >= catalogue.ATTACK:
        slot = (action - catalogue.ATTACK) // MAX_FIGHTERS
        launch(game, who, slot, (action - catalogue.ATTACK) % MAX_FIGHTERS + 1)
    else:
        game.state.attacker = who + 1
        game.state.strike = action - catalogue.SPACE
        ask(game, who, Window.COLUMN)
        keep_gm(game, who)


@kernel
def keep_gm(game: Game, who: int) -> None:
    """What a spectator does is the GM's to decide (section 8)."""
    if fighter(game, who).out == Out.SPECTATOR:
        gm_decides(game)


@kernel
def in_range(game: Game, x: int, y: int) -> bool:
    """May the area that is being aimed have its centre here?"""
    board = game.setup.board
    it = fighter(game, game.state.attacker - 1)
    reach = under_way(game).reach
    near = reach == 0 or ground.distance(board, it.x, it.y, x, y) <= reach
    return near and ground.terrain(board, x, y) != ground.BLOCKED


@kernel
def legal_columns(game: Game, mask: Any) -> None:
    """The x that has a space in range."""
    for x in range(game.setup.board.width):
        for y in range(game.setup.board.height):
            if in_range(game, x, y):
                allow(mask, catalogue.COLUMN + x)
                break


@kernel
def legal_rows(game: Game, mask: Any) -> None:
    """The y of the spaces in range with the chosen x."""
    for y in range(game.setup.board.height):
        if in_range(game, game.state.column, y):
            allow(mask, catalogue.ROW + y)


@kernel
def choose_column(game: Game, who: int, x: int) -> None:
    """The x of the centre is chosen."""
    game.state.column = x
    ask(game, who, Window.ROW)
    keep_gm(game, who)


@kernel
def choose_row(game: Game, who: int, y: int) -> None:
    """The centre is chosen: the attack goes there."""
    state = game.state
    slot = state.strike
    aim = aim_of(state.column, y)
    state.attacker = 0
    state.strike = 0
    state.column = 0
    launch(game, who, slot, aim)


@hot
def launch(game: Game, who: int, slot: int, aim: int) -> None:
    """The attacker commits; a spell is paid, and one of several rounds begins (sections 3 and 10)."""
    if slot < MAX_ATTACKS:
        kind = 1 if game.state.origin == Origin.OPPORTUNITY else 0
        emit(game.log, Happened.ATTACKS, who, aim - 1 if aim < SPACE else -1, slot, kind, 0)
        begin(game, who, slot, aim)
    else:
        cast(game, who, slot, aim)


@kernel
def cast(game: Game, who: int, slot: int, aim: int) -> None:
    """A spell: paid at once; over several rounds the caster is Casting (section 10)."""
    spell = attack_of(game, who, slot)
    it = fighter(game, who)
    it.soul -= spell.soul
    emit(game.log, Happened.CASTS, who, aim - 1 if aim < SPACE else -1, slot, 0, spell.delay)
    if spell.delay == 0:
        begin(game, who, slot, aim)
        return
    it.casting = slot + 1
    it.delay = spell.delay
    it.aim = aim
    game.state.stage = Stage.TURN


@kernel
def go_off(game: Game, who: int) -> None:
    """The casting is over: the spell strikes, whatever the distance now; a fallen target wastes it (section 10)."""
    it = fighter(game, who)
    slot = it.casting - 1
    aim = it.aim
    it.casting = 0
    it.aim = 0
    if aim < SPACE and not fighting(game, aim - 1):
        emit(game.log, Happened.WASTED, who, -1, slot, 0, 0)
    else:
        emit(game.log, Happened.GOES_OFF, who, -1, slot, 0, 0)
        begin(game, who, slot, aim)


@hot
def begin(game: Game, who: int, slot: int, aim: int) -> None:
    """An attack on one target, or an area of which everyone is resolved in file order (section 3)."""
    if attack_of(game, who, slot).radius > 0:
        begin_blast(game, who, slot, aim)
    else:
        strike_at(game, who, slot, aim - 1)


@hot
def strike_at(game: Game, who: int, slot: int, target: int) -> None:
    """One attack on one target."""
    state = game.state
    state.attacker = who + 1
    state.target = target + 1
    state.strike = slot
    state.stage = Stage.NOTICE


# --- areas (section 3) -------------------------------------------------------------------------------------


@kernel
def begin_blast(game: Game, who: int, slot: int, aim: int) -> None:
    """The centre is fixed where the target stands now."""
    state = game.state
    if aim < SPACE and ground.exists(game.setup.board):
        it = fighter(game, aim - 1)
        aim = aim_of(it.x, it.y)
    state.blast = who + 1
    state.blast_strike = slot
    state.blast_aim = aim
    state.blast_next = 0
    state.stage = Stage.BLAST
    if aim >= SPACE:
        emit(game.log, Happened.BLAST, who, -1, slot, center_x(game), center_y(game))


@hot
def center_x(game: Game) -> int:
    """The x of the area's centre."""
    return (game.state.blast_aim - SPACE) % MAX_SIZE


@hot
def center_y(game: Game) -> int:
    """The y of the area's centre."""
    return (game.state.blast_aim - SPACE) // MAX_SIZE


@kernel
def from_center(game: Game, who: int) -> int:
    """Spaces between the area's centre and a fighter."""
    it = fighter(game, who)
    return ground.distance(game.setup.board, it.x, it.y, center_x(game), center_y(game))


@kernel
def within(game: Game, who: int) -> bool:
    """Does the area strike this fighter? Without a board it strikes the side it is aimed at (R-22)."""
    state = game.state
    if not fighting(game, who):
        return False
    if not ground.exists(game.setup.board):
        return allies(game, who, state.blast_aim - 1)
    return from_center(game, who) <= attack_of(game, state.blast - 1, state.blast_strike).radius


@kernel
def next_in_blast(game: Game) -> None:
    """The next fighter within the area, in file order."""
    state = game.state
    while state.blast_next < game.setup.count:
        who = state.blast_next
        state.blast_next += 1
        if within(game, who):
            strike_at(game, state.blast - 1, state.blast_strike, who)
            return
    state.blast = 0
    state.stage = Stage.EXCHANGE_END


# --- after the exchange ------------------------------------------------------------------------------------


@hot
def end_strike(game: Game) -> None:
    """The attack on this target is over: the area's next one, or what the attack was part of goes on."""
    state = game.state
    end_exchange(game)
    if state.blast > 0:
        state.stage = Stage.BLAST
        return
    origin = state.origin
    end_blast(game)
    if origin == Origin.OPPORTUNITY:
        state.stage = Stage.PROVOKE
    elif origin == Origin.SPECTATOR:
        state.stage = Stage.SPECTATORS
    else:
        state.stage = Stage.TURN
