"""The flat action catalogue of Legacy of Lamashtu. Indices never change within a version."""

from __future__ import annotations

from .state import MASK_WORDS, MAX_FIGHTERS

END_TURN = 0
MOVE = 1
STOP = 2
STAND = 3
RECOVER = 4
DEFEND = 5  # + Defense (4)
CASH = 9  # + Cash (3)
DONE = 12
IMPOSE = 13
DECLINE = 14
STEP = 15  # + Direction (8)
PUSH = 23  # + Direction (8)
ATTACK = 31  # + fighter
SIZE = ATTACK + MAX_FIGHTERS

assert SIZE <= MASK_WORDS * 8
