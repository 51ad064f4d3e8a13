"""The command line, studies and odds know no ruleset: here they serve Legacy of Lamashtu."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments.cli import app
from experiments.odds import odds
from experiments.settings import load_study
from experiments.tournament import play_cell
from lens_env import Encounter, Game, Scripted, load_encounter

DUEL = "lamashtu/duel"


def run(*arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, list(arguments), input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_watch_tells_it(folder: Path) -> None:
    told = run("watch", "lamashtu/clash_against_dodge", "--party", "always_clash", "--foes", "always_dodge")
    for words in ("Reed attacks Hammer", "Hammer clashes with it", "wins the clash", "Poise", "Round 2."):
        assert words in told


def test_play_shows_the_odds_in_its_own_words(folder: Path) -> None:
    told = run("play", DUEL, "--side", "foes", "--against", "aggressive", typed="1\n" * 200)
    assert "HEALTH" in told and "poise 2 -> 1" in told and "BODY" not in told


def test_the_odds_of_a_defence_are_those_of_its_dice() -> None:
    """4 dice against a target of 1: 33 of 81 hit."""
    game = Game(load_encounter(DUEL), dice=Scripted([])).play("ATTACK Zababa")
    found = odds(game, "NONE")
    assert [(share, text.partition(";")[0]) for share, text in found.lines] == [
        (59.3, "next Ishme: ACT"),
        (40.7, "Zababa -2 HEALTH"),
    ]
    assert dict(found.means)["Zababa"] == pytest.approx(2 * 33 / 81)


def test_validate_warns(folder: Path) -> None:
    assert "Warning: Hammer: block is not above clash" in run("validate", "lamashtu/clash_against_dodge")


STUDY = """\
name: Small
seed: 3
skirmishes: 20
encounters: [lamashtu/duel, lamashtu/failure_hits]
party: [never_defend, poise_miser]
foes: [always_block]
"""


def test_a_study_counts_only_the_defences_of_the_party(folder: Path) -> None:
    (folder / "lamashtu.yaml").write_text(STUDY, encoding="utf-8")
    for cell in load_study("lamashtu.yaml").cells:
        tally = play_cell(cell)
        assert tally.skirmishes == 20 == tally.wins + tally.losses + tally.undecided
        assert tally.defenses is not None
        chosen = {name for name, count in tally.defenses.items() if count}
        if cell.party.label == "never_defend":
            assert chosen == {"NONE"}
        else:
            assert "DODGE" in chosen


def test_a_study_prints_its_table(folder: Path) -> None:
    (folder / "lamashtu.yaml").write_text(STUDY, encoding="utf-8")
    told = run("study", "lamashtu.yaml", "--jobs", "1", "--out", "out")
    assert "lamashtu/failure_hits, foes: always_block" in told and "poise_miser" in told
    assert (folder / "out" / "results.csv").read_text(encoding="utf-8").count("\n") == 5


def test_the_first_study_of_it_comes_along() -> None:
    study = load_study("lamashtu_first_look")
    assert {encounter.ruleset.name for _, encounter in study.encounters} == {"lamashtu"}
    assert len(study.encounters) >= 6


def test_a_grid_varies_its_sheets() -> None:
    data = load_encounter(DUEL).data | {"vary": {"party.0.poise": [1, 2, 3]}}
    poises = [int(one.built.setup[0]["sheets"][0]["poise"]) for _, one in Encounter.from_dict(data).variants()]
    assert poises == [1, 2, 3]
