"""How good an agent is: what it wins against others, how it defends, and what it loses to exact play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any

from experiments.evaluate_exact import Exact, Safety, Solver
from experiments.evaluate_play import Count, Part, loaded, parts_of, play_parts, spending_of
from experiments.question import Question, places_of
from experiments.results import CONFIDENCE, Rate, wilson, wilson_of_mean
from experiments.settings import Policy, policy_named
from lens_env import Encounter, __version__
from lens_env.core.ruleset import SIDES
from lens_env.errors import SolveError
from lens_env.exact import build_graph

WORTH_A_PROCESS = 4  # parts


@dataclass
class Cell:
    """An agent against one opponent in one encounter."""

    place: str
    against: str
    count: Count
    exact: Exact | None = None

    @property
    def win(self) -> Rate:
        """The share of skirmishes that it wins."""
        return wilson(self.count.wins, self.count.skirmishes)

    @property
    def undecided(self) -> Rate:
        """The share that nobody wins."""
        return wilson(self.count.undecided, self.count.skirmishes)

    @property
    def score(self) -> Rate:
        """The mean of victory 1, undecided 0.5, defeat 0: an estimate of its exact value."""
        count = self.count
        return wilson_of_mean((count.wins + count.undecided / 2) / count.skirmishes, count.skirmishes)

    @property
    def own_harm(self) -> float:
        """The share of its fighters' life that is lost in a skirmish, on average."""
        return 1 - self.count.own_life / self.count.own_full

    @property
    def enemy_harm(self) -> float:
        """The share of its enemies' life that is lost."""
        return 1 - self.count.enemy_life / self.count.enemy_full

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        count = self.count
        found: dict[str, Any] = {"encounter": self.place, "against": self.against, "skirmishes": count.skirmishes}
        found |= {"wins": count.wins, "losses": count.losses, "undecided": count.undecided}
        found |= {"win_rate": asdict(self.win), "undecided_rate": asdict(self.undecided), "score": asdict(self.score)}
        found |= {"own_harm": self.own_harm, "enemy_harm": self.enemy_harm, "rounds": count.rounds / count.skirmishes}
        found |= {"defenses_by_points": count.by_points.tolist(), "defenses_by_life": count.by_life.tolist()}
        exact = self.exact
        if exact is not None:
            found["exact"] = asdict(exact) | {"regret": exact.regret, "ratio": exact.ratio}
        return found


@dataclass
class Place:
    """What was found in one encounter, or one setting of its grid."""

    name: str
    encounter: Encounter
    cells: list[Cell]
    safety: Safety | None = None
    notes: list[str] = field(default_factory=list)  # why something is missing

    @property
    def count(self) -> Count:
        """All opponents together."""
        return sum((cell.count for cell in self.cells[1:]), self.cells[0].count)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        ruleset = self.encounter.ruleset
        found: dict[str, Any] = {"encounter": self.name, "ruleset": ruleset.name, "digest": self.encounter.digest}
        found |= {"defenses": list(ruleset.defenses), "points": spending_of(ruleset), "notes": self.notes}
        if self.safety is not None:
            found["game"] = asdict(self.safety) | {"exploitability": self.safety.exploitability}
        return found | {"cells": [cell.as_json() for cell in self.cells]}


class Evaluation:
    """An agent, checked against all encounters before anything is played."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.side = SIDES.index(question.side)
        self.agent = policy_named(question.agent)
        self.opponents = [policy_named(name) for name in question.against]
        encounters = places_of(question.encounters, question.vary)
        for policy, side in ((self.agent, self.side), *((policy, 1 - self.side) for policy in self.opponents)):
            loaded(policy, side).check(list(encounters.values()))
        self.places = [
            Place(name, encounter, [Cell(name, policy.label, Count()) for policy in self.opponents])
            for name, encounter in encounters.items()
        ]
        self._parts = [
            (cell, part)
            for place in self.places
            for cell, opponent in zip(place.cells, self.opponents, strict=True)
            for part in self._parts_of(place.encounter, opponent)
        ]

    def _parts_of(self, encounter: Encounter, opponent: Policy) -> list[Part]:
        policies = (self.agent, opponent) if self.side == 0 else (opponent, self.agent)
        return parts_of(encounter, policies, self.side, self.question.seed, self.question.skirmishes)

    @property
    def skirmishes(self) -> int:
        """How many are played in all."""
        return sum(part.last - part.first for _, part in self._parts)

    def default_jobs(self, cores: int) -> int:
        """As many processes as there are cores, but none that would begin for little."""
        return max(1, min(cores, ceil(len(self._parts) / WORTH_A_PROCESS)))

    def play(self, jobs: int) -> Iterator[int]:
        """Play everything; yields how many skirmishes are done after each part."""
        done = 0
        for i, count in play_parts([part for _, part in self._parts], jobs):
            cell = self._parts[i][0]
            cell.count = cell.count + count if cell.count.skirmishes else count
            done += count.skirmishes
            yield done

    def solve(self, place: Place, tell: Callable[[str], None], threads: int | None = None) -> None:
        """Add what is exact about an encounter, or a note why it is not. ``tell``: what is being done."""
        question = self.question
        try:
            graph = build_graph(
                place.encounter,
                question.max_states,
                threads=threads,
                progress=lambda now: tell(f"building: {now.states:,} states"),
            )
        except SolveError as error:
            place.notes.append(f"not solved, only played (--max-states): {error}")
            return
        agents = [loaded(self.agent, self.side), *(loaded(policy, 1 - self.side) for policy in self.opponents)]
        for agent in agents:
            agent.reset(question.seed)
        solver = Solver(
            graph,
            agents[0],
            question.side,
            most_asked=question.ask,
            skirmishes=question.skirmishes,
            seed=question.seed,
            tell=tell,
            threads=threads,
        )
        place.safety = solver.safety()
        for cell, opponent in zip(place.cells, agents[1:], strict=True):
            cell.exact = solver.exact(opponent)
        place.notes += solver.notes

    def as_json(self) -> str:
        """Everything that was found, and what was asked."""
        found = {"format": "lens_env evaluation", "version": __version__, "confidence": CONFIDENCE}
        places = [place.as_json() for place in self.places]
        return json.dumps(found | {"question": asdict(self.question), "encounters": places}, indent=1) + "\n"
