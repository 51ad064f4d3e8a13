"""The agents ``greedy`` and ``expectimax``: exact expectations, all dice enumerated, to some depth."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import BaseAgent
from agents.search.base import plan_agent, whole
from lens_env.core.foresight import DEPTH, FORESEE, QUIET, foresee
from lens_env.core.kernel import Specialised
from lens_env.core.policies import ALIKE, NARROW, narrow
from lens_env.play.engine import Batch, Engine

Array = Any


class ExpectimaxAgent(BaseAgent):
    """Plays what is worth most if both sides go on as well as they can for some decisions, all dice enumerated.

    ``depth``: how many decisions it looks ahead, its own included, 1..12; an exchange that is under way then is seen
    to its end. What it sees is judged by who has won and by the life that both sides have left. Of actions worth the
    same it plays what ``otherwise``, a scripted agent, likes best.
    """

    colon = "depth"
    costly = True
    reads_round = True

    def __init__(self, depth: Any = 3, *, otherwise: Any = "balanced", name: str = "expectimax") -> None:
        super().__init__(name)
        self.depth = whole(name, "depth", depth, 1, DEPTH)
        self._otherwise = plan_agent(name, "otherwise", otherwise)
        self._loops: dict[str, tuple[Specialised, Array]] = {}

    def candidates(self, batch: Batch) -> Array:
        """(B, A) uint8: the legal actions that are worth most, and of these the ones that are liked best."""
        loop, room = self._loop(batch.engine)
        flags = np.zeros(batch.mask.shape, np.uint8)
        batch.call(loop, self._otherwise.plans(batch), room, self.depth, flags)
        return flags

    def _loop(self, engine: Engine) -> tuple[Specialised, Array]:
        """The compiled loop for a ruleset, and room to work in."""
        name = engine.ruleset.name
        if name not in self._loops:
            self._loops[name] = engine.bind(foresee_many, (), (FORESEE, NARROW)), engine.new_room()
        return self._loops[name]


def greedy(name: str = "greedy") -> ExpectimaxAgent:
    """Plays the action after which, and after the exchange that it begins, its side stands best on average."""
    return ExpectimaxAgent(1, name=name)


def foresee_many(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    plans: Array,
    rooms: Array,
    depth: int,
    flags: Array,
) -> None:
    """Flag (B, A; uint8) the legal actions that are worth most, looking ``depth`` decisions ahead."""
    room = rooms[0]
    for i in range(states.shape[0]):
        mask = masks[i]
        game = Game(states[i], dice[i], setups[which[i]], logs[0])  # type: ignore[name-defined]  # noqa: F821
        best = -np.inf
        for k in range(mask.count):
            worth = foresee(game, mask.listed[k], depth, QUIET, game.state.side, room) if mask.count > 1 else 0.0
            room.worth[k] = worth
            best = max(best, worth)
        room.count = 0
        for k in range(mask.count):
            if room.worth[k] >= best - ALIKE:
                room.listed[room.count] = mask.listed[k]
                room.count += 1
        if mask.count > 0:
            narrow(game, plans[which[i]], room)
            for k in range(room.count):
                flags[i, room.listed[k]] = 1
