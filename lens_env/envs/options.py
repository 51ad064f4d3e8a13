"""What an environment may be told, checked once for all kinds of environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lens_env.core.ruleset import SIDES, Ruleset
from lens_env.core.seats import BOTH, Reward
from lens_env.errors import LensError
from lens_env.play.encounter import Encounter, list_encounters, load_encounter
from lens_env.play.engine import Batch
from lens_env.rulesets import RULESETS

Array = np.ndarray[Any, Any]

REWARDS = {"outcome": Reward.OUTCOME, "harm": Reward.HARM}
DECISIONS = ("all", "defense")
ON_ILLEGAL = ("raise", "penalty")
ALL_WINDOWS = 2**62 - 1
RANDOM = "random"

EncounterOption = str | Path | Mapping[str, Any] | Encounter
PolicyOption = Any  # the name of an agent, a mapping with its settings, or an object that acts


class Policy(Protocol):
    """Whoever plays what the environment does not ask: an agent."""

    def reset(self, seed: int) -> None:
        """Begin anew: whatever is left to chance depends on this seed from here on."""

    def act(self, batch: Batch) -> Array:
        """(B,) int64: a legal action for each skirmish."""


@dataclass(frozen=True)
class Options:
    """The options of an environment, checked."""

    ruleset: Ruleset
    encounters: tuple[Encounter, ...]
    learner: int  # 0, 1 or BOTH
    asked: int  # bit set of windows
    own: Policy | None  # None: at random
    other: Policy | None
    reward: Reward
    penalty: float | None  # None: an illegal action is refused

    @property
    def slots(self) -> int:
        """How many fighters of a side an observation has room for: as many as the largest side has."""
        return max(max(e.built.party_count, len(e.built.fighters) - e.built.party_count) for e in self.encounters)


def options(
    ruleset: str,
    encounter: EncounterOption | Sequence[EncounterOption] | None = None,
    side: str | None = "party",
    opponent: PolicyOption = RANDOM,
    others: PolicyOption = "aggressive",
    decisions: str = "all",
    reward: str = "outcome",
    on_illegal: str = "raise",
    penalty: float = -1.0,
) -> Options:
    """Check what an environment is told. LensError names the option, what is wrong and what is allowed."""
    rules = RULESETS[ruleset]
    if side is not None:
        _one_of("side", side, SIDES)
    _one_of("decisions", decisions, DECISIONS)
    _one_of("reward", reward, REWARDS)
    _one_of("on_illegal", on_illegal, ON_ILLEGAL)
    if not isinstance(penalty, int | float) or isinstance(penalty, bool) or not np.isfinite(penalty):
        raise LensError(f"penalty: a number (the reward for an illegal action), got {penalty!r}")
    encounters = _encounters(rules, encounter)
    asked = ALL_WINDOWS
    if decisions == "defense":
        asked = sum(1 << rules.windows.index(window) for window in rules.defense_windows)
    return Options(
        ruleset=encounters[0].ruleset,
        encounters=encounters,
        learner=BOTH if side is None else SIDES.index(side),
        asked=asked,
        own=_policy("others", others, encounters) if decisions == "defense" else None,
        other=_policy("opponent", opponent, encounters),
        reward=REWARDS[reward],
        penalty=float(penalty) if on_illegal == "penalty" else None,
    )


def one_side(settings: Mapping[str, Any]) -> None:
    """An environment of one agent needs a side. LensError for None, which stands for both."""
    _one_of("side", settings.get("side", SIDES[0]), SIDES)


def number_of(num_envs: Any) -> int:
    """How many skirmishes a batch has; LensError if it is no whole number above 0."""
    if not isinstance(num_envs, int | np.integer) or num_envs < 1:
        raise LensError(f"num_envs: a whole number, 1 or more, got {num_envs!r}")
    return int(num_envs)


def render_mode_of(given: Any, allowed: Sequence[str]) -> str | None:
    """A render mode; LensError if the environment has no such one."""
    if given is not None and given not in allowed:
        raise LensError(f"render_mode: allowed are None, {', '.join(allowed)}, got {given!r}")
    mode: str | None = given
    return mode


def _one_of(option: str, given: Any, allowed: Any) -> None:
    if given not in tuple(allowed):
        near = get_close_matches(str(given), list(allowed), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise LensError(f"{option}: allowed are {', '.join(map(repr, allowed))}, got {given!r}{hint}")


def _encounters(rules: Ruleset, given: Any) -> tuple[Encounter, ...]:
    """The encounters to play, all of this ruleset, every variant of a grid one of them."""
    if given is None:
        given = default_encounter(rules.name)
    listed = list(given) if isinstance(given, list | tuple) else [given]
    if not listed:
        raise LensError("encounter: a name, a path, a mapping, an Encounter or a list of them, got an empty list")
    found = [variant for one in listed for variant in _variants(_read(one))]
    for encounter in found:
        if encounter.ruleset.name != rules.name:
            raise LensError(
                f"encounter: {encounter.name!r} is played by {encounter.ruleset.name}, this environment by {rules.name}"
            )
    return tuple(found)


def _variants(encounter: Encounter) -> list[Encounter]:
    return [variant for _, variant in encounter.variants()] if encounter.model.vary else [encounter]


def _read(given: Any) -> Encounter:
    if isinstance(given, Encounter):
        return given
    if isinstance(given, Mapping):
        return Encounter.from_dict(given)
    if isinstance(given, str | Path):
        return load_encounter(given)
    raise LensError(f"encounter: a name, a path, a mapping, an Encounter or a list of them, got {given!r}")


def default_encounter(ruleset: str) -> str:
    """The encounter an environment plays if it is told none: the ruleset's duel, or the first there is."""
    known = [name for name in list_encounters() if name.startswith(f"{ruleset}/")]
    if not known:
        raise LensError(f"encounter: {ruleset} comes with none, so one must be given")
    return min(known, key=lambda name: (name != f"{ruleset}/duel", "duel" not in name, name))


def _policy(option: str, given: PolicyOption, encounters: tuple[Encounter, ...]) -> Policy | None:
    """The agent to play; None stands for ``random``, which the compiled loop plays itself."""
    if given == RANDOM:
        return None
    agent = given
    if isinstance(given, str | Mapping):
        # who decides lies above the environments, so it is looked up when it is needed, as a plug-in is
        agent = import_module("agents.known").load_agent(given)
    if not (hasattr(agent, "act") and hasattr(agent, "reset")):
        raise LensError(f"{option}: the name of an agent, its settings, or an object with act and reset, got {given!r}")
    if hasattr(agent, "check"):
        agent.check(encounters)
    found: Policy = agent
    return found
