"""The Lens, section 1: the Challenge, with exact chances against a count of all faces."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lens_env import Encounter, Game
from lens_env.errors import DiceError
from lens_env.play.game import openings
from tests.rulesets.the_lens.scenes import (
    BRACKETS,
    HERO,
    OUTCOMES,
    asked,
    attack,
    begin,
    chances,
    duel,
    efforts,
    foes_turn,
    game,
    hero,
    ogre,
    play,
    who,
)

pytestmark = pytest.mark.kernel

TALENTS = {"weak": 6, "average": 8, "strong": 10, "gifted": 12}
RANKS = {"untrained": 0, "novice": 4, "apprentice": 6, "journeyman": 8, "artisan": 10, "master": 12}
STEP_BELOW = {0: 0, 4: 2, 6: 4, 8: 6, 10: 8, 12: 10}
QUALITIES = {"crude": 2, "common": 4, "fine": 6, "superior": 8, "exquisite": 10, "legendary": 12}
LADDER = {"easy": 2, "moderate": 4, "tricky": 6, "challenging": 8, "foolhardy": 10, "absurd": 12, "preternatural": 14}
TAGS = ["stun", "prone"]


def able(talent: str = "average", rank: str = "apprentice", **abilities: Any) -> dict[str, Any]:
    """Kara's abilities, Maneuvering and Weapon Use of this talent and rank."""
    both = {"talent": talent, "rank": rank}
    return {**HERO["abilities"], "maneuvering": both, "weapon_use": both, **abilities}


def initiative_chances(data: Any) -> list[float]:
    """The chances of the four brackets, so of the four outcomes, before the first decision."""
    found = [0.0] * 4
    for chance, after in openings(Encounter.from_dict(data)):
        found[who(after)["bracket"]] += chance
    return found


def attack_outcome(after: Game) -> str:
    """What the roll of an ATTACK with a weapon of two tags was, seen from what it led to."""
    if after.window in ("ATTACK_SACRIFICE", "ADD_TAG"):
        return "SACRIFICE" if after.window == "ATTACK_SACRIFICE" else "TRIUMPH"
    return "SUCCESS" if who(after, "Ogre")["body"] < 30 else "BOTCH"


def attack_chances(running: Game) -> list[float]:
    """The chances of the four outcomes of Kara's ATTACK."""
    found = chances(running, "ATTACK Ogre", attack_outcome)
    return [found.get(outcome, 0.0) for outcome in OUTCOMES]


def sword(quality: str = "common") -> dict[str, Any]:
    return {"name": "sword", "size": "small", "quality": quality, "tags": TAGS}


def exactly(sides: list[int], tn: int) -> Any:
    """The chances that a count of all faces gives."""
    return pytest.approx([float(chance) for chance in efforts(sides, tn)], abs=1e-12)


# --- Effort and outcome ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "outcome"),
    [
        ((3, 3, 3), "BOTCH"),
        ((4, 3, 3), "SACRIFICE"),
        ((3, 4, 3), "SACRIFICE"),
        ((3, 3, 4), "SACRIFICE"),
        ((8, 6, 1), "SUCCESS"),
        ((1, 4, 4), "SUCCESS"),
        ((4, 1, 4), "SUCCESS"),
        ((4, 4, 4), "TRIUMPH"),
        ((8, 6, 4), "TRIUMPH"),
    ],
)
def test_s1_each_die_that_shows_the_target_number_or_more_is_one_effort(
    faces: tuple[int, int, int], outcome: str
) -> None:
    running = begin(duel(party=[hero(weapon=sword())]), faces, *([5] if outcome == "SUCCESS" else []))
    running.play("ATTACK Ogre")
    assert attack_outcome(running) == outcome


@pytest.mark.parametrize(("effort", "outcome"), list(enumerate(OUTCOMES)))
def test_s1_effort_0_1_2_3_is_botch_sacrifice_success_triumph(effort: int, outcome: str) -> None:
    """Seen in the bracket that initiative gives."""
    faces = tuple(4 if place < effort else 1 for place in range(3))
    data = duel(party=[hero(abilities=able("average", "journeyman"))])
    assert who(game(data, faces))["bracket"] == BRACKETS[outcome]


