"""A fighter's own turn: ATTACK, FORM, CAST, TAG and the rest, and how an attack on a monster ends (5, 6)."""

from __future__ import annotations

from typing import Any

from lens_env.core.bits import count_bits, has, lowest_bit
from lens_env.core.dice import draw_sum
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import Side, ask, distance, first_enemy, last_enemy, standing

from . import catalogue, items, movement
from .codes import OFFENSIVE, Ability, Happened, Outcome, Roll, Stage, Tag, Window
from .fighters import carried_tags, fighter, hurt, inflict, lose, roll_damage, settle, sheet, spend, weapon_slot
from .state import MAX_ATTACKS, MAX_FIGHTERS, MAX_SPELLS, Game

# --- what is legal -----------------------------------------------------------------------------------------


@hot
def legal_act(game: Game, who: int, mask: Any) -> None:
    """Everything the fighter may do on its turn (section 5)."""
    allow(mask, catalogue.END_TURN)
    character = sheet(game, who).side == Side.PARTY
    if character:
        items.legal_uses(game, who, mask)
    it = fighter(game, who)
    if it.momentum == 0:
        return
    if it.prone == 1:
        allow(mask, catalogue.STAND)
    elif movement.may_move(game, who):
        allow(mask, catalogue.MOVE)
    if it.disarmed == 1:
        allow(mask, catalogue.RECOVER_WEAPON)
    if it.burning == 1:
        allow(mask, catalogue.DOUSE)
    if character:
        legal_character(game, who, mask)
    else:
        legal_monster(game, who, mask)


@hot
def legal_character(game: Game, who: int, mask: Any) -> None:
    """ATTACK, TAG, FORM and CAST."""
    it = fighter(game, who)
    if it.prone == 0:
        legal_attacks(game, who, weapon_slot(game, who), 0, mask)
    legal_tags(game, who, mask)
    if it.spirit > 0:
        for slot in range(MAX_SPELLS):
            if sheet(game, who).spells[slot].exists == 1 and it.formed != slot + 1:
                allow(mask, catalogue.FORM + slot)
        if it.formed > 0:
            legal_casts(game, who, mask)


@hot
def legal_monster(game: Game, who: int, mask: Any) -> None:
    """Any of the monster's attacks; natural ones only while DISARMED; none while PRONE."""
    it = fighter(game, who)
    if it.prone == 1:
        return
    for slot in range(MAX_ATTACKS):
        attack = sheet(game, who).attacks[slot]
        if attack.exists == 1 and (it.disarmed == 0 or attack.natural == 1):
            legal_attacks(game, who, slot, slot, mask)


@kernel
def legal_attacks(game: Game, who: int, slot: int, column: int, mask: Any) -> None:
    """The enemies in reach of an attack. A character's weapon and bare hands share column 0."""
    reach = sheet(game, who).attacks[slot].reach
    for target in range(first_enemy(game, who), last_enemy(game, who)):
        if standing(game, target) and distance(game, who, target) <= reach:
            allow(mask, catalogue.ATTACK + column * MAX_FIGHTERS + target)


@kernel
def legal_casts(game: Game, who: int, mask: Any) -> None:
    """The enemies in reach of the formed spell; a reach of 0 is unlimited."""
    reach = sheet(game, who).spells[fighter(game, who).formed - 1].reach
    for target in range(first_enemy(game, who), last_enemy(game, who)):
        if standing(game, target) and (reach == 0 or distance(game, who, target) <= reach):
            allow(mask, catalogue.CAST + target)


@hot
def legal_tags(game: Game, who: int, mask: Any) -> None:
    """Offensive tags of the weapon in hand, as many as the Weapon Use rank allows (R-11)."""
    it = fighter(game, who)
    free = carried_tags(game, who) & OFFENSIVE & ~it.readied
    if free == 0 or count_bits(it.readied) >= sheet(game, who).tag_limit:
        return
    for tag in range(Tag.MISSILE):
        if has(free, tag):
            allow(mask, catalogue.TAG + tag)


# --- what the actions do -----------------------------------------------------------------------------------


