"""Agents that look ahead: greedy, expectimax and mcts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents import load_agent
from lens_env import Encounter, Game, load_encounter
from lens_env.envs.options import default_encounter
from lens_env.errors import LensError
from lens_env.play.engine import Batch

POOLS: dict[str, Any] = {"attack": 4, "block": 5, "dodge": 6, "clash": 4, "health": 2, "damage": 2}
LAST: dict[str, Any] = {"ruleset": "lamashtu", "name": "Last blow", "max_rounds": 2}


def last_blow(**foe: Any) -> Game:
    """Kara, who is as good as dead, may strike the Brute or the helpless Boss, who falls to any hit."""
    party = [{"name": "Kara", **POOLS, "initiative": 9}]
    foes = [{"name": "Anzu", **POOLS, "initiative": 1, **foe}]
    return Game(Encounter.from_dict({**LAST, "party": party, "foes": foes}), 1)


def value_of(game: Game, action: str, depth: int, side: str = "party") -> float:
    """The worth of an action by the recursion that expectimax stands for, in plain Python."""
    return sum(chance * ahead(after, depth - 1, side) for chance, after in game.copy().outcomes(action))


def ahead(game: Game, depth: int, side: str) -> float:
    """The worth of a position: of its best action, or as it stands at the horizon; an exchange is seen to its end."""
    attacked = bool(game.state["attacker"][0])
    if game.over or (depth <= 0 and not attacked):
        fighters = game.state_dict()["fighters"]
        kara, anzu = (fighters[name]["health"] / 2 for name in ("Kara", "Anzu"))
        won = {"party": 1.0, "foes": -1.0}.get(str(game.winner), 0.0)
        return (kara - anzu + won) * (1 if side == "party" else -1)
    worths = [value_of(game, action, depth, side) for action in game.legal()]
    return max(worths) if game.side == side else min(worths)


@pytest.mark.parametrize(("agent", "depth"), [("greedy", 1), ("expectimax:1", 1), ("expectimax:2", 2)])
def test_it_plays_what_is_worth_most_at_its_horizon(agent: str, depth: int) -> None:
    game = last_blow(health=2)
    for action in ("ATTACK Anzu", None):
        if action is not None:
            game.play(action)
        worths = {it: value_of(game, it, depth, str(game.side)) for it in game.legal()}
        chosen = load_agent(agent).choose(game)
        assert worths[chosen] == pytest.approx(max(worths.values()), abs=1e-12)
        assert len(worths) > 1


def test_greedy_is_expectimax_of_one_action() -> None:
    batch = Batch(load_encounter("the_lens/duel"), 50, seed=2)
    roaming = load_agent("random")
    for _ in range(10):
        batch = batch.select(np.flatnonzero(~batch.over))
        one, other = (load_agent(name).candidates(batch) for name in ("greedy", "expectimax:1"))  # type: ignore[attr-defined]
        assert (one == other).all()
        batch.step(roaming.act(batch))


def test_mcts_comes_near_the_optimum_where_a_single_decision_is_left() -> None:
    """Whether to press on is worth much more than to end the turn: found whatever the playouts do."""
    game = last_blow(insights=0, dodge=0, block=0, clash=1)
    for playout in ("never_defend", "always_mitigate"):
        agent = load_agent({"agent": "mcts", "simulations": 400, "playout": playout})
        assert agent.choose(game) == "ATTACK Anzu"


def test_mcts_exploits_the_opponent_that_it_is_told_of() -> None:
    """Anzu dodges well: an attack is only worth its Poise if he never defends himself."""
    game = last_blow(insights=0, attack=6, dodge=6, clash=6)
    assert load_agent("exact").choose(game) == "END TURN"
    assert load_agent({"agent": "exact", "against": "never_defend"}).choose(game) == "ATTACK Anzu"
    for seed in range(5):
        agent = load_agent({"agent": "mcts", "opponent": "never_defend"})
        agent.reset(seed)
        assert agent.choose(game) == "ATTACK Anzu"


def test_mcts_depends_on_its_seed_and_the_skirmish_alone() -> None:
    whole = Batch(load_encounter("the_lens/duel"), 40, seed=3)
    agent = load_agent("mcts:30")
    agent.reset(1)
    first = agent.act(whole)
    again = load_agent("mcts:30")
    again.reset(1)
    parts = [again.act(whole.select(np.arange(begin, begin + 10))) for begin in (30, 20, 10, 0)]
    assert (np.concatenate(parts[::-1]) == first).all()


@pytest.mark.parametrize("name", ["greedy", "mcts:4"])
@pytest.mark.parametrize("ruleset", ["the_lens", "lamashtu"])
def test_nobody_acts_illegally(name: str, ruleset: str) -> None:
    """Over 10,000 random positions, on either side."""
    agent, roaming = load_agent(name), load_agent("random")
    batch, seen = Batch(load_encounter(default_encounter(ruleset)), 500, seed=4), 0
    while seen < 10_000:
        going = np.flatnonzero(~batch.over)
        if not len(going):
            batch.reset(seen)
            continue
        some = batch.select(going)
        actions = agent.act(some)
        assert (some.mask[np.arange(len(some)), actions] == 1).all()
        seen += len(some)
        steps = np.full(len(batch), -1)
        steps[going] = roaming.act(some)
        batch.step(steps)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("expectimax:0", "agent expectimax: depth: a whole number from 1 to 12, got '0'"),
        ("expectimax:two", "depth: a whole number from 1 to 12, got 'two'"),
        ("mcts:0", "agent mcts: simulations: a whole number from 1 to 1000000, got '0'"),
        ({"agent": "mcts", "explore": -1}, "explore: a number from 0 to 100, got -1"),
        ({"agent": "mcts", "playout": "random"}, "playout: a scripted agent, got random"),
        ({"agent": "mcts", "opponent": "exact"}, "opponent: a scripted agent, got exact"),
        ({"agent": "expectimax", "otherwise": "nobody"}, "unknown agent 'nobody'"),
    ],
)
def test_wrong_settings_are_refused(spec: Any, message: str) -> None:
    with pytest.raises(LensError, match=message):
        load_agent(spec)
