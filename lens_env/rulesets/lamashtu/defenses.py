"""Being attacked: the Tier Score, BLOCK, DODGE and CLASH with their outcomes (sections 3 and 5)."""

from __future__ import annotations

from typing import Any

from lens_env.core.dice import pool_index, pool_successes
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import distance, standing

from . import catalogue, movement
from .codes import Defense, Happened, Stage
from .fighters import broken, fighter, hit, lose_poise, roll_pool, sheet, step_down
from .state import Game


@hot
def legal_defenses(game: Game, who: int, mask: Any) -> None:
    """NONE always; nothing else when broken or helpless; CLASH in reach (R-07), DODGE unless Prone (R-08)."""
    allow(mask, catalogue.DEFEND + Defense.NONE)
    if broken(game, who) or sheet(game, who).helpless == 1:
        return
    allow(mask, catalogue.DEFEND + Defense.BLOCK)
    if fighter(game, who).prone == 0:
        allow(mask, catalogue.DEFEND + Defense.DODGE)
    if distance(game, who, game.state.attacker - 1) <= sheet(game, who).reach:
        allow(mask, catalogue.DEFEND + Defense.CLASH)


@hot
def pool_of(game: Game, who: int, defense: int) -> int:
    """The dice that a defence rolls."""
    if defense == Defense.BLOCK:
        return sheet(game, who).block
    return sheet(game, who).dodge if defense == Defense.DODGE else sheet(game, who).clash


@kernel
def attack_successes(game: Game) -> int:
    """The successes of the attack: of the revealed roll, or rolled now (R-06)."""
    state = game.state
    if state.rolled > 0:
        return state.rolled - 1
    return pool_successes(roll_pool(game, state.attacker - 1, sheet(game, state.attacker - 1).attack))


@hot
def defend(game: Game, who: int, defense: int) -> None:
    """The defence is chosen; the dice fall."""
    state = game.state
    state.defense = defense
    emit(game.log, Happened.DEFENDS, who, state.attacker - 1, defense, 0, 0)
    attack = attack_successes(game)
    state.rolled = 0
    state.stage = Stage.EXCHANGE_END
    if defense == Defense.NONE:
        compare_tier(game, who, attack)
        return
    place = roll_pool(game, who, pool_of(game, who, defense))
    successes = pool_successes(place)
    if successes < attack:
        fail(game, who)
    elif successes == attack and defense == Defense.CLASH:
        match(game, who)
    else:
        succeed(game, who, successes - attack, place - pool_index(successes, 0))


@kernel
def compare_tier(game: Game, who: int, attack: int) -> None:
    """Tier Score: successes up to the target number miss, more hit; no Poise is lost (section 3, R-02)."""
    target = sheet(game, who).target
    emit(game.log, Happened.TIER, who, -1, 1 if attack > target else 0, target, 0)
    if attack > target:
        hit(game, game.state.attacker - 1, who)


@kernel
def fail(game: Game, who: int) -> None:
    """Fewer successes: 1 Poise; a DODGE steps down the ladder and still moves (R-10); perhaps a hit (R-13)."""
    state = game.state
    dodged = state.defense == Defense.DODGE
    emit(game.log, Happened.FAILS, who, state.attacker - 1, state.defense, 0, 0)
    lose_poise(game, who)
    if dodged:
        step_down(game, who)
    if game.setup.rules.failure_hits == 1:
        hit(game, state.attacker - 1, who)
    if dodged and standing(game, who):
        movement.begin_sidestep(game, who, 1, 1)


@kernel
def match(game: Game, who: int) -> None:
    """A CLASH with equal successes: the attack is stopped, nobody loses Poise."""
    emit(game.log, Happened.MATCH, who, game.state.attacker - 1, 0, 0, 0)
    game.state.stage = Stage.EXCHANGE_END


@kernel
def succeed(game: Game, who: int, margin: int, criticals: int) -> None:
    """The attack is stopped; no more Criticals can be given up than there are successes to spare (R-11).

    Of the margin only so much is kept as matters: what Criticals may take away, and 1 more that a CLASH wins with.
    """
    state = game.state
    state.criticals = min(criticals, margin)
    state.margin = min(margin, state.criticals + (1 if state.defense == Defense.CLASH else 0))
    emit(game.log, Happened.SUCCEEDS, who, state.attacker - 1, state.defense, 0, 0)
    state.stage = Stage.CASH
