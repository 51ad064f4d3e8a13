"""From counts to results: rates with their uncertainty, and the files they are written to."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest, norm

import lens_env
from experiments.settings import Cell, Study
from experiments.tournament import Tally
from lens_env.play.engine import engine_of
from lens_env.play.files import write_atomically

FORMAT = "lens_env study"
VERSION = 1
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Rate:
    """A share with its Wilson interval (95 %)."""

    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Result:
    """What a cell has shown."""

    encounter: str
    foes: str
    party: str
    skirmishes: int
    win: Rate  # of the party
    loss: Rate
    undecided: Rate
    rounds: float  # mean
    body_left: float  # mean fraction of the party's points of life (BODY, Health) at the end
    defenses: dict[str, float]  # share of the attacks on the party that met with each defence
    attacks: int  # on which a defence was asked
    trajectories: int  # different skirmishes
    decisions: int


def wilson(successes: int, trials: int) -> Rate:
    """The share of successes and its interval after Wilson (JASA 22, 1927, p. 209), confidence 95 %."""
    interval = binomtest(successes, trials).proportion_ci(CONFIDENCE, method="wilson")
    return Rate(successes / trials, float(interval.low), float(interval.high))


def wilson_of_mean(mean: float, trials: int) -> Rate:
    """The mean of numbers from 0 to 1 and its interval by the same formula.

    It is at least as wide as it has to be: no such numbers vary more than zeros and ones of the same mean.
    """
    z = float(norm.ppf((1 + CONFIDENCE) / 2))
    shrunk = 1 + z * z / trials
    middle = (mean + z * z / (2 * trials)) / shrunk
    reach = z * sqrt(mean * (1 - mean) / trials + (z / (2 * trials)) ** 2) / shrunk
    return Rate(mean, max(0.0, middle - reach), min(1.0, middle + reach))


def result_of(cell: Cell, tally: Tally) -> Result:
    """The result of a cell from its counts."""
    count = tally.skirmishes
    chosen = tally.defenses or {}
    attacks = sum(chosen.values())
    return Result(
        encounter=cell.place,
        foes=cell.foes.label,
        party=cell.party.label,
        skirmishes=count,
        win=wilson(tally.wins, count),
        loss=wilson(tally.losses, count),
        undecided=wilson(tally.undecided, count),
        rounds=tally.rounds / count,
        body_left=tally.health / (count * tally.full),
        defenses={name: (number / attacks if attacks else 0.0) for name, number in chosen.items()},
        attacks=attacks,
        trajectories=tally.trajectories,
        decisions=tally.decisions,
    )


# --- files -------------------------------------------------------------------------------------------------


def provenance(study: Study) -> dict[str, Any]:
    """All that is needed to play the study again: versions, seed and digests."""
    rulesets = sorted({encounter.ruleset.name for _, encounter in study.encounters})
    return {
        "format": FORMAT,
        "version": VERSION,
        "versions": {
            "lens_env": lens_env.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": version("numba"),
        },
        "study": study.model.model_dump(mode="json"),
        "study_digest": study.digest,
        "seed": study.model.seed,
        "rulesets": {name: engine_of(name).digest for name in rulesets},
        "encounters": {place: encounter.digest for place, encounter in study.encounters},
        "policies": {side: _specs(getattr(study, side)) for side in ("party", "foes")},
    }


def _specs(policies: Sequence[Any]) -> dict[str, Any]:
    return {policy.label: json.loads(policy.spec) for policy in policies}


def flat(result: Result) -> dict[str, Any]:
    """A result as one row: every number in a column of its own."""
    row: dict[str, Any] = {}
    for key, value in vars(result).items():
        if isinstance(value, Rate):
            row |= {key: _short(value.share), f"{key}_low": _short(value.low), f"{key}_high": _short(value.high)}
        elif isinstance(value, dict):
            row |= {f"use_{name}": _short(share) for name, share in value.items()}
        else:
            row[key] = _short(value)
    return row


def _short(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


def to_csv(study: Study, results: Sequence[Result]) -> str:
    """The results as CSV, a row a cell; every row names versions, seed and digests, so it can stand alone."""
    origin = provenance(study)
    digests = {place: encounter.digest for place, encounter in study.encounters}
    names = {place: encounter.ruleset.name for place, encounter in study.encounters}
    rows = [
        flat(result)
        | {"seed": study.model.seed, **{f"version_{name}": value for name, value in origin["versions"].items()}}
        | {"ruleset": names[result.encounter], "ruleset_digest": origin["rulesets"][names[result.encounter]]}
        | {"encounter_digest": digests[result.encounter]}
        for result in results
    ]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def to_json(study: Study, results: Sequence[Result]) -> str:
    """The results and where they come from as JSON."""
    return json.dumps(provenance(study) | {"results": [flat(result) for result in results]}, indent=1) + "\n"


def result_paths(folder: Path) -> tuple[Path, Path]:
    """The files that the results of a study are written to."""
    return folder / "results.csv", folder / "results.json"


def write_results(study: Study, results: Sequence[Result], folder: Path) -> tuple[Path, Path]:
    """Write ``results.csv`` and ``results.json``, each whole or not at all."""
    paths = result_paths(folder)
    write_atomically(paths[0], to_csv(study, results))
    write_atomically(paths[1], to_json(study, results))
    return paths
