"""One seed, one trajectory: in a Game, in every environment, in every process, whatever else draws numbers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import load_agent
from lens_env import Game, load_encounter
from lens_env.envs.arena import OTHER
from lens_env.envs.pettingzoo import AGENTS, LensAEC
from lens_env.envs.sb3 import LensVecEnv
from lens_env.envs.single import LensEnv
from lens_env.envs.vector import LensVectorEnv

ENCOUNTER, SEED, STEPS = "the_lens/two_against_two", 700, 60
ROOT = Path(__file__).parents[2]


def choice(mask: np.ndarray, step: int) -> int:
    """A legal action that depends on nothing but the mask and the number of the step."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * step + 3) % len(legal)])


def foreign() -> None:
    """Someone else draws random numbers."""
    random.random()
    np.random.random()


def in_game(opponent: str = "random") -> int:
    """The trail of the party's first decisions, or of the whole skirmish if it is shorter."""
    other = load_agent(opponent)
    other.reset(OTHER)
    game, step = Game(load_encounter(ENCOUNTER), SEED), 0
    while not game.over and (game.side != "party" or step < STEPS):
        if game.side == "party":
            game.play(choice(game.mask, step))
            step += 1
        else:
            game.play(other.choose(game))
    return game.trail


def in_single(opponent: str = "random") -> int:
    env = LensEnv("the_lens", encounter=ENCOUNTER, opponent=opponent)
    _, info = env.reset(seed=SEED)
    for step in range(STEPS):
        foreign()
        _, _, terminated, truncated, info = env.step(choice(info["action_mask"], step))
        if terminated or truncated:
            break
    return env.arena.trail(0)[1]


def in_vector(size: int, opponent: str = "random") -> int:
    env = LensVectorEnv("the_lens", size, encounter=ENCOUNTER, opponent=opponent, autoreset_mode="DISABLED")
    first = size // 2
    _, infos = env.reset(seed=SEED - first)
    for step in range(STEPS):
        foreign()
        masks = infos["action_mask"]
        actions = [choice(mask, step) if mask.any() else 0 for mask in masks]
        _, _, terminated, truncated, infos = env.step(np.array(actions))
        if terminated[first] or truncated[first]:
            break
    return env.arena.trail(first)[1]


def in_sb3() -> int:
    """Where a skirmish ends the next one is open at once, so the trail is looked at before the last decision."""
    env = LensVecEnv("the_lens", 3, encounter=ENCOUNTER)
    env.seed(SEED - 1)
    env.reset()
    trails = [env.arena.trail(1)[1]]
    for step in range(STEPS):
        foreign()
        _, _, done, _ = env.step(np.array([choice(mask, step) for mask in env.action_masks()]))
        if done[1]:
            break
        trails.append(env.arena.trail(1)[1])
    return hash(tuple(trails))


def before_decisions() -> int:
    """The same of a Game: the trail at each of the party's decisions."""
    other = load_agent("random")
    other.reset(OTHER)
    game, trails = Game(load_encounter(ENCOUNTER), SEED), []
    while not game.over and len(trails) <= STEPS:
        if game.side == "party":
            trails.append(game.trail)
            game.play(choice(game.mask, len(trails) - 1))
        else:
            game.play(other.choose(game))
    return hash(tuple(trails))


def in_aec() -> int:
    other = load_agent("random")
    other.reset(OTHER)
    env = LensAEC("the_lens", encounter=ENCOUNTER)
    env.reset(seed=SEED)
    step = 0
    while not env.terminations[AGENTS[0]] and not env.truncations[AGENTS[0]]:
        agent = env.agent_selection
        if agent == AGENTS[0]:
            if step == STEPS:
                break
            action = choice(env.infos[agent]["action_mask"], step)
            step += 1
        else:
            action = int(other.act(env.arena)[0])
        foreign()
        env.step(action)
    return env.arena.trail(0)[1]


def test_game_and_single() -> None:
    assert in_single() == in_game()


@pytest.mark.parametrize("size", [1, 7, 1024])
def test_vector_of_any_size(size: int) -> None:
    assert in_vector(size) == in_game()


def test_both_sides_as_agents() -> None:
    assert in_aec() == in_game()


def test_stable_baselines() -> None:
    assert in_sb3() == before_decisions()


@pytest.mark.parametrize("opponent", ["aggressive", "prefer:ATTACK,MOVE"])
def test_an_opponent_in_python(opponent: str) -> None:
    assert in_single(opponent) == in_vector(4, opponent) == in_game(opponent)


def test_another_process() -> None:
    code = "from tests.envs.test_trajectory import *; print(in_game(), in_single(), in_vector(3))"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(in_game())] * 3


def test_torch_does_not_matter() -> None:
    torch = pytest.importorskip("torch")
    before = in_single()
    torch.manual_seed(3)
    torch.rand(5)
    assert in_single() == before
