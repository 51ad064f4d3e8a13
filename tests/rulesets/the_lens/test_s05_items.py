"""The Lens, section 5: USE of items (R-12, R-26)."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.scenes import (
    asked,
    attack,
    begin,
    chances,
    duel,
    efforts,
    foes_turn,
    happened,
    hero,
    ogre,
    on_board,
    play,
    who,
)

pytestmark = pytest.mark.kernel

COST = {"tiny": 0, "small": 1, "medium": 2, "large": 3, "huge": 4, "great": 5, "massive": 6, "immense": 7}
QUIET = {"reactions": "defence_only"}


def item(name: str = "salve", **changes: Any) -> dict[str, Any]:
    """An item that takes 3 BODY off an enemy, so that its effect always shows."""
    return {"name": name, "size": "small", "effect": "harm", "amount": 3, **changes}


def healing(name: str = "salve", **changes: Any) -> dict[str, Any]:
    return {"name": name, "size": "small", "effect": "heal", "amount": 4, **changes}


def carrier(*items: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return hero(items=list(items), **changes)


def user(*items: dict[str, Any], rolls: tuple[Any, ...] = (), **changes: Any) -> Game:
    """Kara's first turn, with these items, nobody reacting."""
    return begin(duel(party=[carrier(*items)], rules=QUIET, **changes), *rolls)


def struck(tag: str, *items: dict[str, Any], points: int = 1) -> Game:
    """Kara's second turn, after an undefended hit with a tag, and after Recovery of 3 points."""
    foe = ogre(attacks=[attack(dice=1, sides=20, tags=[tag] if tag else [])])
    running = foes_turn(duel(party=[carrier(*items)], foes=[foe]), points)
    return play(running, "ATTACK Kara with club", "NONE", "END TURN")


# --- what it costs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", COST)
def test_s5_use_costs_momentum_by_the_size_of_the_item(size: str) -> None:
    """With 5 points of her own and two gifts Kara can pay for anything at once."""
    kara = carrier(item(size=size), momentum=5, gifts=["quickness", "reflexes"])
    running = begin(duel(party=[kara], rules=QUIET)).play("USE salve")
    assert who(running)["momentum"] == 7 - COST[size]
    assert who(running, "Ogre")["body"] == 27


@pytest.mark.parametrize("size", COST)
def test_r12_an_item_that_costs_more_than_there_is_takes_several_turns(size: str) -> None:
    """3 points a round: paid 3, 6, 7 ... and the effect comes only when all is paid."""
    running = user(item(size=size))
    left = COST[size]
    while left > 3:
        running.play("USE salve")
        left -= 3
        assert (who(running)["momentum"], who(running, "Ogre")["body"]) == (0, 30)
        assert who(running)["paid"] == COST[size] - left
        play(running, "END TURN", "END TURN")
    running.play("USE salve")
    assert (who(running)["momentum"], who(running, "Ogre")["body"]) == (3 - left, 27)
    assert (who(running)["using"], who(running)["paid"]) == (0, 0)


def test_r12_a_payment_is_all_there_is() -> None:
    running = begin(duel(party=[carrier(item(size="large"))], rules=QUIET), "SUCCESS", 2)
    play(running, "ATTACK Ogre", "USE salve")
    assert (who(running)["momentum"], who(running)["paid"]) == (0, 2)
    assert "Kara begins to use salve (2 of 3 Momentum paid)." in happened(running)
    play(running, "END TURN", "END TURN", "USE salve")
    assert (who(running)["momentum"], who(running, "Ogre")["body"]) == (2, 25)


def test_r12_a_payment_is_at_least_1() -> None:
    running = play(user(item(size="large"), item("axe", size="large")), "USE salve")
    assert running.legal() == ["END TURN"]


def test_r12_the_turn_goes_on_after_a_payment() -> None:
    assert asked(user(item(size="huge")).play("USE salve")) == ("Kara", "ACT")


