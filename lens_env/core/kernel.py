"""The only module that imports numba: how a rule function becomes a kernel, and a loop a compiled batch.

A ``@kernel`` stays an ordinary Python function. Called from compiled code it is compiled and linked in;
called from Python it simply runs interpreted, so a debugger steps through it and no call can crash the
process. Only the batched loops, built by :func:`specialise`, have an entry point from Python.

With ``NUMBA_DISABLE_JIT=1`` everything runs interpreted and gives identical results.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numba.extending import register_jitable

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED: bool = bool(vars(numba.config)["DISABLE_JIT"])
BOUNDS_CHECKED: bool = bool(vars(numba.config)["BOUNDSCHECK"])
# A range whose turns may run at the same time, in loops that are bound with ``parallel``.
prange: Any = range if INTERPRETED else numba.prange
_on_compile: list[Callable[[str], None]] = []


def kernel(function: F) -> F:
    """Make a rule function callable from compiled code. It reads and writes records and returns a number."""
    return function if INTERPRETED else register_jitable(no_cfunc_wrapper=True)(function)


def hot(function: F) -> F:
    """A kernel that is always inlined. For small accessors, and for what most decisions pass through in one place."""
    return function if INTERPRETED else register_jitable(no_cfunc_wrapper=True, forceinline=True)(function)


@cache
def direct(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled form of a single kernel, callable from Python: for tests and experiments."""
    compiled: Callable[..., Any] = function if INTERPRETED else numba.njit(function)
    return compiled


def on_compile(listener: Callable[[str], None]) -> None:
    """Call ``listener(name)`` whenever a loop is about to be compiled because no cached build fits."""
    _on_compile.append(listener)


class Specialised:
    """A loop bound to a ruleset. Compiled at its first call, or loaded from the on-disk cache."""

    def __init__(
        self, function: Callable[..., Any], title: str, entries: Sequence[Any] = (), parallel: bool = False
    ) -> None:
        self.title = title
        self._parallel = parallel
        self._function = function
        self._entries = entries
        self._run: Callable[..., Any] | None = function if INTERPRETED else None

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop over structured arrays."""
        if self._run is None:
            self._run = self._load(arguments)
        return self._run(*arguments)

    def bound(self, *arguments: Any) -> Callable[..., Any]:
        """The loop for arguments of just these types and layouts, unchecked: a call costs a third.

        It may be called with nothing else; any other array would be read wrongly.
        """
        if self._run is None:
            self._run = self._load(arguments)
        if INTERPRETED:
            return self._run
        typeof: Any = numba.typeof
        dispatcher: Any = self._run
        signature = tuple(typeof(argument) for argument in arguments)
        if signature not in dispatcher.overloads:
            dispatcher.compile(signature)
        found: Callable[..., Any] = dispatcher.get_overload(signature)
        return found

    def _load(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        dispatcher: Any = numba.njit(cache=True, nogil=True, parallel=self._parallel)(self._function)
        typeof: Any = numba.typeof
        signature = tuple(typeof(argument) for argument in arguments)
        folder = Path(dispatcher.stats.cache_path)
        if not list(folder.glob(f"*.{self._function.__name__}-*.nbi")):
            for listener in _on_compile:
                listener(self.title)
        dispatcher.compile(signature)
        for part in (dispatcher, *self._entries):
            _delete_stale(Path(part.stats.cache_path), part.__name__)
        compiled: Callable[..., Any] = dispatcher
        return compiled


class Linked(NamedTuple):
    """A function of the templates that is compiled once for a ruleset, and shared by all loops that name it."""

    function: Callable[..., Any]
    parts: tuple[str, ...] = ()  # what it calls of its own module, each may call those before it
    needs: tuple[Linked, ...] = ()  # what it calls that is compiled once, too


def specialise(
    template: Callable[..., Any],
    namespace: types.ModuleType,
    title: str,
    entries: Sequence[str] = (),
    parts: Sequence[str] = (),
    parallel: bool = False,
    linked: Sequence[Linked] = (),
) -> Specialised:
    """Bind the plain function ``template`` to the names of a ruleset's module.

    The bound loop reads ``apply``, ``legal``, ``Game`` ... from ``namespace`` and everything else from the
    template's own module. The kernels named in ``entries`` are compiled once, with a cache of their own, and
    shared by all loops of the ruleset, as are the functions in ``linked``. The functions named in ``parts`` belong to
    the template and are bound with it, each may call those before it. ``parallel``: turns of its ``prange`` run on all
    cores. Everything is cached under a name that holds a digest of every source file it can reach, so a rule edited in
    any file is played at the next run.
    """
    digest = source_digest(template.__module__, namespace.__name__, __name__)
    shared = {name: _entry(namespace, name, title) for name in entries}
    shared |= {it.function.__name__: _linked(it, namespace, title, tuple(entries)) for it in linked}
    names = _bound(template, parts, namespace, shared)
    bound = _renamed(template, names, title, digest)
    inner = [_linked(other, namespace, title, tuple(entries)) for it in linked for other in _needed(it)]
    return Specialised(bound, f"{title}: {template.__name__}", [*shared.values(), *inner], parallel)


def _needed(it: Linked) -> Iterator[Linked]:
    """What a linked function stands on, however deep."""
    for other in it.needs:
        yield other
        yield from _needed(other)


def _bound(
    function: Callable[..., Any], parts: Sequence[str], namespace: types.ModuleType, shared: dict[str, Any]
) -> dict[str, Any]:
    """The globals of a function of the templates: its module's, the ruleset's, what is shared, and its parts."""
    names = {**function.__globals__, **namespace.__dict__, **shared}
    for part in parts:
        names[part] = kernel(types.FunctionType(names[part].__code__, names, part))
    return names


@cache
def _entry(namespace: types.ModuleType, name: str, title: str) -> Callable[..., Any]:
    """A kernel of the ruleset as a function with an on-disk cache of its own."""
    function = getattr(namespace, name)
    digest = source_digest(namespace.__name__, __name__)
    return _cached(function, _renamed(function, function.__globals__, title, digest))


@cache
def _linked(it: Linked, namespace: types.ModuleType, title: str, entries: tuple[str, ...]) -> Callable[..., Any]:
    """A function of the templates, bound to the ruleset, as a function with an on-disk cache of its own."""
    shared = {name: _entry(namespace, name, title) for name in entries}
    shared |= {other.function.__name__: _linked(other, namespace, title, entries) for other in it.needs}
    digest = source_digest(it.function.__module__, namespace.__name__, __name__)
    names = _bound(it.function, it.parts, namespace, shared)
    return _cached(types.FunctionType(it.function.__code__, names), _renamed(it.function, names, title, digest))


def _cached(plain: Callable[..., Any], renamed: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled form, or the plain function where nothing is compiled."""
    if INTERPRETED:
        return plain
    dispatcher: Callable[..., Any] = numba.njit(cache=True)(renamed)
    return dispatcher


