"""Section 4: the defence actions: EVADE, DEFEND, COUNTER, SKILL, NONE; Focus while casting."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.norova.scenes import (
    ALL,
    asked,
    attack,
    attacked,
    begin,
    chances,
    defences,
    duel,
    fighter,
    foe_first,
    happened_last,
    on_board,
    p,
    play,
    spell,
    strike,
    vitality,
    who,
)

pytestmark = pytest.mark.kernel

HARD = {"physical": {"flat": 1}, "magical": {"flat": 2}, "defense": 2, "spirit": 1}
AFTER = {"evade_then_act": True}


def skill(**changes: Any) -> dict[str, Any]:
    """A skill that negates with a React check of 15."""
    return {"name": "skill", "check": "react", "difficulty": 15, "effect": "negate", **changes}


# --- EVADE, DEFEND, NONE -----------------------------------------------------------------------------------


def test_s04_evade_success_no_damage_failure_damage_and_still_the_defense_check() -> None:
    found = chances(attacked(evade=4, defense=5, armor=HARD), "EVADE", vitality)
    evaded, hardened = p(4, 15), p(5, 15)
    expected = {20: evaded, 18: (1 - evaded) * hardened, 16: (1 - evaded) * (1 - hardened)}
    assert found == pytest.approx({value: float(chance) for value, chance in expected.items()}, abs=1e-12)


@pytest.mark.parametrize(
    ("nature", "trait", "absorbed", "score"), [("physical", "defense", 1, 2), ("magical", "spirit", 2, 1)]
)
def test_s04_r08_defend_is_the_defense_check_and_against_magic_spirit(
    nature: str, trait: str, absorbed: int, score: int
) -> None:
    running = attacked(by={"nature": nature}, rules=ALL, armor=HARD, **{trait: 8})
    found = chances(running, "DEFEND", vitality)
    hit = 20 - 5 + absorbed
    assert found == pytest.approx({hit: float(1 - p(8, 15)), hit + score: float(p(8, 15))}, abs=1e-12)


def test_s04_none_leaves_only_the_armours_dice() -> None:
    assert chances(attacked(rules=ALL, armor=HARD, defense=13), "NONE", vitality) == {16: 1.0}


@pytest.mark.parametrize(
    ("me", "rules", "offered"),
    [
        ({}, {}, {"EVADE"}),
        ({}, ALL, {"EVADE", "DEFEND", "NONE"}),
        ({"statuses": {"dazed": 1}}, {}, {"DEFEND"}),
        ({"statuses": {"dazed": 1}}, ALL, {"DEFEND", "NONE"}),
        ({"statuses": {"berserk": 1}}, {}, {"DEFEND"}),
        ({"statuses": {"stunned": 1}}, ALL, {"NONE"}),
        ({"counter_attack": True, "skills": [skill()]}, {}, {"EVADE", "COUNTER", "SKILL 1"}),
    ],
)
def test_s04_r12_dominated_actions_are_offered_only_where_nothing_better_is_or_by_the_switch(
    me: dict[str, Any], rules: dict[str, Any], offered: set[str]
) -> None:
    assert defences(attacked(rules=rules, **me)) == offered


def test_s04_r12_a_side_that_is_forbidden_the_better_action_is_offered_the_worse() -> None:
    running = strike(foe_first(duel(forbid={"party": ["EVADE"], "foes": []})))
    assert defences(running) == {"DEFEND", "NONE"}


# --- COUNTER -----------------------------------------------------------------------------------------------


def test_s04_counter_takes_the_blow_with_the_armours_dice_then_react_15_strikes_back() -> None:
    running = attacked(14, armor=HARD, defense=13, react=1, counter_attack=True).play("COUNTER")
    assert vitality(running) == 16
    assert asked(running) == ("Foe", "DEFEND")
    missed = attacked(13, react=1, counter_attack=True).play("COUNTER")
    assert asked(missed) == ("Foe", "ACT")


def test_s04_r11_the_counter_is_the_basic_attack_and_cannot_be_countered() -> None:
    foe = {"counter_attack": True}
    attacks = [attack("fist", flat=3), attack("axe", flat=9)]
    running = attacked(20, 1, counter_attack=True, attacks=attacks, foe=foe).play("COUNTER")
    assert defences(running) == {"EVADE"}
    assert vitality(running.play("EVADE"), "Foe") == 17
    assert asked(running) == ("Foe", "ACT")


def test_s04_counter_needs_the_skill_and_the_attacker_in_reach() -> None:
    assert "COUNTER" not in defences(attacked())
    bow = [attack("bow", kind="projectile", range=5)]
    foe = fighter("Foe", attacks=bow)
    for y, offered in ((2, True), (3, False)):
        data = on_board({"Kara": (0, 1), "Foe": (0, y)}, party=[fighter(counter_attack=True)], foes=[foe])
        assert ("COUNTER" in defences(strike(foe_first(data)))) is offered


def test_s04_r11_no_counter_while_casting_and_none_by_one_who_is_struck_down() -> None:
    casting = fighter(counter_attack=True, spells=[spell(rounds=2)])
    running = begin(duel([casting])).play("CAST Foe with bolt").play("END TURN")
    assert defences(strike(running)) == {"EVADE"}
    fallen = attacked("FAILURE", vitality=5, xp=1, counter_attack=True).play("COUNTER")
    assert asked(fallen) == ("Foe", "ACT")
    stunned = {"inflicts": {"status": "stunned"}}
    assert asked(attacked(by=stunned, counter_attack=True).play("COUNTER")) == ("Foe", "ACT")


# --- SKILL -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "left"), [("negate", 20), ("halve", 18), ({"absorb": 2}, 18), ({"absorb": 9}, 19), ("counter", 16)]
)
def test_s04_r10_a_skill_that_works_has_its_effect_with_the_armours_dice(effect: Any, left: int) -> None:
    armor = {"physical": {"flat": 1}, "defense": 10}
    running = attacked("SUCCESS", skills=[skill(effect=effect)], armor=armor).play("SKILL 1")
    assert vitality(running) == left  # 5 - 1; half of 5 rounded up is 3
    assert (running.decider == "Foe" and running.window == "DEFEND") is (effect == "counter")


def test_s04_r10_a_skill_that_fails_is_paid_and_leaves_the_armours_dice() -> None:
    ward = skill(cost={"power": 1, "soul": 2})
    running = attacked("FAILURE", skills=[ward], power=3, soul=2, armor=HARD, defense=13).play("SKILL 1")
    assert (vitality(running), who(running)["power"], who(running)["soul"]) == (16, 2, 0)


@pytest.mark.parametrize(
    ("changes", "me", "nature", "offered"),
    [
        ({"nature": "magical"}, {}, "physical", False),
        ({"nature": "magical"}, {}, "magical", True),
        ({"nature": "physical"}, {}, "magical", False),
        ({"cost": {"soul": 2}}, {"soul": 1}, "physical", False),
        ({"cost": {"soul": 2}}, {"soul": 2}, "physical", True),
        ({"cost": {"power": 1}}, {}, "physical", False),
    ],
)
def test_s04_r10_a_skill_has_a_nature_and_a_cost(
    changes: dict[str, Any], me: dict[str, Any], nature: str, offered: bool
) -> None:
    running = attacked(by={"nature": nature}, skills=[skill(**changes)], **me)
    assert ("SKILL 1" in defences(running)) is offered


def test_s04_r10_the_check_of_a_skill_is_a_trait_against_its_difficulty() -> None:
    runic = skill(check="defense", difficulty=20, nature="magical", cost={"soul": 2})
    running = attacked(by={"nature": "magical"}, skills=[runic], soul=2, defense=7)
    assert chances(running, "SKILL 1", vitality) == pytest.approx(
        {20: float(p(7, 20)), 15: float(1 - p(7, 20))}, abs=1e-12
    )


# --- the evade check does not cost the action --------------------------------------------------------------


def test_s04_r13_one_defence_action_an_attack() -> None:
    assert asked(attacked("FAILURE", counter_attack=True).play("EVADE")) == ("Foe", "ACT")


def test_s04_r13_by_the_switch_counter_or_skill_may_follow_a_failed_evasion() -> None:
    me = {"counter_attack": True, "skills": [skill()], "armor": HARD, "defense": 13}
    running = attacked("FAILURE", "SUCCESS", rules=AFTER, **me).play("EVADE")
    assert (asked(running), defences(running)) == (("Kara", "FOLLOW_UP"), {"COUNTER", "SKILL 1", "PASS"})
    assert vitality(running.copy().play("SKILL 1")) == 20
    assert vitality(running.copy().play("PASS")) == 18  # the Defense check of the evasion
    assert vitality(running.play("COUNTER")) == 16
    assert asked(running) == ("Foe", "DEFEND")


def test_s04_r13_nothing_follows_where_nothing_can() -> None:
    assert asked(attacked("FAILURE", rules=AFTER).play("EVADE")) == ("Foe", "ACT")
    assert asked(attacked("SUCCESS", rules=AFTER, counter_attack=True).play("EVADE")) == ("Foe", "ACT")


# --- Focus while casting -----------------------------------------------------------------------------------


def casting(*rolls: Any, **me: Any) -> Game:
    """Kara is casting a spell of two rounds when the Foe strikes."""
    kara = fighter(focus=2, spells=[spell(rounds=2)], **me)
    running = begin(duel([kara], rules=ALL), *rolls).play("CAST Foe with bolt").play("END TURN")
    return strike(running)


@pytest.mark.parametrize(("choice", "rolls"), [("EVADE", ["SUCCESS"]), ("EVADE", ["FAILURE"]), ("NONE", [])])
def test_s04_a_caster_that_evades_or_is_hit_keeps_its_spell_by_a_focus_check_of_15(
    choice: str, rolls: list[str]
) -> None:
    for face, kept in ((12, 0), (13, 1)):
        running = casting(*rolls, face).play(choice)
        assert who(running)["casting"] == (5 if kept else 0)


def test_s04_the_focus_check_comes_once_after_the_result() -> None:
    texts = happened_last(casting("FAILURE", 13).play("EVADE"))
    checks = [line.split(",")[1].split(" against")[0].strip() for line in texts if "check" in line]
    assert checks == ["Evade check", "Focus check"]


def test_s04_an_attack_that_a_skill_negates_asks_for_no_focus() -> None:
    running = casting("SUCCESS", skills=[skill()]).play("SKILL 1")
    assert who(running)["casting"] == 5


def test_s04_the_spell_is_lost_with_what_was_paid() -> None:
    kara = fighter(soul=3, spells=[spell(rounds=1, soul=3)])
    running = begin(duel([kara], rules=ALL), "FAILURE").play("CAST Foe with bolt").play("END TURN")
    play(strike(running), "NONE", "END TURN")
    assert (asked(running), who(running)["soul"], vitality(running, "Foe")) == (("Kara", "ACT"), 0, 20)
