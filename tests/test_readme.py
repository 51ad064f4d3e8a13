"""What the README shows works as shown."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lens_env import Encounter

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def commands() -> list[str]:
    lines = [line.partition("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    return [line.removeprefix(".venv/bin/lens-env ") for line in lines if line.startswith(".venv/bin/lens-env ")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place to run in, so that what the commands write does not land in the source tree."""
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "configs", place / "configs")
    return place


def run(folder: Path, *command: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, input="", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", commands())
def test_command(folder: Path, command: str) -> None:
    assert run(folder, "-m", "experiments.cli", *shlex.split(command)).strip()


def test_there_are_commands_to_test() -> None:
    wanted = {"list", "watch", "play", "validate", "study", "replay", "solve", "agents", "evaluate"}
    assert wanted <= {line.split()[0] for line in commands()}


@pytest.mark.parametrize("place", range(len(blocks("python"))))
def test_python(folder: Path, place: int) -> None:
    run(folder, "-c", blocks("python")[place])


@pytest.mark.parametrize("place", range(len(blocks("yaml"))))
def test_encounter(place: int) -> None:
    assert Encounter.from_text(blocks("yaml")[place], "README.md").built.warnings == ()


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", "\n".join(blocks("sh")), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
