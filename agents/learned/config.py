"""A training file: what is trained, where, against whom, how long. Checked before anything is trained.

name: Duel of The Lens
encounters: [the_lens/duel]
side: party
opponents: [aggressive]        # each skirmish meets one of them
algorithm: maskable_ppo
settings: {learning_rate: 0.001}
timesteps: 1000000
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from agents.known import load_agent
from lens_env import Encounter, load_encounter
from lens_env.core.fields import Model, Name
from lens_env.errors import EncounterError, LensError
from lens_env.play import yaml_text
from lens_env.play.encounter import config_root, read_file
from lens_env.play.explain import Problem, explain, of_validation

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1, le=10_000_000)]
Rate = Annotated[float, Field(gt=0, le=1)]


class Network(Model):
    """What all algorithms are told."""

    learning_rate: Rate = 1e-3
    final_learning_rate: Share = 0.0  # what it falls to, in a straight line
    gamma: Share = 1.0
    layers: list[Annotated[int, Field(ge=1, le=4096)]] = Field([128, 128], max_length=8)
    activation: Literal["Tanh", "ReLU"] = "Tanh"


class A2C(Network):
    """Settings of A2C."""

    n_steps: Count = 16
    gae_lambda: Share = 0.95
    ent_coef: Annotated[float, Field(ge=0)] = 0.01
    final_ent_coef: Annotated[float, Field(ge=0)] = 0.0
    vf_coef: Annotated[float, Field(ge=0)] = 0.5
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5


class PPO(A2C):
    """Settings of PPO and MaskablePPO."""

    n_steps: Count = 64
    batch_size: Annotated[int, Field(ge=2, le=10_000_000)] = 2048
    n_epochs: Count = 6
    clip_range: Rate = 0.2


class DQN(Network):
    """Settings of DQN."""

    buffer_size: Count = 200_000
    learning_starts: Count = 10_000
    batch_size: Count = 256
    tau: Rate = 1.0
    train_freq: Count = 4
    gradient_steps: Count = 4
    target_update_interval: Count = 10_000
    exploration_fraction: Share = 0.3
    exploration_final_eps: Share = 0.02
    max_grad_norm: Annotated[float, Field(gt=0)] = 10.0


SETTINGS: dict[str, type[Network]] = {"maskable_ppo": PPO, "ppo": PPO, "a2c": A2C, "dqn": DQN}


class Evaluate(Model):
    """How a policy is evaluated at every checkpoint: by play, and exactly where the encounter can be solved."""

    skirmishes: Annotated[int, Field(ge=1, le=1_000_000)] = 2000
    exact_states: Annotated[int, Field(ge=0, le=20_000_000)] = 0  # encounters of at most that many states; 0: none


class TrainingModel(Model):
    """The fields of a training file."""

    name: Name
    description: str = ""
    encounters: Annotated[list[str], Field(min_length=1)]
    vary: dict[str, list[Any]] = Field({})  # a grid over each of them, sampled at every opening
    hold_out: list[dict[str, Any]] = Field([])  # settings of the grid that are never trained on, only evaluated
    side: Literal["party", "foes"] = "party"
    opponents: list[str | dict[str, Any]] = Field(["aggressive"], min_length=1)
    reward: Literal["outcome", "harm"] = "outcome"
    algorithm: Literal["maskable_ppo", "ppo", "a2c", "dqn"] = "maskable_ppo"
    settings: dict[str, Any] = Field({})
    timesteps: Annotated[int, Field(ge=1, le=10_000_000_000)] = 1_000_000
    envs: Annotated[int, Field(ge=1, le=65_536)] = 256
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    checkpoint_every: Annotated[int, Field(ge=1, le=10_000_000_000)] = 200_000
    evaluate: Evaluate = Evaluate()


@dataclass(frozen=True)
class Training:
    """A checked training file."""

    model: TrainingModel
    settings: Network
    source: str
    encounters: tuple[Encounter, ...]  # what is trained on
    held_out: tuple[Encounter, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of all that the result depends on."""
        told = self.model.model_dump(mode="json") | {"settings": self.settings.model_dump(mode="json")}
        told["digests"] = [encounter.digest for encounter in self.encounters]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def list_trainings() -> list[str]:
    """The names of the training files that come with lens_env."""
    root = config_root() / "training"
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.yaml"))


def load_training(name_or_path: str, changes: Mapping[str, Any] | None = None) -> Training:
    """A training file by path or by name, with some fields changed. EncounterError says what is wrong, a line each."""
    path = _find(name_or_path)
    source = str(path)
    data, marks = yaml_text.read(read_file(path), source)
    data |= dict(changes or {})
    try:
        model = TrainingModel.model_validate(data)
    except ValidationError as error:
        raise EncounterError(explain(of_validation(error, TrainingModel, data), source, marks)) from None
    kind = SETTINGS[model.algorithm]
    try:
        settings = kind.model_validate(model.settings)
    except ValidationError as error:
        found = of_validation(error, kind, model.settings)
        within = [replace(one, path=("settings", *one.path)) for one in found]
        raise EncounterError(explain(within, source, marks)) from None
    problems: list[Problem] = []
    trained, held_out = _encounters(model, path.parent, problems)
    if not problems:
        _check_opponents(model, (*trained, *held_out), problems)
    if problems:
        raise EncounterError(explain(problems, source, marks))
    return Training(model, settings, source, tuple(trained), tuple(held_out))


def _find(given: str) -> Path:
    named = config_root() / "training" / f"{given.removesuffix('.yaml')}.yaml"
    for path in (Path(given), named):
        if path.is_file():
            return path
    if Path(given).is_dir():
        raise EncounterError(f"{given}: is a folder, not a training file")
    known = ", ".join(list_trainings()) or "none"
    raise EncounterError(f"{given}: no such file, and no training of this name; known: {known}")


def _encounters(model: TrainingModel, folder: Path, problems: list[Problem]) -> tuple[list[Encounter], list[Encounter]]:
    """Every variant to train on, and those that are held out."""
    trained: list[Encounter] = []
    held_out: list[Encounter] = []
    met = set()
    for i, given in enumerate(model.encounters):
        try:
            beside = folder / given
            encounter = load_encounter(beside if beside.is_file() else given)
            if model.vary:
                encounter = Encounter.from_dict({**encounter.data, "vary": model.vary}, encounter.source)
            for changes, variant in encounter.variants():
                held = [n for n, one in enumerate(model.hold_out) if one and one.items() <= changes.items()]
                met.update(held)
                (held_out if held else trained).append(variant)
        except LensError as error:
            problems.append(Problem(("encounters", i), str(error)))
    for n in range(len(model.hold_out)):
        if n not in met and not problems:
            problems.append(Problem(("hold_out", n), "is no setting of the grid"))
    if not problems and not trained:
        problems.append(Problem(("hold_out",), "holds out everything: nothing is left to train on"))
    if not problems and len({encounter.ruleset.name for encounter in trained}) > 1:
        problems.append(Problem(("encounters",), "must all be of one ruleset"))
    return trained, held_out


def _check_opponents(model: TrainingModel, encounters: tuple[Encounter, ...], problems: list[Problem]) -> None:
    for i, spec in enumerate(model.opponents):
        try:
            load_agent(spec).check(encounters)
        except LensError as error:
            problems.append(Problem(("opponents", i), str(error)))
