"""The batched environment for Gymnasium: one compiled call a step for all skirmishes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from lens_env.errors import LensError

from .arena import OPENING, REPEAT, Arena
from .observe import Layout
from .options import number_of, one_side, options, render_mode_of

Array = np.ndarray[Any, Any]
RENDER_MODES = ("ansi", "rgb_array")


class LensVectorEnv(VectorEnv[Array, Array, Array]):
    """B skirmishes at once; the options are those of :class:`lens_env.envs.single.LensEnv`.

    ``reset(seed=s)`` gives environment i the seed s + i (or a list, one each), so it plays exactly what a single
    environment with that seed plays, whatever the size of the batch. ``autoreset_mode``: ``NEXT_STEP`` (the action
    after the end is ignored and opens the next skirmish), ``SAME_STEP`` (the next one is open at once; the last
    observation and info are in ``final_obs`` and ``final_info``) or ``DISABLED`` (finished ones wait for
    ``reset(options={"reset_mask": mask})``).

    ``infos["action_mask"]``: (B, A) int8. Observations and masks are arrays that nobody writes to again while
    they are held.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (Gymnasium sets it per instance: the mode is the user's)
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        ruleset: str,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **settings: Any,
    ) -> None:
        one_side(settings)
        self.num_envs, self.render_mode = number_of(num_envs), render_mode_of(render_mode, RENDER_MODES)
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.arena = Arena(options(ruleset, **settings), self.num_envs)
        self.layout = Layout(self.arena.ruleset, self.arena.options.slots)
        self.single_observation_space = self.layout.space()
        self.single_action_space = spaces.Discrete(self.arena.ruleset.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all = np.ones(self.num_envs, bool)
        self._done = np.zeros(self.num_envs, bool)
        self._begun = False

    # --- Gymnasium -----------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Open the next skirmish of every stream (or where ``options["reset_mask"]`` says), of new ones with a seed."""
        rows = self._rows(options)
        self._seed(seed, rows)
        self.arena.play(np.where(rows, OPENING, REPEAT))
        self._begun = True
        self._done = self._done & ~rows
        return self.arena.observations, self._infos()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Carry out one decision everywhere. IllegalAction names the first environment whose action is not legal."""
        if not self._begun:
            raise LensError("call reset before step")
        arena = self.arena
        arena.play(self._coded(actions))
        observations, rewards = arena.observations, arena.rewards
        terminated, truncated = arena.terminated, arena.truncated
        infos = self._infos()
        if arena.options.penalty is not None:
            self._tell(infos, "illegal_action", arena.seats["illegal"] == 1)
        ended = terminated | truncated
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            observations = self._open_at_once(ended, infos)
            ended = np.zeros(self.num_envs, bool)
        if self.autoreset_mode == AutoresetMode.DISABLED:
            rewards[self._done] = 0.0
        self._done = ended
        return observations, rewards, terminated, truncated, infos

    def render(self) -> Any:
        """Text or a picture of every skirmish, as ``render_mode`` says."""
        if self.render_mode is None:
            gym.logger.warn("render() without a render_mode shows nothing; make the environment with one")
            return None
        shown = self.arena.text if self.render_mode == "ansi" else self.arena.picture
        return tuple(shown(row) for row in range(self.num_envs))

    # --- beside it -----------------------------------------------------------------------------------------

    def action_masks(self) -> Array:
        """(B, A) bool: which actions are legal."""
        flags: Array = self.arena.action_masks.astype(bool)
        return flags

    @property
    def observation_names(self) -> tuple[str, ...]:
        """(D,) the name of every number of an observation."""
        return self.layout.names

    @property
    def action_names(self) -> tuple[str, ...]:
        """(A,) the name of every action in the first encounter."""
        return self.arena.encounters[0].built.actions

    # --- inside --------------------------------------------------------------------------------------------

    def _rows(self, options: dict[str, Any] | None) -> Array:
        """(B,) bool: which skirmishes a reset concerns."""
        if not options or "reset_mask" not in options:
            return self._all
        rows = np.asarray(options["reset_mask"])
        if rows.dtype != bool or rows.shape != (self.num_envs,) or not rows.any():
            raise LensError(f"reset_mask: {self.num_envs} bools, at least one of them True, got {rows!r}")
        if not self._begun and not rows.all():
            raise LensError("reset_mask: the first reset must open all environments")
        return rows

    def _seed(self, seed: int | Sequence[int | None] | None, rows: Array) -> None:
        if seed is None and self._begun:
            return
        if seed is None:
            seeds: list[int | None] = self.np_random.integers(2**63, size=self.num_envs).tolist()
        elif isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            seeds = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise LensError(f"seed: one number, or {self.num_envs} of them, got {len(seeds)}")
        given = [i for i in np.flatnonzero(rows) if seeds[i] is not None]
        if given:
            self.arena.seed(np.array(given), np.array([seeds[i] for i in given], np.uint64))

    def _coded(self, actions: Any) -> Array:
        """The actions of those who go on; those that ended are opened anew, or shown again."""
        coded = np.array(actions, np.int64)
        if coded.shape != (self.num_envs,):
            raise LensError(f"actions: {self.num_envs} numbers, got the shape {coded.shape}")
        coded[coded < 0] = self.arena.ruleset.size  # below 0 are the codes of the arena itself
        if self._done.any():
            coded[self._done] = OPENING if self.autoreset_mode == AutoresetMode.NEXT_STEP else REPEAT
        return coded

    def _open_at_once(self, ended: Array, infos: dict[str, Any]) -> Array:
        """Open the next skirmish where one has ended; what was last seen there goes into ``infos``."""
        last = self.arena.observations
        final = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(ended):
            final[row] = last[row]
        self._tell(infos, "final_obs", ended, final)
        self._tell(infos, "final_info", ended, {**infos, "winner": self._winners()})
        self.arena.open_again(ended)
        infos.update(self._infos())
        return self.arena.observations

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.arena.action_masks, "_action_mask": self._all.copy()}

    def _winners(self) -> Array:
        """(B,) "party", "foes" or None."""
        return np.array([None, "party", "foes", None], dtype=object)[self.arena.winners]

    @staticmethod
    def _tell(infos: dict[str, Any], name: str, rows: Array, values: Any = None) -> None:
        infos[name], infos[f"_{name}"] = rows if values is None else values, rows.copy()


def _mode(given: str | AutoresetMode) -> AutoresetMode:
    for mode in AutoresetMode:
        if given in (mode, mode.value, mode.name):
            return mode
    raise LensError(f"autoreset_mode: allowed are {', '.join(mode.name for mode in AutoresetMode)}, got {given!r}")