def test_r12_progress_is_kept_through_other_actions_and_rounds() -> None:
    running = begin(duel(party=[carrier(item(size="huge"))], rules=QUIET), "SUCCESS", 2, "SUCCESS", 2)
    play(running, "USE salve", "END TURN", "END TURN", "ATTACK Ogre", "END TURN", "END TURN", "ATTACK Ogre")
    assert who(running)["paid"] == 3
    running.play("USE salve")
    assert (who(running)["momentum"], who(running, "Ogre")["body"]) == (1, 30 - 2 - 2 - 3)


@pytest.mark.parametrize("other", ["tiny", "small", "huge"])
def test_r12_beginning_another_item_loses_the_progress(other: str) -> None:
    running = user(item(size="huge"), item("vial", size=other))
    play(running, "USE salve", "END TURN", "END TURN", "USE vial")
    assert who(running)["paid"] == (3 if other == "huge" else 0)
    if other != "huge":
        running.play("USE salve")
        assert who(running)["paid"] == 3 - COST[other]  # from the beginning


def test_r12_going_out_loses_the_progress() -> None:
    party = [carrier(item(size="huge")), hero("Odo")]
    foe = ogre(attacks=[attack(dice=1, sides=20)])
    running = begin(duel(party=party, foes=[foe], rules=QUIET), 20)
    play(running, "USE salve", "END TURN", "END TURN", "ATTACK Kara with club", "NONE")
    assert (who(running)["out"], who(running)["using"], who(running)["paid"]) == (1, 0, 0)


def test_r12_a_tiny_item_needs_no_momentum() -> None:
    kara = carrier(item(size="tiny"), momentum=1)
    running = play(begin(duel(party=[kara], rules=QUIET), "SUCCESS", 2), "ATTACK Ogre")
    assert running.legal() == ["END TURN", "USE salve"]
    assert who(running.play("USE salve"), "Ogre")["body"] == 25


def test_r12_a_tiny_item_once_a_turn() -> None:
    running = user(item(size="tiny", uses=3), item("pin", size="tiny"), item("axe")).play("USE salve")
    assert [action for action in running.legal() if action.startswith("USE")] == ["USE axe"]
    assert "USE salve" in play(running, "END TURN", "END TURN").legal()


@pytest.mark.parametrize("uses", [1, 2, 3])
def test_s5_an_item_has_its_uses(uses: int) -> None:
    running = user(item(uses=uses))
    for left in reversed(range(uses)):
        running.play("USE salve")
        assert who(running)["uses"][0] == left
    assert "USE salve" not in running.legal()


def test_s5_an_item_has_one_use_by_default() -> None:
    assert "USE salve" not in user(item()).play("USE salve").legal()


def test_r12_a_payment_uses_nothing_up() -> None:
    assert who(user(item(size="huge")).play("USE salve"))["uses"][0] == 1


# --- rolls -------------------------------------------------------------------------------------------------


def test_s5_use_rolls_the_items_ability_against_its_target_number() -> None:
    running = user(item(ability="alchemy", tn=3), rolls=("SACRIFICE",)).play("USE salve")
    assert any(line.startswith("Kara rolls Alchemy against 3: d8") for line in happened(running))


@pytest.mark.parametrize(("outcome", "body"), [("BOTCH", 30), ("SACRIFICE", 30), ("SUCCESS", 27), ("TRIUMPH", 27)])
def test_s5_botch_and_sacrifice_of_a_rolled_use_are_paid_without_effect(outcome: str, body: int) -> None:
    running = user(item(ability="fire", tn=4), rolls=(outcome,)).play("USE salve")
    assert (who(running, "Ogre")["body"], who(running)["momentum"]) == (body, 2)
    assert who(running)["uses"][0] == 0
    assert asked(running) == ("Kara", "ACT")


def test_s5_the_roll_comes_when_all_is_paid() -> None:
    running = user(item(size="huge", ability="fire", tn=4), rolls=("SUCCESS",))
    play(running, "USE salve", "END TURN", "END TURN")
    assert (running.unused_rolls, who(running, "Ogre")["body"]) == (1, 30)
    assert who(running.play("USE salve"), "Ogre")["body"] == 27


def test_s5_a_rolled_use_has_the_chances_of_its_ability() -> None:
    running = user(item(ability="fire", tn=4))
    found = chances(running, "USE salve", lambda after: who(after, "Ogre")["body"])
    assert found[27] == pytest.approx(float(sum(efforts([8, 6, 4], 4)[2:])), abs=1e-12)


