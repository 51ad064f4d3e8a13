"""The contract of a ruleset: what the rest of the framework may ask of one.

The *rules module* of a ruleset holds kernels under these names:

    Game                     NamedTuple (state, dice, setup, log) of records
    open(game)               prepare a zeroed state and run to the first window
    legal(game, mask)        write the legal actions; never none before the end
    apply(game, action)      carry out a legal action and run to the next window
    is_over(game)            has the skirmish ended?
    payoff(game)             1 party won, 0 foes won, 0.5 undecided or not over
    used_words(game)         how many leading 64-bit words of the state record are in use

Its state record has the fields ``window`` (0 = none), ``decider`` (fighter, -1), ``side`` (0 party, 1 foes, -1),
``winner`` (0 nobody yet, 1 party, 2 foes, 3 undecided) and ``game_round``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from .fields import EncounterModel
from .record import Record, dtype_of

Array = np.ndarray[Any, Any]

SIDES = ("party", "foes")
WINNERS = (None, "party", "foes", None)
ENTRY_POINTS = "lens_env.rulesets"


@dataclass(frozen=True)
class Built:
    """An encounter as records, with the names that belong to them."""

    setup: Array  # one Setup record
    fighters: tuple[str, ...]  # by fighter index: the party, then the foes
    party_count: int
    actions: tuple[str, ...]  # by action index, all different; unused ones are called "#index"
    warnings: tuple[str, ...] = ()
    names: Mapping[str, Any] = field(default_factory=dict)  # whatever the ruleset's texts need

    @property
    def sides(self) -> Array:
        """The side (0 party, 1 foes) of each fighter."""
        return np.array([0] * self.party_count + [1] * (len(self.fighters) - self.party_count))


@dataclass(frozen=True)
class Advice:
    """What scripted policies may know of an action without playing it, for a batch of B states and A actions."""

    # (B, A) float: mean damage if the attack strikes undefended, or of the attack that the action prepares; else 0
    expected: Array
    target: Array  # (A,) int: the fighter an action is aimed at, -1 for none
    health: Array  # (B, F) float: points until a fighter falls; 0 if it has fallen
    # (B, A) float: steps still to go until an enemy is in reach: after a STEP, as things stand for a STOP, and after
    # the best first step of a MOVE (inf if that brings nobody nearer); nan for other actions
    distance: Array
    left: Array  # (B,) float: points that the decider can still spend on actions and reactions (Momentum)


class Describe(Protocol):
    """Turns an event of the tape into a sentence; "" if it is not worth one."""

    def __call__(self, event: Mapping[str, int], built: Built, seed: int) -> str:
        """The sentence; ``seed`` chooses among wordings."""
        ...


@dataclass(frozen=True)
class Ruleset:
    """A ruleset: its kernels, its records and the texts around them."""

    name: str  # as in an encounter file, "the_lens"
    title: str  # as a person says it, "The Lens"
    env_id: str  # "lens_env/TheLens-v0"
    rules: ModuleType
    state: type[Record]
    setup: type[Record]
    size: int  # actions in the catalogue
    words: int  # 64-bit words of the mask
    windows: tuple[str, ...]  # by window code
    defense_windows: tuple[str, ...]  # in which a defence is chosen
    defenses: tuple[str, ...]  # the names of the defence actions, NONE included
    model: type[EncounterModel]
    build: Callable[[Any], Built]  # a validated model -> records; raises fields.FieldError
    describe: Describe
    summary: Callable[[Any, Built], str]  # (one state record, built) -> several lines for a terminal
    advise: Callable[[Array, Built], Advice]  # (B states, built)
    dice_outcome: Callable[[Any], tuple[int, int]]  # a scripted entry -> (dice.Kind, value); ValueError

    def new_states(self, count: int) -> Array:
        """Zeroed states."""
        return np.zeros(count, dtype_of(self.state))


def find_rulesets(own: Mapping[str, str]) -> dict[str, str]:
    """The known rulesets as "package:attribute" by name: our own, then those that others have installed."""
    others = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return {**others, **own}


def names_of(codes: Sequence[Any]) -> tuple[str, ...]:
    """The names of an IntEnum whose values are 0..n-1, in order."""
    return tuple(code.name for code in codes)
