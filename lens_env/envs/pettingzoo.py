"""The environment of both sides, for PettingZoo: an agent a side, asked whenever a fighter of its is."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from lens_env.core.seats import views
from lens_env.errors import LensError

from .arena import OPENING, Arena
from .observe import Layout
from .options import options, render_mode_of

Array = np.ndarray[Any, Any]
AGENTS = ("party_0", "foes_0")
RENDER_MODES = ("ansi", "human", "rgb_array")


class LensAEC(AECEnv[str, Any, Any]):
    """Both sides of a skirmish, ``party_0`` and ``foes_0``.

    Options ``encounter``, ``reward``, ``on_illegal``, ``penalty`` and ``render_mode`` as for
    :class:`lens_env.envs.single.LensEnv`. An observation is (D,) float32; ``infos[agent]["action_mask"]`` is (A,) int8.
    An agent that is not asked sees what its first fighter sees, and its mask is empty. There is no parallel form: the
    sides never decide at the same time.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "lens_env_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, ruleset: str, *, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__()
        unknown = set(settings) - {"encounter", "reward", "on_illegal", "penalty"}
        if unknown:
            allowed = "encounter, reward, on_illegal, penalty"
            raise LensError(f"{min(unknown)}: no option where both sides are agents; allowed are {allowed}")
        self.render_mode = render_mode_of(render_mode, RENDER_MODES)
        self.arena = Arena(options(ruleset, side=None, **settings), 1)
        self.layout = Layout(self.arena.ruleset, self.arena.options.slots)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        size = self.arena.ruleset.size
        space = self.layout.space()
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(AGENTS, space)
        self.action_spaces = {agent: spaces.Discrete(size) for agent in AGENTS}
        self._size = size
        self._action = np.zeros(1, np.int64)
        self._begun = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space of an agent, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Open the next skirmish of the stream; of a new one with ``seed`` (0..2**64-1)."""
        if seed is not None or not self._begun:
            fresh = seed if seed is not None else int(np.random.default_rng().integers(2**63))
            self.arena.seed(np.zeros(1, np.int64), np.array([fresh], np.uint64))
        self._action[0] = OPENING
        self.arena.play(self._action)
        self._begun = True
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = self._infos()
        self.agent_selection = AGENTS[max(0, int(self.arena.sides[0]))]

    def step(self, action: Any) -> None:
        """Carry out the decision of the agent that is asked. IllegalAction if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._action[0] = action if action >= 0 else self._size  # below 0 are the codes of the arena itself
        self.arena.play(self._action)
        reward, terminated, truncated = self.arena.result(0)
        self._cumulative_rewards[agent] = 0.0
        if self.arena.options.penalty is not None and self.arena.was_illegal(0):
            self.rewards = {other: reward if other == agent else 0.0 for other in AGENTS}
        else:
            self.rewards = {AGENTS[0]: reward, AGENTS[1]: -reward}
        self.infos = self._infos()
        if terminated:
            self.terminations = dict.fromkeys(AGENTS, True)
        elif truncated:
            self.truncations = dict.fromkeys(AGENTS, True)
        else:
            self.agent_selection = AGENTS[int(self.arena.sides[0])]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Array:
        """(D,) float32: what an agent sees."""
        arena, side = self.arena, AGENTS.index(agent)
        asked = int(arena.sides[0])
        if asked == side or (side == 0 and asked < 0):
            seen: Array = arena.observations[0].copy()
            return seen
        first = 0 if side == 0 else arena.encounter_of(0).built.party_count
        view = np.zeros((2, arena.width), np.float32)  # a single row would be of another layout
        where = (arena.states, arena.dice, arena.setups, arena.which, arena.logs)
        arena.engine.run("observe_many", *where, np.array([first]), *views(view, *arena.shape[:2]))
        found: Array = view[0]
        return found

    def action_mask(self, agent: str) -> Array:
        """(A,) int8: the legal actions of an agent, none if it is not asked."""
        if int(self.arena.sides[0]) == AGENTS.index(agent):
            flags: Array = self.arena.mask_of(0)
            return flags
        return np.zeros(self._size, np.int8)

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"action_mask": self.action_mask(agent)} for agent in AGENTS}

    def render(self) -> Any:
        """Text, a picture, or nothing but the text printed, as ``render_mode`` says."""
        return self.arena.render(self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


def env(ruleset: str, **settings: Any) -> LensAEC:
    """Both sides of a skirmish as PettingZoo agents."""
    return LensAEC(ruleset, **settings)
