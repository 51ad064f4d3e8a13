"""The codes of Nor'Ova: everything that a record stores as a number."""

from __future__ import annotations

from enum import IntEnum


class Out(IntEnum):
    """Why a fighter takes no part; 0 if it does."""

    NO = 0
    DOWN = 1  # at Vitality 0, a Save may still come
    DEAD = 2
    SPECTATOR = 3


class Trait(IntEnum):
    """What a check is made with. VITALITY is the bonus of the Vitality Save."""

    EVADE = 0
    PERCEIVE = 1
    FOCUS = 2
    REACT = 3
    DEFENSE = 4
    SPIRIT = 5
    VITALITY = 6


class Nature(IntEnum):
    """What an attack is made of."""

    PHYSICAL = 0
    MAGICAL = 1
    ANY = 2  # of a skill: against both


class AttackKind(IntEnum):
    """The kind of an attack: a row of the table of defence situations."""

    MELEE = 0
    THROWN_OBJECT = 1
    PROJECTILE = 2
    AREA = 3
    SEEN_SPELL = 4
    FAST_SPELL = 5
    INVISIBLE_SPELL = 6
    COVERT = 7


class Status(IntEnum):
    """What an attack can inflict; each but PRONE lasts for a number of own turns."""

    PRONE = 0
    TRAPPED = 1
    STUNNED = 2
    DAZED = 3
    UNCONSCIOUS = 4
    BERSERK = 5
    DISTRACTED = 6
    HINDERED = 7


class Defense(IntEnum):
    """The defence actions; SKILL k is SKILL + k - 1."""

    NONE = 0
    EVADE = 1
    DEFEND = 2
    COUNTER = 3
    SKILL = 4


class Effect(IntEnum):
    """What a defensive skill does to an attack."""

    NOTHING = 0
    NEGATE = 1
    HALVE = 2
    ABSORB = 3
    COUNTER = 4


class Use(IntEnum):
    """The four things of an active turn, as bits."""

    ATTACK = 1
    MOVE = 2
    SUPPORT = 4
    MAGIC = 8


class Origin(IntEnum):
    """What an attack is part of: what follows when it is over."""

    TURN = 0  # an action of the own turn, or a spell that goes off at its start
    OPPORTUNITY = 1
    SPECTATOR = 2


class Window(IntEnum):
    """What the decider is asked."""

    NONE = 0
    ACT = 1  # what to do on the own turn
    STEP = 2  # where to go next
    FACE = 3  # where to look at the end of a Move
    DEFEND = 4  # which defence action
    GUARD = 5  # protect an ally?
    FOLLOW_UP = 6  # another defence after a failed evasion
    OPPORTUNITY = 7  # strike at one who leaves?
    SAVE = 8  # pay for another Vitality Save?
    SPECTATE = 9  # a spectator's attack
    COLUMN = 10  # the x of an area's centre
    ROW = 11  # the y of an area's centre


class Stage(IntEnum):
    """What follows when no window is open."""

    NEXT_FIGHTER = 0
    TURN = 1
    TURN_ENDS = 2
    NOTICE = 3  # is the target aware of the attack?
    ASK_GUARD = 4
    OWN_ACTION = 5  # the target's own defence action
    SUFFER = 6  # what the attack still does
    EXCHANGE_END = 7
    BLAST = 8  # the next target of an area attack
    PROVOKE = 9  # Attacks of Opportunity before a step
    SPECTATORS = 10
    ROUND_END = 11


class Happened(IntEnum):
    """Events of the tape. In brackets: what ``what``, ``amount`` and ``detail`` hold."""

    ROUND = 0  # [-, number]
    ORDER = 1  # who acts in this place [-, place, initiative]
    TURN = 2
    TURN_ENDS = 3
    ATTACKS = 4  # who -> other [slot, 1: an Attack of Opportunity]
    CASTS = 5  # who -> other [slot, -, rounds until it goes off]
    GOES_OFF = 6  # [slot]
    WASTED = 7  # [slot] the target of a spell is no more
    BLAST = 8  # who, an area around a space [slot, x, y]
    CHECK = 9  # [trait | difficulty << 8 | passed << 16, face or 0, bonus]
    UNAWARE = 10  # who does not notice the attack
    DEFENDS = 11  # who against other [Defense, skill slot]
    EVADES = 12
    PROTECTS = 13  # who in the place of other [0 GUARD, 1 + slot of a skill]
    GUARDED = 14  # who takes the blow of other
    SKILL_WORKS = 15  # [Effect, points absorbed]
    DAMAGE_ROLL = 16  # [1: doubled, dice, flat]
    ARMOR = 17  # [Nature, dice and flat]
    HARDENED = 18  # [Nature, score that the check adds]
    DAMAGE = 19  # [-, points, points left]
    STRIKES_BACK = 20  # who -> other
    GAINED = 21  # [Status, -, rounds]
    ENDED = 22  # [Status]
    CASTING_ENDS = 23  # [slot]
    DOWN = 24
    STANDS_UP = 25  # from Vitality 0
    PAYS_XP = 26  # [-, paid, left]
    DECLINES = 27
    DEAD = 28
    MOVES = 29
    STEPS = 30  # [Direction, x, y]
    FACES = 31  # [Direction]
    STANDS = 32
    SUPPORTS = 33  # who -> other [slot]
    HEALED = 34  # [-, points, points now]
    RESTORED = 35  # [0 power, 1 soul, points, points now]
    JOINS = 36  # a spectator is drawn in
    WON = 37  # [Winner]
