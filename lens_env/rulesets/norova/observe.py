"""What a player of Nor'Ova knows, as numbers: all that lies on the table, and nothing of the dice to come (R-33).

Shares of maxima lie in 0..1; a trait is given in units of 30, a place relative to the viewer in board lengths.
"""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.kernel import hot
from lens_env.core.ruleset import Seen
from lens_env.core.skirmish import allies, free_ways

from .codes import AttackKind, Origin, Out, Trait, Use, Window
from .fighters import FACES, fighter, sheet
from .state import TRIES, Game
from .strikes import under_way

DAMAGE_SCALE = 100.0  # points of damage; more counts as this
EVADE_SCALE = 60.0  # the highest number that an evade check can have to reach
TRAIT_UNIT = 1 / 30
MOST_STEPS = 20.0
TRY = 1 / TRIES

WINDOWS = 0  # where the groups of the scene begin
ROUND = len(Window) - 1
USED = ROUND + 1
STEPS = USED + len(Use)
COLUMN = STEPS + 1
ATTACK = COLUMN + 1
KINDS = ATTACK + 9
FROM = KINDS + len(AttackKind)
AROUND = FROM + len(ground.Side)

SCENE = (
    *(Seen(f"window.{window.name}") for window in Window if window != Window.NONE),
    Seen("round"),  # of max_rounds
    *(Seen(f"used.{use.name}") for use in Use),  # by whoever's turn it is
    Seen("steps"),  # left of the Move, of 20
    Seen("column"),  # chosen for the centre of an area, of 32
    Seen("attack.under_way"),
    Seen("attack.magical"),
    Seen("attack.aware"),  # the target has noticed it
    Seen("attack.damage"),  # the mean, of 100
    Seen("attack.evade"),  # what the evade check must reach, of 60; 0 = no evasion possible
    Seen("attack.evade_chance"),  # of the target
    Seen("attack.at_me"),
    Seen("attack.counter"),
    Seen("attack.opportunity"),
    *(Seen(f"attack.kind.{kind.name}") for kind in AttackKind),
    *(Seen(f"attack.from.{side.name}") for side in ground.Side),
    *(Seen(f"free.{heading.name}") for heading in ground.Direction),  # is this neighbouring space open?
)

FIGHTER = (
    Seen("me"),
    Seen("ally"),
    Seen("spectator"),
    Seen("fighting"),
    Seen("tries"),  # own turns left to buy a Save, of 4
    Seen("vitality"),
    Seen("power"),
    Seen("soul"),
    Seen("xp"),
    Seen("prone"),
    Seen("trapped"),
    Seen("stunned"),
    Seen("dazed"),
    Seen("unconscious"),
    Seen("berserk"),
    Seen("distracted"),
    Seen("hindered"),
    Seen("flying"),
    Seen("casting"),
    Seen("east", -1.0),  # of the viewer
    Seen("south", -1.0),
    Seen("sees_me"),  # where the viewer is for it: 0 in front, 0.5 beside, 1 behind
    Seen("i_see"),  # where it is for the viewer
    Seen("trait.evade", -1.0),
    Seen("trait.perceive", -1.0),
    Seen("trait.defense", -1.0),
    Seen("trait.spirit", -1.0),
)


@hot
def share(part: float, whole: float) -> float:
    """A part of a whole; where there is no whole, there is no part."""
    return part / whole if part > 0 else 0.0


@hot
def observe_scene(game: Game, viewer: int, out: Any, at: int) -> None:
    """What ``viewer`` knows of the skirmish as a whole, as ``SCENE`` names it."""
    state = game.state
    if state.window != Window.NONE:
        out[at + WINDOWS + state.window - 1] = 1.0
    out[at + ROUND] = share(state.game_round, game.setup.rules.max_rounds)
    for use in range(4):
        out[at + USED + use] = (state.used >> use) & 1
    out[at + STEPS] = state.steps / MOST_STEPS
    out[at + COLUMN] = state.column / ground.MAX_SIZE
    if state.target > 0:
        observe_attack(game, viewer, out, at)
    if ground.exists(game.setup.board) and fighter(game, viewer).x >= 0:
        ways = free_ways(game, viewer)
        for heading in range(ground.DIRECTIONS):
            out[at + AROUND + heading] = (ways >> heading) & 1


