"""Section 4: GUARD, and skills that protect allies."""

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
    defences,
    duel,
    fighter,
    on_board,
    p,
    strike,
    vitality,
    who,
)

pytestmark = pytest.mark.kernel

ARMOR = {"physical": {"flat": 1}, "defense": 2}
RUNES = {
    "name": "Runic Guard", "check": "defense", "difficulty": 20, "cost": {"soul": 2}, "nature": "magical",
    "effect": "negate", "ally": True,
}  # fmt: skip


def guarded(*rolls: Any, by: dict[str, Any] | None = None, me: Any = None, rules: Any = None, **bran: Any) -> Game:
    """The Foe strikes at Kara, whom Bran could protect."""
    party = [fighter(**(me or {})), fighter("Bran", **{"guard": True, "power": 2, **bran})]
    data = duel(party, [fighter("Foe", attacks=[attack(**(by or {}))])], rules=rules or {})
    return strike(begin(data, *rolls, order=["Foe", "Kara", "Bran"]))


def test_s04_the_guard_is_asked_after_a_failed_evasion() -> None:
    assert asked(guarded("FAILURE").play("EVADE")) == ("Bran", "GUARD")
    assert asked(guarded("SUCCESS").play("EVADE")) == ("Foe", "ACT")


def test_s04_the_guard_is_asked_before_the_roll_of_any_other_action() -> None:
    for choice in ("DEFEND", "NONE", "COUNTER", "SKILL 1"):
        me = {"counter_attack": True, "skills": [{**RUNES, "nature": "any"}], "soul": 2}
        running = guarded(rules=ALL, me=me).play(choice)
        assert asked(running) == ("Bran", "GUARD")
        assert who(running)["soul"] == 2


def test_s04_r09_guard_is_react_10_and_takes_the_blow_with_defend_where_it_stands() -> None:
    running = guarded("FAILURE", rules=ALL, react=2, defense=5, armor=ARMOR).play("EVADE")
    found = chances(running, "GUARD", lambda after: (vitality(after), vitality(after, "Bran")))
    steps_in, hardened = p(2, 10), p(5, 15)
    expected = {(15, 20): 1 - steps_in, (20, 18): steps_in * hardened, (20, 16): steps_in * (1 - hardened)}
    assert found == pytest.approx({key: float(chance) for key, chance in expected.items()}, abs=1e-12)


def test_s04_the_power_is_spent_even_in_vain_and_then_the_next_is_asked() -> None:
    party = [fighter(), fighter("Bran", guard=True, power=1), fighter("Cole", guard=True, power=1)]
    data = duel(party, rules=ALL)
    running = strike(begin(data, "FAILURE", "SUCCESS", order=["Foe", "Kara", "Bran", "Cole"])).play("NONE")
    running.play("GUARD")
    assert (asked(running), who(running, "Bran")["power"]) == (("Cole", "GUARD"), 0)
    running.play("GUARD")
    assert [vitality(running, name) for name in ("Kara", "Bran", "Cole")] == [20, 20, 15]


def test_s04_one_guard_at_most_and_the_targets_own_action_does_not_happen() -> None:
    me = {"skills": [{**RUNES, "nature": "any"}], "soul": 2}
    running = guarded("SUCCESS", me=me).play("SKILL 1").play("GUARD")
    assert (who(running)["soul"], vitality(running), vitality(running, "Bran")) == (2, 20, 15)
    assert asked(running) == ("Foe", "ACT")


def test_s04_a_guard_may_let_it_pass() -> None:
    running = guarded(rules=ALL).play("NONE").play("PASS")
    assert (vitality(running), who(running, "Bran")["power"]) == (15, 2)


@pytest.mark.parametrize(
    ("bran", "asks"),
    [
        ({}, True),
        ({"guard": False}, False),
        ({"power": 0}, False),
        ({"statuses": {"prone": 1}}, False),
        ({"statuses": {"stunned": 1}}, False),
        ({"statuses": {"trapped": 1}}, False),
        ({"statuses": {"unconscious": 1}}, False),
        ({"statuses": {"dazed": 1}}, True),
        ({"statuses": {"berserk": 1}}, True),
    ],
)
def test_s04_what_a_guard_needs(bran: dict[str, Any], asks: bool) -> None:
    running = guarded(rules=ALL, **bran).play("NONE")
    assert (running.window == "GUARD") is asks


@pytest.mark.parametrize(("x", "asks"), [(3, True), (4, False)])
def test_s04_a_guard_stands_within_one_move(x: int, asks: bool) -> None:
    party = [fighter(), fighter("Bran", guard=True, power=1, speed=3)]
    data = on_board({"Kara": (0, 0), "Bran": (x, 0), "Foe": (0, 1)}, party=party, rules=ALL)
    running = strike(begin(data, order=["Foe", "Kara", "Bran"])).play("NONE")
    assert (running.window == "GUARD") is asks


@pytest.mark.parametrize(
    ("by", "asks"),
    [
        ({"from": "behind"}, True),
        ({"kind": "covert"}, False),
        ({"kind": "invisible_spell", "nature": "magical"}, False),
        ({"kind": "area", "radius": 1}, False),
    ],
)
def test_s04_r24_r34_what_can_be_guarded_against(by: dict[str, Any], asks: bool) -> None:
    area = by.get("kind") == "area"
    running = guarded(*([] if area else ["FAILURE"]), by=by)
    running.play(running.legal()[0])
    assert (running.window == "GUARD") is asks


def test_s04_r34_a_covert_attack_that_was_noticed_can_be_guarded_against() -> None:
    assert asked(guarded("SUCCESS", "FAILURE", by={"kind": "covert"}).play("EVADE")) == ("Bran", "GUARD")


# --- skills for allies -------------------------------------------------------------------------------------


def test_s04_r10_runic_guard_protects_an_ally_for_2_soul() -> None:
    bran = {"guard": False, "skills": [RUNES], "soul": 3, "defense": 9}
    running = guarded("FAILURE", by={"nature": "magical"}, **bran).play("EVADE")
    assert (asked(running), defences(running)) == (("Bran", "GUARD"), {"SKILL 1", "PASS"})
    found = chances(running, "SKILL 1", lambda after: (vitality(after), who(after, "Bran")["soul"]))
    assert found == pytest.approx({(20, 1): float(p(9, 20)), (15, 1): float(1 - p(9, 20))}, abs=1e-12)


def test_s04_r10_runic_guard_protects_its_owner_too_and_only_against_magic() -> None:
    me = {"skills": [RUNES], "soul": 2}
    assert "SKILL 1" in defences(guarded(by={"nature": "magical"}, me=me))
    assert "SKILL 1" not in defences(guarded(by={"nature": "physical"}, me=me))


def test_s04_r10_what_gets_through_an_allys_skill_meets_the_armours_dice() -> None:
    half = {**RUNES, "effect": "halve", "nature": "any"}
    armor = {"physical": {"flat": 1}, "defense": 9}
    running = guarded("FAILURE", "SUCCESS", me={"armor": armor}, skills=[half], soul=2).play("EVADE").play("SKILL 1")
    assert vitality(running) == 18
