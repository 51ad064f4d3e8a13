"""The records of Nor'Ova: what is fixed (Setup, Sheet) and what changes (State, Fighter)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from lens_env.core.board import Board
from lens_env.core.dice import Dice, Table
from lens_env.core.log import Log
from lens_env.core.record import Many, Record

MAX_FIGHTERS = 12
MAX_ATTACKS = 4
MAX_SPELLS = 4
MAX_STRIKES = MAX_ATTACKS + MAX_SPELLS  # the attacks, then the spells
MAX_SKILLS = 4
MAX_SUPPORTS = 2
MASK_WORDS = 28  # 8 actions each; catalogue.py asserts that all fit
TRIES = 4  # own turns in which the fallen may buy a Save


# --- fixed for a skirmish ----------------------------------------------------------------------------------


class Attack(Record):
    """An attack or a spell."""

    exists: int  # 0 or 1
    magical: int  # 0 or 1
    kind: int  # AttackKind
    reach: int  # spaces, 1 = melee, 0 = everywhere
    plus: int  # damage added to the dice
    rolled: int  # 0 or 1: are there damage dice at all?
    stealth: int  # difficulty of noticing a covert or invisible attack, else 0
    hinders: int  # what the kind takes off the evade check, 0..20
    evade: int  # the attack's own evade difficulty, 0 = by the table
    radius: int  # spaces (area), else 0
    evadable: int  # 0 or 1: an area that may be evaded everywhere
    direction: int  # board.Side, without a board
    inflicts: int  # Status + 1, 0 = none
    rounds: int  # own turns that the status lasts
    soul: int  # cost of a spell
    delay: int  # rounds of casting, 0 = at once
    expected: float  # mean damage
    damage: Table


class Armor(Record):
    """The armour against one nature of damage."""

    rolled: int  # 0 or 1: are there dice?
    plus: int
    score: int  # Defense or Spirit: taken off too if the check succeeds
    table: Table


class Skill(Record):
    """A defensive skill."""

    exists: int
    check: int  # Trait
    difficulty: int
    power: int  # cost
    soul: int  # cost
    nature: int  # Nature
    effect: int  # Effect
    points: int  # absorbed
    ally: int  # 0 or 1: protects allies too


class Support(Record):
    """A support action."""

    exists: int
    heal: int  # Vitality
    power: int
    soul: int


class Sheet(Record):
    """What is fixed about a fighter."""

    side: int
    vitality: int  # maximum
    power: int
    soul: int
    speed: int  # spaces of a Move
    bulk: int  # the size
    guards: int  # 0 or 1: has the Guard ability
    counters: int  # 0 or 1: has the Counter Attack skill
    flying: int
    hindered: int  # 0 or 1: overburdened throughout
    offers_all: int  # 0 or 1: dominated defences are offered
    protects: int  # 0 or 1: could ever be asked to protect an ally
    hidden: int  # added to the difficulty of noticing a spectator
    traits: Annotated[Many[int], 7]  # by Trait
    initiative: int
    xp: int
    one_vitality: float  # a point as a share of what there is at the start; 0 of nothing
    one_power: float
    one_soul: float
    one_xp: float
    spectator: int
    start_x: int
    start_y: int
    start_facing: int  # Direction, -1 = towards the nearest enemy
    statuses: Annotated[Many[int], 8]  # at the start, by Status: own turns left
    skills: Annotated[Many[Skill], MAX_SKILLS]
    supports: Annotated[Many[Support], MAX_SUPPORTS]
    armors: Annotated[Many[Armor], 2]  # by Nature
    strikes: Annotated[Many[Attack], MAX_STRIKES]


class Rules(Record):
    """The switches of the encounter."""

    simple: int  # evade_table: full 0 | simple 1
    evade_then_act: int
    minimum_damage: int
    max_rounds: int


class Setup(Record):
    """An encounter: rules, board and sheets, the party first, then the foes, in file order."""

    rules: Rules
    party_count: int
    count: int  # fighters in all
    forbids: int  # 0: neither side has a forbidden action
    spectators: int  # how many there are at the start
    forbidden_party: Annotated[Many[int], MASK_WORDS]  # bytes like the mask, 1 = forbidden
    forbidden_foes: Annotated[Many[int], MASK_WORDS]
    d20: Table
    board: Board
    sheets: Annotated[Many[Sheet], MAX_FIGHTERS]


# --- changes during a skirmish -----------------------------------------------------------------------------


class Fighter(Record):
    """What changes about a fighter. What every decision reads comes first, in the same cache line."""

    out: int  # Out
    x: int
    y: int
    facing: int  # Direction
    vitality: int  # 0..maximum
    prone: int  # 0 or 1
    casting: int  # strike slot + 1 of the spell being cast, 0 = none
    stunned: int  # own turns left; so the next six
    unconscious: int
    trapped: int
    distracted: int
    berserk: int
    dazed: int
    hindered: int
    power: int
    soul: int
    xp: int
    tries: int  # own turns left in which a Save may be bought, while down
    delay: int  # own turns until the spell goes off
    aim: int  # whom the spell is for, see ``strikes.aim_of``
    rolled: int  # initiative, while the order is being made


class State(Record):
    """A skirmish. The fields of a finished exchange, turn or round are zero."""

    window: int
    decider: int  # fighter, -1 = none
    side: int  # of the decider (a spectator's is the GM's), -1 = none
    stage: int
    winner: int  # Winner
    game_round: int  # from 1
    place: int  # whose place in the order has come
    order: int  # fighters by place, four bits each from the lowest
    ordered: int  # how many are in the order
    # the turn
    acting: int  # fighter + 1, 0 = nobody's turn
    used: int  # bit set of Use
    steps: int  # steps left of the Move under way
    moving: int  # 0 or 1
    heading: int  # direction of the step under way
    provoked: int  # bit set of the enemies that have struck at the mover this turn
    watcher: int  # the next fighter to ask for an Attack of Opportunity or a spectator's attack
    # the exchange
    origin: int  # Origin
    attacker: int  # fighter + 1
    target: int  # fighter + 1
    strike: int  # strike slot
    returned: int  # 1: this attack is itself a counter
    direction: int  # board.Side
    aware: int  # 0 or 1
    evade: int  # what an evade check must reach in all, 0 = no evasion possible
    defense: int  # Defense chosen
    skill: int  # skill slot
    asked: int  # the next fighter to ask whether it protects the target
    effect: int  # Effect of a skill that works
    points: int  # absorbed by it
    # an area attack
    blast: int  # attacker + 1, 0 = none under way
    blast_strike: int
    blast_aim: int  # its centre, see ``strikes.aim_of``
    blast_next: int  # the next fighter that it may strike
    column: int  # the x chosen for a centre
    fighters: Annotated[Many[Fighter], MAX_FIGHTERS]


class Game(NamedTuple):
    """What every rule receives: records only."""

    state: State
    dice: Dice
    setup: Setup
    log: Log