def test_s5_a_single_die_never_reaches_two_effort() -> None:
    """Surgery, which the sheet does not list, is a d8 alone: a rolled USE needs SUCCESS."""
    running = user(item(ability="surgery", tn=2))
    assert chances(running, "USE salve", lambda after: who(after, "Ogre")["body"]) == {30: 1.0}


def test_s5_without_ability_and_tn_there_is_no_roll() -> None:
    assert who(user(item()).play("USE salve"), "Ogre")["body"] == 27


# --- effects -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pool", "after"), [("body", (19, 5, 5)), ("mind", (15, 9, 5)), ("spirit", (15, 5, 8))])
def test_s5_heal_gives_points_to_a_pool_up_to_its_maximum(pool: str, after: tuple[int, int, int]) -> None:
    """Kara has lost 5, 5 and 3 points, has no Momentum to recover with, and heals 4."""
    attacks = [attack(name, dice=1, sides=20, pool=name) for name in ("body", "mind", "spirit")]
    kara = carrier(healing(pool=pool, size="tiny"), momentum=1)
    running = begin(duel(party=[kara], foes=[ogre(attacks=attacks)], rules=QUIET), "SACRIFICE", 5, 5, 3)
    play(running, "ATTACK Ogre", "END TURN")
    for name in ("body", "mind", "spirit"):
        play(running, f"ATTACK Kara with {name}", "NONE")
    running = play(running, "END TURN", "USE salve")
    it = who(running)
    assert (it["body"], it["mind"], it["spirit"]) == after


def test_s5_heal_gives_body_by_default() -> None:
    running = struck("", healing(), points=9)  # 11 left, 14 after Recovery
    assert who(running.play("USE salve"))["body"] == 18


@pytest.mark.parametrize("pool", [None, "body", "mind", "spirit"])
def test_s5_harm_takes_points_off_and_r16_a_missing_pool_is_body(pool: str | None) -> None:
    assert who(user(item(**({"pool": pool} if pool else {}))).play("USE salve"), "Ogre")["body"] == 27


def test_s5_harm_may_inflict_a_tag() -> None:
    it = who(user(item(tag="burning")).play("USE salve"), "Ogre")
    assert (it["body"], it["burning"]) == (27, 1)


def test_s5_harm_may_end_the_skirmish() -> None:
    running = user(item(amount=30)).play("USE salve")
    assert (running.over, running.winner) == (True, "party")


@pytest.mark.parametrize("tag", ["prone", "disarmed", "burning", "hamstrung", "bleeding", "freezing"])
def test_s5_cure_ends_a_condition(tag: str) -> None:
    running = struck(tag, {"name": "cure", "size": "small", "effect": "cure", "tag": tag})
    assert who(running)[tag] > 0
    assert who(running.play("USE cure"))[tag] == 0


def test_r34_freezing_keeps_a_fighter_hamstrung() -> None:
    running = struck("freezing", {"name": "cure", "size": "small", "effect": "cure", "tag": "hamstrung"})
    before = who(running)["hamstrung"], who(running)["freezing"]
    running.play("USE cure")
    assert (who(running)["hamstrung"], who(running)["freezing"]) == before == (1, 1)
    assert happened(running)[-2:] == ["Kara uses cure.", "cure takes effect."]


def test_r34_a_cure_of_freezing_ends_hamstrung_too() -> None:
    running = struck("freezing", {"name": "cure", "size": "small", "effect": "cure", "tag": "freezing"}).play(
        "USE cure"
    )
    assert (who(running)["hamstrung"], who(running)["freezing"]) == (0, 0)


@pytest.mark.parametrize("tag", ["stun", "prone", "disarmed", "burning", "hamstrung", "bleeding", "freezing"])
def test_s5_cure_of_what_is_not_there_tells_of_nothing(tag: str) -> None:
    running = user({"name": "cure", "size": "small", "effect": "cure", "tag": tag}).play("USE cure")
    assert happened(running)[-2:] == ["Kara uses cure.", "cure takes effect."]