def test_s1_on_a_sacrifice_the_player_chooses_between_two_alternatives() -> None:
    running = begin(duel(), "SACRIFICE").play("ATTACK Ogre")
    assert asked(running) == ("Kara", "ATTACK_SACRIFICE")
    assert running.legal() == ["YIELD", "SACRIFICE"]


def test_s1_d8_d6_d4_against_4_is_9_in_64_a_botch_and_5_in_64_a_triumph() -> None:
    running = begin(duel(party=[hero(weapon=sword())]))
    botch, sacrifice, success, triumph = attack_chances(running)
    assert botch == pytest.approx(9 / 64, abs=1e-12)
    assert triumph == pytest.approx(5 / 64, abs=1e-12)
    assert sacrifice == pytest.approx(27 / 64, abs=1e-12)
    assert success == pytest.approx(23 / 64, abs=1e-12)


def test_s1_typical_chances_of_d8_d6_d4_are_14_42_36_8_and_52_42_6_0_percent() -> None:
    """Rounded as the table for authors has them."""
    for tn, expected in ((4, [14, 42, 36, 8]), (6, [52, 42, 6, 0])):
        running = begin(duel(party=[hero(weapon=sword())], foes=[ogre(defense=tn)]))
        assert [round(100 * chance) for chance in attack_chances(running)] == expected


@pytest.mark.parametrize("tn", range(1, 15))
def test_s1_chance_of_one_die_is_the_faces_at_or_above_the_target_number(tn: int) -> None:
    """An untrained ability without tool is a single die: P(d8 >= TN) = max(0, 8 - TN + 1) / 8."""
    chance = Fraction(max(0, 8 - tn + 1), 8)
    found = initiative_chances(duel(party=[hero(abilities={})], foes=[ogre(initiative=tn)]))
    assert found == pytest.approx([float(1 - chance), float(chance), 0, 0], abs=1e-12)


# --- the dice ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("talent", TALENTS)
def test_s1_talent_and_training_dice_and_no_tool_a_step_below(talent: str, rank: str) -> None:
    sides = [TALENTS[talent], RANKS[rank], STEP_BELOW[RANKS[rank]]]
    for tn in (4, 6):
        data = duel(party=[hero(abilities=able(talent, rank))], foes=[ogre(initiative=tn)])
        assert initiative_chances(data) == exactly(sides, tn)


@pytest.mark.parametrize("difficulty", LADDER)
def test_s1_target_number_ladder(difficulty: str) -> None:
    tn = LADDER[difficulty]
    data = duel(party=[hero(abilities=able("gifted", "master"))], foes=[ogre(initiative=tn)])
    assert initiative_chances(data) == exactly([12, 12, 10], tn)


@pytest.mark.parametrize("quality", QUALITIES)
def test_s1_quality_die_of_the_weapon_in_use(quality: str) -> None:
    running = begin(duel(party=[hero(weapon=sword(quality))]))
    assert attack_chances(running) == exactly([8, 6, QUALITIES[quality]], 4)


@pytest.mark.parametrize("quality", QUALITIES)
def test_s1_quality_die_of_the_shield_in_use(quality: str) -> None:
    running = foes_turn(duel(party=[hero(shield={"quality": quality})])).play("ATTACK Kara with club")

    def outcome(after: Game) -> str:
        if after.window == "DEFENSE_SACRIFICE":
            return "SACRIFICE"
        if who(after)["body"] < 20:
            return "BOTCH"
        return "SUCCESS" if who(after, "Ogre")["momentum"] == 2 else "TRIUMPH"

    found = chances(running, "BLOCK", outcome)
    assert [found.get(name, 0.0) for name in OUTCOMES] == exactly([8, 6, QUALITIES[quality]], 4)


@pytest.mark.parametrize("quality", QUALITIES)
def test_s1_quality_die_of_the_armour_in_use(quality: str) -> None:
    strike = attack(dice=1, sides=1, tags=["prone"])
    data = duel(party=[hero(armor={"rating": 1, "quality": quality})], foes=[ogre(attacks=[strike])])
    running = foes_turn(data).play("ATTACK Kara with club")

    def outcome(after: Game) -> str:
        windows = {"DEFENSE_SACRIFICE": "SACRIFICE", "MITIGATION": "SUCCESS"}
        return windows.get(str(after.window), "BOTCH" if who(after)["body"] == 18 else "TRIUMPH")

    found = chances(running, "MITIGATE", outcome)
    assert [found.get(name, 0.0) for name in OUTCOMES] == exactly([8, 6, QUALITIES[quality]], 4)


