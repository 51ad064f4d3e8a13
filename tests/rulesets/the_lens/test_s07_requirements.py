"""Section 7: the monster's attack, and which of the six defences can be made against it."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from lens_env.errors import IllegalAction
from tests.rulesets.the_lens.fights import attacked, declared, knight
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

ALL = {"NONE", "MITIGATE", "BLOCK", "DODGE", "PARRY"}  # what a knight can do against a plain attack
PASSIVE = {"NONE", "MITIGATE"}


def defences(running: Game) -> set[str]:
    """What the defender may do; it is being asked to defend."""
    assert running.window == "DEFEND"
    return set(running.legal())


# --- the attack --------------------------------------------------------------------------------------------


def test_s7_the_gm_declares_attack_and_target() -> None:
    """Any of the monster's attacks against any character in reach."""
    attacks = [attack("club"), attack("horns"), attack("tail"), attack("breath", magic=True)]
    running = foes_turn(duel(party=[hero(), hero("Tomas")], foes=[ogre(attacks=attacks)]))
    assert running.side == "foes"
    wanted = {f"ATTACK {name} with {weapon}" for name in ("Kara", "Tomas") for weapon in
              ("club", "horns", "tail", "breath")}  # fmt: skip
    assert {action for action in running.legal() if action.startswith("ATTACK")} == wanted
    assert asked(running.play("ATTACK Tomas with tail")) == ("Tomas", "DEFEND")


def test_s7_an_attack_costs_the_monster_1_momentum() -> None:
    assert who(attacked(), "Ogre")["momentum"] == 2


def test_s7_a_monster_without_momentum_cannot_attack() -> None:
    assert foes_turn(duel(foes=[ogre(momentum=0)])).legal() == ["END TURN"]


def test_s7_every_attack_takes_full_effect_without_a_defence() -> None:
    """Damage in full and all tags, without a roll to attack."""
    running = attacked(7, by={"tags": ["prone", "burning"]}).play("NONE")
    it = who(running)
    assert (it["body"], it["prone"], it["burning"], it["momentum"]) == (13, 1, 1, 3)
    assert not any("rolls" in line and "Maneuvering" not in line for line in happened(running))
    assert asked(running) == ("Ogre", "ACT")


def test_s7_one_defence_for_each_attack() -> None:
    running = play(attacked("BOTCH", 5), "BLOCK")
    assert asked(running) == ("Ogre", "ACT")  # no second defence after a botched one
    assert asked(declared(running)) == ("Kara", "DEFEND")


def test_s7_the_defender_sees_the_committed_attack() -> None:
    state = attacked(by={"tags": ["heavy"]}).state_dict()
    assert (state["attacker"], state["target"], state["tags"]) == (2, 1, 1 << 11)


def test_r30_defend_is_asked_even_if_nothing_can_be_done() -> None:
    running = attacked(party=[hero(weapon=None, momentum=1)], by={"tags": ["sweeping"]})
    assert (running.window, running.legal()) == ("DEFEND", ["NONE"])


@pytest.mark.parametrize(("own", "tn"), [(None, 4), (6, 6)])
@pytest.mark.parametrize(("defence", "ability"), [
    ("MITIGATE", "Armor Use"), ("BLOCK", "Shield Use"), ("DODGE", "Maneuvering"), ("PARRY", "Weapon Use"),
])  # fmt: skip
def test_s7_defence_rolls_its_ability_against_the_attack_rating(
    defence: str, ability: str, own: int | None, tn: int
) -> None:
    """The rating of the attack defaults to the monster's."""
    by = {} if own is None else {"attack_rating": own}
    running = attacked("SACRIFICE", by=by).play(defence)
    assert any(f"Kara rolls {ability} against {tn}:" in line for line in happened(running))


def test_s7_abjure_rolls_abjuration_against_the_attack_rating() -> None:
    running = attacked("SACRIFICE", by={"magic": True, "attack_rating": 5}).play("ABJURE")
    assert any("Kara rolls Abjuration against 5:" in line for line in happened(running))


@pytest.mark.parametrize(("defence", "ability", "sides"), [
    ("MITIGATE", "armor_use", "d12 7, d8 1, d6 1"), ("BLOCK", "shield_use", "d12 7, d8 1, d10 1"),
    ("DODGE", "maneuvering", "d12 7, d8 1, d6 1"), ("PARRY", "weapon_use", "d12 7, d8 1, d4 1"),
])  # fmt: skip
def test_s7_each_defence_rolls_the_dice_of_its_ability_and_tool(defence: str, ability: str, sides: str) -> None:
    skilled = {"maneuvering": {"rank": "apprentice"}, ability: {"talent": "gifted", "rank": "journeyman"}}
    it = knight(abilities=skilled, shield={"quality": "exquisite"}, armor={"rating": 3, "quality": "fine"})
    running = attacked((7, 1, 1), party=[it]).play(defence)
    assert any(sides in line for line in happened(running))


