"""Section 6: attacking a monster: the outcomes, their order, damage, armour."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from lens_env import Encounter, Game
from lens_env.errors import EncounterError
from tests.rulesets.the_lens.fights import armed_with, mixed, readied, sums
from tests.rulesets.the_lens.scenes import asked, begin, chances, duel, efforts, happened, hero, ogre, play, who

pytestmark = pytest.mark.kernel

SIZES = {"tiny": 1, "small": 2, "medium": 3, "large": 4}
QUALITIES = {"crude": 2, "common": 4, "fine": 6, "superior": 8, "exquisite": 10, "legendary": 12}


def body_of_ogre(running: Game) -> int:
    return int(who(running, "Ogre")["body"])


# --- the outcomes ------------------------------------------------------------------------------------------


def test_s6_weapon_use_against_the_defense_of_the_target() -> None:
    """Of this target, not of another, and not its Abjuration."""
    foes = [ogre(defense=7, abjuration=3), ogre("Troll", defense=5)]
    running = play(begin(duel(foes=foes), "BOTCH"), "ATTACK Ogre", "PASS")
    assert any("rolls Weapon Use against 7:" in line for line in happened(running))


def test_s6_the_outcomes_have_the_chances_of_the_dice() -> None:
    """A closed form: d8, d6, d4 against 4."""
    running = begin(duel())
    after = chances(running, "ATTACK Ogre", lambda it: (it.window, it.decider, body_of_ogre(it) < 30))
    assert after == pytest.approx({
        ("ACT", "Ogre", False): 9 / 64,
        ("ATTACK_SACRIFICE", "Kara", False): 27 / 64,
        ("ACT", "Kara", True): 28 / 64,
    }, abs=1e-12)  # fmt: skip


def test_s6_attack_costs_1_momentum_whatever_the_outcome() -> None:
    for outcome in ("BOTCH", "SACRIFICE"):
        assert who(begin(duel(), outcome).play("ATTACK Ogre"))["momentum"] == 2
    assert who(begin(duel(), "SUCCESS", 5).play("ATTACK Ogre"))["momentum"] == 2


def test_s6_botch_misses_and_the_turn_ends() -> None:
    running = begin(duel(), "BOTCH").play("ATTACK Ogre")
    assert body_of_ogre(running) == 30
    assert asked(running) == ("Ogre", "ACT")


def test_s6_reactions_stay_possible_after_a_botch() -> None:
    running = play(begin(duel(), "BOTCH"), "ATTACK Ogre", "ATTACK Kara with club")
    assert {"DODGE", "PARRY"} <= set(running.legal())
    assert who(running)["momentum"] == 2


def test_s6_sacrifice_the_player_chooses() -> None:
    running = begin(duel(), "SACRIFICE").play("ATTACK Ogre")
    assert asked(running) == ("Kara", "ATTACK_SACRIFICE")
    assert running.legal() == ["YIELD", "SACRIFICE"]


def test_s6_sacrifice_miss() -> None:
    running = play(begin(duel(), "SACRIFICE"), "ATTACK Ogre", "YIELD")
    assert (body_of_ogre(running), who(running)["momentum"], asked(running)) == (30, 2, ("Kara", "ACT"))


def test_s6_sacrifice_hit_for_1_more_momentum() -> None:
    running = play(begin(duel(), "SACRIFICE", 5), "ATTACK Ogre", "SACRIFICE")
    assert (body_of_ogre(running), who(running)["momentum"], asked(running)) == (25, 1, ("Kara", "ACT"))


def test_r15_sacrifice_without_momentum_is_a_miss_and_nothing_is_asked() -> None:
    running = begin(duel(party=[hero(momentum=1)]), "SACRIFICE").play("ATTACK Ogre")
    assert (body_of_ogre(running), asked(running)) == (30, ("Kara", "ACT"))
    assert running.legal() == ["END TURN"]


def test_s6_success_hits_and_the_turn_goes_on() -> None:
    running = begin(duel(), "SUCCESS", 7).play("ATTACK Ogre")
    assert (body_of_ogre(running), asked(running)) == (23, ("Kara", "ACT"))


def test_s6_success_adds_no_tag() -> None:
    running = begin(duel(party=[armed_with("BURNING")]), "SUCCESS", 5).play("ATTACK Ogre")
    assert who(running, "Ogre")["burning"] == 0


def test_s6_triumph_adds_a_tag_of_the_players_choice() -> None:
    running = begin(duel(party=[armed_with("BURNING", "PRONE", "CRUSHING")]), "TRIUMPH", 5).play("ATTACK Ogre")
    assert asked(running) == ("Kara", "ADD_TAG")
    assert set(running.legal()) == {"TAG BURNING", "TAG PRONE", "TAG CRUSHING"}
    running.play("TAG PRONE")
    assert (who(running, "Ogre")["prone"], who(running, "Ogre")["burning"], body_of_ogre(running)) == (1, 0, 25)


def test_s6_triumph_tag_is_one_that_the_attack_has_not_yet() -> None:
    running = readied(duel(party=[armed_with("BURNING", "PRONE", "STUN")]), "PRONE", rolls=("TRIUMPH", 5))
    assert set(running.play("ATTACK Ogre").legal()) == {"TAG BURNING", "TAG STUN"}


def test_s6_triumph_tag_is_above_the_tag_limit() -> None:
    """A Novice readies one tag, and yet a TRIUMPH adds another."""
    novice = armed_with("BURNING", "PRONE", abilities={"weapon_use": {"rank": "novice"}})
    running = begin(duel(party=[novice]), "TRIUMPH", 5, initiative="SACRIFICE")
    play(running, "BEFORE", "TAG BURNING")
    assert "TAG PRONE" not in running.legal()
    running.play("ATTACK Ogre")
    assert (who(running, "Ogre")["burning"], who(running, "Ogre")["prone"]) == (1, 1)


def test_r30_triumph_with_one_tag_left_adds_it_unasked() -> None:
    running = begin(duel(party=[armed_with("BURNING")]), "TRIUMPH", 5).play("ATTACK Ogre")
    assert (asked(running), who(running, "Ogre")["burning"]) == (("Kara", "ACT"), 1)


@pytest.mark.parametrize(("carried", "ready"), [((), ()), (("BURNING",), ("BURNING",))])
def test_s6_triumph_without_a_tag_left_just_hits(carried: tuple[str, ...], ready: tuple[str, ...]) -> None:
    running = readied(duel(party=[armed_with(*carried)]), *ready, rolls=("TRIUMPH", 5)).play("ATTACK Ogre")
    assert (body_of_ogre(running), asked(running)) == (25, ("Kara", "ACT"))


def test_s6_triumph_of_bare_hands_has_no_tag() -> None:
    running = begin(duel(party=[hero(weapon=None)], foes=[ogre(defense=2)]), "TRIUMPH", 1).play("ATTACK Ogre")
    assert (body_of_ogre(running), asked(running)) == (29, ("Kara", "ACT"))


def test_s6_triumph_may_add_a_tag_that_an_item_put_on_the_weapon() -> None:
    oil = {"name": "oil", "size": "tiny", "effect": "add_tag", "tag": "burning"}
    running = play(begin(duel(party=[armed_with(items=[oil])]), "TRIUMPH", 5), "USE oil", "ATTACK Ogre")
    assert who(running, "Ogre")["burning"] == 1


def test_s6_missile_is_no_tag_that_a_triumph_adds() -> None:
    bow = {"name": "bow", "size": "small", "quality": "common", "tags": [], "range": 6}
    running = begin(duel(party=[armed_with(weapon=bow)]), "TRIUMPH", 5).play("ATTACK Ogre")
    assert asked(running) == ("Kara", "ACT")


# --- the order ---------------------------------------------------------------------------------------------


def test_s6_order_declare_pay_assist_interfere_roll_sacrifice_guard_damage() -> None:
    data = duel(party=[armed_with("BURNING"), hero("Tomas")], foes=[ogre(guard="nimble"), ogre("Troll")])
    running = begin(data, "SACRIFICE", 6).play("TAG BURNING").play("ATTACK Ogre")
    assert who(running)["momentum"] == 3  # paid before anybody is asked
    seen = []
    for answer in ("PASS", "PASS", "SACRIFICE", "PASS"):
        seen.append(asked(running))
        running.play(answer)
    assert seen == [("Tomas", "ASSIST"), ("Troll", "INTERFERE"), ("Kara", "ATTACK_SACRIFICE"), ("Ogre", "GUARD")]
    told = happened(running)
    order = [next(i for i, line in enumerate(told) if text in line) for text in (
        "Kara attacks Ogre", "rolls Weapon Use", "makes the sacrifice", "Damage roll: 6", "loses 6 BODY", "is BURNING",
    )]  # fmt: skip
    assert order == sorted(order)


def test_s6_order_the_triumph_tag_comes_before_the_guard() -> None:
    """So that the added tag may pass the guard."""
    data = duel(party=[armed_with("CRUSHING", "PRONE")], foes=[ogre(guard="shield")])
    running = begin(data, "TRIUMPH", 6).play("ATTACK Ogre")
    assert asked(running) == ("Kara", "ADD_TAG")
    assert asked(running.copy().play("TAG PRONE")) == ("Ogre", "GUARD")
    assert body_of_ogre(running.play("TAG CRUSHING")) == 24


def test_s6_tags_reach_the_target_only_if_it_still_stands() -> None:
    party, foes = [armed_with("BURNING")], [ogre(body=5), ogre("Troll")]
    standing = readied(duel(party=party, foes=foes), "BURNING", rolls=("SUCCESS", 4))
    play(standing, "ATTACK Ogre", "PASS")
    assert (who(standing, "Ogre")["out"], who(standing, "Ogre")["burning"]) == (0, 1)
    fallen = readied(duel(party=party, foes=foes), "BURNING", rolls=("SUCCESS", 5))
    play(fallen, "ATTACK Ogre", "PASS")
    assert (who(fallen, "Ogre")["out"], who(fallen, "Ogre")["burning"]) == (1, 0)
    assert not any("is BURNING" in line for line in happened(fallen))


def test_s6_a_miss_inflicts_nothing() -> None:
    running = readied(duel(party=[armed_with("BURNING")]), "BURNING", rolls=("BOTCH",)).play("ATTACK Ogre")
    assert (who(running, "Ogre")["burning"], who(running)["readied"]) == (0, 0)


# --- damage ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "quality"), list(product(SIZES, QUALITIES)))
def test_s6_size_gives_the_dice_and_quality_the_sides(size: str, quality: str) -> None:
    """The whole distribution of an ATTACK, by going through the dice."""
    weapon = {"name": "sword", "size": size, "quality": quality, "tags": []}
    running = begin(duel(party=[hero(weapon=weapon)], foes=[ogre(body=100)]))
    effort = efforts([8, 6, QUALITIES[quality]], 4)
    hurt = sums(SIZES[size], QUALITIES[quality])
    expected = mixed((effort[0] + effort[1], {0: Fraction(1)}), (effort[2] + effort[3], hurt))
    assert chances(running, "ATTACK Ogre", lambda it: 100 - body_of_ogre(it)) == pytest.approx(expected, abs=1e-12)


def test_s6_large_needs_both_hands_so_no_shield() -> None:
    sword = {"name": "sword", "size": "large", "quality": "crude", "tags": []}
    with pytest.raises(EncounterError, match="both hands"):
        Encounter.from_dict(duel(party=[hero(weapon=sword, shield={"quality": "fine"})]))
    Encounter.from_dict(duel(party=[hero(weapon=sword)]))


def test_s6_bare_hands_do_1d2() -> None:
    running = begin(duel(party=[hero(weapon=None)]))
    effort = efforts([8, 6, 2], 4)
    expected = mixed((effort[0] + effort[1], {30: Fraction(1)}), (effort[2], {29: Fraction(1, 2), 28: Fraction(1, 2)}))
    assert chances(running, "ATTACK Ogre", body_of_ogre) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("pool", ["body", "mind", "spirit"])
def test_r16_a_spell_on_a_pool_that_a_monster_lacks_hits_body(pool: str) -> None:
    """Monsters have BODY only."""
    spell = {"name": "bolt", "school": "fire", "parameters": [3], "dice": 2, "sides": 4, "pool": pool}
    running = play(begin(duel(party=[hero(spells=[spell])]), "SUCCESS", 6), "FORM bolt", "CAST Ogre")
    assert body_of_ogre(running) == 24


# --- armour ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("armor", [0, 1, 3, 8, 20])
@pytest.mark.parametrize("piercing", [False, True])
def test_r17_armor_takes_its_points_off_an_attack_unless_piercing(armor: int, piercing: bool) -> None:
    """Not below 0: the whole distribution of what 2d4 do."""
    data = duel(party=[armed_with("PIERCING")], foes=[ogre(armor=armor)])
    running = readied(data, *(["PIERCING"] if piercing else []))
    effort = efforts([8, 12, 4], 4)
    absorbed = 0 if piercing else armor
    hit = [(effort[2] * chance, {30 - max(0, n - absorbed): Fraction(1)}) for n, chance in sums(2, 4).items()]
    pierced = [(effort[3] * chance, {30 - n: Fraction(1)}) for n, chance in sums(2, 4).items()]  # by the TRIUMPH
    expected = mixed((effort[0] + effort[1], {30: Fraction(1)}), *hit, *pierced)
    assert chances(running, "ATTACK Ogre", body_of_ogre) == pytest.approx(expected, abs=1e-12)


def test_r17_armor_does_not_keep_tags_off() -> None:
    data = duel(party=[armed_with("BURNING")], foes=[ogre(armor=20)])
    running = readied(data, "BURNING", rolls=("SUCCESS", 8)).play("ATTACK Ogre")
    assert (body_of_ogre(running), who(running, "Ogre")["burning"]) == (30, 1)


def test_r17_armor_does_not_stop_a_spell() -> None:
    spell = {"name": "bolt", "school": "fire", "parameters": [3], "dice": 2, "sides": 4}
    data = duel(party=[hero(spells=[spell])], foes=[ogre(armor=20)])
    assert body_of_ogre(play(begin(data, "SUCCESS", 6), "FORM bolt", "CAST Ogre")) == 24


def test_s6_an_attack_on_a_prone_monster_is_like_any_other() -> None:
    running = readied(duel(party=[armed_with("PRONE")]), "PRONE", rolls=("SUCCESS", 4, "SUCCESS", 4))
    play(running, "ATTACK Ogre", "ATTACK Ogre")
    assert body_of_ogre(running) == 22