def test_s5_add_tag_puts_a_tag_on_the_weapon() -> None:
    oil = {"name": "oil", "size": "small", "effect": "add_tag", "tag": "freezing"}
    running = user(oil)
    assert "TAG FREEZING" not in running.legal()
    assert "TAG FREEZING" in running.play("USE oil").legal()
    assert "TAG FREEZING" in play(running, "END TURN", "END TURN").legal()


def test_s5_add_tag_needs_a_weapon_in_hand() -> None:
    oil = {"name": "oil", "size": "small", "effect": "add_tag", "tag": "freezing"}
    assert "USE oil" not in begin(duel(party=[carrier(oil, weapon=None)])).legal()


# --- whom it is for ----------------------------------------------------------------------------------


def yard(thing: dict[str, Any], odo: tuple[int, int], ogre_at: tuple[int, int], imp: tuple[int, int]) -> Game:
    """Kara in 0,0 on a board with an ally and two foes."""
    places = {"Kara": (0, 0), "Odo": odo, "Ogre": ogre_at, "Imp": imp}
    party, foes = [carrier(thing), hero("Odo")], [ogre(), ogre("Imp")]
    return begin(on_board(places, width=10, party=party, foes=foes, rules=QUIET))


def test_r26_a_helpful_item_is_for_oneself_or_an_ally_within_1_square() -> None:
    running = yard(healing(), (1, 1), (5, 5), (6, 6)).play("USE salve")
    assert asked(running) == ("Kara", "TARGET")
    assert running.legal() == ["TARGET Kara", "TARGET Odo"]


def test_r26_a_distant_ally_is_no_target_and_a_single_one_is_not_asked() -> None:
    running = yard(healing(), (2, 0), (5, 5), (6, 6)).play("USE salve")
    assert asked(running) == ("Kara", "ACT")


def test_r26_a_harmful_item_is_for_an_enemy_within_6_squares() -> None:
    running = yard(item(), (1, 1), (6, 6), (6, 0)).play("USE salve")
    assert running.legal() == ["TARGET Ogre", "TARGET Imp"]
    running.play("TARGET Imp")
    assert (who(running, "Ogre")["body"], who(running, "Imp")["body"]) == (30, 27)


def test_r26_a_distant_enemy_is_no_target_and_a_single_one_is_not_asked() -> None:
    running = yard(item(), (1, 1), (6, 6), (7, 0)).play("USE salve")
    assert (asked(running), who(running, "Ogre")["body"]) == (("Kara", "ACT"), 27)


def test_r26_an_item_without_a_target_cannot_be_used() -> None:
    assert "USE salve" not in yard(item(), (1, 1), (7, 6), (7, 0)).legal()


@pytest.mark.parametrize(("mind", "asked_for"), [(5, ["TARGET Kara", "TARGET Odo"]), (0, None)])
def test_r26_who_lacks_the_pool_that_an_item_heals_is_no_target(mind: int, asked_for: list[str] | None) -> None:
    odo = hero("Odo", aspects={"body": 9, "mind": mind, "spirit": 0})
    running = begin(duel(party=[carrier(healing(pool="mind")), odo])).play("USE salve")
    assert (running.legal() if running.window == "TARGET" else None) == asked_for


def test_r26_healing_an_ally() -> None:
    running = foes_turn(duel(party=[carrier(healing(size="tiny")), hero("Odo")], rules=QUIET), 8, 8)
    play(running, "ATTACK Odo with club", "NONE", "ATTACK Odo with club", "NONE", "END TURN")
    assert who(running, "Odo")["body"] == 7
    assert who(play(running, "USE salve", "TARGET Odo"), "Odo")["body"] == 11


def test_r26_add_tag_on_an_allys_weapon() -> None:
    oil = {"name": "oil", "size": "small", "effect": "add_tag", "tag": "burning"}
    running = play(begin(duel(party=[carrier(oil), hero("Odo")])), "USE oil", "TARGET Odo")
    assert "TAG BURNING" not in running.legal()
    assert "TAG BURNING" in running.play("END TURN").legal()


def test_s5_monsters_use_no_items() -> None:
    assert not any(action.startswith("USE") for action in user(item()).play("END TURN").legal())