# --- cost --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("defence", "cost"), [("NONE", 0), ("MITIGATE", 0), ("BLOCK", 1), ("DODGE", 1), ("PARRY", 1)])
def test_s7_passive_defences_are_free_and_active_ones_cost_1(defence: str, cost: int) -> None:
    running = attacked(*([5] if defence == "NONE" else ["SACRIFICE"])).play(defence)
    assert who(running)["momentum"] == 3 - cost


def test_s7_abjure_is_free() -> None:
    assert who(attacked("SACRIFICE", by={"magic": True}).play("ABJURE"))["momentum"] == 3


def test_s7_passive_defences_are_possible_any_number_of_times() -> None:
    running = attacked("SUCCESS", 5, "SUCCESS", 5, "SUCCESS", 5, foes=[ogre(momentum=9)])
    for _ in range(3):
        running.play("MITIGATE")
        assert "MITIGATE" in defences(declared(running))


def without_momentum(**changes: Any) -> Game:
    """The knight has spent her only Momentum when the ogre attacks."""
    scene = {"party": [knight(momentum=1)], **changes}
    running = play(begin(duel(**scene), "BOTCH"), "ATTACK Ogre")
    return declared(running)


def test_s7_without_momentum_only_passive_defences_remain() -> None:
    assert defences(without_momentum()) == PASSIVE


def test_s7_without_momentum_abjure_remains_against_magic() -> None:
    assert defences(without_momentum(foes=[ogre(attacks=[attack(magic=True)])])) == {"NONE", "ABJURE"}


# --- what a defence requires -------------------------------------------------------------------------------


def test_s7_a_knight_can_choose_any_defence() -> None:
    assert defences(attacked()) == ALL


@pytest.mark.parametrize(("missing", "lost"), [
    ({"armor": None}, "MITIGATE"), ({"shield": None}, "BLOCK"), ({"weapon": None}, "PARRY"),
])  # fmt: skip
def test_s7_defences_require_their_equipment(missing: dict[str, Any], lost: str) -> None:
    assert defences(attacked(party=[knight(**missing)])) == ALL - {lost}


def test_s7_natural_armor_suffices_for_mitigate() -> None:
    assert "MITIGATE" in defences(attacked(party=[knight(armor={"rating": 2, "natural": True})]))


def test_s7_natural_parry_allows_parry_unarmed() -> None:
    assert "PARRY" in defences(attacked(party=[knight(weapon=None, natural_parry=True)]))


def test_s7_natural_parry_rolls_with_bare_hands() -> None:
    running = attacked((4, 1, 2), party=[knight(weapon=None, natural_parry=True)]).play("PARRY")
    assert any("d8 4, d6 1, d2 2: SACRIFICE" in line for line in happened(running))


@pytest.mark.parametrize(("natural", "possible"), [(False, False), (True, True)])
def test_s7_disarmed_takes_parry_away_but_not_natural_parry(natural: bool, possible: bool) -> None:
    party = [knight(natural_parry=natural)]
    running = declared(attacked(5, by={"tags": ["disarmed"]}, party=party).play("NONE"))
    assert ("PARRY" in defences(running)) is possible
    assert {"BLOCK", "MITIGATE", "DODGE"} <= defences(running)


def after_tag(tag: str) -> set[str]:
    """The defences of a knight who has suffered this tag."""
    return defences(declared(attacked(5, by={"tags": [tag]}).play("NONE")))


@pytest.mark.parametrize("tag", ["prone", "overbearing", "hamstrung"])
def test_s7_no_dodge_while_prone_or_hamstrung(tag: str) -> None:
    assert after_tag(tag) == ALL - {"DODGE"}


@pytest.mark.parametrize("tag", ["burning", "bleeding", "slashing", "stun"])
def test_s7_other_conditions_rule_no_defence_out(tag: str) -> None:
    assert after_tag(tag) == ALL


