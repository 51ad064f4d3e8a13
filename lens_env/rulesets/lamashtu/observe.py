"""What a fighter knows of a skirmish, as numbers: everything but the dice to come, seen from the viewer.

``SCENE`` and ``FIGHTER`` name the numbers in the order in which the kernels write them. Pools and successes are
told in shares of MAX_POOL, points in shares of the largest number that a sheet or the rules allow.
"""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.bits import has
from lens_env.core.kernel import hot
from lens_env.core.ruleset import Seen
from lens_env.core.skirmish import around, distance, standing

from .codes import Cash, Defense, Window
from .fighters import broken, fighter, sheet
from .state import MAX_POOL, Game

SPAN = ground.MAX_SIZE - 1  # the largest difference of two coordinates
MOST_POINTS = 9  # Action Points of a sheet, banked ones, RECOVERs, Poise by the round: what sheets.py allows
MOST_STEPS = 20  # spaces of a MOVE; a DODGE has fewer, 1 + MAX_POOL
# a multiplication is several times cheaper than a division
PER_DIE = 1 / MAX_POOL
PER_POINT = 1 / MOST_POINTS
PER_STEP = 1 / MOST_STEPS
PER_CELL = 1 / SPAN

SCENE = (
    *(Seen(f"window.{window.name}") for window in Window if window != Window.NONE),
    Seen("deciding"),  # the viewer is asked
    Seen("acting"),  # it is the viewer's turn
    Seen("attacking"),  # the attack under way is the viewer's
    Seen("attacked"),  # it is aimed at the viewer
    Seen("rounds_played"),  # of max_rounds
    Seen("attack.pool"),  # dice of the attack under way
    Seen("attack.hits"),  # the chance that it passes the target's Tier Score: 0 or 1 once the roll is revealed
    Seen("attack.expected"),  # damage to expect without a defence, as a share of the target's Health at full strength
    Seen("attack.revealed"),  # is its roll known?
    Seen("attack.successes"),  # of the revealed roll
    *(Seen(f"defense.{defense.name}") for defense in Defense if defense != Defense.NONE),
    Seen("margin"),  # successes of the defence above those of the attack
    Seen("criticals"),  # that may still be given up
    *(Seen(f"bought.{cash.name}") for cash in Cash if cash != Cash.POISE),  # the kind that was bought last
    Seen("spaces"),  # bought for a DODGE
    Seen("steps"),  # left of a MOVE or a DODGE
    Seen("forced"),  # a failed DODGE has to move
    Seen("moved"),  # this turn
    Seen("recovered"),  # RECOVERs this turn
    *(Seen(f"free.{direction.name}") for direction in ground.Direction),  # the viewer's neighbour cells
    Seen("board.SQUARE"),
    Seen("board.HEX"),
    Seen("rules.reveal_attack_roll"),
    Seen("rules.failure_hits"),
    Seen("rules.clash_effect_costs"),
    Seen("rules.poise_per_round"),
)
FIGHTER = (
    Seen("standing"),
    Seen("ally"),  # of the viewer, itself included
    Seen("health"),
    Seen("poise"),
    Seen("points"),  # Action Points left
    Seen("banked"),
    Seen("BROKEN"),
    Seen("OFF_BALANCE"),
    Seen("STAGGERED"),
    Seen("PRONE"),
    Seen("helpless"),
    Seen("attack"),  # pools
    Seen("block"),
    Seen("dodge"),
    Seen("clash"),
    Seen("target_number"),  # of its Tier
    Seen("dx", -1.0, 1.0),  # from the viewer, to the east
    Seen("dy", -1.0, 1.0),  # to the south
    Seen("distance"),
    Seen("acting"),
    Seen("attacking"),
    Seen("attacked"),
)

# where the blocks of SCENE begin
DECIDING = 7
ATTACK = 12
DEFENSE = 17
SPENT = 20
FREE = 29
GROUND = 37
assert [SCENE[i].name for i in (DECIDING, ATTACK, DEFENSE, SPENT, FREE, GROUND)] == [
    "deciding", "attack.pool", "defense.BLOCK", "margin", "free.N", "board.SQUARE",
]  # fmt: skip


@hot
def observe_scene(game: Game, viewer: int, out: Any, at: int) -> None:
    """Write the numbers of SCENE into ``out`` (float32, zeros before) from index ``at`` on."""
    state = game.state
    if state.window != Window.NONE:
        out[at + state.window - 1] = 1.0
    see_turn(game, viewer, out, at + DECIDING)
    if state.attacker > 0:
        see_attack(game, out, at + ATTACK)
        see_exchange(game, out, at)
    see_ground(game, viewer, out, at)


@hot
def flag(condition: bool) -> float:
    """1 for yes, 0 for no."""
    return 1.0 if condition else 0.0


