"""What every rule of Nor'Ova needs: who takes part, checks, Vitality and its loss, statuses."""

from __future__ import annotations

from lens_env.core.dice import Fault, Kind, Mode, draw_effort, fail, next_entry, note
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.skirmish import Side, Winner, close_window, distance

from .codes import Happened, Out, Stage, Status, Trait
from .state import TRIES, Fighter, Game, Sheet

FACES = 20  # of the die that every check rolls
SAVE_DIFFICULTY = 15


@hot
def fighter(game: Game, who: int) -> Fighter:
    """What changes about a fighter."""
    return game.state.fighters[who]


@hot
def sheet(game: Game, who: int) -> Sheet:
    """What is fixed about a fighter."""
    return game.setup.sheets[who]


@hot
def fighting(game: Game, who: int) -> bool:
    """Does the fighter take part: no spectator, neither down nor dead?"""
    return fighter(game, who).out == Out.NO


@hot
def in_reach(game: Game, who: int, target: int, reach: int) -> bool:
    """Is the target within ``reach`` spaces? 0 reaches everywhere."""
    return reach == 0 or distance(game, who, target) <= reach


@hot
def able(game: Game, who: int) -> bool:
    """Can the fighter act at all: neither Stunned nor Unconscious (section 9)?"""
    it = fighter(game, who)
    return it.stunned == 0 and it.unconscious == 0


@hot
def can_walk(game: Game, who: int) -> bool:
    """Can the fighter leave its space: in the fight, able, neither Prone nor Trapped (section 9)?"""
    it = fighter(game, who)
    return it.out == Out.NO and it.prone == 0 and it.trapped == 0 and able(game, who)


@hot
def gm_decides(game: Game) -> None:
    """The open window is the GM's to answer (section 8)."""
    game.state.side = Side.FOES


# --- a check (section 1) -----------------------------------------------------------------------------------


@kernel
def check(game: Game, who: int, trait: int, difficulty: int) -> bool:
    """d20 + trait against a difficulty; no face succeeds or fails by itself (R-01, R-02).

    One draw of two outcomes, failure and success; a script gives the face, or the outcome.
    """
    bonus = sheet(game, who).traits[trait]
    face = 0
    if scripted_face(game):
        face = game.dice.script_value[next_entry(game.dice)]
        if face < 1 or face > FACES:
            fail(game.dice, Fault.IMPOSSIBLE)
        passed = 1 if face + bonus >= difficulty else 0
        note(game.dice, passed)
    else:
        good = min(FACES, max(0, FACES + 1 + bonus - difficulty))
        passed = draw_effort(game.dice, good, FACES, 0, 1, 0, 1)
    emit(game.log, Happened.CHECK, who, -1, trait | (difficulty << 8) | (passed << 16), face, bonus)
    return passed == 1


@hot
def scripted_face(game: Game) -> bool:
    """Is the next entry of the script the face of a die?"""
    dice = game.dice
    return (
        dice.mode == Mode.SCRIPTED
        and dice.script_at < dice.script_count
        and dice.script_kind[dice.script_at] == Kind.NUMBER
    )


# --- Vitality and death (sections 5 and 6) -----------------------------------------------------------------


@kernel
def hurt(game: Game, who: int, points: int) -> None:
    """Take points off Vitality; at 0 there is one free Save at once, each time (section 6; R-16)."""
    it = fighter(game, who)
    before = it.vitality
    it.vitality = max(0, before - points)
    emit(game.log, Happened.DAMAGE, who, -1, 0, before - it.vitality, it.vitality)
    if it.vitality == 0 and before > 0:
        if check(game, who, Trait.VITALITY, SAVE_DIFFICULTY):
            stand_up(game, who)
        else:
            go_down(game, who)


@kernel
def stand_up(game: Game, who: int) -> None:
    """A Save succeeded: up again, standing, with 1 Vitality (section 6)."""
    it = fighter(game, who)
    it.vitality = 1
    it.out = Out.NO
    it.tries = 0
    it.prone = 0
    emit(game.log, Happened.STANDS_UP, who, -1, 0, 0, 0)


@kernel
def go_down(game: Game, who: int) -> None:
    """The Save failed: the fallen keep their space, and four own turns to buy another Save (section 6; R-28)."""
    it = fighter(game, who)
    clear_statuses(game, who)
    it.out = Out.DOWN
    it.tries = TRIES
    emit(game.log, Happened.DOWN, who, -1, 0, 0, 0)


@kernel
def die(game: Game, who: int) -> None:
    """Permanently dead: the body is no longer in the way (section 6; R-28)."""
    it = fighter(game, who)
    it.out = Out.DEAD
    it.tries = 0
    it.x = -1
    it.y = -1
    it.facing = 0
    emit(game.log, Happened.DEAD, who, -1, 0, 0, 0)


@hot
def may_return(game: Game, who: int) -> bool:
    """Does the fighter take part, or could it still buy a Save? Without XP nobody can (R-17)."""
    it = fighter(game, who)
    return it.out == Out.NO or (it.out == Out.DOWN and it.xp > 0)


