"""Section 9: conditions and tags (R-23): what each does, how long it lasts, what ends it; foes and party alike."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.fights import INFLICTED, armed_with, attacked, declared, knight, readied
from tests.rulesets.the_lens.scenes import (
    asked,
    attack,
    begin,
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

CONDITIONS = ("prone", "disarmed", "burning", "bleeding", "hamstrung", "freezing", "stun_pending")
GAINED = {  # tag: what the fighter has afterwards
    "STUN": {},
    "PRONE": {"prone": 1},
    "HAMSTRUNG": {"hamstrung": 2},
    "DISARMED": {"disarmed": 1},
    "BURNING": {"burning": 1},
    "BLEEDING": {"bleeding": 3},
    "FREEZING": {"hamstrung": 2, "freezing": 2},
    "OVERBEARING": {"prone": 1},
    "SLASHING": {"bleeding": 3},
}


def conditions(running: Game, name: str) -> dict[str, int]:
    """The conditions a fighter has."""
    it = who(running, name)
    return {field: it[field] for field in CONDITIONS if it[field]}


def hit_by(tag: str, *rolls: Any, **changes: Any) -> Game:
    """Kara has taken 2 damage and this tag from the Ogre, whose turn goes on."""
    return attacked(2, *rolls, by={"tags": [tag.lower()]}, **changes).play("NONE")


def ogre_hit_by(tag: str, *rolls: Any, **changes: Any) -> Game:
    """The Ogre has taken 2 damage and this tag from Kara, whose turn goes on."""
    scene = {"party": [armed_with(tag)], **changes}
    return readied(duel(**scene), tag, rolls=("SUCCESS", 2, *rolls)).play("ATTACK Ogre")


def next_round(running: Game) -> Game:
    """All end their turns until the next round begins."""
    now = running.round
    while running.round == now and not running.over:
        running.play("END TURN")
    return running


def losses(running: Game, name: str, points: int = 1) -> int:
    """How often a fighter has lost this many points of BODY."""
    return sum(f"{name} loses {points} BODY" in line for line in happened(running))


# --- what a tag inflicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", INFLICTED)
def test_r23_inflicted_tags_on_a_character(tag: str) -> None:
    running = hit_by(tag)
    assert conditions(running, "Kara") == GAINED[tag]
    assert who(running)["momentum"] == (2 if tag == "STUN" else 3)


@pytest.mark.parametrize("tag", INFLICTED)
def test_r23_inflicted_tags_on_a_monster(tag: str) -> None:
    running = ogre_hit_by(tag)
    assert conditions(running, "Ogre") == GAINED[tag]
    assert who(running, "Ogre")["momentum"] == (2 if tag == "STUN" else 3)


@pytest.mark.parametrize("tag", ["CRUSHING", "SWEEPING", "HEAVY", "PIERCING", "MISSILE"])
def test_s9_tags_that_rule_a_defence_out_inflict_nothing(tag: str) -> None:
    running = hit_by(tag)
    assert (conditions(running, "Kara"), who(running)["body"], who(running)["momentum"]) == ({}, 18, 3)


def test_s9_several_tags_are_inflicted_together() -> None:
    running = attacked(2, by={"tags": ["freezing", "overbearing", "slashing", "disarmed"]}).play("NONE")
    expected = {"prone": 1, "disarmed": 1, "bleeding": 3, "hamstrung": 2, "freezing": 2}
    assert conditions(running, "Kara") == expected


@pytest.mark.parametrize("tag", [tag for tag in INFLICTED if tag != "STUN"])
def test_r23_no_condition_stacks(tag: str) -> None:
    running = hit_by(tag, 2)
    declared(running).play("NONE")
    assert conditions(running, "Kara") == GAINED[tag]


@pytest.mark.parametrize("tag", ["HAMSTRUNG", "BLEEDING", "FREEZING", "SLASHING"])
def test_r23_gaining_it_again_restarts_its_time(tag: str) -> None:
    running = next_round(hit_by(tag, 2))
    assert conditions(running, "Kara") == {field: n - 1 for field, n in GAINED[tag].items()}
    running.play("END TURN")
    declared(running).play("NONE")
    assert conditions(running, "Kara") == GAINED[tag]


# --- STUN --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("momentum", "left"), [(3, 2), (1, 0)])
def test_r23_stun_takes_1_momentum_at_once(momentum: int, left: int) -> None:
    running = hit_by("STUN", party=[knight(momentum=momentum)])
    assert (who(running)["momentum"], who(running)["stun_pending"]) == (left, 0)
    assert who(next_round(running))["momentum"] == momentum


def test_r23_stun_without_momentum_waits_for_the_next_refresh() -> None:
    running = play(begin(duel(foes=[ogre(attacks=[attack(tags=["stun"])])], party=[hero(momentum=1)]), "BOTCH", 2),
                   "ATTACK Ogre")  # fmt: skip
    declared(running).play("NONE")
    assert conditions(running, "Kara") == {"stun_pending": 1}
    next_round(running)
    assert (who(running)["momentum"], conditions(running, "Kara")) == (0, {})
    assert who(next_round(running))["momentum"] == 1


def test_r23_at_most_one_stun_waits() -> None:
    foes = [ogre(attacks=[attack(tags=["stun"])])]
    running = play(begin(duel(foes=foes, party=[hero(momentum=2)]), "SACRIFICE", 2, 2, 2, 2), "ATTACK Ogre",
                   "SACRIFICE", "END TURN")  # fmt: skip
    for _ in range(3):
        declared(running).play("NONE")
    assert conditions(running, "Kara") == {"stun_pending": 1}
    assert who(next_round(running))["momentum"] == 1


def test_r23_stun_of_a_monster_on_its_own_turn() -> None:
    running = attacked("TRIUMPH").play("BLOCK")
    assert (who(running, "Ogre")["momentum"], asked(running)) == (1, ("Ogre", "ACT"))


# --- PRONE -------------------------------------------------------------------------------------------------


def prone_on_a_board() -> Game:
    """Kara, prone, at the beginning of her turn in the second round."""
    data = on_board({"Kara": (2, 2), "Ogre": (3, 2)}, party=[armed_with("BURNING")],
                    foes=[ogre(attacks=[attack(tags=["prone"])])])  # fmt: skip
    running = declared(foes_turn(data, 2)).play("NONE")
    return next_round(running)


def test_r23_prone_no_attack_and_no_move_until_stand() -> None:
    running = prone_on_a_board()
    assert set(running.legal()) == {"END TURN", "STAND", "TAG BURNING"}
    running.play("STAND")
    assert (who(running)["momentum"], who(running)["prone"]) == (4, 0)
    assert {"ATTACK Ogre", "MOVE"} <= set(running.legal())
    assert "STAND" not in running.legal()


def test_r23_prone_lasts_until_stand() -> None:
    assert who(next_round(next_round(hit_by("PRONE"))))["prone"] == 1


def test_r23_prone_does_not_keep_from_spells_and_items() -> None:
    spell = {"name": "bolt", "school": "fire", "parameters": [3], "dice": 1, "sides": 4}
    salve = {"name": "salve", "size": "small", "effect": "heal", "amount": 3}
    running = next_round(hit_by("PRONE", party=[knight(spells=[spell], items=[salve])]))
    assert set(running.legal()) == {"END TURN", "STAND", "FORM bolt", "USE salve"}
    assert "CAST Ogre" in running.play("FORM bolt").legal()


def test_r23_a_prone_monster_has_no_attack_but_stand() -> None:
    attacks = [attack(), attack("horns", natural=True), attack("breath", magic=True, range=9)]
    running = ogre_hit_by("PRONE", foes=[ogre(attacks=attacks)]).play("END TURN")
    assert running.legal() == ["END TURN", "STAND"]
    running.play("STAND")
    assert (who(running, "Ogre")["momentum"], len(running.legal())) == (2, 4)


# --- HAMSTRUNG ---------------------------------------------------------------------------------------------


def test_r23_hamstrung_no_move_for_the_rest_of_this_round_and_the_next() -> None:
    data = on_board({"Kara": (2, 2), "Ogre": (3, 2)}, foes=[ogre(attacks=[attack(tags=["hamstrung"])])])
    running = next_round(declared(foes_turn(data, 2)).play("NONE"))
    assert (who(running)["hamstrung"], "MOVE" in running.legal(), "ATTACK Ogre" in running.legal()) == (1, False, True)
    next_round(running)
    assert (who(running)["hamstrung"], "MOVE" in running.legal()) == (0, True)


def test_r23_a_hamstrung_monster_does_not_move() -> None:
    data = on_board({"Kara": (2, 2), "Ogre": (3, 2)}, party=[armed_with("HAMSTRUNG")])
    running = play(readied(data, "HAMSTRUNG", rolls=("SUCCESS", 2)), "ATTACK Ogre", "END TURN")
    assert running.legal() == ["END TURN", "ATTACK Kara with club"]


# --- DISARMED ----------------------------------------------------------------------------------------------


def test_r23_disarmed_attacks_are_unarmed() -> None:
    """Third die d2, damage 1d2, no tags, until RECOVER WEAPON."""
    foes = [ogre(attacks=[attack(tags=["disarmed"])])]
    running = declared(foes_turn(duel(party=[armed_with("BURNING")], foes=foes), 2, (8, 12, 2), 1)).play("NONE")
    next_round(running)
    assert set(running.legal()) == {"END TURN", "ATTACK Ogre", "RECOVER WEAPON"}
    running.play("ATTACK Ogre")
    assert any("d8 8, d12 12, d2 2: SUCCESS" in line for line in happened(running))
    assert who(running, "Ogre")["body"] == 29


def test_r23_recover_weapon_costs_1_and_ends_disarmed() -> None:
    running = next_round(hit_by("DISARMED")).play("RECOVER WEAPON")
    assert (conditions(running, "Kara"), who(running)["momentum"]) == ({}, 2)
    assert "RECOVER WEAPON" not in running.legal()


def test_r23_disarmed_takes_the_reach_of_the_weapon() -> None:
    bow = {"name": "bow", "size": "small", "quality": "common", "tags": [], "range": 6}
    foes = [ogre(attacks=[attack(tags=["disarmed"], range=6)])]
    data = on_board({"Kara": (0, 0), "Ogre": (4, 0)}, party=[hero(weapon=bow)], foes=foes)
    running = begin(data, 2)
    assert "ATTACK Ogre" in running.legal()
    declared(running.play("END TURN")).play("NONE")
    assert "ATTACK Ogre" not in next_round(running).legal()


def test_r23_disarmed_leaves_the_shield() -> None:
    running = declared(hit_by("DISARMED"))
    assert "BLOCK" in running.legal()


def test_r23_a_disarmed_monster_keeps_its_natural_attacks() -> None:
    attacks = [attack("club"), attack("horns", natural=True)]
    running = ogre_hit_by("DISARMED", foes=[ogre(attacks=attacks)]).play("END TURN")
    assert running.legal() == ["END TURN", "RECOVER WEAPON", "ATTACK Kara with horns"]
    running.play("RECOVER WEAPON")
    assert "ATTACK Kara with club" in running.legal()


def test_r32_who_has_no_weapon_cannot_be_disarmed() -> None:
    natural = [ogre(attacks=[attack("horns", natural=True)])]
    assert conditions(ogre_hit_by("DISARMED", foes=natural), "Ogre") == {}
    assert conditions(hit_by("DISARMED", party=[knight(weapon=None)]), "Kara") == {}


# --- BURNING and BLEEDING ----------------------------------------------------------------------------------


def test_r23_burning_1_body_at_each_end_of_a_round_until_doused() -> None:
    running = ogre_hit_by("BURNING")
    for body in (27, 26, 25, 24):
        assert who(next_round(running), "Ogre")["body"] == body
    running.play("END TURN").play("DOUSE")
    assert (conditions(running, "Ogre"), who(running, "Ogre")["momentum"]) == ({}, 2)
    assert who(next_round(running), "Ogre")["body"] == 24


def test_r23_a_character_douses_too() -> None:
    running = next_round(hit_by("BURNING"))
    assert losses(running, "Kara") == 1
    running.play("DOUSE")
    assert (conditions(running, "Kara"), who(running)["momentum"]) == ({}, 2)
    assert losses(next_round(running), "Kara") == 1


@pytest.mark.parametrize("tag", ["BLEEDING", "SLASHING"])
def test_r23_bleeding_1_body_at_the_end_of_this_and_the_two_following_rounds(tag: str) -> None:
    running = ogre_hit_by(tag)
    bodies = [who(next_round(running), "Ogre")["body"] for _ in range(5)]
    assert bodies == [27, 26, 25, 25, 25]


def test_r23_burning_and_bleeding_add_up() -> None:
    running = attacked(3, by={"tags": ["burning", "bleeding"]}).play("NONE")
    assert losses(next_round(running), "Kara", 2) == 1


def test_r23_fire_and_blood_may_put_a_fighter_out() -> None:
    running = next_round(ogre_hit_by("BURNING", foes=[ogre(body=3)]))
    assert (running.over, running.winner, who(running, "Ogre")["body"]) == (True, "party", 0)


# --- FREEZING ----------------------------------------------------------------------------------------------


def test_r23_freezing_is_hamstrung_and_lasts_as_long() -> None:
    running = next_round(ogre_hit_by("FREEZING"))
    assert conditions(running, "Ogre") == {"hamstrung": 1, "freezing": 1}
    assert conditions(next_round(running), "Ogre") == {}


@pytest.mark.parametrize("defence", ["BLOCK", "PARRY"])
def test_r23_freezing_makes_active_defences_cost_1_more(defence: str) -> None:
    running = declared(hit_by("FREEZING", "SUCCESS")).play(defence)
    assert who(running)["momentum"] == 1


def test_r23_freezing_leaves_only_passive_defences_with_1_momentum() -> None:
    running = declared(hit_by("FREEZING", party=[knight(momentum=1)]))
    assert running.legal() == ["NONE", "MITIGATE"]


def test_r23_freezing_leaves_passive_defences_free() -> None:
    running = declared(hit_by("FREEZING", "SUCCESS", 2)).play("MITIGATE")
    assert running.window == "MITIGATION"
    assert who(running)["momentum"] == 3


def test_r23_active_defences_cost_1_again_when_freezing_is_over() -> None:
    running = next_round(next_round(hit_by("FREEZING", "SUCCESS"))).play("END TURN")
    declared(running).play("BLOCK")
    assert who(running)["momentum"] == 2


def test_r23_freezing_makes_no_action_dearer() -> None:
    running = next_round(hit_by("FREEZING", "SUCCESS", 2)).play("ATTACK Ogre")
    assert who(running)["momentum"] == 2


# --- going out ---------------------------------------------------------------------------------------------


def test_r23_a_fighter_who_is_out_has_no_conditions() -> None:
    foes = [ogre(body=4), ogre("Troll")]
    data = duel(party=[armed_with("BURNING", "BLEEDING")], foes=foes, rules={"reactions": "defence_only"})
    running = readied(data, "BURNING", "BLEEDING", rolls=("SUCCESS", 2, "SUCCESS", 3))
    play(running, "ATTACK Ogre", "ATTACK Ogre")
    assert (who(running, "Ogre")["out"], conditions(running, "Ogre")) == (1, {})


def test_s9_the_sheet_shows_the_conditions() -> None:
    shown = str(attacked(2, by={"tags": ["freezing", "prone", "burning"]}).play("NONE"))
    assert "PRONE" in shown and "BURNING" in shown and "FREEZING 2" in shown and "HAMSTRUNG 2" in shown