def test_s1_untrained_has_no_training_die_but_keeps_the_quality_die() -> None:
    abilities = {**HERO["abilities"], "weapon_use": {"talent": "average", "rank": "untrained"}}
    running = begin(duel(party=[hero(abilities=abilities, weapon=sword("fine"))]))
    assert attack_chances(running) == exactly([8, 6], 4)


def test_s1_an_untrained_ability_without_tool_is_the_talent_die_alone() -> None:
    data = duel(party=[hero(abilities=able("gifted", "untrained"))])
    assert initiative_chances(data) == exactly([12], 4)


def test_s1_an_ability_that_the_sheet_does_not_list_is_average_and_untrained() -> None:
    assert initiative_chances(duel(party=[hero(initiative_abilities=["cooking"])])) == exactly([8], 4)


def test_s1_any_ability_may_be_rolled_for_initiative() -> None:
    cooking = {"talent": "gifted", "rank": "novice"}
    kara = hero(abilities={"cooking": cooking}, initiative_abilities=["cooking"])
    assert initiative_chances(duel(party=[kara])) == exactly([12, 4, 2], 4)


@pytest.mark.parametrize(
    ("ability", "tool"),
    [
        ("weapon_use", {"weapon": sword("legendary")}),
        ("shield_use", {"shield": {"quality": "legendary"}}),
        ("armor_use", {"armor": {"rating": 1, "quality": "legendary"}}),
    ],
)
def test_s1_no_ability_has_a_tool_when_it_is_rolled_for_initiative(ability: str, tool: Any) -> None:
    assert initiative_chances(duel(party=[hero(initiative_abilities=[ability], **tool)])) == exactly([8, 6, 4], 4)


@pytest.mark.parametrize("kind", ["ambush", "stalk"])
def test_s1_no_ability_has_a_tool_when_it_is_rolled_for_surprise_or_stalking(kind: str) -> None:
    """SUCCESS or TRIUMPH: the party is not surprised by an ambush, or surprises the foes by stalking."""
    data = duel(party=[hero(weapon=sword("legendary"))], surprise={kind: {"ability": "weapon_use", "tn": 4}})
    surprised = "Kara" if kind == "ambush" else "Ogre"
    good = sum(efforts([8, 6, 4], 4)[2:], Fraction(0))
    found = sum(chance for chance, after in openings(Encounter.from_dict(data)) if after.round == 0)
    assert found == pytest.approx(float(1 - good if surprised == "Kara" else good), abs=1e-12)


@pytest.mark.parametrize("ability", ["abjuration", "fire", "source", "maneuvering"])
def test_s1_abilities_without_tool_have_a_third_die_one_step_below(ability: str) -> None:
    assert initiative_chances(duel(party=[hero(initiative_abilities=[ability])])) == exactly([8, 6, 4], 4)


def test_s1_natural_armour_without_quality_is_no_tool() -> None:
    strike = attack(dice=1, sides=1, tags=["prone"])
    data = duel(party=[hero(armor={"rating": 1, "natural": True})], foes=[ogre(attacks=[strike], attack_rating=5)])
    running = foes_turn(data).play("ATTACK Kara with club")
    found = chances(running, "MITIGATE", lambda after: after.window == "MITIGATION")
    assert found[True] == pytest.approx(float(efforts([8, 6, 4], 5)[2]), abs=1e-12)


def test_s1_unarmed_third_die_is_d2_and_the_damage_1d2() -> None:
    running = begin(duel(party=[hero(weapon=None)]))
    found = chances(running, "ATTACK Ogre", lambda after: (after.window, who(after, "Ogre")["body"]))
    botch, sacrifice, success, triumph = (float(chance) for chance in efforts([8, 6, 2], 4))
    assert triumph == 0
    expected = {"miss": botch, "asked": sacrifice, 29: success / 2, 28: success / 2}
    names = {("ACT", 30): "miss", ("ATTACK_SACRIFICE", 30): "asked", ("ACT", 29): 29, ("ACT", 28): 28}
    assert {names[key]: chance for key, chance in found.items()} == pytest.approx(expected, abs=1e-12)


