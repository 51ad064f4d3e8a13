"""The environments under stable-baselines3 and PettingZoo."""

from __future__ import annotations

import numpy as np
import pytest

from lens_env.envs.pettingzoo import AGENTS, LensAEC
from lens_env.envs.sb3 import LensVecEnv
from lens_env.errors import IllegalAction, LensError


def test_terminal_observations_and_time_limits() -> None:
    env = LensVecEnv("the_lens", 6, encounter="the_lens/duel")
    env.seed(2)
    seen = env.reset()
    ended = 0
    for _ in range(300):
        seen, rewards, done, infos = env.step(env.action_masks().argmax(axis=1))
        assert seen.dtype == rewards.dtype == np.float32
        for row in np.flatnonzero(done):
            ended += 1
            assert infos[row]["terminal_observation"].shape == seen[row].shape
            assert (infos[row]["terminal_observation"] != seen[row]).any()
            assert infos[row]["TimeLimit.truncated"] is (infos[row]["winner"] is None)
            assert rewards[row] == {"party": 1, "foes": -1, None: 0}[infos[row]["winner"]]
        assert all(not infos[row] for row in np.flatnonzero(~done))
    assert ended > 10


def test_what_stable_baselines_asks() -> None:
    env = LensVecEnv("the_lens", 3)
    env.reset()
    assert env.env_is_wrapped(object) == [False] * 3
    assert env.has_attr("action_masks") and not env.has_attr("nothing_like_it")
    assert np.stack(env.env_method("action_masks")).shape == (3, env.action_space.n)
    assert len(env.env_method("action_masks", indices=[1])) == 1
    env.set_attr("mark", 5)
    assert env.get_attr("mark", indices=[0, 2]) == [5, 5]
    with pytest.raises(LensError, match="num_envs"):
        LensVecEnv("the_lens", 0)


def test_algorithms_without_masks_need_a_penalty() -> None:
    from stable_baselines3 import PPO

    env = LensVecEnv("the_lens", 4, on_illegal="penalty")
    PPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1).learn(256)
    with pytest.raises(IllegalAction):
        PPO("MlpPolicy", LensVecEnv("the_lens", 4), n_steps=32, batch_size=64).learn(256)


def test_both_sides_are_paid_the_opposite() -> None:
    env = LensAEC("the_lens", encounter="the_lens/duel", reward="harm")
    for seed in range(4):
        env.reset(seed=seed)
        totals = dict.fromkeys(AGENTS, 0.0)
        for agent in env.agent_iter():
            _, reward, terminated, truncated, info = env.last()
            totals[agent] += reward
            env.step(None if terminated or truncated else int(info["action_mask"].argmax()))
        fighters = env.arena.states[0]["fighters"]
        assert totals["party_0"] == pytest.approx(-totals["foes_0"])
        assert totals["party_0"] == pytest.approx((fighters["body"][0] - fighters["body"][1]) / 8)
        assert env.agents == []


def test_who_is_not_asked_has_no_legal_action() -> None:
    env = LensAEC("the_lens", encounter="the_lens/duel")
    env.reset(seed=0)
    asked = env.agent_selection
    other = AGENTS[1 - AGENTS.index(asked)]
    assert env.infos[asked]["action_mask"].any() and not env.infos[other]["action_mask"].any()
    assert env.observation_space(other).contains(env.observe(other))
    assert (env.observe(other) != env.observe(asked)).any()
    with pytest.raises(IllegalAction):
        env.step(-1)


def test_options_of_one_side_are_refused() -> None:
    with pytest.raises(LensError, match="opponent: no option where both sides are agents"):
        LensAEC("the_lens", opponent="random")
