"""ASSIST and INTERFERE (section 8, R-24), and a monster's guard (section 6, R-17)."""

from __future__ import annotations

from lens_env.core.bits import has
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.skirmish import Side, ask, distance, standing

from .codes import Guard, Happened, Roll, Stage, Tag, Window
from .fighters import active_cost, fighter, sheet, spend
from .state import Game

NEARBY = 1  # squares


@hot
def ask_assist(game: Game) -> None:
    """Ask, in file order, who helps the one that acts: an ally of the roller, or of the attacking monster."""
    state = game.state
    if game.setup.rules.defence_only == 1:
        state.stage = Stage.ROLL
        return
    side = Side.FOES if state.roll == Roll.DEFENSE else Side.PARTY
    ask_next(game, side, Window.ASSIST, Stage.ASK_INTERFERE)


@hot
def ask_interfere(game: Game) -> None:
    """Ask, in file order, who hinders the one that acts: an enemy of the roller, or of the attacking monster."""
    side = Side.PARTY if game.state.roll == Roll.DEFENSE else Side.FOES
    ask_next(game, side, Window.INTERFERE, Stage.ROLL)


@kernel
def ask_next(game: Game, side: int, window: int, then: int) -> None:
    """Open the window for the next fighter of ``side`` that may react, or go on."""
    state = game.state
    while state.asked < game.setup.count:
        if sheet(game, state.asked).side == side and may_react(game, state.asked):
            ask(game, state.asked, window)
            return
        state.asked += 1
    state.asked = 0
    state.stage = then


@hot
def center(game: Game) -> int:
    """The fighter whose action it is, near whom one has to be: the roller, or the attacking monster."""
    state = game.state
    return state.attacker - 1 if state.roll == Roll.DEFENSE else state.actor - 1


@hot
def may_react(game: Game, who: int) -> bool:
    """Nearby, with Momentum, and neither actor, target nor defender."""
    state = game.state
    if fighter(game, who).momentum < 1 or not standing(game, who):
        return False
    if who == state.actor - 1 or who == state.attacker - 1 or who == state.target - 1:
        return False
    return distance(game, who, center(game)) <= NEARBY


@kernel
def assist(game: Game, who: int) -> None:
    """ASSIST: against a defence the monster's ally makes the roll worse, else the ally makes it better."""
    state = game.state
    spend(game, who, 1)
    emit(game.log, Happened.ASSISTS, who, center(game), 0, 0, 0)
    if state.roll == Roll.DEFENSE:
        state.hinderer = who + 1
    else:
        state.helper = who + 1
    state.asked = 0
    state.stage = Stage.ASK_INTERFERE


@kernel
def interfere(game: Game, who: int) -> None:
    """INTERFERE: the reverse of ASSIST."""
    state = game.state
    spend(game, who, 1)
    emit(game.log, Happened.INTERFERES, who, center(game), 0, 0, 0)
    if state.roll == Roll.DEFENSE:
        state.helper = who + 1
    else:
        state.hinderer = who + 1
    state.asked = 0
    state.stage = Stage.ROLL


@kernel
def reaction_die(game: Game, who: int, ability: int) -> int:
    """The sides of the Talent die that a helper or hinderer lends; 0 for nobody (``who`` = -1)."""
    if who < 0:
        return 0
    if sheet(game, who).side == Side.FOES:
        return sheet(game, who).talent
    return sheet(game, who).abilities[ability].talent


# --- guards ------------------------------------------------------------------------------------------------


@kernel
def guard_holds(kind: int, tags: int) -> bool:
    """Can a guard of this kind void an attack with these tags (R-17)?"""
    if kind == Guard.SHIELD:
        return not has(tags, Tag.CRUSHING)
    if kind == Guard.NIMBLE:
        return not has(tags, Tag.SWEEPING)
    if kind == Guard.PARRY:
        return not has(tags, Tag.HEAVY) and not has(tags, Tag.MISSILE)
    return False


@kernel
def ask_guard(game: Game) -> None:
    """Ask the GM whether the monster's guard voids a connecting ATTACK; once a round (R-17)."""
    state = game.state
    who = state.target - 1
    ready = fighter(game, who).guarded == 0 and fighter(game, who).momentum >= active_cost(game, who)
    if ready and guard_holds(sheet(game, who).guard, state.tags):
        ask(game, who, Window.GUARD)
    else:
        state.stage = Stage.STRIKE


@kernel
def guard(game: Game, who: int) -> None:
    """The guard voids the attack; its Momentum and tags are spent."""
    spend(game, who, active_cost(game, who))
    fighter(game, who).guarded = 1
    emit(game.log, Happened.GUARDS, who, game.state.attacker - 1, sheet(game, who).guard, 0, 0)
    game.state.stage = Stage.EXCHANGE_END
