"""Records: the dtype of an annotated class, and what it refuses."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest

from lens_env.core import record
from lens_env.core.board import Board
from lens_env.core.dice import Dice, Table
from lens_env.core.log import Log
from lens_env.core.philox import Source
from lens_env.core.record import Many, Record, as_kernel_argument, dtype_of, new, to_python


class Wound(Record):
    depth: int
    ache: float


class Body(Record):
    health: int
    marks: Annotated[Many[int], 3]
    worst: Wound
    wounds: Annotated[Many[Wound], 2]


class Heir(Body):
    gold: int


def test_fields_in_order_of_declaration() -> None:
    wound = np.dtype([("depth", np.int64), ("ache", np.float64)])
    assert dtype_of(Body) == np.dtype(
        [("health", np.int64), ("marks", np.int64, (3,)), ("worst", wound), ("wounds", wound, (2,))]
    )


def test_an_heir_has_the_fields_of_its_base() -> None:
    assert set(dtype_of(Heir).names or ()) == {"health", "marks", "worst", "wounds", "gold"}


def test_every_field_is_eight_bytes_wide_and_unpadded() -> None:
    assert dtype_of(Body).itemsize == 8 * (1 + 3 + 2 + 4)


def test_the_same_class_has_the_same_dtype() -> None:
    assert dtype_of(Body) is dtype_of(Body)


@pytest.mark.parametrize("name", ["max", "all", "view", "round", "trace", "size", "sort", "_hidden"])
def test_names_of_numpy_record_are_refused(name: str) -> None:
    bad = type("Bad", (Record,), {"__annotations__": {name: int}})
    with pytest.raises(TypeError, match=rf"Bad\.{name}: this name belongs to numpy.record"):
        dtype_of(bad)


@pytest.mark.parametrize(
    "hint",
    [Any, bool, str, list[int], Many[int], np.int64, int | None, Annotated[int, 3], Annotated[Many[int], 0],
     Annotated[Many[int], 2.0], Annotated[Many[str], 2], Annotated[Many[Many[int]], 2]],
)  # fmt: skip
def test_other_types_are_refused(hint: Any) -> None:
    bad = type("Bad", (Record,), {"__annotations__": {"value": hint}})
    with pytest.raises(TypeError, match=r"Bad\.value"):
        dtype_of(bad)


def test_a_record_without_fields_is_refused() -> None:
    with pytest.raises(TypeError, match="declares no fields"):
        dtype_of(type("Empty", (Record,), {}))


def test_many_is_only_an_annotation() -> None:
    many = Many[int]()
    with pytest.raises(TypeError):
        many[0]
    with pytest.raises(TypeError):
        many[0] = 1
    with pytest.raises(TypeError):
        len(many)
    with pytest.raises(TypeError):
        iter(many)


def test_new_is_zeroed() -> None:
    assert not new(Body, 4).view(np.int64).any()
    assert new(Body, 4).shape == (4,)


def test_interpreted_arguments_have_attributes_down_to_the_leaves() -> None:
    body = as_kernel_argument(new(Body), interpreted=True)[0]
    body.wounds[1].depth = 5
    body.worst.ache = 0.5
    body.marks[2] |= 8
    assert to_python(body) == {
        "health": 0,
        "marks": [0, 0, 8],
        "worst": {"depth": 0, "ache": 0.5},
        "wounds": [{"depth": 0, "ache": 0.0}, {"depth": 5, "ache": 0.0}],
    }


def test_compiled_arguments_are_passed_as_they_are() -> None:
    bodies = new(Body)
    assert as_kernel_argument(bodies, interpreted=False) is bodies


def test_to_python_gives_plain_numbers() -> None:
    plain = to_python(new(Body, 2))
    assert type(plain[0]["health"]) is int
    assert type(plain[1]["wounds"][0]["ache"]) is float


@pytest.mark.parametrize("kind", [Board, Dice, Table, Source, Log])
def test_the_records_of_the_core_are_valid(kind: type[Record]) -> None:
    assert record.dtype_of(kind).itemsize % 8 == 0
