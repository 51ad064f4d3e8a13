"""RLlib, where it is installed: it takes a skirmish as any other environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

import lens_env  # noqa: F401  (registers the ids)

pytest.importorskip("ray.rllib", reason="RLlib is not among the requirements")


@pytest.mark.filterwarnings("ignore")  # RLlib's own
def test_rllib_trains_on_a_registered_environment() -> None:
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.tune import register_env

    def made(settings: dict[str, Any]) -> gym.Env[Any, Any]:
        return gym.make("lens_env/TheLens-v0", **settings)

    register_env("lens", made)
    settings = {"encounter": "the_lens/duel", "on_illegal": "penalty"}
    config = (
        PPOConfig()
        .environment("lens", env_config=settings)
        .env_runners(num_env_runners=0)
        .training(train_batch_size=4000, minibatch_size=500, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        sampled = algorithm.train()["env_runners"]
        assert sampled["num_env_steps_sampled"] >= 4000
        assert sampled["num_episodes"] > 0
    finally:
        algorithm.stop()
