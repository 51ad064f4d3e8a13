"""The Lens, section 3: Momentum, Recovery, and what empty pools mean."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from lens_env.errors import EncounterError
from tests.rulesets.the_lens.scenes import (
    asked,
    attack,
    begin,
    duel,
    foes_turn,
    hero,
    ogre,
    play,
    who,
)

pytestmark = pytest.mark.kernel

ARMED: dict[str, Any] = {"shield": {"quality": "common"}, "armor": {"rating": 2, "quality": "common"}}
SPELL = {"name": "dart", "school": "fire", "parameters": [2, 2], "dice": 1, "sides": 4}
SURE = {**SPELL, "parameters": [2, 1]}
PILL = {"name": "pill", "size": "tiny", "effect": "heal", "amount": 1}


def pools(running: Game, name: str = "Kara") -> tuple[int, int, int]:
    it = who(running, name)
    return it["body"], it["mind"], it["spirit"]


def damaged(body: int = 0, mind: int = 0, spirit: int = 0, **changes: Any) -> Game:
    """Kara after a round in which she was hurt this much and did nothing; she has 3 points to recover with.

    The ogre has an attack on each pool, of 1d20 damage.
    """
    hits = [("body", body), ("mind", mind), ("spirit", spirit)]
    attacks = [attack(pool, dice=1, sides=20, pool=pool) for pool, _ in hits]
    running = foes_turn(
        duel(party=[hero(**changes)], foes=[ogre(attacks=attacks)]), *[points for _, points in hits if points]
    )
    for pool, points in hits:
        if points:
            play(running, f"ATTACK Kara with {pool}", "NONE")
    return running.play("END TURN")


# --- Momentum ----------------------------------------------------------------------------------------------


def test_s3_each_fighter_has_3_momentum_at_the_start_of_a_round() -> None:
    running = begin(duel())
    assert (who(running)["momentum"], who(running, "Ogre")["momentum"]) == (3, 3)


def test_s3_momentum_is_refreshed_each_round() -> None:
    running = play(begin(duel(), "SUCCESS", 5), "ATTACK Ogre", "END TURN", "ATTACK Kara with club")
    assert (who(running)["momentum"], who(running, "Ogre")["momentum"]) == (2, 2)
    running = play(begin(duel(), "SUCCESS", 5), "ATTACK Ogre", "END TURN", "END TURN")
    assert (who(running)["momentum"], who(running, "Ogre")["momentum"]) == (3, 3)


@pytest.mark.parametrize("gift", ["quickness", "reflexes", "swiftness", "speed"])
def test_r05_each_gift_adds_one_momentum(gift: str) -> None:
    running = begin(duel(party=[hero(gifts=[gift])]))
    assert who(running)["momentum"] == 4
    assert who(play(running, "END TURN", "END TURN"))["momentum"] == 4


def test_s3_quickness_adds_one() -> None:
    assert who(begin(duel(party=[hero(gifts=["quickness"])])))["momentum"] == 4


def test_r05_gifts_add_up() -> None:
    assert who(begin(duel(party=[hero(gifts=["quickness", "reflexes", "speed"])])))["momentum"] == 6


def test_r05_gift_of_speed_counts_as_swiftness() -> None:
    with pytest.raises(EncounterError, match="twice"):
        begin(duel(party=[hero(gifts=["speed", "swiftness"])]))


@pytest.mark.parametrize(("bracket", "momentum"), [("BOTCH", 3), ("SACRIFICE", 4), ("SUCCESS", 4), ("TRIUMPH", 5)])
def test_s3_momentum_is_adjusted_by_the_bracket(bracket: str, momentum: int) -> None:
    assert who(begin(duel(party=[hero(gifts=["reflexes"])]), initiative=bracket))["momentum"] == momentum


def test_s3_momentum_is_never_below_0() -> None:
    """Confused with a single point, and a STUN on top of it."""
    stunning = ogre(attacks=[attack(dice=1, sides=1, tags=["stun"])])
    running = begin(duel(party=[hero(momentum=1)], foes=[stunning]), 1, initiative="BOTCH")
    assert who(running)["momentum"] == 0
    play(running, "ATTACK Kara with club", "NONE", "END TURN", "END TURN")
    assert (running.round, who(running)["momentum"]) == (2, 0)


@pytest.mark.parametrize("momentum", [0, 1, 5, 9])
def test_s3_foes_have_the_momentum_of_their_sheet(momentum: int) -> None:
    running = begin(duel(foes=[ogre(momentum=momentum)]))
    for _ in range(2):
        assert who(running, "Ogre")["momentum"] == momentum
        play(running, "END TURN", "END TURN")


def test_s3_each_action_spends_1() -> None:
    running = begin(duel(), "SUCCESS", 5, "SUCCESS", 5, "SUCCESS", 5)
    for left in (2, 1, 0):
        running.play("ATTACK Ogre")
        assert who(running)["momentum"] == left
    assert running.legal() == ["END TURN"]


@pytest.mark.parametrize("defence", ["BLOCK", "DODGE", "PARRY"])
def test_s3_each_active_defence_spends_1(defence: str) -> None:
    running = play(foes_turn(duel(party=[hero(**ARMED)]), "SUCCESS"), "ATTACK Kara with club", defence)
    assert who(running)["momentum"] == 2


@pytest.mark.parametrize(("reaction", "helper"), [("ASSIST", "Odo"), ("INTERFERE", "Imp")])
def test_s3_each_reaction_spends_1(reaction: str, helper: str) -> None:
    data = duel(party=[hero(), hero("Odo")], foes=[ogre(), ogre("Imp")])
    running = begin(data, "SUCCESS", 5).play("ATTACK Ogre")
    if reaction == "INTERFERE":
        running.play("PASS")
    assert asked(running) == (helper, reaction)
    running.play(reaction)
    if running.window == "INTERFERE":
        running.play("PASS")
    assert who(running, helper)["momentum"] == 2


def test_s3_without_momentum_only_passive_defences_remain() -> None:
    running = begin(duel(party=[hero(momentum=1, **ARMED)]), "SUCCESS", 5)
    play(running, "ATTACK Ogre", "END TURN", "ATTACK Kara with club")
    assert running.legal() == ["NONE", "MITIGATE"]


def test_s3_without_momentum_only_tiny_items_remain() -> None:
    items = [PILL, {**PILL, "name": "flask", "size": "small"}]
    kara = hero(momentum=1, items=items, spells=[SURE], weapon={**hero()["weapon"], "tags": ["stun"]})
    running = begin(duel(party=[kara]))
    assert set(running.legal()) == {"END TURN", "ATTACK Ogre", "TAG STUN", "FORM dart", "USE pill", "USE flask"}
    running.play("FORM dart")
    assert running.legal() == ["END TURN", "USE pill"]


def test_s3_without_momentum_nobody_reacts() -> None:
    data = duel(party=[hero(momentum=1), hero("Odo")], foes=[ogre(momentum=0), ogre("Imp", momentum=0)])
    running = begin(data, "SUCCESS", 5, "SUCCESS", 5)
    play(running, "ATTACK Ogre", "PASS", "END TURN", "ATTACK Ogre")
    assert asked(running) == ("Odo", "ACT")  # neither Kara nor the foes were asked


# --- Recovery ----------------------------------------------------------------------------------------------


def test_s3_every_unspent_point_becomes_1_recovery() -> None:
    assert pools(damaged(body=10)) == (13, 10, 8)


def test_s3_spent_points_are_no_recovery() -> None:
    running = begin(duel(), "SUCCESS", 5, 6)
    play(running, "ATTACK Ogre", "END TURN", "ATTACK Kara with club", "NONE", "END TURN")
    assert who(running)["body"] == 20 - 6 + 2


def test_s3_recovery_stops_at_the_maximum() -> None:
    assert pools(damaged(body=2)) == (20, 10, 8)


def test_s3_unhurt_nothing_is_asked_or_gained() -> None:
    running = play(begin(duel()), "END TURN", "END TURN")
    assert (running.round, running.window, pools(running)) == (2, "ACT", (20, 10, 8))


@pytest.mark.parametrize(
    ("hurt", "expected"), [({"body": 9}, (14, 10, 8)), ({"mind": 9}, (20, 4, 8)), ({"spirit": 7}, (20, 10, 4))]
)
def test_s3_with_one_damaged_pool_there_is_no_decision(hurt: dict[str, int], expected: tuple[int, int, int]) -> None:
    running = damaged(**hurt)
    assert (running.round, running.window) == (2, "ACT")
    assert pools(running) == expected


def test_s3_one_decision_for_each_damaged_pool_in_order_body_mind_spirit() -> None:
    running = damaged(body=5, mind=5, spirit=5)
    assert asked(running) == ("Kara", "RECOVER")
    assert running.legal() == ["RECOVER 0", "RECOVER 1", "RECOVER 2", "RECOVER 3"]
    running.play("RECOVER 1")
    assert pools(running) == (16, 5, 3)
    assert running.legal() == ["RECOVER 0", "RECOVER 1", "RECOVER 2"]
    running.play("RECOVER 1")
    assert pools(running) == (16, 6, 4)  # the last takes the rest
    assert running.round == 2


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["RECOVER 3"], (18, 5, 3)),
        (["RECOVER 0", "RECOVER 3"], (15, 8, 3)),
        (["RECOVER 0", "RECOVER 0"], (15, 5, 6)),
        (["RECOVER 2", "RECOVER 0"], (17, 5, 4)),
        (["RECOVER 2", "RECOVER 1"], (17, 6, 3)),
    ],
)
def test_s3_recovery_is_shared_as_the_player_chooses(answers: list[str], expected: tuple[int, int, int]) -> None:
    running = play(damaged(body=5, mind=5, spirit=5), *answers)
    assert (running.round, pools(running)) == (2, expected)


def test_s3_the_last_damaged_pool_takes_the_rest() -> None:
    running = damaged(mind=5, spirit=5)
    assert asked(running) == ("Kara", "RECOVER")
    assert pools(running.play("RECOVER 1")) == (20, 6, 5)


def test_s3_a_pool_takes_at_most_what_it_lacks() -> None:
    running = damaged(body=1, mind=5)
    assert running.legal() == ["RECOVER 0", "RECOVER 1"]
    assert pools(running.play("RECOVER 1")) == (20, 7, 8)


def test_r33_no_point_is_wasted_that_could_heal() -> None:
    """Three points, of which MIND can take one: BODY gets two at least."""
    running = damaged(body=5, mind=1)
    assert running.legal() == ["RECOVER 2", "RECOVER 3"]
    assert pools(running.play("RECOVER 2")) == (17, 10, 8)


def test_r33_of_three_pools_the_first_gets_what_both_others_cannot_take() -> None:
    running = damaged(body=5, mind=1, spirit=1)
    assert running.legal() == ["RECOVER 1", "RECOVER 2", "RECOVER 3"]
    assert pools(running.play("RECOVER 1")) == (16, 10, 8)  # then nothing is left to choose


def test_r33_with_enough_for_all_nothing_is_asked() -> None:
    running = damaged(body=1, mind=1, spirit=1)
    assert (running.round, running.window, pools(running)) == (2, "ACT", (20, 10, 8))


def test_s3_the_points_are_no_momentum_any_more() -> None:
    assert who(damaged(body=5, mind=5))["momentum"] == 0


def test_s3_recovery_in_file_order() -> None:
    attacks = [attack("body", dice=1, sides=20), attack("mind", dice=1, sides=20, pool="mind")]
    running = foes_turn(duel(party=[hero(), hero("Odo")], foes=[ogre(momentum=4, attacks=attacks)]), 5, 5, 5, 5)
    for name in ("Odo", "Kara"):
        for pool in ("body", "mind"):
            play(running, f"ATTACK {name} with {pool}", "NONE")
    assert asked(running.play("END TURN")) == ("Kara", "RECOVER")
    assert asked(running.play("RECOVER 3")) == ("Odo", "RECOVER")
    assert asked(running.play("RECOVER 3")) == ("Kara", "ACT")


def test_s3_recovery_cannot_raise_a_fighter_who_is_out() -> None:
    data = duel(party=[hero(), hero("Odo", aspects={"body": 5, "mind": 5, "spirit": 5})])
    running = play(foes_turn(data, 8), "ATTACK Odo with club", "NONE", "END TURN")
    assert (running.round, who(running, "Odo")["body"], who(running, "Odo")["out"]) == (2, 0, 1)


@pytest.mark.parametrize(("recovers", "body"), [(False, 25), (True, 28)])
def test_r06_foes_recover_only_if_the_sheet_says_so(recovers: bool, body: int) -> None:
    running = begin(duel(foes=[ogre(recovers=recovers)]), "SUCCESS", 5)
    play(running, "ATTACK Ogre", "END TURN", "END TURN")
    assert who(running, "Ogre")["body"] == body


def test_r06_foes_do_not_recover_by_default() -> None:
    running = play(begin(duel(), "SUCCESS", 5), "ATTACK Ogre", "END TURN", "END TURN")
    assert who(running, "Ogre")["body"] == 25


# --- pools -------------------------------------------------------------------------------------------------


def struck(pool: str, points: int, **changes: Any) -> Game:
    """Kara after a hit on a pool, with Odo beside her."""
    data = duel(party=[hero(**changes), hero("Odo")], foes=[ogre(attacks=[attack(dice=1, sides=20, pool=pool)])])
    return play(foes_turn(data, points), "ATTACK Kara with club", "NONE")


@pytest.mark.parametrize(("pool", "full"), [("body", 20), ("mind", 10), ("spirit", 8)])
def test_s3_pools_stop_at_0(pool: str, full: int) -> None:
    assert who(struck(pool, full))[pool] == 0
    assert who(struck(pool, 20))[pool] == 0


@pytest.mark.parametrize(("pool", "points", "out"), [("body", 20, 1), ("body", 19, 0), ("mind", 10, 1), ("mind", 9, 0)])
def test_s3_body_0_or_mind_0_is_out(pool: str, points: int, out: int) -> None:
    assert who(struck(pool, points))["out"] == out


def test_s3_one_who_is_out_is_no_target_and_takes_no_turn() -> None:
    running = struck("mind", 10)
    assert "ATTACK Kara with club" not in running.legal()
    assert asked(running.play("END TURN")) == ("Odo", "ACT")


def test_s3_spirit_0_is_not_out_but_neither_forms_nor_casts() -> None:
    spells = [SURE, {**SURE, "name": "bolt"}]
    running = begin(duel(party=[hero(spells=spells)], foes=[ogre(attacks=[attack(sides=20, pool="spirit")])]), 10)
    play(running, "FORM dart")
    assert {"FORM bolt", "CAST Ogre"} <= set(running.legal())
    play(running, "END TURN", "ATTACK Kara with club", "NONE")
    assert (who(running)["spirit"], who(running)["out"]) == (0, 0)


@pytest.mark.parametrize(("points", "magic"), [(7, True), (8, False)])
def test_s3_spirit_0_no_form_and_no_cast(points: int, magic: bool) -> None:
    """No points are left to recover with: the last goes into an attack of Kara's own."""
    spells = [SURE, {**SURE, "name": "bolt"}]
    foe = ogre(attacks=[attack(dice=1, sides=8, pool="spirit")])
    running = begin(duel(party=[hero(momentum=2, spells=spells)], foes=[foe]), "SUCCESS", 5, points)
    play(running, "FORM dart", "ATTACK Ogre", "END TURN", "ATTACK Kara with club", "NONE", "END TURN")
    assert ("FORM bolt" in running.legal(), "CAST Ogre" in running.legal()) == (magic, magic)


@pytest.mark.parametrize("pool", ["mind", "spirit"])
def test_r16_an_attack_on_a_pool_that_a_character_lacks_hits_body(pool: str) -> None:
    aspects = {"body": 20, "mind": 10, "spirit": 8, pool: 0}
    assert who(struck(pool, 7, aspects=aspects))["body"] == 13


@pytest.mark.parametrize("pool", ["body", "mind", "spirit"])
def test_r16_monsters_have_body_only(pool: str) -> None:
    running = begin(duel(party=[hero(spells=[{**SURE, "pool": pool}])]), "SUCCESS", 3)
    play(running, "FORM dart", "CAST Ogre")
    assert pools(running, "Ogre") == (27, 0, 0)


def test_r16_a_missing_pool_does_not_put_a_character_out() -> None:
    assert who(struck("mind", 1, aspects={"body": 20, "mind": 0, "spirit": 0}))["out"] == 0
