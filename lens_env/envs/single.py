"""The environment of one agent, for Gymnasium: a skirmish in which it plays one side."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from lens_env.errors import LensError

from .arena import OPENING, Arena
from .observe import Layout
from .options import one_side, options, render_mode_of

Array = np.ndarray[Any, Any]
RENDER_MODES = ("ansi", "human", "rgb_array")


class LensEnv(gym.Env[Any, np.int64]):
    """One side of a skirmish.

    Parameters:
        ruleset: set by the id that the environment is made by.
        encounter: the name of an encounter, a path, a mapping, an ``Encounter``, or a list of them, one of which is
            drawn at each reset (every variant of a ``vary`` grid counts as one). Default: the ruleset's duel.
        side: ``party`` or ``foes``, the side that the agent plays.
        opponent: who plays the other side: the name of an agent, its settings, or an object with ``act`` and
            ``reset``. Default ``random``.
        decisions: ``all``, or ``defense``: the agent only chooses its side's defences, and ``others`` (like
            ``opponent``, default ``aggressive``) decides the rest for its side. Skirmishes in which it is asked
            nothing are skipped.
        reward: ``outcome``: 1 for a victory, -1 for a defeat, at the end; ``harm``: what the enemies lost of their
            health less what the own side lost, as shares of all, since the last decision; their sum is the
            difference at the end.
        on_illegal: ``raise`` IllegalAction, or ``penalty``: the skirmish stays as it is, the reward is ``penalty``
            (-1), and ``info["illegal_action"]`` is True.
        observation: ``flat``, one float32 Box that ``observation_names`` names, or ``dict``, the same in groups.
        render_mode: ``ansi`` (text), ``human`` (prints it), ``rgb_array`` (a picture, (480, 640, 3) uint8).

    An undecided skirmish (``max_rounds``) is truncated. ``reset(seed=s)`` begins the stream of ``s``: the same
    skirmishes as ``Game(encounter, seed=s, episode=0)``, then episode 1 ... ``info`` holds ``action_mask``, (A,) int8,
    round, side, decider, window and winner.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        ruleset: str,
        *,
        render_mode: str | None = None,
        observation: str = "flat",
        **settings: Any,
    ) -> None:
        if observation not in ("flat", "dict"):
            raise LensError(f"observation: allowed are 'flat', 'dict', got {observation!r}")
        one_side(settings)
        self.render_mode = render_mode_of(render_mode, RENDER_MODES)
        self.arena = Arena(options(ruleset, **settings), 1)
        self.layout = Layout(self.arena.ruleset, self.arena.options.slots)
        self._grouped = observation == "dict"
        self.observation_space = self.layout.dict_space() if self._grouped else self.layout.space()
        self._size = self.arena.ruleset.size
        self.action_space = spaces.Discrete(self._size)
        self._action = np.zeros(1, np.int64)
        self._begun = False

    # --- Gymnasium -----------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Open the next skirmish of the stream; of a new one with ``seed`` (0..2**64-1)."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            fresh = seed if seed is not None else int(self.np_random.integers(2**63))
            self.arena.seed(np.zeros(1, np.int64), np.array([fresh], np.uint64))
            self._begun = True
        self._action[0] = OPENING
        self.arena.play(self._action)
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one decision and play on to the next. IllegalAction if the action is not legal."""
        if not self._begun:
            raise LensError("call reset before step")
        arena = self.arena
        self._action[0] = action if action >= 0 else self._size  # below 0 are the codes of the arena itself
        arena.play(self._action)
        info = self._info()
        if arena.options.penalty is not None and arena.was_illegal(0):
            info["illegal_action"] = True
        return self._observation(), *arena.result(0), info

    def render(self) -> Any:
        """Text, a picture, or nothing but the text printed, as ``render_mode`` says."""
        if self.render_mode is not None and not self._begun:
            raise LensError("call reset before render")
        return self.arena.render(self.render_mode)

    # --- beside it -----------------------------------------------------------------------------------------

    def action_masks(self) -> Array:
        """(A,) bool: which actions are legal."""
        flags: Array = self.arena.action_masks[0].astype(bool)
        return flags

    @property
    def observation_names(self) -> tuple[str, ...]:
        """(D,) the name of every number of a flat observation."""
        return self.layout.names

    @property
    def action_names(self) -> tuple[str, ...]:
        """(A,) the name of every action in the encounter at hand; "#index" where it means nothing there."""
        return self.arena.encounter_of(0).built.actions

    def decode(self, observation: Any) -> dict[str, Any]:
        """An observation (flat or in groups) as something to read."""
        if isinstance(observation, dict):
            observation = np.concatenate([observation[name] for name, _ in self.layout.blocks])
        return self.layout.decode(np.asarray(observation))

    # --- inside --------------------------------------------------------------------------------------------

    def _observation(self) -> Any:
        flat = self.arena.observations[0]
        return self.layout.grouped(flat) if self._grouped else flat.copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.arena.mask_of(0), **self.arena.details(0)}
