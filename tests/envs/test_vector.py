"""The batched environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import lens_env  # noqa: F401  (registers the ids)
from lens_env.envs.single import LensEnv
from lens_env.envs.vector import LensVectorEnv
from lens_env.errors import IllegalAction, LensError

SETTINGS: dict[str, Any] = {"encounter": "the_lens/ogre_at_the_ford", "opponent": "aggressive"}


def first(masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def test_made_by_its_id() -> None:
    env = gym.make_vec("lens_env/TheLens-v0", num_envs=3, vectorization_mode="vector_entry_point", **SETTINGS)
    seen, infos = env.reset(seed=1)
    assert seen.shape == env.observation_space.shape and env.observation_space.contains(seen)
    assert infos["action_mask"].shape == (3, env.single_action_space.n)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


@pytest.mark.parametrize("size", [1, 7])
def test_environment_i_is_a_single_one_with_its_seed(size: int) -> None:
    env = LensVectorEnv("the_lens", size, **SETTINGS)
    alone = [LensEnv("the_lens", **SETTINGS) for _ in range(size)]
    seen, infos = env.reset(seed=40)
    known = [one.reset(seed=40 + i) for i, one in enumerate(alone)]
    ended = [False] * size
    for _ in range(150):
        masks = infos["action_mask"]
        assert all((seen[i] == known[i][0]).all() for i in range(size))
        assert all((masks[i] == known[i][-1]["action_mask"]).all() for i in range(size))
        seen, rewards, terminated, truncated, infos = env.step(first(masks))
        for i, one in enumerate(alone):
            if ended[i]:
                known[i] = one.reset()
                assert (rewards[i], terminated[i], truncated[i]) == (0.0, False, False)
            else:
                known[i] = one.step(int(masks[i].argmax()))
                assert (rewards[i], terminated[i], truncated[i]) == known[i][1:4]
            ended[i] = bool(terminated[i] or truncated[i])


def test_same_step_opens_at_once_what_next_step_opens_later() -> None:
    later, at_once = (
        LensVectorEnv("the_lens", 4, autoreset_mode=mode, **SETTINGS) for mode in ("NextStep", "SAME_STEP")
    )
    (_, infos), (_, quick) = later.reset(seed=3), at_once.reset(seed=3)
    finals: list[list[Any]] = [[] for _ in range(4)]
    quick_finals: list[list[Any]] = [[] for _ in range(4)]
    for _ in range(200):
        seen, rewards, terminated, truncated, infos = later.step(first(infos["action_mask"]))
        for i in np.flatnonzero(terminated | truncated):
            finals[i].append((seen[i].tobytes(), rewards[i]))
        seen, rewards, terminated, truncated, quick = at_once.step(first(quick["action_mask"]))
        ended = terminated | truncated
        assert quick["action_mask"].any(axis=1).all()
        if ended.any():
            assert (quick["_final_obs"] == ended).all() and (quick["_final_info"] == ended).all()
            assert (quick["final_info"]["action_mask"][ended] == 0).all()
        for i in np.flatnonzero(ended):
            quick_finals[i].append((quick["final_obs"][i].tobytes(), rewards[i]))
            assert quick["final_info"]["winner"][i] in ("party", "foes", None)
    for slow, fast in zip(finals, quick_finals, strict=True):
        assert len(slow) > 2 and fast[: len(slow)] == slow


def test_disabled_waits_for_a_reset_of_those_that_ended() -> None:
    env = LensVectorEnv("the_lens", 5, autoreset_mode=AutoresetMode.DISABLED, **SETTINGS)
    _, infos = env.reset(seed=9)
    ended = np.zeros(5, bool)
    while not ended.any():
        seen, _, terminated, truncated, infos = env.step(first(infos["action_mask"]))
        ended = terminated | truncated
    row = int(np.flatnonzero(ended)[0])
    again, rewards, terminated, truncated, infos = env.step(first(infos["action_mask"]))
    assert (again[row] == seen[row]).all() and rewards[row] == 0.0 and terminated[row] | truncated[row]
    going = env.arena.trail(int(np.flatnonzero(~ended)[0]))
    _, infos = env.reset(options={"reset_mask": ended})
    assert infos["action_mask"][row].any() and env.arena.trail(row)[0] == 1
    assert env.arena.trail(int(np.flatnonzero(~ended)[0])) == going
    _, _, terminated, _, _ = env.step(first(infos["action_mask"]))
    assert not terminated[row]


def test_episode_statistics() -> None:
    env = RecordEpisodeStatistics(LensVectorEnv("the_lens", 8, **SETTINGS))
    _, infos = env.reset(seed=0)
    returns = []
    for _ in range(200):
        _, _, _, _, infos = env.step(first(infos["action_mask"]))
        if "episode" in infos:
            returns += infos["episode"]["r"][infos["_episode"]].tolist()
    assert len(returns) > 20 and set(returns) <= {-1.0, 0.0, 1.0}


def test_what_was_handed_out_is_left_alone() -> None:
    env = LensVectorEnv("the_lens", 2, **SETTINGS)
    seen, infos = env.reset(seed=0)
    kept = [(seen, seen.copy(), infos["action_mask"], infos["action_mask"].copy())]
    for _ in range(20):
        seen, _, _, _, infos = env.step(first(infos["action_mask"]))
        kept.append((seen, seen.copy(), infos["action_mask"], infos["action_mask"].copy()))
    for seen, copy, masks, same in kept:
        assert (seen == copy).all() and (masks == same).all()


def test_a_part_of_what_was_handed_out_is_left_alone() -> None:
    env = LensVectorEnv("the_lens", 2, **SETTINGS)
    seen, infos = env.reset(seed=0)
    kept = []
    for _ in range(20):
        kept.append((seen[1, 3:], seen[1, 3:].copy(), infos["action_mask"][0], infos["action_mask"][0].copy()))
        seen, _, _, _, infos = env.step(first(infos["action_mask"]))
    for part, copy, mask, same in kept:
        assert (part == copy).all() and (mask == same).all()


def test_arrays_that_nobody_holds_are_used_again() -> None:
    env = LensVectorEnv("the_lens", 2, **SETTINGS)
    _, infos = env.reset(seed=0)
    places = set()
    for _ in range(20):
        seen, _, _, _, infos = env.step(first(infos["action_mask"]))
        places.add(seen.ctypes.data)
        del seen
    assert len(places) <= 3


def test_a_seed_each() -> None:
    env = LensVectorEnv("the_lens", 3, **SETTINGS)
    env.reset(seed=[5, 9, 5])
    assert env.arena.dice["source"]["seed_low"].tolist() == [5, 9, 5]
    env.reset(seed=[None, 2**40, None])
    assert env.arena.dice["source"]["episode"].tolist() == [1, 0, 1]
    assert env.arena.dice["source"]["seed_high"].tolist() == [0, 2**8, 0]
    with pytest.raises(LensError, match="seed: one number, or 3 of them, got 2"):
        env.reset(seed=[1, 2])


def test_without_a_seed_streams_differ() -> None:
    one, other = LensVectorEnv("the_lens", 2, **SETTINGS), LensVectorEnv("the_lens", 2, **SETTINGS)
    one.reset()
    other.reset()
    assert (one.arena.dice["source"]["seed_low"] != other.arena.dice["source"]["seed_low"]).all()


@pytest.mark.parametrize(
    ("action", "mode"), [(10_000, "raise"), (-1, "raise"), (-2, "raise"), (-3, "raise"), (-7, "raise")]
)
def test_an_illegal_action_is_refused(action: int, mode: str) -> None:
    env = LensVectorEnv("the_lens", 3, on_illegal=mode, **SETTINGS)
    _, infos = env.reset(seed=0)
    actions = first(infos["action_mask"])
    actions[1] = action
    before = env.arena.states.tobytes()
    with pytest.raises(IllegalAction, match="environment 1: action"):
        env.step(actions)
    assert env.arena.states.tobytes() == before


def test_an_illegal_action_is_fined_if_that_is_wanted() -> None:
    env = LensVectorEnv("the_lens", 3, on_illegal="penalty", **SETTINGS)
    _, infos = env.reset(seed=0)
    actions = first(infos["action_mask"])
    actions[2] = int(np.flatnonzero(infos["action_mask"][2] == 0)[0])
    _, rewards, _, _, infos = env.step(actions)
    assert rewards.tolist() == [0.0, 0.0, -1.0] and infos["illegal_action"].tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs: a whole number, 1 or more"),
        ({"autoreset_mode": "never"}, "autoreset_mode: allowed are NEXT_STEP, SAME_STEP, DISABLED"),
        ({"render_mode": "human"}, "render_mode: allowed are"),
    ],
)
def test_a_wrong_option_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LensError, match=message):
        LensVectorEnv("the_lens", **settings)


def test_pictures_and_texts() -> None:
    env = LensVectorEnv("the_lens", 2, render_mode="rgb_array", **SETTINGS)
    env.reset(seed=0)
    assert [picture.shape for picture in env.render()] == [(480, 640, 3)] * 2
