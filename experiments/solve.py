"""Solving an encounter: what is computed, in the order in which it is shown, and the files that come of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

from agents import load_agent
from lens_env import Encounter, __version__
from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError
from lens_env.exact import (
    MAX_STATES,
    OBJECTIVES,
    Choice,
    Optimum,
    Rule,
    Standing,
    StateGraph,
    Values,
    Worth,
    build_graph,
    choices,
    forbidding,
    policy_of,
    rules_of_thumb,
    unrolled,
    worths,
    write_arrays,
    write_drn,
)
from lens_env.play.files import check_writable

EXPORTS = ("drn", "npz")
BETTER = 1e-5  # a longer rule of thumb is worth telling if it costs less by that much


@dataclass(frozen=True)
class Question:
    """What is asked about an encounter. Everything is checked before anything is computed."""

    against: str | None = None  # an agent that plays the other side
    side: str = "party"  # whose best response to it is looked for
    objective: str = "win"
    forbid: tuple[str, ...] = ()  # SIDE:ACTION
    max_states: int = MAX_STATES
    threads: int | None = None
    graph_file: Path | None = None  # where the graph is taken from if it is there, and kept if not

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise LensError(f"side: allowed are {', '.join(SIDES)}, got {self.side!r}")
        if self.objective not in OBJECTIVES:
            raise LensError(f"objective: allowed are {', '.join(OBJECTIVES)}, got {self.objective!r}")
        for text in self.forbid:
            side, colon, word = text.partition(":")
            if side not in SIDES or not colon or not word.strip():
                raise LensError(f"forbid: a side and an action, as in party:DODGE, got {text!r}")
        if self.graph_file is not None:
            check_writable(self.graph_file)

    @property
    def other(self) -> str:
        """The side that ``against`` plays."""
        return SIDES[1 - SIDES.index(self.side)]


@dataclass
class Solution:
    """What has been found about an encounter so far."""

    encounter: Encounter
    question: Question
    graph: StateGraph
    game: Values  # both sides optimal
    values: Values  # the same, or the best response
    was_there: bool  # the graph came from a file
    seconds: float  # of solving, building left out
    worths: list[Worth] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)

    @property
    def given_away(self) -> float:
        """What the policy of the other side loses by not being optimal: its exploitability."""
        sign = 1 if self.question.side == "party" else -1
        return sign * (self.values.value - self.game.value)

    def find_worths(self) -> Iterator[Worth]:
        """Solve the game without each defence, without every two, and without any."""
        for worth in worths(self.values):
            self.worths.append(worth)
            yield worth

    def find_choices(self) -> list[Choice]:
        """Count in which windows each defence is the best."""
        self.choices = choices(self.values)
        return self.choices

    def find_rules(self) -> Iterator[Rule]:
        """Rules of thumb, the shortest first; a longer one only if it costs less."""
        least: dict[str, float] = {}
        for rule in rules_of_thumb(self.values):
            if rule.cost < least.get(rule.side, float("inf")) - BETTER:
                least[rule.side] = rule.cost
                self.rules.append(rule)
                yield rule

    def as_json(self) -> str:
        """Everything that was found, and where it comes from."""
        question = {key: value for key, value in vars(self.question).items() if key not in ("graph_file", "threads")}
        won, undecided, lost = self.values.ending()
        found = {
            "version": __version__,
            "encounter": self.encounter.source,
            "ruleset": self.encounter.ruleset.name,
            "digest": self.graph.digest,
            "question": question,
            "states": len(self.graph),
            "actions": len(self.graph.actions),
            "outcomes": len(self.graph.targets),
            "graph_bytes": self.graph.nbytes,
            "value": self.values.value,
            "game_value": self.game.value,
            "party_wins": won,
            "undecided": undecided,
            "foes_win": lost,
            "worths": [asdict(worth) for worth in self.worths],
            "choices": [asdict(choice) for choice in self.choices],
            "rules": [asdict(rule) for rule in self.rules],
        }
        return json.dumps(found, indent=1) + "\n"


def solved(
    encounter: Encounter,
    question: Question,
    on_building: Callable[[Standing], None] | None = None,
    on_asking: Callable[[int], None] | None = None,
) -> Solution:
    """The value of an encounter. ``on_building`` and ``on_asking`` (so many states more) are told how far it is."""
    for text in question.forbid:
        side, _, word = text.partition(":")
        encounter = forbidding(encounter, side, [word.strip()])
    against = load_agent(question.against) if question.against is not None else None
    if against is not None:
        against.check([encounter])
        against.reset(0)
    path = question.graph_file
    was_there = path is not None and path.exists()
    if path is not None and was_there:
        graph = StateGraph.load(path, encounter)
    else:
        graph = build_graph(encounter, question.max_states, threads=question.threads, progress=on_building)
        if path is not None:
            graph.save(path)
    begun = perf_counter()
    game = Values(graph, objective=question.objective, threads=question.threads)
    values = game
    if against is not None:
        policy = policy_of(graph, against, question.other, on_asking)
        values = game.again(**{question.other: policy})
    return Solution(encounter, question, graph, game, values, was_there, perf_counter() - begun)


def export(
    solution: Solution, kind: str, folder: Path, progress: Callable[[str, int, int], None] | None = None
) -> list[Path]:
    """Write the solution for others to read; returns the files.

    ``"npz"``: graph and values. ``"drn"``: what each side faces whose opponent's policy is given, as a Markov decision
    process; without ``against`` both optimal policies are given in turn. ``progress``: what is written, states
    done, states in all.
    """
    paths = export_paths(solution.question, kind, folder)
    if kind == "npz":
        write_arrays(solution.values, paths[0])
        return paths
    for path in paths:
        side = path.name.partition("_")[0]
        process = unrolled(_decided_by(solution, side))

        def on_state(done: int, path: Path = path, total: int = len(process)) -> None:
            if progress is not None:
                progress(path.name, done, total)

        write_drn(process, path, on_state)
    return paths


def export_paths(question: Question, kind: str, folder: Path) -> list[Path]:
    """The files that an export writes. LensError for an unknown kind."""
    if kind not in EXPORTS:
        raise LensError(f"export: allowed are {', '.join(EXPORTS)}, got {kind!r}")
    if kind == "npz":
        return [folder / "solution.npz"]
    sides = SIDES if question.against is None else (question.side,)
    return [folder / f"{side}_decides.drn" for side in sides]


def _decided_by(solution: Solution, side: str) -> Values:
    """The solution as the decision process of one side."""
    if solution.values is not solution.game:
        return solution.values
    other = SIDES[1 - SIDES.index(side)]
    return solution.game.again(**{other: Optimum(solution.game)})
