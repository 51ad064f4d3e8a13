"""The Lens, section 5: ATTACK's declaration, TAG, STAND, RECOVER WEAPON, DOUSE, END TURN, and monsters' actions."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.scenes import (
    APPRENTICE,
    HERO,
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

OFFENSIVE = [
    "stun",
    "prone",
    "hamstrung",
    "disarmed",
    "burning",
    "bleeding",
    "freezing",
    "overbearing",
    "slashing",
    "crushing",
    "sweeping",
    "heavy",
    "piercing",
]
RANKS = {"untrained": 0, "novice": 1, "apprentice": 2, "journeyman": 3, "artisan": 4, "master": 5}


def sword(*tags: str, **changes: Any) -> dict[str, Any]:
    return {"name": "sword", "size": "small", "quality": "common", "tags": list(tags), **changes}


def tags_of(running: Game) -> list[str]:
    """The TAG actions that are legal."""
    return [action for action in running.legal() if action.startswith("TAG")]


def struck(*tags: str, kara: dict[str, Any] | None = None, rolls: tuple[Any, ...] = ()) -> Game:
    """Round 2, Kara's turn, after an undefended hit with these tags for 1 point; she then has all her BODY."""
    foe = ogre(attacks=[attack(dice=1, sides=20, tags=list(tags))])
    running = foes_turn(duel(party=[kara or hero()], foes=[foe]), 1, *rolls)
    return play(running, "ATTACK Kara with club", "NONE", "END TURN")


# --- the turn ----------------------------------------------------------------------------------------------


def test_s5_as_many_actions_as_momentum_allows() -> None:
    running = begin(duel(party=[hero(gifts=["quickness"])]), *["SUCCESS", 2] * 4)
    for _ in range(4):
        assert asked(running) == ("Kara", "ACT")
        running.play("ATTACK Ogre")
    assert running.legal() == ["END TURN"]


def test_s5_end_turn_costs_nothing_and_the_next_fighter_acts() -> None:
    running = begin(duel()).play("END TURN")
    assert (asked(running), who(running)["momentum"]) == (("Ogre", "ACT"), 3)


def test_s5_end_turn_is_always_legal() -> None:
    running = begin(duel(), *["SUCCESS", 2] * 3)
    for _ in range(4):
        assert "END TURN" in running.legal()
        running.play("ATTACK Ogre" if "ATTACK Ogre" in running.legal() else "END TURN")


# --- ATTACK ------------------------------------------------------------------------------------------------


def test_s5_attack_costs_1_and_rolls_weapon_use_against_the_targets_defense() -> None:
    foes = [ogre(defense=3), ogre("Imp", defense=5)]
    running = begin(duel(foes=foes, rules={"reactions": "defence_only"}), "BOTCH").play("ATTACK Imp")
    assert any(line.startswith("Kara rolls Weapon Use against 5") for line in happened(running))
    assert who(running)["momentum"] == 2


def test_s5_attack_any_enemy_in_reach_but_no_ally() -> None:
    running = begin(duel(party=[hero(), hero("Odo")], foes=[ogre(), ogre("Imp")]))
    assert [action for action in running.legal() if action.startswith("ATTACK")] == ["ATTACK Ogre", "ATTACK Imp"]


@pytest.mark.parametrize(("cell", "possible"), [((3, 2), True), ((3, 3), True), ((4, 2), False), ((4, 4), False)])
def test_s5_melee_reach_is_1_square(cell: tuple[int, int], possible: bool) -> None:
    running = begin(on_board({"Kara": (2, 2), "Ogre": cell}))
    assert ("ATTACK Ogre" in running.legal()) == possible


@pytest.mark.parametrize(("cell", "possible"), [((1, 0), True), ((4, 0), True), ((4, 4), True), ((5, 1), False)])
def test_s5_a_missile_reaches_its_range(cell: tuple[int, int], possible: bool) -> None:
    running = begin(on_board({"Kara": (0, 0), "Ogre": cell}, party=[hero(weapon=sword(range=4))]))
    assert ("ATTACK Ogre" in running.legal()) == possible


def test_r14_no_line_of_sight() -> None:
    data = on_board({"Kara": (0, 0), "Ogre": (4, 0)}, ground={"blocked": [[2, 0]]}, party=[hero(weapon=sword(range=4))])
    assert "ATTACK Ogre" in begin(data).legal()


def test_r14_without_a_board_everyone_is_in_reach() -> None:
    running = begin(duel(party=[hero(), hero("Odo")], foes=[ogre(), ogre("Imp")]))
    assert {"ATTACK Ogre", "ATTACK Imp"} <= set(running.legal())
    assert {"ATTACK Kara with club", "ATTACK Odo with club"} <= set(play(running, "END TURN", "END TURN").legal())


