"""The flat action catalogue of Nor'Ova: which index means what. Indices never change within a version."""

from __future__ import annotations

from lens_env.core.board import MAX_SIZE

from .state import MASK_WORDS, MAX_FIGHTERS, MAX_SKILLS, MAX_STRIKES, MAX_SUPPORTS

END_TURN = 0
MOVE = 1
STOP = 2
STAND = 3
SAVE = 4
PASS = 5
GUARD = 6
DEFEND = 7  # + Defense (NONE, EVADE, DEFEND, COUNTER, then the skills)
SKILL = 11  # + skill slot
STEP = SKILL + MAX_SKILLS  # + Direction (8)
FACE = STEP + 8  # + Direction (8)
COLUMN = FACE + 8  # + x
ROW = COLUMN + MAX_SIZE  # + y
SPACE = ROW + MAX_SIZE  # + strike slot: an area attack on a space
SUPPORT = SPACE + MAX_STRIKES  # + support slot * MAX_FIGHTERS + fighter
ATTACK = SUPPORT + MAX_SUPPORTS * MAX_FIGHTERS  # + strike slot * MAX_FIGHTERS + fighter; spells from the fifth slot on
SIZE = ATTACK + MAX_STRIKES * MAX_FIGHTERS

assert SIZE <= MASK_WORDS * 8
