"""What scripted policies may know of Legacy of Lamashtu without playing an action: damage, odds and ways."""

from __future__ import annotations

from lens_env.core import board as ground
from lens_env.core.dice import pool_index
from lens_env.core.kernel import kernel
from lens_env.core.skirmish import UNKNOWN, UNLIMITED
from lens_env.core.ways import Ways, walk_to_go

from . import catalogue
from .codes import Defense, Window
from .fighters import fighter, sheet
from .state import MAX_FIGHTERS, MAX_POOL, Game, Sheet


@kernel
def life(game: Game, who: int) -> float:
    """Points of Health until a fighter falls; 0 if it has fallen."""
    return float(fighter(game, who).health)


@kernel
def points_left(game: Game, who: int) -> int:
    """Reactions cost no Action Points, so none have to be saved for them."""
    return UNLIMITED


@kernel
def attacker_of(game: Game) -> int:
    """Whose attack is under way, -1 for nobody's."""
    return game.state.attacker - 1


@kernel
def aimed_at(game: Game, action: int) -> int:
    """The fighter that an action is aimed at, -1 for none."""
    return action - catalogue.ATTACK if catalogue.ATTACK <= action < catalogue.ATTACK + MAX_FIGHTERS else -1


@kernel
def expected_damage(game: Game, action: int) -> float:
    """The mean damage of ATTACK, were it compared with the Tier Score; 0 for other actions."""
    target = aimed_at(game, action)
    if game.state.window != Window.ACT or target < 0:
        return 0.0
    it = sheet(game, game.state.decider)
    return it.damage * chance_of_more(game, it.attack, sheet(game, target).target)


@kernel
def threat(game: Game) -> float:
    """The mean damage of the attack under way, if nobody defends; by the roll itself where it lies open."""
    state = game.state
    return sheet(game, state.attacker - 1).damage * risk(game, catalogue.DEFEND + Defense.NONE)


# --- odds --------------------------------------------------------------------------------------------------


@kernel
def risk(game: Game, action: int) -> float:
    """The chance that a defence fails (NONE: of a hit); UNKNOWN for other actions."""
    state = game.state
    defense = action - catalogue.DEFEND
    if state.attacker == 0 or defense < 0 or defense > Defense.CLASH:
        return UNKNOWN
    target = sheet(game, state.target - 1)
    if state.rolled > 0:
        return failing(game, target, defense, state.rolled - 1)
    dice = sheet(game, state.attacker - 1).attack
    chance = 0.0
    for successes in range(dice + 1):
        chance += chance_of(game, dice, successes) * failing(game, target, defense, successes)
    return chance


@kernel
def failing(game: Game, target: Sheet, defense: int, successes: int) -> float:
    """The chance that a defence fails against an attack of so many successes: it needs as many."""
    if defense == Defense.NONE:
        return 1.0 if successes > target.target else 0.0
    dice = target.clash
    if defense == Defense.BLOCK:
        dice = target.block
    elif defense == Defense.DODGE:
        dice = target.dodge
    return 1.0 - chance_of_more(game, dice, successes - 1)


@kernel
def chance_of_more(game: Game, dice: int, than: int) -> float:
    """The chance that a pool shows more successes than this."""
    if than < 0:
        return 1.0
    return game.setup.pools[dice].above[than] if than <= MAX_POOL else 0.0


@kernel
def chance_of(game: Game, dice: int, successes: int) -> float:
    """The chance that a pool shows just so many successes."""
    table = game.setup.pools[dice].table
    ways = 0
    for index in range(pool_index(successes, 0), pool_index(successes + 1, 0)):
        ways += table.weights[index]
    return ways / table.total


# --- ways --------------------------------------------------------------------------------------------------


@kernel
def walks(game: Game) -> bool:
    """Is this a window in which the way to the enemy matters?"""
    window = game.state.window
    asked = window == Window.ACT or window == Window.STEP or window == Window.SIDESTEP
    return asked and ground.exists(game.setup.board)


@kernel
def farthest_reach(game: Game, who: int) -> int:
    """The farthest that a fighter strikes, in cells."""
    return sheet(game, who).reach


@kernel
def to_go(game: Game, action: int, ways: Ways) -> float:
    """Steps still to go until an enemy is in reach, as ``core.ruleset`` says."""
    walking = game.state.window != Window.ACT
    return walk_to_go(game, action, walking, catalogue.MOVE, catalogue.STOP, catalogue.STEP, ways)