@kernel
def anyone_left(game: Game, first: int, last: int) -> bool:
    """Has a side not lost yet (section 6)?"""
    for who in range(first, last):
        if may_return(game, who):
            return True
    return False


@kernel
def settle(game: Game) -> None:
    """A side has lost when all are down or dead and none can try a Save (section 6; R-29)."""
    if not anyone_left(game, 0, game.setup.party_count):
        finish(game, Winner.FOES)
    elif not anyone_left(game, game.setup.party_count, game.setup.count):
        finish(game, Winner.PARTY)


@kernel
def finish(game: Game, winner: int) -> None:
    """End the skirmish."""
    state = game.state
    end_exchange(game)
    end_blast(game)
    end_turn_fields(game)
    state.winner = winner
    state.stage = Stage.NEXT_FIGHTER
    state.place = 0
    state.watcher = 0
    close_window(game)
    emit(game.log, Happened.WON, -1, -1, winner, 0, 0)


# --- what is over is cleared -------------------------------------------------------------------------------


@kernel
def end_exchange(game: Game) -> None:
    """Clear all that belongs to one attack on one target, so that equal positions are equal bytes."""
    state = game.state
    state.attacker = 0
    state.target = 0
    state.strike = 0
    state.returned = 0
    state.direction = 0
    state.aware = 0
    state.evade = 0
    state.defense = 0
    state.skill = 0
    state.asked = 0
    state.effect = 0
    state.points = 0


@kernel
def end_blast(game: Game) -> None:
    """Clear an area attack and what any attack was part of."""
    state = game.state
    state.origin = 0
    state.blast = 0
    state.blast_strike = 0
    state.blast_aim = 0
    state.blast_next = 0
    state.column = 0


@kernel
def end_turn_fields(game: Game) -> None:
    """Clear all that belongs to a turn."""
    state = game.state
    state.acting = 0
    state.used = 0
    state.provoked = 0
    end_move_fields(game)


@hot
def end_move_fields(game: Game) -> None:
    """Clear all that belongs to a Move."""
    state = game.state
    state.steps = 0
    state.moving = 0
    state.heading = 0
    state.watcher = 0


# --- statuses (section 9) ----------------------------------------------------------------------------------


@hot
def status(game: Game, who: int, code: int) -> int:
    """The own turns that a status still lasts (PRONE: 1), 0 if the fighter has it not."""
    it = fighter(game, who)
    if code == Status.PRONE:
        return it.prone
    if code == Status.TRAPPED:
        return it.trapped
    if code == Status.STUNNED:
        return it.stunned
    if code == Status.DAZED:
        return it.dazed
    if code == Status.UNCONSCIOUS:
        return it.unconscious
    if code == Status.BERSERK:
        return it.berserk
    return it.distracted if code == Status.DISTRACTED else it.hindered


@kernel
def set_status(game: Game, who: int, code: int, turns: int) -> None:
    """Set the own turns that a status still lasts."""
    it = fighter(game, who)
    if code == Status.PRONE:
        it.prone = turns
    elif code == Status.TRAPPED:
        it.trapped = turns
    elif code == Status.STUNNED:
        it.stunned = turns
    elif code == Status.DAZED:
        it.dazed = turns
    elif code == Status.UNCONSCIOUS:
        it.unconscious = turns
    elif code == Status.BERSERK:
        it.berserk = turns
    elif code == Status.DISTRACTED:
        it.distracted = turns
    else:
        it.hindered = turns


@kernel
def gain(game: Game, who: int, code: int, turns: int) -> None:
    """A fighter gains a status; of two times the longer counts (R-20, R-31)."""
    if turns > status(game, who, code):
        set_status(game, who, code, turns)
    emit(game.log, Happened.GAINED, who, -1, code, 0, turns)
    if (code == Status.STUNNED or code == Status.UNCONSCIOUS) and fighter(game, who).casting > 0:
        end_casting(game, who)


@kernel
def end_casting(game: Game, who: int) -> None:
    """The spell is lost (sections 4 and 10)."""
    it = fighter(game, who)
    emit(game.log, Happened.CASTING_ENDS, who, -1, it.casting - 1, 0, 0)
    it.casting = 0
    it.delay = 0
    it.aim = 0


@kernel
def clear_statuses(game: Game, who: int) -> None:
    """One who is down has no status, and casts no spell (R-28)."""
    it = fighter(game, who)
    it.prone = 0
    it.trapped = 0
    it.stunned = 0
    it.dazed = 0
    it.unconscious = 0
    it.berserk = 0
    it.distracted = 0
    it.hindered = 0
    it.casting = 0
    it.delay = 0
    it.aim = 0


@kernel
def count_down(game: Game, who: int) -> None:
    """At the end of an own turn every status but PRONE has a turn less (R-20)."""
    it = fighter(game, who)
    timed = it.trapped | it.stunned | it.dazed | it.unconscious | it.berserk | it.distracted | it.hindered
    if timed == 0:
        return
    for code in range(Status.TRAPPED, Status.HINDERED + 1):
        left = status(game, who, code)
        if left > 0:
            set_status(game, who, code, left - 1)
            if left == 1:
                emit(game.log, Happened.ENDED, who, -1, code, 0, 0)
