"""Section 8: spectators, and how one is drawn in."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.norova.scenes import (
    ALL,
    asked,
    attack,
    begin,
    chances,
    duel,
    fighter,
    on_board,
    p,
    play,
    strike,
    vitality,
)

pytestmark = pytest.mark.kernel

BOW = attack(kind="projectile", range=9)
MIRROR = {"name": "mirror", "check": "react", "difficulty": 15, "effect": "counter"}


def watched(*rolls: Any, archer: Any = None, rules: Any = ALL, **me: Any) -> Game:
    """Kara and the Foe have ended their turns; an Archer among the spectators may shoot."""
    foes = [fighter("Foe"), fighter("Archer", **{"role": "spectator", "attacks": [BOW], **(archer or {})})]
    return play(begin(duel([fighter(**me)], foes, rules=rules), *rolls), "END TURN", "END TURN")


def test_s08_a_spectator_is_no_participant_and_no_target() -> None:
    foes = [fighter("Foe"), fighter("Archer", role="spectator", attacks=[BOW])]
    running = begin(duel([fighter()], foes))
    assert running.legal() == ["END TURN", "ATTACK Foe with sword"]


def test_s08_one_attack_at_the_end_of_the_round_decided_by_the_gm() -> None:
    running = watched()
    assert (asked(running), running.side) == (("Archer", "SPECTATE"), "foes")
    assert set(running.legal()) == {"PASS", "ATTACK Kara with sword"}
    running.play("PASS")
    assert (asked(running), running.round) == (("Kara", "ACT"), 2)


def test_s08_r32_a_spectator_of_the_partys_side_shoots_at_the_foes_and_the_gm_decides() -> None:
    party = [fighter(), fighter("Friend", role="spectator", allegiance="party", attacks=[BOW])]
    running = play(begin(duel(party)), "END TURN", "END TURN")
    assert (asked(running), running.side) == (("Friend", "SPECTATE"), "foes")
    assert set(running.legal()) == {"PASS", "ATTACK Foe with sword"}


def test_s08_several_act_in_file_order() -> None:
    foes = [fighter("Foe"), *(fighter(name, role="spectator", attacks=[BOW]) for name in ("Archer", "Boy"))]
    running = play(begin(duel([fighter()], foes, rules=ALL), "FAILURE"), "END TURN", "END TURN")
    assert asked(running) == ("Archer", "SPECTATE")
    running.play("ATTACK Kara with sword").play("NONE")
    assert asked(running) == ("Boy", "SPECTATE")
    assert asked(running.play("PASS")) == ("Kara", "ACT")


@pytest.mark.parametrize("hidden", [0, 2, 5])
def test_s08_r06_it_must_be_noticed_at_15_plus_its_hidden(hidden: int) -> None:
    running = watched(archer={"hidden": hidden}, perceive=4)
    found = chances(running, "ATTACK Kara with sword", lambda after: "EVADE" in after.legal())
    assert found[True] == pytest.approx(float(p(4, 15 + hidden)), abs=1e-12)


def test_s08_the_highest_difficulty_counts() -> None:
    running = watched(perceive=4, statuses={"distracted": 2})
    found = chances(running, "ATTACK Kara with sword", lambda after: "EVADE" in after.legal())
    assert found[True] == pytest.approx(float(p(4, 20)), abs=1e-12)


def test_s08_unnoticed_it_leaves_no_defence() -> None:
    assert watched("FAILURE").play("ATTACK Kara with sword").legal() == ["NONE"]


@pytest.mark.parametrize("choice", ["NONE", "EVADE", "DEFEND"])
def test_s08_defending_does_not_draw_it_in(choice: str) -> None:
    rolls = ["SUCCESS", "FAILURE"] if choice == "EVADE" else ["SUCCESS"]
    running = play(watched(*rolls), "ATTACK Kara with sword", choice)
    assert "ATTACK Archer with sword" not in running.legal()


@pytest.mark.parametrize("choice", ["COUNTER", "SKILL 1"])
@pytest.mark.parametrize("outcome", ["SUCCESS", "FAILURE"])
def test_s08_r19_a_declared_counter_draws_it_in_and_it_acts_last_from_the_next_round_on(
    choice: str, outcome: str
) -> None:
    me = {"counter_attack": True, "skills": [MIRROR]}
    running = play(watched("SUCCESS", outcome, **me), "ATTACK Kara with sword", choice)
    if outcome == "SUCCESS":
        assert asked(running) == ("Archer", "DEFEND")
        running.play("NONE")
        assert vitality(running, "Archer") == 15
    assert (running.round, asked(running)) == (2, ("Kara", "ACT"))
    assert "ATTACK Archer with sword" in running.legal()
    play(running, "END TURN", "END TURN")
    assert asked(running) == ("Archer", "ACT")
    assert (running.play("END TURN").round, asked(running)) == (3, ("Kara", "ACT"))


def test_s08_it_counts_for_victory_only_when_it_is_drawn_in() -> None:
    foes = [fighter("Foe", vitality=5), fighter("Archer", role="spectator", attacks=[BOW])]
    running = strike(begin(duel([fighter()], foes, rules=ALL), "FAILURE"), "Foe").play("NONE")
    assert running.winner == "party"
    rolls = ["SUCCESS", "FAILURE", "FAILURE"]
    data = duel([fighter(counter_attack=True)], foes, rules=ALL)
    running = play(begin(data, *rolls), "END TURN", "END TURN", "ATTACK Kara with sword", "COUNTER")
    strike(running, "Foe").play("NONE")
    assert not running.over


def test_s08_r21_on_a_board_it_has_a_place_and_a_reach() -> None:
    archer = fighter("Archer", role="spectator", attacks=[attack(range=2)])
    for x, shoots in ((2, True), (3, False)):
        data = on_board({"Kara": (0, 0), "Foe": (7, 7), "Archer": (x, 0)}, foes=[fighter("Foe"), archer])
        running = play(begin(data), "END TURN", "END TURN")
        assert (running.window == "SPECTATE") is shoots
