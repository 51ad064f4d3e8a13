"""State declared once: an annotated class is both the type mypy sees and the NumPy record kernels run on.

    class Fighter(Record):
        momentum: int                              # points left this round, 0..9
        uses: Annotated[Many[int], 4]              # a fixed number of integers

    dtype_of(Fighter)                              # dtype([("momentum", "<i8"), ("uses", "<i8", (4,))])

Every integer field is 64 bits wide: a narrower one wraps around at a different value when interpreted, and a
mixture of widths makes the compiler build every kernel once per width.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

T = TypeVar("T")


class Record:
    """Base of every record class. Never instantiated: kernels see a pointer into a structured array."""


class Many(Generic[T]):
    """A collection of fixed capacity inside a record, declared as ``Annotated[Many[T], capacity]``."""

    def __getitem__(self, index: int) -> T:
        raise TypeError("a Many is only an annotation")

    def __setitem__(self, index: int, value: T) -> None:
        raise TypeError("a Many is only an annotation")

    def __len__(self) -> int:
        raise TypeError("a Many is only an annotation")

    def __iter__(self) -> Iterator[T]:
        raise TypeError("a Many is only an annotation")


def dtype_of(record: type) -> np.dtype[Any]:
    """The NumPy dtype of a record class, its fields in the order of their declaration.

    Raises TypeError for a field that is no int, float, Record or Many, and for a name that ``numpy.record``
    uses itself (``max``, ``all``, ``view`` ...): such a field works compiled and breaks interpreted.
    """
    return _dtype_of(record)


@cache
def _dtype_of(record: type) -> np.dtype[Any]:
    hints = get_type_hints(record, include_extras=True)
    if not hints:
        raise TypeError(f"{record.__name__} declares no fields")
    return np.dtype([_field(record, name, hint) for name, hint in hints.items()])


def _field(record: type, name: str, hint: Any) -> tuple[Any, ...]:
    where = f"{record.__name__}.{name}"
    if hasattr(np.record, name) or name.startswith("_"):
        raise TypeError(f"{where}: this name belongs to numpy.record; choose another")
    if get_origin(hint) is Annotated:
        inner, capacity = get_args(hint)[:2]
        if get_origin(inner) is not Many or not isinstance(capacity, int) or capacity < 1:
            raise TypeError(f"{where}: a collection is declared as Annotated[Many[T], capacity], capacity >= 1")
        return name, _scalar(where, get_args(inner)[0]), (capacity,)
    return name, _scalar(where, hint)


def _scalar(where: str, hint: Any) -> Any:
    if hint is int:
        return np.int64
    if hint is float:
        return np.float64
    if isinstance(hint, type) and issubclass(hint, Record):
        return dtype_of(hint)
    raise TypeError(f"{where}: {hint!r} is no field type; allowed are int, float, a Record, Annotated[Many[T], n]")


def new(record: type, count: int = 1) -> np.ndarray[Any, Any]:
    """A zeroed plain structured array of ``count`` records."""
    return np.zeros(count, dtype_of(record))


def rows(array: np.ndarray[Any, Any], which: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Copies of the records (n,) at these positions (n,): the same as ``array[which]``, but several times as fast."""
    words = array.view(np.int64).reshape(len(array), -1)
    found: np.ndarray[Any, Any] = words[which].view(array.dtype).reshape(len(which))
    return found


def as_kernel_argument(array: np.ndarray[Any, Any], interpreted: bool) -> Any:
    """Compiled code takes plain structured arrays (6 microseconds cheaper a call); plain Python needs attributes."""
    return array.view(np.recarray) if interpreted else array


def to_python(value: Any) -> Any:
    """A record (or array of records) as nested dicts and lists of plain Python numbers."""
    if isinstance(value, np.ndarray):
        return [to_python(item) for item in value]
    if isinstance(value, np.void):
        names = value.dtype.names or ()
        return {name: to_python(value[name]) for name in names}
    return value.item() if isinstance(value, np.generic) else value
