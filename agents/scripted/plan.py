"""Agents that follow a written plan, in compiled code: what to want on the own turn, and how to answer an attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.base import BaseAgent
from lens_env import Encounter
from lens_env.core.policies import Focus, Table, When, plan_dtype
from lens_env.core.ruleset import called
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Attack:
    """What a policy does whenever no enemy attacks."""

    words: tuple[str, ...]  # preferences: names of actions, or the words that several begin with; the first is best
    focus: Focus = Focus.ANYONE
    reserve: int = 0  # points (Momentum) kept for reactions: with no more than that left a turn ends


@dataclass(frozen=True)
class Defense:
    """What a policy does in the reactions to an attack."""

    words: tuple[str, ...]
    calm: tuple[str, ...] = ()  # instead, as long as ``when`` does not hold
    when: When = When.ALWAYS
    threshold: float = 0.0
    surest: tuple[str, ...] = ()  # of these actions only those that fail least often are considered
    careful: bool = False  # only the answers after which the exchange ends best, on average


class PlanAgent(BaseAgent):
    """Plays the first legal action of its preferences; those that match the same one are equally good.

    What no preference matches comes last. Walking is no matter of preference: a MOVE is considered only if it
    brings an enemy nearer, and every step is the best one. Environments play it in their compiled loop.
    """

    reads_round = False

    def __init__(self, attack: Attack, defense: Defense, name: str = "") -> None:
        super().__init__(name)
        self.attack, self.defense = attack, defense
        self._plans: dict[tuple[str, tuple[str, ...]], Array] = {}
        self._rooms: dict[str, Array] = {}

    def plan(self, encounter: Encounter) -> Array:
        """(1,) what it wants in an encounter, as a record for ``core.policies``."""
        key = encounter.ruleset.name, encounter.built.actions
        if key not in self._plans:
            self._plans[key] = self._make(encounter)
        return self._plans[key]

    def _make(self, encounter: Encounter) -> Array:
        actions = encounter.built.actions
        plans = np.zeros(1, plan_dtype(encounter.ruleset.size))
        plan = plans[0]
        words = {Table.TURN: self.attack.words, Table.ALARM: self.defense.words, Table.CALM: self.defense.calm}
        for table, listed in words.items():
            first = table * len(actions)
            plan["ranks"][first : first + len(actions)] = ranks(listed, actions)
        plan["compared"] = ranks(self.defense.surest, actions) < len(self.defense.surest)
        plan["surest"] = bool(self.defense.surest)
        plan["reserve"], plan["focus"] = self.attack.reserve, self.attack.focus
        plan["finish"] = actions.index("END TURN") if "END TURN" in actions else -1
        plan["when"], plan["threshold"] = self.defense.when, self.defense.threshold
        plan["careful"] = self.defense.careful
        return plans

    def candidates(self, batch: Batch) -> Array:
        """(B, A) uint8: the legal actions that the plan is content with."""
        flags = np.zeros(batch.mask.shape, np.uint8)
        batch.run("consider_many", self.plans(batch), self._room(batch), flags)
        return flags

    def act(self, batch: Batch) -> Array:
        """(B,) int64: one of them in each skirmish, all with the same chance; the same that environments draw."""
        actions = np.zeros(len(batch), np.int64)
        batch.run("decide_many", self.plans(batch), self._room(batch), *self.seed, actions)
        return actions

    def plans(self, batch: Batch) -> Array:
        """(K,) the plans by encounter."""
        return np.concatenate([self.plan(encounter) for encounter in batch.encounters])

    def _room(self, batch: Batch) -> Array:
        """(1,) room to think in."""
        name = batch.ruleset.name
        if name not in self._rooms:
            self._rooms[name] = batch.engine.new_room()
        return self._rooms[name]


def ranks(words: Sequence[str], actions: Sequence[str]) -> Array:
    """(A,) int64: the place of the first of the words that matches each action; their number if none does."""
    names = [action.casefold() for action in actions]
    found = np.full(len(actions), len(words))
    for place, word in reversed(list(enumerate(words))):
        found[called(word.casefold(), names)] = place
    return found
