"""From surprise and initiative through the phases of a round to its end (sections 2, 3 and 4)."""

from __future__ import annotations

from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.skirmish import Side, Winner, ask, close_window, standing

from .codes import Bracket, Happened, Outcome, Phase, Pool, Stage, SurpriseKind, Tag, Window
from .fighters import (
    NO_TOOL,
    challenge,
    clear_fighter,
    current,
    end_exchange,
    end_turn_fields,
    fighter,
    finish,
    heal,
    hurt,
    lose,
    maximum,
    settle,
    sheet,
)
from .state import MAX_ITEMS, MAX_MOMENTUM, Game

# --- before the first round (section 2) --------------------------------------------------------------------


@kernel
def set_up(game: Game) -> None:
    """Everybody at full strength and in place, whatever the state held before."""
    state = game.state
    state.winner = Winner.NOBODY_YET
    state.points = 0
    state.pool = 0
    end_exchange(game)
    end_turn_fields(game)
    for who in range(game.setup.count):
        clear_fighter(game, who)
        it = fighter(game, who)
        its = sheet(game, who)
        it.out = 0
        it.bracket = Bracket.CONFUSED
        it.body = its.body
        it.mind = its.mind
        it.spirit = its.spirit
        it.x = its.start_x
        it.y = its.start_y
        for slot in range(MAX_ITEMS):
            it.uses[slot] = its.items[slot].uses
    close_window(game)
    state.phase = 0
    state.place = 0
    state.game_round = 0
    state.stage = Stage.SURPRISE


@kernel
def settle_surprise(game: Game) -> None:
    """Who is surprised (R-02): by the file, by an ambush, or by the party's stalking."""
    rules = game.setup.rules
    state = game.state
    if rules.surprise == SurpriseKind.PARTY:
        surprise_side(game, Side.PARTY)
    elif rules.surprise == SurpriseKind.FOES:
        surprise_side(game, Side.FOES)
    elif rules.surprise == SurpriseKind.AMBUSH:
        ambush(game)
    elif rules.surprise == SurpriseKind.STALK:
        if stalk(game):
            surprise_side(game, Side.FOES)
    state.game_round = 0 if anyone_surprised(game) else 1
    state.asked = 0
    state.stage = Stage.INITIATIVE


@kernel
def be_surprised(game: Game, who: int) -> None:
    """This fighter is surprised."""
    fighter(game, who).surprised = 1
    emit(game.log, Happened.SURPRISED, who, -1, 0, 0, 0)


@kernel
def surprise_side(game: Game, side: int) -> None:
    """A whole side is surprised."""
    for who in range(game.setup.count):
        if sheet(game, who).side == side:
            be_surprised(game, who)


@kernel
def ambush(game: Game) -> None:
    """Each character rolls; BOTCH or SACRIFICE = surprised."""
    rules = game.setup.rules
    for who in range(game.setup.party_count):
        outcome = challenge(game, who, rules.surprise_ability, rules.surprise_tn, NO_TOOL, 0, 0)
        if outcome <= Outcome.SACRIFICE:
            be_surprised(game, who)


@kernel
def stalk(game: Game) -> bool:
    """Each character rolls; the foes are surprised if every one gets SUCCESS or better."""
    rules = game.setup.rules
    unseen = True
    for who in range(game.setup.party_count):
        outcome = challenge(game, who, rules.surprise_ability, rules.surprise_tn, NO_TOOL, 0, 0)
        if outcome <= Outcome.SACRIFICE:
            unseen = False
    return unseen


@kernel
def anyone_surprised(game: Game) -> bool:
    """Is there to be a surprise round?"""
    for who in range(game.setup.count):
        if fighter(game, who).surprised == 1:
            return True
    return False


@kernel
def next_initiative(game: Game) -> None:
    """Each character rolls initiative, with the ability of the player's choice (section 2)."""
    state = game.state
    while state.asked < game.setup.party_count:
        who = state.asked
        if game.setup.rules.surprised_confused == 1 and fighter(game, who).surprised == 1:
            set_bracket(game, who, Bracket.CONFUSED)
        elif sheet(game, who).initiative_count > 1:
            ask(game, who, Window.INITIATIVE)
            return
        else:
            roll_initiative(game, who, 0)
    state.asked = 0
    state.stage = Stage.ROUND_START


