"""The environment of one agent."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import lens_env  # noqa: F401  (registers the ids)
from agents import load_agent
from lens_env import Encounter, load_encounter
from lens_env.envs.single import LensEnv
from lens_env.errors import EncounterError, IllegalAction, LensError

ID = "lens_env/TheLens-v0"


def make(**settings: Any) -> LensEnv:
    env: LensEnv = gym.make(ID, **settings).unwrapped  # type: ignore[assignment]
    return env


def play(env: LensEnv, seed: int = 0, pick: int = 0) -> list[tuple[float, bool, bool, dict[str, Any]]]:
    """A whole skirmish; the ``pick``-th legal action, counted round, is played each time."""
    _, info = env.reset(seed=seed)
    steps: list[tuple[float, bool, bool, dict[str, Any]]] = []
    while not steps or not (steps[-1][1] or steps[-1][2]):
        legal = np.flatnonzero(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(legal[pick % len(legal)])
        steps.append((reward, terminated, truncated, info))
    return steps


def test_the_ids_are_registered_without_a_compiler() -> None:
    code = (
        "import sys, lens_env, gymnasium; assert 'lens_env/TheLens-v0' in gymnasium.registry;"
        "assert not {'numba', 'torch', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_spaces_and_names() -> None:
    env = make(encounter="the_lens/two_against_two")
    seen, info = env.reset(seed=1)
    assert env.observation_space.shape == seen.shape == (len(env.observation_names),)
    assert env.observation_space.contains(seen)
    assert len(set(env.observation_names)) == len(env.observation_names)
    assert info["action_mask"].dtype == np.int8 and info["action_mask"].shape == (env.action_space.n,)
    assert (env.action_masks() == info["action_mask"].astype(bool)).all()
    assert env.action_names == load_encounter("the_lens/two_against_two").built.actions
    assert env.observation_names[0] == "scene.window.INITIATIVE"
    assert {"self.body", "ally 1.momentum", "enemy 2.distance"} <= set(env.observation_names)


def test_both_sides_see_observations_of_one_shape() -> None:
    swarm = "the_lens/swarm"
    assert make(encounter=swarm, side="foes").observation_space == make(encounter=swarm).observation_space


def test_decode_reads_an_observation() -> None:
    env = make(encounter="the_lens/ogre_at_the_ford")
    seen, _ = env.reset(seed=7)
    read = env.decode(seen)
    assert read["scene"]["window"] == "INITIATIVE"
    assert read["self"]["standing"] is True and read["self"]["body"] is True
    assert set(read) == {"scene", "self", "enemy 1"}
    with pytest.raises(ValueError, match="has the shape"):
        env.layout.decode(seen[:-1])


def test_observations_in_groups_hold_the_same_numbers() -> None:
    flat, grouped = make(), make(observation="dict")
    seen, parts = flat.reset(seed=2)[0], grouped.reset(seed=2)[0]
    assert (np.concatenate([parts[name] for name, _ in grouped.layout.blocks]) == seen).all()
    assert grouped.observation_space.contains(parts)
    assert grouped.decode(parts) == flat.decode(seen)


@pytest.mark.parametrize("side", ["party", "foes"])
def test_only_this_side_is_asked(side: str) -> None:
    env = make(side=side, opponent="aggressive")
    for seed in range(5):
        steps = play(env, seed)
        assert {info["side"] for _, _, _, info in steps[:-1]} <= {side}
        reward, terminated, truncated, info = steps[-1]
        assert terminated != truncated
        assert info["side"] is info["decider"] is info["window"] is None
        assert reward == (0.0 if truncated else 1.0 if info["winner"] == side else -1.0)
        assert all(now == 0.0 for now, _, _, _ in steps[:-1])


def test_undecided_is_truncated() -> None:
    data = load_encounter("the_lens/duel").data
    steps = play(make(encounter={**data, "max_rounds": 1}))
    assert steps[-1][1:3] == (False, True) and steps[-1][0] == 0.0


def test_harm_sums_to_the_difference_at_the_end() -> None:
    env = make(reward="harm", side="foes", encounter="the_lens/ogre_at_the_ford")
    for seed in range(5):
        total = sum(reward for reward, _, _, _ in play(env, seed, pick=1))
        fighters = env.arena.states[0]["fighters"]
        assert total == pytest.approx(fighters["body"][1] / 18 - fighters["body"][0] / 14)


@pytest.mark.parametrize("others", ["aggressive", "balanced", "random"])
def test_only_defences_are_asked(others: str) -> None:
    env = make(decisions="defense", others=others, opponent="aggressive", encounter="the_lens/ogre_at_the_ford")
    for seed in range(4):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            assert (info["side"], info["window"]) == ("party", "DEFEND")
            _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
            ended = terminated or truncated


def test_an_agent_that_is_never_asked_is_told() -> None:
    env = make(decisions="defense", side="foes")  # monsters have no defences
    with pytest.raises(LensError, match="asked nothing in 1,000 skirmishes in a row"):
        env.reset(seed=0)


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = make()
    env.reset(seed=0)
    before = env.arena.states.tobytes()
    for action in (int(np.flatnonzero(env.action_masks() == 0)[0]), -1, -2, 10_000):
        with pytest.raises(IllegalAction, match=r"environment 0: action \d+.* is not legal; legal: \d+ \("):
            env.step(action)
        assert env.arena.states.tobytes() == before


def test_an_illegal_action_is_fined_if_that_is_wanted() -> None:
    env = make(on_illegal="penalty", penalty=-0.25)
    seen, info = env.reset(seed=0)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    again, reward, terminated, truncated, after = env.step(illegal)
    assert (reward, terminated, truncated, after["illegal_action"]) == (-0.25, False, False, True)
    assert (again == seen).all() and (after["action_mask"] == info["action_mask"]).all()
    _, reward, _, _, after = env.step(int(info["action_mask"].argmax()))
    assert reward == 0.0 and "illegal_action" not in after


def test_an_encounter_is_drawn_at_each_reset() -> None:
    names = ["the_lens/duel", "the_lens/ogre_at_the_ford", "the_lens/archer"]
    env = make(encounter=names)
    drawn = [int(env.arena.which[0]) for seed in range(60) if env.reset(seed=seed)]
    assert set(drawn) == {0, 1, 2}
    assert [int(env.arena.which[0]) for seed in range(60) if env.reset(seed=seed)] == drawn
    env.reset(seed=0)
    follows = [int(env.arena.which[0]) for _ in range(60) if env.reset()]
    assert set(follows) == {0, 1, 2}


def test_every_variant_of_a_grid_is_an_encounter() -> None:
    data = load_encounter("the_lens/duel").data
    env = make(encounter={**data, "vary": {"foes.0.body": [5, 6, 7]}})
    drawn = set()
    for seed in range(40):
        env.reset(seed=seed)
        drawn.add(int(env.arena.setups[env.arena.which[0]]["sheets"][1]["body"]))
    assert drawn == {5, 6, 7}


def test_an_opponent_may_be_an_object() -> None:
    agent = load_agent("aggressive")
    assert [step[0] for step in play(make(opponent=agent), 3)] == [
        step[0] for step in play(make(opponent="aggressive"), 3)
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"side": "left"}, "side: allowed are 'party', 'foes', got 'left'"),
        ({"side": None}, "side: allowed are"),
        ({"decisions": "defence"}, "did you mean 'defense'"),
        ({"reward": 1}, "reward: allowed are 'outcome', 'harm', got 1"),
        ({"on_illegal": "ignore"}, "on_illegal: allowed are"),
        ({"penalty": "much"}, "penalty: a number"),
        ({"render_mode": "ascii"}, "render_mode: allowed are"),
        ({"observation": "box"}, "observation: allowed are"),
        ({"opponent": "agressive"}, "unknown agent 'agressive', did you mean 'aggressive'"),
        ({"opponent": 5}, "opponent: the name of an agent"),
        ({"encounter": []}, "got an empty list"),
        ({"encounter": 5}, "encounter: a name, a path, a mapping"),
    ],
)
def test_a_wrong_option_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LensError, match=message):
        LensEnv("the_lens", **settings)


def test_an_unknown_encounter_is_named() -> None:
    with pytest.raises(EncounterError, match="did you mean the_lens/duel"):
        make(encounter="the_lens/duell")


def test_reset_comes_first() -> None:
    env = LensEnv("the_lens", render_mode="ansi")
    with pytest.raises(LensError, match="call reset before step"):
        env.step(0)
    with pytest.raises(LensError, match="call reset before render"):
        env.render()


def test_renderings(capsys: pytest.CaptureFixture[str]) -> None:
    text, person, picture = (make(render_mode=mode) for mode in ("ansi", "human", "rgb_array"))
    for env in (text, person, picture):
        env.reset(seed=0)
    assert str(text.render()).startswith("Round 1\n")
    assert person.render() is None and capsys.readouterr().out.startswith("Round 1\n")
    drawn = picture.render()
    assert drawn.shape == (480, 640, 3) and drawn.dtype == np.uint8 and len(np.unique(drawn)) > 50


def test_a_third_party_encounter_object() -> None:
    encounter = Encounter.from_dict({**load_encounter("the_lens/duel").data, "name": "Mine"})
    assert make(encounter=encounter).arena.encounters[0].name == "Mine"
