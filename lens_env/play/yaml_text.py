"""Reading YAML into plain data that remembers where each field stood, and writing it again."""

from __future__ import annotations

import io
import itertools
import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from lens_env.core.fields import Path
from lens_env.errors import EncounterError

MAX_VALUES = 50_000  # of one file; aliases of aliases could stand for billions
MAX_DEPTH = 40
MAX_BRACKETS = 100  # open at once; the YAML reader's time grows with the square of them
LINE_WIDTH = 110
Mark = tuple[int, int]  # line and column, from 1


class Marks:
    """Where the fields of a file stand: for every path the place of its key and of its value."""

    def __init__(self) -> None:
        self._keys: dict[Path, Mark] = {}
        self._values: dict[Path, Mark] = {}

    def add(self, path: Path, key: Mark, value: Mark) -> None:
        """Note the place of a field."""
        self._keys[path], self._values[path] = key, value

    def __bool__(self) -> bool:
        return bool(self._keys)

    def find(self, path: Path, key: bool = False) -> Mark | None:
        """The place of a value (or of its key); that of the nearest block around it if the file has no such field."""
        if path in self._values:
            return self._keys[path] if key else self._values[path]
        for length in range(len(path) - 1, 0, -1):
            if path[:length] in self._keys:
                return self._keys[path[:length]]
        return (1, 1) if self._keys else None


def where(source: str, mark: Mark | None) -> str:
    """``file:line:column``, as editors and terminals understand it."""
    return f"{source}:{mark[0]}:{mark[1]}" if mark else source


def read(text: str, source: str) -> tuple[dict[str, Any], Marks]:
    """The data of a YAML text and where its fields stand. EncounterError if it is no YAML, or no mapping."""
    if _brackets(text) > MAX_BRACKETS:
        raise EncounterError(f"{source}: nested too deeply")
    node = _parse(text, source)
    if node is None:
        raise EncounterError(f"{where(source, (1, 1))}: the file is empty; an encounter begins with ruleset: the_lens")
    if not isinstance(node, Mapping):
        kind = "a list" if isinstance(node, Sequence) and not isinstance(node, str) else "a single value"
        raise EncounterError(f"{where(source, (1, 1))}: must be a block of fields like 'name: ...', is {kind}")
    marks = Marks()
    plainer = Plain(source, marks)
    data: dict[str, Any] = plainer.value(node, ())
    return data, marks


def _brackets(text: str) -> int:
    """How many brackets are open at once at most (those in texts and comments count as well)."""
    steps = [1 if char in "[{" else -1 for char in text if char in "[]{}"]
    return max(itertools.accumulate(steps, initial=0))


def _parse(text: str, source: str) -> Any:
    try:
        return YAML(typ="rt").load(text)
    except DuplicateKeyError as error:
        raise EncounterError(f"{where(source, _mark(error))}: {_duplicate(error)}") from None
    except MarkedYAMLError as error:
        problem = " ".join(str(error.problem or error.context or "unreadable").split())
        raise EncounterError(f"{where(source, _mark(error))}: not valid YAML: {problem}") from None
    except ReaderError as error:
        raise EncounterError(f"{where(source, _at(text, error.position))}: not valid YAML: {error.reason}") from None
    except RecursionError:
        raise EncounterError(f"{source}: nested too deeply") from None
    except (YAMLError, ValueError, AttributeError, TypeError, KeyError, NotImplementedError) as error:
        raise EncounterError(f"{source}: not valid YAML: {' '.join(str(error).split())}") from None


def _mark(error: MarkedYAMLError) -> Mark | None:
    mark = error.problem_mark or error.context_mark
    return (mark.line + 1, mark.column + 1) if mark else None