@kernel
def roll_initiative(game: Game, who: int, choice: int) -> None:
    """The outcome of the Challenge is the bracket for the whole skirmish; no ability has a tool here."""
    ability = sheet(game, who).initiative[choice]
    set_bracket(game, who, challenge(game, who, ability, game.setup.rules.initiative_tn, NO_TOOL, 0, 0))


@kernel
def set_bracket(game: Game, who: int, bracket: int) -> None:
    """This character's bracket; the next one follows."""
    fighter(game, who).bracket = bracket
    emit(game.log, Happened.BRACKET, who, -1, bracket, 0, 0)
    game.state.asked = who + 1


# --- a round (sections 2 and 3) ----------------------------------------------------------------------------


@kernel
def start_round(game: Game) -> None:
    """Refresh of Momentum, and the before-phase begins."""
    state = game.state
    emit(game.log, Happened.ROUND, -1, -1, 0, state.game_round, 0)
    for who in range(game.setup.count):
        if standing(game, who):
            refresh(game, who)
    state.phase = Phase.BEFORE
    state.place = 0
    state.stage = Stage.NEXT_FIGHTER


@kernel
def refresh(game: Game, who: int) -> None:
    """Momentum of the round, then a pending STUN (sections 3 and 4)."""
    it = fighter(game, who)
    if game.state.game_round == 0:
        it.momentum = 1 - it.surprised
    else:
        it.momentum = min(MAX_MOMENTUM, max(0, sheet(game, who).momentum + bracket_change(game, who)))
    if it.stun_pending == 1:
        it.momentum = max(0, it.momentum - 1)
        it.stun_pending = 0


@hot
def bracket_change(game: Game, who: int) -> int:
    """Confused: -1; Fluid: +1; foes have no bracket (section 2)."""
    if sheet(game, who).side == Side.FOES:
        return 0
    if fighter(game, who).bracket == Bracket.CONFUSED:
        return -1
    return 1 if fighter(game, who).bracket == Bracket.FLUID else 0


@hot
def next_fighter(game: Game) -> None:
    """The next turn: before, foes, after; within a phase in file order (R-04)."""
    state = game.state
    while state.phase <= Phase.AFTER:
        last = game.setup.count if state.phase == Phase.FOES else game.setup.party_count
        while state.place < last:
            if takes_place(game, state.place):
                return
            state.place += 1
        state.phase += 1
        state.place = game.setup.party_count if state.phase == Phase.FOES else 0
    state.phase = 0
    state.place = 0
    state.stage = Stage.ROUND_END


@hot
def takes_place(game: Game, who: int) -> bool:
    """Does this fighter act in this phase, or have to say whether it does?"""
    it = fighter(game, who)
    phase = game.state.phase
    if it.out == 1 or it.surprised == 1:
        return False
    if phase == Phase.BEFORE:
        if it.bracket == Bracket.CONFUSED:
            return False
        if it.bracket != Bracket.PREPARED:
            ask(game, who, Window.TIMING)
            return True
    elif phase == Phase.AFTER and it.bracket != Bracket.CONFUSED and it.later == 0:
        return False
    start_turn(game, who)
    return True


@kernel
def choose_timing(game: Game, who: int, later: int) -> None:
    """Off-Balance pays 1 Momentum for acting before, at this moment; brackets pay nothing in a surprise round."""
    it = fighter(game, who)
    emit(game.log, Happened.TIMING, who, -1, later, 0, 0)
    if later == 1:
        it.later = 1
        game.state.place += 1
        return
    if it.bracket == Bracket.OFF_BALANCE and game.state.game_round > 0:
        it.momentum = max(0, it.momentum - 1)
    start_turn(game, who)


@kernel
def start_turn(game: Game, who: int) -> None:
    """A fighter's turn begins."""
    game.state.acting = who + 1
    game.state.stage = Stage.TURN
    emit(game.log, Happened.TURN, who, -1, 0, 0, 0)


@hot
def turn(game: Game) -> None:
    """The turn goes on until the fighter ends it, a BOTCH does, or it is out."""
    state = game.state
    who = state.acting - 1
    if state.turn_over == 1 or not standing(game, who):
        emit(game.log, Happened.TURN_ENDS, who, -1, 0, 0, 0)
        end_turn_fields(game)
        state.place += 1
        state.stage = Stage.NEXT_FIGHTER
    else:
        ask(game, who, Window.ACT)


