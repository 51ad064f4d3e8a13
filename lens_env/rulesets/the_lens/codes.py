"""The codes of The Lens: everything that a record stores as a number."""

from __future__ import annotations

from enum import IntEnum


class Outcome(IntEnum):
    """The four outcomes of a Challenge, by Effort."""

    BOTCH = 0
    SACRIFICE = 1
    SUCCESS = 2
    TRIUMPH = 3


class Ability(IntEnum):
    """The ability slots with a fixed meaning; spell Schools and all others follow from OTHER on."""

    WEAPON_USE = 0
    SHIELD_USE = 1
    ARMOR_USE = 2
    MANEUVERING = 3
    ABJURATION = 4
    SOURCE = 5
    OTHER = 6


class Pool(IntEnum):
    """The Aspect pools."""

    BODY = 0
    MIND = 1
    SPIRIT = 2


class Tag(IntEnum):
    """Tags of attacks, as positions in a bit set. The first nine are inflicted on the target."""

    STUN = 0
    PRONE = 1
    HAMSTRUNG = 2
    DISARMED = 3
    BURNING = 4
    BLEEDING = 5
    FREEZING = 6
    OVERBEARING = 7
    SLASHING = 8
    CRUSHING = 9
    SWEEPING = 10
    HEAVY = 11
    PIERCING = 12
    MISSILE = 13


INFLICTED = 0x1FF  # the tags that do something to the target
OFFENSIVE = 0x1FFF  # the tags that can be readied: all but MISSILE


class Bracket(IntEnum):
    """Initiative brackets, by the outcome of the roll; foes have none."""

    CONFUSED = 0
    OFF_BALANCE = 1
    PREPARED = 2
    FLUID = 3


class Phase(IntEnum):
    """The three parts of a round."""

    BEFORE = 0
    FOES = 1
    AFTER = 2


class Defense(IntEnum):
    """The defences, NONE included."""

    NONE = 0
    ABJURE = 1
    MITIGATE = 2
    BLOCK = 3
    DODGE = 4
    PARRY = 5


class Guard(IntEnum):
    """How a monster can void an attack."""

    NONE = 0
    SHIELD = 1
    NIMBLE = 2
    PARRY = 3


class Effect(IntEnum):
    """What an item does."""

    HEAL = 0
    HARM = 1
    CURE = 2
    ADD_TAG = 3


class Roll(IntEnum):
    """Which Challenge is under way: what its outcome means."""

    NONE = 0
    ATTACK = 1
    FORM = 2
    CAST = 3
    STEP = 4
    USE = 5
    DEFENSE = 6


class SurpriseKind(IntEnum):
    """How surprise is settled."""

    NONE = 0
    PARTY = 1
    FOES = 2
    AMBUSH = 3
    STALK = 4


class Window(IntEnum):
    """What the decider is asked."""

    NONE = 0
    INITIATIVE = 1  # which ability to roll
    TIMING = 2  # before or after the foes
    ACT = 3  # what to do on the own turn
    STEP = 4  # where to go next
    TARGET = 5  # whom the item is for
    ASSIST = 6
    INTERFERE = 7
    ATTACK_SACRIFICE = 8  # miss, or hit for 1 Momentum
    FORM_SACRIFICE = 9  # not formed, or formed for 1 Momentum
    STEP_SACRIFICE = 10  # stop, or enter for 1 Momentum
    ADD_TAG = 11  # the tag that a Triumph adds
    GUARD = 12  # does the monster void the attack
    DEFEND = 13  # which defence
    DEFENSE_SACRIFICE = 14  # full effect, or the defence at its price
    MITIGATION = 15  # less damage, or a tag less
    REMOVE_TAG = 16  # the tag that a Triumph removes
    FREE_MOVE = 17  # where a dodge ends
    RECOVER = 18  # how many points for this pool


class Stage(IntEnum):
    """What follows when no window is open."""

    SURPRISE = 0
    INITIATIVE = 1
    ROUND_START = 2
    NEXT_FIGHTER = 3
    TURN = 4
    ASK_ASSIST = 5
    ASK_INTERFERE = 6
    ROLL = 7
    RESOLVE = 8  # the outcome of the roll is known
    ASK_GUARD = 9
    STRIKE = 10  # damage and tags of a character's hit
    ENTER = 11  # the mover enters the cell
    EFFECT = 12  # the item works
    SUFFER = 13  # what a monster's attack still does
    AFTERMATH = 14  # conditions of the defence, riposte, free move
    EXCHANGE_END = 15
    ROUND_END = 16
    RECOVERY = 17
    COUNTERS = 18


class Happened(IntEnum):
    """Events of the tape. In brackets: what ``what``, ``amount`` and ``detail`` hold."""

    ROUND = 0  # [-, number]
    SURPRISED = 1
    BRACKET = 2  # [Bracket]
    TIMING = 3  # [0 before, 1 after]
    TURN = 4
    TURN_ENDS = 5
    ATTACKS = 6  # who -> other [slot, -, tags]
    CASTS = 7  # who -> other [slot]
    FORMS = 8  # [slot, complexity, 1: without a roll]
    FORMED = 9  # [slot]
    NOT_FORMED = 10  # [slot]
    CHALLENGE = 11  # [ability | tn << 8 | outcome << 16, faces or 0, sides of the five dice, 8 bits each]
    MISSES = 12  # who -> other
    DAMAGE_ROLL = 13  # [-, sum, added (or taken off) by defence or armour]
    DAMAGE = 14  # [Pool, points, points left]
    GAINED = 15  # [Tag]
    ENDED = 16  # [Tag]
    DEFENDS = 17  # who against other [Defense]
    STOPPED = 18  # who against other [Defense]
    LOCKED = 19  # [Defense]
    TAG_READIED = 20  # [Tag]
    TAG_ADDED = 21  # [Tag]
    TAG_REMOVED = 22  # [Tag]
    MOVES = 23
    STEPS = 24  # [Direction, x, y]
    STUCK = 25  # the difficult ground stops the move
    USES = 26  # [slot]
    PAYS = 27  # [slot, paid so far, cost]
    TAKES_EFFECT = 28  # who -> other [slot]
    NO_EFFECT = 29  # [slot]
    ASSISTS = 30  # who helps, other rolls or attacks
    INTERFERES = 31  # who hinders, other rolls or attacks
    GUARDS = 32  # who against other [Guard]
    PAYS_PRICE = 33  # takes the better alternative of a SACRIFICE
    YIELDS = 34  # takes the worse one
    RECOVERS = 35  # [Pool, points, points now]
    OUT = 36
    WON = 37  # [Winner]
    RIPOSTES = 38  # who -> other
    SIDESTEPS = 39  # [Direction, x, y]
