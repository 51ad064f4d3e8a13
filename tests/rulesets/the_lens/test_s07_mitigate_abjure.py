"""Section 7: MITIGATE (R-20) and ABJURE (R-21), which work alike: every cell, the choices, whole distributions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.fights import ARMOR, INFLICTED, TN_4, WARD, attacked, declared, knight, mixed, sums
from tests.rulesets.the_lens.scenes import asked, attack, chances, happened, hero, ogre, play, who

pytestmark = pytest.mark.kernel

PASSIVE = {"MITIGATE": ({}, ARMOR), "ABJURE": ({"magic": True}, WARD)}  # defence: (attack, what it takes off)
BOTH = pytest.mark.parametrize("defence", PASSIVE)


def against(defence: str, *rolls: Any, tags: tuple[str, ...] = (), **changes: Any) -> Game:
    """A knight has chosen this defence against an attack of 2d4 with these tags."""
    return attacked(*rolls, by={**PASSIVE[defence][0], "tags": [tag.lower() for tag in tags]}, **changes).play(defence)


def body(running: Game) -> int:
    return int(who(running)["body"])


def suffered(running: Game) -> set[str]:
    """Which of BURNING, BLEEDING and PRONE the knight has."""
    return {field.upper() for field in ("burning", "bleeding", "prone") if who(running)[field]}


# --- BOTCH -------------------------------------------------------------------------------------------------


@BOTH
def test_r21_botch_damage_plus_protection_and_all_tags(defence: str) -> None:
    """[S] of MITIGATE: the armour rating is added."""
    running = against(defence, "BOTCH", 5, tags=("BURNING", "PRONE"))
    assert body(running) == 20 - 5 - PASSIVE[defence][1]
    assert suffered(running) == {"BURNING", "PRONE"}
    assert (who(running)["momentum"], who(running)["locked"], who(running)["disarmed"]) == (3, 0, 0)


# --- SACRIFICE ---------------------------------------------------------------------------------------------


@BOTH
def test_r20_sacrifice_full_damage_and_all_tags(defence: str) -> None:
    running = against(defence, "SACRIFICE", 5, tags=("BURNING", "PRONE"))
    assert (asked(running), running.legal()) == (("Kara", "DEFENSE_SACRIFICE"), ["YIELD", "SACRIFICE"])
    running.play("YIELD")
    assert (body(running), suffered(running), who(running)["locked"]) == (15, {"BURNING", "PRONE"}, 0)


@BOTH
def test_r20_sacrifice_less_damage_all_tags_and_locked(defence: str) -> None:
    running = against(defence, "SACRIFICE", 5, tags=("BURNING", "PRONE")).play("SACRIFICE")
    assert body(running) == 20 - 5 + PASSIVE[defence][1]
    assert suffered(running) == {"BURNING", "PRONE"}
    assert who(running)["locked"] == {"ABJURE": 1 << 1, "MITIGATE": 1 << 2}[defence]
    assert defence not in declared(running).legal()


@BOTH
def test_r20_a_lock_costs_no_momentum(defence: str) -> None:
    assert who(against(defence, "SACRIFICE", 5).play("SACRIFICE"))["momentum"] == 3


def test_r20_the_lock_of_mitigate_is_none_of_block() -> None:
    running = declared(against("MITIGATE", "SACRIFICE", 5).play("SACRIFICE"))
    assert {"BLOCK", "PARRY", "DODGE"} <= set(running.legal())


# --- SUCCESS -----------------------------------------------------------------------------------------------


@BOTH
def test_s7_success_without_tags_less_damage_unasked(defence: str) -> None:
    running = against(defence, "SUCCESS", 5)
    assert (body(running), asked(running)) == (20 - 5 + PASSIVE[defence][1], ("Ogre", "ACT"))


@BOTH
def test_s7_success_with_a_tag_the_defender_chooses_damage_or_tag(defence: str) -> None:
    running = against(defence, "SUCCESS", 5, tags=("BURNING", "PRONE"))
    assert asked(running) == ("Kara", "MITIGATION")
    assert set(running.legal()) == {"REDUCE DAMAGE", "REMOVE BURNING", "REMOVE PRONE"}


@BOTH
def test_s7_success_less_damage_keeps_all_tags(defence: str) -> None:
    running = against(defence, "SUCCESS", 5, tags=("BURNING", "PRONE")).play("REDUCE DAMAGE")
    assert (body(running), suffered(running)) == (20 - 5 + PASSIVE[defence][1], {"BURNING", "PRONE"})


@BOTH
def test_s7_success_a_tag_less_keeps_all_damage(defence: str) -> None:
    running = against(defence, "SUCCESS", 5, tags=("BURNING", "PRONE")).play("REMOVE BURNING")
    assert (body(running), suffered(running)) == (15, {"PRONE"})


# --- TRIUMPH -----------------------------------------------------------------------------------------------


@BOTH
def test_s7_triumph_without_tags_less_damage(defence: str) -> None:
    running = against(defence, "TRIUMPH", 5)
    assert (body(running), asked(running)) == (20 - 5 + PASSIVE[defence][1], ("Ogre", "ACT"))


@BOTH
def test_r30_triumph_both_and_the_only_tag_is_not_asked(defence: str) -> None:
    running = against(defence, "TRIUMPH", 5, tags=("BURNING",))
    assert (body(running), suffered(running)) == (20 - 5 + PASSIVE[defence][1], set())


@BOTH
def test_s7_triumph_both_the_defender_chooses_the_tag(defence: str) -> None:
    running = against(defence, "TRIUMPH", 5, tags=("BURNING", "PRONE", "SLASHING"))
    assert asked(running) == ("Kara", "REMOVE_TAG")
    assert set(running.legal()) == {"REMOVE BURNING", "REMOVE PRONE", "REMOVE SLASHING"}
    running.play("REMOVE SLASHING")
    assert (body(running), suffered(running)) == (20 - 5 + PASSIVE[defence][1], {"BURNING", "PRONE"})


@BOTH
def test_s7_a_triumph_does_nothing_to_the_attacker(defence: str) -> None:
    running = against(defence, "TRIUMPH", 5)
    assert (who(running, "Ogre")["momentum"], who(running, "Ogre")["prone"]) == (2, 0)


# --- which tags --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", INFLICTED)
@BOTH
def test_s7_every_inflicted_tag_can_be_removed(defence: str, tag: str) -> None:
    running = against(defence, "SUCCESS", 5, tags=(tag,))
    assert running.legal() == ["REDUCE DAMAGE", f"REMOVE {tag}"]
    running.play(f"REMOVE {tag}")
    it, untouched = who(running), who(attacked(5).play("NONE"))
    assert it == untouched


@pytest.mark.parametrize("tag", ["CRUSHING", "SWEEPING", "HEAVY", "MISSILE"])
@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
def test_s7_tags_that_rule_a_defence_out_are_no_choice(outcome: str, tag: str) -> None:
    running = against("MITIGATE", outcome, 5, tags=(tag,))
    assert (body(running), asked(running)) == (18, ("Ogre", "ACT"))


@pytest.mark.parametrize(("outcome", "window"), [("SUCCESS", "MITIGATION"), ("TRIUMPH", "REMOVE_TAG")])
def test_s7_piercing_can_never_be_removed(outcome: str, window: str) -> None:
    """MITIGATE is impossible against it; ABJURE is not, but does not take it off."""
    assert "MITIGATE" not in attacked(by={"tags": ["piercing", "burning"]}).legal()
    running = against("ABJURE", outcome, 5, tags=("PIERCING", "BURNING", "PRONE"))
    assert running.window == window
    assert "REMOVE PIERCING" not in running.legal()


# --- the amounts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rating", [1, 3, 8, 30])
def test_s7_distribution_of_mitigate_against_2d4(rating: int) -> None:
    """BOTCH 2d4 + rating, SACRIFICE asks, SUCCESS and TRIUMPH 2d4 - rating, not below 0."""
    running = attacked(party=[knight(armor={"rating": rating, "quality": "common"}, aspects={
        "body": 60, "mind": 4, "spirit": 4})])  # fmt: skip
    worse = {60 - n - rating: chance for n, chance in sums(2, 4).items()}
    hit = [(chance, {60 - max(0, n - rating): Fraction(1)}) for n, chance in sums(2, 4).items()]
    less = [(chance * (TN_4[2] + TN_4[3]), after) for chance, after in hit]
    expected = mixed((TN_4[0], worse), (TN_4[1], {60: Fraction(1)}), *less)
    assert chances(running, "MITIGATE", body) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("choice", "change"), [("YIELD", 0), ("SACRIFICE", -ARMOR)])
def test_s7_distribution_after_a_sacrifice(choice: str, change: int) -> None:
    running = against("MITIGATE", "SACRIFICE")
    hit = [(chance, {20 - max(0, n + change): Fraction(1)}) for n, chance in sums(2, 4).items()]
    assert chances(running, choice, body) == pytest.approx(mixed(*hit), abs=1e-12)


@pytest.mark.parametrize(("choice", "change"), [("REDUCE DAMAGE", -ARMOR), ("REMOVE BURNING", 0)])
def test_s7_distribution_after_a_success(choice: str, change: int) -> None:
    running = against("MITIGATE", "SUCCESS", tags=("BURNING",))
    hit = [(chance, {20 - max(0, n + change): Fraction(1)}) for n, chance in sums(2, 4).items()]
    assert chances(running, choice, body) == pytest.approx(mixed(*hit), abs=1e-12)


def test_r21_distribution_of_abjure_against_2d4() -> None:
    running = attacked(by={"magic": True})
    worse = {20 - n - WARD: chance for n, chance in sums(2, 4).items()}
    hit = [(chance, {20 - max(0, n - WARD): Fraction(1)}) for n, chance in sums(2, 4).items()]
    less = [(chance * (TN_4[2] + TN_4[3]), after) for chance, after in hit]
    expected = mixed((TN_4[0], worse), (TN_4[1], {20: Fraction(1)}), *less)
    assert chances(running, "ABJURE", body) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("rank", "ward"), [
    ("untrained", 0), ("novice", 2), ("apprentice", 3), ("journeyman", 4), ("artisan", 5), ("master", 6),
])  # fmt: skip
def test_r21_ward_defaults_to_half_the_sides_of_the_training_die(rank: str, ward: int) -> None:
    abilities = {"maneuvering": {"rank": "apprentice"}, "abjuration": {"rank": rank}}
    running = against("ABJURE", "BOTCH", 5, party=[knight(abilities=abilities, ward=None)])
    assert body(running) == 20 - 5 - ward


def test_r21_an_abjured_attack_on_mind_takes_mind() -> None:
    running = attacked("SUCCESS", 5, foes=[ogre(attacks=[attack(magic=True, pool="mind")])]).play("ABJURE")
    assert (who(running)["mind"], body(running)) == (10 - 5 + WARD, 20)


def test_s7_mitigated_damage_is_not_below_0() -> None:
    assert body(against("MITIGATE", "SUCCESS", 2)) == 20


def test_s7_mitigation_that_leaves_no_damage_leaves_the_tags() -> None:
    running = against("MITIGATE", "SUCCESS", 2, tags=("BURNING",)).play("REDUCE DAMAGE")
    assert (body(running), suffered(running)) == (20, {"BURNING"})


@BOTH
def test_r22_the_choice_comes_before_the_damage_roll(defence: str) -> None:
    running = against(defence, "SUCCESS", 5, tags=("BURNING",))
    assert not any("Damage roll" in line for line in happened(running))
    assert running.unused_rolls == 1


def test_s7_a_botch_may_be_the_end() -> None:
    frail = knight(aspects={"body": 7, "mind": 4, "spirit": 4})
    running = against("MITIGATE", "BOTCH", 4, party=[frail])
    assert (running.over, running.winner) == (True, "foes")


def test_s7_the_party_goes_on_when_one_falls() -> None:
    frail = knight(aspects={"body": 7, "mind": 4, "spirit": 4})
    running = against("MITIGATE", "BOTCH", 4, party=[frail, hero("Tomas")], tags=("PRONE",),
                      rules={"reactions": "defence_only"})  # fmt: skip
    assert (who(running)["out"], who(running)["prone"], asked(running)) == (1, 0, ("Ogre", "ACT"))
    assert not any("Kara" in action for action in play(running).legal())
