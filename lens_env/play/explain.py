"""What is wrong with the fields of an encounter, said for people: one line a problem, with what is allowed."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from lens_env.core.fields import FieldError, Path

from .yaml_text import Marks, where

SHOWN = 12  # allowed values that a line lists
KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a block of fields",
    "model_type": "a block of fields",
    "literal_error": "",
    "none_required": "",
}
BOUNDS = {
    "greater_than_equal": ("must be at least {ge}", "ge"),
    "greater_than": ("must be more than {gt}", "gt"),
    "less_than_equal": ("must be at most {le}", "le"),
    "less_than": ("must be less than {lt}", "lt"),
}


@dataclass(frozen=True)
class Problem:
    """A field that is wrong."""

    path: Path
    what: str
    allowed: tuple[str, ...] = ()
    given: str = ""  # what near names are looked for
    known: tuple[str, ...] = ()  # among these; empty: among the allowed
    at_key: bool = False  # the name of the field is wrong, not its value

    def line(self, source: str, marks: Marks) -> str:
        """``file:line:column: field: what is wrong; allowed: ...; did you mean X?``"""
        field = ".".join(map(str, self.path)) or "the encounter"
        place = where(source, marks.find(self.path, self.at_key))
        return f"{place}: {field}: {self.what}{self._allowed()}{self._near()}"

    def _allowed(self) -> str:
        if not self.allowed:
            return ""
        more = f" ... ({len(self.allowed)} in all)" if len(self.allowed) > SHOWN else ""
        return f"; allowed: {', '.join(self.allowed[:SHOWN])}{more}"

    def _near(self) -> str:
        near = nearest(self.given, self.known or self.allowed)
        return f"; did you mean {near}?" if near else ""


def nearest(given: str, names: Sequence[str]) -> str:
    """The name most like what was given, whatever its case; "" if none is."""
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(name.casefold(), name)
    near = get_close_matches(given.casefold(), folded, 1)
    return folded[near[0]] if given and near else ""


def explain(problems: Iterable[Problem], source: str, marks: Marks) -> str:
    """All problems, a line each, in the order of the file."""
    ordered = sorted(problems, key=lambda problem: marks.find(problem.path, problem.at_key) or (0, 0))
    return "\n".join(dict.fromkeys(problem.line(source, marks) for problem in ordered))


def of_field_error(error: FieldError, data: Any) -> list[Problem]:
    """What a ruleset found wrong between fields."""
    found = []
    for one in (error, *error.more):
        value = _value_at(data, one.path)
        found.append(Problem(one.path, one.problem, one.allowed, value if isinstance(value, str) else "", one.known))
    return found


def _value_at(data: Any, path: Path) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


# --- from pydantic -----------------------------------------------------------------------------------------


def of_validation(error: ValidationError, model: type[BaseModel], data: Any) -> list[Problem]:
    """What the models found wrong. The branches of "either ... or" are told as one problem."""
    grouped: dict[Path, list[Any]] = {}
    for detail in error.errors(include_url=False):
        grouped.setdefault(_path(detail, data), []).append(detail)
    found = []
    for path, details in grouped.items():
        deeper = any(other[: len(path)] == path and other != path for other in grouped)
        left = [detail for detail in details if not (deeper and detail["type"] in KINDS)]
        if left:
            found.append(_problem(path, left, model))
    return found


def _path(detail: Mapping[str, Any], data: Any) -> Path:
    """The place of an error without the names of branches, which are no fields of the file."""
    path: list[str | int] = []
    last = len(detail["loc"]) - 1
    for i, step in enumerate(detail["loc"]):
        if (isinstance(data, dict) and step in data) or (isinstance(data, list) and isinstance(step, int)):
            path.append(step)
            data = data[step]
        elif i == last and detail["type"] == "missing":
            path.append(step)
    return tuple(path)


def _problem(path: Path, details: list[Any], model: type[BaseModel]) -> Problem:
    first = details[0]
    if all(detail["type"] in KINDS for detail in details):
        return _wrong_kind(path, details, model)
    if first["loc"] and first["loc"][-1] == "[key]":
        return replace(_single(path, first, model), at_key=True)
    return _single(path, first, model)


def _wrong_kind(path: Path, details: list[Any], model: type[BaseModel]) -> Problem:
    """The value is of none of the kinds (or words) that it may be."""
    kinds = tuple(dict.fromkeys(KINDS[detail["type"]] for detail in details if KINDS[detail["type"]]))
    given = details[0]["input"]
    words = tuple(str(word) for kind in types_at(model, path) if get_origin(kind) is Literal for word in get_args(kind))
    if words:
        return Problem(path, f"cannot be {shown(given)}", (*words, *kinds), str(given) if _short(given) else "")
    return Problem(path, f"must be {' or '.join(kinds)}, got {shown(given)}")


def _short(value: Any) -> bool:
    return isinstance(value, str | int)


def _single(path: Path, detail: Any, model: type[BaseModel]) -> Problem:
    kind, context, given = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "missing":
        return Problem(path, "is missing")
    if kind == "extra_forbidden":
        fields = tuple(fields_at(model, path[:-1]))
        return Problem(path, "is no known field", fields, str(path[-1]), at_key=True)
    if kind in BOUNDS:
        return Problem(path, f"{BOUNDS[kind][0].format(**context)}, got {shown(given)}")
    if kind in ("too_short", "too_long"):
        return Problem(path, _length(kind, context))
    if kind.startswith("string_"):
        return Problem(
            path, f"must be 1 to 40 printable characters without # or a space at the ends, got {shown(given)}"
        )
    return Problem(path, f"{detail['msg'][0].lower()}{detail['msg'][1:]}, got {shown(given)}")


def _length(kind: str, context: Mapping[str, Any]) -> str:
    bound = f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
    return f"must have {bound} {'entry' if bound.endswith(' 1') else 'entries'}, has {context['actual_length']}"


def shown(value: Any) -> str:
    """A value as a message quotes it: short, blocks and lists only named."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a block of fields"
    if isinstance(value, list):
        return "a list"
    text = repr(value)
    return text if len(text) <= 50 else f"{text[:46]}..."


# --- what the models allow at a path -----------------------------------------------------------------------


def types_at(model: Any, path: Path) -> Iterator[Any]:
    """The types that a value at this path may have, unions taken apart."""
    for kind in _options(model):
        if not path:
            yield kind
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            for name, field in kind.model_fields.items():
                if path[0] == (field.alias or name):
                    yield from types_at(field.annotation, path[1:])
        elif get_origin(kind) in (list, dict):
            yield from types_at(get_args(kind)[-1], path[1:])


def _options(kind: Any) -> Iterator[Any]:
    """A type without its annotations; the members of a union one by one."""
    if get_origin(kind) is Annotated:
        yield from _options(get_args(kind)[0])
    elif get_origin(kind) in (Union, types.UnionType):
        for option in get_args(kind):
            yield from _options(option)
    else:
        yield kind


def fields_at(model: type[BaseModel], path: Path) -> Iterator[str]:
    """The fields that a block at this path may have."""
    for kind in types_at(model, path):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from (field.alias or name for name, field in kind.model_fields.items())
