"""The records of The Lens: what is fixed (Setup, Sheet) and what changes (State, Fighter)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from lens_env.core.board import Board
from lens_env.core.dice import Dice, Table
from lens_env.core.log import Log
from lens_env.core.record import Many, Record

MAX_FIGHTERS = 12
MAX_ATTACKS = 4
MAX_SPELLS = 4
MAX_ITEMS = 4
MAX_ABILITIES = 16
MAX_INITIATIVE = 4  # abilities a character may choose from for initiative
MASK_WORDS = 19  # 8 actions each; catalogue.py asserts that all fit
MAX_MOMENTUM = 9
MOVE_STEPS = 6  # 30 feet in cells of 5 feet
FIXED = 16  # numbers of an observation that a sheet fixes (observe.py names them)


# --- fixed for a skirmish ----------------------------------------------------------------------------------


class AbilityDice(Record):
    """The dice of one ability, in sides; 0 = no such die."""

    talent: int  # 6, 8, 10, 12
    training: int  # 0, 4, 6, 8, 10, 12
    third: int  # with the tool of the ability in use
    bare: int  # third die without any tool (initiative, surprise, stalking)


class Attack(Record):
    """A monster's attack, or (slot 0) a character's weapon and (slot 1) its bare hands."""

    exists: int  # 0 or 1
    average: float  # damage
    damage: Table
    tags: int  # bit set of Tag
    reach: int  # squares; 1 = melee
    magic: int  # 0 or 1
    pool: int  # Pool
    rating: int  # target number for the defender (monsters)
    natural: int  # 0 or 1: not lost when DISARMED


class Spell(Record):
    """A spell of a character."""

    exists: int
    complexity: int  # target number of FORM
    sure: int  # 1: formed without a roll
    school: int  # ability slot
    average: float  # damage
    damage: Table
    pool: int
    tags: int
    reach: int  # squares, 0 = unlimited


class Item(Record):
    """An item of a character."""

    exists: int
    cost: int  # Momentum, 0..7
    uses: int
    effect: int  # Effect
    amount: int
    pool: int
    tag: int  # Tag, -1 = none
    rolled: int  # 0 or 1
    ability: int  # ability slot, if rolled
    tn: int


class Sheet(Record):
    """What is fixed about a fighter."""

    side: int
    body: int  # maxima of the pools; 0 = lacks the pool
    mind: int
    spirit: int
    momentum: int  # at the start of a round, before the bracket
    recovers: int  # 0 or 1
    start_x: int
    start_y: int
    abilities: Annotated[Many[AbilityDice], MAX_ABILITIES]
    initiative_count: int
    initiative: Annotated[Many[int], MAX_INITIATIVE]  # ability slots
    tag_limit: int  # tags per ATTACK, 0..5
    has_weapon: int
    unarmed_third: int  # third die of Weapon Use with bare hands
    natural_parry: int
    has_shield: int
    has_armor: int
    armor_rating: int
    ward: int
    attacks: Annotated[Many[Attack], MAX_ATTACKS]
    spells: Annotated[Many[Spell], MAX_SPELLS]
    items: Annotated[Many[Item], MAX_ITEMS]
    defense: int
    abjuration: int
    armor: int  # damage that a monster's hide takes off
    guard: int  # Guard
    talent: int  # sides of a monster's die for ASSIST and INTERFERE
    one_body: float  # a point as a share of the pool; 0 without the pool
    one_mind: float
    one_spirit: float
    seen: Annotated[Many[float], FIXED]  # what anyone can see of this sheet, each in 0..1


class Rules(Record):
    """The switches of the encounter."""

    riposte: int  # parry: as_printed 0 | riposte 1
    one_move: int  # moves_per_turn: any 0 | 1
    surprised_confused: int  # surprised_initiative: normal 0 | confused 1
    defence_only: int  # reactions: all 0 | defence_only 1
    max_rounds: int
    surprise: int  # SurpriseKind
    surprise_ability: int
    surprise_tn: int
    initiative_tn: int  # the highest Initiative among the foes


class Setup(Record):
    """An encounter: rules, board and sheets, the party first, then the foes, in file order."""

    rules: Rules
    party_count: int
    count: int  # fighters in all
    forbids: int  # 0: neither side has a forbidden action
    forbidden_party: Annotated[Many[int], MASK_WORDS]  # bytes like the mask, 1 = forbidden
    forbidden_foes: Annotated[Many[int], MASK_WORDS]
    board: Board
    sheets: Annotated[Many[Sheet], MAX_FIGHTERS]


# --- changes during a skirmish -----------------------------------------------------------------------------


class Fighter(Record):
    """What changes about a fighter. What every decision reads comes first, in the same cache line."""

    momentum: int  # left this round, 0..MAX_MOMENTUM
    x: int
    y: int
    out: int  # 0 or 1
    body: int  # 0..maximum
    prone: int  # 0 or 1
    hamstrung: int  # rounds left, 0..2
    disarmed: int  # 0 or 1
    mind: int
    spirit: int
    readied: int  # bit set of Tag for the next ATTACK
    burning: int  # 0 or 1
    bleeding: int  # rounds left, 0..3
    freezing: int  # rounds left, 0..2
    locked: int  # bit set of Defense, until the end of the round
    guarded: int  # 0 or 1: has used its guard this round
    bracket: int  # Bracket
    surprised: int
    later: int  # 1: chose to act after the foes this round
    stun_pending: int  # 0 or 1: loses a point at the next refresh
    formed: int  # spell slot + 1, 0 = none
    extra_tags: int  # bit set of Tag that items put on the weapon
    using: int  # item slot + 1 that is being paid, 0 = none
    paid: int  # Momentum already paid for it
    uses: Annotated[Many[int], MAX_ITEMS]  # uses left


class State(Record):
    """A skirmish. The fields of a finished exchange, turn or round are zero."""

    window: int
    decider: int  # fighter, -1 = none
    side: int  # of the decider, -1 = none
    stage: int
    winner: int  # Winner
    game_round: int  # 0 = surprise round
    phase: int
    place: int  # whose place in the phase has come
    # the turn
    acting: int  # fighter + 1, 0 = nobody's turn
    turn_over: int
    moves: int  # MOVEs this turn
    tiny_used: int
    steps: int  # steps left of the MOVE under way
    moving: int  # 0 or 1
    # the roll under way
    roll: int  # Roll
    actor: int  # who rolls + 1
    ability: int
    tn: int
    asked: int  # the next fighter to ask for a reaction, or the next item of a list
    helper: int  # fighter + 1 whose die may help
    hinderer: int  # fighter + 1 whose die may harm
    outcome: int
    # the exchange
    attacker: int  # fighter + 1
    target: int  # fighter + 1
    attack: int  # attack, spell or item slot
    tags: int  # bit set of Tag of the attack
    defense: int  # Defense chosen
    stopped: int  # 1: a defence stopped the attack
    extra: int  # damage added (positive) or taken off (negative)
    free_move: int  # 1: a free move is due
    heading: int  # direction of the step under way
    # recovery
    points: int  # unspent Momentum still to be given
    pool: int  # the pool being asked about
    fighters: Annotated[Many[Fighter], MAX_FIGHTERS]


class Game(NamedTuple):
    """What every rule receives: records only."""

    state: State
    dice: Dice
    setup: Setup
    log: Log
