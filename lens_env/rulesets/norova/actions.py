"""A fighter's own turn: one Attack, one Move, one Support, one Magic, in any order (section 2)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import distance

from . import catalogue, movement, strikes
from .codes import Happened, Stage, Use
from .fighters import fighter, fighting, sheet
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_STRIKES, MAX_SUPPORTS, Game

NEARBY = 1  # spaces of a support action


@hot
def legal_act(game: Game, who: int, mask: Any) -> None:
    """Everything the fighter may still do on its turn; a Berserk one only attacks (sections 2 and 9)."""
    used = game.state.used
    it = fighter(game, who)
    allow(mask, catalogue.END_TURN)
    if used & Use.ATTACK == 0 and it.casting == 0:
        strikes.legal_attacks(game, who, mask)
    if it.berserk > 0:
        return
    if used & Use.MOVE == 0 and it.casting == 0 and it.trapped == 0:
        if it.prone == 1:
            allow(mask, catalogue.STAND)
        elif ground.exists(game.setup.board):
            allow(mask, catalogue.MOVE)
    if used & Use.SUPPORT == 0:
        legal_supports(game, who, mask)
    if used & Use.MAGIC == 0 and it.casting == 0:
        legal_spells(game, who, mask)


@hot
def legal_spells(game: Game, who: int, mask: Any) -> None:
    """The spells that can be paid."""
    for slot in range(MAX_ATTACKS, MAX_STRIKES):
        spell = strikes.attack_of(game, who, slot)
        if spell.exists == 1 and spell.soul <= fighter(game, who).soul:
            strikes.legal_strikes(game, who, slot, mask)


@hot
def legal_supports(game: Game, who: int, mask: Any) -> None:
    """Support actions for oneself and allies nearby, where they change anything (R-27)."""
    for slot in range(MAX_SUPPORTS):
        if sheet(game, who).supports[slot].exists == 1:
            for target in range(game.setup.count):
                if may_support(game, who, slot, target):
                    allow(mask, catalogue.SUPPORT + slot * MAX_FIGHTERS + target)


@kernel
def may_support(game: Game, who: int, slot: int, target: int) -> bool:
    """An ally in the fight, within one space, that lacks what the action gives."""
    if not fighting(game, target) or sheet(game, who).side != sheet(game, target).side:
        return False
    if who != target and distance(game, who, target) > NEARBY:
        return False
    support = sheet(game, who).supports[slot]
    it = fighter(game, target)
    its = sheet(game, target)
    return (
        (support.heal > 0 and it.vitality < its.vitality)
        or (support.power > 0 and it.power < its.power)
        or (support.soul > 0 and it.soul < its.soul)
    )


@hot
def act(game: Game, who: int, action: int) -> None:
    """Carry out an action of the own turn."""
    state = game.state
    if action >= catalogue.ATTACK:
        spell = action >= catalogue.ATTACK + MAX_ATTACKS * MAX_FIGHTERS
        state.used |= Use.MAGIC if spell else Use.ATTACK
        strikes.declare(game, who, action)
    elif action >= catalogue.SUPPORT:
        support(game, who, action - catalogue.SUPPORT)
    elif action >= catalogue.SPACE:
        state.used |= Use.MAGIC if action - catalogue.SPACE >= MAX_ATTACKS else Use.ATTACK
        strikes.declare(game, who, action)
    elif action == catalogue.MOVE:
        movement.begin_move(game, who)
    elif action == catalogue.STAND:
        movement.stand(game, who)
    else:
        state.stage = Stage.TURN_ENDS


@kernel
def support(game: Game, who: int, choice: int) -> None:
    """A Support action: Vitality, power or soul up to the maximum (section 2)."""
    game.state.used |= Use.SUPPORT
    game.state.stage = Stage.TURN
    slot = choice // MAX_FIGHTERS
    target = choice % MAX_FIGHTERS
    given = sheet(game, who).supports[slot]
    emit(game.log, Happened.SUPPORTS, who, target, slot, 0, 0)
    it = fighter(game, target)
    its = sheet(game, target)
    healed = min(given.heal, its.vitality - it.vitality)
    power = min(given.power, its.power - it.power)
    soul = min(given.soul, its.soul - it.soul)
    it.vitality += healed
    it.power += power
    it.soul += soul
    if healed > 0:
        emit(game.log, Happened.HEALED, target, -1, 0, healed, it.vitality)
    if power > 0:
        emit(game.log, Happened.RESTORED, target, -1, 0, power, it.power)
    if soul > 0:
        emit(game.log, Happened.RESTORED, target, -1, 1, soul, it.soul)
