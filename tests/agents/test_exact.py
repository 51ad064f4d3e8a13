"""The agent that plays the solution."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import load_agent
from lens_env import Game, load_encounter
from lens_env.errors import LensError, SolveError
from lens_env.exact import build_graph

BOB = "norova/bob"
DUEL = "norova/mage_duel"


def test_it_plays_what_is_optimal_now() -> None:
    """At every decision of a skirmish no other action leads to a better value, in the round as it is."""
    encounter = load_encounter(DUEL)
    agent = load_agent("exact")
    agent.check([encounter])
    values = agent._solution(encounter)._by_side[0]  # type: ignore[attr-defined]
    graph = values.graph
    for seed in range(3):
        game = Game(encounter, seed)
        while not game.over:
            action = agent.choose(game)
            (state,) = graph.find(game.state)
            left = graph.max_rounds - int(game.state["game_round"][0])
            own = slice(int(graph.first_action[state]), int(graph.first_action[state + 1]))
            names = [encounter.built.actions[one] for one in graph.actions[own]]
            assert values.regrets(left)[own][names.index(action)] == pytest.approx(0, abs=1e-12)
            game.play(action)


def test_a_file_binds_it_to_one_encounter(tmp_path: Path) -> None:
    build_graph(load_encounter(BOB)).save(tmp_path / "bob.npz")
    agent = load_agent(f"exact:{tmp_path / 'bob.npz'}")
    agent.check([load_encounter(BOB)])
    assert agent.choose(Game(load_encounter(BOB))) == load_agent("exact").choose(Game(load_encounter(BOB)))
    with pytest.raises(SolveError, match="the graph of another encounter"):
        agent.check([load_encounter(DUEL)])
    with pytest.raises(SolveError, match="the graph of another encounter"):  # a number of the same encounter changed
        agent.check([load_encounter(BOB).with_changes({"party.0.vitality": 19})])


def test_against_an_agent_it_takes_what_safe_play_leaves() -> None:
    encounter = load_encounter(DUEL)
    safe = load_agent("exact")
    greedy = load_agent({"agent": "exact", "against": "random"})
    values = [agent._solution(encounter)._by_side for agent in (safe, greedy)]  # type: ignore[attr-defined]
    assert values[1][0].value > values[0][0].value + 0.01  # for the party
    assert values[1][1].value < values[0][1].value - 0.01  # for the foes


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"agent": "exact", "objective": "fame"}, "agent exact: objective: allowed are win, harm, got 'fame'"),
        ({"agent": "exact", "max_states": 0}, "agent exact: max_states: a whole number from 1, got 0"),
        ({"agent": "exact", "max_states": True}, "max_states: a whole number from 1"),
        ({"agent": "exact", "file": 3}, "agent exact: file: the path of a saved graph, got 3"),
        ({"agent": "exact", "depth": 3}, "its settings do not fit"),
        ({"agent": "exact", "against": "nobody"}, "unknown agent 'nobody'"),
    ],
)
def test_wrong_settings_are_refused(spec: dict[str, object], message: str) -> None:
    with pytest.raises(LensError, match=message):
        load_agent(spec).check([load_encounter(BOB)])


def test_what_is_too_large_or_missing_is_refused_before_play() -> None:
    with pytest.raises(SolveError, match="too large to be solved"):
        load_agent({"agent": "exact", "max_states": 1000}).check([load_encounter("the_lens/two_against_two")])
    with pytest.raises(SolveError, match=r"nothing\.npz: this is no saved graph"):
        load_agent("exact:nothing.npz").check([load_encounter(BOB)])
