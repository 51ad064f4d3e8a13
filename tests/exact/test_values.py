"""Values: the equations that they solve, and play that bears them out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from agents import load_agent
from lens_env import load_encounter
from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError, SolveError
from lens_env.exact import (
    Fixed,
    Optimum,
    StateGraph,
    Values,
    best_response,
    build_graph,
    choices,
    exploitability,
    forbidding,
    policy_of,
    solved_without,
    worths,
)
from lens_env.play.engine import Batch
from tests.exact.conftest import game_of, graph_of

SMALL = ["the_lens/duel_without_shield", "norova/mage_duel", "norova/duel"]
SKIRMISHES = 100_000
WEAK = {"party.0.vitality": 7, "foes.0.vitality": 7, "max_rounds": 8}


@pytest.mark.parametrize("name", SMALL)
def test_values_solve_their_equations(name: str) -> None:
    graph, game = graph_of(name), game_of(name)
    for left in (0, 1, 5):
        before = game.at(left - 1) if left else np.full(len(graph), 0.5)
        both = np.concatenate([game.at(left), before])
        worth = np.add.reduceat(graph.chances * both[graph.targets], graph.first_outcome[:-1])
        starts = graph.first_action[:-1][graph.winners == 0]
        most, least = np.maximum.reduceat(worth, starts), np.minimum.reduceat(worth, starts)
        open_ = graph.winners == 0
        expected = np.where(graph.sides[open_] == 0, most, least)
        assert np.abs(game.at(left)[open_] - expected).max() < 1e-12
        assert (game.at(left)[graph.winners == 1] == 1).all()
        assert (game.at(left)[graph.winners == 2] == 0).all()


@pytest.mark.parametrize("name", SMALL)
def test_threads_agree_to_the_bit(name: str) -> None:
    one, two = (Values(graph_of(name), threads=threads) for threads in (1, 2))
    assert all((one.at(left) == two.at(left)).all() for left in range(12))


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("the_lens/duel_without_shield", {}),
        ("lamashtu/heavy_and_light", {"party.0.health": 1, "foes.0.health": 1, "max_rounds": 3}),
        ("norova/mage_duel", {"max_rounds": 3}),
    ],
)
def test_optimal_play_wins_as_often_as_the_value_says(name: str, changes: dict[str, Any]) -> None:
    agent, encounter = load_agent("exact"), load_encounter(name).with_changes(changes)
    batch = Batch(encounter, SKIRMISHES, seed=11)
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        actions = np.zeros(len(batch), np.int64)
        actions[rows] = agent.act(batch.select(rows))
        batch.step(actions)
    won, undecided = int((batch.winners == 1).sum()), int((batch.winners == 3).sum())
    assert won + undecided + int((batch.winners == 2).sum()) == SKIRMISHES
    low, high = binomtest(won, SKIRMISHES).proportion_ci(0.999)
    share = 0.5 * undecided / SKIRMISHES
    assert low + share <= Values(build_graph(encounter)).value <= high + share


@pytest.mark.parametrize("name", SMALL)
def test_nobody_gains_by_leaving_the_optimum(name: str) -> None:
    graph, game = graph_of(name), game_of(name)
    for side in ("party", "foes"):
        assert exploitability(graph, side, Optimum(game), game) == pytest.approx(0, abs=1e-12)
        for other in ("aggressive", "random"):
            assert exploitability(graph, side, policy_of(graph, load_agent(other), side), game) >= -1e-12


def test_a_pair_that_is_given_is_worth_what_its_skirmishes_say() -> None:
    graph = graph_of("norova/mage_duel")
    value = Values(
        graph,
        party=policy_of(graph, load_agent("random"), "party"),
        foes=policy_of(graph, load_agent("random"), "foes"),
    ).value
    batch, agent = Batch(load_encounter("norova/mage_duel"), 20_000, seed=3), load_agent("random")
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        actions = np.zeros(len(batch), np.int64)
        actions[rows] = agent.act(batch.select(rows))
        batch.step(actions)
    won = (batch.winners == 1).mean() + 0.5 * (batch.winners == 3).mean()
    assert abs(won - value) < 4 * 0.5 / np.sqrt(20_000)


def test_a_defence_is_worth_what_is_lost_without_it() -> None:
    game = game_of("the_lens/duel")
    found = {(worth.side, worth.defenses): worth for worth in worths(game)}
    assert all(worth.gain == pytest.approx(game.value - worth.without, abs=1e-15) for worth in found.values())
    assert all(worth.gain >= -1e-12 for worth in found.values())
    assert {("BLOCK",), ("BLOCK", "DODGE"), ("BLOCK", "DODGE", "PARRY")} <= {defenses for _, defenses in found}
    for (side, defenses), worth in found.items():
        for name in defenses:
            assert worth.gain >= found[side, (name,)].gain - 1e-12


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("the_lens/duel_without_shield", {}),
        ("the_lens/duel_without_shield", {"forbid": {"party": ["PARRY"], "foes": []}}),
        ("lamashtu/heavy_and_light", {"max_rounds": 3, "party.0.health": 1, "foes.0.health": 1}),
        ("norova/duel", WEAK),  # whoever may not EVADE is offered what is no better
        (
            "norova/duel",
            {**WEAK, "rules": {"evade_then_act": True, "offer_dominated": True}},
        ),  # COUNTER in a second window
    ],
)
def test_worths_are_those_of_the_rules_that_forbid(name: str, changes: dict[str, Any]) -> None:
    """However they are found: the action is not in the masks of the other game at all."""
    encounter = load_encounter(name).with_changes(changes)
    found = list(worths(Values(build_graph(encounter))))
    assert found
    for worth in found:
        other = build_graph(forbidding(encounter, worth.side, worth.defenses))
        names = {other.encounter.built.actions[action] for action in other.actions[_mine(other, worth.side)]}
        assert not {one for one in names for defense in worth.defenses if one.split()[0] == defense}
        assert worth.without == pytest.approx(Values(other).value, abs=1e-12)


def _mine(graph: StateGraph, side: str) -> np.ndarray:
    return (graph.sides == SIDES.index(side))[graph.owners]


def test_worths_against_an_agent_ask_it_again_where_the_rules_offer_more() -> None:
    graph = graph_of("norova/duel")
    policy = policy_of(graph, load_agent("balanced"), "foes")
    found = {worth.defenses: worth for worth in worths(best_response(graph, "party", policy))}
    other = build_graph(forbidding(graph.encounter, "party", ["EVADE"]))
    same = best_response(other, "party", policy_of(other, load_agent("balanced"), "foes"))
    assert found["EVADE",].without == pytest.approx(same.value, abs=1e-12)
    assert {worth.side for worth in found.values()} == {"party"}


def test_forbidding_adds_to_what_is_forbidden_and_names_what_is_unknown() -> None:
    encounter = load_encounter("norova/duel").with_changes({"forbid": {"party": ["DEFEND"], "foes": ["EVADE"]}})
    more = forbidding(encounter, "party", ["EVADE", "DEFEND"])
    assert (more.model.forbid.party, more.model.forbid.foes) == (["DEFEND", "EVADE"], ["EVADE"])
    with pytest.raises(LensError, match="JUMP"):
        _ = forbidding(encounter, "party", ["JUMP"]).built


def test_choices_count_the_windows_of_optimal_play() -> None:
    for choice in choices(game_of("the_lens/duel")):
        assert 0 <= choice.alone <= choice.optimal <= 1 + 1e-12
        assert 0 <= choice.alone_anywhere <= choice.optimal_anywhere <= 1
        assert choice.regret >= 0
        assert not (choice.dominated and choice.alone_anywhere)
        assert not (choice.dominant and choice.optimal_anywhere < 1)


@pytest.mark.parametrize("name", SMALL)
def test_regrets_are_what_the_best_is_worth_more(name: str) -> None:
    graph, game = graph_of(name), game_of(name)
    values, regrets = game.action_values(3), game.regrets(3)
    state = game.at(3)[graph.owners]
    expected = np.where(graph.sides[graph.owners] == 0, state - values, values - state)
    assert np.abs(regrets - expected).max() < 1e-12
    without = solved_without(game, "party", ("EVADE" if name.startswith("norova") else "DODGE",))
    assert without.graph is not graph or np.isinf(without.regrets(0)).any()


@pytest.mark.parametrize("name", ["the_lens/duel_without_shield", "norova/duel"])
def test_visits_are_those_of_a_walk_through_the_graph(name: str) -> None:
    """The chance to stand in an end, summed over all rounds, is the chance of that end."""
    graph, game = graph_of(name, 4), game_of(name, 4)
    won, undecided, lost = game.ending()
    assert won + undecided / 2 == pytest.approx(game.value, abs=1e-12)
    assert won + undecided + lost == pytest.approx(1, abs=1e-12)
    met = sum(part.sum() for part in game.met.values())
    assert met == pytest.approx(sum(part.sum() for part in game.visits if len(part)), abs=1e-9)
    assert len(graph.starts) >= 1


def test_settings_are_checked() -> None:
    graph = graph_of("norova/bob")
    with pytest.raises(LensError, match="objective: allowed are win, harm, got 'fame'"):
        Values(graph, objective="fame")
    with pytest.raises(LensError, match="side: allowed are party, foes, got 'both'"):
        best_response(graph, "both", Fixed(np.zeros(len(graph.actions))))
    for wrong in (0, -1, True):
        with pytest.raises(LensError, match="threads: a whole number from 1"):
            Values(graph, threads=wrong)
        with pytest.raises(LensError, match="threads: a whole number from 1"):
            build_graph(graph.encounter, threads=wrong)
    with pytest.raises(LensError, match="side: allowed are party, foes, got 'Party'"):
        exploitability(graph, "Party", Fixed(np.zeros(len(graph.actions))))


def test_values_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of("the_lens/duel_without_shield")
    monkeypatch.setattr("lens_env.exact.solve.MOST_BYTES", 8 * len(graph) * 6)
    with pytest.raises(SolveError, match=r"its values over \d+ rounds do not fit into memory"):
        Values(graph)
    assert Values(graph_of("the_lens/duel_without_shield", 3)).value > 0
