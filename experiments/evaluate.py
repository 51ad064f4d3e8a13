"""How good an agent is: what it wins against others, how it defends, and what it loses to exact play.

What is counted is a function of the question alone: neither the number of processes nor the size of the batches
changes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent
from experiments.results import CONFIDENCE, Rate, wilson, wilson_of_mean
from experiments.settings import Policy, policy_named
from experiments.tournament import compile_loops, play_batch, side_by_side
from lens_env import Encounter, __version__, load_encounter
from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError, SolveError
from lens_env.exact import Policy as ExactPolicy
from lens_env.exact import Reached, StateGraph, TooManyStates, Values, best_response, build_graph, policy_of, value_of
from lens_env.play import yaml_text
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]

ENCOUNTER = "the_lens/duel"
AGAINST = "aggressive"
MAX_STATES = 1_000_000  # that are solved unasked: some seconds
MOST_ASKED = 20_000  # states that a costly agent is asked about
SHARE = 512  # skirmishes that one process plays at a time
MOST_POINTS = 8  # more are counted as that many
QUARTERS = 4  # of the life at the beginning


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
    sides = [_loaded(policy, place) for place, policy in enumerate(part.policies)]
    for agent in sides:
        agent.reset(part.seed)
    environments = np.arange(part.first, part.last)
    batch = Batch(part.encounter, len(environments), seed=part.seed, environments=environments)
    watch = _Watch(batch, part.side)
    play_batch(batch, sides, watch)
    return watch.count


@lru_cache(4)
def _loaded(policy: Policy, place: int) -> Agent:
    """An agent, kept for the next part; ``place``: whoever plays against itself is two."""
    return policy.load()


# --- exact -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exact:
    """What an agent is worth to its side, exactly: victory 1, undecided 0.5, defeat 0. None: not computed."""

    optimum: float  # of the best response to the same opponent
    value: float | None = None  # of the agent
    asked: int | None = None  # states that a costly agent was asked about

    @property
    def regret(self) -> float | None:
        """What it loses by not being the best response."""
        return None if self.value is None else self.optimum - self.value

    @property
    def ratio(self) -> float | None:
        """Its value as a share of the optimum; None if that is 0."""
        return None if self.value is None or self.optimum == 0 else self.value / self.optimum


@dataclass(frozen=True)
class Safety:
    """What an agent is worth to its side against whoever plays best against it."""

    states: int
    game: float  # both sides optimal
    worst: float | None = None  # against an exact best response; None: not computed

    @property
    def exploitability(self) -> float | None:
        """What it loses at most, against the value of the game."""
        return None if self.worst is None else self.game - self.worst


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
        self.other = SIDES[1 - self.side]
        self.encounters = places_of(question.encounters, question.vary)
        self.agent = policy_named(question.agent)
        self.opponents = [policy_named(name) for name in question.against]
        found = list(self.encounters.values())
        for policy in (self.agent, *self.opponents):
            policy.load().check(found)
        self.places = [
            Place(name, encounter, [Cell(name, policy.label, Count()) for policy in self.opponents])
            for name, encounter in self.encounters.items()
        ]

    def as_json(self) -> str:
        """Everything that was found, and what was asked."""
        found = {"format": "lens_env evaluation", "version": __version__, "confidence": CONFIDENCE}
        places = [place.as_json() for place in self.places]
        return json.dumps(found | {"question": asdict(self.question), "encounters": places}, indent=1) + "\n"

    # --- playing -------------------------------------------------------------------------------------------

    @property
    def parts(self) -> list[tuple[Cell, Part]]:
        """All that has to be played, and where it counts."""
        count, seed = self.question.skirmishes, self.question.seed
        return [
            (cell, Part(place.encounter, self._sides(policy), self.side, seed, first, min(first + SHARE, count)))
            for place in self.places
            for cell, policy in zip(place.cells, self.opponents, strict=True)
            for first in range(0, count, SHARE)
        ]

    def _sides(self, opponent: Policy) -> tuple[Policy, Policy]:
        return (self.agent, opponent) if self.side == 0 else (opponent, self.agent)

    def play(self, jobs: int) -> Iterator[int]:
        """Play everything; yields how many skirmishes are done after each part."""
        for encounter in {place.encounter.ruleset.name: place.encounter for place in self.places}.values():
            compile_loops(encounter)
        parts = self.parts
        done = 0
        for i, count in side_by_side(play_part, [(i, part) for i, (_, part) in enumerate(parts)], jobs):
            cell = parts[i][0]
            cell.count = cell.count + count if cell.count.skirmishes else count
            done += count.skirmishes
            yield done

    # --- solving -------------------------------------------------------------------------------------------

    def solve(self, place: Place, tell: Callable[[str], None]) -> None:
        """Add what is exact about an encounter, or a note why it is not. ``tell``: what is being done."""
        question = self.question
        try:
            graph = build_graph(
                place.encounter, question.max_states, progress=lambda now: tell(f"building: {now.states:,} states")
            )
        except SolveError:
            place.notes.append(
                f"not solved: more than {question.max_states:,} states (--max-states); only play tells of it"
            )
            return
        agent = self.agent.load()
        agent.reset(question.seed)
        costly = bool(getattr(agent, "costly", False))
        ask = _teller(self.agent.label, tell)
        own = None if costly else policy_of(graph, agent, question.side, ask)
        self._safety(place, graph, own, tell)
        for cell, opponent in zip(place.cells, self.opponents, strict=True):
            self._regret(place, cell, graph, agent, own, opponent, tell)

    def _safety(self, place: Place, graph: StateGraph, own: ExactPolicy | None, tell: Callable[[str], None]) -> None:
        tell("solving the game")
        game = Values(graph)
        worst = None
        if own is None:
            place.notes.append(f"no exploitability: {self.agent.label} is too slow to be asked about every state")
        else:
            tell("the best response to the agent")
            worst = self._worth(game.again(**{self.question.side: own}))
        place.safety = Safety(len(graph), self._worth(game), worst)

    def _regret(
        self,
        place: Place,
        cell: Cell,
        graph: StateGraph,
        agent: Agent,
        own: ExactPolicy | None,
        opponent: Policy,
        tell: Callable[[str], None],
    ) -> None:
        side, other = self.question.side, self.other
        against = opponent.load()
        against.reset(self.question.seed)
        if getattr(against, "costly", False):
            place.notes.append(f"no optimum against {opponent.label}: it is too slow to be asked about every state")
            return
        theirs = policy_of(graph, against, other, _teller(opponent.label, tell))
        optimum = self._worth(best_response(graph, side, theirs))
        asked = None
        if own is None:
            try:
                own = Reached(
                    graph, agent, side, theirs, most=self.question.ask, progress=_teller(self.agent.label, tell)
                )
                asked = own.asked
            except TooManyStates as error:
                place.notes.append(f"no exact value against {opponent.label}: {error} (--ask); see the score instead")
                cell.exact = Exact(optimum)
                return
        policies = {side: own, other: theirs}
        cell.exact = Exact(optimum, self._worth(value_of(graph, policies["party"], policies["foes"])), asked)

    def _worth(self, values: Values) -> float:
        """A value for the party, as one for the agent's side."""
        return values.value if self.side == 0 else 1 - values.value


def _teller(label: str, tell: Callable[[str], None]) -> Callable[[int], None]:
    asked = 0

    def more(states: int) -> None:
        nonlocal asked
        asked += states
        tell(f"{label} asked in {asked:,} states")

    return more


# --- encounters --------------------------------------------------------------------------------------------


def places_of(names: Sequence[str], vary: Sequence[str]) -> dict[str, Encounter]:
    """The encounters, each with every setting of its own grid or of the one given, by the name in the tables."""
    grid = grid_of(vary)
    found: dict[str, Encounter] = {}
    for name in names:
        encounter = load_encounter(name)
        if grid:
            encounter = Encounter.from_dict({**encounter.data, "vary": grid}, f"{encounter.source} with --vary")
        for changes, variant in encounter.variants():
            label = ", ".join(f"{path}={value}" for path, value in changes.items())
            found[f"{name} ({label})" if label else name] = variant
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


def default_jobs(cores: int, skirmishes: int) -> int:
    """As many processes as there are cores and parts."""
    return max(1, min(cores, ceil(skirmishes / SHARE)))


def write_json(evaluation: Evaluation, path: Path) -> None:
    """Write everything that was found."""
    from lens_env.play.files import write_atomically

    write_atomically(path, evaluation.as_json())