@hot
def act(game: Game, who: int, action: int) -> None:
    """Carry out an action of the own turn."""
    if action >= catalogue.ATTACK:
        column = (action - catalogue.ATTACK) // MAX_FIGHTERS
        target = (action - catalogue.ATTACK) % MAX_FIGHTERS
        if sheet(game, who).side == Side.PARTY:
            attack_monster(game, who, target)
        else:
            attack_character(game, who, column, target)
    elif action >= catalogue.CAST:
        cast(game, who, action - catalogue.CAST)
    elif action >= catalogue.USE:
        items.use(game, who, action - catalogue.USE)
    elif action >= catalogue.FORM:
        form(game, who, action - catalogue.FORM)
    elif action >= catalogue.TAG:
        ready_tag(game, who, action - catalogue.TAG)
    elif action == catalogue.MOVE:
        movement.begin_move(game, who)
    elif action == catalogue.END_TURN:
        game.state.turn_over = 1
    else:
        end_condition(game, who, action)


@kernel
def end_condition(game: Game, who: int, action: int) -> None:
    """STAND, RECOVER WEAPON, DOUSE: 1 Momentum each."""
    spend(game, who, 1)
    if action == catalogue.STAND:
        lose(game, who, Tag.PRONE)
    elif action == catalogue.RECOVER_WEAPON:
        lose(game, who, Tag.DISARMED)
    else:
        lose(game, who, Tag.BURNING)


@kernel
def ready_tag(game: Game, who: int, tag: int) -> None:
    """TAG: readies an offensive tag for the next ATTACK."""
    spend(game, who, 1)
    fighter(game, who).readied |= 1 << tag
    emit(game.log, Happened.TAG_READIED, who, -1, tag, 0, 0)


@kernel
def begin_roll(game: Game, who: int, roll: int, ability: int, tn: int) -> None:
    """A character's action leads to a roll; others may react first."""
    state = game.state
    state.roll = roll
    state.actor = who + 1
    state.ability = ability
    state.tn = tn
    state.asked = 0
    state.stage = Stage.ASK_ASSIST


@hot
def attack_monster(game: Game, who: int, target: int) -> None:
    """ATTACK: Weapon Use against the target's Defense, with the readied tags, whatever the outcome (R-11)."""
    spend(game, who, 1)
    state = game.state
    slot = weapon_slot(game, who)
    it = fighter(game, who)
    state.attacker = who + 1
    state.target = target + 1
    state.attack = slot
    state.tags = it.readied | (sheet(game, who).attacks[slot].tags & (1 << Tag.MISSILE))
    it.readied = 0
    emit(game.log, Happened.ATTACKS, who, target, slot, 0, state.tags)
    begin_roll(game, who, Roll.ATTACK, Ability.WEAPON_USE, sheet(game, target).defense)


@kernel
def cast(game: Game, who: int, target: int) -> None:
    """CAST: the spell's School against the target's Abjuration (R-09); all tags of the spell go with it (R-27)."""
    spend(game, who, 1)
    state = game.state
    slot = fighter(game, who).formed - 1
    spell = sheet(game, who).spells[slot]
    state.attacker = who + 1
    state.target = target + 1
    state.attack = slot
    state.tags = spell.tags
    emit(game.log, Happened.CASTS, who, target, slot, 0, 0)
    begin_roll(game, who, Roll.CAST, spell.school, sheet(game, target).abjuration)


@kernel
def form(game: Game, who: int, slot: int) -> None:
    """FORM: Source against the spell's Complexity, without a roll if that is low enough (R-07)."""
    spend(game, who, 1)
    state = game.state
    spell = sheet(game, who).spells[slot]
    state.attack = slot
    emit(game.log, Happened.FORMS, who, -1, slot, spell.complexity, spell.sure)
    if spell.sure == 1:
        state.actor = who + 1
        formed(game)
    else:
        begin_roll(game, who, Roll.FORM, Ability.SOURCE, spell.complexity)


@kernel
def formed(game: Game) -> None:
    """The spell stays formed until another is (section 5)."""
    state = game.state
    fighter(game, state.actor - 1).formed = state.attack + 1
    emit(game.log, Happened.FORMED, state.actor - 1, -1, state.attack, 0, 0)
    state.stage = Stage.EXCHANGE_END


@kernel
def not_formed(game: Game) -> None:
    """The spell does not form; one formed before stays (R-08)."""
    state = game.state
    emit(game.log, Happened.NOT_FORMED, state.actor - 1, -1, state.attack, 0, 0)
    state.stage = Stage.EXCHANGE_END


