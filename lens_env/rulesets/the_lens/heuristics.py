"""What scripted policies may know of The Lens without playing an action: damage, BODY and the way to an enemy."""

from __future__ import annotations

from lens_env.core import board as ground
from lens_env.core.bits import has
from lens_env.core.dice import mean_above
from lens_env.core.kernel import kernel
from lens_env.core.skirmish import UNKNOWN, Side, standing
from lens_env.core.ways import FAR, Ways, walk_to_go

from . import catalogue
from .codes import Roll, Tag, Window
from .fighters import fighter, sheet, weapon_slot
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_SPELLS, Game


@kernel
def life(game: Game, who: int) -> float:
    """Points of BODY until a fighter falls; 0 if it has fallen."""
    return float(fighter(game, who).body) if standing(game, who) else 0.0


@kernel
def points_left(game: Game, who: int) -> int:
    """Momentum serves for actions as well as reactions."""
    return fighter(game, who).momentum


@kernel
def attacker_of(game: Game) -> int:
    """Whose attack is under way, -1 for nobody's."""
    return game.state.attacker - 1


@kernel
def aimed_at(game: Game, action: int) -> int:
    """The fighter that an action is aimed at, -1 for none."""
    if action >= catalogue.ATTACK:
        return (action - catalogue.ATTACK) % MAX_FIGHTERS
    if action >= catalogue.TARGET:
        return (action - catalogue.TARGET) % MAX_FIGHTERS
    return -1


@kernel
def expected_damage(game: Game, action: int) -> float:
    """The mean damage of ATTACK, CAST and FORM (what it forms), if it strikes undefended; 0 for other actions."""
    if game.state.window != Window.ACT:
        return 0.0
    who = game.state.decider
    if action >= catalogue.ATTACK:
        return mean_strike(game, who, attack_slot(game, who, action), aimed_at(game, action))
    if action >= catalogue.CAST and fighter(game, who).formed > 0:
        return sheet(game, who).spells[fighter(game, who).formed - 1].average
    if catalogue.FORM <= action < catalogue.FORM + MAX_SPELLS:
        return sheet(game, who).spells[action - catalogue.FORM].average
    return 0.0


@kernel
def attack_slot(game: Game, who: int, action: int) -> int:
    """What an ATTACK is made with: a character's weapon and bare hands share the first column."""
    if sheet(game, who).side == Side.PARTY:
        return weapon_slot(game, who)
    return (action - catalogue.ATTACK) // MAX_FIGHTERS


@kernel
def mean_strike(game: Game, who: int, slot: int, target: int) -> float:
    """The mean of what an attack does through the target's hide, which a PIERCING one ignores."""
    attack = sheet(game, who).attacks[slot]
    hide = sheet(game, target).armor
    if hide == 0 or has(fighter(game, who).readied, Tag.PIERCING):
        return attack.average
    return mean_above(attack.damage, hide)


@kernel
def threat(game: Game) -> float:
    """The mean damage of the attack under way, if nobody defends."""
    state = game.state
    attacker = sheet(game, state.attacker - 1)
    if state.roll == Roll.CAST:
        return attacker.spells[state.attack].average
    if has(state.tags, Tag.PIERCING):
        return attacker.attacks[state.attack].average
    return mean_above(attacker.attacks[state.attack].damage, sheet(game, state.target - 1).armor)


@kernel
def risk(game: Game, action: int) -> float:
    """The chance that a defence fails is not worked out."""
    return UNKNOWN


# --- ways --------------------------------------------------------------------------------------------------


@kernel
def walks(game: Game) -> bool:
    """Is this a window in which the way to the enemy matters?"""
    window = game.state.window
    asked = window == Window.ACT or window == Window.STEP or window == Window.FREE_MOVE
    return asked and ground.exists(game.setup.board)


@kernel
def farthest_reach(game: Game, who: int) -> int:
    """The farthest that a fighter strikes, in squares; a spell without range reaches everywhere."""
    it = sheet(game, who)
    reach = 1
    for slot in range(MAX_ATTACKS):
        if it.attacks[slot].exists == 1:
            reach = max(reach, it.attacks[slot].reach)
    for slot in range(MAX_SPELLS):
        if it.spells[slot].exists == 1:
            reach = max(reach, it.spells[slot].reach if it.spells[slot].reach > 0 else FAR)
    return reach


@kernel
def to_go(game: Game, action: int, ways: Ways) -> float:
    """Steps still to go until an enemy is in reach, as ``core.ruleset`` says."""
    walking = game.state.window != Window.ACT
    return walk_to_go(game, action, walking, catalogue.MOVE, catalogue.STOP, catalogue.STEP, ways)