@hot
def see_turn(game: Game, viewer: int, out: Any, at: int) -> None:
    """Who is asked and who acts, and how far the skirmish and the turn have come."""
    state = game.state
    out[at] = flag(state.decider == viewer)
    out[at + 1] = flag(state.acting == viewer + 1)
    out[at + 2] = flag(state.attacker == viewer + 1)
    out[at + 3] = flag(state.target == viewer + 1)
    out[at + 4] = state.game_round / game.setup.rules.max_rounds
    spent = at - DECIDING + SPENT
    out[spent + 5] = state.steps * PER_STEP
    out[spent + 7] = state.moved
    out[spent + 8] = state.recovered * PER_POINT


@hot
def see_attack(game: Game, out: Any, at: int) -> None:
    """The committed attack: before its roll is known by its chance, after that by its successes (R-06)."""
    state = game.state
    target = sheet(game, state.target - 1)
    attack = sheet(game, state.attacker - 1)
    chance = game.setup.pools[attack.attack].above[target.target] if target.target <= MAX_POOL else 0.0
    if state.rolled > 0:
        chance = flag(state.rolled - 1 > target.target)
        out[at + 3] = 1.0
        out[at + 4] = (state.rolled - 1) * PER_DIE
    out[at] = attack.attack * PER_DIE
    out[at + 1] = chance
    out[at + 2] = chance * min(attack.damage, target.health) / target.health


@hot
def see_exchange(game: Game, out: Any, at: int) -> None:
    """The defence under way and what it has left to give up."""
    state = game.state
    if state.defense != Defense.NONE:
        out[at + DEFENSE + state.defense - 1] = 1.0
    out[at + SPENT] = state.margin * PER_DIE
    out[at + SPENT + 1] = state.criticals * PER_DIE
    if state.buying != Cash.POISE:
        out[at + SPENT + 1 + state.buying] = 1.0
    out[at + SPENT + 4] = state.spaces * PER_DIE
    out[at + SPENT + 6] = state.forced


@hot
def see_ground(game: Game, viewer: int, out: Any, at: int) -> None:
    """The free cells next to the viewer, the kind of the board, and the switches of the rules."""
    board = game.setup.board
    rules = game.setup.rules
    if ground.exists(board):
        out[at + GROUND - 1 + board.kind] = 1.0
        it = fighter(game, viewer)
        if it.out == 0:
            free = ground.ways(board, it.x, it.y) & ~around(game, viewer, 0, game.setup.count, it.x, it.y)
            for direction in range(ground.DIRECTIONS):
                out[at + FREE + direction] = flag(has(free, direction))
    out[at + GROUND + 2] = rules.reveal
    out[at + GROUND + 3] = rules.failure_hits
    out[at + GROUND + 4] = rules.effect_costs
    out[at + GROUND + 5] = rules.poise_per_round * PER_POINT


@hot
def observe_fighter(game: Game, viewer: int, who: int, out: Any, at: int) -> None:
    """Write the numbers of FIGHTER into ``out`` (float32, zeros before) from index ``at`` on; few of one who is out."""
    its = sheet(game, who)
    out[at + 1] = flag(its.side == sheet(game, viewer).side)
    if not standing(game, who):
        return
    it = fighter(game, who)
    out[at] = 1.0
    out[at + 2] = it.health / its.health
    out[at + 3] = it.poise / its.poise
    out[at + 4] = it.points * (PER_POINT / 2)
    out[at + 5] = it.banked * PER_POINT
    out[at + 6] = flag(broken(game, who))
    out[at + 7] = it.off_balance
    out[at + 8] = it.staggered
    out[at + 9] = it.prone
    out[at + 10] = its.helpless
    out[at + 11] = its.attack * PER_DIE
    out[at + 12] = its.block * PER_DIE
    out[at + 13] = its.dodge * PER_DIE
    out[at + 14] = its.clash * PER_DIE
    out[at + 15] = min(its.target, MAX_POOL) * PER_DIE
    see_place(game, viewer, who, out, at + 16)
    out[at + 19] = flag(game.state.acting == who + 1)
    out[at + 20] = flag(game.state.attacker == who + 1)
    out[at + 21] = flag(game.state.target == who + 1)


@hot
def see_place(game: Game, viewer: int, who: int, out: Any, at: int) -> None:
    """Where the fighter stands from the viewer; nothing without a board, or for a viewer that is out."""
    if ground.exists(game.setup.board) and standing(game, viewer):
        it = fighter(game, who)
        me = fighter(game, viewer)
        out[at] = (it.x - me.x) * PER_CELL
        out[at + 1] = (it.y - me.y) * PER_CELL
        out[at + 2] = distance(game, viewer, who) * (PER_CELL / 2)