@kernel
def resolve_form(game: Game) -> None:
    """BOTCH: not formed, the turn ends; SACRIFICE: not formed, or formed for 1 more Momentum (R-08)."""
    state = game.state
    who = state.actor - 1
    if state.outcome >= Outcome.SUCCESS:
        formed(game)
    elif state.outcome == Outcome.SACRIFICE and fighter(game, who).momentum > 0:
        ask(game, who, Window.FORM_SACRIFICE)
    else:
        if state.outcome == Outcome.BOTCH:
            state.turn_over = 1
        not_formed(game)


@hot
def resolve_attack(game: Game) -> None:
    """The outcome of ATTACK or CAST (section 6; R-09, R-15)."""
    state = game.state
    who = state.actor - 1
    if state.outcome == Outcome.BOTCH:
        state.turn_over = 1
        miss(game)
    elif state.outcome == Outcome.SACRIFICE:
        if fighter(game, who).momentum > 0:
            ask(game, who, Window.ATTACK_SACRIFICE)
        else:
            miss(game)
    elif state.outcome == Outcome.SUCCESS:
        connect(game)
    else:
        add_triumph_tag(game)


@kernel
def miss(game: Game) -> None:
    """The attack fails to connect."""
    state = game.state
    emit(game.log, Happened.MISSES, state.attacker - 1, state.target - 1, 0, 0, 0)
    state.stage = Stage.EXCHANGE_END


@kernel
def connect(game: Game) -> None:
    """The attack connects: a monster's guard may void an ATTACK, but not a spell (R-17)."""
    game.state.stage = Stage.ASK_GUARD if game.state.roll == Roll.ATTACK else Stage.STRIKE


@kernel
def triumph_tags(game: Game) -> int:
    """The tags a TRIUMPH may add: those the weapon carries and the attack has not yet; a spell has none left."""
    if game.state.roll != Roll.ATTACK:
        return 0
    return carried_tags(game, game.state.actor - 1) & OFFENSIVE & ~game.state.tags


@kernel
def add_triumph_tag(game: Game) -> None:
    """One additional tag of the player's choice, above the TAG limit; skipped if none is left (section 6)."""
    choice = triumph_tags(game)
    if count_bits(choice) > 1:
        ask(game, game.state.actor - 1, Window.ADD_TAG)
    elif choice != 0:
        add_tag(game, lowest_bit(choice))
    else:
        connect(game)


@kernel
def add_tag(game: Game, tag: int) -> None:
    """The TRIUMPH adds this tag."""
    game.state.tags |= 1 << tag
    emit(game.log, Happened.TAG_ADDED, game.state.actor - 1, -1, tag, 0, 0)
    connect(game)


@kernel
def legal_triumph_tags(game: Game, mask: Any) -> None:
    """The window ADD_TAG."""
    choice = triumph_tags(game)
    for tag in range(Tag.MISSILE):
        if has(choice, tag):
            allow(mask, catalogue.TAG + tag)


@hot
def strike(game: Game) -> None:
    """Damage roll, damage, then the tags if the target still stands (section 6)."""
    state = game.state
    who = state.attacker - 1
    target = state.target - 1
    state.stage = Stage.EXCHANGE_END
    if state.roll == Roll.ATTACK:
        hide = 0 if has(state.tags, Tag.PIERCING) else sheet(game, target).armor
        hurt(game, target, 0, roll_damage(game, who, state.attack, -hide))
    else:
        spell = sheet(game, who).spells[state.attack]
        rolled = draw_sum(game.dice, spell.damage)
        emit(game.log, Happened.DAMAGE_ROLL, who, -1, 0, rolled, 0)
        hurt(game, target, spell.pool, rolled)
    inflict(game, target, state.tags)
    settle(game)


@hot
def attack_character(game: Game, who: int, slot: int, target: int) -> None:
    """A monster declares attacker, attack and target; the target chooses its defence (section 7)."""
    spend(game, who, 1)
    state = game.state
    state.attacker = who + 1
    state.target = target + 1
    state.attack = slot
    state.tags = sheet(game, who).attacks[slot].tags
    emit(game.log, Happened.ATTACKS, who, target, slot, 0, state.tags)
    ask(game, target, Window.DEFEND)
