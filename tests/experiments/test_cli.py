from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from experiments.cli import app

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


def in_a_process(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "experiments.cli", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=200,
    )


def environment() -> dict[str, str]:
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, reversed(paths)))}


def refused(*arguments: str) -> str:
    """The message of a command that must fail with exit code 1 and nothing else."""
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert "Traceback" not in result.stderr
    return result.stderr


def test_list_names_everything() -> None:
    result = run("list")
    assert result.exit_code == 0
    for name in ("the_lens/ogre_at_the_ford", "lamashtu/duel", "always_block", "aggressive", "The Lens", "first_look"):
        assert name in result.stdout


def test_validate_says_who_fights(folder: Path) -> None:
    result = run("validate", "duel.yaml")
    assert result.exit_code == 0
    assert "fine: Short duel (The Lens)" in result.stdout
    assert "party: Kara; foes: Ogre" in result.stdout


def test_validate_prints_warnings(folder: Path) -> None:
    text = (folder / "duel.yaml").read_text(encoding="utf-8").replace("defense: 4", "defense: 14")
    (folder / "duel.yaml").write_text(text, encoding="utf-8")
    result = run("validate", "duel.yaml")
    assert result.exit_code == 0
    assert "Warning: " in result.stdout and "BOTCH" in result.stdout


def test_watch_tells_the_same_every_time(folder: Path) -> None:
    one, two = (run("watch", "duel.yaml", "--party", "always_block", "--foes", "random", "--seed", "7") for _ in "ab")
    assert one.exit_code == 0
    assert one.stdout == two.stdout
    assert "Kara attacks Ogre" in one.stdout
    assert run("watch", "duel.yaml", "--seed", "8").stdout != one.stdout


def test_watch_depends_on_no_terminal_and_no_process(folder: Path) -> None:
    here = run("watch", "duel.yaml", "--seed", "7").stdout
    there = in_a_process("watch", "duel.yaml", "--seed", "7")
    assert there.returncode == 0, there.stderr
    assert there.stdout == here


def test_a_watched_skirmish_is_saved_and_told_again(folder: Path) -> None:
    watched = run("watch", "duel.yaml", "--seed", "7", "--save-replay", "it.jsonl")
    assert watched.exit_code == 0
    again = run("replay", "it.jsonl")
    assert again.exit_code == 0
    assert "Kara attacks Ogre" in again.stdout
    summary = re.compile(r"^(Round \d+|  \S+ +BODY .*)$", re.MULTILINE)
    told, told_again = (summary.sub("", text).split("\n", 1)[1].split("\n") for text in (watched.stdout, again.stdout))
    assert list(filter(None, told)) == list(filter(None, told_again))


def test_a_cut_replay_is_refused(folder: Path) -> None:
    run("watch", "duel.yaml", "--save-replay", "it.jsonl")
    lines = (folder / "it.jsonl").read_text(encoding="utf-8").splitlines()
    (folder / "it.jsonl").write_text("\n".join(lines[:-1]), encoding="utf-8")
    assert "it.jsonl" in refused("replay", "it.jsonl")


# --- play --------------------------------------------------------------------------------------------------


def shares(text: str) -> list[list[float]]:
    """The percentages under each action that was listed."""
    groups: list[list[float]] = []
    for line in text.splitlines():
        if re.match(r" {0,3}\d+  \S", line):
            groups.append([])
        elif found := re.match(r" {8} *(\d+\.\d) %  ", line):
            groups[-1].append(float(found[1]))
    return groups


def test_play_shows_odds_that_sum_to_a_hundred(folder: Path) -> None:
    result = run("play", "duel.yaml", "--seed", "1", typed="1\n" * 200)
    assert result.exit_code == 0, result.output
    found = shares(result.stdout)
    assert len(found) > 5
    assert all(sum(round(10 * share) for share in group) == 1000 for group in found)


def test_play_understands_numbers_names_and_questions(folder: Path) -> None:
    typed = "?\nnonsense\n0\n99\nbefore\nattack ogre\nq\n"
    result = run("play", "duel.yaml", "--seed", "1", typed=typed)
    assert result.exit_code == 0
    assert "'nonsense' is none of these" in result.stdout
    assert "Kara attacks Ogre" in result.stdout
    assert "You leave the skirmish." in result.stdout


@pytest.mark.parametrize("answer", ["9" * 5000, "x" * 5000])
def test_play_asks_again_after_an_endless_answer(folder: Path, answer: str) -> None:
    result = run("play", "duel.yaml", "--seed", "1", typed=f"{answer}\nq\n")
    assert result.exit_code == 0, result.output
    assert f"'{answer[:60]}' is none of these" in result.stdout


def test_play_asks_again_after_bytes_that_are_no_text(folder: Path) -> None:
    result = CliRunner().invoke(app, ["play", "duel.yaml", "--seed", "1"], input=b"\xff\xfe\nq\n")
    assert result.exit_code == 0, result.output
    assert "is none of these" in result.stdout
    assert "You leave the skirmish." in result.stdout


