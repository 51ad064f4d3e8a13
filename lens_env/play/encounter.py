"""An encounter: a YAML file (or a dict) that has been checked and built, and the variants it describes."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lens_env.core.fields import EncounterModel, FieldError
from lens_env.core.ruleset import Built, Ruleset
from lens_env.errors import EncounterError
from lens_env.rulesets import RULESETS

from . import yaml_text
from .explain import Problem, explain, of_field_error, of_validation
from .grid import changed, grid_problems, labels
from .yaml_text import Marks

FROM_DICT = "<dict>"
FROM_TEXT = "<text>"


@dataclass(frozen=True, eq=False)
class Encounter:
    """A checked encounter. Two are equal if their data are; ``source`` is where they came from.

    Make one with :func:`load_encounter`, :meth:`from_text` or :meth:`from_dict`; EncounterError lists all that
    is wrong, a line each.
    """

    _data: dict[str, Any]
    source: str = FROM_DICT
    marks: Marks = field(default_factory=Marks, repr=False)

    def __post_init__(self) -> None:
        self.built  # noqa: B018  (raises what is wrong, and keeps the records)
        self._check_grid()

    # --- making one ----------------------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], source: str = FROM_DICT) -> Encounter:
        """From data as a YAML file would hold it; the data are copied."""
        if not isinstance(data, Mapping):
            raise EncounterError(f"{source}: must be a dict of fields, got {type(data).__name__}")
        return cls(yaml_text.plain(data, source), source)

    @classmethod
    def from_text(cls, text: str, source: str = FROM_TEXT) -> Encounter:
        """From YAML; ``source`` is the file's name in messages."""
        data, marks = yaml_text.read(text, source)
        return cls(data, source, marks)

    @classmethod
    def load(cls, name_or_path: str | os.PathLike[str]) -> Encounter:
        """From a file, or by name from the encounters that come with lens_env ("the_lens/duel")."""
        path = find(name_or_path)
        return cls.from_text(read_file(path), str(path))

    # --- what it is ----------------------------------------------------------------------------------------

    @property
    def data(self) -> dict[str, Any]:
        """What the file says, as a copy."""
        return copy.deepcopy(self._data)

    @property
    def name(self) -> str:
        """The title of the encounter."""
        return self.model.name

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the data in canonical JSON, in hexadecimal: the same whatever the layout of the file."""
        text = json.dumps(self._data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @functools.cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset that the file names."""
        name = self._data.get("ruleset")
        if isinstance(name, str) and name in RULESETS:
            return RULESETS[name]
        what = "is missing" if "ruleset" not in self._data else f"there is no ruleset {name!r}"
        raise self._error([Problem(("ruleset",), what, tuple(sorted(RULESETS)), str(name))])

    @functools.cached_property
    def model(self) -> EncounterModel:
        """The validated model of the ruleset."""
        return self._validated(self._data)

    @functools.cached_property
    def built(self) -> Built:
        """The encounter as records."""
        try:
            return self.ruleset.build(self.model)
        except FieldError as error:
            raise self._error(of_field_error(error, self._data)) from None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is allowed but probably not meant, a sentence each."""
        return self.built.warnings

    def to_yaml(self) -> str:
        """The encounter as a YAML text, from which the same encounter is read again."""
        return yaml_text.write(self._data)

    # --- variants ------------------------------------------------------------------------------------------

    def with_changes(self, changes: Mapping[str, Any]) -> Encounter:
        """The same encounter with other values at some dotted paths: ``{"foes.0.body": 20}``."""
        try:
            data = changed(self._data, changes)
        except FieldError as error:
            raise EncounterError(f"{self.source}: {error.problem}") from None
        return Encounter.from_dict(data, self.source + _told(changes))

    def variants(self) -> Iterator[tuple[dict[str, Any], Encounter]]:
        """Every point of the grid ``vary`` as (its values by dotted path, its encounter without a grid)."""
        base = {key: value for key, value in self._data.items() if key != "vary"}
        for label in labels(self.model.vary):
            yield label, Encounter.from_dict(changed(base, label), self.source + _told(label))

    def _check_grid(self) -> None:
        """Every value of the grid must fit its field, taken by itself; pairs are checked when they are made."""
        errors = list(grid_problems(self._data, self.model.vary))
        if errors:
            raise self._error([problem for error in errors for problem in of_field_error(error, self._data)])
        found = []
        for dotted, values in self.model.vary.items():
            for i, value in enumerate(values):
                found += self._misfits(dotted, i, value)
        if found:
            raise self._error(found)

    def _misfits(self, dotted: str, i: int, value: Any) -> list[Problem]:
        """What the models say against one value of the grid, told at its place in the grid."""
        data = changed(self._data, {dotted: value})
        try:
            self.ruleset.model.model_validate(data)
        except ValidationError as error:
            problems = of_validation(error, self.ruleset.model, data)
            return [replace(one, path=("vary", dotted) if one.at_key else ("vary", dotted, i)) for one in problems]
        return []

    # --- the rest ------------------------------------------------------------------------------------------

    def _validated(self, data: dict[str, Any]) -> EncounterModel:
        model = self.ruleset.model
        try:
            return model.model_validate(data)
        except ValidationError as error:
            raise self._error(of_validation(error, model, data)) from None

    def _error(self, problems: list[Problem]) -> EncounterError:
        return EncounterError(explain(problems, self.source, self.marks))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encounter) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return Encounter, (self._data, self.source, self.marks)  # records and modules are built anew

    def __repr__(self) -> str:
        return f"<Encounter {self.name!r} from {self.source}>"


def _told(changes: Mapping[str, Any]) -> str:
    """Changed values, for the source of a variant."""
    return f" ({', '.join(f'{path}={value}' for path, value in changes.items())})" if changes else ""


# --- files -------------------------------------------------------------------------------------------------


def config_root() -> Path:
    """The folder of the data files: inside an installed package, or beside it in a source checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "configs"
    return inside if inside.is_dir() else package.parent / "configs"


