"""A fighter's own turn: what is legal, and what the actions do (section 4)."""

from __future__ import annotations

from typing import Any

from lens_env.core.dice import pool_successes
from lens_env.core.kernel import hot
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import ask, distance, first_enemy, last_enemy, standing

from . import catalogue, movement, turns
from .codes import Happened, Window
from .fighters import fighter, roll_pool, sheet, spend
from .state import Game


@hot
def legal_act(game: Game, who: int, mask: Any) -> None:
    """Everything the fighter may do on its turn."""
    allow(mask, catalogue.END_TURN)
    it = fighter(game, who)
    if it.points == 0:
        return
    if it.poise < sheet(game, who).poise and game.state.recovered < game.setup.rules.recovers:
        allow(mask, catalogue.RECOVER)
    if it.prone == 1:
        allow(mask, catalogue.STAND)
        return
    if movement.may_move(game, who):
        allow(mask, catalogue.MOVE)
    for target in range(first_enemy(game, who), last_enemy(game, who)):
        if standing(game, target) and distance(game, who, target) <= sheet(game, who).reach:
            allow(mask, catalogue.ATTACK + target)


@hot
def act(game: Game, who: int, action: int) -> None:
    """Carry out an action of the own turn."""
    if action >= catalogue.ATTACK:
        attack(game, who, action - catalogue.ATTACK)
    elif action == catalogue.END_TURN:
        game.state.turn_over = 1
    elif action == catalogue.MOVE:
        movement.begin_move(game, who)
    elif action == catalogue.RECOVER:
        turns.recover(game, who)
    else:
        turns.stand(game, who)


@hot
def attack(game: Game, who: int, target: int) -> None:
    """ATTACK: the attacker commits to a target, which chooses its defence before the roll is known (R-06).

    With ``reveal_attack_roll`` the roll is made first.
    """
    spend(game, who)
    state = game.state
    state.attacker = who + 1
    state.target = target + 1
    emit(game.log, Happened.ATTACKS, who, target, 0, 0, 0)
    if game.setup.rules.reveal == 1:
        state.rolled = pool_successes(roll_pool(game, who, sheet(game, who).attack)) + 1
    ask(game, target, Window.DEFEND)
