"""The field ``forbid``: actions taken out of a side's mask, unless nothing would be left."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Encounter
from lens_env.errors import EncounterError, IllegalAction
from tests.rulesets.the_lens.fights import armed_with, attacked, declared, knight
from tests.rulesets.the_lens.scenes import begin, duel, foes_turn, hero, ogre, on_board, play

pytestmark = pytest.mark.kernel

DEFENCES = ("NONE", "MITIGATE", "BLOCK", "DODGE", "PARRY")


@pytest.mark.parametrize("forbidden", DEFENCES)
def test_forbid_takes_an_action_out_of_the_mask(forbidden: str) -> None:
    running = attacked(forbid={"party": [forbidden]})
    assert running.legal() == [name for name in DEFENCES if name != forbidden]
    with pytest.raises(IllegalAction):
        running.play(forbidden)


def test_forbid_nothing_by_default() -> None:
    assert attacked().legal() == list(DEFENCES)


@pytest.mark.parametrize("side", ["party", "foes"])
def test_forbid_speaks_of_one_side(side: str) -> None:
    running = begin(duel(forbid={side: ["ATTACK"]}))
    assert ("ATTACK Ogre" in running.legal()) is (side == "foes")
    running.play("END TURN")
    assert any(action.startswith("ATTACK") for action in running.legal()) is (side == "party")


def test_forbid_by_first_word_forbids_all_that_begin_with_it() -> None:
    running = begin(duel(foes=[ogre(), ogre("Troll")], forbid={"party": ["ATTACK"]}))
    assert running.legal() == ["END TURN"]


def test_forbid_by_full_name_forbids_one() -> None:
    running = begin(duel(foes=[ogre(), ogre("Troll")], forbid={"party": ["ATTACK Troll"]}))
    assert running.legal() == ["END TURN", "ATTACK Ogre"]


def test_forbid_nothing_is_forbidden_where_nothing_would_be_left() -> None:
    running = attacked(forbid={"party": list(DEFENCES)})
    assert running.legal() == list(DEFENCES)


def test_forbid_end_turn_is_possible_when_nothing_else_is() -> None:
    running = begin(duel(forbid={"party": ["END TURN"]}, party=[hero(momentum=1)]), "SACRIFICE")
    assert running.legal() == ["ATTACK Ogre"]
    assert running.play("ATTACK Ogre").legal() == ["END TURN"]


def test_forbid_reactions() -> None:
    data = duel(party=[hero(), hero("Tomas")], foes=[ogre(guard="shield"), ogre("Troll")],
                forbid={"party": ["ASSIST"], "foes": ["GUARD", "INTERFERE"]})  # fmt: skip
    running = begin(data, "SUCCESS", 5).play("ATTACK Ogre")
    while running.window != "ACT":
        assert running.legal() == ["PASS"]
        running.play("PASS")


def test_forbid_pass_makes_a_reaction_a_must() -> None:
    data = duel(party=[hero(), hero("Tomas")], forbid={"party": ["PASS"]})
    assert begin(data).play("ATTACK Ogre").legal() == ["ASSIST"]


def test_forbid_sacrifice() -> None:
    assert attacked("SACRIFICE", forbid={"party": ["SACRIFICE"]}).play("BLOCK").legal() == ["YIELD"]


def test_forbid_tags_moves_and_stop() -> None:
    data = on_board({"Kara": (0, 0), "Ogre": (5, 5)}, party=[armed_with("BURNING", "PRONE")],
                    forbid={"party": ["TAG BURNING", "STOP", "STEP E"]})  # fmt: skip
    running = begin(data)
    assert running.legal() == ["END TURN", "MOVE", "TAG PRONE"]
    assert running.play("MOVE").legal() == ["STEP SE", "STEP S"]


def test_forbid_a_monsters_attack() -> None:
    attacks: list[dict[str, Any]] = [{"name": name, "dice": 1, "sides": 4} for name in ("club", "horns")]
    running = foes_turn(duel(foes=[ogre(attacks=attacks)], forbid={"foes": ["ATTACK Kara with club"]}))
    assert running.legal() == ["END TURN", "ATTACK Kara with horns"]


def test_forbid_does_not_touch_what_nobody_forbids() -> None:
    running = attacked(party=[knight()], forbid={"foes": ["STAND"]})
    assert running.legal() == list(DEFENCES)
    assert declared(play(foes_turn(duel(forbid={"party": ["BLOCK"]})))).window == "DEFEND"


def test_forbid_of_an_unknown_action_is_an_error_that_names_it() -> None:
    with pytest.raises(EncounterError, match=r"BLOK.*BLOCK"):
        Encounter.from_dict(duel(forbid={"party": ["BLOK"]}))


@pytest.mark.parametrize(
    ("side", "word"),
    [("foes", "BLOCK"), ("foes", "ATTACK Ogre"), ("foes", "RECOVER 1"), ("foes", "USE"), ("party", "GUARD"),
     ("party", "ATTACK Kara"), ("party", "MOVE"), ("foes", "MOVE"), ("party", "STEP E")],
)  # fmt: skip
def test_forbid_of_what_a_side_can_never_do_is_an_error(side: str, word: str) -> None:
    with pytest.raises(EncounterError, match=word):
        Encounter.from_dict(duel(forbid={side: [word]}))


def test_forbid_the_error_lists_every_action_that_the_side_has() -> None:
    with pytest.raises(EncounterError) as caught:
        Encounter.from_dict(duel(forbid={"foes": ["BLOCK"]}))
    assert str(caught.value) == (
        "<dict>: forbid.foes.0: the foes have no 'BLOCK' here; "
        "actions: END TURN, STAND, RECOVER WEAPON, DOUSE, ASSIST, INTERFERE, GUARD, PASS, ATTACK Kara with club"
    )


def test_forbid_on_hexes_knows_no_step_to_the_north() -> None:
    data = on_board({"Kara": (0, 0), "Ogre": (5, 5)}, forbid={"party": ["STEP N"]})
    Encounter.from_dict(data)
    data["board"]["kind"] = "hex"
    with pytest.raises(EncounterError, match="STEP N"):
        Encounter.from_dict(data)


def test_forbid_a_whole_name_wins_over_one_that_begins_with_it() -> None:
    running = begin(duel(foes=[ogre(), ogre("Ogre King")], forbid={"party": ["ATTACK Ogre"]}))
    assert running.legal() == ["END TURN", "ATTACK Ogre King"]


def test_forbid_by_several_words_forbids_all_that_begin_with_them() -> None:
    foes = [ogre("Rat", count=2), ogre("Rattle")]
    running = begin(duel(foes=foes, forbid={"party": ["ATTACK Rat"]}))
    assert running.legal() == ["END TURN", "ATTACK Rattle"]
