"""The Lens, section 2: surprise, initiative and its brackets, the surprise round."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.scenes import (
    BRACKETS,
    OUTCOMES,
    asked,
    attack,
    begin,
    chances,
    duel,
    efforts,
    game,
    happened,
    hero,
    ogre,
    play,
    who,
)

pytestmark = pytest.mark.kernel

AMBUSH = {"ambush": {"tn": 4}}
STALK = {"stalk": {"ability": "stealth", "tn": 4}}
PERCEPTIVE = {"perception": {"talent": "average", "rank": "apprentice"}}
STEALTHY = {"stealth": {"talent": "average", "rank": "apprentice"}}
ABLE = {**hero()["abilities"], **PERCEPTIVE, **STEALTHY}


def pair(**changes: Any) -> list[dict[str, Any]]:
    """Kara and Odo."""
    return [hero(abilities=ABLE, **changes), hero("Odo", abilities=ABLE, **changes)]


def surprised(running: Game) -> list[str]:
    """Who is surprised."""
    return [name for name, it in running.state_dict()["fighters"].items() if it["surprised"]]


def turns(running: Game, *answers: str) -> list[str]:
    """Who acts in this round, everybody ending the turn at once; ``answers`` go to the windows TIMING."""
    number, order, left = running.round, [], list(answers)
    while running.round == number:
        if running.window == "TIMING":
            running.play(left.pop(0))
        else:
            order.append(str(running.decider))
            running.play("END TURN")
    return order


def next_round(running: Game, *answers: str) -> Game:
    """Everybody ends the turn at once."""
    turns(running, *answers)
    return running


# --- surprise ----------------------------------------------------------------------------------------------


def test_r02_no_surprise_no_surprise_round() -> None:
    running = begin(duel())
    assert (running.round, surprised(running)) == (1, [])


@pytest.mark.parametrize(("surprise", "names"), [("party", ["Kara", "Odo"]), ("foes", ["Ogre", "Imp"])])
def test_s2_surprise_of_a_whole_side(surprise: str, names: list[str]) -> None:
    running = begin(duel(party=pair(), foes=[ogre(), ogre("Imp")], surprise=surprise))
    assert running.round == 0
    assert surprised(running) == names


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_r02_ambush_botch_or_sacrifice_is_surprised(outcome: str) -> None:
    running = game(duel(party=[hero(abilities=ABLE)], surprise=AMBUSH), outcome, "SUCCESS")
    caught = outcome in ("BOTCH", "SACRIFICE")
    assert surprised(running) == (["Kara"] if caught else [])
    assert running.round == (0 if caught else 1)


def test_r02_ambush_each_character_rolls_for_itself() -> None:
    running = game(duel(party=pair(), surprise=AMBUSH), "SUCCESS", "SACRIFICE", "SUCCESS", "SUCCESS")
    assert surprised(running) == ["Odo"]


def test_r02_ambush_rolls_perception_by_default() -> None:
    running = game(duel(party=[hero(abilities=ABLE)], surprise=AMBUSH), "SUCCESS", "SUCCESS")
    assert happened(running)[0].startswith("Kara rolls Perception against 4: d8")


def test_r02_ambush_may_name_another_ability() -> None:
    data = duel(surprise={"ambush": {"ability": "source", "tn": 3}})
    assert happened(game(data, "SUCCESS", "SUCCESS"))[0].startswith("Kara rolls Source against 3")


@pytest.mark.parametrize("first", OUTCOMES)
@pytest.mark.parametrize("second", OUTCOMES)
def test_r02_stalk_surprises_the_foes_if_every_character_gets_success_or_better(first: str, second: str) -> None:
    running = game(duel(party=pair(), surprise=STALK), first, second, "SUCCESS", "SUCCESS")
    good = {"SUCCESS", "TRIUMPH"}
    unseen = first in good and second in good
    assert surprised(running) == (["Ogre"] if unseen else [])
    assert running.round == (0 if unseen else 1)


def test_r02_stalk_rolls_the_ability_of_the_party() -> None:
    running = game(duel(party=pair(), surprise=STALK), *["SUCCESS"] * 4)
    assert [line.split(":")[0] for line in happened(running)[:2]] == [
        "Kara rolls Stealth against 4",
        "Odo rolls Stealth against 4",
    ]


def test_r02_first_surprise_then_initiative_then_the_surprise_round() -> None:
    running = game(duel(party=[hero(abilities=ABLE)], surprise=AMBUSH), "BOTCH", "SUCCESS")
    told = happened(running)
    order = [
        "Kara rolls Perception",
        "Kara is surprised",
        "Kara rolls Maneuvering",
        "Kara is Prepared",
        "Surprise round",
    ]
    assert [next(i for i, line in enumerate(told) if line.startswith(text)) for text in order] == [0, 1, 2, 3, 4]
    assert happened(next_round(running))[-2:] == ["Round 1.", "Kara's turn."]


# --- initiative --------------------------------------------------------------------------------------------


def test_s2_initiative_target_number_is_the_highest_among_the_foes() -> None:
    foes = [ogre(initiative=3), ogre("Imp", initiative=6), ogre("Rat", initiative=5)]
    assert happened(begin(duel(foes=foes)))[0].startswith("Kara rolls Maneuvering against 6")


def test_s2_each_character_rolls_and_foes_do_not() -> None:
    told = [line for line in happened(begin(duel(party=pair()))) if "rolls" in line]
    assert [line.split()[0] for line in told] == ["Kara", "Odo"]


def test_s2_initiative_ability_is_the_players_choice() -> None:
    running = game(duel(party=[hero(initiative_abilities=["maneuvering", "fire", "source"])]), "SUCCESS")
    assert asked(running) == ("Kara", "INITIATIVE")
    assert running.legal() == ["ROLL maneuvering", "ROLL fire", "ROLL source"]
    assert any(line.startswith("Kara rolls Fire against 4") for line in happened(running.play("ROLL fire")))


def test_s2_initiative_choice_decides_the_dice() -> None:
    abilities = {"fire": {"talent": "gifted", "rank": "master"}, "source": {"talent": "weak"}}
    running = game(duel(party=[hero(abilities=abilities, initiative_abilities=["fire", "source"])]))
    for action, sides in (("ROLL fire", [12, 12, 10]), ("ROLL source", [6])):
        found = chances(running, action, lambda after: who(after)["bracket"])
        expected = [float(chance) for chance in efforts(sides, 4)]
        assert [found.get(code, 0.0) for code in range(4)] == pytest.approx(expected, abs=1e-12)


def test_s2_one_initiative_ability_is_not_asked() -> None:
    assert begin(duel()).window == "ACT"


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_s2_bracket_of_each_initiative_outcome(outcome: str) -> None:
    assert who(begin(duel(), initiative=outcome))["bracket"] == BRACKETS[outcome]


def test_s2_botch_is_confused_acts_after_the_foes() -> None:
    assert turns(begin(duel(), initiative="BOTCH")) == ["Ogre", "Kara"]


def test_s2_botch_is_confused_one_momentum_less_every_round() -> None:
    running = begin(duel(), initiative="BOTCH")
    for _ in range(3):
        assert who(running)["momentum"] == 2
        next_round(running)


@pytest.mark.parametrize(
    ("answer", "order", "momentum"), [("BEFORE", ["Kara", "Ogre"], 2), ("AFTER", ["Ogre", "Kara"], 3)]
)
def test_s2_sacrifice_is_off_balance_after_or_before_for_a_momentum(
    answer: str, order: list[str], momentum: int
) -> None:
    running = begin(duel(), initiative="SACRIFICE")
    assert asked(running) == ("Kara", "TIMING")
    assert running.legal() == ["BEFORE", "AFTER"]
    running.play(answer)
    assert who(running)["momentum"] == momentum
    assert turns(running) == order


def test_s2_off_balance_chooses_anew_each_round_and_pays_only_for_that_round() -> None:
    running = next_round(begin(duel(), initiative="SACRIFICE"), "BEFORE")
    assert asked(running) == ("Kara", "TIMING")
    assert who(running)["momentum"] == 3
    assert turns(running, "AFTER") == ["Ogre", "Kara"]
    assert who(running.play("BEFORE"))["momentum"] == 2


def test_s2_off_balance_pays_not_below_0() -> None:
    """One point of Momentum, and a STUN that waits: nothing is left in round 2 when the choice comes."""
    stunning = ogre(attacks=[attack(dice=1, sides=1, tags=["stun"])])
    running = begin(duel(party=[hero(momentum=1)], foes=[stunning]), 1, initiative="SACRIFICE")
    play(running, "BEFORE", "END TURN", "ATTACK Kara with club", "NONE", "END TURN")
    assert (running.round, running.window, who(running)["momentum"]) == (2, "TIMING", 0)
    assert who(running.play("BEFORE"))["momentum"] == 0


def test_s2_success_is_prepared_acts_before_the_foes() -> None:
    running = begin(duel())
    assert who(running)["momentum"] == 3
    assert turns(running) == ["Kara", "Ogre"]


@pytest.mark.parametrize(("answer", "order"), [("BEFORE", ["Kara", "Ogre"]), ("AFTER", ["Ogre", "Kara"])])
def test_s2_triumph_is_fluid_before_or_after_and_one_momentum_more(answer: str, order: list[str]) -> None:
    running = begin(duel(), initiative="TRIUMPH")
    for _ in range(2):
        assert asked(running) == ("Kara", "TIMING")
        running.play(answer)
        assert who(running)["momentum"] == 4
        assert turns(running) == order


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_s2_brackets_last_the_whole_skirmish(outcome: str) -> None:
    running = begin(duel(), initiative=outcome)
    for _ in range(4):
        next_round(running, "AFTER")
        assert who(running)["bracket"] == BRACKETS[outcome]


def test_s2_foes_have_no_bracket_to_pay_for() -> None:
    assert who(begin(duel(), initiative="BOTCH"), "Ogre")["momentum"] == 3


def test_s2_the_choice_is_asked_when_the_place_in_the_before_phase_comes() -> None:
    running = game(duel(party=pair()), "SUCCESS", "TRIUMPH")
    assert asked(running) == ("Kara", "ACT")
    assert asked(running.play("END TURN")) == ("Odo", "TIMING")


def test_r04_file_order_within_each_phase() -> None:
    party = [hero(name) for name in ("Ada", "Bo", "Cy", "Di", "Ed")]
    rolls = ["TRIUMPH", "BOTCH", "SUCCESS", "SACRIFICE", "SUCCESS"]
    running = game(duel(party=party, foes=[ogre(), ogre("Imp")]), *rolls)
    assert turns(running, "AFTER", "BEFORE") == ["Cy", "Di", "Ed", "Ogre", "Imp", "Ada", "Bo"]


# --- surprised characters and R-03 -------------------------------------------------------------------------


def test_s2_surprised_characters_roll_initiative_as_usual() -> None:
    running = begin(duel(surprise="party"), initiative="TRIUMPH")
    assert who(running)["bracket"] == BRACKETS["TRIUMPH"]


def test_r03_surprised_initiative_normal_is_the_default() -> None:
    data = duel(surprise="party", rules={"surprised_initiative": "normal"})
    for encounter in (data, duel(surprise="party")):
        assert who(begin(encounter))["bracket"] == BRACKETS["SUCCESS"]


def test_r03_surprised_initiative_confused_without_a_roll() -> None:
    data = duel(party=pair(), surprise=AMBUSH, rules={"surprised_initiative": "confused"})
    running = game(data, "BOTCH", "SUCCESS", "TRIUMPH")  # Odo alone rolls initiative
    assert (who(running)["bracket"], who(running, "Odo")["bracket"]) == (BRACKETS["BOTCH"], BRACKETS["TRIUMPH"])


def test_r03_confused_lasts_after_the_surprise_round() -> None:
    running = game(duel(surprise="party", rules={"surprised_initiative": "confused"}))
    next_round(running)
    assert turns(running) == ["Ogre", "Kara"]


# --- the surprise round ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("surprise", "kara", "theirs"), [("party", 0, 1), ("foes", 1, 0)])
def test_s2_in_the_surprise_round_the_unsurprised_have_1_momentum_and_the_surprised_0(
    surprise: str, kara: int, theirs: int
) -> None:
    running = begin(duel(surprise=surprise))
    assert (who(running)["momentum"], who(running, "Ogre")["momentum"]) == (kara, theirs)


def test_r25_surprised_fighters_take_no_turn_in_the_surprise_round() -> None:
    assert turns(begin(duel(surprise="party"))) == ["Ogre"]
    assert turns(begin(duel(surprise="foes"))) == ["Kara"]


def test_s2_unsurprised_characters_act_beside_surprised_ones() -> None:
    data = duel(party=pair(), surprise=AMBUSH)
    assert turns(game(data, "BOTCH", "SUCCESS", "SUCCESS", "SUCCESS")) == ["Odo", "Ogre"]


def test_s2_the_surprised_have_only_passive_defences() -> None:
    armed = hero(shield={"quality": "common"}, armor={"rating": 2, "quality": "common"})
    running = begin(duel(party=[armed], surprise="party")).play("ATTACK Kara with club")
    assert running.legal() == ["NONE", "MITIGATE"]


def test_s2_the_surprised_may_abjure_magic() -> None:
    data = duel(foes=[ogre(attacks=[attack(magic=True)])], surprise="party")
    assert begin(data).play("ATTACK Kara with club").legal() == ["NONE", "ABJURE"]


def test_s2_after_the_surprise_round_all_are_ready() -> None:
    running = next_round(begin(duel(surprise="party")))
    assert (running.round, surprised(running)) == (1, [])
    assert who(running)["momentum"] == 3


@pytest.mark.parametrize(
    ("bracket", "answers", "order"),
    [
        ("BOTCH", [], ["Ogre", "Kara"]),
        ("SACRIFICE", ["BEFORE"], ["Kara", "Ogre"]),
        ("SACRIFICE", ["AFTER"], ["Ogre", "Kara"]),
        ("SUCCESS", [], ["Kara", "Ogre"]),
        ("TRIUMPH", ["BEFORE"], ["Kara", "Ogre"]),
        ("TRIUMPH", ["AFTER"], ["Ogre", "Kara"]),
    ],
)
def test_s2_brackets_change_the_order_in_the_surprise_round(bracket: str, answers: list[str], order: list[str]) -> None:
    """Odo is surprised; Kara and the Ogre are not."""
    running = game(duel(party=pair(), surprise=AMBUSH), "SUCCESS", "BOTCH", bracket, "SUCCESS")
    assert turns(running, *answers) == order


@pytest.mark.parametrize("bracket", OUTCOMES)
def test_s2_brackets_do_not_change_the_momentum_in_the_surprise_round(bracket: str) -> None:
    running = begin(duel(surprise="foes"), initiative=bracket)
    if running.window == "TIMING":
        running.play("BEFORE")
    assert asked(running) == ("Kara", "ACT")
    assert who(running)["momentum"] == 1


def test_s2_gifts_do_not_change_the_momentum_in_the_surprise_round() -> None:
    assert who(begin(duel(party=[hero(gifts=["quickness"])], surprise="foes")))["momentum"] == 1


def test_s2_end_of_round_steps_run_in_the_surprise_round() -> None:
    """BURNING hurts, BLEEDING and HAMSTRUNG count down, a lock is gone; 2 + 1 + 1 BODY are lost."""
    club = attack(dice=1, sides=2, tags=["burning", "bleeding", "hamstrung"])
    kara = hero(armor={"rating": 1, "quality": "common"})
    running = begin(duel(party=[kara], foes=[ogre(attacks=[club])], surprise="party"), "SACRIFICE", 2)
    play(running, "ATTACK Kara with club", "MITIGATE", "SACRIFICE")
    assert who(running)["locked"] != 0
    running.play("END TURN")
    it = who(running)
    assert running.round == 1
    assert (it["body"], it["bleeding"], it["hamstrung"], it["locked"]) == (20 - 1 - 2, 2, 1, 0)


def test_s2_no_recovery_in_the_surprise_round() -> None:
    """Kara is unsurprised and hurt, and keeps her point; in round 1 three points come back."""
    data = duel(party=pair(), surprise=AMBUSH)
    running = game(data, "SUCCESS", "BOTCH", "BOTCH", "SUCCESS", 5)
    play(running, "ATTACK Kara with club", "NONE", "END TURN")
    assert (running.round, asked(running), who(running)["momentum"]) == (0, ("Kara", "ACT"), 1)
    running.play("END TURN")
    assert (running.round, who(running)["body"]) == (1, 15)
    next_round(running)
    assert who(running)["body"] == 15 + 2  # Confused: 2 points unspent
