"""The same seed is the same skirmish: compiled, interpreted, bounds-checked, in another process, amid noise.

These are tests of kernels, so they run in each of the three ways and compare it with the compiled one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.trails import trails

pytestmark = pytest.mark.kernel

ROOT = Path(__file__).resolve().parents[2]


def compiled_elsewhere(*arguments: str) -> Any:
    """The trails as a process without checks of indices finds them; warnings (an overflow, say) are errors there."""
    names = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    inherited = {name: value for name, value in os.environ.items() if name not in names}
    command = [sys.executable, "-W", "error", "-m", "tests.trails", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=inherited, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here() -> dict[str, list[int | str]]:
    """The trails of this process."""
    return trails()


def test_the_trails_differ_from_each_other(here: dict[str, list[int | str]]) -> None:
    assert len({str(trail) for trail in here.values()}) == len(here)


def test_the_same_seeds_in_another_process_amid_foreign_random_numbers(here: dict[str, list[int | str]]) -> None:
    assert compiled_elsewhere("--noise") == here


def test_foreign_random_numbers_in_this_process_change_nothing(here: dict[str, list[int | str]]) -> None:
    assert trails(noise=True) == here
