"""The records of Legacy of Lamashtu: what is fixed (Setup, Sheet) and what changes (State, Fighter)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from lens_env.core.board import Board
from lens_env.core.dice import Dice, Table
from lens_env.core.log import Log
from lens_env.core.record import Many, Record

MAX_FIGHTERS = 12
MAX_POOL = 12  # dice of a pool
MASK_WORDS = 6  # 8 actions each; catalogue.py asserts that all fit

# --- fixed for a skirmish ----------------------------------------------------------------------------------


class Pool(Record):
    """A roll of some dice."""

    table: Table  # of (successes, Criticals), in the order of ``dice.pool_index``
    above: Annotated[Many[float], MAX_POOL + 1]  # the chance of more successes than this


class Sheet(Record):
    """What is fixed about a fighter."""

    side: int
    reach: int  # cells; 1 = melee
    attack: int  # dice of the pools, 0..MAX_POOL
    block: int
    dodge: int
    clash: int
    target: int  # the target number of its Tier
    damage: int  # points of Health that a hit takes
    health: int  # maximum
    poise: int  # maximum
    points: int  # Action Points of a turn
    speed: int  # cells of a MOVE
    helpless: int  # 0 or 1: cannot defend itself
    start_x: int
    start_y: int


class Rules(Record):
    """The switches of the encounter."""

    reveal: int  # reveal_attack_roll: false 0 | true 1
    failure_hits: int  # false 0 | true 1
    effect_costs: int  # clash_effect: free 0 | costs_critical 1
    poise_per_round: int
    recovers: int  # RECOVERs of a turn
    most_banked: int  # Action Points that can be banked
    max_rounds: int


class Setup(Record):
    """An encounter: rules, board and sheets, the party first, then the foes, in file order."""

    rules: Rules
    party_count: int
    count: int  # fighters in all
    forbids: int  # 0: neither side has a forbidden action
    forbidden_party: Annotated[Many[int], MASK_WORDS]  # bytes like the mask, 1 = forbidden
    forbidden_foes: Annotated[Many[int], MASK_WORDS]
    order: Annotated[Many[int], MAX_FIGHTERS]  # the fighters in the order of their turns
    sheets: Annotated[Many[Sheet], MAX_FIGHTERS]
    pools: Annotated[Many[Pool], MAX_POOL + 1]  # by number of dice; only those in use are filled
    board: Board


# --- changes during a skirmish -----------------------------------------------------------------------------


class Fighter(Record):
    """What changes about a fighter."""

    out: int  # 0 or 1
    x: int
    y: int
    health: int  # 0..maximum
    poise: int  # 0..maximum; 0 = broken
    points: int  # Action Points left, 0 but on the own turn
    banked: int  # Action Points for the next turn
    off_balance: int  # 0 or 1; the ladder has one rung at a time
    staggered: int  # 0 or 1
    settled: int  # 1: a turn of its own has begun since it came to its rung
    prone: int  # 0 or 1


class State(Record):
    """A skirmish. The fields of a finished exchange, turn or round are zero."""

    window: int
    decider: int  # fighter, -1 = none
    side: int  # of the decider, -1 = none
    stage: int
    winner: int  # Winner
    game_round: int  # from 1
    place: int  # whose place in the order has come
    # the turn
    acting: int  # fighter + 1, 0 = nobody's turn
    turn_over: int
    moved: int  # MOVEs this turn, 0 or 1
    recovered: int  # RECOVERs this turn
    steps: int  # steps left of the MOVE or of the DODGE under way
    # the exchange
    attacker: int  # fighter + 1
    target: int  # fighter + 1
    rolled: int  # successes of a revealed attack roll + 1
    defense: int  # Defense chosen
    margin: int  # successes of the defence above those of the attack, as far as they matter
    criticals: int  # Criticals that may still be given up
    buying: int  # the first Cash that may still be bought
    spaces: int  # additional spaces bought
    forced: int  # 1: a failed DODGE has to move
    fighters: Annotated[Many[Fighter], MAX_FIGHTERS]


class Game(NamedTuple):
    """What every rule receives: records only."""

    state: State
    dice: Dice
    setup: Setup
    log: Log
