"""The same seed is the same skirmish: compiled, interpreted, bounds-checked, in another process, amid noise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.rulesets.the_lens.trails import trails

ROOT = Path(__file__).resolve().parents[3]


def elsewhere(*arguments: str, **environment: str) -> Any:
    """The trails as another process finds them; warnings (an overflow, say) are errors there."""
    names = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    inherited = {name: value for name, value in os.environ.items() if name not in names}
    command = [sys.executable, "-W", "error", "-m", "tests.rulesets.the_lens.trails", *arguments]
    done = subprocess.run(command, cwd=ROOT, env={**inherited, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here() -> dict[str, list[int | str]]:
    """The trails of this process."""
    return trails()


def test_the_trails_differ_from_each_other(here: dict[str, list[int | str]]) -> None:
    assert len({str(trail) for trail in here.values()}) == len(here)


def test_the_same_seeds_interpreted(here: dict[str, list[int | str]]) -> None:
    assert elsewhere(NUMBA_DISABLE_JIT="1") == here


def test_the_same_seeds_bounds_checked(here: dict[str, list[int | str]]) -> None:
    assert elsewhere(NUMBA_BOUNDSCHECK="1") == here


def test_the_same_seeds_in_another_process_amid_foreign_random_numbers(here: dict[str, list[int | str]]) -> None:
    assert elsewhere("--noise") == here


def test_foreign_random_numbers_in_this_process_change_nothing(here: dict[str, list[int | str]]) -> None:
    assert trails(noise=True) == here
