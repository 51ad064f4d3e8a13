"""Values: the equations that they solve, and play that bears them out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from agents import load_agent
from lens_env import load_encounter
from lens_env.errors import LensError, SolveError
from lens_env.exact import (
    Fixed,
    Optimum,
    Values,
    best_response,
    build_graph,
    choices,
    exploitability,
    forbidding,
    policy_of,
    worths,
)
from lens_env.play.engine import Batch
from tests.exact.conftest import game_of, graph_of

SMALL = ["the_lens/duel_without_shield", "norova/mage_duel", "norova/duel"]
SKIRMISHES = 100_000


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


@pytest.mark.parametrize("name", ["the_lens/duel_without_shield", "norova/mage_duel"])
def test_optimal_play_wins_as_often_as_the_value_says(name: str) -> None:
    agent = load_agent("exact")
    batch = Batch(load_encounter(name), SKIRMISHES, seed=11)
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        actions = np.zeros(len(batch), np.int64)
        actions[rows] = agent.act(batch.select(rows))
        batch.step(actions)
    won, undecided = int((batch.winners == 1).sum()), int((batch.winners == 3).sum())
    assert won + undecided + int((batch.winners == 2).sum()) == SKIRMISHES
    low, high = binomtest(won, SKIRMISHES).proportion_ci(0.999)
    share = 0.5 * undecided / SKIRMISHES
    assert low + share <= game_of(name).value <= high + share


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
    graph, game = graph_of("the_lens/duel"), game_of("the_lens/duel")
    found = {(worth.side, worth.defenses): worth for worth in worths(game)}
    block = found["party", ("BLOCK",)]
    # the same by the rules themselves: the action is not in the masks at all
    forbidden = load_encounter("the_lens/duel").with_changes({"forbid": {"party": ["BLOCK"], "foes": []}})
    assert block.without == pytest.approx(Values(build_graph(forbidden)).value, abs=1e-12)
    assert block.gain == pytest.approx(game.value - block.without)
    assert all(worth.gain >= -1e-12 for worth in found.values())
    for (side, defenses), worth in found.items():
        for name in defenses:
            assert worth.gain >= found[side, (name,)].gain - 1e-12
    allowed = forbidding(graph, "party", ("BLOCK",))
    assert Values(graph, allowed=allowed).value == pytest.approx(block.without, abs=1e-12)
    with pytest.raises(LensError, match=r"'JUMP' is no action .* it can: .*BLOCK"):
        forbidding(graph, "party", ("JUMP",))


def test_choices_count_the_windows_of_optimal_play() -> None:
    for choice in choices(game_of("the_lens/duel")):
        assert 0 <= choice.alone <= choice.optimal <= 1
        assert 0 <= choice.alone_anywhere <= choice.optimal_anywhere <= 1
        assert choice.regret >= 0
        assert not (choice.never and choice.optimal_anywhere)


def test_an_agent_that_plays_what_is_not_legal_is_named() -> None:
    class Wild:
        name = "wild"

        def act(self, batch: Batch) -> np.ndarray:
            return np.full(len(batch), -1)

    with pytest.raises(SolveError, match="agent wild: what it plays is not legal"):
        policy_of(graph_of("norova/bob"), Wild(), "party")


def test_settings_are_checked() -> None:
    graph = graph_of("norova/bob")
    with pytest.raises(LensError, match="objective: allowed are win, harm, got 'fame'"):
        Values(graph, objective="fame")
    with pytest.raises(LensError, match="side: allowed are party, foes, got 'both'"):
        best_response(graph, "both", Fixed(np.zeros(len(graph.actions))))