def test_play_ends_cleanly_where_the_input_ends(folder: Path) -> None:
    result = run("play", "duel.yaml", "--side", "foes", "--against", "random")
    assert result.exit_code == 0
    assert "you are the foes, against random" in result.stdout
    assert "You leave the skirmish." in result.stdout


# --- study -------------------------------------------------------------------------------------------------


def test_study_shows_a_table_and_writes_its_files(folder: Path) -> None:
    result = run("study", "small.yaml", "--jobs", "1", "--skirmishes", "20")
    assert result.exit_code == 0, result.output
    assert "always_block" in result.stdout and "never_defend" in result.stdout
    assert "Small: 20 skirmishes a cell" in result.stdout
    assert (folder / "results" / "small" / "results.csv").is_file()
    again = run("study", "small.yaml", "--jobs", "1", "--skirmishes", "20")
    assert "4 of 4 cells were there already" in again.stderr
    assert again.stdout == result.stdout


@pytest.mark.parametrize("seconds", [0, 0.3, 2])
def test_study_ends_cleanly_on_ctrl_c(folder: Path, seconds: float) -> None:
    """While it compiles, while its workers begin, while they play."""
    study = (folder / "small.yaml").read_text(encoding="utf-8").replace("skirmishes: 40", "skirmishes: 900000")
    (folder / "small.yaml").write_text(study, encoding="utf-8")
    command = [sys.executable, "-m", "experiments.cli", "study", "small.yaml", "--jobs", "2", "--out", "out"]
    process = subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None and process.stderr.readline().startswith("4 cells, at most 2 at a time")
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "Interrupted." in error and "Traceback" not in error
    assert out == ""
    assert not (folder / "out" / "results.csv").exists()


# --- wrong input -------------------------------------------------------------------------------------------


def test_an_unknown_encounter_is_refused() -> None:
    assert "did you mean the_lens/ogre_at_the_ford" in refused("watch", "the_lens/ogre_at_the_fort")


def test_an_unknown_agent_is_refused(folder: Path) -> None:
    assert "did you mean 'random'?" in refused("watch", "duel.yaml", "--party", "randon")
    assert "unknown action 'BLOK'" in refused("watch", "duel.yaml", "--party", "prefer:BLOK")


def test_a_missing_file_is_refused(folder: Path) -> None:
    assert "no such file" in refused("validate", "nowhere.yaml")
    assert "nowhere.jsonl" in refused("replay", "nowhere.jsonl")
    assert "no such file" in refused("study", "nowhere.yaml")


def test_a_yaml_error_is_refused_with_its_place(folder: Path) -> None:
    (folder / "bad.yaml").write_text("ruleset: [the_lens\nname: x\n", encoding="utf-8")
    assert re.search(r"bad\.yaml:\d+:\d+: not valid YAML", refused("validate", "bad.yaml"))
    assert re.search(r"bad\.yaml:\d+:\d+: not valid YAML", refused("study", "bad.yaml"))


def test_zero_skirmishes_are_refused_and_nothing_is_written(folder: Path, changed: Callable[[str, str], Path]) -> None:
    before = sorted(path.name for path in folder.iterdir())
    result = run("study", "small.yaml", "--skirmishes", "0")
    assert result.exit_code == 2
    assert "--skirmishes" in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == before
    assert "skirmishes: must be at least 1" in refused("study", str(changed("skirmishes: 40", "skirmishes: 0")))


def test_a_folder_that_cannot_be_written_is_refused(folder: Path) -> None:
    (folder / "out").write_text("a file", encoding="utf-8")
    arguments = ("study", "small.yaml", "--jobs", "1", "--skirmishes", "1", "--out", "out")
    assert refused(*arguments) == "Error: out/results.csv: cannot be written: File exists\n"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("duel.yaml/it.jsonl", "cannot be written: "),
        (".", "is a folder"),
        ("x" * 300, "cannot be written: File name too long"),
    ],
)
def test_a_replay_that_could_not_be_saved_is_refused_before_the_skirmish(folder: Path, path: str, why: str) -> None:
    before = sorted(folder.iterdir())
    for command in ("watch", "play"):
        assert refused(command, "duel.yaml", "--save-replay", path).startswith(f"Error: {path}: {why}")
    assert refused("bench", "--quick", "--json", path).startswith(f"Error: {path}: {why}")
    assert sorted(folder.iterdir()) == before


def test_what_is_no_replay_is_refused_in_one_line(folder: Path) -> None:
    assert refused("replay", "duel.yaml") == "Error: duel.yaml:1: is no lens_env replay\n"
    assert refused("replay", "/nonexist") == "Error: /nonexist: cannot be read: No such file or directory\n"
    assert refused("study", str(folder)) == f"Error: {folder}: is a folder, not a study file\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("watch",),
        ("dance",),
        ("watch", "duel.yaml", "--seed", "-1"),
        ("play", "duel.yaml", "--side", "north"),
        ("study", "small.yaml", "--jobs", "0"),
    ],
)
def test_wrong_usage_has_its_own_exit_code(arguments: tuple[str, ...], folder: Path) -> None:
    assert run(*arguments).exit_code == 2
