"""Section 8: the end of a skirmish."""

from __future__ import annotations

import pytest

from lens_env.errors import IllegalAction
from tests.rulesets.lamashtu.scenes import asked, at, attacked, duel, fighter, game, play, who

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("side", ["party", "foes"])
def test_s8_a_side_whose_fighters_are_all_out_has_lost(side: str) -> None:
    frail = {"health": 3}
    party, foes = ({}, frail) if side == "foes" else (frail, {})
    running = game(duel(party=[fighter(**party)], foes=[fighter("Anzu", **foes)]), (2, 0))
    if side == "party":
        running.play("END TURN")
    play(running, f"ATTACK {'Anzu' if side == 'foes' else 'Kara'}", "NONE")
    assert (running.over, running.winner) == (True, "party" if side == "foes" else "foes")


def test_s5_at_0_health_a_fighter_is_out_and_damage_stops_there() -> None:
    running = attacked((2, 0), health=2, foes=[fighter("Anzu", health=2), fighter("Mushussu")]).play("NONE")
    assert (who(running)["health"], who(running)["out"], at(running)) == (0, 1, (-1, -1))
    assert (running.over, asked(running)) == (False, ("Kara", "ACT"))
    assert "ATTACK Anzu" not in running.legal() and "ATTACK Mushussu" in running.legal()


def test_s8_a_finished_skirmish_asks_nobody_and_allows_nothing() -> None:
    running = attacked((2, 0), health=3).play("NONE")
    assert (running.window, running.decider, running.side, running.legal()) == (None, None, None, [])
    with pytest.raises(IllegalAction, match="over"):
        running.play("END TURN")


@pytest.mark.parametrize("rounds", [1, 3])
def test_s8_after_max_rounds_it_ends_undecided(rounds: int) -> None:
    running = game(duel(max_rounds=rounds))
    for number in range(rounds):
        assert (running.over, running.round) == (False, number + 1)
        play(running, "END TURN", "END TURN")
    assert (running.over, running.winner, running.state_dict()["winner"]) == (True, None, 3)


def test_s8_max_rounds_defaults_to_50() -> None:
    running, turns = game(duel()), 0
    while not running.over:
        running.play("END TURN")
        turns += 1
    assert turns == 100


def test_a_picture_shows_health_poise_points_and_the_attack() -> None:
    running = attacked((1, 0), (0, 0), poise=3).play("DODGE").play("ATTACK Anzu")
    shown = running.ruleset.depict(running.state[0], running.built)
    assert (shown.attacker, shown.target, shown.attack) == (0, 1, "4 dice for 3 damage")
    kara, anzu = shown.portraits
    assert [(bar.name, bar.now, bar.most) for bar in anzu.bars] == [("Health", 10, 10), ("Poise", 2, 3)]
    assert (anzu.notes, anzu.out, anzu.cell) == (("Off-Balance",), False, None)
    assert (kara.pips.name, kara.pips.now, kara.pips.most) == ("Action Points", 1, 3)


def test_s8_the_log_tells_the_end() -> None:
    assert attacked((2, 0), health=3).play("NONE").log[-1] == "The party wins."
    assert play(game(duel(max_rounds=1)), "END TURN", "END TURN").log[-1] == "The skirmish ends undecided."
