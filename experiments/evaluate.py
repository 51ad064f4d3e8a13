"""How good an agent is: what it wins against others, how it defends, and what it loses to exact play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any

from experiments.evaluate_exact import Exact, Safety, Solver
from experiments.evaluate_play import Count, Part, loaded, parts_of, play_parts, spending_of
from experiments.results import CONFIDENCE, Rate, wilson, wilson_of_mean
from experiments.settings import Policy, policy_named, variants_of
from lens_env import Encounter, __version__, load_encounter
from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError, SolveError
from lens_env.exact import build_graph
from lens_env.play import yaml_text

ENCOUNTER = "the_lens/duel"
AGAINST = "aggressive"
MAX_STATES = 1_000_000  # that are solved unasked: some seconds
MOST_ASKED = 20_000  # states that a costly agent is asked about
WORTH_A_PROCESS = 4  # parts


@dataclass(frozen=True)
class Question:
    """What is asked about an agent."""

    agent: str
    side: str = "party"  # that it plays
    against: tuple[str, ...] = (AGAINST,)
    encounters: tuple[str, ...] = (ENCOUNTER,)
    vary: tuple[str, ...] = ()  # PATH=VALUE,VALUE
    skirmishes: int = 1000
    seed: int = 0
    exact: bool = True
    max_states: int = MAX_STATES
    ask: int = MOST_ASKED

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise LensError(f"side: allowed are {', '.join(SIDES)}, got {self.side!r}")
        for setting, given in (("against", self.against), ("encounter", self.encounters)):
            twice = [name for name in dict.fromkeys(given) if given.count(name) > 1]
            if twice:
                raise LensError(f"{setting}: {twice[0]!r} stands here twice")


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
            place.notes.append(f"not solved (--max-states {question.max_states:,}): {error}")
            return
        agents = [loaded(self.agent, self.side), *(loaded(policy, 1 - self.side) for policy in self.opponents)]
        for agent in agents:
            agent.reset(question.seed)
        solver = Solver(graph, agents[0], question.side, question.ask, tell, threads)
        place.safety = solver.safety()
        for cell, opponent in zip(place.cells, agents[1:], strict=True):
            cell.exact = solver.exact(opponent)
        place.notes += solver.notes

    def as_json(self) -> str:
        """Everything that was found, and what was asked."""
        found = {"format": "lens_env evaluation", "version": __version__, "confidence": CONFIDENCE}
        places = [place.as_json() for place in self.places]
        return json.dumps(found | {"question": asdict(self.question), "encounters": places}, indent=1) + "\n"


# --- encounters --------------------------------------------------------------------------------------------


def places_of(names: Sequence[str], vary: Sequence[str]) -> dict[str, Encounter]:
    """The encounters, each with every setting of its own grid or of the one given, by the name in the tables."""
    grid = grid_of(vary)
    found: dict[str, Encounter] = {}
    for name in names:
        encounter = load_encounter(name)
        if grid:
            encounter = Encounter.from_dict({**encounter.data, "vary": grid}, f"{encounter.source} with --vary")
        found |= variants_of(name, encounter)
    return found


def grid_of(vary: Sequence[str]) -> Mapping[str, list[Any]]:
    """``foes.0.body=10,20`` as a grid: values by dotted path. LensError for what has another form."""
    grid: dict[str, list[Any]] = {}
    for text in vary:
        path, equals, values = text.partition("=")
        if not path.strip() or not equals or not values.strip():
            raise LensError(f"vary: a path and its values, as in foes.0.body=10,20, got {text!r}")
        if path.strip() in grid:
            raise LensError(f"vary: {path.strip()!r} stands here twice")
        grid[path.strip()] = yaml_text.read(f"values: [{values}]", f"--vary {text}")[0]["values"]
    return grid
