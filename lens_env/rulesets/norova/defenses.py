"""Being attacked: the defence actions, guards and skills, and what the attack still does (sections 4 and 5)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.dice import draw_sum
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import Winner, allies, ask, distance

from . import catalogue, turns
from .codes import Defense, Effect, Happened, Nature, Out, Stage, Trait, Window
from .fighters import able, check, end_casting, end_exchange, fighter, fighting, gain, hurt, settle, sheet
from .state import MAX_SKILLS, Game, Skill
from .strikes import basic_reaches, strike_at, under_way

NORMAL = 15  # Defense, Spirit, React for a counter, Focus (sections 4 and 5; R-08)
GUARD_DIFFICULTY = 10
GUARD_COST = 1  # Power

# --- what is legal -----------------------------------------------------------------------------------------


@hot
def legal_defenses(game: Game, who: int, mask: Any) -> None:
    """The window DEFEND: dominated actions only where nothing better is possible (R-12)."""
    state = game.state
    if state.aware == 0 or not able(game, who):
        allow(mask, catalogue.DEFEND + Defense.NONE)
        return
    everything = sheet(game, who).offers_all == 1
    if everything:
        allow(mask, catalogue.DEFEND + Defense.NONE)
    if state.evade > 0:
        allow(mask, catalogue.DEFEND + Defense.EVADE)
    if everything or state.evade == 0:
        allow(mask, catalogue.DEFEND + Defense.DEFEND)
    legal_answers(game, who, mask)


@hot
def legal_answers(game: Game, who: int, mask: Any) -> None:
    """COUNTER and the skills."""
    if sheet(game, who).counters == 1 and may_strike_back(game, who):
        allow(mask, catalogue.DEFEND + Defense.COUNTER)
    for slot in range(MAX_SKILLS):
        if may_use(game, who, slot):
            allow(mask, catalogue.SKILL + slot)


@kernel
def may_strike_back(game: Game, who: int) -> bool:
    """An enemy in reach of the basic attack, whose attack is no counter itself; not while casting (R-11, R-23)."""
    attacker = game.state.attacker - 1
    there = fighter(game, attacker).out
    if game.state.returned == 1 or fighter(game, who).casting > 0 or allies(game, who, attacker):
        return False
    return (there == Out.NO or there == Out.SPECTATOR) and basic_reaches(game, who, attacker)


@hot
def skill_of(game: Game, who: int, slot: int) -> Skill:
    """A defensive skill of a fighter."""
    return sheet(game, who).skills[slot]


@hot
def affordable(game: Game, who: int, skill: Skill) -> bool:
    """Is the skill there, can it be paid, and is it made for this nature of attack (R-10)?"""
    it = fighter(game, who)
    if skill.exists == 0 or it.power < skill.power or it.soul < skill.soul:
        return False
    return skill.nature == Nature.ANY or skill.nature == under_way(game).magical


@hot
def may_use(game: Game, who: int, slot: int) -> bool:
    """May the target defend itself with this skill?"""
    skill = skill_of(game, who, slot)
    if not affordable(game, who, skill):
        return False
    return skill.effect != Effect.COUNTER or may_strike_back(game, who)


@kernel
def may_answer(game: Game, who: int) -> bool:
    """Is there a COUNTER or skill that may follow a failed evasion (R-13)?"""
    if sheet(game, who).counters == 1 and may_strike_back(game, who):
        return True
    for slot in range(MAX_SKILLS):
        if may_use(game, who, slot):
            return True
    return False


@kernel
def legal_follow_up(game: Game, who: int, mask: Any) -> None:
    """The window FOLLOW_UP: COUNTER, a skill, or leave it at that (R-13)."""
    legal_answers(game, who, mask)
    allow(mask, catalogue.PASS)


# --- the defender's choice ---------------------------------------------------------------------------------


@hot
def defend(game: Game, who: int, choice: int) -> None:
    """One defence action an attack (section 4). An evasion is rolled at once, all else after the guards."""
    commit(game, who, choice)
    if choice == Defense.EVADE and check(game, who, Trait.EVADE, game.state.evade):
        emit(game.log, Happened.EVADES, who, -1, 0, 0, 0)
        keep_casting(game, who)
        game.state.stage = Stage.EXCHANGE_END
    else:
        game.state.asked = 0
        game.state.stage = Stage.ASK_GUARD


@hot
def commit(game: Game, who: int, choice: int) -> None:
    """The action is declared; a counter draws a spectator in at this moment (section 8; R-19)."""
    state = game.state
    state.defense = choice
    if choice >= Defense.SKILL:
        state.defense = Defense.SKILL
        state.skill = choice - Defense.SKILL
    emit(game.log, Happened.DEFENDS, who, state.attacker - 1, state.defense, state.skill, 0)
    if fighter(game, state.attacker - 1).out == Out.SPECTATOR and is_counter(game, who):
        turns.draw_in(game, state.attacker - 1)


@kernel
def is_counter(game: Game, who: int) -> bool:
    """Is the declared action COUNTER, or a skill that counters?"""
    state = game.state
    if state.defense == Defense.SKILL:
        return skill_of(game, who, state.skill).effect == Effect.COUNTER
    return state.defense == Defense.COUNTER


@kernel
def keep_casting(game: Game, who: int) -> None:
    """A caster that evades or is hit makes one Focus check an attack, or the spell is lost (section 4)."""
    if fighter(game, who).casting > 0 and not check(game, who, Trait.FOCUS, NORMAL):
        end_casting(game, who)


@hot
def own_action(game: Game) -> None:
    """Nobody took the blow: the target's own action is rolled (section 4)."""
    state = game.state
    who = state.target - 1
    state.asked = 0
    state.stage = Stage.SUFFER
    if state.defense == Defense.SKILL:
        use_skill(game, who, state.skill)
    elif state.defense == Defense.EVADE and game.setup.rules.evade_then_act == 1 and may_answer(game, who):
        ask(game, who, Window.FOLLOW_UP)


