"""Section 11: the end of a skirmish, and forbidden actions."""

from __future__ import annotations

import pytest

from lens_env.errors import IllegalAction
from tests.rulesets.norova.scenes import ALL, begin, duel, fighter, play, strike

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_s11_after_max_rounds_it_is_undecided(rounds: int) -> None:
    running = begin(duel(max_rounds=rounds))
    for _ in range(rounds):
        play(running, "END TURN", "END TURN")
    assert (running.over, running.winner, running.round) == (True, None, rounds)


def test_s11_the_default_is_50_rounds() -> None:
    running = begin(duel())
    while not running.over:
        running.play("END TURN")
    assert running.round == 50


def test_s11_a_finished_skirmish_asks_nobody_and_allows_nothing() -> None:
    data = duel(foes=[fighter("Foe", vitality=5)], rules=ALL)
    running = strike(begin(data, "FAILURE"), "Foe").play("NONE")
    assert (running.window, running.decider, running.side, running.legal()) == (None, None, None, [])
    with pytest.raises(IllegalAction, match="over"):
        running.play("END TURN")


def test_s11_forbidden_actions_are_taken_out_of_a_sides_choices_but_never_the_last() -> None:
    data = duel(forbid={"party": ["ATTACK", "END TURN"], "foes": []})
    assert begin(data).legal() == ["END TURN", "ATTACK Foe with sword"]
    data = duel(forbid={"party": ["ATTACK"], "foes": []})
    assert begin(data).legal() == ["END TURN"]