@hot
def observe_attack(game: Game, viewer: int, out: Any, at: int) -> None:
    """The committed attack."""
    state = game.state
    attack = under_way(game)
    out[at + ATTACK] = 1.0
    out[at + ATTACK + 1] = attack.magical
    out[at + ATTACK + 2] = state.aware
    out[at + ATTACK + 3] = min(1.0, attack.expected * (1 / DAMAGE_SCALE))
    out[at + ATTACK + 4] = state.evade / EVADE_SCALE
    out[at + ATTACK + 5] = evade_chance(game)
    out[at + ATTACK + 6] = 1.0 if state.target - 1 == viewer else 0.0
    out[at + ATTACK + 7] = state.returned
    out[at + ATTACK + 8] = 1.0 if state.origin == Origin.OPPORTUNITY else 0.0
    out[at + KINDS + attack.kind] = 1.0
    out[at + FROM + state.direction] = 1.0


@hot
def evade_chance(game: Game) -> float:
    """P(d20 + Evade >= the number), 0 if no evasion is possible."""
    state = game.state
    if state.evade == 0:
        return 0.0
    good = FACES + 1 + sheet(game, state.target - 1).traits[Trait.EVADE] - state.evade
    return min(FACES, max(0, good)) * (1 / FACES)


@hot
def observe_fighter(game: Game, viewer: int, who: int, out: Any, at: int) -> None:
    """What ``viewer`` knows of ``who``, as ``FIGHTER`` names it."""
    it = fighter(game, who)
    its = sheet(game, who)
    out[at] = 1.0 if who == viewer else 0.0
    out[at + 1] = 1.0 if allies(game, viewer, who) else 0.0
    out[at + 2] = 1.0 if it.out == Out.SPECTATOR else 0.0
    out[at + 3] = 1.0 if it.out == Out.NO else 0.0
    out[at + 4] = it.tries * TRY
    out[at + 5] = it.vitality * its.one_vitality
    out[at + 6] = it.power * its.one_power
    out[at + 7] = it.soul * its.one_soul
    out[at + 8] = it.xp * its.one_xp
    observe_statuses(game, who, out, at + 9)
    if ground.exists(game.setup.board) and it.x >= 0 and fighter(game, viewer).x >= 0 and who != viewer:
        observe_place(game, viewer, who, out, at + 19)
    out[at + 23] = its.traits[Trait.EVADE] * TRAIT_UNIT
    out[at + 24] = its.traits[Trait.PERCEIVE] * TRAIT_UNIT
    out[at + 25] = its.traits[Trait.DEFENSE] * TRAIT_UNIT
    out[at + 26] = its.traits[Trait.SPIRIT] * TRAIT_UNIT


@hot
def observe_statuses(game: Game, who: int, out: Any, at: int) -> None:
    """Statuses as bits."""
    it = fighter(game, who)
    its = sheet(game, who)
    out[at] = it.prone
    out[at + 1] = 1.0 if it.trapped > 0 else 0.0
    out[at + 2] = 1.0 if it.stunned > 0 else 0.0
    out[at + 3] = 1.0 if it.dazed > 0 else 0.0
    out[at + 4] = 1.0 if it.unconscious > 0 else 0.0
    out[at + 5] = 1.0 if it.berserk > 0 else 0.0
    out[at + 6] = 1.0 if it.distracted > 0 else 0.0
    out[at + 7] = 1.0 if it.hindered > 0 or its.hindered == 1 else 0.0
    out[at + 8] = its.flying
    out[at + 9] = 1.0 if it.casting > 0 else 0.0


@hot
def observe_place(game: Game, viewer: int, who: int, out: Any, at: int) -> None:
    """Where a fighter is, and how the two look at each other."""
    it = fighter(game, who)
    me = fighter(game, viewer)
    board = game.setup.board
    length = 1 / max(board.width, board.height)
    out[at] = (it.x - me.x) * length
    out[at + 1] = (it.y - me.y) * length
    towards = ground.direction_towards(board, me.x, me.y, it.x, it.y)
    back = ground.opposite(towards)
    if board.kind == ground.BoardKind.HEX:  # where a tie between two steps may be broken otherwise
        back = ground.direction_towards(board, it.x, it.y, me.x, me.y)
    out[at + 2] = ground.side_of(board, it.facing, back) * 0.5
    out[at + 3] = ground.side_of(board, me.facing, towards) * 0.5