@kernel
def follow_up(game: Game, who: int, action: int) -> None:
    """After a failed evasion: COUNTER or a skill instead of the Defense check, or nothing more (R-13)."""
    game.state.stage = Stage.SUFFER
    if action == catalogue.PASS:
        return
    commit(game, who, action - catalogue.DEFEND)
    if game.state.defense == Defense.SKILL:
        use_skill(game, who, game.state.skill)


@kernel
def use_skill(game: Game, who: int, slot: int) -> bool:
    """Pay for a skill and make its check; does it work (R-10)?"""
    skill = skill_of(game, who, slot)
    it = fighter(game, who)
    it.power -= skill.power
    it.soul -= skill.soul
    if not check(game, who, skill.check, skill.difficulty):
        return False
    game.state.effect = skill.effect
    game.state.points = skill.points
    emit(game.log, Happened.SKILL_WORKS, who, -1, skill.effect, skill.points, 0)
    return True


# --- guards (section 4) ------------------------------------------------------------------------------------


@hot
def ask_guard(game: Game) -> None:
    """Ask the target's allies, in file order, who protects it; nobody from an area (R-24)."""
    state = game.state
    if can_be_guarded(game):
        while state.asked < game.setup.count:
            if sheet(game, state.asked).protects == 1 and may_protect(game, state.asked):
                ask(game, state.asked, Window.GUARD)
                return
            state.asked += 1
    state.asked = 0
    state.stage = Stage.OWN_ACTION


@hot
def can_be_guarded(game: Game) -> bool:
    """No area; and what the target misses for its own fault others see, but not what is hidden (R-24, R-34)."""
    attack = under_way(game)
    if attack.radius > 0:
        return False
    hidden = attack.stealth > 0 or fighter(game, game.state.attacker - 1).out == Out.SPECTATOR
    return game.state.aware == 1 or not hidden


@kernel
def may_protect(game: Game, who: int) -> bool:
    """An ally of the target, within one Move of it, with the Guard ability or a skill for allies (R-09, R-10)."""
    target = game.state.target - 1
    if who == target or not fighting(game, who) or not allies(game, who, target) or not able(game, who):
        return False
    if ground.exists(game.setup.board) and distance(game, who, target) > sheet(game, who).speed:
        return False
    if may_guard(game, who):
        return True
    for slot in range(MAX_SKILLS):
        if may_shield(game, who, slot):
            return True
    return False


@kernel
def may_guard(game: Game, who: int) -> bool:
    """The Guard ability, 1 Power, neither Prone nor Trapped (section 4)."""
    it = fighter(game, who)
    return sheet(game, who).guards == 1 and it.power >= GUARD_COST and it.prone == 0 and it.trapped == 0


@kernel
def may_shield(game: Game, who: int, slot: int) -> bool:
    """May a skill protect the ally under attack?"""
    skill = skill_of(game, who, slot)
    return skill.ally == 1 and affordable(game, who, skill)


@kernel
def legal_guard(game: Game, who: int, mask: Any) -> None:
    """The window GUARD: GUARD, a skill for allies, or PASS."""
    if may_guard(game, who):
        allow(mask, catalogue.GUARD)
    for slot in range(MAX_SKILLS):
        if may_shield(game, who, slot):
            allow(mask, catalogue.SKILL + slot)
    allow(mask, catalogue.PASS)


