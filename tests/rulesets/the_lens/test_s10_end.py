"""Section 10: the end of a skirmish."""

from __future__ import annotations

import pytest

from lens_env.errors import IllegalAction
from tests.rulesets.the_lens.fights import armed_with, attacked, declared, knight, readied
from tests.rulesets.the_lens.scenes import asked, attack, begin, duel, foes_turn, hero, ogre, play, who

pytestmark = pytest.mark.kernel

FRAIL = {"body": 5, "mind": 5, "spirit": 5}
QUIET = {"reactions": "defence_only"}


def test_s10_the_foes_have_lost_when_all_are_out() -> None:
    running = begin(duel(foes=[ogre(body=5)]), "SUCCESS", 5).play("ATTACK Ogre")
    assert (running.over, running.winner) == (True, "party")


def test_s10_one_foe_standing_is_enough_to_go_on() -> None:
    data = duel(foes=[ogre(body=5), ogre("Troll")], rules=QUIET)
    running = begin(data, "SUCCESS", 5).play("ATTACK Ogre")
    assert (running.over, running.winner, asked(running)) == (False, None, ("Kara", "ACT"))


def test_s10_the_party_has_lost_when_all_are_out() -> None:
    data = duel(party=[hero(aspects=FRAIL), hero("Tomas", aspects=FRAIL)], foes=[ogre(momentum=2)])
    running = declared(foes_turn(data, 5, 6)).play("NONE")
    assert not running.over
    declared(running, "Tomas").play("NONE")
    assert (running.over, running.winner) == (True, "foes")


@pytest.mark.parametrize(("pool", "over"), [("body", True), ("mind", True), ("spirit", False)])
def test_s10_body_or_mind_0_is_out_spirit_0_is_not(pool: str, over: bool) -> None:
    running = attacked(5, party=[knight(aspects=FRAIL)], foes=[ogre(attacks=[attack(pool=pool)])]).play("NONE")
    assert running.over is over


def test_s10_a_finished_skirmish_asks_nobody_and_allows_nothing() -> None:
    running = begin(duel(foes=[ogre(body=5)]), "SUCCESS", 5).play("ATTACK Ogre")
    assert (running.window, running.decider, running.side, running.legal()) == (None, None, None, [])
    with pytest.raises(IllegalAction, match="over"):
        running.play("END TURN")


def test_s10_who_is_out_is_no_target_and_has_no_turn() -> None:
    data = duel(party=[hero(), hero("Tomas")], foes=[ogre(body=5), ogre("Troll")], rules=QUIET)
    running = begin(data, "SUCCESS", 5).play("ATTACK Ogre")
    assert "ATTACK Ogre" not in running.legal()
    play(running, "END TURN", "END TURN")
    assert asked(running) == ("Troll", "ACT")


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_s10_after_max_rounds_it_ends_undecided(rounds: int) -> None:
    running = begin(duel(max_rounds=rounds))
    for _ in range(rounds):
        assert not running.over
        play(running, "END TURN", "END TURN")
    assert (running.over, running.winner, running.round) == (True, None, rounds)
    assert running.state_dict()["winner"] == 3


def test_s10_max_rounds_defaults_to_50() -> None:
    running = begin(duel())
    turns = 0
    while not running.over:
        running.play("END TURN")
        turns += 1
    assert (turns, running.winner) == (100, None)


def test_s10_a_surprise_round_is_none_of_the_max_rounds() -> None:
    running = begin(duel(surprise="party", max_rounds=1))
    assert (running.round, running.decider) == (0, "Ogre")
    running.play("END TURN")
    assert (running.round, running.over) == (1, False)


def test_s10_the_steps_at_the_end_of_the_last_round_still_count() -> None:
    data = duel(party=[armed_with("BURNING")], foes=[ogre(body=3)], max_rounds=1)
    running = readied(data, "BURNING", rolls=("SUCCESS", 2)).play("ATTACK Ogre")
    play(running, "END TURN", "END TURN")
    assert (running.over, running.winner) == (True, "party")


def test_s10_both_sides_out_at_once_is_undecided() -> None:
    party = [armed_with("BURNING", aspects={"body": 3, "mind": 4, "spirit": 4})]
    data = duel(party=party, foes=[ogre(body=3, attacks=[attack(tags=["burning"])])])
    running = readied(data, "BURNING", rolls=("SUCCESS", 2, 2)).play("ATTACK Ogre")
    declared(running.play("END TURN")).play("NONE")
    assert (who(running)["body"], who(running, "Ogre")["body"]) == (1, 1)
    running.play("END TURN")
    assert (running.over, running.winner, running.state_dict()["winner"]) == (True, None, 3)


def test_s10_the_log_tells_the_end() -> None:
    assert begin(duel(foes=[ogre(body=5)]), "SUCCESS", 5).play("ATTACK Ogre").log[-1] == "The party wins."
    assert play(begin(duel(max_rounds=1)), "END TURN", "END TURN").log[-1] == "The skirmish ends undecided."
