"""What every rule of The Lens needs: whose turn, who is near, a Challenge, damage and conditions."""

from __future__ import annotations

from lens_env.core.bits import has
from lens_env.core.dice import Fault, draw_effort, draw_sum, fail, hits, next_entry, note, scripted_faces
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.skirmish import Side, Winner, close_window, standing, winner

from .codes import Ability, Happened, Pool, Stage, Tag
from .state import Fighter, Game, Sheet

NO_TOOL = 1
WITH_TOOL = 0


@hot
def fighter(game: Game, who: int) -> Fighter:
    """What changes about a fighter."""
    return game.state.fighters[who]


@hot
def sheet(game: Game, who: int) -> Sheet:
    """What is fixed about a fighter."""
    return game.setup.sheets[who]


@hot
def spend(game: Game, who: int, points: int) -> None:
    """Spend Momentum (section 3). Legality has been checked by the mask."""
    fighter(game, who).momentum -= points


@hot
def armed(game: Game, who: int) -> bool:
    """Is a weapon equipped? Not while DISARMED (section 9)."""
    return sheet(game, who).has_weapon == 1 and fighter(game, who).disarmed == 0


@hot
def weapon_slot(game: Game, who: int) -> int:
    """The attack slot a character uses: 0 the weapon, 1 bare hands."""
    return 0 if armed(game, who) else 1


@hot
def carried_tags(game: Game, who: int) -> int:
    """The tags on the weapon in hand, those that items put there included; none on bare hands."""
    if not armed(game, who):
        return 0
    return sheet(game, who).attacks[0].tags | fighter(game, who).extra_tags


# --- a Challenge (section 1) -------------------------------------------------------------------------------


@hot
def third_die(game: Game, who: int, ability: int, bare: int) -> int:
    """The sides of the third die (section 1, R-01): the tool in use, bare hands, or no tool."""
    if bare == NO_TOOL:
        return sheet(game, who).abilities[ability].bare
    if ability == Ability.WEAPON_USE and not armed(game, who):
        return sheet(game, who).unarmed_third
    return sheet(game, who).abilities[ability].third


@hot
def challenge(game: Game, who: int, ability: int, tn: int, bare: int, helper: int, hinderer: int) -> int:
    """Roll a Challenge and return its Outcome (section 1).

    ``helper`` and ``hinderer`` are the sides of the Talent dice of ASSIST and INTERFERE, 0 for none: the better
    of own and helper, and of that and the hinderer the worse (section 8, R-24).
    """
    talent = sheet(game, who).abilities[ability].talent
    training = sheet(game, who).abilities[ability].training
    third = third_die(game, who, ability, bare)
    faces = 0
    if scripted_faces(game.dice):
        faces = game.dice.script_value[game.dice.script_at]
        outcome = outcome_of_faces(game, faces, tn, talent, training, third, helper, hinderer)
        note(game.dice, outcome)
    else:
        good = hits(talent, tn)
        cases = talent
        if helper > 0:
            good = cases * helper - (cases - good) * (helper - hits(helper, tn))
            cases *= helper
        if hinderer > 0:
            good *= hits(hinderer, tn)
            cases *= hinderer
        outcome = draw_effort(
            game.dice, good, cases, hits(training, tn), max(1, training), hits(third, tn), max(1, third)
        )
    emit(
        game.log,
        Happened.CHALLENGE,
        who,
        -1,
        ability | (tn << 8) | (outcome << 16),
        faces,
        talent | (training << 8) | (third << 16) | (helper << 24) | (hinderer << 32),
    )
    return outcome


@kernel
def outcome_of_faces(
    game: Game, faces: int, tn: int, talent: int, training: int, third: int, helper: int, hinderer: int
) -> int:
    """The Outcome of a scripted roll: the faces of Talent, Training, third die, helper, hinderer that exist."""
    next_entry(game.dice)
    own = face_at(game, faces, 0, talent)
    place = 1
    effort = 0
    if training > 0:
        effort += 1 if face_at(game, faces, place, training) >= tn else 0
        place += 1
    if third > 0:
        effort += 1 if face_at(game, faces, place, third) >= tn else 0
        place += 1
    if helper > 0:
        own = max(own, face_at(game, faces, place, helper))
        place += 1
    if hinderer > 0:
        own = min(own, face_at(game, faces, place, hinderer))
        place += 1
    if faces >> (6 * place) != 0:
        fail(game.dice, Fault.IMPOSSIBLE)
    return effort + (1 if own >= tn else 0)