# --- the end of a round (section 4) ------------------------------------------------------------------------


@kernel
def end_round(game: Game) -> None:
    """(1) BURNING and BLEEDING, then who is out; both sides at once: undecided."""
    for who in range(game.setup.count):
        if standing(game, who):
            points = fighter(game, who).burning + (1 if fighter(game, who).bleeding > 0 else 0)
            if points > 0:
                hurt(game, who, Pool.BODY, points)
    game.state.asked = 0
    game.state.stage = Stage.COUNTERS if game.state.game_round == 0 else Stage.RECOVERY
    settle(game)


@kernel
def recover_next(game: Game) -> None:
    """(2) Recovery in file order: every unspent point of Momentum goes to a damaged pool (section 3, R-06)."""
    state = game.state
    while state.asked < game.setup.count:
        who = state.asked
        if state.points == 0:
            begin_recovery(game, who)
        if share_points(game, who):
            return
        state.points = 0
        state.pool = 0
        state.asked += 1
    state.asked = 0
    state.stage = Stage.COUNTERS


@kernel
def begin_recovery(game: Game, who: int) -> None:
    """The unspent Momentum of a fighter that recovers: a character, or a foe whose sheet says so."""
    it = fighter(game, who)
    if standing(game, who) and (sheet(game, who).side == Side.PARTY or sheet(game, who).recovers == 1):
        game.state.points = it.momentum
        it.momentum = 0
    game.state.pool = 0


@kernel
def share_points(game: Game, who: int) -> bool:
    """Ask how much the next damaged pool gets, if there is a choice (R-30). True if a window is open."""
    state = game.state
    while state.points > 0 and state.pool <= Pool.SPIRIT:
        most = most_points(game, who)
        if least_points(game, who) < most:
            ask(game, who, Window.RECOVER)
            return True
        give(game, who, most)
    return False


@hot
def missing(game: Game, who: int, pool: int) -> int:
    """How far a pool is below its maximum."""
    return maximum(game, who, pool) - current(game, who, pool)


@kernel
def most_points(game: Game, who: int) -> int:
    """The most that the pool being asked about can take."""
    return min(game.state.points, missing(game, who, game.state.pool))


@kernel
def least_points(game: Game, who: int) -> int:
    """What the later pools cannot take goes to the one being asked about: no point is wasted (R-33)."""
    rest = game.state.points
    for later in range(game.state.pool + 1, Pool.SPIRIT + 1):
        rest -= missing(game, who, later)
    return min(max(0, rest), most_points(game, who))


@kernel
def give(game: Game, who: int, points: int) -> None:
    """This many points go to the pool; the next pool follows."""
    state = game.state
    if points > 0:
        heal(game, who, state.pool, points)
    state.points -= points
    state.pool += 1


@kernel
def recover(game: Game, who: int, points: int) -> None:
    """The player gives this many points to the pool."""
    state = game.state
    give(game, who, points)
    if state.points == 0:
        state.pool = 0
        state.asked += 1


@kernel
def count_down(game: Game) -> None:
    """(3) Counters, locks, guards; then (4) the next round, or the end of the skirmish."""
    state = game.state
    for who in range(game.setup.count):
        if standing(game, who):
            count_down_fighter(game, who)
    if state.game_round >= game.setup.rules.max_rounds:
        finish(game, Winner.UNDECIDED)
        return
    state.game_round += 1
    state.stage = Stage.ROUND_START


@kernel
def count_down_fighter(game: Game, who: int) -> None:
    """HAMSTRUNG, FREEZING and BLEEDING run out; locks and guards are free again; surprise is over."""
    it = fighter(game, who)
    if it.freezing > 0:
        it.freezing -= 1
        if it.freezing == 0:
            emit(game.log, Happened.ENDED, who, -1, Tag.FREEZING, 0, 0)  # HAMSTRUNG has a counter of its own
    if it.hamstrung > 0:
        it.hamstrung -= 1
        if it.hamstrung == 0:
            lose(game, who, Tag.HAMSTRUNG)
    if it.bleeding > 0:
        it.bleeding -= 1
        if it.bleeding == 0:
            lose(game, who, Tag.BLEEDING)
    it.locked = 0
    it.guarded = 0
    it.later = 0
    it.surprised = 0
