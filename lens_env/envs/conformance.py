"""Does a ruleset keep its promises? One function that checks a ruleset, ours or yours, in all environments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from typing import Any

import gymnasium as gym
import numpy as np

from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError
from lens_env.play.encounter import Encounter
from lens_env.play.game import Game

from .registration import register_all
from .single import LensEnv
from .vector import LensVectorEnv

Array = np.ndarray[Any, Any]
TOLERANCE = 1e-9
STEPS = 300


class NotConforming(LensError):
    """A ruleset breaks a promise: tells which, where, and how to see it again."""


def check(encounter: Encounter, *, seed: int = 0, steps: int = STEPS) -> list[str]:
    """Check the ruleset of ``encounter`` by playing it at random, and every environment over it.

    Returns the names of the checks that were made; those of stable-baselines3 and PettingZoo are made if they are
    installed. Raises NotConforming with the first promise that is broken. ``steps``: decisions played in each check.
    """
    done = []
    for name, one in _checks(encounter):
        try:
            one(encounter, seed, steps)
        except NotConforming as error:
            raise NotConforming(f"{encounter.ruleset.name}, {encounter.name}, seed {seed}: {name}: {error}") from None
        done.append(name)
    return done


def _checks(encounter: Encounter) -> Iterator[tuple[str, Callable[[Encounter, int, int], None]]]:
    yield "the catalogue", _catalogue
    yield "skirmishes", _skirmishes
    yield "outcomes", _outcomes
    yield "observations", _observations
    yield "one trajectory everywhere", _trajectories
    yield "rewards", _rewards
    yield "texts and pictures", _texts
    yield "Gymnasium's checker", _gymnasium
    if find_spec("stable_baselines3"):
        yield "stable-baselines3's checker", _stable_baselines
    if find_spec("pettingzoo"):
        yield "PettingZoo's tests", _pettingzoo


def _demand(kept: object, promise: str) -> None:
    if not kept:
        raise NotConforming(promise)


# --- the rules ---------------------------------------------------------------------------------------------


def _catalogue(encounter: Encounter, seed: int, steps: int) -> None:
    ruleset, built = encounter.ruleset, encounter.built
    _demand(len(built.actions) == ruleset.size, "every action has a name")
    _demand(len(set(built.actions)) == ruleset.size, "all names of actions differ")
    _demand(ruleset.size <= 8 * ruleset.words, "the mask has room for every action")
    _demand(set(ruleset.defense_windows) <= set(ruleset.windows), "the defence windows are windows")
    _demand(len(ruleset.windows) < 62, "there are fewer than 62 windows")
    for seen in (*ruleset.scene, *ruleset.fighter):
        _demand(seen.low < seen.high, f"{seen.name}: its lower bound lies below the upper one")
    for group in (ruleset.scene, ruleset.fighter):
        _demand(len({seen.name for seen in group}) == len(group), "all names of an observation's numbers differ")


def _skirmishes(encounter: Encounter, seed: int, steps: int) -> None:
    """The mask is never empty before the end, and empty after it; copies are independent; names go both ways."""
    for game in _played(encounter, seed, steps):
        legal = game.legal()
        _demand(bool(legal) != game.over, f"round {game.round}: actions are legal exactly until the end")
        flags = np.flatnonzero(game.mask)
        listed = game.masks["listed"][0, : game.masks["count"][0]]
        _demand(sorted(listed) == flags.tolist(), f"round {game.round}: the mask and its list agree")
        if game.over:
            continue
        before = game.state.tobytes()
        twin = game.copy().play(legal[-1])
        _demand(game.state.tobytes() == before, f"{legal[-1]}: played in a copy, it leaves the original alone")
        _demand(twin.trail != game.trail, f"{legal[-1]}: it is part of the trail")
        _demand(game.action_index(legal[0]) == flags[0], f"{legal[0]}: names and indices belong together")


def _outcomes(encounter: Encounter, seed: int, steps: int) -> None:
    """The odds of an action sum to 1, and sampling it gives one of its outcomes."""
    for number, game in enumerate(_played(encounter, seed, min(steps, 60))):
        if game.over:
            continue
        action = game.legal()[number % len(game.legal())]
        outcomes = game.outcomes(action)
        total = sum(probability for probability, _ in outcomes)
        _demand(abs(total - 1) < TOLERANCE, f"{action}: its odds sum to 1, here {total}")
        played = game.copy().play(action).state.tobytes()
        _demand(played in {after.state.tobytes() for _, after in outcomes}, f"{action}: what is played is an outcome")


def _played(encounter: Encounter, seed: int, steps: int) -> Iterator[Game]:
    """Positions of random skirmishes, the ends included."""
    rng, episode = np.random.default_rng(seed), 0
    game = Game(encounter, seed)
    for _ in range(steps):
        yield game
        if game.over:
            episode += 1
            game = Game(encounter, seed, episode=episode)
        else:
            game.play(int(rng.choice(np.flatnonzero(game.mask))))


# --- the environments --------------------------------------------------------------------------------------


def _observations(encounter: Encounter, seed: int, steps: int) -> None:
    """Every number lies within its bounds, for both sides."""
    for side in SIDES:
        env = LensVectorEnv(encounter.ruleset.name, 8, encounter=encounter, side=side)
        seen, infos = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(max(1, steps // 8)):
            outside = (seen < env.layout.low) | (seen > env.layout.high) | ~np.isfinite(seen)
            if outside.any():
                row, place = np.argwhere(outside)[0]
                raise NotConforming(f"{env.layout.names[place]} keeps its bounds, here it is {seen[row, place]}")
            seen, _, _, _, infos = env.step(_random(infos["action_mask"], rng))


def _random(masks: Array, rng: Any) -> Array:
    """A random legal action a row; 0 where none is."""
    actions: Array = (masks * rng.random(masks.shape)).argmax(axis=1)
    return actions


def _first(masks: Array) -> Array:
    """The first legal action a row."""
    actions: Array = masks.argmax(axis=1)
    return actions


def _trajectories(encounter: Encounter, seed: int, steps: int) -> None:
    """A single environment, batches of any size and a Game play the same skirmish from the same seed."""
    name = encounter.ruleset.name
    trails = []
    for size in (1, 5):
        env = LensVectorEnv(name, size, encounter=encounter, side="party")
        _, infos = env.reset(seed=seed)
        for _ in range(steps // 10):
            _, _, _, _, infos = env.step(_first(infos["action_mask"]))
        trails.append(env.arena.trail(0))
    single = LensEnv(name, encounter=encounter, side="party")
    _, info = single.reset(seed=seed)
    for _ in range(steps // 10):
        if info["side"] is None:
            _, info = single.reset()  # what the vector environment does in a step of its own
        else:
            _, _, _, _, info = single.step(int(info["action_mask"].argmax()))
    trails.append(single.arena.trail(0))
    _demand(len(set(trails)) == 1, "a single environment and batches of any size play the same skirmishes")


def _rewards(encounter: Encounter, seed: int, steps: int) -> None:
    """The rewards of one skirmish sum to its result, and one side's are the other's turned round."""
    for reward in ("outcome", "harm"):
        total, state = _sum_of_rewards(encounter, seed, reward)
        winner = int(state["winner"])
        expected = {1: 1.0, 2: -1.0}.get(winner, 0.0) if reward == "outcome" else _lead(encounter, state)
        _demand(abs(total - expected) < TOLERANCE, f"{reward}: the rewards sum to {expected}, here {total}")


def _sum_of_rewards(encounter: Encounter, seed: int, reward: str) -> tuple[float, Any]:
    env = LensEnv(encounter.ruleset.name, encounter=encounter, reward=reward)
    _, info = env.reset(seed=seed)
    total, ended = 0.0, False
    while not ended:
        _, now, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        total, ended = total + now, terminated or truncated
    return total, env.arena.states[0]


def _lead(encounter: Encounter, state: Any) -> float:
    """The party's mean health less that of the foes, by the pictures' main bar."""
    built = encounter.built
    shares = []
    for portrait in encounter.ruleset.depict(state, built).portraits:
        bar = portrait.bars[0]
        shares.append(0.0 if portrait.out else min(1.0, bar.now / bar.most))
    party, foes = shares[: built.party_count], shares[built.party_count :]
    return sum(party) / len(party) - sum(foes) / len(foes)


def _texts(encounter: Encounter, seed: int, steps: int) -> None:
    """Every position can be told and drawn."""
    from lens_env.play.picture import SIZE, draw

    for number, game in enumerate(_played(encounter, seed, min(steps, 60))):
        _demand(str(game).strip(), "a position is told")
        if number % 20 == 0:
            _demand(draw(game.state[0], game.built, game.ruleset).size == SIZE, "a position is drawn")
        if game.over:
            _demand(game.log, "a skirmish is told")


def _gymnasium(encounter: Encounter, seed: int, steps: int) -> None:
    from gymnasium.utils.env_checker import check_env

    register_all()
    for side in SIDES:
        env = gym.make(
            encounter.ruleset.env_id, encounter=encounter, side=side, on_illegal="penalty", render_mode="rgb_array"
        )
        with redirect_stdout(StringIO()):
            check_env(env.unwrapped)


def _stable_baselines(encounter: Encounter, seed: int, steps: int) -> None:
    from stable_baselines3.common.env_checker import check_env

    for side in SIDES:
        check_env(LensEnv(encounter.ruleset.name, encounter=encounter, side=side, on_illegal="penalty"))


def _pettingzoo(encounter: Encounter, seed: int, steps: int) -> None:
    from pettingzoo.test import api_test, seed_test

    from .pettingzoo import LensAEC

    with redirect_stdout(StringIO()):
        api_test(LensAEC(encounter.ruleset.name, encounter=encounter), num_cycles=steps)
        seed_test(lambda: LensAEC(encounter.ruleset.name, encounter=encounter), num_cycles=max(10, steps // 10))


__all__ = ["NotConforming", "check"]
