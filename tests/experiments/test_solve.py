"""The command ``lens-env solve``: what it finds, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from experiments.cli import app
from experiments.show_solution import points, verdict
from lens_env import load_encounter
from lens_env.exact import Choice, StateGraph

MAGE = "norova/mage_duel"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["solve", *arguments])


def refused(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert "Traceback" not in result.stderr
    return result.stderr


def test_it_tells_value_worths_choices_and_rules(folder: Path) -> None:
    result = run(MAGE, "--json", "found.json")
    assert result.exit_code == 0, result.output
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    assert f"Value for the party: {found['value']:.6f}" in result.stdout
    assert f"{found['states']:,} states, {found['actions']:,} actions, {found['outcomes']:,} outcomes" in result.stdout
    assert found["party_wins"] + found["undecided"] + found["foes_win"] == pytest.approx(1, abs=1e-9)
    assert found["value"] == pytest.approx(found["party_wins"] + found["undecided"] / 2, abs=1e-9)
    for worth in found["worths"]:
        assert points(worth["gain"]) in result.stdout
    for rule in found["rules"]:
        for sentence in rule["sentences"]:
            assert f"  {sentence}\n" in result.stdout
    assert {"worths", "choices", "rules", "digest", "question"} <= set(found)
    costs = [rule["cost"] for rule in found["rules"] if rule["side"] == "party"]
    assert costs == sorted(costs, reverse=True)


def test_against_an_agent_it_says_what_the_agent_gives_away() -> None:
    result = run(MAGE, "--against", "random", "--side", "foes", "--objective", "harm")
    assert result.exit_code == 0, result.output
    assert "If the party play random, the foes the best response" in result.stdout
    assert "random as the party gives away" in result.stdout
    assert "points of health" in result.stdout


def test_what_is_forbidden_is_gone() -> None:
    result = run(MAGE, "--forbid", "party:EVADE", "--forbid", "foes:EVADE")
    assert result.exit_code == 0, result.output
    assert "forbidden: party:EVADE" in result.stdout
    worths = result.stdout.partition("Worth of the defences")[2]
    assert "EVADE" not in worths


def test_the_graph_is_kept_and_taken_from_the_file(folder: Path) -> None:
    first, second = run(MAGE, "--save", "graph.npz"), run(MAGE, "--save", "graph.npz")
    assert first.exit_code == second.exit_code == 0
    assert "built in" in first.stdout
    assert "from the file" in second.stdout
    assert len(StateGraph.load(folder / "graph.npz", load_encounter(MAGE))) > 0
    assert "the graph of another encounter" in refused("norova/duel", "--save", "graph.npz")
    watched = CliRunner().invoke(app, ["watch", MAGE, "--party", "exact:graph.npz"])
    assert watched.exit_code == 0, watched.output


def test_it_is_exported_for_others(folder: Path) -> None:
    result = run(MAGE, "--export", "npz", "--out", "here")
    assert result.exit_code == 0, result.output
    with np.load(folder / "here" / "solution.npz") as file:
        assert {"first_action", "targets", "chances", "values", "action_names"} <= set(file)
    bob = run("norova/bob", "--export", "drn")
    assert bob.exit_code == 0, bob.output
    for side in ("party", "foes"):
        assert (folder / "results" / "norova_bob" / f"{side}_decides.drn").read_text().startswith("@type: MDP")
    one = run("norova/bob", "--export", "drn", "--against", "random", "--out", "one")
    assert one.exit_code == 0, one.output
    assert [path.name for path in (folder / "one").iterdir()] == ["party_decides.drn"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("norova/nobody",), "nobody"),
        ((MAGE, "--objective", "fame"), "objective: allowed are win, harm, got 'fame'"),
        ((MAGE, "--side", "both"), "side: allowed are party, foes, got 'both'"),
        ((MAGE, "--against", "nobody"), "unknown agent 'nobody'"),
        ((MAGE, "--against", "prefer:JUMP"), "JUMP"),
        ((MAGE, "--forbid", "EVADE"), "forbid: a side and an action, as in party:DODGE, got 'EVADE'"),
        ((MAGE, "--forbid", "party:JUMP"), "the party has no action 'JUMP' here"),
        ((MAGE, "--export", "pdf"), "export: allowed are drn, npz, got 'pdf'"),
        ((MAGE, "--max-states", "100"), "too large to be solved: 100 states (max_states is 100)"),
        (("the_lens/two_against_two", "--max-states", "20000"), "What varies most: "),
        ((MAGE, "--save", "duel.yaml"), "duel.yaml: this is no saved graph"),
        ((MAGE, "--json", "."), "is a folder"),
        ((MAGE, "--export", "npz", "--out", "duel.yaml"), "duel.yaml"),
    ],
)
def test_wrong_input_is_one_clear_message(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(*arguments)


def test_verdicts() -> None:
    def choice(**changes: object) -> Choice:
        plain = {"offered": 1.0, "optimal": 0.5, "alone": 0.5, "optimal_anywhere": 0.5, "alone_anywhere": 0.5}
        flags = {"dominant": False, "dominated": False, "regret": 0.1}
        return Choice("party", "DODGE", **{**plain, **flags, **changes})  # type: ignore[arg-type]

    assert verdict(choice()) == ""
    assert verdict(choice(dominant=True)) == "dominant: nothing is ever better"
    assert verdict(choice(dominated=True)) == "dominated: something is always as good"
    assert verdict(choice(dominated=True, dominant=True)) == "makes no difference"
    assert verdict(choice(offered=0.0)) == "never met in optimal play"


def test_the_bench_of_exact_solving(folder: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "--exact", "--quick", "--encounter", "norova/bob", "--json", "b.json"])
    assert result.exit_code == 0, result.output
    figures = json.loads((folder / "b.json").read_text(encoding="utf-8"))["figures"]
    assert {figure["unit"] for figure in figures} == {"states/s", "outcomes/s", "bytes/state", "transitions/s", "s"}
    assert all(figure["value"] > 0 for figure in figures)
