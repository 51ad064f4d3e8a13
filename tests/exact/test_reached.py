"""The value of two given policies, and agents that are asked only where play leads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents import load_agent
from agents.base import BaseAgent
from lens_env.errors import SolveError
from lens_env.exact import Reached, TooManyStates, build_graph, policy_of, value_of
from lens_env.play.engine import Batch
from tests.exact.conftest import graph_of
from tests.exact.test_hand_solved import by_hand, tiny

MAGE = "norova/mage_duel"


class Counting(BaseAgent):
    """Plays the last legal action, and notes in which states and rounds it is asked."""

    def __init__(self, reads_round: bool) -> None:
        super().__init__("counting")
        self.reads_round = reads_round
        self.rounds: list[int] = []

    def act(self, batch: Batch) -> Any:
        self.rounds += batch.states["game_round"].tolist()
        return batch.mask.shape[1] - 1 - batch.mask[:, ::-1].argmax(axis=1)


def test_a_duel_solved_by_hand() -> None:
    """Both do the only things that help, attack and evade: the value of the game."""
    graph, agent = build_graph(tiny()), load_agent("prefer:ATTACK,EVADE")
    party, foes = policy_of(graph, agent, "party"), policy_of(graph, agent, "foes")
    assert value_of(graph, party, foes).value == pytest.approx(by_hand(), abs=1e-14)
    assert value_of(graph, party, Reached(graph, agent, "foes", party)).value == pytest.approx(by_hand(), abs=1e-14)


def test_never_evading_solved_by_hand() -> None:
    graph = build_graph(tiny(rules={"offer_dominated": True}))
    never, evade = load_agent("prefer:NONE,ATTACK"), load_agent("prefer:EVADE,ATTACK")
    theirs = policy_of(graph, evade, "foes")
    own = Reached(graph, never, "party", theirs)
    assert value_of(graph, own, theirs).value == pytest.approx(by_hand(a_hit=1), abs=1e-14)
    # as the other side: B hits the whole time
    mine = policy_of(graph, evade, "party")
    other = Reached(graph, never, "foes", mine)
    assert value_of(graph, mine, other).value == pytest.approx(by_hand(b_hit=1), abs=1e-14)


@pytest.mark.parametrize(("reads_round", "side"), [(False, "party"), (False, "foes"), (True, "foes")])
def test_to_be_asked_where_play_leads_is_enough(reads_round: bool, side: str) -> None:
    """The same value as when the agent is asked everywhere, for one that reads the round and one that does not."""
    graph, agent = graph_of(MAGE, 5), Counting(reads_round)
    theirs = policy_of(graph, load_agent("random"), "foes" if side == "party" else "party")
    some, found = Reached(graph, agent, side, theirs), list[float]()
    for own in (some, policy_of(graph, agent, side)):
        pair = (own, theirs) if side == "party" else (theirs, own)
        found.append(value_of(graph, *pair).value)
    assert found[0] == pytest.approx(found[1], abs=1e-13)
    mine = (graph.sides == ("party", "foes").index(side)) & (np.diff(graph.first_action) > 0)
    assert 0 < some.asked <= mine.sum() * (graph.most_left + 1 if reads_round else 1)


def test_it_is_asked_in_the_states_that_a_walk_finds() -> None:
    """Another walk, a state at a time: through all that the two may do, round by round."""
    graph = graph_of("norova/bob", 4)
    agent, theirs = Counting(True), policy_of(graph, load_agent("balanced"), "foes")
    reached = Reached(graph, agent, "party", theirs)
    stack = [(int(s), graph.max_rounds - int(r)) for s, r in zip(graph.starts, graph.start_rounds, strict=True)]
    seen = set(stack)
    while stack:
        state, left = stack.pop()
        policy = reached if graph.sides[state] == 0 else theirs
        for action in range(int(graph.first_action[state]), int(graph.first_action[state + 1])):
            if policy.weights(left)[action] == 0:
                continue
            for outcome in range(int(graph.first_outcome[action]), int(graph.first_outcome[action + 1])):
                target = int(graph.targets[outcome])
                found = (target % len(graph), left - target // len(graph))
                if found[1] >= 0 and found not in seen:
                    seen.add(found)
                    stack.append(found)
    asked = [
        graph.max_rounds - left
        for state, left in seen
        if graph.sides[state] == 0 and np.diff(graph.first_action)[state]
    ]
    assert sorted(agent.rounds) == sorted(asked)
    assert reached.asked == len(asked)


def test_too_many_states_are_not_asked_about() -> None:
    graph = graph_of(MAGE, 5)
    theirs = policy_of(graph, load_agent("balanced"), "foes")
    agent, told = Counting(False), list[int]()
    reached = Reached(graph, agent, "party", theirs, progress=told.append)
    assert sum(told) == reached.asked == len(agent.rounds)
    assert Reached(graph, Counting(False), "party", theirs, most=reached.asked).asked == reached.asked
    with pytest.raises(TooManyStates, match=f"more than {reached.asked - 1:,} states would have to be asked about"):
        Reached(graph, agent, "party", theirs, most=reached.asked - 1)
    with pytest.raises(SolveError, match="says nothing in another graph"):
        reached.on(graph)