# --- TAG ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", OFFENSIVE)
def test_s5_tag_readies_any_offensive_tag_that_the_weapon_carries(tag: str) -> None:
    running = begin(duel(party=[hero(weapon=sword(tag))]))
    assert tags_of(running) == [f"TAG {tag.upper()}"]
    running.play(f"TAG {tag.upper()}")
    assert (who(running)["momentum"], tags_of(running)) == (2, [])
    assert f"Kara readies {tag.upper()}." in happened(running)


def test_s5_tag_not_what_the_weapon_does_not_carry() -> None:
    assert tags_of(begin(duel())) == []
    assert tags_of(begin(duel(party=[hero(weapon=sword("stun", "heavy"))]))) == ["TAG STUN", "TAG HEAVY"]


def test_s5_missile_is_no_offensive_tag() -> None:
    assert tags_of(begin(duel(party=[hero(weapon=sword("missile", range=5))]))) == []


def test_s5_tag_on_the_next_attack() -> None:
    running = begin(duel(party=[hero(weapon=sword("prone"))]), "SUCCESS", 5)
    play(running, "TAG PRONE", "ATTACK Ogre")
    assert who(running, "Ogre")["prone"] == 1


def test_s5_a_carried_tag_that_is_not_readied_does_nothing() -> None:
    running = begin(duel(party=[hero(weapon=sword("prone"))]), "SUCCESS", 5).play("ATTACK Ogre")
    assert who(running, "Ogre")["prone"] == 0


def test_s5_tag_from_an_effect_on_the_weapon() -> None:
    oil = {"name": "oil", "size": "small", "effect": "add_tag", "tag": "burning"}
    running = begin(duel(party=[hero(items=[oil])]), "SUCCESS", 5).play("USE oil")
    assert tags_of(running) == ["TAG BURNING"]
    assert who(play(running, "TAG BURNING", "ATTACK Ogre"), "Ogre")["burning"] == 1


@pytest.mark.parametrize("rank", RANKS)
def test_r11_at_most_as_many_tags_as_the_weapon_use_rank(rank: str) -> None:
    kara = hero(
        abilities={"weapon_use": {"talent": "average", "rank": rank}, "maneuvering": APPRENTICE},
        gifts=["quickness", "reflexes", "speed"],
        weapon=sword("stun", "prone", "burning", "bleeding", "heavy", "crushing"),
    )
    running = begin(duel(party=[kara]))
    readied = 0
    while tags_of(running):
        running.play(tags_of(running)[0])
        readied += 1
    assert readied == RANKS[rank]
    assert who(running)["momentum"] == 6 - readied


@pytest.mark.parametrize("outcome", ["BOTCH", "SACRIFICE", "SUCCESS", "TRIUMPH"])
def test_r11_tags_belong_to_the_next_attack_whatever_its_outcome(outcome: str) -> None:
    rolls = [outcome] + ([5] if outcome in ("SUCCESS", "TRIUMPH") else [])
    running = begin(duel(party=[hero(weapon=sword("prone"))]), *rolls)
    play(running, "TAG PRONE", "ATTACK Ogre")
    if outcome == "SACRIFICE":
        running.play("YIELD")
    assert who(running)["readied"] == 0
    assert who(running, "Ogre")["prone"] == (1 if rolls[-1] == 5 else 0)


def test_r11_the_attack_after_the_next_has_no_tag() -> None:
    running = begin(duel(party=[hero(weapon=sword("burning"))]), "SACRIFICE", "SUCCESS", 5)
    play(running, "TAG BURNING", "ATTACK Ogre", "YIELD", "ATTACK Ogre")
    assert who(running, "Ogre")["burning"] == 0


def test_r11_the_limit_is_per_attack() -> None:
    abilities = {**HERO["abilities"], "weapon_use": {"talent": "average", "rank": "novice"}}
    kara = hero(abilities=abilities, weapon=sword("prone", "burning"), gifts=["quickness"])
    running = begin(duel(party=[kara]), "SACRIFICE", "SUCCESS", 5)
    assert tags_of(running.play("TAG PRONE")) == []
    play(running, "ATTACK Ogre", "YIELD")
    assert tags_of(running) == ["TAG PRONE", "TAG BURNING"]


def test_r11_readied_tags_lapse_at_the_end_of_the_turn() -> None:
    running = begin(duel(party=[hero(weapon=sword("prone"))]), "SUCCESS", 5)
    play(running, "TAG PRONE", "END TURN")
    assert who(running)["readied"] == 0
    assert who(play(running, "END TURN", "ATTACK Ogre"), "Ogre")["prone"] == 0


def test_s5_no_tags_for_bare_hands() -> None:
    assert tags_of(struck("disarmed", kara=hero(weapon=sword("prone")))) == []


# --- STAND, RECOVER WEAPON, DOUSE --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "action"),
    [("prone", "STAND"), ("disarmed", "RECOVER WEAPON"), ("burning", "DOUSE"), ("overbearing", "STAND")],
)
def test_s5_stand_recover_weapon_and_douse_end_their_condition_for_1_momentum(tag: str, action: str) -> None:
    condition = "prone" if tag == "overbearing" else tag
    running = struck(tag)
    assert who(running)[condition] == 1
    running.play(action)
    assert (who(running)[condition], who(running)["momentum"]) == (0, 2)
    assert action not in running.legal()


