from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from experiments import tournament
from experiments.results import result_of, to_csv, to_json, wilson, write_results
from experiments.settings import Cell, Study, list_studies, load_study
from experiments.show import console, show_study
from experiments.tournament import Tally, cell_key, play_cell, play_cells, read_tally
from lens_env.errors import EncounterError
from lens_env.play.engine import Batch


def quiet(cell: Cell, found: bool) -> None:
    """Nobody watches."""


def played(study: Study, folder: Path, jobs: int = 1, fresh: bool = False) -> list[Tally]:
    return play_cells(study.cells, jobs, folder / "cells", fresh, quiet)


# --- settings ----------------------------------------------------------------------------------------------


def test_a_study_is_every_combination(folder: Path) -> None:
    study = load_study("small.yaml")
    assert [(cell.place, cell.foes.label, cell.party.label) for cell in study.cells] == [
        ("duel.yaml", "aggressive", "always_block"),
        ("duel.yaml", "aggressive", "never_defend"),
        ("duel.yaml", "random", "always_block"),
        ("duel.yaml", "random", "never_defend"),
    ]
    assert {cell.seed for cell in study.cells} == {3}


def test_every_study_that_comes_with_it_is_valid() -> None:
    assert "first_look" in list_studies()
    for name in list_studies():
        assert load_study(name).cells


def test_a_grid_gives_an_encounter_for_each_variant(folder: Path) -> None:
    text = (folder / "duel.yaml").read_text(encoding="utf-8") + "vary: {foes.0.body: [10, 20]}\n"
    (folder / "duel.yaml").write_text(text, encoding="utf-8")
    places = [place for place, _ in load_study("small.yaml").encounters]
    assert places == ["duel.yaml (foes.0.body=10)", "duel.yaml (foes.0.body=20)"]


def test_policies_may_have_settings_and_labels(changed: Callable[[str, str], Path]) -> None:
    entry = "{agent: prefer, label: shield, preferences: [BLOCK, ATTACK], reserve: 1}"
    study = load_study(changed("never_defend]", f"{entry}, 'prefer:PARRY']"))
    assert [policy.label for policy in study.party] == ["always_block", "shield", "prefer:PARRY"]
    assert study.party[1].modules == ("agents.scripted.prefer",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("skirmishes: 40", "skirmishes: 0", r"changed.yaml:3:13: skirmishes: must be at least 1"),
        ("skirmishes: 40", "skirmishes: many", r"changed.yaml:3:13: skirmishes: .*whole number"),
        ("skirmishes: 40", "skirmish: 40", r"changed.yaml:3:1: skirmish: .*did you mean skirmishes"),
        ("seed: 3", "seed: -1", r"changed.yaml:2:7: seed: must be at least 0"),
        ("duel.yaml", "dual.yaml", r"changed.yaml:4:14: encounters.0: dual.yaml: no such file"),
        ("[duel.yaml]", "[]", r"changed.yaml:4:13: encounters: .*at least 1"),
        ("[duel.yaml]", "[duel.yaml, duel.yaml]", r"encounters.1: 'duel.yaml' stands here twice; name each enc"),
        (
            "always_block",
            "alway_block",
            r"changed.yaml:5:9: party.0: unknown agent 'alway_block', did you mean 'always_",
        ),
        ("random]", "random, random]", r"changed.yaml:6:28: foes.2: 'random' stands here twice; give one of them"),
        ("random]", '{agent: random, label: "\\e[1m"}]', r"foes.1: label: must be a text that can be printed"),
        ("always_block", "prefer:BLOK", r"party.0: agent prefer:BLOK: unknown action 'BLOK', did you mean 'BLOCK'\?"),
        ("always_block", "{agent: prefer}", r"party.0: agent 'prefer': its settings do not fit"),
        ("always_block", "{agent: 7}", r"party.0: an agent is a name or a mapping with the key 'agent'"),
        ("seed: 3", "seed: [3", r"changed.yaml:\d+:\d+: not valid YAML"),
        ("name: Small\n", "", r"name: is missing"),
    ],
)
def test_a_wrong_study_is_refused_with_its_place(
    old: str, new: str, message: str, changed: Callable[[str, str], Path]
) -> None:
    with pytest.raises(EncounterError, match=message):
        load_study(changed(old, new))


def test_a_folder_is_no_study(folder: Path) -> None:
    with pytest.raises(EncounterError, match=r"results: is a folder, not a study file$"):
        (folder / "results").mkdir()
        load_study("results")


