"""How fast the environments are, beside Gymnasium's own CartPole on the same machine in the same minute."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import gymnasium as gym
import numpy as np

from lens_env import Encounter
from lens_env.core import philox, record
from lens_env.envs.arena import Arena
from lens_env.envs.vector import LensVectorEnv

Array = np.ndarray[Any, Any]
BATCH = 1024
CALLS = 500  # steps of a single environment between two looks at the clock
TRAIN_ENVS = 256
TRAIN_STEPS = 128 * TRAIN_ENVS
Rate = tuple[str, float, str, str]  # name, value, unit, note


def environments(best: Callable[[Callable[[], None]], float], duel: Encounter, pairs: Encounter) -> Iterator[Rate]:
    """The figures; ``best`` tells how often a second it can call something."""
    for name, encounter in (("2 against 2", pairs), ("duel", duel)):
        decisions, steps = _vector(best, encounter)
        note = f"batch {BATCH}, random play, observations and masks; {steps / 1e6:.2f} million steps/s of one side"
        yield f"make_vec, {name}", decisions, "decisions/s", note
    yield "make_vec, CartPole", _cart_pole_vector(best), "steps/s", f"Gymnasium's own, batch {BATCH}"
    yield "make, duel", _single(best, duel), "steps/s", "Gymnasium's wrappers included"
    yield "make, CartPole", _cart_pole(best), "steps/s", "Gymnasium's own"
    if find_spec("pettingzoo"):
        yield "PettingZoo AEC, duel", _aec(best, duel), "steps/s", "both sides"
    if find_spec("stable_baselines3"):
        ours, nothing = _training(duel)
        share = f"{100 * ours / nothing:.0f} % of an environment of these shapes that does nothing"
        yield "PPO training, duel", ours, "steps/s", f"{TRAIN_ENVS} environments; {share}"


def _vector(best: Callable[[Callable[[], None]], float], encounter: Encounter) -> tuple[float, float]:
    """(decisions by anyone, steps) a second."""
    made = gym.make_vec(encounter.ruleset.env_id, BATCH, "vector_entry_point", encounter=encounter)
    env: LensVectorEnv = made.unwrapped  # type: ignore[assignment]
    env.reset(seed=0)
    arena: Arena = env.arena
    sources, actions = record.new(philox.Source, BATCH), np.zeros(BATCH, np.int64)
    sources["environment"] = np.arange(BATCH)
    before, steps = arena.decisions, 0

    def step() -> None:
        nonlocal steps
        arena.engine.run("random_actions", sources, arena.masks, actions)
        env.step(actions)
        steps += 1

    rate = best(step)
    return rate * (arena.decisions - before) / steps, rate * BATCH


def _cart_pole_vector(best: Callable[[Callable[[], None]], float]) -> float:
    env = gym.make_vec("CartPole-v1", BATCH, "vector_entry_point")
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 2, (64, BATCH))
    number = 0

    def step() -> None:
        nonlocal number
        env.step(actions[number & 63])
        number += 1

    return BATCH * best(step)


def _single(best: Callable[[Callable[[], None]], float], encounter: Encounter) -> float:
    env = gym.make(encounter.ruleset.env_id, encounter=encounter)
    _, info = env.reset(seed=0)

    def steps() -> None:
        nonlocal info
        for _ in range(CALLS):
            _, _, terminated, truncated, info = env.step(info["action_mask"].argmax())
            if terminated or truncated:
                _, info = env.reset()

    return CALLS * best(steps)


def _cart_pole(best: Callable[[Callable[[], None]], float]) -> float:
    env = gym.make("CartPole-v1")
    env.reset(seed=0)

    def steps() -> None:
        for number in range(CALLS):
            _, _, terminated, truncated, _ = env.step(number & 1)
            if terminated or truncated:
                env.reset()

    return CALLS * best(steps)


def _aec(best: Callable[[Callable[[], None]], float], encounter: Encounter) -> float:
    from lens_env.envs.pettingzoo import LensAEC

    env = LensAEC(encounter.ruleset.name, encounter=encounter)
    env.reset(seed=0)

    def steps() -> None:
        for _ in range(CALLS):
            if any(env.terminations.values()) or any(env.truncations.values()):
                env.reset()
            env.step(env.infos[env.agent_selection]["action_mask"].argmax())

    return CALLS * best(steps)


# --- training ----------------------------------------------------------------------------------------------


def _training(encounter: Encounter) -> tuple[float, float]:
    """Steps a second of the same PPO on our environment and on one of the same shapes that does nothing."""
    from stable_baselines3.common.vec_env import VecEnv

    from lens_env.envs.sb3 import LensVecEnv

    class Nothing(LensVecEnv):
        """Hands out the same observation again and again."""

        def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
            zeros = np.zeros(self.num_envs, np.float32)
            return self.arena.observations, zeros, zeros != 0, [{} for _ in range(self.num_envs)]

    def rate(env: VecEnv) -> float:
        from sb3_contrib import MaskablePPO

        model = MaskablePPO(
            "MlpPolicy", env, n_steps=TRAIN_STEPS // TRAIN_ENVS, batch_size=4096, n_epochs=2, device="cpu"
        )
        model.learn(TRAIN_STEPS)  # warm
        start = time.perf_counter()
        model.learn(2 * TRAIN_STEPS)
        return 2 * TRAIN_STEPS / (time.perf_counter() - start)

    made = [kind(encounter.ruleset.name, TRAIN_ENVS, encounter=encounter) for kind in (LensVecEnv, Nothing)]
    return rate(made[0]), rate(made[1])
