"""A study file: which policies meet which, where, how often. Checked and frozen before anything is played.

name: First look
seed: 1
skirmishes: 1000                 # of every cell: party policy x GM policy x encounter
encounters: [the_lens/duel, mine/ambush.yaml]
party: [always_block, {agent: prefer, label: shield first, preferences: [BLOCK, ATTACK], reserve: 1}]
foes: [aggressive, random]
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from agents import Agent, list_agents, load_agent, modules_of
from lens_env import Encounter, load_encounter
from lens_env.core.fields import Model, Name
from lens_env.errors import EncounterError, LensError
from lens_env.play import yaml_text
from lens_env.play.encounter import config_root, read_file
from lens_env.play.explain import Problem, explain, of_validation

MAX_SEED = 2**64 - 1
MAX_SKIRMISHES = 10_000_000  # of a cell

AgentEntry = str | dict[str, Any]


class StudyModel(Model):
    """The fields of a study file."""

    name: Name
    description: str = ""
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0
    skirmishes: Annotated[int, Field(ge=1, le=MAX_SKIRMISHES)] = 1000
    encounters: Annotated[list[str], Field(min_length=1)]
    party: Annotated[list[AgentEntry], Field(min_length=1)]
    foes: Annotated[list[AgentEntry], Field(min_length=1)]


@dataclass(frozen=True)
class Policy:
    """An agent as the study names it."""

    label: str
    spec: str  # canonical JSON of what load_agent takes

    def load(self) -> Agent:
        """A new agent."""
        return load_agent(json.loads(self.spec))

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that make the agent."""
        return modules_of(json.loads(self.spec))


@dataclass(frozen=True)
class Cell:
    """One entry of the payoff table: ``skirmishes`` of one encounter between two policies.

    Skirmish i of every cell has the environment number i and the study's seed: the same dice (paired seeds).
    """

    place: str  # how the study calls the encounter
    encounter: Encounter
    party: Policy
    foes: Policy
    seed: int
    skirmishes: int


@dataclass(frozen=True)
class Study:
    """A checked study."""

    model: StudyModel
    source: str
    encounters: tuple[tuple[str, Encounter], ...]
    party: tuple[Policy, ...]
    foes: tuple[Policy, ...]

    @property
    def cells(self) -> list[Cell]:
        """Every combination, encounter by encounter."""
        seed, count = self.model.seed, self.model.skirmishes
        return [
            Cell(place, encounter, party, foes, seed, count)
            for place, encounter in self.encounters
            for foes in self.foes
            for party in self.party
        ]

    @property
    def digest(self) -> str:
        """SHA-256 of what the file says, in hexadecimal."""
        text = json.dumps(self.model.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def list_studies() -> list[str]:
    """The names of the studies that come with lens_env, like "first_look"."""
    root = config_root() / "studies"
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.yaml"))


def load_study(name_or_path: str | Path, changes: Mapping[str, Any] | None = None) -> Study:
    """A study by file or by name, with some fields changed. EncounterError says what is wrong, a line each."""
    path = _find(str(name_or_path))
    source = str(path)
    data, marks = yaml_text.read(read_file(path), source)
    data |= dict(changes or {})
    try:
        model = StudyModel.model_validate(data)
    except ValidationError as error:
        raise EncounterError(explain(of_validation(error, StudyModel, data), source, marks)) from None
    problems: list[Problem] = []
    encounters = _encounters(model, path.parent, problems)
    party = _policies("party", model.party, encounters, problems)
    foes = _policies("foes", model.foes, encounters, problems)
    if problems:
        raise EncounterError(explain(problems, source, marks))
    return Study(model, source, tuple(encounters), tuple(party), tuple(foes))


def _find(given: str) -> Path:
    named = config_root() / "studies" / f"{given.removesuffix('.yaml')}.yaml"
    for path in (Path(given), named):
        if path.is_file():
            return path
    if Path(given).is_dir():
        raise EncounterError(f"{given}: is a folder, not a study file")
    known = ", ".join(list_studies()) or "none"
    raise EncounterError(f"{given}: no such file, and no study of this name; known: {known}")


def _encounters(model: StudyModel, folder: Path, problems: list[Problem]) -> list[tuple[str, Encounter]]:
    """Every encounter (every variant, if it spans a grid) with the name that it has in the tables."""
    found: dict[str, Encounter] = {}
    for i, given in enumerate(model.encounters):
        try:
            beside = folder / given
            encounter = load_encounter(beside if beside.is_file() else given)
            for name, variant in variants_of(given, encounter).items():
                _add(found, name, variant, "name each encounter once")
        except LensError as error:
            problems.append(Problem(("encounters", i), str(error)))
    return list(found.items())


def variants_of(name: str, encounter: Encounter) -> dict[str, Encounter]:
    """Every setting of an encounter's grid, by the name that it has in the tables."""
    found = {}
    for changes, variant in encounter.variants():
        label = ", ".join(f"{key}={value}" for key, value in changes.items())
        label = label if label.isprintable() else ascii(label)
        found[f"{name} ({label})" if label else name] = variant
    return found


def _policies(
    side: str, entries: list[AgentEntry], encounters: list[tuple[str, Encounter]], problems: list[Problem]
) -> list[Policy]:
    found: dict[str, Policy] = {}
    for i, entry in enumerate(entries):
        try:
            policy = _policy(entry)
            policy.load().check([encounter for _, encounter in encounters])
            _add(found, policy.label, policy, "give one of them another label")
        except LensError as error:
            given = entry if isinstance(entry, str) else str(entry.get("agent"))
            unknown = given.partition(":")[0] not in list_agents()
            problems.append(Problem((side, i), str(error), (), given if unknown else ""))
    return list(found.values())


def policy_named(name: str) -> Policy:
    """The policy of an agent without other settings than those in its name."""
    return Policy(name, json.dumps(name))


def _policy(entry: AgentEntry) -> Policy:
    if isinstance(entry, str):
        return policy_named(entry)
    spec = {key: value for key, value in entry.items() if key != "label"}
    modules_of(spec)  # refuses what names no agent
    label = entry.get("label", spec["agent"])
    if not isinstance(label, str) or not label or not label.isprintable():
        raise LensError(f"label: must be a text that can be printed, got {label!r}")
    return Policy(label, json.dumps(spec, sort_keys=True))


def _add(found: dict[str, Any], label: str, value: Any, advice: str) -> None:
    if label in found:
        raise LensError(f"{label!r} stands here twice; {advice}")
    found[label] = value
