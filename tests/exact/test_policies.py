"""Agents as policies: asked everywhere, in the right round, and believed only if they play by the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agents import load_agent
from agents.base import BaseAgent
from lens_env import load_encounter
from lens_env.errors import LensError, SolveError
from lens_env.exact import Fixed, Optimum, Values, best_response, build_graph, policy_of
from lens_env.play.engine import Batch
from tests.exact.conftest import game_of, graph_of


class Odd:
    """Plays whatever ``answer`` says."""

    name = "odd"
    reads_round = False

    def __init__(self, answer: Callable[[Batch], Any]) -> None:
        self.act = answer


class OddChances:
    name = "odd"
    reads_round = False

    def __init__(self, answer: Callable[[Batch], Any]) -> None:
        self.chances = answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda batch: np.full(len(batch), -1), "agent odd: actions must be from 0 to "),
        (lambda batch: np.full(len(batch), 10**6), "agent odd: actions must be from 0 to "),
        (lambda batch: np.zeros(len(batch)), "agent odd: actions must be .* whole numbers, got .* of float64"),
        (lambda batch: None, "agent odd: actions must be .* whole numbers, got"),
        (lambda batch: np.zeros(len(batch) + 1, int), "agent odd: actions must be"),
        (lambda batch: (batch.mask == 0).argmax(axis=1), "agent odd: what it plays is not legal"),
    ],
)
def test_actions_that_are_none_are_refused(answer: Callable[[Batch], Any], message: str) -> None:
    with pytest.raises(SolveError, match=message):
        policy_of(graph_of("norova/bob"), Odd(answer), "party")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda batch: batch.mask[:, :3], "chances must be"),
        (lambda batch: np.full(batch.mask.shape, "x"), "chances must be"),
        (lambda batch: np.full(batch.mask.shape, np.nan), "not legal, or its chances do not sum to 1"),
        (lambda batch: batch.mask * (1 - 1e-6) / batch.mask.sum(axis=1)[:, None], "do not sum to 1"),
        (lambda batch: np.full(batch.mask.shape, 1 / batch.mask.shape[1]), "not legal"),
        (lambda batch: np.where(batch.mask.cumsum(axis=1) == 1, 3.0, 0) * batch.mask - 2.0, "not legal"),
    ],
)
def test_chances_that_are_none_are_refused(answer: Callable[[Batch], Any], message: str) -> None:
    with pytest.raises(SolveError, match=message):
        policy_of(graph_of("norova/bob"), OddChances(answer), "party")


def test_the_policy_of_the_wrong_side_is_noticed() -> None:
    graph = graph_of("norova/bob")
    policy = policy_of(graph, load_agent("random"), "party")
    with pytest.raises(SolveError, match="the policy of the foes: its chances do not sum to 1"):
        best_response(graph, "party", policy)
    with pytest.raises(LensError, match="side: allowed are party, foes, got 'foe'"):
        policy_of(graph, load_agent("random"), "foe")


def test_an_agent_is_asked_in_every_round_unless_it_says_that_it_need_not_be() -> None:
    class Counting(BaseAgent):
        def __init__(self) -> None:
            super().__init__("counting")
            self.rounds: set[int] = set()

        def act(self, batch: Batch) -> np.ndarray:
            self.rounds |= set(batch.states["game_round"].tolist())
            return batch.mask.argmax(axis=1).astype(np.int64)

    graph = graph_of("norova/mage_duel")
    always, once = Counting(), Counting()
    best_response(graph, "party", policy_of(graph, always, "foes"))
    assert always.rounds == set(range(1, graph.max_rounds + 1))
    once.reads_round = False
    best_response(graph, "party", policy_of(graph, once, "foes"))
    assert once.rounds == {1}


def test_the_exact_agent_as_a_policy_is_the_optimum() -> None:
    graph = graph_of("norova/mage_duel")
    for side, other in (("party", "foes"), ("foes", "party")):
        response = best_response(graph, side, policy_of(graph, load_agent("exact"), other))
        assert response.value == pytest.approx(game_of("norova/mage_duel").value, abs=1e-12)


def test_surprise_rounds_are_asked_about_as_such() -> None:
    encounter = load_encounter("the_lens/duel_without_shield").with_changes({"surprise": "foes", "max_rounds": 3})
    graph = build_graph(encounter)
    assert set(np.unique(graph.rounds)) == {0, 1}
    value = Values(graph).value
    response = best_response(graph, "party", policy_of(graph, load_agent("exact"), "foes"))
    assert response.value == pytest.approx(value, abs=1e-12)
    assert value > Values(graph_of("the_lens/duel_without_shield", 3)).value


def test_what_a_policy_is_in_another_graph() -> None:
    one, two = graph_of("norova/bob"), graph_of("norova/mage_duel")
    policy = policy_of(one, load_agent("random"), "party").on(two)
    assert (policy.weights(0) == policy_of(two, load_agent("random"), "party").weights(0)).all()
    with pytest.raises(SolveError, match="says nothing in another one"):
        Fixed(np.ones(len(one.actions))).on(two)
    with pytest.raises(SolveError, match="the game that it was found in"):
        Optimum(game_of("norova/bob")).on(two)
