"""Being attacked by a monster: the six defences and their outcomes (section 7)."""

from __future__ import annotations

from typing import Any

from lens_env.core.bits import count_bits, has, lowest_bit
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import ask, standing

from . import catalogue, movement
from .codes import INFLICTED, Ability, Defense, Happened, Outcome, Roll, Stage, Tag, Window
from .fighters import active_cost, armed, fighter, gain, hurt, inflict, roll_damage, settle, sheet, spend, weapon_slot
from .state import Attack, Game

# --- what is legal -----------------------------------------------------------------------------------------


@hot
def attack_under_way(game: Game) -> Attack:
    """The monster's attack that is being defended against."""
    return sheet(game, game.state.attacker - 1).attacks[game.state.attack]


@hot
def locked(game: Game, who: int, defense: int) -> bool:
    """Has a SACRIFICE locked this defence for the rest of the round?"""
    return has(fighter(game, who).locked, defense)


@hot
def legal_defenses(game: Game, who: int, mask: Any) -> None:
    """One defence per attack. Against magic only ABJURE, DODGE and NONE are possible (R-18)."""
    allow(mask, catalogue.DEFEND + Defense.NONE)
    magic = attack_under_way(game).magic == 1
    tags = game.state.tags
    if magic and not locked(game, who, Defense.ABJURE):
        allow(mask, catalogue.DEFEND + Defense.ABJURE)
    if not magic and may_mitigate(game, who):
        allow(mask, catalogue.DEFEND + Defense.MITIGATE)
    if fighter(game, who).momentum < active_cost(game, who):
        return
    if not magic and may_block(game, who):
        allow(mask, catalogue.DEFEND + Defense.BLOCK)
    if not has(tags, Tag.SWEEPING) and may_dodge(game, who):
        allow(mask, catalogue.DEFEND + Defense.DODGE)
    if not magic and may_parry(game, who):
        allow(mask, catalogue.DEFEND + Defense.PARRY)


@hot
def may_mitigate(game: Game, who: int) -> bool:
    """Worn or natural armour, not locked, not against PIERCING."""
    return (
        sheet(game, who).has_armor == 1
        and not locked(game, who, Defense.MITIGATE)
        and not has(game.state.tags, Tag.PIERCING)
    )


@hot
def may_block(game: Game, who: int) -> bool:
    """A shield, not locked, not against CRUSHING."""
    return (
        sheet(game, who).has_shield == 1
        and not locked(game, who, Defense.BLOCK)
        and not has(game.state.tags, Tag.CRUSHING)
    )


@hot
def may_dodge(game: Game, who: int) -> bool:
    """An open adjacent square; neither PRONE nor HAMSTRUNG."""
    it = fighter(game, who)
    return it.prone == 0 and it.hamstrung == 0 and movement.can_sidestep(game, who)


@hot
def may_parry(game: Game, who: int) -> bool:
    """A weapon in hand (or natural parries), not against HEAVY or missile attacks."""
    return (
        (armed(game, who) or sheet(game, who).natural_parry == 1)
        and not has(game.state.tags, Tag.HEAVY)
        and not has(game.state.tags, Tag.MISSILE)
    )


# --- the roll ----------------------------------------------------------------------------------------------


@hot
def ability_of(defense: int) -> int:
    """The ability that a defence rolls."""
    if defense == Defense.BLOCK:
        return Ability.SHIELD_USE
    if defense == Defense.DODGE:
        return Ability.MANEUVERING
    if defense == Defense.PARRY:
        return Ability.WEAPON_USE
    if defense == Defense.MITIGATE:
        return Ability.ARMOR_USE
    return Ability.ABJURATION


@hot
def is_active(defense: int) -> bool:
    """BLOCK, DODGE and PARRY cost Momentum."""
    return defense >= Defense.BLOCK


@hot
def defend(game: Game, who: int, defense: int) -> None:
    """The defence is chosen and paid; others may react before the roll against the Attack Rating."""
    state = game.state
    state.defense = defense
    emit(game.log, Happened.DEFENDS, who, state.attacker - 1, defense, 0, 0)
    if defense == Defense.NONE:
        state.stage = Stage.SUFFER
        return
    if is_active(defense):
        spend(game, who, active_cost(game, who))
    state.roll = Roll.DEFENSE
    state.actor = who + 1
    state.ability = ability_of(defense)
    state.tn = attack_under_way(game).rating
    state.asked = 0
    state.stage = Stage.ASK_ASSIST


@hot
def resolve_defense(game: Game) -> None:
    """The outcome of the roll, down to the damage (the table of section 7)."""
    state = game.state
    who = state.target - 1
    state.stage = Stage.SUFFER
    if state.outcome == Outcome.SACRIFICE:
        ask(game, who, Window.DEFENSE_SACRIFICE)
    elif is_active(state.defense):
        if state.outcome >= Outcome.SUCCESS:
            stop(game)
    else:
        resolve_mitigation(game)


@kernel
def stop(game: Game) -> None:
    """An active defence stops the attack; a dodge, and a parry as printed, moves on (R-19)."""
    state = game.state
    state.stopped = 1
    emit(game.log, Happened.STOPPED, state.target - 1, state.attacker - 1, state.defense, 0, 0)
    if state.outcome >= Outcome.SUCCESS:
        if state.defense == Defense.DODGE or (state.defense == Defense.PARRY and game.setup.rules.riposte == 0):
            state.free_move = 1