def surrounded(*gaps: tuple[int, int], **ground: Any) -> Game:
    """A knight at 1,1 of a board of 3 by 3, walls all around but for the ogre at 0,0 and some gaps."""
    walls = [[x, y] for x in range(3) for y in range(3) if (x, y) not in {(0, 0), (1, 1), *gaps}]
    data = on_board({"Kara": (1, 1), "Ogre": (0, 0)}, width=3, height=3, party=[knight()],
                    ground={"blocked": walls, **ground})  # fmt: skip
    return declared(foes_turn(data))


def test_s7_dodge_requires_an_open_adjacent_square() -> None:
    assert defences(surrounded()) == ALL - {"DODGE"}
    assert defences(surrounded((2, 1))) == ALL


def test_s7_difficult_terrain_is_open_for_a_dodge() -> None:
    assert defences(surrounded((2, 1), difficult={"2,1": 20})) == ALL


def test_s7_a_square_with_a_fighter_is_not_open() -> None:
    data = on_board({"Kara": (1, 0), "Tomas": (2, 0), "Ogre": (0, 0)}, width=3, height=1,
                    party=[knight(), hero("Tomas")])  # fmt: skip
    assert "DODGE" not in defences(declared(foes_turn(data)))


def test_r14_without_a_board_there_is_always_an_open_square() -> None:
    assert "DODGE" in defences(attacked(foes=[ogre(f"Ogre {n}") for n in range(9)]))


# --- what a defence cannot be made against -----------------------------------------------------------------


@pytest.mark.parametrize(("tag", "lost"), [
    ("piercing", {"MITIGATE"}), ("crushing", {"BLOCK"}), ("sweeping", {"DODGE"}), ("heavy", {"PARRY"}),
    ("missile", {"PARRY"}), ("burning", set()), ("prone", set()), ("slashing", set()),
])  # fmt: skip
def test_s7_tags_that_rule_a_defence_out(tag: str, lost: set[str]) -> None:
    assert defences(attacked(by={"tags": [tag]})) == ALL - lost


def test_s7_tags_rule_out_together() -> None:
    tags = ["piercing", "crushing", "sweeping", "heavy"]
    assert defences(attacked(by={"tags": tags})) == {"NONE"}


def test_s7_an_attack_with_range_is_a_missile_and_cannot_be_parried() -> None:
    assert defences(attacked(by={"range": 5})) == ALL - {"PARRY"}


MAGIC = {"NONE", "ABJURE", "DODGE"}


def test_r18_against_magic_only_abjure_dodge_and_none() -> None:
    assert defences(attacked(by={"magic": True})) == MAGIC


@pytest.mark.parametrize(("tag", "left"), [
    ("sweeping", {"NONE", "ABJURE"}), ("piercing", MAGIC), ("crushing", MAGIC), ("heavy", MAGIC),
])  # fmt: skip
def test_r18_magic_with_tags(tag: str, left: set[str]) -> None:
    assert defences(attacked(by={"magic": True, "tags": [tag]})) == left


def test_s7_abjure_only_against_magical_attacks() -> None:
    running = attacked()
    with pytest.raises(IllegalAction):
        running.play("ABJURE")


def test_s7_abjure_needs_no_equipment_and_no_training() -> None:
    bare = hero(weapon=None, abilities={"maneuvering": {"rank": "apprentice"}})
    assert "ABJURE" in defences(attacked(party=[bare], by={"magic": True}))


# --- locks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("defence", "by"), [("BLOCK", {}), ("MITIGATE", {}), ("ABJURE", {"magic": True})])
def test_s7_a_lock_lasts_for_the_rest_of_the_round(defence: str, by: dict[str, Any]) -> None:
    damage = [] if defence == "BLOCK" else [5]
    running = play(attacked("SACRIFICE", *damage, 5, by=by), defence, "SACRIFICE")
    before = defences(declared(running))
    assert defence not in before
    play(running, "NONE", "END TURN")
    assert running.round == 2
    running.play("END TURN")
    assert defences(declared(running)) == before | {defence}


@pytest.mark.parametrize("defence", ["DODGE", "PARRY"])
def test_s7_dodge_and_parry_are_never_locked(defence: str) -> None:
    running = play(attacked("SACRIFICE"), defence, "SACRIFICE")
    assert who(running)["locked"] == 0
    assert "PARRY" in defences(declared(running))


@pytest.mark.parametrize("defence", ["BLOCK", "MITIGATE"])
def test_s7_a_sacrifice_declined_locks_nothing(defence: str) -> None:
    running = play(attacked("SACRIFICE", 5), defence, "YIELD")
    assert defence in defences(declared(running))