def _renamed(function: Callable[..., Any], names: dict[str, Any], title: str, digest: str) -> Callable[..., Any]:
    """The same code over other globals, under the name that its cache is found by."""
    code = function.__code__
    bound = types.FunctionType(code, names)
    variant = "_checked" if BOUNDS_CHECKED else ""
    bound.__name__ = bound.__qualname__ = f"{function.__name__}__{title}{variant}__{digest}"
    bound.__module__ = function.__module__
    return bound


def _delete_stale(folder: Path, name: str) -> None:
    """Remove what older digests of the same loop left on disk (several megabytes each)."""
    stem, _, digest = name.rpartition("__")
    for path in folder.glob(f"*.{stem}__*.nb?"):
        if f"{stem}__{digest}-" not in path.name:
            path.unlink(missing_ok=True)


@cache
def source_digest(*modules: str) -> str:
    """A digest of the code of these modules and all they import, and of the versions of numba, NumPy and Python."""
    versions = f"numba {numba.__version__} numpy {np.__version__} python {sys.version_info[:2]}"
    return _digest(f"{versions}\n{_code_of(modules)}")


@cache
def code_digest(*modules: str) -> str:
    """A digest of the code of these modules and all they import, the same whatever runs it."""
    return _digest(_code_of(modules))


def _code_of(modules: Sequence[str]) -> str:
    """The code (layout, docstrings and comments left out) of these modules and all they import.

    Followed are imports inside the top-level packages of ``modules``.
    """
    packages = {name.partition(".")[0] for name in modules}
    found: dict[str, str] = {}
    todo = list(modules)
    while todo:
        name = todo.pop()
        if name not in found:
            found[name], imports = _read(name, _source_of(name))
            todo += [it for it in imports if it.partition(".")[0] in packages and it in sys.modules]
    return "\n".join(f"{name}\n{found[name]}" for name in sorted(found))


@cache
def _read(module: str, source: str) -> tuple[str, list[str]]:
    """The code of a module, and the names of what it imports: modules, or what is in them."""
    tree = ast.parse(source)
    imports = _imports(tree, module)
    return ast.unparse(_without_docstrings(tree)), imports


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _source_of(module: str) -> str:
    path = sys.modules[module].__file__
    return Path(path).read_text(encoding="utf-8") if path else ""


def _imports(tree: ast.Module, module: str) -> list[str]:
    package = module if hasattr(sys.modules[module], "__path__") else module.rpartition(".")[0]
    found: list[str] = []
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (base, node.module or "") if part)
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in (tree, *_statements(tree)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) or not node.body:
            continue
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            del node.body[0]
    return tree


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements in a node, those inside others too; expressions are not searched."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()):
            yield inner
            yield from _statements(inner)