def list_encounters() -> list[str]:
    """The names of the encounters that come with lens_env, like "the_lens/duel"."""
    root = config_root() / "encounters"
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.yaml"))


def load_encounter(name_or_path: str | os.PathLike[str]) -> Encounter:
    """Load an encounter by name ("the_lens/duel") or from a YAML file. EncounterError says what is wrong."""
    return Encounter.load(name_or_path)


def find(name_or_path: str | os.PathLike[str]) -> Path:
    """The file of an encounter: an existing path, else a name among ours. EncounterError names near ones."""
    given = os.fspath(name_or_path)
    if not given or "\0" in given:
        raise EncounterError(f"{given!r} is no name of an encounter; known: {', '.join(list_encounters())}")
    for path in (Path(given), config_root() / "encounters" / f"{given.removesuffix('.yaml')}.yaml"):
        if path.is_file():
            return path
    if Path(given).is_dir():
        raise EncounterError(f"{given}: is a folder, not an encounter file{_near(given)}")
    raise EncounterError(f"{given}: no such file, and no encounter of this name{_near(given)}")


def _near(given: str) -> str:
    """Names like the one given, compared whole and without their folder; all of them if none is near."""
    known = list_encounters()
    wanted = given.removesuffix(".yaml")
    last = wanted.rsplit("/", 1)[-1]
    near = get_close_matches(wanted, known, 3)
    tails = get_close_matches(last, [name.rsplit("/", 1)[-1] for name in known], 3)
    near += [name for name in known if name.rsplit("/", 1)[-1] in tails and name not in near]
    return f"; did you mean {' or '.join(near)}?" if near else f"; known: {', '.join(known) or 'none'}"


def read_file(path: Path) -> str:
    """The text of a file. EncounterError if it cannot be read or is not UTF-8."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EncounterError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        place = f"{path}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
        raise EncounterError(f"{place}: is not UTF-8 text: byte 0x{data[error.start]:02x} is no character") from None
