"""Section 7: BLOCK, DODGE and PARRY: every cell of the table, the riposte (R-19), the free move."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.fights import TN_4, attacked, declared, knight, mixed, sums
from tests.rulesets.the_lens.scenes import (
    asked,
    at,
    attack,
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

ACTIVE = ("BLOCK", "DODGE", "PARRY")
RIPOSTE: dict[str, Any] = {"rules": {"parry": "riposte"}}
FREE = {"momentum": 3, "prone": 0, "disarmed": 0, "hamstrung": 0, "stun_pending": 0, "locked": 0}


def body(running: Game, name: str = "Kara") -> int:
    return int(who(running, name)["body"])


def differs(running: Game, name: str = "Kara") -> dict[str, int]:
    """What is unlike a fighter who has three Momentum and no condition."""
    it = who(running, name)
    return {field: it[field] for field, value in FREE.items() if it[field] != value}


# --- BOTCH: full effect, and worse -------------------------------------------------------------------------


@pytest.mark.parametrize(("defence", "suffered"), [
    ("BLOCK", {"momentum": 1}), ("DODGE", {"prone": 1, "momentum": 2}), ("PARRY", {"disarmed": 1, "momentum": 2}),
])  # fmt: skip
def test_s7_botch_full_effect_and_a_condition(defence: str, suffered: dict[str, int]) -> None:
    """BLOCK: STUN (1 Momentum), DODGE: PRONE, PARRY: DISARMED."""
    running = attacked("BOTCH", 7, by={"tags": ["burning"]}).play(defence)
    assert (body(running), who(running)["burning"]) == (13, 1)
    assert differs(running) == suffered
    assert asked(running) == ("Ogre", "ACT")


def test_s7_block_botch_stun_waits_if_no_momentum_is_left() -> None:
    running = attacked("BOTCH", 7, party=[knight(momentum=1)]).play("BLOCK")
    assert differs(running) == {"momentum": 0, "stun_pending": 1}


def test_r32_parry_botch_without_a_weapon_disarms_of_nothing() -> None:
    running = attacked("BOTCH", 7, party=[knight(weapon=None, natural_parry=True)]).play("PARRY")
    assert differs(running) == {"momentum": 2}


def test_s7_botch_condition_only_if_the_defender_still_stands() -> None:
    party = [knight(aspects={"body": 5, "mind": 4, "spirit": 4}), hero("Tomas")]
    running = attacked("BOTCH", 5, party=party, rules={"reactions": "defence_only"}).play("DODGE")
    assert (who(running)["out"], who(running)["prone"]) == (1, 0)


# --- SACRIFICE: full effect, or stopped at a price ---------------------------------------------------------


@pytest.mark.parametrize("defence", ACTIVE)
def test_s7_sacrifice_the_defender_chooses(defence: str) -> None:
    running = attacked("SACRIFICE").play(defence)
    assert (asked(running), running.legal()) == (("Kara", "DEFENSE_SACRIFICE"), ["YIELD", "SACRIFICE"])


@pytest.mark.parametrize("defence", ACTIVE)
def test_s7_sacrifice_full_effect(defence: str) -> None:
    running = play(attacked("SACRIFICE", 7, by={"tags": ["burning"]}), defence, "YIELD")
    assert (body(running), who(running)["burning"]) == (13, 1)
    assert differs(running) == {"momentum": 2}


@pytest.mark.parametrize(("defence", "price"), [
    ("BLOCK", {"locked": 1 << 3}), ("DODGE", {"hamstrung": 2}), ("PARRY", {"hamstrung": 2}),
])  # fmt: skip
@pytest.mark.parametrize("parry", ["as_printed", "riposte"])
def test_s7_sacrifice_stopped_at_a_price(defence: str, price: dict[str, int], parry: str) -> None:
    """BLOCK is locked; DODGE and PARRY leave the defender HAMSTRUNG. No damage roll, no tags."""
    running = play(attacked("SACRIFICE", by={"tags": ["burning"]}, rules={"parry": parry}), defence, "SACRIFICE")
    assert (body(running), who(running)["burning"]) == (20, 0)
    assert differs(running) == {"momentum": 2, **price}
    assert (differs(running, "Ogre"), asked(running)) == ({"momentum": 2}, ("Ogre", "ACT"))


@pytest.mark.parametrize("defence", ["DODGE", "PARRY"])
def test_s7_sacrifice_no_move(defence: str) -> None:
    running = play(in_the_open("SACRIFICE"), defence, "SACRIFICE")
    assert (at(running), asked(running)) == ((2, 2), ("Ogre", "ACT"))


# --- SUCCESS and TRIUMPH -----------------------------------------------------------------------------------


@pytest.mark.parametrize("parry", ["as_printed", "riposte"])
@pytest.mark.parametrize("defence", ACTIVE)
def test_s7_success_stops_the_attack(defence: str, parry: str) -> None:
    running = attacked("SUCCESS", by={"tags": ["burning", "prone"]}, rules={"parry": parry}).play(defence)
    assert (body(running), who(running)["burning"], differs(running)) == (20, 0, {"momentum": 2})
    assert (body(running, "Ogre"), differs(running, "Ogre")) == (30, {"momentum": 2})
    assert asked(running) == ("Ogre", "ACT")


@pytest.mark.parametrize(("defence", "suffered"), [
    ("BLOCK", {"momentum": 1}), ("DODGE", {"momentum": 2, "prone": 1}), ("PARRY", {"momentum": 2, "prone": 1}),
])  # fmt: skip
def test_s7_triumph_stops_the_attack_and_strikes_back(defence: str, suffered: dict[str, int]) -> None:
    """BLOCK: attacker STUN; DODGE and (as printed) PARRY: attacker PRONE."""
    running = attacked("TRIUMPH", by={"tags": ["burning"]}).play(defence)
    assert (body(running), who(running)["burning"], differs(running)) == (20, 0, {"momentum": 2})
    assert (body(running, "Ogre"), differs(running, "Ogre")) == (30, suffered)


def test_s7_block_triumph_stun_waits_if_the_attacker_has_no_momentum() -> None:
    running = attacked("TRIUMPH", foes=[ogre(momentum=1)]).play("BLOCK")
    assert differs(running, "Ogre") == {"momentum": 0, "stun_pending": 1}


def test_s7_an_attacker_thrown_down_cannot_attack_before_it_stands() -> None:
    running = attacked("TRIUMPH").play("DODGE")
    assert running.legal() == ["END TURN", "STAND"]
    assert any(action.startswith("ATTACK") for action in running.play("STAND").legal())


def test_s7_the_turn_of_the_attacker_goes_on() -> None:
    running = attacked("SUCCESS", "SUCCESS", "SUCCESS")
    for _ in range(2):
        declared(running.play("BLOCK"))
    assert (who(running, "Ogre")["momentum"], who(running)["momentum"]) == (0, 1)


# --- whole distributions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("defence", ACTIVE)
def test_s7_distribution_of_an_active_defence_against_2d4(defence: str) -> None:
    """A BOTCH takes 2d4, a SACRIFICE asks, everything else takes nothing."""
    running = attacked()
    nothing = {20: Fraction(1)}
    hurt = {20 - n: chance for n, chance in sums(2, 4).items()}
    expected = mixed((TN_4[0], hurt), (1 - TN_4[0], nothing))
    assert chances(running, defence, body) == pytest.approx(expected, abs=1e-12)
    asks = chances(running, defence, lambda it: it.window == "DEFENSE_SACRIFICE")
    assert asks == pytest.approx({True: 27 / 64, False: 37 / 64}, abs=1e-12)


def test_s7_distribution_of_a_parry_as_printed() -> None:
    running = attacked()
    after = chances(running, "PARRY", lambda it: (it.window, who(it)["disarmed"], who(it, "Ogre")["prone"]))
    assert after == pytest.approx({
        ("ACT", 1, 0): 9 / 64,
        ("DEFENSE_SACRIFICE", 0, 0): 27 / 64,
        ("ACT", 0, 0): 23 / 64,
        ("ACT", 0, 1): 5 / 64,
    }, abs=1e-12)  # fmt: skip


@pytest.mark.parametrize("armor", [0, 3, 8])
def test_r28_distribution_of_a_riposte_that_armor_absorbs(armor: int) -> None:
    """A TRIUMPH deals the 2d4 of the sword, less the armour, whatever tags the sword carries."""
    sword = {"name": "sword", "size": "small", "quality": "common", "tags": ["piercing"]}
    running = attacked(party=[knight(weapon=sword)], foes=[ogre(armor=armor)], **RIPOSTE)
    hit = [(TN_4[3] * chance, {30 - max(0, n - armor): Fraction(1)}) for n, chance in sums(2, 4).items()]
    expected = mixed((1 - TN_4[3], {30: Fraction(1)}), *hit)
    after = chances(running, "PARRY", lambda it: body(it, "Ogre"))
    assert after == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("rating", [2, 4, 6, 8, 12])
@pytest.mark.parametrize("defence", ACTIVE)
def test_s7_chance_to_take_nothing_for_free(defence: str, rating: int) -> None:
    running = attacked(by={"attack_rating": rating})
    effort = efforts([8, 6, 4], rating)
    stopped = chances(running, defence, lambda it: it.window == "ACT" and body(it) == 20)
    assert stopped.get(True, 0) == pytest.approx(float(effort[2] + effort[3]), abs=1e-12)


# --- the switch parry: riposte -----------------------------------------------------------------------------


def test_r19_as_printed_is_the_default() -> None:
    assert who(attacked("TRIUMPH").play("PARRY"), "Ogre")["prone"] == 1


def test_r19_riposte_triumph_deals_weapon_damage() -> None:
    running = attacked("TRIUMPH", 6, **RIPOSTE).play("PARRY")
    assert (body(running), differs(running)) == (20, {"momentum": 2})
    assert (body(running, "Ogre"), differs(running, "Ogre")) == (24, {"momentum": 2})
    assert asked(running) == ("Ogre", "ACT")


def test_r19_riposte_success_only_parries() -> None:
    running = attacked("SUCCESS", **RIPOSTE).play("PARRY")
    assert (body(running, "Ogre"), asked(running)) == (30, ("Ogre", "ACT"))


@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
def test_r19_riposte_moves_nobody(outcome: str) -> None:
    running = in_the_open(outcome, *([5] if outcome == "TRIUMPH" else []), **RIPOSTE).play("PARRY")
    assert (at(running), who(running, "Ogre")["prone"], asked(running)) == ((2, 2), 0, ("Ogre", "ACT"))


def test_r19_riposte_switch_leaves_the_dodge_alone() -> None:
    running = attacked("TRIUMPH", **RIPOSTE).play("DODGE")
    assert (body(running, "Ogre"), who(running, "Ogre")["prone"]) == (30, 1)


def test_r19_riposte_has_no_tags() -> None:
    flaming = {"name": "sword", "size": "small", "quality": "common", "tags": ["burning", "piercing"]}
    running = attacked("TRIUMPH", 6, party=[knight(weapon=flaming)], **RIPOSTE).play("PARRY")
    assert (body(running, "Ogre"), who(running, "Ogre")["burning"]) == (24, 0)


def test_r19_riposte_knows_no_guard() -> None:
    running = attacked("TRIUMPH", 6, foes=[ogre(guard="parry")], **RIPOSTE).play("PARRY")
    assert (body(running, "Ogre"), asked(running)) == (24, ("Ogre", "ACT"))


def test_r19_a_fallen_attackers_turn_ends() -> None:
    foes = [ogre(body=6), ogre("Troll")]
    running = attacked("TRIUMPH", 6, foes=foes, rules={"parry": "riposte", "reactions": "defence_only"}).play("PARRY")
    assert (who(running, "Ogre")["out"], asked(running)) == (1, ("Troll", "ACT"))


def test_r19_riposte_may_win_the_skirmish() -> None:
    running = attacked("TRIUMPH", 6, foes=[ogre(body=6)], **RIPOSTE).play("PARRY")
    assert (running.over, running.winner) == (True, "party")


def test_r19_riposte_without_a_weapon_is_with_bare_hands() -> None:
    party = [knight(weapon=None, natural_parry=True)]
    running = attacked("TRIUMPH", 2, by={"attack_rating": 2}, party=party, **RIPOSTE).play("PARRY")
    assert body(running, "Ogre") == 28


def test_r19_riposte_reaches_an_attacker_on_the_diagonal() -> None:
    """What can be parried is a melee attack, so its attacker is always in reach."""
    running = in_the_open("TRIUMPH", 5, **RIPOSTE).play("PARRY")
    assert body(running, "Ogre") == 25


# --- the free move -----------------------------------------------------------------------------------------


def in_the_open(*rolls: Any, ground: Any = None, width: int = 5, height: int = 5, **changes: Any) -> Game:
    """A knight at 2,2 has to defend against an ogre at 1,1."""
    scene = {"party": [knight()], **changes}
    data = on_board({"Kara": (2, 2), "Ogre": (1, 1)}, width=width, height=height, ground=ground, **scene)
    return declared(foes_turn(data, *rolls))


@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
@pytest.mark.parametrize("defence", ["DODGE", "PARRY"])
def test_r31_free_move_the_mover_chooses_an_open_adjacent_square(defence: str, outcome: str) -> None:
    running = in_the_open(outcome, ground={"blocked": [[2, 1]]}).play(defence)
    assert asked(running) == ("Kara", "FREE_MOVE")
    ways = {"NE", "E", "SE", "S", "SW", "W"}  # all but the wall and the ogre
    assert set(running.legal()) == {f"STEP {way}" for way in ways}
    running.play("STEP SE")
    assert (at(running), who(running)["momentum"], asked(running)) == ((3, 3), 2, ("Ogre", "ACT"))
    assert who(running, "Ogre")["prone"] == (1 if outcome == "TRIUMPH" else 0)


@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
def test_s7_a_block_moves_nobody(outcome: str) -> None:
    running = in_the_open(outcome).play("BLOCK")
    assert (at(running), asked(running)) == ((2, 2), ("Ogre", "ACT"))


def test_r31_free_move_ignores_terrain() -> None:
    everywhere = {f"{x},{y}": 12 for x in range(5) for y in range(5)}
    running = play(in_the_open("SUCCESS", ground={"difficult": everywhere}), "DODGE", "STEP S")
    assert (at(running), asked(running)) == ((2, 3), ("Ogre", "ACT"))


def test_r30_free_move_to_the_only_open_square_is_not_asked() -> None:
    walls = [[x, y] for x in range(1, 4) for y in range(1, 4) if (x, y) not in {(1, 1), (2, 2), (3, 2)}]
    running = in_the_open("SUCCESS", ground={"blocked": walls}).play("DODGE")
    assert (at(running), asked(running)) == ((3, 2), ("Ogre", "ACT"))


def test_r31_free_move_is_skipped_where_nothing_is_open() -> None:
    """PARRY needs no open square."""
    walls = [[x, y] for x in range(1, 4) for y in range(1, 4) if (x, y) not in {(1, 1), (2, 2)}]
    running = in_the_open("SUCCESS", ground={"blocked": walls}).play("PARRY")
    assert (at(running), asked(running)) == ((2, 2), ("Ogre", "ACT"))


@pytest.mark.parametrize("tag", ["prone", "hamstrung"])
def test_r31_free_move_is_skipped_when_prone_or_hamstrung(tag: str) -> None:
    running = in_the_open(5, "SUCCESS", foes=[ogre(attacks=[attack(tags=[tag])])])
    declared(running.play("NONE")).play("PARRY")
    assert (at(running), asked(running), body(running)) == ((2, 2), ("Ogre", "ACT"), 15)


def test_r31_free_move_is_skipped_without_a_board() -> None:
    assert asked(attacked("SUCCESS").play("DODGE")) == ("Ogre", "ACT")


def test_r31_free_move_cannot_be_declined() -> None:
    running = in_the_open("SUCCESS").play("DODGE")
    assert all(action.startswith("STEP ") for action in running.legal())
    assert at(running.play("STEP N")) == (2, 1)


def test_r31_free_move_comes_last() -> None:
    """After the attacker is thrown down."""
    running = in_the_open("TRIUMPH").play("DODGE")
    assert (running.window, who(running, "Ogre")["prone"]) == ("FREE_MOVE", 1)


def test_s7_a_free_move_is_none_of_the_moves_of_a_turn() -> None:
    running = play(in_the_open("SUCCESS", rules={"moves_per_turn": 1}), "DODGE", "STEP S", "END TURN")
    assert "MOVE" in running.legal()


# --- damage is rolled only if there is damage to take ------------------------------------------------------


@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
@pytest.mark.parametrize("defence", ACTIVE)
def test_r22_a_stopped_attack_rolls_no_damage(defence: str, outcome: str) -> None:
    running = attacked(outcome).play(defence)
    assert not any("Damage roll" in line for line in happened(running))
    assert running.unused_rolls == 0


def test_r22_damage_is_rolled_after_the_choice() -> None:
    running = attacked("SACRIFICE").play("BLOCK")
    assert not any("Damage roll" in line for line in happened(running))


def test_s7_order_damage_conditions_of_the_attack_conditions_of_the_defence() -> None:
    running = attacked("BOTCH", 7, by={"tags": ["burning"]}).play("DODGE")
    told = happened(running)
    order = [next(i for i, line in enumerate(told) if text in line) for text in (
        "Ogre attacks Kara", "Kara dodges", "rolls Maneuvering against 4: ", "Damage roll: 7", "Kara loses 7",
        "Kara is BURNING", "Kara is thrown PRONE",
    )]  # fmt: skip
    assert order[3:] == sorted(order[3:]) and order[0] < order[1] < order[3]


def test_s7_an_attack_on_mind_can_be_blocked_too() -> None:
    running = attacked("BOTCH", 4, foes=[ogre(attacks=[attack(pool="mind")])]).play("BLOCK")
    assert (who(running)["mind"], body(running)) == (6, 20)


@pytest.mark.parametrize(("pool", "aspects"), [
    ("mind", {"body": 20, "mind": 0, "spirit": 8}), ("spirit", {"body": 20, "mind": 10, "spirit": 0}),
])  # fmt: skip
def test_r16_an_attack_on_a_pool_that_the_character_lacks_hits_body(pool: str, aspects: dict[str, int]) -> None:
    party = [knight(aspects=aspects)]
    running = attacked(4, party=party, foes=[ogre(attacks=[attack(pool=pool)])]).play("NONE")
    assert (body(running), who(running)["out"]) == (16, 0)


def test_r16_an_empty_pool_is_not_a_lacking_one() -> None:
    """SPIRIT 0 of 8: the attack takes nothing more, and BODY is not touched."""
    spirit = [ogre(attacks=[attack(pool="spirit")])]
    running = attacked(8, 8, party=[knight()], foes=spirit).play("NONE")
    declared(running).play("NONE")
    assert (who(running)["spirit"], body(running), who(running)["out"]) == (0, 20, 0)


def test_s7_two_monsters_two_defences() -> None:
    data = duel(party=[knight()], foes=[ogre(), ogre("Troll")], rules={"reactions": "defence_only"})
    running = declared(foes_turn(data, "SUCCESS", "SUCCESS")).play("BLOCK")
    running.play("END TURN")
    assert asked(declared(running)) == ("Kara", "DEFEND")
    assert who(running.play("BLOCK"))["momentum"] == 1
