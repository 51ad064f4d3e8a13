"""What scripted policies may know of Nor'Ova without playing an action: damage, Vitality, ways and facing."""

from __future__ import annotations

from math import atan2

from lens_env.core import board as ground
from lens_env.core.kernel import kernel
from lens_env.core.skirmish import UNKNOWN, UNLIMITED, first_enemy, last_enemy
from lens_env.core.ways import FAR, NOT_A_WALK, NOWHERE, Ways, walk_to_go

from . import catalogue
from .codes import Window
from .fighters import fighter, fighting, sheet
from .state import MAX_FIGHTERS, MAX_STRIKES, Armor, Attack, Game

EIGHTHS = 1.2732395447351628  # of a turn in a radian: 4 / pi


@kernel
def life(game: Game, who: int) -> float:
    """Points of Vitality until a fighter falls; 0 if it takes no part."""
    return float(fighter(game, who).vitality) if fighting(game, who) else 0.0


@kernel
def points_left(game: Game, who: int) -> int:
    """What defences cost serves for nothing else, so nothing has to be saved for them."""
    return UNLIMITED


@kernel
def attacker_of(game: Game) -> int:
    """Whose attack is under way, -1 for nobody's."""
    return game.state.attacker - 1


@kernel
def aimed_at(game: Game, action: int) -> int:
    """The fighter that an action is aimed at, -1 for none."""
    return (action - catalogue.SUPPORT) % MAX_FIGHTERS if action >= catalogue.SUPPORT else -1


@kernel
def expected_damage(game: Game, action: int) -> float:
    """The mean damage of ATTACK and CAST that the armour's dice let through; 0 for other actions."""
    window = game.state.window
    striking = window == Window.ACT or window == Window.OPPORTUNITY or window == Window.SPECTATE
    if not striking or action < catalogue.ATTACK:
        return 0.0
    attack = sheet(game, game.state.decider).strikes[(action - catalogue.ATTACK) // MAX_FIGHTERS]
    return mean_through(attack, sheet(game, aimed_at(game, action)).armors[attack.magical])


@kernel
def threat(game: Game) -> float:
    """The mean damage of the attack under way that the armour's dice let through, if nobody defends."""
    state = game.state
    attack = sheet(game, state.attacker - 1).strikes[state.strike]
    return mean_through(attack, sheet(game, state.target - 1).armors[attack.magical])


@kernel
def mean_through(attack: Attack, armor: Armor) -> float:
    """The mean of what an attack does to somebody whose armour absorbs its dice, never below 0."""
    found = 0.0
    for hit in range(attack.damage.count if attack.rolled == 1 else 1):
        points = attack.plus + (attack.damage.least + hit if attack.rolled == 1 else 0)
        chance = attack.damage.weights[hit] / attack.damage.total if attack.rolled == 1 else 1.0
        found += chance * mean_left(armor, points)
    return found


@kernel
def mean_left(armor: Armor, points: int) -> float:
    """The mean of what armour leaves of so many points."""
    if armor.rolled == 0:
        return float(max(0, points - armor.plus))
    left = 0
    for index in range(armor.table.count):
        left += max(0, points - armor.plus - armor.table.least - index) * armor.table.weights[index]
    return left / armor.table.total


@kernel
def risk(game: Game, action: int) -> float:
    """The chance that a defence fails is not worked out."""
    return UNKNOWN


# --- ways and facing ---------------------------------------------------------------------------------------


@kernel
def walks(game: Game) -> bool:
    """Is this a window in which the way to the enemy, or to where it stands, matters?"""
    window = game.state.window
    asked = window == Window.ACT or window == Window.STEP or window == Window.FACE
    return asked and ground.exists(game.setup.board)


@kernel
def farthest_reach(game: Game, who: int) -> int:
    """The farthest that a fighter strikes, in spaces; a reach of 0 is everywhere."""
    reach = 0
    for slot in range(MAX_STRIKES):
        strike = sheet(game, who).strikes[slot]
        if strike.exists == 1:
            reach = max(reach, strike.reach if strike.reach > 0 else FAR)
    return max(1, reach)


@kernel
def to_go(game: Game, action: int, ways: Ways) -> float:
    """Steps still to go until an enemy is in reach; for a FACE the eighths of a turn off the nearest enemy.

    A MOVE that leads nowhere still makes sense (0 steps) if the mover looks away from the nearest enemy.
    """
    window = game.state.window
    if window == Window.FACE:
        if catalogue.FACE <= action < catalogue.FACE + ground.DIRECTIONS:
            return eighths_off(game, game.state.decider, action - catalogue.FACE)
        return NOT_A_WALK
    walking = window != Window.ACT
    found = walk_to_go(game, action, walking, catalogue.MOVE, catalogue.STOP, catalogue.STEP, ways)
    return 0.0 if found == NOWHERE and looks_away(game, game.state.decider) else found


@kernel
def looks_away(game: Game, who: int) -> bool:
    """Is there a facing nearer to the nearest enemy than the present one?"""
    now = eighths_off(game, who, fighter(game, who).facing)
    for facing in range(ground.DIRECTIONS):
        if ground.is_direction(game.setup.board, facing) and eighths_off(game, who, facing) < now:
            return True
    return False


@kernel
def eighths_off(game: Game, who: int, facing: int) -> float:
    """How many eighths of a turn a direction is off the nearest enemy; 0 if there is none."""
    enemy = nearest_enemy(game, who)
    if enemy < 0:
        return 0.0
    it = fighter(game, who)
    other = fighter(game, enemy)
    angle = atan2(float(other.x - it.x), float(it.y - other.y)) * EIGHTHS
    return abs((facing - angle + 4) % ground.DIRECTIONS - 4)


@kernel
def nearest_enemy(game: Game, who: int) -> int:
    """The nearest enemy that takes part and stands on the board, the first of several; -1 for none."""
    it = fighter(game, who)
    nearest = -1
    least = FAR
    for enemy in range(first_enemy(game, who), last_enemy(game, who)):
        other = fighter(game, enemy)
        apart = max(abs(other.x - it.x), abs(other.y - it.y))
        if fighting(game, enemy) and other.x >= 0 and apart < least:
            nearest = enemy
            least = apart
    return nearest
