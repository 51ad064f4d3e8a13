"""Playing for an evaluation: part by part, in several processes, and what is counted on the way.

What is counted is a function of the question alone: neither the number of processes nor the size of the parts
changes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from agents import Agent
from experiments.settings import Policy
from experiments.tournament import compile_loops, play_batch, side_by_side
from lens_env import Encounter
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]

SHARE = 512  # skirmishes of a part
COSTLY_SHARE = 16  # of one in which a costly agent plays: so many until progress shows
MOST_POINTS = 8  # more are counted as that many
QUARTERS = 4  # of the life at the beginning


@dataclass(frozen=True)
class Part:
    """Some skirmishes of an encounter, by their environment numbers. Equal ones are played with equal dice."""

    encounter: Encounter
    policies: tuple[Policy, Policy]  # the party's and the foes'
    side: int  # that is watched
    seed: int
    first: int
    last: int  # the first that is not played


@dataclass
class Count:
    """What is counted in some skirmishes, for the side that is watched. Whole numbers, so order does not matter."""

    skirmishes: int = 0
    wins: int = 0
    losses: int = 0
    undecided: int = 0
    rounds: int = 0
    own_life: int = 0  # points of life that are left to its fighters
    own_full: int = 0  # that they had at the beginning
    enemy_life: int = 0
    enemy_full: int = 0
    by_points: Array = field(default_factory=lambda: np.zeros((0, MOST_POINTS + 1), np.int64))  # (defences, points)
    by_life: Array = field(default_factory=lambda: np.zeros((0, QUARTERS), np.int64))  # (defences, quarters)

    def __add__(self, other: Count) -> Count:
        return Count(**{name: value + getattr(other, name) for name, value in vars(self).items()})


class _Watch:
    """Counts what happens in a batch."""

    def __init__(self, batch: Batch, side: int) -> None:
        built, ruleset = batch.encounters[0].built, batch.ruleset
        self._side, self._own = side, built.sides == side
        self._full = batch.lives()[0]
        self._windows = [ruleset.windows.index(name) for name in ruleset.defense_windows]
        self._defenses = np.full(ruleset.size, -1)
        self._defenses[[built.actions.index(name) for name in ruleset.defenses]] = np.arange(len(ruleset.defenses))
        self.count = Count(
            by_points=np.zeros((len(ruleset.defenses), MOST_POINTS + 1), np.int64),
            by_life=np.zeros((len(ruleset.defenses), QUARTERS), np.int64),
        )

    def decided(self, batch: Batch, actions: Array) -> None:
        """Count the defences that are chosen in this step."""
        rows = np.flatnonzero(np.isin(batch.windows, self._windows) & (batch.sides == self._side))
        rows = rows[self._defenses[actions[rows]] >= 0]
        if not len(rows):
            return
        defenses, who = self._defenses[actions[rows]], batch.deciders[rows]
        points = batch.states["fighters"][spending_of(batch.ruleset)][rows, who]
        np.add.at(self.count.by_points, (defenses, np.clip(points, 0, MOST_POINTS)), 1)
        share = batch.lives()[rows, who] / self._full[who]
        quarters = np.clip(np.ceil(QUARTERS * share).astype(np.int64) - 1, 0, QUARTERS - 1)
        np.add.at(self.count.by_life, (defenses, quarters), 1)

    def finished(self, batch: Batch) -> None:
        """Count the skirmishes of a batch that are over."""
        count, winners = self.count, np.bincount(batch.winners, minlength=4)
        count.skirmishes += len(batch)
        count.wins += int(winners[1 + self._side])
        count.losses += int(winners[2 - self._side])
        count.undecided += int(winners[3])
        count.rounds += int(batch.states["game_round"].sum())
        lives, full = batch.lives(), self._full
        count.own_life += round(float(lives[:, self._own].sum()))
        count.enemy_life += round(float(lives[:, ~self._own].sum()))
        count.own_full += len(batch) * round(float(full[self._own].sum()))
        count.enemy_full += len(batch) * round(float(full[~self._own].sum()))


def spending_of(ruleset: Any) -> str:
    """The field of a fighter with the points that are spent first: Momentum, Poise, Power."""
    return str(ruleset.points[min(1, len(ruleset.points) - 1)])


def play_part(part: Part) -> Count:
    """Play some skirmishes."""
    sides = [loaded(policy, place) for place, policy in enumerate(part.policies)]
    for agent in sides:
        agent.reset(part.seed)
    environments = np.arange(part.first, part.last)
    batch = Batch(part.encounter, len(environments), seed=part.seed, environments=environments)
    watch = _Watch(batch, part.side)
    play_batch(batch, sides, watch)
    return watch.count


@cache
def loaded(policy: Policy, place: int) -> Agent:
    """An agent, kept for the next time in this process; ``place``: whoever plays against itself is two."""
    return policy.load()


def is_costly(agent: Agent) -> bool:
    """Is an agent too slow to be asked about every state of a graph?"""
    return bool(getattr(agent, "costly", False))


def parts_of(
    encounter: Encounter, policies: tuple[Policy, Policy], side: int, seed: int, skirmishes: int
) -> list[Part]:
    """All skirmishes 0..skirmishes - 1 in parts."""
    costly = any(is_costly(loaded(policy, place)) for place, policy in enumerate(policies))
    share = COSTLY_SHARE if costly else SHARE
    return [
        Part(encounter, policies, side, seed, first, min(first + share, skirmishes))
        for first in range(0, skirmishes, share)
    ]


def play_parts(parts: Sequence[Part], jobs: int) -> Iterator[tuple[int, Count]]:
    """The number of each part and what was counted in it, as they come, from at most ``jobs`` processes."""
    for encounter in {part.encounter.ruleset.name: part.encounter for part in parts}.values():
        compile_loops(encounter)
    yield from side_by_side(play_part, list(enumerate(parts)), jobs)
