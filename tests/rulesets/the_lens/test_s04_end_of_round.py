"""The Lens, section 4: the order at the end of a round."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.scenes import (
    asked,
    attack,
    begin,
    duel,
    foes_turn,
    happened,
    hero,
    ogre,
    play,
    who,
)

pytestmark = pytest.mark.kernel


def struck(tags: list[str], points: int = 1, party: list[Any] | None = None, **changes: Any) -> Game:
    """The foes' turn after one undefended hit on Kara: 1d20 damage, and these tags."""
    foe = ogre(attacks=[attack(dice=1, sides=20, tags=tags)], **changes)
    return play(foes_turn(duel(party=party, foes=[foe]), points), "ATTACK Kara with club", "NONE")


def places(running: Game, *texts: str) -> list[int]:
    """Where the log first says each of these."""
    told = happened(running)
    return [next(i for i, line in enumerate(told) if text in line) for text in texts]


# --- (1) BURNING and BLEEDING ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tags", "lost"), [([], 0), (["burning"], 1), (["bleeding"], 1), (["slashing"], 1), (["burning", "bleeding"], 2)]
)
def test_s4_first_burning_and_bleeding_take_body(tags: list[str], lost: int) -> None:
    """15 of 20 points are left after the hit; nothing comes back, as Kara had a single point and used it."""
    data = duel(party=[hero(momentum=1)], foes=[ogre(attacks=[attack(dice=1, sides=20, tags=tags)])])
    running = play(begin(data, "BOTCH", 5), "ATTACK Ogre", "ATTACK Kara with club", "NONE", "END TURN")
    assert (running.round, who(running)["body"]) == (2, 15 - lost)


def test_s4_burning_comes_before_recovery() -> None:
    """19 left after the hit, 18 after the fire, and all 20 again: 2 of 3 points count."""
    running = struck(["burning"]).play("END TURN")
    assert who(running)["body"] == 20
    order = places(running, "Kara loses 1 BODY: 18", "Kara recovers 2 BODY: 20", "Round 2.")
    assert order == sorted(order)


def test_s4_one_who_falls_by_the_fire_does_not_recover() -> None:
    running = struck(["burning"], 19, party=[hero(), hero("Odo")]).play("END TURN")
    assert (who(running)["out"], who(running)["body"]) == (1, 0)
    assert running.round == 2


def test_s4_fire_ends_the_skirmish_of_a_side() -> None:
    running = struck(["burning"], 19).play("END TURN")
    assert (running.over, running.winner) == (True, "foes")


def burning_both(kara: int, theirs: int) -> Game:
    """Kara and the Ogre burn, this many points of BODY each being left; the round is about to end."""
    torch = {"name": "torch", "size": "small", "effect": "harm", "amount": 1, "tag": "burning"}
    foe = ogre(body=theirs + 1, attacks=[attack(dice=1, sides=20, tags=["burning"])])
    running = begin(duel(party=[hero(items=[torch])], foes=[foe]), 20 - kara)
    return play(running, "USE torch", "END TURN", "ATTACK Kara with club", "NONE")


@pytest.mark.parametrize(
    ("kara", "theirs", "over", "winner"),
    [(1, 1, True, None), (1, 2, True, "foes"), (2, 1, True, "party"), (2, 2, False, None)],
)
def test_s4_both_sides_out_at_once_is_undecided(kara: int, theirs: int, over: bool, winner: str | None) -> None:
    running = burning_both(kara, theirs).play("END TURN")
    assert (running.over, running.winner) == (over, winner)


# --- (2) Recovery and (3) counters -------------------------------------------------------------------------


def test_s4_second_recovery_then_third_the_counters() -> None:
    """While the player still shares the points, HAMSTRUNG and the rest have not counted down."""
    attacks = [
        attack("hook", dice=1, sides=20, tags=["hamstrung", "bleeding"]),
        attack("howl", dice=1, sides=20, pool="mind"),
    ]
    running = foes_turn(duel(foes=[ogre(attacks=attacks)]), 5, 5)
    play(running, "ATTACK Kara with hook", "NONE", "ATTACK Kara with howl", "NONE", "END TURN")
    assert asked(running) == ("Kara", "RECOVER")
    assert (who(running)["hamstrung"], who(running)["bleeding"]) == (2, 3)
    running.play("RECOVER 3")
    assert (who(running)["hamstrung"], who(running)["bleeding"]) == (1, 2)


