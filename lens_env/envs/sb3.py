"""The batched environment for stable-baselines3 and sb3-contrib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from lens_env.errors import LensError

from .arena import OPENING, Arena
from .observe import Layout
from .options import number_of, one_side, options

Array = np.ndarray[Any, Any]


class LensVecEnv(VecEnv):
    """B skirmishes in one compiled call a step; the options are those of :class:`lens_env.envs.single.LensEnv`.

        MaskablePPO("MlpPolicy", LensVecEnv("the_lens", 256, encounter="the_lens/duel")).learn(20_000)

    Environment i has the seed s + i of ``seed(s)``. Algorithms that know no action mask (``PPO``, ``DQN``, ``A2C``)
    need ``on_illegal="penalty"``. An undecided skirmish ends with ``info["TimeLimit.truncated"]``.
    """

    def __init__(self, ruleset: str, num_envs: int = 1, **settings: Any) -> None:
        count = number_of(num_envs)
        one_side(settings)
        self.arena = Arena(options(ruleset, **settings), count)
        self.layout = Layout(self.arena.ruleset, self.arena.options.slots)
        self._actions = np.zeros(count, np.int64)
        self._begun = False
        self.render_mode = None
        super().__init__(count, self.layout.space(), spaces.Discrete(self.arena.ruleset.size))

    def reset(self) -> Array:
        """Open the next skirmish everywhere; of new streams after ``seed``."""
        seeds = self._seeds
        if not self._begun and all(seed is None for seed in seeds):
            seeds = np.random.default_rng().integers(2**63, size=self.num_envs).tolist()
        given = [i for i, seed in enumerate(seeds) if seed is not None]
        if given:
            self.arena.seed(np.array(given), np.array([seeds[i] for i in given], np.uint64))
        self.arena.play(np.full(self.num_envs, OPENING))
        self._begun = True
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.arena.observations

    def step_async(self, actions: Array) -> None:
        """Keep the actions (B,) for ``step_wait``."""
        self._actions = np.array(actions, np.int64).reshape(self.num_envs)

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Carry out one decision everywhere; where a skirmish ends the next one is opened at once."""
        if not self._begun:
            raise LensError("call reset before step")
        arena = self.arena
        arena.play(np.where(self._actions < 0, arena.ruleset.size, self._actions))
        observations, rewards = arena.observations, arena.rewards.astype(np.float32)
        truncated = arena.truncated
        done = arena.terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if arena.options.penalty is not None:
            for row in np.flatnonzero(arena.seats["illegal"]):
                infos[row]["illegal_action"] = True
        if done.any():
            for row in np.flatnonzero(done):
                infos[row]["terminal_observation"] = observations[row].copy()
                infos[row]["TimeLimit.truncated"] = bool(truncated[row])
                infos[row]["winner"] = (None, "party", "foes", None)[int(arena.winners[row])]
            arena.open_again(done)
        return arena.observations, rewards, done, infos

    def action_masks(self) -> Array:
        """(B, A) bool: which actions are legal. AssertionError if none is in some skirmish."""
        masks: Array = self.arena.action_masks.astype(bool)
        assert masks.any(axis=1).all(), "a skirmish without a legal action"
        return masks

    # --- what stable-baselines3 asks of an environment -----------------------------------------------------

    def close(self) -> None:
        """There is nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, as many times as there are environments asked about. AttributeError if there is none."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute; all environments share it."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method; ``action_masks`` gives each environment its own."""
        rows = list(self._get_indices(indices))
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[row] for row in rows]
        return [getattr(self, method_name)(*method_args, **method_kwargs)] * len(rows)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is wrapped."""
        return [False] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[Array | None]:
        """A picture of every skirmish, (480, 640, 3) uint8 each."""
        return [self.arena.picture(row) for row in range(self.num_envs)]
