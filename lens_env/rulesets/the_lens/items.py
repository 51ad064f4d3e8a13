"""USE: items that are paid by their size, over several turns if need be (section 5: USE, R-12)."""

from __future__ import annotations

from typing import Any

from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import allies, ask, distance, standing

from . import catalogue
from .codes import Effect, Happened, Outcome, Roll, Stage, Window
from .fighters import armed, current, fighter, heal, hurt, inflict, lose, maximum, settle, sheet, spend, suffers
from .state import MAX_ITEMS, Game

NEARBY = 1  # squares for items that help
THROW = 6  # squares for items that harm (30 feet)


@kernel
def may_target(game: Game, who: int, slot: int, target: int) -> bool:
    """Helpful items go to oneself or a nearby ally, harmful ones at an enemy within a throw (R-26)."""
    if not standing(game, target):
        return False
    item = sheet(game, who).items[slot]
    if item.effect == Effect.HARM:
        return not allies(game, who, target) and distance(game, who, target) <= THROW
    if not allies(game, who, target) or (who != target and distance(game, who, target) > NEARBY):
        return False
    if item.effect == Effect.HEAL:
        return maximum(game, target, item.pool) > 0
    return item.effect != Effect.ADD_TAG or armed(game, target)


@kernel
def targets(game: Game, who: int, slot: int) -> int:
    """How many fighters the item could be for."""
    count = 0
    for target in range(game.setup.count):
        if may_target(game, who, slot, target):
            count += 1
    return count


@kernel
def legal_targets(game: Game, who: int, mask: Any) -> None:
    """The window TARGET: whom the item is for."""
    for target in range(game.setup.count):
        if may_target(game, who, game.state.attack, target):
            allow(mask, catalogue.TARGET + target)


@hot
def may_use(game: Game, who: int, slot: int) -> bool:
    """Is the item there, affordable (at least a first payment; one TINY item a turn), and of use to anyone?"""
    item = sheet(game, who).items[slot]
    if item.exists == 0 or fighter(game, who).uses[slot] == 0:
        return False
    if item.cost == 0:
        if game.state.tiny_used == 1:
            return False
    elif fighter(game, who).momentum == 0:
        return False
    return targets(game, who, slot) > 0


@hot
def legal_uses(game: Game, who: int, mask: Any) -> None:
    """The USE actions of the own turn."""
    for slot in range(MAX_ITEMS):
        if may_use(game, who, slot):
            allow(mask, catalogue.USE + slot)


@kernel
def use(game: Game, who: int, slot: int) -> None:
    """Pay what there is; when all is paid, the item is used."""
    it = fighter(game, who)
    item = sheet(game, who).items[slot]
    if it.using != slot + 1:
        it.using = slot + 1
        it.paid = 0
    payment = min(it.momentum, item.cost - it.paid)
    spend(game, who, payment)
    it.paid += payment
    if item.cost == 0:
        game.state.tiny_used = 1
    if it.paid < item.cost:
        emit(game.log, Happened.PAYS, who, -1, slot, it.paid, item.cost)
        game.state.stage = Stage.TURN
        return
    it.using = 0
    it.paid = 0
    it.uses[slot] -= 1
    emit(game.log, Happened.USES, who, -1, slot, 0, 0)
    choose_target(game, who, slot)


@kernel
def choose_target(game: Game, who: int, slot: int) -> None:
    """Ask whom the item is for, if there is a choice."""
    state = game.state
    state.roll = Roll.USE
    state.actor = who + 1
    state.attack = slot
    if targets(game, who, slot) > 1:
        ask(game, who, Window.TARGET)
        return
    for target in range(game.setup.count):
        if may_target(game, who, slot, target):
            aim(game, who, target)


@kernel
def aim(game: Game, who: int, target: int) -> None:
    """The target is chosen; roll if the item asks for it."""
    state = game.state
    item = sheet(game, who).items[state.attack]
    state.target = target + 1
    if item.rolled == 1:
        state.ability = item.ability
        state.tn = item.tn
        state.stage = Stage.ASK_ASSIST
    else:
        state.stage = Stage.EFFECT


@kernel
def resolve_use(game: Game) -> None:
    """BOTCH and SACRIFICE: paid, no effect (section 5)."""
    state = game.state
    if state.outcome >= Outcome.SUCCESS:
        state.stage = Stage.EFFECT
    else:
        emit(game.log, Happened.NO_EFFECT, state.actor - 1, -1, state.attack, 0, 0)
        state.stage = Stage.EXCHANGE_END


@kernel
def take_effect(game: Game) -> None:
    """What the item does: heal, harm, cure, or put a tag on a weapon."""
    state = game.state
    who = state.actor - 1
    target = state.target - 1
    item = sheet(game, who).items[state.attack]
    emit(game.log, Happened.TAKES_EFFECT, who, target, state.attack, 0, 0)
    state.stage = Stage.EXCHANGE_END
    if item.effect == Effect.HEAL:
        if current(game, target, item.pool) < maximum(game, target, item.pool):
            heal(game, target, item.pool, item.amount)
    elif item.effect == Effect.HARM:
        hurt(game, target, item.pool, item.amount)
        if item.tag >= 0:
            inflict(game, target, 1 << item.tag)
        settle(game)
    elif item.effect == Effect.CURE:
        if suffers(game, target, item.tag):
            lose(game, target, item.tag)
    else:
        fighter(game, target).extra_tags |= 1 << item.tag
        emit(game.log, Happened.TAG_ADDED, target, -1, item.tag, 0, 0)
