"""The graph of an encounter: what it holds, and what cannot be one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lens_env import Game, load_encounter
from lens_env.errors import LensError, SolveError
from lens_env.exact import StateGraph, Values, build, build_graph
from lens_env.exact.build import Builder
from tests.exact.conftest import graph_of

SMALL = ["the_lens/duel_without_shield", "norova/mage_duel", "norova/bob"]


@pytest.mark.parametrize("name", SMALL)
def test_chances_sum_to_one_and_rounds_have_no_cycle(name: str) -> None:
    graph = graph_of(name)
    sums = np.add.reduceat(graph.chances, graph.first_outcome[:-1])
    assert np.abs(sums - 1).max() < 1e-12
    inside = graph.targets < len(graph)
    from_state = np.repeat(graph.owners, np.diff(graph.first_outcome))
    assert (graph.targets[inside] > from_state[inside]).all()
    assert (graph.targets[~inside] < 2 * len(graph)).all()
    over = graph.winners != 0
    assert (np.diff(graph.first_action)[over] == 0).all()
    assert (np.diff(graph.first_action)[~over] > 0).all()


@pytest.mark.parametrize("name", SMALL)
def test_play_never_leaves_the_graph_and_finds_its_outcomes_there(name: str) -> None:
    graph = graph_of(name)
    encounter = load_encounter(name)
    for seed in range(3):
        game, rng = Game(encounter, seed), np.random.default_rng(seed)
        while not game.over:
            (state,) = graph.find(game.state)
            assert state >= 0
            legal = game.legal()
            own = slice(int(graph.first_action[state]), int(graph.first_action[state + 1]))
            assert sorted(encounter.built.actions[a] for a in graph.actions[own]) == sorted(legal)
            action = str(rng.choice(legal))
            at = own.start + [encounter.built.actions[a] for a in graph.actions[own]].index(action)
            # the game enumerates with code of its own
            expected: dict[int, float] = {}
            last = int(game.state["game_round"][0]) == graph.max_rounds
            for chance, after in game.outcomes(action):
                (target,) = graph.find(after.state)
                expected[int(target)] = expected.get(int(target), 0.0) + chance
            span = slice(int(graph.first_outcome[at]), int(graph.first_outcome[at + 1]))
            if not last:
                found: dict[int, float] = {}
                for target, chance in zip(graph.targets[span] % len(graph), graph.chances[span], strict=True):
                    found[int(target)] = found.get(int(target), 0.0) + float(chance)
                assert found == pytest.approx(expected, abs=1e-12)
            game.play(action)


@pytest.mark.parametrize("name", ["the_lens/duel_without_shield", "norova/duel"])
def test_the_number_of_threads_and_of_rooms_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three threads do not fit the states evenly; and little room means that parts are begun anew all the time."""
    one = build_graph(load_encounter(name), threads=1)
    three = build_graph(load_encounter(name), threads=3)
    monkeypatch.setattr(build, "FIRST_ROOM", 16)
    monkeypatch.setattr(build, "FIRST_FOUND", 16)
    monkeypatch.setattr(build, "SAMPLE_STEPS", 1)
    narrow = build_graph(load_encounter(name), threads=2)
    assert len(one) > 1000 and one.draws == three.draws == narrow.draws
    for array in ("first_action", "actions", "first_outcome", "targets", "chances", "level_ends", "starts"):
        assert np.array_equal(getattr(one, array), getattr(three, array)), array
        assert np.array_equal(getattr(one, array), getattr(narrow, array)), array
    which = np.arange(0, len(one), 7)
    assert (one.states(which) == narrow.states(which)).all()


def test_building_twice_gives_the_same_to_the_bit() -> None:
    one, two = (build_graph(load_encounter("norova/mage_duel")) for _ in range(2))
    assert all((getattr(one, name) == getattr(two, name)).all() for name in StateGraph.ARRAYS)
    assert (Values(one).at(9) == Values(two).at(9)).all()