def test_an_unknown_study_is_refused(folder: Path) -> None:
    with pytest.raises(EncounterError, match=r"nothing: no such file, and no study of this name; known: .*first_look"):
        load_study("nothing")


# --- playing -----------------------------------------------------------------------------------------------


def test_every_skirmish_is_counted_once(folder: Path) -> None:
    tally = play_cell(load_study("small.yaml").cells[0])
    assert tally.skirmishes == tally.wins + tally.losses + tally.undecided == 40
    assert tally.full == 14
    assert 0 < tally.health < 14 * 40
    assert tally.defenses is not None and set(tally.defenses) == {
        "NONE",
        "ABJURE",
        "MITIGATE",
        "BLOCK",
        "DODGE",
        "PARRY",
    }
    assert tally.defenses["BLOCK"] > 0 == tally.defenses["ABJURE"]
    assert 1 < tally.trajectories <= 40


def test_the_size_of_the_batches_changes_nothing(folder: Path) -> None:
    for cell in load_study("small.yaml").cells:
        assert play_cell(cell, chunk=7) == play_cell(cell)


def trails_of(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The trails of all skirmishes of a cell."""
    found: list[int] = []
    finished = tournament._Watch.finished

    def noting(watch: Any, batch: Batch) -> None:
        found.extend(batch.trails.tolist())
        finished(watch, batch)

    with monkeypatch.context() as patch:
        patch.setattr(tournament._Watch, "finished", noting)
        play_cell(cell)
    return found


def test_skirmishes_are_paired(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ones of a longer cell are those of a shorter: skirmish i has the environment number i."""
    short, long = (load_study("small.yaml", {"skirmishes": count}).cells[0] for count in (20, 40))
    first, whole = trails_of(short, monkeypatch), trails_of(long, monkeypatch)
    assert len(first) == 20 and len(whole) == 40
    assert set(first) < set(whole)
    assert len(set(whole)) > 30


def test_another_seed_is_another_study(folder: Path) -> None:
    one, two = (play_cell(load_study("small.yaml", {"seed": seed}).cells[2]) for seed in (3, 4))
    assert one != two


def test_the_number_of_processes_changes_nothing(folder: Path) -> None:
    study = load_study("small.yaml")
    assert played(study, folder / "one", jobs=1) == played(study, folder / "two", jobs=2)


def test_an_interrupted_study_goes_on_where_it_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = load_study("small.yaml")
    calls: list[str] = []

    def interrupted(cell: Cell) -> Tally:
        if len(calls) == 2:
            raise KeyboardInterrupt
        calls.append(cell.party.label)
        return play_cell(cell)

    monkeypatch.setattr(tournament, "play_cell", interrupted)
    with pytest.raises(KeyboardInterrupt):
        played(study, folder)
    assert len(list((folder / "cells").iterdir())) == 2

    def again(cell: Cell) -> Tally:
        calls.append("again")
        return play_cell(cell)

    monkeypatch.setattr(tournament, "play_cell", again)
    whole = played(study, folder)
    assert calls[2:] == ["again", "again"]
    assert whole == [play_cell(cell) for cell in study.cells]
    assert played(study, folder, fresh=True) == whole
    assert len(calls) == 8


def test_a_damaged_stored_cell_is_played_again(folder: Path) -> None:
    study = load_study("small.yaml")
    first = played(study, folder)
    for cell in study.cells:
        path = folder / "cells" / f"{cell_key(cell)}.json"
        path.write_text('{"skirmishes": 4', encoding="utf-8")
        assert read_tally(path, cell) is None
    assert played(study, folder) == first


@pytest.mark.parametrize(
    "wrong",
    [
        {"wins": 41}, {"wins": True}, {"wins": "9"}, {"wins": -1, "losses": 41, "undecided": 0}, {"skirmishes": 41},
        {"skirmishes": 20, "wins": 20, "losses": 0, "undecided": 0}, {"trajectories": 0}, {"trajectories": 41},
        {"health": -1.0}, {"health": 1e9}, {"health": None}, {"full": 0.0}, {"full": float("nan")}, {"rounds": 1.5},
        {"defenses": None}, {"defenses": {}}, {"defenses": {"BLOCK": 3}}, {"luck": 1}, {"rounds": None},
    ],
)  # fmt: skip
def test_a_stored_cell_that_cannot_be_is_played_again(folder: Path, wrong: dict[str, Any]) -> None:
    cell = load_study("small.yaml").cells[0]
    defenses = dict.fromkeys(cell.encounter.ruleset.defenses, 3)
    good: dict[str, Any] = {
        **{"skirmishes": 40, "wins": 10, "losses": 25, "undecided": 5, "rounds": 99, "health": 100.0, "full": 14.0},
        **{"decisions": 900, "trajectories": 40, "defenses": defenses},
    }
    path = folder / "cell.json"
    path.write_text(json.dumps(good), encoding="utf-8")
    assert read_tally(path, cell) == Tally(**good)
    path.write_text(json.dumps(good | wrong), encoding="utf-8")
    assert read_tally(path, cell) is None
    for name in good:
        path.write_text(json.dumps({key: value for key, value in good.items() if key != name}), encoding="utf-8")
        assert read_tally(path, cell) is None
    path.write_text(json.dumps(good | {"defenses": dict(reversed(defenses.items()))}), encoding="utf-8")
    assert read_tally(path, cell) is None  # another order of the columns


def test_a_cell_is_known_by_all_that_matters(folder: Path, changed: Callable[[str, str], Path]) -> None:
    keys = {cell_key(cell) for cell in load_study("small.yaml").cells}
    keys |= {cell_key(cell) for cell in load_study(changed("seed: 3", "seed: 4")).cells}
    keys |= {cell_key(cell) for cell in load_study(changed("skirmishes: 40", "skirmishes: 41")).cells}
    text = (folder / "duel.yaml").read_text(encoding="utf-8").replace("body: 18", "body: 19")
    (folder / "duel.yaml").write_text(text, encoding="utf-8")
    keys |= {cell_key(cell) for cell in load_study("small.yaml").cells}
    assert len(keys) == 16


# --- results -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # Newcombe, Statistics in Medicine 17 (1998), p. 861, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(successes: int, trials: int, low: float, high: float) -> None:
    rate = wilson(successes, trials)
    assert rate.share == successes / trials
    assert rate.low == pytest.approx(low, abs=5e-5)
    assert rate.high == pytest.approx(high, abs=5e-5)


def test_results_are_written_whole_with_their_origin(folder: Path) -> None:
    study = load_study("small.yaml")
    results = [result_of(cell, tally) for cell, tally in zip(study.cells, played(study, folder), strict=True)]
    table, data = write_results(study, results, folder / "out")
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["party"] for row in rows] == ["always_block", "never_defend"] * 2
    for row in rows:
        assert float(row["win"]) + float(row["loss"]) + float(row["undecided"]) == pytest.approx(1, abs=2e-6)
        assert float(row["win_low"]) <= float(row["win"]) <= float(row["win_high"])
        assert sum(float(row[f"use_{name}"]) for name in ("NONE", "BLOCK", "DODGE", "PARRY", "MITIGATE", "ABJURE")) in (
            pytest.approx(1, abs=1e-5),
            0,
        )
        assert row["seed"] == "3" and row["ruleset_digest"] and row["encounter_digest"]
    origin = json.loads(data.read_text(encoding="utf-8"))
    assert set(origin["versions"]) == {"lens_env", "python", "numpy", "numba"}
    assert origin["seed"] == 3
    assert origin["encounters"]["duel.yaml"] == study.encounters[0][1].digest
    assert len(origin["results"]) == 4
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["results.csv", "results.json"]


def test_the_files_are_the_same_every_time(folder: Path) -> None:
    study = load_study("small.yaml")
    texts = []
    for jobs in (1, 2):
        tallies = played(study, folder / str(jobs), jobs)
        results = [result_of(cell, tally) for cell, tally in zip(study.cells, tallies, strict=True)]
        texts.append(to_csv(study, results) + to_json(study, results))
    assert texts[0] == texts[1]


# --- tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["x[/b]", "[first]", ":smile:", "[red]"])
def test_labels_stand_in_the_tables_as_they_are(
    changed: Callable[[str, str], Path], folder: Path, capsys: pytest.CaptureFixture[str], label: str
) -> None:
    study = load_study(changed("random]", f'{{agent: random, label: "{label}"}}]'), {"skirmishes": 2})
    tallies = [play_cell(cell) for cell in study.cells]
    results = [result_of(cell, tally) for cell, tally in zip(study.cells, tallies, strict=True)]
    swapped = [replace(result, party=f"[b]{label}", encounter=f"duel {label}") for result in results]
    show_study(console(), swapped, f"About {label}")
    shown = capsys.readouterr().out
    assert f"About {label}" in shown
    assert f"duel {label}, foes: {label}" in shown
    assert f"[b]{label}" in shown
