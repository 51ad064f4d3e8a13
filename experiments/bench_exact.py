"""How fast encounters are solved, beside the model checker Storm on the same machine in the same minute."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agents import load_agent
from lens_env import load_encounter
from lens_env.exact import StateGraph, Values, best_response, build_graph, policy_of, unrolled, write_drn

BEST_OF = 5
STORMS_STATES = 1_000_000  # of an unrolled process: what Storm reads in a reasonable time
PRECISION = "1/1000000000000"
Rate = tuple[str, float, str, str]  # name, value, unit, note


def exact_solving(names: Sequence[str], quick: bool) -> Iterator[Rate]:
    """The figures of these encounters."""
    tries = 1 if quick else BEST_OF
    for name in names:
        encounter = load_encounter(name)
        build_graph(encounter)  # compiles, if need be
        graph, beside = (
            min((build_graph(encounter, threads=threads) for _ in range(tries)), key=lambda graph: graph.seconds)
            for threads in (1, 2)
        )
        faster = graph.seconds / beside.seconds
        size = f"{len(graph):,} states, {len(graph.targets):,} outcomes, {graph.nbytes / 1e6:.1f} MB"
        yield (
            f"{name}: building",
            len(graph) / graph.seconds,
            "states/s",
            f"{size}; one thread; two threads {faster:.2f} times as fast",
        )
        rolled = "outcomes before equal ones are merged: sequences of dice"
        yield f"{name}: building", graph.draws / graph.seconds, "outcomes/s", rolled
        yield f"{name}: memory", graph.nbytes / len(graph), "bytes/state", "of the finished graph"
        yield from _solving(name, graph, tries)
        yield f"{name}: in all", _in_all(name), "s", "`lens-env solve` in a new process: imports, graph, tables, rules"
        if not quick and find_spec("stormpy"):
            yield from _beside_storm(name)


def _solving(name: str, graph: StateGraph, tries: int) -> Iterator[Rate]:
    """Backward induction with one thread and with two."""
    rounds = Values(graph).settled + 1
    one, two = (_best(lambda count=count: Values(graph, threads=count), tries) for count in (1, 2))  # type: ignore[misc]
    note = f"{rounds} rounds, {one:.3f} s with one thread; two threads {one / two:.2f} times as fast"
    yield f"{name}: solving", rounds * len(graph.targets) / one, "transitions/s", note


def _best(work: Callable[[], Any], tries: int) -> float:
    """The seconds of the fastest try."""
    work()
    seconds = []
    for _ in range(tries):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _in_all(name: str) -> float:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "experiments.cli", "solve", name]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return _best(lambda: subprocess.run(command, env=environment, check=True, capture_output=True), 1)


def _beside_storm(name: str) -> Iterator[Rate]:
    """The same best response, to ``aggressive``, by Storm; with fewer rounds if it would be too large to be read."""
    encounter = load_encounter(name)
    rounds = int(encounter.built.setup["rules"]["max_rounds"][0])
    while True:
        graph = build_graph(encounter.with_changes({"max_rounds": rounds}))
        policy = policy_of(graph, load_agent("aggressive"), "foes")
        process = unrolled(best_response(graph, "party", policy, threads=1))
        if len(process) <= STORMS_STATES or rounds == 1:
            break
        rounds = max(1, min(rounds - 1, rounds * STORMS_STATES // len(process)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "process.drn"
        write_drn(process, path)
        storms, value = _storm(path)
    ours = _best(lambda: best_response(graph, "party", policy, threads=1), BEST_OF)
    apart = abs(value - best_response(graph, "party", policy).value)
    note = (
        f"best response over {rounds} rounds, {len(process):,} states unrolled; ours {ours:.3f} s, "
        f"{storms / ours:.0f} times as fast; values differ by {apart:.0e}"
    )
    yield f"{name}: Storm", storms, "s", note


def _storm(path: Path) -> tuple[float, float]:
    """(seconds, value): the optimum by Storm, loading left out."""
    import stormpy

    model = stormpy.build_model_from_drn(str(path))
    (formula,) = stormpy.parse_properties('Pmax=? [F "won"]')
    environment = stormpy.environments.default(model)
    environment.solver().min_max().precision = stormpy.Rational(PRECISION)
    best, value = float("inf"), 0.0
    for _ in range(BEST_OF):
        start = time.perf_counter()
        result = stormpy.model_checking(model, formula, only_initial_states=True, environment=environment)
        best = min(best, time.perf_counter() - start)
        value = float(result.get_value(model.initial_states[0]))
    return best, value