@hot
def protection(game: Game, who: int) -> int:
    """What MITIGATE or ABJURE takes off: the armour rating or the ward (R-21)."""
    return sheet(game, who).armor_rating if game.state.defense == Defense.MITIGATE else sheet(game, who).ward


@kernel
def resolve_mitigation(game: Game) -> None:
    """MITIGATE and ABJURE: BOTCH adds the protection; SUCCESS damage or a tag less; TRIUMPH both (R-20, R-21)."""
    state = game.state
    who = state.target - 1
    removable = state.tags & INFLICTED
    if state.outcome == Outcome.BOTCH:
        state.extra = protection(game, who)
    elif state.outcome == Outcome.SUCCESS and removable != 0:
        ask(game, who, Window.MITIGATION)
    else:
        state.extra = -protection(game, who)
        if state.outcome == Outcome.TRIUMPH and removable != 0:
            if count_bits(removable) > 1:
                ask(game, who, Window.REMOVE_TAG)
            else:
                remove_tag(game, lowest_bit(removable))


@kernel
def remove_tag(game: Game, tag: int) -> None:
    """Mitigation takes one inflicted tag off the attack."""
    game.state.tags &= ~(1 << tag)
    emit(game.log, Happened.TAG_REMOVED, game.state.target - 1, -1, tag, 0, 0)


@kernel
def reduce_damage(game: Game, who: int) -> None:
    """Mitigation takes the protection off the damage."""
    game.state.extra = -protection(game, who)


@kernel
def legal_removals(game: Game, mask: Any) -> None:
    """The tags that mitigation may remove; PIERCING never is."""
    for tag in range(Tag.SLASHING + 1):
        if has(game.state.tags, tag):
            allow(mask, catalogue.REMOVE + tag)


@kernel
def pay_price(game: Game, who: int) -> None:
    """The better alternative of a SACRIFICE, at its price: a lock, or HAMSTRUNG."""
    state = game.state
    emit(game.log, Happened.PAYS_PRICE, who, -1, state.defense, 0, 0)
    if is_active(state.defense):
        stop(game)
    else:
        reduce_damage(game, who)
    if state.defense == Defense.DODGE or state.defense == Defense.PARRY:
        gain(game, who, Tag.HAMSTRUNG)
    else:
        fighter(game, who).locked |= 1 << state.defense
        emit(game.log, Happened.LOCKED, who, -1, state.defense, 0, 0)


# --- what the attack still does ----------------------------------------------------------------------------


@hot
def suffer(game: Game) -> None:
    """Damage roll and damage, only if there is damage to take (R-22)."""
    state = game.state
    state.stage = Stage.AFTERMATH
    if state.stopped == 1:
        return
    pool = attack_under_way(game).pool
    hurt(game, state.target - 1, pool, roll_damage(game, state.attacker - 1, state.attack, state.extra))
    settle(game)


@hot
def aftermath(game: Game) -> None:
    """Conditions of the attack and of the defence, then the free move (section 7: order)."""
    state = game.state
    who = state.target - 1
    state.stage = Stage.EXCHANGE_END
    if state.stopped == 0:
        inflict(game, who, state.tags)
        if state.outcome == Outcome.BOTCH and state.roll == Roll.DEFENSE and standing(game, who):
            suffer_botch(game, who)
    elif state.outcome == Outcome.TRIUMPH:
        triumph(game, who, state.attacker - 1)
    if state.free_move == 1:
        state.free_move = 0
        movement.free_move(game, who)


@kernel
def suffer_botch(game: Game, who: int) -> None:
    """BOTCH: BLOCK stuns the defender, DODGE throws it down, PARRY disarms it."""
    defense = game.state.defense
    if defense == Defense.BLOCK:
        gain(game, who, Tag.STUN)
    elif defense == Defense.DODGE:
        gain(game, who, Tag.PRONE)
    elif defense == Defense.PARRY:
        gain(game, who, Tag.DISARMED)


@kernel
def triumph(game: Game, who: int, attacker: int) -> None:
    """TRIUMPH: BLOCK stuns the attacker, DODGE and PARRY as printed throw it down, or a riposte (R-19)."""
    defense = game.state.defense
    if defense == Defense.BLOCK:
        gain(game, attacker, Tag.STUN)
    elif defense == Defense.DODGE or game.setup.rules.riposte == 0:
        gain(game, attacker, Tag.PRONE)
    else:
        riposte(game, who, attacker)


@kernel
def riposte(game: Game, who: int, attacker: int) -> None:
    """The defender's weapon damage is dealt at once to the attacker: no tags, no guard (R-19, R-28).

    Who can be parried is in reach: missiles and magic cannot, and any other attack comes from the next square.
    """
    slot = weapon_slot(game, who)
    emit(game.log, Happened.RIPOSTES, who, attacker, 0, 0, 0)
    hurt(game, attacker, 0, roll_damage(game, who, slot, -sheet(game, attacker).armor))
    settle(game)
