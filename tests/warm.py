"""Compile the loops of every ruleset before the tests, one ruleset a process.

Without it the processes of a parallel run would compile the same loops at the same time. Run as a module:
``python -m tests.warm``; ``--rules`` compiles only what the tests of kernels need.
"""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from agents import load_agent
from lens_env import RULESETS, Game, load_encounter
from lens_env.core import philox, record
from lens_env.envs.options import default_encounter
from lens_env.envs.vector import LensVectorEnv
from lens_env.exact import Values, build_graph
from lens_env.play.engine import Batch


def warm(name: str, rules_only: bool) -> str:
    """Run every loop of a ruleset once."""
    encounter = load_encounter(default_encounter(name))
    game = Game(encounter)
    game.outcomes(game.legal()[0])
    if not rules_only:
        batch = Batch(encounter, 1)
        fixed = (batch.states, batch.dice, batch.setups, batch.which, batch.logs, batch.masks)
        batch.engine.run("random_play", *fixed, record.new(philox.Source), 1)
        agent = load_agent("balanced")
        agent.chances(batch)
        agent.act(batch)
        batch.advice()
        batch.lives()
        env = LensVectorEnv(name, 1)
        _, infos = env.reset(seed=0)
        env.step(np.array([infos["action_mask"][0].argmax()]))
        graph = build_graph(encounter)
        graph.leads(np.arange(1))
        if name == next(iter(RULESETS)):  # the loops that know no rules
            graph.find(graph.states(np.arange(1)))
            Values(graph).action_values(0)
    return name


def main() -> None:
    """Compile for all rulesets, two at a time."""
    rules_only = "--rules" in sys.argv
    names = list(RULESETS)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        for name in pool.map(warm, names, [rules_only] * len(names)):
            print(f"compiled: {name}")


if __name__ == "__main__":
    main()