@pytest.mark.parametrize("action", ["STAND", "RECOVER WEAPON", "DOUSE"])
def test_s5_stand_recover_weapon_and_douse_need_their_condition(action: str) -> None:
    assert action not in begin(duel()).legal()


def test_s5_prone_no_attack_until_stand() -> None:
    running = struck("prone")
    assert running.legal() == ["END TURN", "STAND"]
    assert "ATTACK Ogre" in running.play("STAND").legal()


def test_s5_disarmed_attacks_are_unarmed_until_recover_weapon() -> None:
    """1d2 at arm's length, then the sword's 2d4 again."""
    running = struck("disarmed", rolls=("SUCCESS", 1, "SUCCESS", 8))
    assert who(running.play("ATTACK Ogre"), "Ogre")["body"] == 29
    assert who(play(running, "RECOVER WEAPON", "ATTACK Ogre"), "Ogre")["body"] == 21


def test_s5_doused_fire_does_no_harm() -> None:
    """The fire took a point at the end of round 1 and takes none at the end of round 2."""
    running = struck("burning").play("DOUSE")
    assert who(running)["body"] == 20
    play(running, "END TURN", "END TURN")
    assert not any("loses 1 BODY: 19" in line for line in happened(running)[-6:])


# --- a monster's own actions -------------------------------------------------------------------------------


def test_s5_a_monster_may_take_any_of_its_attacks_as_often_as_its_momentum_allows() -> None:
    attacks = [attack("club"), attack("kick"), attack("bite"), attack("howl", magic=True)]
    running = foes_turn(duel(foes=[ogre(attacks=attacks)]), 2, 2, 2)
    names = [f"ATTACK Kara with {name}" for name in ("club", "kick", "bite", "howl")]
    assert running.legal() == ["END TURN", *names]
    for spent, name in enumerate(names[:3], 1):
        play(running, name, "NONE")
        assert who(running, "Ogre")["momentum"] == 3 - spent
    assert running.legal() == ["END TURN"]


def ogre_suffers(tag: str, *rolls: Any, board: bool = False, attacks: list[Any] | None = None) -> Game:
    """The Ogre's turn after Kara has inflicted a tag on it."""
    kara, foe = hero(weapon=sword(tag)), ogre(attacks=attacks or [attack()])
    data = duel(party=[kara], foes=[foe])
    if board:
        data = on_board({"Kara": (2, 2), "Ogre": (3, 2)}, party=[kara], foes=[foe])
    return play(begin(data, "SUCCESS", 5, *rolls), f"TAG {tag.upper()}", "ATTACK Ogre", "END TURN")


@pytest.mark.parametrize(("tag", "action"), [("prone", "STAND"), ("disarmed", "RECOVER WEAPON"), ("burning", "DOUSE")])
def test_s5_a_monster_may_stand_recover_its_weapon_and_douse(tag: str, action: str) -> None:
    running = ogre_suffers(tag)
    assert who(running, "Ogre")[tag] == 1
    running.play(action)
    assert (who(running, "Ogre")[tag], who(running, "Ogre")["momentum"]) == (0, 2)


def test_s5_a_prone_monster_neither_attacks_nor_moves() -> None:
    assert ogre_suffers("prone", board=True).legal() == ["END TURN", "STAND"]


def test_s5_a_hamstrung_monster_does_not_move() -> None:
    assert "MOVE" not in ogre_suffers("hamstrung", board=True).legal()


def test_s5_a_disarmed_monster_keeps_its_natural_attacks() -> None:
    running = ogre_suffers("disarmed", attacks=[attack("club"), attack("bite", natural=True)])
    assert running.legal() == ["END TURN", "RECOVER WEAPON", "ATTACK Kara with bite"]
    assert "ATTACK Kara with club" in running.play("RECOVER WEAPON").legal()


def test_s5_a_monster_may_move_and_end_its_turn() -> None:
    running = foes_turn(on_board({"Kara": (0, 0), "Ogre": (7, 7)}))
    assert running.legal() == ["END TURN", "MOVE"]


def test_s5_a_monster_without_momentum_may_only_end_its_turn() -> None:
    assert foes_turn(duel(foes=[ogre(momentum=0)])).legal() == ["END TURN"]


@pytest.mark.parametrize(("cell", "names"), [((1, 0), ["club", "sling"]), ((4, 0), ["sling"]), ((6, 0), [])])
def test_s5_each_attack_of_a_monster_has_its_own_reach(cell: tuple[int, int], names: list[str]) -> None:
    foe = ogre(attacks=[attack("club"), attack("sling", range=5)])
    running = foes_turn(on_board({"Kara": (0, 0), "Ogre": cell}, foes=[foe]))
    assert [action for action in running.legal() if "Kara" in action] == [f"ATTACK Kara with {name}" for name in names]
