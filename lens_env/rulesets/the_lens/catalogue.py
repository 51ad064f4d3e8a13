"""The flat action catalogue of The Lens: which index means what. Indices never change within a version."""

from __future__ import annotations

from .state import MASK_WORDS, MAX_ATTACKS, MAX_FIGHTERS, MAX_INITIATIVE, MAX_ITEMS, MAX_MOMENTUM, MAX_SPELLS

END_TURN = 0
MOVE = 1
STOP = 2
STAND = 3
RECOVER_WEAPON = 4
DOUSE = 5
BEFORE = 6
AFTER = 7
YIELD = 8  # take the bad alternative of a SACRIFICE
SACRIFICE = 9  # pay its price
ASSIST = 10
INTERFERE = 11
GUARD = 12
PASS = 13
REDUCE_DAMAGE = 14
DEFEND = 15  # + Defense (6)
STEP = 21  # + Direction (8)
TAG = 29  # + Tag (13): ready it, or add it by a Triumph
REMOVE = 42  # + Tag (9)
RECOVER = 51  # + points (10)
INITIATIVE = 61  # + place in the sheet's initiative_abilities (4)
FORM = INITIATIVE + MAX_INITIATIVE  # + spell slot
USE = FORM + MAX_SPELLS  # + item slot
TARGET = USE + MAX_ITEMS  # + fighter
CAST = TARGET + MAX_FIGHTERS  # + fighter
ATTACK = CAST + MAX_FIGHTERS  # + attack slot * MAX_FIGHTERS + fighter
SIZE = ATTACK + MAX_ATTACKS * MAX_FIGHTERS

assert RECOVER + MAX_MOMENTUM + 1 == INITIATIVE
assert SIZE <= MASK_WORDS * 8
