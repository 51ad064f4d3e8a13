"""The Lens, section 5: FORM and CAST (R-07, R-08, R-09, R-27)."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Game
from tests.rulesets.the_lens.scenes import (
    HERO,
    asked,
    attack,
    begin,
    chances,
    duel,
    efforts,
    happened,
    hero,
    ogre,
    on_board,
    play,
    who,
)

pytestmark = pytest.mark.kernel


def scene(**changes: Any) -> Any:
    """A duel in which nobody reacts to a roll."""
    return duel(rules={"reactions": "defence_only"}, **changes)


def spell(name: str = "dart", **changes: Any) -> dict[str, Any]:
    """A spell of Complexity 4 that does 1d4."""
    return {"name": name, "school": "fire", "parameters": [2, 2], "dice": 1, "sides": 4, **changes}


def mage(*spells: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return hero(spells=list(spells or [spell()]), **changes)


def sure(name: str = "dart", **changes: Any) -> dict[str, Any]:
    """A spell that forms without a roll."""
    return spell(name, **{"parameters": [2, 1], **changes})


def caster(*rolls: Any, foes: list[Any] | None = None, gifts: tuple[str, ...] = (), **changes: Any) -> Game:
    """Kara has formed her spell and has 2 points left."""
    kara = mage(sure(**changes), gifts=list(gifts))
    return begin(scene(party=[kara], foes=foes), *rolls).play("FORM dart")


# --- FORM --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [[2, 3, 2], {"power": 4, "range": 3}])
def test_s5_form_rolls_source_against_the_sum_of_the_parameters(parameters: Any) -> None:
    running = begin(scene(party=[mage(spell(parameters=parameters))]), "SACRIFICE").play("FORM dart")
    assert any(line.startswith("Kara rolls Source against 7") for line in happened(running))
    assert who(running)["momentum"] == 2


def test_s5_form_has_the_chances_of_source_without_a_tool() -> None:
    running = begin(scene(party=[mage()]))
    found = chances(running, "FORM dart", lambda after: (after.window, who(after)["formed"]))
    botch, sacrifice, success, triumph = (float(chance) for chance in efforts([8, 6, 4], 4))
    expected = {("ACT", 0): botch, ("FORM_SACRIFICE", 0): sacrifice, ("ACT", 1): success + triumph}
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("rank", "highest"),
    [("untrained", 0), ("novice", 2), ("apprentice", 3), ("journeyman", 4), ("artisan", 5), ("master", 6)],
)
def test_r07_no_roll_up_to_half_the_sides_of_the_source_training_die(rank: str, highest: int) -> None:
    abilities = {**HERO["abilities"], "source": {"talent": "average", "rank": rank}}
    for complexity in range(1, 8):
        kara = mage(spell(parameters=[complexity]), abilities=abilities)
        sure = complexity <= highest
        running = begin(scene(party=[kara]), *([] if sure else ["SACRIFICE"])).play("FORM dart")
        assert (who(running)["formed"], who(running)["momentum"]) == (1 if sure else 0, 2)
        assert running.window == ("ACT" if sure else "FORM_SACRIFICE")


@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
def test_r08_success_and_triumph_formed(outcome: str) -> None:
    running = begin(scene(party=[mage()]), outcome).play("FORM dart")
    assert (who(running)["formed"], asked(running)) == (1, ("Kara", "ACT"))


def test_r08_botch_not_formed_and_the_turn_ends() -> None:
    running = begin(scene(party=[mage()]), "BOTCH").play("FORM dart")
    assert (who(running)["formed"], asked(running)) == (0, ("Ogre", "ACT"))


@pytest.mark.parametrize(("answer", "formed", "momentum"), [("YIELD", 0, 2), ("SACRIFICE", 1, 1)])
def test_r08_sacrifice_not_formed_or_formed_for_1_more_momentum(answer: str, formed: int, momentum: int) -> None:
    running = begin(scene(party=[mage()]), "SACRIFICE").play("FORM dart")
    assert asked(running) == ("Kara", "FORM_SACRIFICE")
    running.play(answer)
    assert (who(running)["formed"], who(running)["momentum"]) == (formed, momentum)
    assert asked(running) == ("Kara", "ACT")


def test_r08_sacrifice_without_momentum_is_not_formed_and_not_asked() -> None:
    running = begin(scene(party=[mage(momentum=1)]), "SACRIFICE").play("FORM dart")
    assert (who(running)["formed"], running.window) == (0, "ACT")


def test_s5_the_spell_stays_formed_until_another_is() -> None:
    """Through casts and rounds; a failed FORM of another leaves it; that which is formed replaces it."""
    running = begin(scene(party=[mage(sure(), spell("bolt"))]), "SUCCESS", 1, "SACRIFICE", "SUCCESS")
    play(running, "FORM dart", "CAST Ogre", "END TURN", "END TURN")
    assert who(running)["formed"] == 1
    assert who(play(running, "FORM bolt", "YIELD"))["formed"] == 1
    assert who(running.play("FORM bolt"))["formed"] == 2


def test_s5_a_formed_spell_is_not_formed_again() -> None:
    running = caster()
    assert "FORM dart" not in running.legal()
    assert "CAST Ogre" in running.legal()


# --- CAST --------------------------------------------------------------------------------------------------


def test_s5_cast_needs_the_spell_formed() -> None:
    assert "CAST Ogre" not in begin(scene(party=[mage()])).legal()


def test_s5_cast_rolls_the_school_against_the_targets_abjuration() -> None:
    foes = [ogre(), ogre("Imp", abjuration=6)]
    running = caster("BOTCH", foes=foes, school="terror").play("CAST Imp")
    assert any(line.startswith("Kara rolls Terror against 6: d8") for line in happened(running))


def test_s5_each_cast_costs_1_and_the_spell_is_not_checked_again() -> None:
    running = caster("SUCCESS", 2, "SUCCESS", 3)
    play(running, "CAST Ogre", "CAST Ogre")
    assert (who(running)["momentum"], who(running, "Ogre")["body"]) == (0, 25)


def test_r09_cast_botch_misses_and_the_turn_ends() -> None:
    running = caster("BOTCH").play("CAST Ogre")
    assert (who(running, "Ogre")["body"], asked(running)) == (30, ("Ogre", "ACT"))


@pytest.mark.parametrize(("answer", "body", "momentum"), [("YIELD", 30, 1), ("SACRIFICE", 26, 0)])
def test_r09_cast_sacrifice_misses_or_hits_for_1_more_momentum(answer: str, body: int, momentum: int) -> None:
    running = caster("SACRIFICE", *([4] if answer == "SACRIFICE" else [])).play("CAST Ogre")
    assert asked(running) == ("Kara", "ATTACK_SACRIFICE")
    running.play(answer)
    assert (who(running, "Ogre")["body"], who(running)["momentum"]) == (body, momentum)


def test_r15_cast_sacrifice_without_momentum_is_a_miss() -> None:
    running = caster("SUCCESS", 1, "SACRIFICE")
    play(running, "CAST Ogre", "CAST Ogre")
    assert (who(running, "Ogre")["body"], running.window) == (29, "ACT")


@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
def test_r27_all_tags_of_a_spell_go_with_every_cast_and_a_triumph_adds_none(outcome: str) -> None:
    running = caster(outcome, 2, tags=["prone", "burning"]).play("CAST Ogre")
    it = who(running, "Ogre")
    assert (it["prone"], it["burning"], it["body"]) == (1, 1, 28)
    assert asked(running) == ("Kara", "ACT")


def test_s5_a_spell_does_its_own_damage() -> None:
    found = chances(caster(dice=2, sides=3), "CAST Ogre", lambda after: 30 - who(after, "Ogre")["body"])
    hit = sum(float(chance) for chance in efforts([8, 6, 4], 4)[2:])
    ways = {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}
    assert {lost: found[lost] for lost in ways} == pytest.approx(
        {lost: hit * count / 9 for lost, count in ways.items()}, abs=1e-12
    )


@pytest.mark.parametrize(("reach", "cell", "possible"), [(None, (7, 7), True), (3, (3, 3), True), (3, (4, 0), False)])
def test_s5_spell_range_is_unlimited_by_default(reach: int | None, cell: tuple[int, int], possible: bool) -> None:
    kara = mage({**sure(), "range": reach})
    running = begin(on_board({"Kara": (0, 0), "Ogre": cell}, party=[kara])).play("FORM dart")
    assert ("CAST Ogre" in running.legal()) == possible


def test_r17_neither_armor_nor_guard_helps_against_a_spell() -> None:
    running = caster("SUCCESS", 3, foes=[ogre(armor=2, guard="shield")]).play("CAST Ogre")
    assert who(running, "Ogre")["body"] == 27


def test_s5_one_who_lies_prone_may_form_and_cast() -> None:
    """PRONE rules out DODGE, ATTACK and MOVE only."""
    foe = ogre(attacks=[attack(dice=1, sides=1, tags=["prone"])])
    running = begin(scene(party=[mage(sure())], foes=[foe]), 1)
    play(running, "END TURN", "ATTACK Kara with club", "NONE", "END TURN")
    assert running.legal() == ["END TURN", "STAND", "FORM dart"]
    assert "CAST Ogre" in running.play("FORM dart").legal()