# --- R-01 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("switch", "third"), [("quality", 2), ("training", 6)])
def test_r01_third_die_of_a_tool(switch: str, third: int) -> None:
    data = duel(party=[hero(weapon=sword("crude"))], rules={"third_die": switch})
    assert attack_chances(begin(data)) == exactly([8, 6, third], 4)


@pytest.mark.parametrize(("switch", "third"), [("quality", 4), ("training", 6)])
def test_r01_third_die_without_a_tool(switch: str, third: int) -> None:
    assert initiative_chances(duel(rules={"third_die": switch})) == exactly([8, 6, third], 4)


@pytest.mark.parametrize("rank", RANKS)
def test_r01_third_die_training_is_a_second_training_die(rank: str) -> None:
    data = duel(party=[hero(abilities=able(rank=rank))], rules={"third_die": "training"})
    assert initiative_chances(data) == exactly([8, RANKS[rank], RANKS[rank]], 4)


@pytest.mark.parametrize("rank", RANKS)
def test_r01_third_die_quality_without_tool_is_a_die_one_step_below(rank: str) -> None:
    data = duel(party=[hero(abilities=able(rank=rank))], rules={"third_die": "quality"})
    assert initiative_chances(data) == exactly([8, RANKS[rank], STEP_BELOW[RANKS[rank]]], 4)


def test_r01_third_die_is_the_quality_die_by_default() -> None:
    assert attack_chances(begin(duel(party=[hero(weapon=sword("crude"))]))) == exactly([8, 6, 2], 4)


# --- helped and hindered Challenges ------------------------------------------------------------------------


def count_faces(kind: str, tn: int = 4) -> list[float]:
    """The chances with own Talent d8, Training d6, third d4, a gifted helper (d12) or a monster's d4."""
    counts = [0] * 4
    other = 12 if kind == "ASSIST" else 4
    for own in range(1, 9):
        for theirs in range(1, other + 1):
            talent = max(own, theirs) if kind == "ASSIST" else min(own, theirs)
            for training in range(1, 7):
                for third in range(1, 5):
                    counts[(talent >= tn) + (training >= tn) + (third >= tn)] += 1
    return [count / sum(counts) for count in counts]


@pytest.mark.parametrize("kind", ["ASSIST", "INTERFERE"])
def test_s1_best_and_worst_of_two_talent_dice_change_only_the_talent_die(kind: str) -> None:
    party = [hero(weapon=sword())]
    foes = [ogre(), ogre("Imp", talent=4)]
    if kind == "ASSIST":
        party.append(hero("Odo", abilities=able("gifted", "novice")))
        foes.pop()
    running = begin(duel(party=party, foes=foes)).play("ATTACK Ogre")
    assert running.window == kind
    found = chances(running, kind, attack_outcome)
    assert [found.get(outcome, 0.0) for outcome in OUTCOMES] == pytest.approx(count_faces(kind), abs=1e-12)


# --- faces and warnings ------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces", [(9, 1, 1), (1, 7, 1), (1, 1, 5), (1, 1), (1, 1, 1, 1)])
def test_s1_scripted_faces_must_be_those_of_the_dice_that_are_rolled(faces: tuple[int, ...]) -> None:
    with pytest.raises(DiceError, match="cannot occur"):
        begin(duel(), faces).play("ATTACK Ogre")


@pytest.mark.parametrize(("faces", "bracket"), [((3,), "BOTCH"), ((4,), "SACRIFICE")])
def test_s1_an_untrained_roll_without_tool_has_one_face(faces: tuple[int, ...], bracket: str) -> None:
    assert who(game(duel(party=[hero(abilities={})]), faces))["bracket"] == BRACKETS[bracket]


def test_s1_the_loader_warns_when_every_roll_against_a_rating_is_a_certain_botch() -> None:
    warned = Encounter.from_dict(duel(foes=[ogre(defense=9)])).built.warnings
    assert any("Kara" in text and "certain BOTCH" in text and "Defense" in text for text in warned)
    assert not Encounter.from_dict(duel(foes=[ogre(defense=8)])).built.warnings


def test_s1_only_characters_ever_roll() -> None:
    """A monster's attack on one who does not defend draws only its damage."""
    running = play(foes_turn(duel(), 5), "ATTACK Kara with club", "NONE")
    assert who(running)["body"] == 15
