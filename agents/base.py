"""What an agent is: it is handed skirmishes in which its side is asked, and names an action for each.

Whatever an agent leaves to chance is a function of its seed, the skirmish's own stream of dice and all that has
happened in it so far: of nothing else, so results depend neither on the size of a batch nor on the
order of the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from lens_env import Encounter, Game
from lens_env.core import mask, philox
from lens_env.errors import LensError
from lens_env.play.engine import Batch, certain

Array = np.ndarray[Any, Any]


@runtime_checkable
class Agent(Protocol):
    """Decides for one side."""

    name: str

    def reset(self, seed: int) -> None:
        """Begin anew: whatever is left to chance depends on this seed (0..2**64-1) from here on."""

    def act(self, batch: Batch) -> Array:
        """(B,) int64: a legal action for each skirmish; in all of them this agent's side is asked."""

    def choose(self, game: Game) -> str:
        """The name of a legal action for a single game that is not over."""

    def check(self, encounters: Sequence[Encounter]) -> None:
        """Raise LensError if this agent's settings mean nothing in these encounters."""


class BaseAgent:
    """An agent that only has to say which actions it is equally content with.

    Override :meth:`candidates`; or :meth:`act`, if chance is not enough to decide between them.
    """

    # may it play differently in another round, all else being equal? If not, exact solving asks it only once
    reads_round = True

    def __init__(self, name: str = "") -> None:
        self.name = name or type(self).__name__
        self.seed = philox.split_seed(0)

    def reset(self, seed: int) -> None:
        """Begin anew with this seed (0..2**64-1; ValueError outside)."""
        self.seed = philox.split_seed(seed)

    def candidates(self, batch: Batch) -> Array:
        """(B, A) uint8: 1 = would play it; some of the legal actions, at least one in each skirmish."""
        raise NotImplementedError

    def act(self, batch: Batch) -> Array:
        """(B,) int64: one of the candidates in each skirmish, all with the same chance."""
        return self.pick(batch, self.candidates(batch))

    def chances(self, batch: Batch) -> Array:
        """(B, A) float64: how likely each action is to be played; certain, if the agent overrides only ``act``."""
        if type(self).candidates is BaseAgent.candidates:
            try:
                return certain(self.act(batch), batch)
            except LensError as error:
                raise LensError(f"agent {self.name}: {error}") from None
        flags = self.candidates(batch).astype(np.float64)
        found: Array = flags / flags.sum(axis=1, keepdims=True)
        return found

    def choose(self, game: Game) -> str:
        """The name of the action for a single game that is not over."""
        batch = Batch.of(game.encounter, game.state, game.dice, game.masks)
        return game.action_name(int(self.act(batch)[0]))

    def check(self, encounters: Sequence[Encounter]) -> None:
        """Every setting makes sense everywhere, unless a subclass says otherwise."""

    def pick(self, batch: Batch, flags: Array) -> Array:
        """(B,) int64: one of the flagged actions (B, A; uint8) in each skirmish, all with the same chance."""
        masks = np.zeros(len(batch), mask.dtype(batch.ruleset.size))
        mask.fill(masks, flags)
        return self.draw(batch, masks)

    def draw(self, batch: Batch, masks: Array) -> Array:
        """(B,) int64: one of the actions of a mask record (B) in each skirmish, all with the same chance."""
        actions = np.zeros(len(batch), np.int64)
        batch.engine.run("pick_many", batch.dice, batch.sides, masks, *self.seed, actions)
        return actions


def parts_of(batch: Batch) -> list[tuple[slice | Array, Encounter]]:
    """The encounters that occur in a batch, each with the positions of its skirmishes, or a slice of all."""
    if len(batch.encounters) == 1:
        return [(slice(None), batch.encounters[0])]
    return [(np.flatnonzero(batch.which == which), batch.encounters[which]) for which in np.unique(batch.which)]
