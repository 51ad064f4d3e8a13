"""Section 6: the guard of a monster (R-17)."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.fights import armed_with, readied
from tests.rulesets.the_lens.scenes import asked, begin, duel, happened, hero, ogre, play, who

pytestmark = pytest.mark.kernel

BOW = {"name": "bow", "size": "small", "quality": "common", "tags": ["heavy", "sweeping", "crushing"], "range": 6}
SPELL = {"name": "bolt", "school": "fire", "parameters": [3], "dice": 2, "sides": 4}


def guarded(guard: str, *tags: str, rolls: tuple[Any, ...] = ("SUCCESS", 6), **foe: Any) -> Game:
    """An ATTACK with these tags has been rolled against a monster with this guard."""
    data = duel(party=[armed_with(*tags)], foes=[ogre(guard=guard, **foe)])
    return readied(data, *tags, rolls=rolls).play("ATTACK Ogre")


PASSES = {"shield": "CRUSHING", "nimble": "SWEEPING", "parry": "HEAVY"}
TAGS = ("CRUSHING", "SWEEPING", "HEAVY", "PIERCING", "BURNING")


@pytest.mark.parametrize("guard", PASSES)
@pytest.mark.parametrize("tag", TAGS)
def test_r17_which_tag_passes_which_guard(guard: str, tag: str) -> None:
    """CRUSHING passes shield, SWEEPING nimble, HEAVY parry; nothing else does."""
    expected = ("Kara", "ACT") if PASSES[guard] == tag else ("Ogre", "GUARD")
    assert asked(guarded(guard, tag)) == expected


@pytest.mark.parametrize(("guard", "asks"), [("shield", True), ("nimble", True), ("parry", False)])
def test_r17_missiles_pass_parry_only(guard: str, asks: bool) -> None:
    running = begin(duel(party=[armed_with(weapon=BOW)], foes=[ogre(guard=guard)]), "SUCCESS", 6).play("ATTACK Ogre")
    assert (running.window == "GUARD") is asks


def test_r17_without_a_guard_nothing_is_asked() -> None:
    assert asked(guarded("none", "BURNING")) == ("Kara", "ACT")


def test_r17_the_gm_chooses() -> None:
    running = guarded("shield", "BURNING")
    assert (running.side, running.legal()) == ("foes", ["GUARD", "PASS"])


def test_r17_guard_costs_1_momentum_and_voids_the_attack() -> None:
    running = guarded("shield", "BURNING", rolls=("SUCCESS",)).play("GUARD")
    it = who(running, "Ogre")
    assert (it["momentum"], it["body"], it["burning"], it["guarded"]) == (2, 30, 0, 1)
    assert asked(running) == ("Kara", "ACT")
    assert not any("Damage roll" in line for line in happened(running))


def test_r17_momentum_and_tags_of_a_voided_attack_are_spent() -> None:
    running = guarded("shield", "BURNING", rolls=("SUCCESS", "SUCCESS", 5)).play("GUARD")
    assert (who(running)["momentum"], who(running)["readied"]) == (3, 0)
    assert who(running.play("ATTACK Ogre"), "Ogre")["burning"] == 0


def test_r17_the_extra_momentum_of_a_sacrifice_is_spent_too() -> None:
    running = play(guarded("shield", rolls=("SACRIFICE",)), "SACRIFICE", "GUARD")
    assert (who(running)["momentum"], who(running, "Ogre")["body"]) == (3, 30)


def test_r17_declined_guard_costs_nothing_and_the_attack_hits() -> None:
    running = guarded("shield", "BURNING").play("PASS")
    it = who(running, "Ogre")
    assert (it["momentum"], it["body"], it["burning"], it["guarded"]) == (3, 24, 1, 0)


def test_r17_once_a_round() -> None:
    running = guarded("shield", rolls=("SUCCESS", "SUCCESS", 5)).play("GUARD")
    running.play("ATTACK Ogre")
    assert (asked(running), who(running, "Ogre")["body"]) == (("Kara", "ACT"), 25)


def test_r17_a_declined_guard_may_be_used_later_in_the_round() -> None:
    running = play(guarded("shield", rolls=("SUCCESS", 6, "SUCCESS")), "PASS", "ATTACK Ogre")
    assert asked(running) == ("Ogre", "GUARD")


def test_r17_the_guard_is_free_again_in_the_next_round() -> None:
    running = play(guarded("shield", rolls=("SUCCESS", "SUCCESS")), "GUARD", "END TURN", "END TURN", "ATTACK Ogre")
    assert (running.round, asked(running)) == (2, ("Ogre", "GUARD"))


def test_r17_no_guard_without_momentum() -> None:
    running = guarded("shield", momentum=0)
    assert (asked(running), who(running, "Ogre")["body"]) == (("Kara", "ACT"), 24)


def test_r17_a_miss_needs_no_guard() -> None:
    assert asked(guarded("shield", rolls=("BOTCH",))) == ("Ogre", "ACT")
    assert asked(guarded("shield", rolls=("SACRIFICE",)).play("YIELD")) == ("Kara", "ACT")


def test_r17_a_guard_does_not_void_a_spell() -> None:
    data = duel(party=[hero(spells=[SPELL])], foes=[ogre(guard="nimble")])
    running = play(begin(data, "SUCCESS", 6), "FORM bolt", "CAST Ogre")
    assert (asked(running), who(running, "Ogre")["body"]) == (("Kara", "ACT"), 24)


@pytest.mark.parametrize(("momentum", "asks", "left"), [(1, False, 1), (2, True, 0), (3, True, 1)])
def test_r23_freezing_makes_a_guard_cost_1_more(momentum: int, asks: bool, left: int) -> None:
    rolls = ("SUCCESS", 2, "SUCCESS") if asks else ("SUCCESS", 2, "SUCCESS", 3)
    data = duel(party=[armed_with("FREEZING", "CRUSHING")], foes=[ogre(guard="shield", momentum=momentum)])
    running = readied(data, "FREEZING", "CRUSHING", rolls=rolls).play("ATTACK Ogre")
    assert who(running, "Ogre")["freezing"] == 2
    running.play("ATTACK Ogre")
    assert (running.window == "GUARD") is asks
    if asks:
        running.play("GUARD")
    assert who(running, "Ogre")["momentum"] == left


def test_r17_each_monster_has_its_own_guard() -> None:
    data = duel(
        party=[armed_with()], foes=[ogre(guard="shield"), ogre("Troll", guard="nimble")],
        rules={"reactions": "defence_only"},
    )  # fmt: skip
    running = play(begin(data, "SUCCESS", "SUCCESS"), "ATTACK Ogre", "GUARD", "ATTACK Troll")
    assert asked(running) == ("Troll", "GUARD")