@kernel
def protect(game: Game, who: int, action: int) -> None:
    """One who protects pays even in vain; then the next is asked. A success replaces the target's own action."""
    state = game.state
    state.asked = who + 1
    state.stage = Stage.ASK_GUARD
    if action == catalogue.PASS:
        return
    slot = action - catalogue.SKILL
    emit(game.log, Happened.PROTECTS, who, state.target - 1, 0 if action == catalogue.GUARD else 1 + slot, 0, 0)
    if action == catalogue.GUARD:
        fighter(game, who).power -= GUARD_COST
        if check(game, who, Trait.REACT, GUARD_DIFFICULTY):
            take_the_blow(game, who)
    elif use_skill(game, who, slot):
        state.asked = 0
        state.defense = Defense.NONE
        state.stage = Stage.SUFFER


@kernel
def take_the_blow(game: Game, who: int) -> None:
    """The guard is struck in the ally's place, from the front, with DEFEND; it does not move (R-09)."""
    state = game.state
    emit(game.log, Happened.GUARDED, who, state.target - 1, 0, 0, 0)
    state.target = who + 1
    state.direction = ground.Side.FRONT
    state.aware = 1
    state.evade = 0
    state.defense = Defense.DEFEND
    state.skill = 0
    state.asked = 0
    state.stage = Stage.SUFFER


# --- what the attack still does (section 5) ----------------------------------------------------------------


@hot
def suffer(game: Game) -> None:
    """Damage, a status, the Focus check; then a counter strikes back."""
    state = game.state
    who = state.target - 1
    state.stage = Stage.EXCHANGE_END
    if state.effect == Effect.NEGATE:
        return
    hurt(game, who, damage(game, who))
    attack = under_way(game)
    if attack.inflicts > 0 and fighting(game, who):
        gain(game, who, attack.inflicts - 1, attack.rounds)
    keep_casting(game, who)
    settle(game)
    if state.winner == Winner.NOBODY_YET and strikes_back(game, who):
        strike_back(game, who)


@hot
def damage(game: Game, who: int) -> int:
    """What gets through: first the armour's dice, then its score if the check succeeds (section 5)."""
    state = game.state
    attack = under_way(game)
    points = roll_damage(game)
    if state.effect == Effect.HALVE:
        points = (points + 1) // 2
    points -= armor_dice(game, who, attack.magical)
    points -= hardened(game, who, attack.magical)
    if state.effect == Effect.ABSORB:
        points -= state.points
    return max(points, game.setup.rules.minimum_damage)


@hot
def roll_damage(game: Game) -> int:
    """The dice and the flat part; twice as much from a Berserk attacker (section 9)."""
    attack = under_way(game)
    rolled = draw_sum(game.dice, attack.damage) if attack.rolled == 1 else 0
    twice = 1 if fighter(game, game.state.attacker - 1).berserk > 0 else 0
    emit(game.log, Happened.DAMAGE_ROLL, game.state.attacker - 1, -1, twice, rolled, attack.plus)
    return (rolled + attack.plus) * (1 + twice)


@hot
def armor_dice(game: Game, who: int, nature: int) -> int:
    """Physical or Magical Armor: dice plus flat, whatever the defence (R-07)."""
    armor = sheet(game, who).armors[nature]
    absorbed = armor.plus
    if armor.rolled == 1:
        absorbed += draw_sum(game.dice, armor.table)
    if absorbed > 0:
        emit(game.log, Happened.ARMOR, who, -1, nature, absorbed, 0)
    return absorbed


@hot
def hardened(game: Game, who: int, nature: int) -> int:
    """The Defense or Spirit score, if DEFEND or a failed EVADE is followed by a successful check (R-08, R-30)."""
    score = sheet(game, who).armors[nature].score
    defense = game.state.defense
    if score == 0 or (defense != Defense.DEFEND and defense != Defense.EVADE):
        return 0
    if not check(game, who, Trait.SPIRIT if nature == Nature.MAGICAL else Trait.DEFENSE, NORMAL):
        return 0
    emit(game.log, Happened.HARDENED, who, -1, nature, score, 0)
    return score


@kernel
def strikes_back(game: Game, who: int) -> bool:
    """Does a counter come: still able, the attacker in the fight, and for COUNTER a React check (section 4)?"""
    state = game.state
    attacker = state.attacker - 1
    counters = state.defense == Defense.COUNTER or state.effect == Effect.COUNTER
    if not counters or not fighting(game, who) or not able(game, who) or not fighting(game, attacker):
        return False
    return state.effect == Effect.COUNTER or check(game, who, Trait.REACT, NORMAL)


@kernel
def strike_back(game: Game, who: int) -> None:
    """The basic attack, at once; it cannot be countered (R-11)."""
    attacker = game.state.attacker - 1
    emit(game.log, Happened.STRIKES_BACK, who, attacker, 0, 0, 0)
    end_exchange(game)
    strike_at(game, who, 0, attacker)
    game.state.returned = 1
