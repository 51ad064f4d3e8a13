"""What is asked about an agent, and in which encounters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.settings import variants_of
from lens_env import Encounter, load_encounter
from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError
from lens_env.play import yaml_text

ENCOUNTER = "the_lens/duel"
AGAINST = "aggressive"
MAX_STATES = 1_000_000  # that are solved unasked: some seconds
MOST_ASKED = 20_000  # states that a costly agent is asked about


@dataclass(frozen=True)
class Question:
    """What is asked about an agent."""

    agent: str
    side: str = "party"  # that it plays
    against: tuple[str, ...] = (AGAINST,)
    encounters: tuple[str, ...] = (ENCOUNTER,)
    vary: tuple[str, ...] = ()  # PATH=VALUE,VALUE
    skirmishes: int = 1000
    seed: int = 0
    exact: bool = True
    max_states: int = MAX_STATES
    ask: int = MOST_ASKED

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise LensError(f"side: allowed are {', '.join(SIDES)}, got {self.side!r}")
        for setting, given in (("against", self.against), ("encounter", self.encounters)):
            if "" in given:
                raise LensError(f"{setting}: a name is empty")
            twice = [name for name in dict.fromkeys(given) if given.count(name) > 1]
            if twice:
                raise LensError(f"{setting}: {twice[0]!r} stands here twice")


def places_of(names: Sequence[str], vary: Sequence[str]) -> dict[str, Encounter]:
    """The encounters, each with every setting of its own grid or of the one given, by the name in the tables."""
    grid = grid_of(vary)
    found: dict[str, Encounter] = {}
    for name in names:
        encounter = load_encounter(name)
        if grid:
            encounter = Encounter.from_dict({**encounter.data, "vary": grid}, f"{encounter.source} with --vary")
        found |= variants_of(name, encounter)
    return found


def grid_of(vary: Sequence[str]) -> Mapping[str, list[Any]]:
    """``foes.0.body=10,20`` as a grid: values by dotted path. LensError for what has another form."""
    grid: dict[str, list[Any]] = {}
    for text in vary:
        path, equals, values = text.partition("=")
        if not path.strip() or not equals or not values.strip():
            raise LensError(f"vary: a path and its values, as in foes.0.body=10,20, got {text!r}")
        if path.strip() in grid:
            raise LensError(f"vary: {path.strip()!r} stands here twice")
        grid[path.strip()] = yaml_text.read(f"values: [{values}]", f"--vary {text}")[0]["values"]
    return grid
