"""Agents that reckon with the exact chances of defences, and what they do in Legacy of Lamashtu."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents import load_agent
from lens_env import Encounter, Game, Scripted
from lens_env.play.engine import Batch

FIGHTER: dict[str, Any] = {"attack": 4, "block": 5, "dodge": 6, "clash": 4, "health": 9, "damage": 2}
DEFENSES = ("NONE", "BLOCK", "DODGE", "CLASH")


def attacked(*rolls: tuple[int, int], by: int = 4, rules: Any = None, **sheet: Any) -> Game:
    """Kara attacks Anzu with this pool; it is his to defend."""
    kara = {"name": "Kara", **FIGHTER, "attack": by, "initiative": 9}
    anzu = {"name": "Anzu", **FIGHTER, "initiative": 1, **sheet}
    data = {"ruleset": "lamashtu", "name": "Test", "party": [kara], "foes": [anzu], "rules": rules or {}}
    return Game(Encounter.from_dict(data), dice=Scripted(rolls)).play("ATTACK Anzu")


def choice(running: Game, agent: str) -> str:
    """What an agent plays here."""
    return load_agent(agent).choose(running)


# --- the chances -------------------------------------------------------------------------------------------


def failing(running: Game, defense: str) -> float:
    """The chance, by all outcomes, that a defence costs Poise or Health."""
    before = running.state_dict()["fighters"]["Anzu"]
    return sum(
        chance
        for chance, after in running.outcomes(defense)
        if any(after.state_dict()["fighters"]["Anzu"][field] < before[field] for field in ("poise", "health"))
    )


@pytest.mark.parametrize("insights", [0, 5, 10])
@pytest.mark.parametrize("dice", [4, 6])
def test_the_risk_of_a_defence_is_that_of_its_outcomes(dice: int, insights: int) -> None:
    running = attacked(by=dice, insights=insights)
    risk = Batch.of(running.encounter, running.state, running.dice, running.masks).advice().risk
    for name in DEFENSES:
        action = running.built.actions.index(name)
        assert risk[0, action] == pytest.approx(failing(running, name), abs=1e-12)
    assert np.isnan(risk[0, running.built.actions.index("END TURN")])


@pytest.mark.parametrize("rolled", range(5))
def test_the_risk_against_a_revealed_roll(rolled: int) -> None:
    running = attacked((rolled, 0), rules={"reveal_attack_roll": True})
    risk = Batch.of(running.encounter, running.state, running.dice, running.masks).advice().risk
    for name in DEFENSES:
        assert risk[0, running.built.actions.index(name)] == pytest.approx(failing(running, name), abs=1e-12)


# --- what they choose --------------------------------------------------------------------------------------


def test_the_miser_takes_the_surest_defence_but_never_none() -> None:
    assert choice(attacked(), "poise_miser") == "DODGE"
    assert choice(attacked(block=7), "poise_miser") == "BLOCK"
    assert choice(attacked(dodge=4, clash=8), "poise_miser") == "CLASH"
    assert choice(attacked(insights=10), "poise_miser") == "DODGE"


def test_the_gambler_goes_without_where_the_tier_score_is_surer() -> None:
    """4 dice pass a target of 3 once in 81, and beat 6 dice oftener; a target of 1 they pass in 33 of 81."""
    assert choice(attacked(insights=10), "tier_gambler") == "NONE"
    assert choice(attacked(), "tier_gambler") == "DODGE"


@pytest.mark.parametrize(("rolled", "chosen"), [(0, "NONE"), (1, "NONE"), (2, "DODGE"), (4, "DODGE")])
def test_the_gambler_looks_at_a_revealed_roll(rolled: int, chosen: str) -> None:
    """Against a target of 1: what does not pass it costs nothing."""
    assert choice(attacked((rolled, 0), rules={"reveal_attack_roll": True}), "tier_gambler") == chosen


@pytest.mark.parametrize(
    ("agent", "chosen"),
    [("always_block", "BLOCK"), ("always_dodge", "DODGE"), ("always_clash", "CLASH"), ("never_defend", "NONE"),
     ("balanced", "BLOCK"), ("aggressive", "CLASH"), ("always_parry", "BLOCK")],
)  # fmt: skip
def test_the_named_defence_is_chosen(agent: str, chosen: str) -> None:
    assert choice(attacked(), agent) == chosen


@pytest.mark.parametrize(
    ("agent", "first"),
    [
        ("poise_miser", "RECOVER"),
        ("always_block", "RECOVER"),
        ("aggressive", "ATTACK Kara"),
        ("never_defend", "ATTACK Kara"),
    ],
)
def test_who_recovers_before_attacking(agent: str, first: str) -> None:
    running = attacked((1, 0), (0, 0)).play("BLOCK").play("END TURN")
    assert choice(running, agent) == first


def test_nobody_saves_points_that_no_reaction_needs() -> None:
    """All Action Points are spent before the turn ends."""
    running = attacked((0, 0), (0, 0), (0, 0), (0, 0)).play("NONE").play("END TURN")
    for _ in range(3):
        assert choice(running, "always_block") == "ATTACK Kara"
        running.play("ATTACK Kara").play("NONE")
    assert running.legal() == ["END TURN"]


def test_criticals_are_cashed_for_poise_first() -> None:
    running = attacked((1, 0), (0, 0), (0, 0), (3, 3)).play("BLOCK").play("ATTACK Anzu").play("BLOCK")
    assert choice(running, "poise_miser") == "CASH POISE"
    assert choice(running.play("CASH POISE"), "poise_miser") == "CASH AP"


def test_who_clashes_presses_the_clash() -> None:
    running = attacked((1, 0), (2, 1)).play("CLASH")
    assert choice(running, "always_clash") == "DONE"
    assert choice(running.play("DONE"), "always_clash") == "IMPOSE"


@pytest.mark.parametrize("agent", ["always_block", "balanced", "poise_miser", "aggressive", "prefer:ATTACK,CLASH"])
def test_nobody_dithers_on_hexes(agent: str, poise: Encounter) -> None:
    """A move always ends nearer to an enemy, and nobody moves who can attack."""
    for seed in range(3):
        game = Game(poise, seed)
        agents = {"party": load_agent(agent), "foes": load_agent("always_dodge")}
        while not game.over:
            chosen = agents[str(game.side)].choose(game)
            if chosen == "MOVE":
                assert not any(name.startswith("ATTACK") for name in game.legal())
                before = game.state_dict()["fighters"][str(game.decider)]
                mover = str(game.decider)
                game.play(chosen)
                while game.window == "STEP":
                    game.play(agents[str(game.side)].choose(game))
                after = game.state_dict()["fighters"][mover]
                assert (after["x"], after["y"]) != (before["x"], before["y"])
            else:
                game.play(chosen)