@kernel
def face_at(game: Game, faces: int, place: int, sides: int) -> int:
    """One face of a scripted roll; one that the die does not have is a fault."""
    face = (faces >> (6 * place)) & 63
    if face < 1 or face > sides:
        fail(game.dice, Fault.IMPOSSIBLE)
    return face


@kernel
def roll_damage(game: Game, who: int, slot: int, change: int) -> int:
    """Roll the damage of an attack and add ``change`` (negative: absorbed); never below 0 (section 6)."""
    rolled = draw_sum(game.dice, sheet(game, who).attacks[slot].damage)
    emit(game.log, Happened.DAMAGE_ROLL, who, -1, 0, rolled, change)
    return max(0, rolled + change)


# --- damage and defeat (section 3) -------------------------------------------------------------------------


@hot
def maximum(game: Game, who: int, pool: int) -> int:
    """The maximum of an Aspect pool; 0 = the fighter lacks it."""
    if pool == Pool.BODY:
        return sheet(game, who).body
    if pool == Pool.MIND:
        return sheet(game, who).mind
    return sheet(game, who).spirit


@hot
def current(game: Game, who: int, pool: int) -> int:
    """The points left in an Aspect pool."""
    if pool == Pool.BODY:
        return fighter(game, who).body
    if pool == Pool.MIND:
        return fighter(game, who).mind
    return fighter(game, who).spirit


@hot
def set_pool(game: Game, who: int, pool: int, points: int) -> None:
    """Set an Aspect pool."""
    if pool == Pool.BODY:
        fighter(game, who).body = points
    elif pool == Pool.MIND:
        fighter(game, who).mind = points
    else:
        fighter(game, who).spirit = points


@kernel
def hurt(game: Game, who: int, pool: int, points: int) -> None:
    """Take points off a pool, BODY if the fighter lacks it (R-16), and see whether that puts it out."""
    hit = pool if maximum(game, who, pool) > 0 else Pool.BODY
    before = current(game, who, hit)
    left = max(0, before - points)
    set_pool(game, who, hit, left)
    emit(game.log, Happened.DAMAGE, who, -1, hit, before - left, left)
    if left == 0 and hit != Pool.SPIRIT and standing(game, who):
        fall(game, who)


@kernel
def heal(game: Game, who: int, pool: int, points: int) -> None:
    """Give points to a pool, up to its maximum."""
    now = min(maximum(game, who, pool), current(game, who, pool) + points)
    given = now - current(game, who, pool)
    set_pool(game, who, pool, now)
    emit(game.log, Happened.RECOVERS, who, -1, pool, given, now)


@kernel
def fall(game: Game, who: int) -> None:
    """Put a fighter out: it leaves its square, and nothing about it matters any more but its pools."""
    clear_fighter(game, who)
    it = fighter(game, who)
    it.out = 1
    it.x = -1
    it.y = -1
    emit(game.log, Happened.OUT, who, -1, 0, 0, 0)


@kernel
def clear_fighter(game: Game, who: int) -> None:
    """Everything about a fighter but its pools, its place, its bracket and its items."""
    it = fighter(game, who)
    it.momentum = 0
    it.surprised = 0
    it.later = 0
    it.stun_pending = 0
    it.prone = 0
    it.disarmed = 0
    it.burning = 0
    it.bleeding = 0
    it.hamstrung = 0
    it.freezing = 0
    it.locked = 0
    it.guarded = 0
    it.formed = 0
    it.readied = 0
    it.extra_tags = 0
    it.using = 0
    it.paid = 0


@kernel
def settle(game: Game) -> None:
    """A side whose fighters are all out has lost; both at once: undecided (sections 4 and 10)."""
    decided = winner(game)
    if decided != Winner.NOBODY_YET:
        finish(game, decided)


@kernel
def finish(game: Game, won: int) -> None:
    """End the skirmish."""
    end_exchange(game)
    end_turn_fields(game)
    game.state.winner = won
    game.state.stage = Stage.NEXT_FIGHTER
    game.state.place = 0
    game.state.phase = 0
    close_window(game)
    emit(game.log, Happened.WON, -1, -1, won, 0, 0)


@kernel
def end_exchange(game: Game) -> None:
    """Clear all that belongs to a roll and its exchange, so that equal positions are equal bytes."""
    state = game.state
    state.roll = 0
    state.actor = 0
    state.ability = 0
    state.tn = 0
    state.asked = 0
    state.helper = 0
    state.hinderer = 0
    state.outcome = 0
    state.attacker = 0
    state.target = 0
    state.attack = 0
    state.tags = 0
    state.defense = 0
    state.stopped = 0
    state.extra = 0
    state.free_move = 0


