"""What a player of The Lens can see, as numbers: the skirmish as a whole, and each fighter.

Everything on the sheets is open, as at a table where the game master names what the dice must beat; only dice to
come are unknown. Shares lie in 0..1, what is relative to the viewer in -1..1. ``SCENE`` and ``FIGHTER`` name the
numbers in their order, the constants below them are their places.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lens_env.core import board as ground
from lens_env.core.bits import has
from lens_env.core.kernel import hot, kernel
from lens_env.core.ruleset import Seen, names_of
from lens_env.core.skirmish import around, distance, standing

from .codes import Defense, Outcome, Phase, Pool, Roll, Tag, Window
from .fighters import fighter, sheet
from .state import FIXED, MAX_ITEMS, MAX_MOMENTUM, MAX_SPELLS, MOVE_STEPS, Game


def _group(name: str, members: Iterable[str]) -> list[Seen]:
    return [Seen(f"{name}.{member}") for member in members]


SCENE = (
    *_group("window", names_of(list(Window))[1:]),  # what is asked: one of them is 1
    Seen("round"),  # share of max_rounds gone
    *_group("phase", names_of(list(Phase))),
    # the viewer's own budget
    *_group("own.locked", names_of(list(Defense))[1:]),  # defences that a SACRIFICE has locked
    *_group("own.formed", (f"spell {slot}" for slot in range(MAX_SPELLS))),
    *_group("own.uses", (f"item {slot}" for slot in range(MAX_ITEMS))),  # of 9
    Seen("own.paid"),  # for the item in use, of 7
    *_group("own.readied", names_of(list(Tag))),  # tags for the next ATTACK
    # the turn under way
    Seen("turn.steps"),  # left of a MOVE, of 6
    Seen("turn.moved"),
    Seen("turn.tiny used"),
    # the attack under way
    Seen("attack.expected"),  # mean damage if it strikes undefended, of 50
    Seen("attack.extra", -1.0, 1.0),  # damage added or taken off so far, of 50
    Seen("attack.magic"),
    Seen("attack.stopped"),
    *_group("attack.pool", names_of(list(Pool))),
    *_group("attack.tag", names_of(list(Tag))),
    *_group("attack.defense", names_of(list(Defense))),  # the one chosen
    # the roll under way
    *_group("roll", names_of(list(Roll))[1:]),
    Seen("roll.target number"),  # of 30
    *_group("roll.outcome", names_of(list(Outcome))),
    Seen("roll.helped"),
    Seen("roll.hindered"),
    # recovery
    Seen("recovery.points"),  # to be given, of 9
    *_group("recovery.pool", names_of(list(Pool))),
    *_group("cell", names_of(list(ground.Direction))),  # 1 free, 0.5 free but difficult, 0 no way there
)

FIGHTER = (
    Seen("present"),
    Seen("standing"),
    Seen("asked"),  # it decides
    Seen("acting"),  # it is its turn
    Seen("attacking"),
    Seen("attacked"),
    Seen("body"),  # shares of the maxima
    Seen("mind"),
    Seen("spirit"),
    Seen("momentum"),  # of 9
    Seen("initiative", field="bracket"),  # CONFUSED 0, OFF_BALANCE 1/3, PREPARED 2/3, FLUID 1
    Seen("after the foes", field="later"),
    Seen("surprised"),
    Seen("prone"),
    Seen("hamstrung"),  # rounds left, of 2
    Seen("disarmed"),
    Seen("burning"),
    Seen("bleeding"),  # rounds left, of 3
    Seen("freezing"),  # rounds left, of 2
    Seen("stunned"),
    Seen("guarded"),  # has used its guard this round
    Seen("east", -1.0, 1.0),  # cells from the viewer, of 31
    Seen("south", -1.0, 1.0),
    Seen("distance"),  # of 31
    # the sheet
    Seen("sheet.body"),  # maximum, of 200
    Seen("sheet.momentum"),  # of 9
    Seen("sheet.weapon use"),  # the sides of the three dice, of 36
    Seen("sheet.shield use"),
    Seen("sheet.armor use"),
    Seen("sheet.maneuvering"),
    Seen("sheet.abjuration"),  # the dice (a character), or the target number of spells, of 30
    Seen("sheet.defense"),  # target number of attacks, of 30
    Seen("sheet.attack rating"),  # of its first attack, of 30
    Seen("sheet.damage"),  # mean of its strongest attack or spell, of 50
    Seen("sheet.reach"),  # cells, of 31
    Seen("sheet.shield"),
    Seen("sheet.armor"),  # rating, or what a hide absorbs, of 50
    Seen("sheet.ward"),  # of 50
    Seen("sheet.guard"),
    Seen("sheet.caster"),
)

_SCENE_AT = {seen.name: place for place, seen in enumerate(SCENE)}
ROUND = _SCENE_AT["round"]
PHASE = _SCENE_AT["phase.BEFORE"]
LOCKED = _SCENE_AT["own.locked.ABJURE"]
FORMED = _SCENE_AT["own.formed.spell 0"]
USES = _SCENE_AT["own.uses.item 0"]
PAID = _SCENE_AT["own.paid"]
READIED = _SCENE_AT["own.readied.STUN"]
STEPS = _SCENE_AT["turn.steps"]
ATTACK = _SCENE_AT["attack.expected"]
ATTACK_POOL = _SCENE_AT["attack.pool.BODY"]
ATTACK_TAG = _SCENE_AT["attack.tag.STUN"]
ATTACK_DEFENSE = _SCENE_AT["attack.defense.NONE"]
ROLL = _SCENE_AT["roll.ATTACK"]
ROLL_NUMBER = _SCENE_AT["roll.target number"]
ROLL_OUTCOME = _SCENE_AT["roll.outcome.BOTCH"]
HELPED = _SCENE_AT["roll.helped"]
RECOVERY = _SCENE_AT["recovery.points"]
CELL = _SCENE_AT["cell.N"]
_FIGHTER_AT = {seen.name: place for place, seen in enumerate(FIGHTER)}
POOLS = _FIGHTER_AT["body"]
CONDITIONS = _FIGHTER_AT["initiative"]
PLACE = _FIGHTER_AT["east"]
SHEET = _FIGHTER_AT["sheet.body"]
TAGS = len(Tag)

assert len(FIGHTER) - SHEET == FIXED

# one of a full count: multiplying is several times faster than dividing
ONE_OF_2 = 1.0 / 2.0
ONE_OF_3 = 1.0 / 3.0
ONE_USE = 1.0 / 9.0
ONE_PAID = 1.0 / 7.0
ONE_POINT = 1.0 / MAX_MOMENTUM
ONE_STEP = 1.0 / MOVE_STEPS
ONE_CELL = 1.0 / (ground.MAX_SIZE - 1)
ONE_HURT = 1.0 / 50.0
MOST_TN = 30.0


@hot
def share(part: float, whole: float) -> float:
    """``part`` of ``whole``, at most 1; 0 of nothing."""
    return min(1.0, part / whole) if whole > 0 else 0.0


@hot
def bits(out: Any, at: int, flags: int, count: int) -> None:
    """The lowest bits of a set, one number each."""
    for bit in range(count):
        out[at + bit] = (flags >> bit) & 1


@kernel
def health(game: Game, who: int) -> float:
    """The share of its BODY that a fighter has left; 0 if it is out."""
    return share(fighter(game, who).body, sheet(game, who).body) if standing(game, who) else 0.0


# --- the skirmish ------------------------------------------------------------------------------------------


@hot
def observe_scene(game: Game, viewer: int, out: Any, at: int) -> None:
    """What a fighter knows of the skirmish as a whole: ``SCENE``."""
    state = game.state
    if state.window != Window.NONE:
        out[at + state.window - 1] = 1.0
    out[at + ROUND] = share(state.game_round, game.setup.rules.max_rounds)
    out[at + PHASE + state.phase] = 1.0
    observe_own(game, viewer, out, at)
    observe_turn(game, out, at)
    if state.roll != Roll.NONE:
        observe_roll(game, out, at)
    if state.attacker > 0:
        observe_attack(game, out, at)
    if state.window == Window.RECOVER:
        out[at + RECOVERY] = state.points * ONE_POINT
        out[at + RECOVERY + 1 + state.pool] = 1.0
    if ground.exists(game.setup.board) and standing(game, viewer):
        observe_cells(game, viewer, out, at + CELL)


@hot
def observe_own(game: Game, viewer: int, out: Any, at: int) -> None:
    """What only matters to the viewer itself: locks, tags, the spell it formed, its items."""
    it = fighter(game, viewer)
    if it.locked != 0:
        bits(out, at + LOCKED, it.locked >> 1, Defense.PARRY)
    if it.readied != 0:
        bits(out, at + READIED, it.readied, TAGS)
    if it.formed > 0:
        out[at + FORMED + it.formed - 1] = 1.0
    out[at + PAID] = it.paid * ONE_PAID
    for slot in range(MAX_ITEMS):
        out[at + USES + slot] = it.uses[slot] * ONE_USE


@hot
def observe_turn(game: Game, out: Any, at: int) -> None:
    """What the turn under way has used up."""
    state = game.state
    out[at + STEPS] = state.steps * ONE_STEP
    out[at + STEPS + 1] = 1.0 if state.moves > 0 else 0.0
    out[at + STEPS + 2] = state.tiny_used


@hot
def observe_roll(game: Game, out: Any, at: int) -> None:
    """What is rolled for, against what, and how it came out."""
    state = game.state
    out[at + ROLL + state.roll - 1] = 1.0
    out[at + ROLL_NUMBER] = share(state.tn, MOST_TN)
    out[at + HELPED] = 1.0 if state.helper > 0 else 0.0
    out[at + HELPED + 1] = 1.0 if state.hinderer > 0 else 0.0
    if is_known(state.window):
        out[at + ROLL_OUTCOME + state.outcome] = 1.0


@hot
def is_known(window: int) -> bool:
    """Does this window ask about the outcome of a roll?"""
    return Window.ATTACK_SACRIFICE <= window <= Window.GUARD or Window.DEFENSE_SACRIFICE <= window <= Window.REMOVE_TAG


@hot
def observe_attack(game: Game, out: Any, at: int) -> None:
    """The committed attack: damage, pool, tags, and the defence chosen."""
    state = game.state
    it = sheet(game, state.attacker - 1)
    if state.roll == Roll.CAST:
        out[at + ATTACK] = min(1.0, it.spells[state.attack].average * ONE_HURT)
        out[at + ATTACK + 2] = 1.0
        out[at + ATTACK_POOL + it.spells[state.attack].pool] = 1.0
    else:
        out[at + ATTACK] = min(1.0, it.attacks[state.attack].average * ONE_HURT)
        out[at + ATTACK + 2] = it.attacks[state.attack].magic
        out[at + ATTACK_POOL + it.attacks[state.attack].pool] = 1.0
    out[at + ATTACK + 1] = max(-1.0, min(1.0, state.extra * ONE_HURT))
    out[at + ATTACK + 3] = state.stopped
    bits(out, at + ATTACK_TAG, state.tags, TAGS)
    out[at + ATTACK_DEFENSE + state.defense] = 1.0


@hot
def observe_cells(game: Game, viewer: int, out: Any, at: int) -> None:
    """The cells around the viewer."""
    it = fighter(game, viewer)
    board = game.setup.board
    ways = ground.ways(board, it.x, it.y) & ~around(game, viewer, 0, game.setup.count, it.x, it.y)
    rough = ground.rough_ways(board, it.x, it.y)
    for direction in range(ground.DIRECTIONS):
        if has(ways, direction):
            out[at + direction] = 0.5 if has(rough, direction) else 1.0


# --- a fighter ---------------------------------------------------------------------------------------------


@hot
def observe_fighter(game: Game, viewer: int, who: int, out: Any, at: int) -> None:
    """What a fighter knows of another, or of itself: ``FIGHTER``."""
    state = game.state
    out[at] = 1.0
    out[at + 1] = 1.0 if standing(game, who) else 0.0
    out[at + 2] = 1.0 if state.decider == who else 0.0
    out[at + 3] = 1.0 if state.acting == who + 1 else 0.0
    out[at + 4] = 1.0 if state.attacker == who + 1 else 0.0
    out[at + 5] = 1.0 if state.target == who + 1 else 0.0
    observe_pools(game, who, out, at + POOLS)
    observe_conditions(game, who, out, at + CONDITIONS)
    if ground.exists(game.setup.board) and standing(game, who) and standing(game, viewer):
        observe_place(game, viewer, who, out, at + PLACE)
    seen = sheet(game, who).seen
    for k in range(FIXED):
        out[at + SHEET + k] = seen[k]


@hot
def observe_pools(game: Game, who: int, out: Any, at: int) -> None:
    """BODY, MIND, SPIRIT as shares of their maxima, and Momentum."""
    it = fighter(game, who)
    most = sheet(game, who)
    out[at] = it.body * most.one_body
    out[at + 1] = it.mind * most.one_mind
    out[at + 2] = it.spirit * most.one_spirit
    out[at + 3] = it.momentum * ONE_POINT


@hot
def observe_conditions(game: Game, who: int, out: Any, at: int) -> None:
    """Initiative and conditions, in the order of their names."""
    it = fighter(game, who)
    out[at] = it.bracket * ONE_OF_3
    out[at + 1] = it.later
    out[at + 2] = it.surprised
    out[at + 3] = it.prone
    out[at + 4] = it.hamstrung * ONE_OF_2
    out[at + 5] = it.disarmed
    out[at + 6] = it.burning
    out[at + 7] = it.bleeding * ONE_OF_3
    out[at + 8] = it.freezing * ONE_OF_2
    out[at + 9] = it.stun_pending
    out[at + 10] = it.guarded


@hot
def observe_place(game: Game, viewer: int, who: int, out: Any, at: int) -> None:
    """Where a fighter stands, seen from the viewer."""
    one = fighter(game, viewer)
    other = fighter(game, who)
    out[at] = (other.x - one.x) * ONE_CELL
    out[at + 1] = (other.y - one.y) * ONE_CELL
    out[at + 2] = min(1.0, distance(game, viewer, who) * ONE_CELL)
