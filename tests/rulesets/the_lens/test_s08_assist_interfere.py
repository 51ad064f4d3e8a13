"""Section 8: ASSIST and INTERFERE (R-24), and the switch ``reactions``."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.fights import attacked, declared, knight, mixed, sums
from tests.rulesets.the_lens.scenes import (
    asked,
    attack,
    begin,
    chances,
    duel,
    foes_turn,
    happened,
    hero,
    ogre,
    on_board,
    play,
    who,
)

pytestmark = pytest.mark.kernel

STRONG = {"weapon_use": {"talent": "strong", "rank": "apprentice"}, "maneuvering": {"rank": "apprentice"}}
BOLT = {"name": "bolt", "school": "fire", "parameters": [4], "dice": 1, "sides": 4}
KIT = {"name": "kit", "size": "small", "effect": "heal", "amount": 3, "ability": "healing", "tn": 3}


def best_and_worst(sides: list[int], helper: int, hinderer: int, tn: int) -> list[Fraction]:
    """The chances of the four outcomes by going through all faces: Talent with helper and hinderer, two more dice."""
    counts = [0, 0, 0, 0]
    dice = [*sides, helper or 1, hinderer or 1]
    for talent, training, third, helps, hinders in product(*(range(1, side + 1) for side in dice)):
        own = max(talent, helps) if helper else talent
        own = min(own, hinders) if hinderer else own
        counts[sum(face >= tn for face in (own, training, third))] += 1
    return [Fraction(count, sum(counts)) for count in counts]


def windows(running: Game, action: str) -> list[tuple[str | None, str | None]]:
    """Who is asked for a reaction to an action, all of them passing."""
    running.play(action)
    seen = []
    while running.window in ("ASSIST", "INTERFERE"):
        seen.append(asked(running))
        running.play("PASS")
    return seen


def company(*rolls: Any, party: list[Any] | None = None, foes: list[Any] | None = None, **changes: Any) -> Game:
    """Kara and Tomas against an Ogre and a Troll, without a board; it is Kara's turn."""
    party, foes = party or [knight(), hero("Tomas")], foes or [ogre(), ogre("Troll")]
    return begin(duel(party=party, foes=foes, **changes), *rolls)


# --- the triggers ------------------------------------------------------------------------------------------

REACTIONS = [("Tomas", "ASSIST"), ("Troll", "INTERFERE")]  # the Ogre is the target
ALL_REACTIONS = [("Tomas", "ASSIST"), ("Ogre", "INTERFERE"), ("Troll", "INTERFERE")]


def test_s8_trigger_attack() -> None:
    assert windows(company("BOTCH"), "ATTACK Ogre") == REACTIONS


def test_s8_trigger_form() -> None:
    assert windows(company("BOTCH", party=[knight(spells=[BOLT]), hero("Tomas")]), "FORM bolt") == ALL_REACTIONS


def test_s8_trigger_cast() -> None:
    running = company("SUCCESS", "BOTCH", party=[knight(spells=[BOLT]), hero("Tomas")])
    windows(running, "FORM bolt")
    assert windows(running, "CAST Ogre") == REACTIONS


def test_s8_trigger_rolled_use() -> None:
    running = company("BOTCH", party=[knight(items=[KIT]), hero("Tomas"), hero("Mira")]).play("USE kit")
    assert windows(running, "TARGET Kara") == [ALL_REACTIONS[0], ("Mira", "ASSIST"), *ALL_REACTIONS[1:]]


def test_r24_the_target_of_an_item_does_not_help() -> None:
    running = company("BOTCH", party=[knight(items=[KIT]), hero("Tomas"), hero("Mira")]).play("USE kit")
    assert windows(running, "TARGET Tomas") == [("Mira", "ASSIST"), *ALL_REACTIONS[1:]]


def test_s8_trigger_step_into_difficult_terrain() -> None:
    places = {"Kara": (1, 1), "Tomas": (0, 1), "Ogre": (1, 0), "Troll": (7, 7)}
    data = on_board(places, party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")],
                    ground={"difficult": {"2,1": 4}})  # fmt: skip
    running = begin(data, "BOTCH").play("MOVE")
    assert windows(running, "STEP E") == [("Tomas", "ASSIST"), ("Ogre", "INTERFERE")]


