"""Kernels and specialised loops: what is compiled, what is cached, and when a cached build is no longer used."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lens_env.core import kernel
from lens_env.core.kernel import INTERPRETED, direct, hot, specialise

ROOT = Path(__file__).parents[2]

TOY = {
    "__init__.py": "",
    "constants.py": '"""Numbers."""\n\nBONUS = 3\n',
    "deep.py": '''
"""What the rules stand on."""
from lens_env.core.kernel import kernel


@kernel
def twice(x):
    """Two times x."""
    return 2 * x
''',
    "rules.py": '''
"""The rules."""
from lens_env.core.kernel import kernel

from . import deep
from .constants import BONUS


@kernel
def score(x):
    # twice and something
    return deep.twice(x) + BONUS
''',
    "loops.py": '''
"""A loop over the names of a rules module."""


def run(values):
    total = 0
    for i in range(values.shape[0]):
        total += score(values[i])
    return total
''',
    "unused.py": "X = 1\n",
}

DRIVER = """
import json, os, pathlib
import numpy as np
from lens_env.core import kernel
from toy import loops, rules

heard = []
kernel.on_compile(heard.append)
loop = kernel.specialise(loops.run, rules, "toy", os.environ["TOY_ENTRIES"].split())
result = int(loop(np.arange(4)))
files = sorted(path.name for path in pathlib.Path(os.environ["NUMBA_CACHE_DIR"]).rglob("*.nb?"))
print(json.dumps({"result": result, "heard": heard, "files": files}))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """The folder of a small package of rules."""
    folder = tmp_path / "toy"
    folder.mkdir()
    for name, text in TOY.items():
        (folder / name).write_text(text)
    (tmp_path / "driver.py").write_text(DRIVER)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Replace a piece of a file that occurs once."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


# --- kernels -----------------------------------------------------------------------------------------------


@kernel.kernel
def add(a: int, b: int) -> int:
    """The sum."""
    return a + b


@hot
def add_twice(a: int, b: int) -> int:
    """A kernel that calls a kernel."""
    return add(add(a, b), b)


@pytest.mark.kernel
def test_a_kernel_runs_from_python_and_compiled() -> None:
    assert add(2, 3) == direct(add)(2, 3) == 5
    assert add_twice(2, 3) == direct(add_twice)(2, 3) == 8


@pytest.mark.kernel
def test_direct_compiles_once() -> None:
    assert direct(add) is direct(add)
    assert (direct(add) is add) == INTERPRETED


@pytest.mark.kernel
def test_the_mode_follows_the_environment() -> None:
    assert os.environ.get("NUMBA_DISABLE_JIT", "0") == str(int(INTERPRETED))
    assert os.environ.get("NUMBA_BOUNDSCHECK", "0") == str(int(kernel.BOUNDS_CHECKED))


@pytest.mark.kernel
@pytest.mark.skipif(not kernel.BOUNDS_CHECKED, reason="compiled kernels do not check indices otherwise")
def test_indices_are_checked() -> None:
    with pytest.raises(IndexError):
        direct(_third)(np.zeros(2, np.int64))


@kernel.kernel
def _third(values: Any) -> int:
    return int(values[2])


# --- the digest --------------------------------------------------------------------------------------------


