"""Every encounter behaves as its golden files say; a ruleset without them fails."""

from __future__ import annotations

import json

import pytest

from lens_env import RULESETS
from tests.golden.make import HOME, encounters, leaves, playthrough

NAMES = [name for ruleset in RULESETS for name in encounters(ruleset)]


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_every_ruleset_has_golden_files(ruleset: str) -> None:
    counts = json.loads((HOME / ruleset / "leaves.json").read_text())
    assert sorted(counts) == encounters(ruleset) and counts


@pytest.mark.parametrize("name", NAMES)
def test_leaf_counts(name: str) -> None:
    ruleset = name.partition("/")[0]
    assert leaves(name) == json.loads((HOME / ruleset / "leaves.json").read_text())[name]


@pytest.mark.parametrize("name", NAMES)
def test_playthrough(name: str) -> None:
    assert playthrough(name) == (HOME / f"{name}.txt").read_text()