@kernel
def end_turn_fields(game: Game) -> None:
    """Clear all that belongs to a turn; readied tags lapse (R-11)."""
    state = game.state
    if state.acting > 0:
        fighter(game, state.acting - 1).readied = 0
    state.acting = 0
    state.turn_over = 0
    state.moves = 0
    state.tiny_used = 0
    state.steps = 0
    state.moving = 0
    state.heading = 0


# --- conditions (section 9, R-23) --------------------------------------------------------------------------

STUN_LOSS = 1  # Momentum that a STUN costs
HAMSTRUNG_ROUNDS = 2
FREEZING_ROUNDS = 2
BLEEDING_ROUNDS = 3


@kernel
def gain(game: Game, who: int, tag: int) -> None:
    """A fighter gains a condition; gaining it again restarts its time (R-23)."""
    it = fighter(game, who)
    if tag == Tag.STUN:
        stun(game, who)
    elif tag == Tag.PRONE or tag == Tag.OVERBEARING:
        it.prone = 1
    elif tag == Tag.HAMSTRUNG:
        it.hamstrung = HAMSTRUNG_ROUNDS
    elif tag == Tag.DISARMED:
        if not has_weapon_to_lose(game, who):
            return
        it.disarmed = 1
    elif tag == Tag.BURNING:
        it.burning = 1
    elif tag == Tag.BLEEDING or tag == Tag.SLASHING:
        it.bleeding = BLEEDING_ROUNDS
    elif tag == Tag.FREEZING:
        it.hamstrung = HAMSTRUNG_ROUNDS
        it.freezing = FREEZING_ROUNDS
    emit(game.log, Happened.GAINED, who, -1, tag, 0, 0)


@kernel
def stun(game: Game, who: int) -> None:
    """Momentum is lost at once, or, if there is none, at the next refresh; at most one waits (R-23)."""
    it = fighter(game, who)
    if it.momentum > 0:
        it.momentum = max(0, it.momentum - STUN_LOSS)
    else:
        it.stun_pending = 1


@kernel
def has_weapon_to_lose(game: Game, who: int) -> bool:
    """Does the fighter hold a weapon at all? A monster: has it an attack that is not natural?"""
    if sheet(game, who).side == Side.PARTY:
        return sheet(game, who).has_weapon == 1
    for slot in range(len(sheet(game, who).attacks)):
        if sheet(game, who).attacks[slot].exists == 1 and sheet(game, who).attacks[slot].natural == 0:
            return True
    return False


@kernel
def suffers(game: Game, who: int, tag: int) -> bool:
    """Has the fighter the condition that a tag inflicts?"""
    it = fighter(game, who)
    if tag == Tag.STUN:
        return it.stun_pending == 1
    if tag == Tag.PRONE or tag == Tag.OVERBEARING:
        return it.prone == 1
    if tag == Tag.HAMSTRUNG:
        return it.hamstrung > 0
    if tag == Tag.DISARMED:
        return it.disarmed == 1
    if tag == Tag.BURNING:
        return it.burning == 1
    if tag == Tag.FREEZING:
        return it.freezing > 0
    return it.bleeding > 0


@kernel
def lose(game: Game, who: int, tag: int) -> None:
    """A condition ends. FREEZING keeps its fighter HAMSTRUNG, and takes that along when it is cured (R-34)."""
    it = fighter(game, who)
    if tag == Tag.HAMSTRUNG and it.freezing > 0:
        return
    if tag == Tag.STUN:
        it.stun_pending = 0
    elif tag == Tag.PRONE or tag == Tag.OVERBEARING:
        it.prone = 0
    elif tag == Tag.HAMSTRUNG:
        it.hamstrung = 0
    elif tag == Tag.DISARMED:
        it.disarmed = 0
    elif tag == Tag.BURNING:
        it.burning = 0
    elif tag == Tag.BLEEDING or tag == Tag.SLASHING:
        it.bleeding = 0
    elif tag == Tag.FREEZING:
        it.freezing = 0
        it.hamstrung = 0
    emit(game.log, Happened.ENDED, who, -1, tag, 0, 0)


@kernel
def inflict(game: Game, who: int, tags: int) -> None:
    """Everything that the inflicted tags of a hit do to a fighter that still stands."""
    for tag in range(Tag.SLASHING + 1):
        if has(tags, tag) and standing(game, who):
            gain(game, who, tag)


@hot
def active_cost(game: Game, who: int) -> int:
    """Momentum of an active defence or a guard: 1, and 1 more while FREEZING lasts (R-23)."""
    return 2 if fighter(game, who).freezing > 0 else 1
