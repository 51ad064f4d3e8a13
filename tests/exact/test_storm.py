"""Values against those of an independent model checker, Storm, which reads the exported model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents import load_agent
from lens_env import Encounter, load_encounter
from lens_env.exact import Optimum, Policy, best_response, build_graph, policy_of, unrolled, write_arrays, write_drn
from tests.exact.conftest import game_of, graph_of

stormpy = pytest.importorskip("stormpy")

# short enough for a file that Storm reads in a second or two; longer ones: `lens-env bench --exact`
SHORT = [
    *(("the_lens/duel", 2), ("the_lens/duel_without_shield", 3)),
    *(("lamashtu/duel", 1), ("lamashtu/heavy_and_light", 1)),
    *(("norova/duel", 3), ("norova/mage_duel", 4), ("norova/bob", None)),
]


def storms(path: Path, side: str) -> float:
    """The optimal probability of a victory of the party, for the side that decides."""
    model = stormpy.build_model_from_drn(str(path))
    best = "max" if side == "party" else "min"
    (formula,) = stormpy.parse_properties(f'P{best}=? [F "won"]')
    environment = stormpy.environments.default(model)
    environment.solver().min_max().precision = stormpy.Rational("1/1000000000000")
    result = stormpy.model_checking(model, formula, only_initial_states=True, environment=environment)
    return float(result.get_value(model.initial_states[0]))


@pytest.mark.parametrize("side", ["party", "foes"])
@pytest.mark.parametrize(("name", "rounds"), SHORT)
@pytest.mark.parametrize("other", ["aggressive", "optimum"])
def test_best_responses_are_those_of_storm(
    name: str, rounds: int | None, side: str, other: str, tmp_path: Path
) -> None:
    graph, game = graph_of(name, rounds), game_of(name, rounds)
    against = "foes" if side == "party" else "party"
    policy: Policy = Optimum(game) if other == "optimum" else policy_of(graph, load_agent(other), against)
    response = best_response(graph, side, policy)
    if other == "optimum":  # so the value of the game is certified: neither side can do better
        assert response.value == pytest.approx(game.value, abs=1e-12)
    path = tmp_path / "model.drn"
    write_drn(unrolled(response), path)
    assert response.value == pytest.approx(storms(path, side), abs=1e-9)


def test_mixed_policies_are_exported_as_they_are(tmp_path: Path) -> None:
    graph = graph_of("norova/mage_duel", 4)
    response = best_response(graph, "foes", policy_of(graph, load_agent("random"), "party"))
    path = tmp_path / "model.drn"
    write_drn(unrolled(response), path)
    assert response.value == pytest.approx(storms(path, "foes"), abs=1e-9)


def test_harm_is_exported_as_a_probability(tmp_path: Path) -> None:
    graph = graph_of("norova/duel", 3)
    response = best_response(graph, "party", policy_of(graph, load_agent("aggressive"), "foes"), objective="harm")
    path = tmp_path / "model.drn"
    write_drn(unrolled(response), path)
    assert response.value == pytest.approx(2 * storms(path, "party") - 1, abs=1e-9)


def test_a_skirmish_that_is_over_before_the_last_round_is_exported(tmp_path: Path) -> None:
    encounter = load_encounter("the_lens/duel_without_shield").with_changes(
        {"party.0.aspects.body": 1, "max_rounds": 4, "forbid": {"party": ["PARRY", "DODGE"], "foes": []}}
    )
    graph = build_graph(encounter)
    response = best_response(graph, "party", policy_of(graph, load_agent("aggressive"), "foes"))
    path = tmp_path / "model.drn"
    write_drn(unrolled(response), path)
    assert response.value == pytest.approx(storms(path, "party"), abs=1e-9)


@pytest.mark.parametrize("side", ["party", "foes"])
def test_two_against_one(side: str, tmp_path: Path) -> None:
    first = {"name": "A", "vitality": 1, "evade": 5, "attacks": [{"name": "a", "dice": 1, "sides": 4}]}
    second = {**first, "name": "B", "evade": 2}
    foe = {**first, "name": "C", "vitality": 3, "attacks": [{"name": "c", "dice": 1, "sides": 2}]}
    encounter = Encounter.from_dict(
        {"ruleset": "norova", "name": "Two", "max_rounds": 4, "party": [first, second], "foes": [foe]}
    )
    graph = build_graph(encounter)
    policy = policy_of(graph, load_agent("random"), "foes" if side == "party" else "party")
    response = best_response(graph, side, policy)
    path = tmp_path / "model.drn"
    write_drn(unrolled(response), path)
    assert response.value == pytest.approx(storms(path, side), abs=1e-9)


def test_arrays_hold_all_that_is_needed_to_solve_it_anew(tmp_path: Path) -> None:
    game = game_of("norova/mage_duel")
    write_arrays(game, tmp_path / "solution.npz")
    with np.load(tmp_path / "solution.npz") as file:
        found = dict(file)
    size = len(found["sides"])
    assert found["values"].shape == (game.settled + 1, size)
    both = np.concatenate([found["values"][2], found["values"][1]])
    worth = np.add.reduceat(found["chances"] * both[found["targets"]], found["first_outcome"][:-1])
    starts = found["first_action"][:-1][np.diff(found["first_action"]) > 0]
    best = np.where(
        found["sides"][np.diff(found["first_action"]) > 0] == 0,
        np.maximum.reduceat(worth, starts),
        np.minimum.reduceat(worth, starts),
    )
    assert found["values"][2][np.diff(found["first_action"]) > 0] == pytest.approx(best, abs=1e-12)
    assert str(found["action_names"][found["actions"][0]]) in game.graph.encounter.built.actions