def test_s4_hamstrung_lasts_to_the_end_of_the_next_round() -> None:
    running = struck(["hamstrung"]).play("END TURN")
    assert who(running)["hamstrung"] == 1
    assert who(play(running, "END TURN", "END TURN"))["hamstrung"] == 0


def test_s4_bleeding_hurts_at_the_end_of_this_and_the_two_following_rounds() -> None:
    """Kara's single point goes into attacks that miss, so nothing comes back."""
    club = attack(dice=1, sides=20, tags=["bleeding"])
    data = duel(party=[hero(momentum=1)], foes=[ogre(attacks=[club])])
    running = begin(data, "BOTCH", 1, *["BOTCH"] * 4)
    play(running, "ATTACK Ogre", "ATTACK Kara with club", "NONE", "END TURN")
    left = [who(running)["body"]]
    for _ in range(4):
        play(running, "ATTACK Ogre", "END TURN")
        left.append(who(running)["body"])
    assert left == [18, 17, 16, 16, 16]


def test_s4_locks_end_with_the_round() -> None:
    kara = hero(shield={"quality": "common"})
    running = foes_turn(duel(party=[kara]), "SACRIFICE")
    play(running, "ATTACK Kara with club", "BLOCK", "SACRIFICE", "ATTACK Kara with club")
    assert "BLOCK" not in running.legal()
    running = foes_turn(duel(party=[kara]), "SACRIFICE")
    play(running, "ATTACK Kara with club", "BLOCK", "SACRIFICE", "END TURN", "END TURN", "ATTACK Kara with club")
    assert "BLOCK" in running.legal()


def test_s4_guards_are_free_again_in_the_next_round() -> None:
    running = begin(duel(foes=[ogre(guard="parry")]), "SUCCESS", "SUCCESS", 5, "SUCCESS")
    play(running, "ATTACK Ogre", "GUARD", "ATTACK Ogre")
    assert asked(running) == ("Kara", "ACT")
    play(running, "END TURN", "END TURN", "ATTACK Ogre")
    assert asked(running) == ("Ogre", "GUARD")


# --- (4) the refresh ---------------------------------------------------------------------------------------


def test_s4_fourth_refresh_of_momentum_then_pending_stun() -> None:
    """Kara has no Momentum left when the STUN strikes: it waits, and costs one of the next three points."""
    running = begin(duel(foes=[ogre(attacks=[attack(tags=["stun"])])]), *["SUCCESS", 2] * 3, 5)
    play(running, *["ATTACK Ogre"] * 3, "END TURN", "ATTACK Kara with club", "NONE")
    assert (who(running)["momentum"], who(running)["stun_pending"]) == (0, 1)
    running.play("END TURN")
    assert (running.round, who(running)["momentum"], who(running)["stun_pending"]) == (2, 2, 0)
    assert who(play(running, "END TURN", "END TURN"))["momentum"] == 3


def test_s4_unspent_momentum_is_not_kept() -> None:
    running = play(begin(duel()), "END TURN", "END TURN")
    assert (who(running)["momentum"], who(running, "Ogre")["momentum"]) == (3, 3)


def test_s4_stun_at_once_leaves_a_point_less_to_recover_with() -> None:
    assert who(struck(["stun"], 10).play("END TURN"))["body"] == 12


def test_s4_the_choice_of_acting_later_is_not_kept() -> None:
    running = begin(duel(), initiative="TRIUMPH")
    play(running, "AFTER", "END TURN", "END TURN")
    assert (running.round, running.window, who(running)["later"]) == (2, "TIMING", 0)


@pytest.mark.parametrize("rounds", [1, 3])
def test_s4_after_max_rounds_the_skirmish_ends_undecided(rounds: int) -> None:
    running = begin(duel(max_rounds=rounds))
    for _ in range(rounds):
        assert not running.over
        play(running, "END TURN", "END TURN")
    assert (running.over, running.winner) == (True, None)


def test_s4_a_surprise_round_does_not_count_against_max_rounds() -> None:
    running = begin(duel(max_rounds=1, surprise="foes"))
    assert (running.play("END TURN").round, running.over) == (1, False)
    assert play(running, "END TURN", "END TURN").over