@pytest.fixture
def digest(toy: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that takes the digest of the package as its files are now."""
    monkeypatch.syspath_prepend(toy.parent)
    modules = [importlib.import_module(f"toy.{name}") for name in ("loops", "rules", "unused")]
    # not through the cache, which holds for the life of a process
    yield lambda: kernel.source_digest.__wrapped__(*(module.__name__ for module in modules[:2]))
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy"]:
        del sys.modules[name]


RULES = "lens_env.rulesets.the_lens.rules"
EDITS = [
    ("deep.py", "2 * x", "3 * x", True),  # imported as a module
    ("constants.py", "BONUS = 3", "BONUS = 4", True),  # a constant imported by name
    ("rules.py", "+ BONUS", "- BONUS", True),
    ("loops.py", "total = 0", "total = 1", True),
    ("__init__.py", "", "X = 1", True),
    ("deep.py", '"""Two times x."""', '"""The double of x."""', False),
    ("deep.py", '    """Two times x."""\n', "", False),
    ("constants.py", '"""Numbers."""', '"""Numbers of the game."""', False),
    ("rules.py", "# twice and something", "# as the rulebook says", False),
    ("rules.py", "\n\n\n@kernel", "\n\n\n\n@kernel", False),
    ("unused.py", "X = 1", "X = 2", False),  # in the package, but not imported by the rules
]


@pytest.mark.parametrize(("name", "old", "new", "matters"), EDITS)
def test_what_the_digest_covers(
    toy: Path, digest: Callable[[], str], name: str, old: str, new: str, matters: bool
) -> None:
    before = digest()
    assert digest() == before
    edit(toy / name, old, new)
    assert (digest() != before) == matters


def test_only_the_digest_of_caches_holds_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    importlib.import_module(RULES)

    def digests() -> tuple[str, str]:
        return kernel.source_digest.__wrapped__(RULES), kernel.code_digest.__wrapped__(RULES)

    before = digests()
    monkeypatch.setattr("numba.__version__", "9.9.9")
    assert digests()[0] != before[0]
    assert digests()[1] == before[1]


def test_the_digest_reaches_the_core(digest: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    # rules outside of lens_env, bound to a template inside: both packages are followed
    read: list[str] = []
    source_of = kernel._source_of

    def noting(name: str) -> str:
        read.append(name)
        return source_of(name)

    monkeypatch.setattr(kernel, "_source_of", noting)
    importlib.import_module("lens_env.core.loops")
    kernel.source_digest.__wrapped__("lens_env.core.loops", "toy.rules")
    assert {"toy.deep", "toy.constants", "lens_env.core.loops", "lens_env.core.philox"} <= set(read)
    assert not [name for name in read if name.partition(".")[0] not in ("toy", "lens_env")]


@pytest.mark.parametrize("rules", [f"lens_env.rulesets.{name}.rules" for name in ("the_lens", "lamashtu", "norova")])
def test_the_digest_does_not_depend_on_what_else_is_imported(rules: str) -> None:
    script = f"""
import importlib, sys
from lens_env.core import kernel
for name in sys.argv[1:]:
    importlib.import_module(name)
importlib.import_module("lens_env.core.loops")
importlib.import_module("{rules}")
print(kernel.source_digest("lens_env.core.loops", "{rules}"))
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", script, *names], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
        for names in ([], ["lens_env.play.game", "lens_env.rulesets.the_lens", "lens_env.rulesets.lamashtu"])
    }
    assert len(found) == 1


# --- the cache ---------------------------------------------------------------------------------------------


def drive(toy: Path, entries: str = "", **environment: str) -> dict[str, Any]:
    """Run the loop in a new process: its result, which titles were compiled, and the files of the cache."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    kept |= {"NUMBA_CACHE_DIR": str(toy.parent / "cache"), "PYTHONPATH": os.pathsep.join([str(ROOT), str(toy.parent)])}
    done = subprocess.run(
        [sys.executable, "-W", "error", toy.parent / "driver.py"],
        env=kept | {"TOY_ENTRIES": entries} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("entries", ["", "score"])
def test_the_cache_serves_other_processes_and_never_old_rules(toy: Path, entries: str) -> None:
    first = drive(toy, entries)
    assert first["result"] == sum(2 * x + 3 for x in range(4))
    assert first["heard"] == ["toy: run"]
    # one build for the loop and one for each kernel that loops share
    assert [Path(name).suffix for name in first["files"]] == [".nbc", ".nbi"] * (2 if entries else 1)

    edit(toy / "deep.py", '"""Two times x."""', '"""The double."""')
    again = drive(toy, entries)
    assert again == {**first, "heard": []}

    checked = drive(toy, entries, NUMBA_BOUNDSCHECK="1")  # another build beside the first
    assert checked["heard"] == ["toy: run"]
    assert set(first["files"]) < set(checked["files"])

    edit(toy / "deep.py", "2 * x", "5 * x")
    edited = drive(toy, entries)
    assert edited["result"] == sum(5 * x + 3 for x in range(4))
    assert edited["heard"] == ["toy: run"]
    assert not set(first["files"]) & set(edited["files"])
    assert len(edited["files"]) == len(checked["files"])  # the checked build is left alone


def test_interpreted_loops_give_the_same_and_leave_no_files(toy: Path) -> None:
    assert drive(toy, NUMBA_DISABLE_JIT="1") == {"result": sum(2 * x + 3 for x in range(4)), "heard": [], "files": []}


def test_only_older_builds_of_the_same_loop_are_deleted(tmp_path: Path) -> None:
    kept = [
        "loops.play__toy__new-9.py311.nbi",
        "loops.random_play__toy__old-9.py311.nbi",
        "loops.play__toy2__old-9.py311.nbi",
        "loops.play__toy_checked__old-9.py311.1.nbc",
        "loops.playing-9.py311.nbi",
    ]
    old = ["loops.play__toy__old-9.py311.nbi", "loops.play__toy__old-9.py311.1.nbc"]
    for name in kept + old:
        (tmp_path / name).touch()
    kernel._delete_stale(tmp_path, "play__toy__new")
    assert {path.name for path in tmp_path.iterdir()} == set(kept)


@pytest.mark.kernel
def test_the_names_of_the_rules_come_before_those_of_the_template(toy: Path, digest: Any) -> None:
    loops, rules = sys.modules["toy.loops"], sys.modules["toy.rules"]
    loops.score = None  # type: ignore[attr-defined]
    loop = specialise(loops.run, rules, "names")
    assert loop.title == "names: run"
    assert loop(np.arange(4)) == 24