def _at(text: str, position: Any) -> Mark:
    before = text[: int(position)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _duplicate(error: MarkedYAMLError) -> str:
    name = str(error.problem).partition('"')[2].partition('"')[0]
    return f"the field {name} stands in this block twice"


class Plain:
    """Turns what the YAML reader (or a caller) gives into dicts, lists, strings, numbers, booleans and None."""

    def __init__(self, source: str, marks: Marks | None = None) -> None:
        self.source, self.marks, self.count = source, marks if marks is not None else Marks(), 0

    def fail(self, path: Path, problem: str) -> EncounterError:
        """The error about a value."""
        field = ".".join(map(str, path))
        return EncounterError(f"{where(self.source, self.marks.find(path))}: {field + ': ' if field else ''}{problem}")

    def value(self, node: Any, path: Path) -> Any:
        """The plain form of a value."""
        self.count += 1
        if self.count > MAX_VALUES:
            raise EncounterError(f"{self.source}: more than {MAX_VALUES:,} values; an encounter is never that large")
        if len(path) > MAX_DEPTH:
            raise self.fail(path[:3], "nested too deeply")
        if isinstance(node, Mapping):
            return self._block(node, path)
        if isinstance(node, list | tuple):
            return [self._item(node, i, (*path, i)) for i in range(len(node))]
        return self._scalar(node, path)

    def _block(self, node: Mapping[Any, Any], path: Path) -> dict[str, Any]:
        block = {}
        for key, value in node.items():
            if not isinstance(key, str):
                raise self.fail(path, f"the field name {key!r} must be a text; put it in quotes")
            name = str(key)
            self._note(node, key, (*path, name))
            block[name] = self.value(value, (*path, name))
        return block

    def _note(self, node: Mapping[Any, Any], key: str, path: Path) -> None:
        """Keep the place of a field, unless it was merged in from another block."""
        places = getattr(node.lc, "data", None) if isinstance(node, CommentedMap) else None
        if places and key in places:
            line, column, value_line, value_column = places[key][:4]
            if node[key] is None and value_line > line:  # nothing stands there: the reader names what comes next
                value_line, value_column = line, column
            self.marks.add(path, (line + 1, column + 1), (value_line + 1, value_column + 1))

    def _item(self, node: Sequence[Any], i: int, path: Path) -> Any:
        places = getattr(node.lc, "data", None) if isinstance(node, CommentedSeq) else None
        if places and i in places:
            mark = (places[i][0] + 1, places[i][1] + 1)
            self.marks.add(path, mark, mark)
        return self.value(node[i], path)

    def _scalar(self, node: Any, path: Path) -> Any:
        if node is None or isinstance(node, bool):
            return node
        if isinstance(node, str):
            return str(node)
        if isinstance(node, numbers.Integral):
            return bool(node) if type(node).__name__ == "ScalarBoolean" else int(node)
        if isinstance(node, numbers.Real) and math.isfinite(float(node)):
            return float(node)
        raise self.fail(path, f"{str(node)[:40]!r} is no text, number, list or block; put it in quotes if it is text")


def plain(data: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A deep copy of some data in plain types. EncounterError for what YAML and JSON cannot say."""
    copied: dict[str, Any] = Plain(source).value(data, ())
    return copied


def write(data: Mapping[str, Any]) -> str:
    """The YAML text of plain data; ``read`` gives the same data back."""
    yaml = YAML()
    yaml.width = LINE_WIDTH
    yaml.allow_unicode = True
    stream = io.StringIO()
    yaml.dump(_styled(dict(data)), stream)
    return stream.getvalue()


def _styled(value: Any) -> Any:
    """Lists of numbers and short words on one line, everything else in blocks."""
    if isinstance(value, dict):
        return {_styled(key): _styled(item) for key, item in value.items()}
    if isinstance(value, str) and not value.isprintable():
        return DoubleQuotedScalarString(value)  # the only style in which every character can be escaped
    if not isinstance(value, list):
        return value
    styled = CommentedSeq([_styled(item) for item in value])
    if not any(isinstance(item, dict) or (isinstance(item, str) and "\n" in item) for item in value):
        styled.fa.set_flow_style()
    return styled
