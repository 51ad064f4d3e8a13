from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agents import Agent, list_agents, load_agent
from lens_env import Encounter, Game
from lens_env.play.engine import Batch
from tests.support import SPECIAL

Array = np.ndarray[Any, Any]
NAMED = [name for name in list_agents() if name not in SPECIAL]  # they have tests of their own
SLOW = ("expected_harm", "tag_hunter")  # they foresee every exchange
MOST = 3000


def play(encounter: Encounter, environments: Array, party: Agent, foes: Agent) -> tuple[Array, Array]:
    """The trails and winners of skirmishes with these environment numbers, every action checked to be legal."""
    batch = Batch(encounter, len(environments), seed=5, environments=environments)
    for agent in (party, foes):
        agent.reset(5)
    for _ in range(MOST):
        actions = np.zeros(len(batch), np.int64)
        for side, agent in enumerate((party, foes)):
            rows = np.flatnonzero(batch.sides == side)
            if len(rows):
                actions[rows] = agent.act(batch.select(rows))
                assert (batch.mask[rows, actions[rows]] == 1).all()
        batch.step(actions)
        if batch.over.all():
            return batch.trails.copy(), batch.winners.copy()
    raise AssertionError("did not end")


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("place", ["duel", "board", "poise"])
def test_an_agent_plays_legal_actions_to_the_end_on_either_side(
    name: str, place: str, request: pytest.FixtureRequest
) -> None:
    encounter = request.getfixturevalue(place)
    for party, foes in ((name, "aggressive"), ("aggressive", name)):
        _, winners = play(encounter, np.arange(3 if name in SLOW else 16), load_agent(party), load_agent(foes))
        assert (winners != 0).all()


@pytest.mark.parametrize("name", ["random", "always_block", "aggressive"])
def test_the_size_and_order_of_a_batch_change_nothing(name: str, board: Encounter) -> None:
    whole, _ = play(board, np.arange(24), load_agent(name), load_agent("random"))
    parts = [play(board, np.arange(first, first + 6), load_agent(name), load_agent("random"))[0] for first in (0, 6)]
    turned, _ = play(board, np.arange(24)[::-1].copy(), load_agent(name), load_agent("random"))
    assert (np.concatenate(parts) == whole[:12]).all()
    assert (turned[::-1] == whole).all()


def test_one_game_goes_as_the_first_of_a_batch(duel: Encounter) -> None:
    trails, _ = play(duel, np.arange(3), load_agent("random"), load_agent("random"))
    agent = load_agent("random")
    agent.reset(5)
    game = Game(duel, seed=5)
    while not game.over:
        game.play(agent.choose(game))
    assert game.trail == trails[0]


def test_another_seed_decides_otherwise(duel: Encounter) -> None:
    batch = Batch(duel, 200)
    agent = load_agent("random")
    first = agent.act(batch)
    assert (agent.act(batch) == first).all()
    agent.reset(1)
    assert (agent.act(batch) != first).any()


def test_random_plays_every_legal_action_equally_often(duel: Encounter) -> None:
    batch = Batch(duel, 4000)
    chosen = load_agent("random").act(batch)
    legal = np.flatnonzero(batch.mask[0])
    counts = np.array([(chosen == action).sum() for action in legal])
    assert counts.sum() == 4000
    assert np.abs(counts - 4000 / len(legal)).max() < 5 * np.sqrt(4000 / len(legal))


IDLE = "prefer:END TURN,NONE"


def run_until(game: Game, asked: Callable[[Game], bool]) -> Game:
    """The party looks on, the foes are aggressive, until a decision is as wished."""
    agents = {"party": load_agent(IDLE), "foes": load_agent("aggressive")}
    while not game.over and not asked(game):
        game.play(agents[str(game.side)].choose(game))
    assert not game.over
    return game


def may_attack(game: Game) -> bool:
    return any(name.startswith("ATTACK") for name in game.legal())


@pytest.mark.parametrize(
    ("name", "action"),
    [("block", "BLOCK"), ("dodge", "DODGE"), ("mitigate", "MITIGATE")],
)
def test_the_named_defence_is_chosen_where_it_is_possible(name: str, action: str, duel: Encounter) -> None:
    for seed in range(8):
        game = Game(duel, seed)
        while game.window not in ("DEFEND", None):
            game.play(
                "END TURN" if game.window == "ACT" and game.side == "party" else load_agent("aggressive").choose(game)
            )
        assert load_agent(f"always_{name}").choose(game) == action
        assert load_agent("never_defend").choose(game) == "NONE"
        assert load_agent("always_parry").choose(game) == "BLOCK"  # the club is HEAVY


def test_a_reserve_is_kept_for_reactions(duel: Encounter) -> None:
    game = run_until(Game(duel, 3), lambda now: now.decider == "Kara" and now.window == "ACT")
    keeper = load_agent({"agent": "prefer", "preferences": ["ATTACK", "END TURN"], "reserve": 9})
    spender = load_agent({"agent": "prefer", "preferences": ["ATTACK", "END TURN"]})
    assert keeper.choose(game) == "END TURN"
    assert spender.choose(game) == "ATTACK Ogre"


def test_the_aggressive_one_strikes_hard_at_the_weakest(board: Encounter) -> None:
    game = run_until(Game(board, 1), lambda now: now.side == "foes" and now.window == "ACT" and may_attack(now))
    advice = Batch.of(game.encounter, game.state, game.dice, game.masks).advice()
    choice = game.built.actions.index(load_agent("aggressive").choose(game))
    open_ = [i for i in np.flatnonzero(game.mask) if advice.expected[0, i] > 0]
    life = {i: advice.life[0, int(advice.target[0, i])] for i in open_}
    assert life[choice] == min(life.values())
    same = [i for i in open_ if life[i] == life[choice]]
    assert advice.expected[0, choice] == max(advice.expected[0, i] for i in same)


def test_walking_goes_around_a_wall_and_stops_in_reach(board: Encounter) -> None:
    game = run_until(Game(board, 2), lambda now: now.decider == "Ogre" and now.window == "ACT")
    path = []
    while game.decider == "Ogre" and not may_attack(game):
        path.append(load_agent("aggressive").choose(game))
        game.play(path[-1])
    assert path[0] == "MOVE"
    assert path[1].startswith("STEP") and path[-1] == "STOP"
    assert len(path) == 2 + 3  # three steps around the wall
    assert may_attack(game)


def test_nobody_moves_without_need(board: Encounter) -> None:
    trails = 0
    for seed in range(6):
        game = Game(board, seed)
        agents = {"party": load_agent("always_parry"), "foes": load_agent("aggressive")}
        while not game.over and trails < 5000:
            trails += 1
            choice = agents[str(game.side)].choose(game)
            if choice == "MOVE":
                assert not any(name.startswith("ATTACK") for name in game.legal())
            game.play(choice)


def test_a_choice_is_told_by_the_deciders_own_name(duel: Encounter) -> None:
    """The shared name of the first attack is what the Ogre itself calls its second."""
    attacks = {"Ogre": ["a", "a/b"], "Troll": ["b"]}
    foes = [
        {**duel.data["foes"][0], "name": name, "attacks": [{"name": it, "dice": 1, "sides": 4} for it in named]}
        for name, named in attacks.items()
    ]
    game = Game(duel.with_changes({"foes": foes}), seed=3)
    run_until(game, lambda now: now.decider == "Ogre" and may_attack(now))
    first = game.built.actions.index("ATTACK Kara with a/b")
    agent = load_agent("prefer:ATTACK Kara with a/b")
    assert agent.choose(game) == "ATTACK Kara with a"
    assert game.action_index(agent.choose(game)) == first
