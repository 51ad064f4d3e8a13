"""Changing an encounter's data by dotted paths, and the grid of variants that ``vary`` spans."""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from lens_env.core.fields import FieldError, Path

from .explain import nearest

MAX_VARIANTS = 10_000
DIGITS = 9  # of a place in a list
FIXED = ("ruleset", "vary")  # what a variant may not change


def path_of(dotted: str, data: Any) -> Path:
    """``foes.0.body`` as a path into ``data``. FieldError if there is nothing that could have such a field."""
    path: list[str | int] = []
    for step in dotted.split("."):
        if isinstance(data, list):
            if not (step.isascii() and step.isdecimal() and len(step) <= DIGITS and int(step) < len(data)):
                raise FieldError(
                    (), f"{dotted:.80}: {step[:DIGITS]!r} is no entry of a list of {len(data)} (counted from 0)"
                )
            path.append(int(step))
            data = data[int(step)]
        elif isinstance(data, dict) and step:
            path.append(step)
            data = data.get(step, {})
        else:
            raise FieldError((), f"{dotted}: there is no block that could have a field {step!r}")
    if path[0] in FIXED:
        raise FieldError((), f"{dotted}: cannot be varied")
    return tuple(path)


def changed(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of ``data`` with the values at some dotted paths set; blocks that are missing are made."""
    result: dict[str, Any] = copy.deepcopy(dict(data))
    for dotted, value in changes.items():
        _set(result, path_of(dotted, result), copy.deepcopy(value))
    return result


def _set(data: Any, path: Path, value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(step, {}) if isinstance(data, dict) else data[step]
    data[path[-1]] = value


def labels(vary: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination of the grid's values, the last field changing fastest; one empty label without a grid."""
    for values in itertools.product(*vary.values()):
        yield dict(zip(vary, values, strict=True))


def grid_problems(data: Mapping[str, Any], vary: Mapping[str, list[Any]]) -> Iterator[FieldError]:
    """What is wrong with a grid itself; whether its values fit the fields is for the models to say."""
    for dotted, values in vary.items():
        try:
            path_of(dotted, data)
        except FieldError as error:
            near = nearest(dotted, list(_paths(data)))
            yield FieldError(("vary", dotted), error.problem + (f"; did you mean {near}?" if near else ""))
        if not values:
            yield FieldError(("vary", dotted), "must have at least 1 value")
        told = [json.dumps(value, sort_keys=True) for value in values]
        for i, text in enumerate(told):
            if text in told[:i]:
                yield FieldError(("vary", dotted, i), f"{text} stands here twice")
    size = math.prod(len(values) for values in vary.values())
    if size > MAX_VARIANTS:
        yield FieldError(("vary",), f"spans {size:,} encounters; at most {MAX_VARIANTS:,}")


def _paths(data: Any, prefix: str = "") -> Iterator[str]:
    """Every dotted path of some data."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield f"{prefix}{key}"
        yield from _paths(value, f"{prefix}{key}.")
