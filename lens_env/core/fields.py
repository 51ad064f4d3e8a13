"""What every encounter file has in common, whatever its ruleset: pydantic models and the error that names a field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from .board import MAX_SIZE

Path = tuple[str | int, ...]


class FieldError(ValueError):
    """A field that is wrong in a way that only shows together with others."""

    def __init__(self, path: Path, problem: str, allowed: Sequence[str] = (), known: Sequence[str] = ()) -> None:
        super().__init__(problem)
        self.path, self.problem, self.allowed = path, problem, tuple(allowed)
        self.known = tuple(known) or self.allowed  # among these a near name is looked for
        self.more: tuple[FieldError, ...] = ()  # what else is wrong


def raise_together(errors: Iterable[FieldError]) -> None:
    """Raise the first of these errors, the others being its ``more``; nothing if there are none."""
    found = tuple(errors)
    if found:
        found[0].more = found[1:]
        raise found[0]


def _no_lookalike(value: Any) -> Any:
    if isinstance(value, bool | float):
        raise PydanticCustomError("literal_error", "is none of the words and whole numbers allowed")
    return value


Exactly = BeforeValidator(_no_lookalike)  # for a choice among whole numbers: to Python, 1 is True and 8 is 8.0


class Model(BaseModel):
    """Base of every block of an encounter file: unknown fields are errors, types are not coerced."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


NAME = r"^[^\s#\pC](?:[^\pC\p{Zl}\p{Zp}]*[^\s\pC])?$"  # nothing but what can be printed
Name = Annotated[str, Field(min_length=1, max_length=40, pattern=NAME)]
Coordinate = Annotated[int, Field(ge=0, lt=MAX_SIZE)]
Position = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]


class BoardModel(Model):
    """``board: {kind, width, height, blocked, difficult}``."""

    kind: Literal["square", "hex"]
    width: Annotated[int, Field(ge=1, le=MAX_SIZE)]
    height: Annotated[int, Field(ge=1, le=MAX_SIZE)]
    blocked: list[Position] = []
    difficult: dict[str, Annotated[int, Field(ge=2, le=20)]] = {}  # "x,y": target number


class ForbidModel(Model):
    """``forbid: {party: [BLOCK], foes: []}``: actions taken out of a side's mask."""

    party: list[str] = []
    foes: list[str] = []


class EncounterModel(Model):
    """The head of an encounter file. A ruleset adds ``rules``, ``party``, ``foes`` and what it needs."""

    ruleset: str
    name: Name
    description: str = ""
    board: Literal["none"] | BoardModel = "none"
    max_rounds: Annotated[int, Field(ge=1, le=1000)] = 50
    forbid: ForbidModel = ForbidModel()
    vary: dict[str, list[Any]] = {}