def test_a_graph_that_is_saved_comes_back(tmp_path: Path) -> None:
    graph = graph_of("norova/mage_duel")
    graph.save(path := tmp_path / "graph.npz")
    again = StateGraph.load(path, load_encounter("norova/mage_duel"))
    assert Values(again).value == Values(graph).value
    assert (again.find(again.states(np.arange(100))) == np.arange(100)).all()


def test_what_is_no_graph_or_another_one_is_refused(tmp_path: Path) -> None:
    graph_of("norova/mage_duel").save(path := tmp_path / "graph.npz")
    with pytest.raises(SolveError, match=r"graph\.npz: the graph of another encounter"):
        StateGraph.load(path, load_encounter("norova/duel"))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(SolveError, match="no saved graph"):
        StateGraph.load(path, load_encounter("norova/mage_duel"))
    np.savez(path, x=np.zeros(1))
    with pytest.raises(SolveError, match="no graph that this version has saved"):
        StateGraph.load(path, load_encounter("norova/mage_duel"))
    np.save(path.with_suffix(".npy"), np.zeros(1))
    with pytest.raises(SolveError, match="no saved graph"):
        StateGraph.load(path.with_suffix(".npy"), load_encounter("norova/mage_duel"))
    with pytest.raises(SolveError, match="missing"):
        StateGraph.load(tmp_path / "missing.npz", load_encounter("norova/mage_duel"))


def test_too_large_says_how_far_it_came_and_what_varies() -> None:
    reached = r"50,000 states \(max_states is 50,000\) and [\d,]+ still .* varies most: .*body \(13 values\)"
    with pytest.raises(SolveError, match=reached):
        build_graph(load_encounter("the_lens/two_against_two"), 50_000)
    with pytest.raises(SolveError, match="MB of memory"):
        build_graph(load_encounter("the_lens/duel"), max_bytes=4_000_000)


def test_few_states_are_few_enough() -> None:
    count = len(graph_of("norova/bob"))
    assert len(build_graph(load_encounter("norova/bob"), count)) == count
    with pytest.raises(SolveError, match=f"{count - 1:,} states"):
        build_graph(load_encounter("norova/bob"), count - 1)


def test_a_round_without_an_end_is_named() -> None:
    """No ruleset has one, so a graph is bent until it has: its last outcomes lead back to where they came from."""
    builder = Builder(load_encounter("norova/mage_duel"))
    builder.build()
    owners = np.repeat(np.arange(int(builder.walk["states"][0])), np.diff(_outcomes(builder)))
    inside = np.flatnonzero(builder.targets[: len(owners)] & 1 == 0)
    source, target = int(owners[inside[0]]), int(builder.targets[inside[0]] >> 1)
    back = np.flatnonzero(owners == target)[0]
    builder.targets[back] = 2 * source
    with pytest.raises(SolveError, match=r"(?s)a round can go on for ever.*comes back to:.*Serafin"):
        builder._finish()


def _outcomes(builder: Builder) -> np.ndarray:
    """Where the outcomes of each state begin."""
    return builder.first_outcome[builder.first_action[: int(builder.walk["states"][0]) + 1]]


def test_an_opening_with_too_many_ways_for_the_dice_is_refused() -> None:
    """Everybody rolls a d20 for initiative."""
    one = load_encounter("norova/mage_duel")
    foe = dict(one.data["foes"][0])
    crowd = [{**foe, "name": f"Soldier {i}"} for i in range(5)]
    with pytest.raises(SolveError, match=r"the opening has more than [\d,]+ ways for the dice to fall"):
        build_graph(one.with_changes({"foes": crowd}))


@pytest.mark.parametrize("wrong", [0, -1, True, "x"])
def test_max_states_is_a_positive_number(wrong: Any) -> None:
    with pytest.raises(LensError, match="max_states"):
        build_graph(load_encounter("norova/bob"), wrong)


def test_progress_is_told() -> None:
    seen = []
    build_graph(load_encounter("norova/mage_duel"), progress=seen.append)
    assert seen[-1].states == len(graph_of("norova/mage_duel"))
    assert seen[-1].waiting == 0
    assert [now.states for now in seen] == sorted(now.states for now in seen)
