"""Ways to attack and ways to defend: each does in a scripted situation what its sentence says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents import list_agents, load_agent
from lens_env import Encounter, Game, Scripted, load_encounter
from lens_env.envs.options import default_encounter
from lens_env.play.engine import Batch
from tests.support import SPECIAL

POOLS: dict[str, Any] = {"attack": 4, "block": 5, "dodge": 6, "clash": 4, "health": 8, "damage": 2, "initiative": 5}


def duel(ada: dict[str, Any] | None = None, brigand: dict[str, Any] | None = None, **changes: Any) -> Encounter:
    """Ada against the Brigand of the_lens/duel, with other numbers."""
    data = load_encounter("the_lens/duel").data
    return Encounter.from_dict(
        {
            **data,
            "party": [{**data["party"][0], **(ada or {})}],
            "foes": [{**data["foes"][0], **(brigand or {})}],
            **changes,
        }
    )


def asked(encounter: Encounter, fighter: str, window: str) -> Game:
    """A skirmish as soon as this fighter is asked this; until then nobody does more than is needed."""
    for seed in range(50):
        game = Game(encounter, seed)
        while not game.over and (game.decider, game.window) != (fighter, window):
            game.play(load_agent("aggressive" if game.decider != fighter else "prefer:END TURN,YIELD").choose(game))
        if not game.over:
            return game
    raise AssertionError(f"{fighter} is never asked {window}")


def hurt(game: Game, **left: int) -> Game:
    """The same skirmish with other health (Legacy of Lamashtu)."""
    for name, health in left.items():
        game.state["fighters"]["health"][0, game.built.fighters.index(name)] = health
    return game


def three_to_strike() -> Game:
    """Kara may attack three of different health."""
    foes = [
        {"name": "Big", **POOLS, "health": 9},
        {"name": "Hurt", **POOLS, "health": 7},
        {"name": "Small", **POOLS, "health": 3},
    ]
    party = [{"name": "Kara", **POOLS, "initiative": 9}]
    game = Game(Encounter.from_dict({"ruleset": "lamashtu", "name": "Three", "party": party, "foes": foes}), 1)
    return hurt(game, Hurt=4)


@pytest.mark.parametrize(
    ("agent", "target"),
    [("focus_weakest", "Small"), ("focus_strongest", "Big"), ("cautious", "Small"), ("aggressive", "Small")],
)
def test_whom_it_attacks(agent: str, target: str) -> None:
    assert load_agent(agent).choose(three_to_strike()) == f"ATTACK {target}"


def test_spread_attacks_whoever_has_lost_least() -> None:
    """4 of 7 is less than all of 9 and of 3; of these two one is as good as the other."""
    game = three_to_strike()
    flags = load_agent("spread").candidates(Batch.of(game.encounter, game.state, game.dice, game.masks))  # type: ignore[attr-defined]
    assert {game.built.actions[i] for i in np.flatnonzero(flags[0])} == {"ATTACK Big", "ATTACK Small"}
    assert load_agent("spread").choose(hurt(game, Small=2)) == "ATTACK Big"


def test_cautious_keeps_two_points_for_reactions() -> None:
    game = asked(duel(), "Ada", "ACT")
    momentum = game.state["fighters"]["momentum"]
    for points, chosen in ((3, "ATTACK Brigand"), (2, "END TURN"), (1, "END TURN")):
        momentum[0, 0] = points
        assert load_agent("cautious").choose(game) == chosen
    momentum[0, 0] = 2
    assert load_agent("focus_weakest").choose(game) == "ATTACK Brigand"  # it keeps only one


def test_tag_hunter_takes_the_attack_that_leaves_no_good_defence() -> None:
    """Both attacks do the same damage undefended; against the heavy one the good shield and sword are of no use."""
    weapon = {"name": "hammer", "dice": 1, "sides": 6}
    brigand = {"attacks": [{**weapon, "name": "axe"}, {**weapon, "tags": ["heavy"]}]}
    ada = {
        "abilities": {
            "weapon_use": {"talent": "gifted", "rank": "master"},
            "shield_use": {"talent": "weak", "rank": "untrained"},
            "maneuvering": {"talent": "weak", "rank": "untrained"},
        }
    }
    game = asked(duel(ada, brigand), "Brigand", "ACT")
    game.state["fighters"]["momentum"][0, 0] = 3
    assert load_agent("tag_hunter").choose(game) == "ATTACK Ada with hammer"
    assert load_agent("tag_hunter+never_defend").choose(game) == "ATTACK Ada with hammer"


def harms(game: Game, attack: str) -> dict[str, float]:
    """By defence: the mean of the life that Ada loses more than the Brigand, each as a share of all, in an exchange."""
    found = {}
    for defense in game.copy().play(attack).legal():
        found[defense] = sum(chance * worth_of(after) for chance, after in game.copy().play(attack).outcomes(defense))
    return found


def worth_of(game: Game) -> float:
    """What the exchange comes to if nothing more is decided in it."""
    fighters = game.state_dict()["fighters"]
    ended = {"party": 1.0, "foes": -1.0}.get(str(game.winner), 0.0)
    return float(fighters["Ada"]["body"] / 8 - fighters["Brigand"]["body"] / 8) + ended


def test_expected_harm_is_the_best_of_one_exchange() -> None:
    """Reckoned here from the outcomes of every defence; without Momentum for a sacrifice nothing follows it."""
    for rank in ("untrained", "apprentice", "master"):
        ada = {
            "abilities": {
                "weapon_use": {"talent": "average", "rank": "apprentice"},
                "shield_use": {"talent": "average", "rank": rank},
                "maneuvering": {"talent": "strong", "rank": "apprentice"},
            }
        }
        game = asked(duel(ada), "Brigand", "ACT")
        game.state["fighters"]["momentum"][0, 0] = 1
        found = harms(game, "ATTACK Ada with axe")
        best = max(found.values())
        chosen = load_agent("expected_harm").choose(game.play("ATTACK Ada with axe"))
        assert found[chosen] == pytest.approx(best, abs=1e-12)
        assert len(found) == 4 and best > found["NONE"]


def attacked(health: int = 8, damage: int = 2) -> Game:
    """Kara attacks Anzu, who has so much health left, with two successes."""
    kara = {"name": "Kara", **POOLS, "initiative": 9, "damage": damage}
    data = {"ruleset": "lamashtu", "name": "Test", "party": [kara], "foes": [{"name": "Anzu", **POOLS}]}
    return hurt(Game(Encounter.from_dict(data), dice=Scripted([])).play("ATTACK Anzu"), Anzu=health)


def test_thrifty_defends_only_against_a_real_threat() -> None:
    """4 dice pass a target of 1 in 33 of 81: 2 points of damage are 0.815 on average, a quarter of 3 but not of 4."""
    assert load_agent("thrifty").choose(attacked(health=4)) == "NONE"
    assert load_agent("thrifty").choose(attacked(health=3)) == "BLOCK"
    assert load_agent("thrifty:0.2").choose(attacked(health=4)) == "BLOCK"
    assert load_agent("thrifty:0").choose(attacked(health=8)) == "BLOCK"
    assert load_agent("thrifty:1").choose(attacked(health=1)) == "NONE"


def test_last_stand_defends_once_it_is_hurt() -> None:
    assert load_agent("last_stand").choose(attacked(health=5)) == "NONE"
    assert load_agent("last_stand").choose(attacked(health=4)) == "BLOCK"
    assert load_agent("last_stand:1").choose(attacked(health=8)) == "BLOCK"


def test_a_way_to_attack_is_joined_with_a_way_to_defend() -> None:
    agent = load_agent("focus_strongest+never_defend")
    assert agent.name == "focus_strongest+never_defend"
    assert agent.choose(three_to_strike()) == "ATTACK Big"
    assert agent.choose(attacked(health=1)) == "NONE"
    same = load_agent({"agent": "joined", "attack": "focus_strongest", "defense": "thrifty:0.2"})
    assert same.choose(attacked(health=4)) == "BLOCK"


@pytest.mark.parametrize("name", [it for it in list_agents() if it not in SPECIAL])
@pytest.mark.parametrize("ruleset", ["the_lens", "lamashtu", "norova"])
def test_nobody_acts_illegally(name: str, ruleset: str) -> None:
    """Over 10,000 random positions, on either side."""
    agent = load_agent(name)
    batch = Batch(load_encounter(default_encounter(ruleset)), 500, seed=4)
    roaming, seen = load_agent("random"), 0
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
