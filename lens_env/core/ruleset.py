"""The contract of a ruleset: what the rest of the framework may ask of one.

The *rules module* of a ruleset holds kernels under these names:

    Game                     NamedTuple (state, dice, setup, log) of records
    open(game)               prepare a zeroed state and run to the first window
    legal(game, mask)        write the legal actions; never none before the end
    apply(game, action)      carry out a legal action and run to the next window
    is_over(game)            has the skirmish ended?
    payoff(game)             1 party won, 0 foes won, 0.5 undecided or not over
    used_words(game)         how many leading 64-bit words of the state record are in use
    health(game, who)        the share of its life that a fighter has left, 0..1; 0 if it is out for good
    observe_scene(game, viewer, out, at)          what fighter ``viewer`` knows of the skirmish as a whole
    observe_fighter(game, viewer, who, out, at)   what it knows of fighter ``who``: itself, an ally or an enemy

    life(game, who)          how many points its life has left; 0 if it is out for good
    points_left(game, who)   its points that serve for actions as well as reactions; UNLIMITED where none do
    attacker_of(game)        whose attack is under way, -1 for nobody's
    threat(game)             the mean damage of that attack, if nobody defends
    aimed_at(game, action)   the fighter that an action is aimed at, -1 for none
    expected_damage(game, action)  its mean damage if it strikes undefended, or of the attack that it prepares; else 0
    risk(game, action)       the chance that a defence fails, whatever it costs then; UNKNOWN if it is not worked out
    walks(game)              does the open window ask for ways, or for facings?
    farthest_reach(game, who)      the farthest that a fighter strikes, in cells
    to_go(game, action, ways)      steps to go until an enemy is in reach, by the ``ways`` surveyed from there

``observe_scene`` and ``observe_fighter`` write their numbers into the float32 array ``out`` from index ``at`` on, as
``Ruleset.scene`` and ``Ruleset.fighter`` name them: all that the rules let a player know, nothing else, seen from the
viewer (what is relative is relative to it). The array holds zeros before. They are also called for a viewer that is
out.

The state record has the fields ``window`` (0 = none), ``decider`` (fighter, -1), ``side`` (0 party, 1 foes, -1),
``winner`` (0 nobody yet, 1 party, 2 foes, 3 undecided) and ``game_round``; the setup record ``count`` (fighters),
``party_count`` (they come first), ``sheets``, each with a ``side``, ``rules`` with ``max_rounds``, and ``forbids``,
``forbidden_party`` and ``forbidden_foes`` as ``naming.fill_forbidden`` writes them; ``legal`` only takes away what
they name. Rules may ask of the round whether it is 0 (a surprise round) and whether it is the last, nothing else:
exact solving takes positions that differ only in the round for the same.

The kernels from ``life`` on are for scripted policies, which ask them of legal actions only. ``to_go`` is what is left
after a STEP, as things stand for a STOP, and after the best first step of a MOVE (NOWHERE if that brings nobody
nearer); where facing counts, how far a FACE looks away from the nearest enemy, in eighths of a turn, and 0 for a MOVE
that serves to turn; NOT_A_WALK for other actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Protocol, TypeVar

import numpy as np

from .fields import EncounterModel
from .record import Record, dtype_of

Array = np.ndarray[Any, Any]

SIDES = ("party", "foes")
WINNERS = (None, "party", "foes", None)
ENTRY_POINTS = "lens_env.rulesets"
KEPT = 64  # encounters for which ``remembered`` keeps results
T = TypeVar("T")


@dataclass(frozen=True)
class Built:
    """An encounter as records, with the names that belong to them."""

    setup: Array  # one Setup record
    fighters: tuple[str, ...]  # by fighter index: the party, then the foes
    party_count: int
    actions: tuple[str, ...]  # by action index, all different; unused ones are called "#index"
    # what a fighter calls an action whose name it shares with others, by (fighter, action)
    own_names: Mapping[tuple[int, int], str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    names: Mapping[str, Any] = field(default_factory=dict)  # whatever the ruleset's texts need

    @property
    def sides(self) -> Array:
        """The side (0 party, 1 foes) of each fighter."""
        return np.array([0] * self.party_count + [1] * (len(self.fighters) - self.party_count))


@dataclass(frozen=True)
class Seen:
    """One number of an observation."""

    name: str  # "momentum"; "window.DEFEND" belongs to the group "window"
    low: float = 0.0
    high: float = 1.0
    field: str = ""  # of a fighter: the field of its record that holds the number, if it is called otherwise


@dataclass(frozen=True)
class Count:
    """Something that is counted, for a picture: a pool, or points to spend."""

    name: str
    now: int
    most: int


@dataclass(frozen=True)
class Portrait:
    """A fighter as a picture shows it."""

    bars: tuple[Count, ...]  # pools, the one that puts it out first
    pips: Count  # the points that it acts and defends with
    notes: tuple[str, ...]  # conditions
    out: bool
    cell: tuple[int, int] | None  # (x, y); None without a board, or off it
    facing: int | None = None  # a board.Direction, where facing matters


@dataclass(frozen=True)
class Picture:
    """A skirmish as a picture shows it."""

    portraits: tuple[Portrait, ...]  # by fighter
    attack: str = ""  # the attack under way, in a few words
    attacker: int = -1
    target: int = -1


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
    depict: Callable[[Any, Built], Picture]  # (one state record, built)
    dice_outcome: Callable[[Any], tuple[int, int]]  # a scripted entry -> (dice.Kind, value); ValueError
    scene: tuple[Seen, ...] = ()  # what ``observe_scene`` writes
    fighter: tuple[Seen, ...] = ()  # what ``observe_fighter`` writes
    # fields of a fighter that are points, as a person says them; the first is its life, as the kernel ``life`` tells it
    points: tuple[str, ...] = ("health",)

    def new_states(self, count: int) -> Array:
        """Zeroed states."""
        return np.zeros(count, dtype_of(self.state))


def called(word: str, actions: Sequence[str]) -> list[int]:
    """The actions that a word names: those called just so, else those that begin with it, as whole words.

    ``ATTACK Ogre`` is the attack on Ogre, and not the one on Ogre King; ``ATTACK`` is both.
    """
    exact = [index for index, name in enumerate(actions) if name == word]
    return exact or [index for index, name in enumerate(actions) if name.startswith(f"{word} ")]


def remembered(make: Callable[[Built], T]) -> Callable[[Built], T]:
    """Decorator of a function of an encounter: its results for the last few encounters are kept."""
    known: dict[int, tuple[Built, T]] = {}

    @wraps(make)
    def look_up(built: Built) -> T:
        if id(built) not in known:
            if len(known) >= KEPT:
                known.pop(next(iter(known)))
            known[id(built)] = (built, make(built))
        return known[id(built)][1]

    return look_up


def find_rulesets(own: Mapping[str, str]) -> dict[str, str]:
    """The known rulesets as "package:attribute" by name: our own, then those that others have installed."""
    others = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return {**others, **own}


def names_of(codes: Sequence[Any]) -> tuple[str, ...]:
    """The names of an IntEnum whose values are 0..n-1, in order."""
    return tuple(code.name for code in codes)