def test_s8_trigger_a_monsters_attack_leads_to_the_defenders_roll() -> None:
    running = foes_turn(duel(party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")]), "SUCCESS")
    assert windows(declared(running), "BLOCK") == [("Troll", "ASSIST"), ("Tomas", "INTERFERE")]


@pytest.mark.parametrize("defence", ["ABJURE", "MITIGATE", "BLOCK", "DODGE", "PARRY"])
def test_s8_passive_defences_too(defence: str) -> None:
    damage = [5] if defence in ("ABJURE", "MITIGATE") else []
    foes = [ogre(attacks=[attack(magic=defence == "ABJURE")]), ogre("Troll")]
    running = foes_turn(duel(party=[knight(), hero("Tomas")], foes=foes), "SUCCESS", *damage)
    assert windows(declared(running), defence) == [("Troll", "ASSIST"), ("Tomas", "INTERFERE")]


def test_s8_no_trigger_without_a_roll() -> None:
    """NONE, TAG, a sure FORM, an item without a roll, MOVE and a STEP on open ground, a monster's STEP."""
    light = {**BOLT, "parameters": [3]}  # at most half of the d6
    salve = {"name": "salve", "size": "small", "effect": "heal", "amount": 3}
    weapon = {"name": "sword", "size": "small", "quality": "common", "tags": ["burning"]}
    it = knight(spells=[light], items=[salve], weapon=weapon, momentum=5)
    running = company(party=[it, hero("Tomas")])
    for action in ("TAG BURNING", "FORM bolt", "USE salve", "TARGET Kara"):
        running.play(action)
        assert running.window in ("ACT", "TARGET")
    running = declared(foes_turn(duel(party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")]), 5))
    assert asked(running.play("NONE")) == ("Ogre", "ACT")


def test_s8_a_monsters_step_and_a_step_on_open_ground_are_no_trigger() -> None:
    places = {"Kara": (1, 1), "Tomas": (0, 1), "Ogre": (3, 1), "Troll": (3, 2)}
    data = on_board(places, party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")],
                    ground={"difficult": {"4,1": 4}})  # fmt: skip
    running = play(begin(data), "MOVE", "STEP E")
    assert running.window == "STEP"
    play(running, "STOP", "END TURN", "END TURN", "MOVE", "STEP E")
    assert (asked(running), who(running, "Ogre")["x"]) == (("Ogre", "STEP"), 4)


# --- who may react -----------------------------------------------------------------------------------------


def test_s8_a_reaction_costs_1_momentum() -> None:
    running = play(company("BOTCH"), "ATTACK Ogre", "ASSIST", "INTERFERE")
    assert (who(running, "Tomas")["momentum"], who(running, "Troll")["momentum"]) == (2, 2)


def test_s8_passing_costs_nothing() -> None:
    running = play(company("BOTCH"), "ATTACK Ogre", "PASS", "PASS")
    assert (who(running, "Tomas")["momentum"], who(running, "Troll")["momentum"]) == (3, 3)


def test_s8_no_reaction_without_momentum() -> None:
    running = company("BOTCH", foes=[ogre(), ogre("Troll", momentum=0)])
    assert windows(running, "ATTACK Ogre") == [("Tomas", "ASSIST")]


def test_s8_no_reaction_of_a_fighter_who_is_out() -> None:
    running = company("SUCCESS", 8, "BOTCH", foes=[ogre(body=5), ogre("Troll"), ogre("Imp")])
    assert windows(running, "ATTACK Ogre") == [("Tomas", "ASSIST"), ("Troll", "INTERFERE"), ("Imp", "INTERFERE")]
    assert windows(running, "ATTACK Troll") == [("Tomas", "ASSIST"), ("Imp", "INTERFERE")]


def test_s8_no_reaction_of_the_surprised() -> None:
    data = duel(party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")], surprise="foes")
    assert windows(begin(data, "BOTCH"), "ATTACK Ogre") == [("Tomas", "ASSIST")]


@pytest.mark.parametrize("tag", ["prone", "hamstrung", "disarmed"])
def test_s8_conditions_do_not_keep_from_reacting(tag: str) -> None:
    attacks = [{"name": "club", "dice": 1, "sides": 2, "tags": [tag]}]
    data = duel(party=[knight(), hero("Tomas")], foes=[ogre(attacks=attacks), ogre("Troll")])
    running = play(foes_turn(data, 1, "BOTCH"), "ATTACK Tomas with club", "NONE", "END TURN", "END TURN")
    assert asked(running.play("ATTACK Ogre")) == ("Tomas", "ASSIST")


@pytest.mark.parametrize(("cell", "near"), [((3, 3), True), ((2, 3), True), ((4, 2), False), ((2, 4), False)])
def test_s8_nearby_is_within_1_square_of_the_character_who_acts(cell: tuple[int, int], near: bool) -> None:
    """Not of the target."""
    places = {"Kara": (2, 2), "Tomas": cell, "Ogre": (3, 1), "Troll": (7, 7)}
    data = on_board(places, party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")])
    assert windows(begin(data, "BOTCH"), "ATTACK Ogre") == ([("Tomas", "ASSIST")] if near else [])
    places = {"Kara": (2, 2), "Tomas": (7, 7), "Ogre": (3, 1), "Troll": cell}
    data = on_board(places, party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")])
    assert windows(begin(data, "BOTCH"), "ATTACK Ogre") == ([("Troll", "INTERFERE")] if near else [])


@pytest.mark.parametrize(("cell", "near"), [((4, 0), True), ((4, 1), True), ((2, 3), False), ((1, 1), False)])
def test_s8_nearby_is_within_1_square_of_the_monster_that_attacks(cell: tuple[int, int], near: bool) -> None:
    """Not of the defender."""
    places = {"Kara": (2, 2), "Tomas": cell, "Ogre": (3, 1), "Troll": (7, 7)}
    data = on_board(places, party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")])
    running = play(foes_turn(data, "SUCCESS"), "ATTACK Kara with club")
    assert windows(running, "BLOCK") == ([("Tomas", "INTERFERE")] if near else [])
    places = {"Kara": (2, 2), "Tomas": (7, 7), "Ogre": (3, 1), "Troll": cell}
    data = on_board(places, party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")])
    running = play(foes_turn(data, "SUCCESS"), "ATTACK Kara with club")
    assert windows(running, "BLOCK") == ([("Troll", "ASSIST")] if near else [])


def test_r14_everyone_is_nearby_without_a_board() -> None:
    party = [knight(), *(hero(f"Hero {n}") for n in range(3))]
    running = company("BOTCH", party=party, foes=[ogre(), *(ogre(f"Ogre {n}") for n in range(3))])
    assert windows(running, "ATTACK Ogre") == [
        *((f"Hero {n}", "ASSIST") for n in range(3)), *((f"Ogre {n}", "INTERFERE") for n in range(3)),
    ]  # fmt: skip


def test_r24_actor_and_target_never_react() -> None:
    assert windows(begin(duel(), "BOTCH"), "ATTACK Ogre") == []


def test_r24_attacker_and_defender_never_react() -> None:
    assert windows(attacked("SUCCESS"), "BLOCK") == []


# --- one of each, in order ---------------------------------------------------------------------------------


def test_r24_at_most_one_assist_and_one_interfere() -> None:
    party, foes = [knight(), hero("Tomas"), hero("Mira")], [ogre(), ogre("Troll"), ogre("Imp")]
    running = company("BOTCH", party=party, foes=foes).play("ATTACK Ogre")
    assert asked(running) == ("Tomas", "ASSIST")
    assert asked(running.play("ASSIST")) == ("Troll", "INTERFERE")  # Mira is not asked any more
    assert asked(running.play("INTERFERE")) == ("Tomas", "ACT")  # nor is the Imp; Kara's turn is over


def test_r24_asked_in_file_order_until_one_does() -> None:
    party, foes = [knight(), hero("Tomas"), hero("Mira")], [ogre(), ogre("Troll"), ogre("Imp")]
    running = play(company("BOTCH", party=party, foes=foes), "ATTACK Ogre", "PASS")
    assert asked(running) == ("Mira", "ASSIST")
    play(running, "ASSIST", "PASS")
    assert asked(running) == ("Imp", "INTERFERE")


def test_s8_monsters_are_asked_first_about_a_monsters_attack() -> None:
    party, foes = [knight(), hero("Tomas"), hero("Mira")], [ogre(), ogre("Troll"), ogre("Imp")]
    running = declared(foes_turn(duel(party=party, foes=foes), "SUCCESS"))
    assert windows(running, "BLOCK") == [
        ("Troll", "ASSIST"), ("Imp", "ASSIST"), ("Tomas", "INTERFERE"), ("Mira", "INTERFERE"),
    ]  # fmt: skip


def test_r24_one_of_each_in_a_defence_too() -> None:
    party, foes = [knight(), hero("Tomas"), hero("Mira")], [ogre(), ogre("Troll"), ogre("Imp")]
    running = declared(foes_turn(duel(party=party, foes=foes), "SUCCESS"))
    assert asked(play(running, "BLOCK", "ASSIST")) == ("Tomas", "INTERFERE")
    assert asked(running.play("INTERFERE")) == ("Ogre", "ACT")


def test_s8_reactions_come_before_the_roll() -> None:
    running = company().play("ATTACK Ogre")
    assert not any("Weapon Use" in line for line in happened(running))


# --- the dice ----------------------------------------------------------------------------------------------


def effort_of(running: Game) -> int:
    """The outcome of an ATTACK: 0 a miss, 1 a choice, 2 a hit."""
    if running.window == "ATTACK_SACRIFICE":
        return 1
    return 2 if who(running, "Ogre")["body"] < 30 else 0


@pytest.mark.parametrize(("helps", "hinders"), list(product([False, True], repeat=2)))
@pytest.mark.parametrize(("helper", "hinderer"), [("weak", 4), ("strong", 8), ("gifted", 12)])
@pytest.mark.parametrize("tn", [3, 6])
def test_r24_an_attack_with_helper_and_hinderer_keeps_the_better_and_then_the_worse(
    helper: str, hinderer: int, helps: bool, hinders: bool, tn: int
) -> None:
    """By going through all faces of d8, d6, d4 and the two talent dice."""
    sides = {"weak": 6, "strong": 10, "gifted": 12}[helper] if helps else 0
    tomas = hero("Tomas", abilities={"weapon_use": {"talent": helper}, "maneuvering": {"rank": "apprentice"}})
    running = company(party=[knight(), tomas], foes=[ogre(defense=tn), ogre("Troll", talent=hinderer)])
    play(running, "ATTACK Ogre", "ASSIST" if helps else "PASS")
    after = chances(running, "INTERFERE" if hinders else "PASS", effort_of)
    chance = best_and_worst([8, 6, 4], sides, hinderer if hinders else 0, tn)
    expected = {0: chance[0], 1: chance[1], 2: chance[2] + chance[3]}
    assert after == pytest.approx({key: float(value) for key, value in expected.items() if value}, abs=1e-12)


def stunned(running: Game) -> tuple[bool, int, int]:
    """Every outcome of a BLOCK looks different: (is something asked, hurt, attacker stunned)."""
    return running.window == "DEFENSE_SACRIFICE", who(running)["body"] < 20, 2 - who(running, "Ogre")["momentum"]


@pytest.mark.parametrize(("assists", "interferes"), list(product([False, True], repeat=2)))
@pytest.mark.parametrize(("helper", "hinderer"), [("weak", 4), ("strong", 8), ("gifted", 12)])
@pytest.mark.parametrize("rating", [4, 6])
def test_r24_a_defence_with_helper_and_hinderer(
    helper: str, hinderer: int, assists: bool, interferes: bool, rating: int
) -> None:
    """The other monster's ASSIST hinders the defender, the other character's INTERFERE helps."""
    sides = {"weak": 6, "strong": 10, "gifted": 12}[helper] if interferes else 0
    tomas = hero("Tomas", abilities={"shield_use": {"talent": helper}, "maneuvering": {"rank": "apprentice"}})
    data = duel(party=[knight(), tomas], foes=[ogre(attack_rating=rating), ogre("Troll", talent=hinderer)])
    running = play(declared(foes_turn(data)), "BLOCK", "ASSIST" if assists else "PASS")
    after = chances(running, "INTERFERE" if interferes else "PASS", stunned)
    chance = best_and_worst([8, 6, 4], sides, hinderer if assists else 0, rating)
    keys = [(False, True, 0), (True, False, 0), (False, False, 0), (False, False, 1)]
    expected = {key: float(value) for key, value in zip(keys, chance, strict=True) if value}
    assert after == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("helps", [False, True])
def test_r24_a_monsters_die_makes_a_mitigation_worse(helps: bool) -> None:
    """Passive defences too: the whole distribution of BODY, by going through all faces."""
    data = duel(party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll", talent=6)])
    running = play(declared(foes_turn(data)), "MITIGATE", "ASSIST")
    effort = best_and_worst([8, 6, 4], 8 if helps else 0, 6, 4)
    hit = [(effort[0] * chance, {20 - n - 3: Fraction(1)}) for n, chance in sums(2, 4).items()]
    less = [((effort[2] + effort[3]) * chance, {20 - max(0, n - 3): Fraction(1)}) for n, chance in sums(2, 4).items()]
    after = chances(running, "INTERFERE" if helps else "PASS", lambda it: who(it)["body"])
    assert after == pytest.approx(mixed((effort[1], {20: Fraction(1)}), *hit, *less), abs=1e-12)


def test_r24_the_helper_lends_the_talent_in_the_rolled_ability() -> None:
    """Not the Training, and not the Talent of another ability."""
    gifted = {"weapon_use": {"talent": "gifted", "rank": "master"}, "maneuvering": {"rank": "apprentice"}}
    running = play(company((1, 1, 1, 12), party=[knight(), hero("Tomas", abilities=gifted)]), "ATTACK Ogre", "ASSIST")
    running.play("PASS")
    assert any("d8 1, d6 1, d4 1, d12 12: SACRIFICE" in line for line in happened(running))
    data = duel(party=[knight(), hero("Tomas", abilities=gifted)], foes=[ogre(), ogre("Troll")])
    running = play(declared(foes_turn(data, (1, 1, 1, 8))), "BLOCK", "PASS", "INTERFERE")
    assert any("d8 1, d6 1, d4 1, d8 8: SACRIFICE" in line for line in happened(running))


def test_r24_a_monsters_die_defaults_to_d8() -> None:
    running = play(company((8, 1, 1, 8)), "ATTACK Ogre", "PASS", "INTERFERE")
    assert any("d8 8, d6 1, d4 1, d8 8: SACRIFICE" in line for line in happened(running))


@pytest.mark.parametrize(("faces", "outcome"), [
    ((1, 1, 1, 8, 8), "SACRIFICE"), ((8, 1, 1, 1, 8), "SACRIFICE"), ((8, 1, 1, 8, 1), "BOTCH"),
    ((1, 1, 1, 1, 8), "BOTCH"), ((8, 6, 4, 1, 4), "TRIUMPH"), ((8, 6, 4, 8, 3), "SUCCESS"),
])  # fmt: skip
def test_r24_by_faces_talent_training_third_helper_hinderer(faces: tuple[int, ...], outcome: str) -> None:
    rolls = [faces] if outcome in ("BOTCH", "SACRIFICE") else [faces, 5]
    running = play(company(*rolls), "ATTACK Ogre", "ASSIST", "INTERFERE")
    assert any(f": {outcome}." in line for line in happened(running) if "Weapon Use" in line)


# --- the switch --------------------------------------------------------------------------------------------


def test_s8_switch_reactions_all_is_the_default() -> None:
    assert windows(company("BOTCH"), "ATTACK Ogre") == windows(
        company("BOTCH", rules={"reactions": "all"}), "ATTACK Ogre"
    )


def test_s8_switch_reactions_defence_only_never_asks() -> None:
    rules = {"reactions": "defence_only"}
    assert windows(company("BOTCH", rules=rules), "ATTACK Ogre") == []
    party = [knight(spells=[BOLT], items=[KIT]), hero("Tomas")]
    assert windows(company("BOTCH", party=party, rules=rules), "FORM bolt") == []
    data = duel(party=[knight(), hero("Tomas")], foes=[ogre(), ogre("Troll")], rules=rules)
    assert windows(declared(foes_turn(data, "SUCCESS")), "BLOCK") == []


def test_s8_defence_only_still_asks_for_defences_and_guards() -> None:
    rules = {"reactions": "defence_only"}
    running = company("SUCCESS", foes=[ogre(guard="shield"), ogre("Troll")], rules=rules).play("ATTACK Ogre")
    assert asked(running) == ("Ogre", "GUARD")
    assert declared(foes_turn(duel(rules=rules))).window == "DEFEND"
