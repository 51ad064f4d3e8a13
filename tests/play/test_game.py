"""Game: the friendly face of one skirmish."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from lens_env import Encounter, Game, Scripted, load_encounter
from lens_env.core import record
from lens_env.errors import DiceError, IllegalAction
from lens_env.play.game import Indices, openings
from lens_env.play.narrate import tell

DUEL = {
    "ruleset": "the_lens",
    "name": "Test duel",
    "party": [
        {
            "name": "Kara",
            "aspects": {"body": 10, "mind": 0, "spirit": 0},
            "abilities": {
                "weapon_use": {"talent": "average", "rank": "apprentice"},
                "shield_use": {"talent": "average", "rank": "apprentice"},
            },
            "initiative_abilities": ["weapon_use"],
            "weapon": {"name": "sword", "size": "small", "quality": "common"},
            "shield": {"quality": "common"},
        }
    ],
    "foes": [
        {
            "name": "Wolf",
            "body": 6,
            "initiative": 4,
            "defense": 4,
            "abjuration": 4,
            "attack_rating": 4,
            "momentum": 1,
            "attacks": [{"name": "bite", "dice": 1, "sides": 4}],
        }
    ],
}


def game(rolls: list[object]) -> Game:
    return Game(Encounter.from_dict(DUEL), dice=Scripted(rolls))


def test_a_scripted_skirmish_to_its_end() -> None:
    g = game(["SUCCESS", (8, 6, 1), 6])
    assert (g.side, g.decider, g.window, g.round, g.over) == ("party", "Kara", "ACT", 1, False)
    assert g.play("ATTACK Wolf").over
    assert (g.winner, g.side, g.decider, g.window, g.legal()) == ("party", None, None, None, [])
    assert g.state_dict()["fighters"]["Wolf"]["body"] == 0
    assert not g.mask.any()


def test_the_log_tells_the_scripted_faces() -> None:
    g = game(["SUCCESS", (8, 6, 1), 2])
    g.play("ATTACK Wolf")
    assert "    Kara rolls Weapon Use against 4: d8 8, d6 6, d4 1: SUCCESS." in g.log
    assert g.log[-1] == "    Wolf loses 2 BODY: 4 left."


def test_an_illegal_action_names_the_legal_ones_and_the_nearest() -> None:
    g = game(["SUCCESS"])
    with pytest.raises(IllegalAction, match=r"ACT of Kara; legal: END TURN, ATTACK Wolf; did you mean 'ATTACK W"):
        g.play("ATACK Wolf")
    with pytest.raises(IllegalAction):
        g.play(10_000)
    with pytest.raises(IllegalAction):
        g.play(-1)


def test_nothing_is_legal_after_the_end() -> None:
    g = game(["SUCCESS", "SUCCESS", 6]).play("ATTACK Wolf")
    with pytest.raises(IllegalAction, match="the skirmish is over"):
        g.play("END TURN")


@pytest.mark.parametrize(
    ("roll", "reason"),
    [
        ([], "has run out"),
        ([(9, 6, 1)], "cannot occur"),
        ([(8, 6)], "cannot occur"),
        ([(8, 6, 1, 1)], "cannot occur"),
        ([5], "another kind of roll"),
    ],
)
def test_a_wrong_roll_is_explained_and_changes_nothing(roll: list[object], reason: str) -> None:
    g = game(["SUCCESS", *roll])
    before = (g.state_dict(), g.legal(), g.log)
    with pytest.raises(DiceError, match=reason):
        g.play("ATTACK Wolf")
    assert (g.state_dict(), g.legal(), g.log) == before


@pytest.mark.parametrize("roll", ["LUCK", (0,), (1, 2, 3, 4, 5, 6), -1, None, True, 1.5])
def test_what_is_no_roll_is_refused(roll: object) -> None:
    with pytest.raises(DiceError, match="scripted roll 1"):
        game([roll])


@pytest.mark.parametrize("roll", [10**30, 401])
def test_a_sum_beyond_all_dice_is_refused(roll: int) -> None:
    with pytest.raises(DiceError, match="a sum up to 400"):
        game([roll])


@pytest.mark.parametrize("index", [10**30, -1, True, "SUCCESS", 96])
def test_the_index_of_no_outcome_is_refused(index: object) -> None:
    with pytest.raises(DiceError, match="is the index of no outcome"):
        Game(Encounter.from_dict(DUEL), dice=Indices([index]))


@pytest.mark.parametrize("rolls", ["SUCCESS", 3, None])
def test_a_script_is_a_list(rolls: object) -> None:
    with pytest.raises(TypeError, match="a list with an entry a roll"):
        Scripted(rolls)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [1.5, "7", None, True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(TypeError, match="the seed is a whole number"):
        Game(Encounter.from_dict(DUEL), seed=seed)  # type: ignore[arg-type]


def test_dice_are_given_as_a_script() -> None:
    with pytest.raises(TypeError, match=r"Scripted\(\[...\]\), got \[1\]"):
        Game(Encounter.from_dict(DUEL), dice=[1])  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [[1], {}, True, None, 1.0])
def test_what_is_neither_a_name_nor_a_number_is_no_action(action: object) -> None:
    with pytest.raises(IllegalAction, match="is not legal"):
        game(["SUCCESS"]).play(action)  # type: ignore[arg-type]


def test_leftover_rolls_are_an_error_at_the_end() -> None:
    g = game(["SUCCESS", "SUCCESS", 6, 3])
    assert g.unused_rolls == 3
    with pytest.raises(DiceError, match="1 of 4 scripted rolls are left"):
        g.play("ATTACK Wolf")


def test_a_script_longer_than_the_record_is_fed_piece_by_piece() -> None:
    rolls: list[object] = ["SUCCESS"]
    rolls += ["SACRIFICE"] * 150
    g = game(rolls)
    while g.unused_rolls:
        choices = [name for name in ("ATTACK Wolf", "YIELD", "END TURN") if name in g.legal()]
        g.play(choices[0])
    assert g.round > 20


def test_outcomes_are_exact_and_sum_to_one() -> None:
    g = game(["SUCCESS"])
    outcomes = g.outcomes("ATTACK Wolf")
    assert sum(p for p, _ in outcomes) == pytest.approx(1, abs=1e-12)
    unhurt = sum(p for p, after in outcomes if after.state_dict()["fighters"]["Wolf"]["body"] == 6)
    hit = 1 - (3 / 8 * 3 / 6 * 3 / 4) - (5 / 8 * 9 / 24 + 3 / 8 * 3 / 6 * 3 / 4 + 3 / 8 * 3 / 6 * 1 / 4)
    assert unhurt == pytest.approx(1 - hit, abs=1e-12)


def test_outcomes_leave_the_game_as_it_was() -> None:
    g = Game(load_encounter("the_lens/duel"), seed=3)
    twin = g.copy()
    g.outcomes(g.legal()[0])
    assert (g.state == twin.state).all() and g.trail == twin.trail


def test_openings_are_exact() -> None:
    weights = {after.state_dict()["fighters"]["Kara"]["bracket"]: p for p, after in openings(Encounter.from_dict(DUEL))}
    miss = (3 / 8, 3 / 6, 3 / 4)  # d8, d6, and the d4 a step below Training, against 4
    assert weights[0] == pytest.approx(np.prod(miss), abs=1e-12)
    assert weights[3] == pytest.approx(np.prod([1 - m for m in miss]), abs=1e-12)


def test_copies_are_independent_and_have_the_same_dice_to_come() -> None:
    g = Game(load_encounter("the_lens/two_against_two"), seed=11)
    twin = g.copy()
    choose = random.Random(4)
    path = []
    for _ in range(40):
        path.append(choose.choice(g.legal()))
        g.play(path[-1])
        if g.over:
            break
    assert twin.moves == twin.moves[:1]
    for action in path:
        twin.play(action)
    assert twin.trail == g.trail and (twin.state == g.state).all() and twin.log == g.log


def test_names_and_indices_mean_the_same() -> None:
    g = game(["SUCCESS"])
    for name in g.legal():
        assert g.built.actions[g.action_index(name)] == name
        assert g.mask[g.action_index(name)]
    assert int(g.mask.sum()) == len(g.legal())


def test_seeds_outside_the_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"2\*\*64"):
        Game(Encounter.from_dict(DUEL), seed=-1)


def test_every_event_is_converted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    converted = []
    to_python = record.to_python

    def noting(value: Any) -> Any:
        if isinstance(value, np.void):
            converted.append(value)
        return to_python(value)

    monkeypatch.setattr(record, "to_python", noting)
    g, choose = Game(load_encounter("the_lens/duel"), seed=3), random.Random(3)
    lines = list(tell(g, lambda now: choose.choice(now.legal())))
    assert lines == g.log
    assert len(converted) == g.event_count == len(g.events)


# --- names that fighters share -----------------------------------------------------------------------------


def two_monsters() -> Game:
    """A spider with a bite and a rat with teeth, each in its first slot; the rat has a tail besides."""
    wolf: Any = DUEL["foes"][0]
    foes = [
        {**wolf, "name": name, "attacks": [{"name": attack, "dice": 1, "sides": 4} for attack in attacks]}
        for name, attacks in (("Spider", ["bite"]), ("Rat", ["teeth", "bite"]))
    ]
    encounter = Encounter.from_dict({**DUEL, "foes": foes})
    return Game(encounter, dice=Scripted(["SUCCESS"])).play("END TURN")


def test_each_fighter_calls_its_actions_by_its_own_names() -> None:
    g = two_monsters()
    assert (g.decider, g.legal()) == ("Spider", ["END TURN", "ATTACK Kara with bite"])
    first = g.action_index("ATTACK Kara with bite")
    assert g.built.actions[first] == "ATTACK Kara with bite/teeth"
    g.play("END TURN")
    assert (g.decider, g.legal()) == ("Rat", ["END TURN", "ATTACK Kara with teeth", "ATTACK Kara with bite"])
    assert g.action_index("ATTACK Kara with teeth") == first
    assert g.action_index("ATTACK Kara with bite") != first


def test_the_shared_name_of_an_action_is_understood_too() -> None:
    g = two_monsters()
    assert g.play("ATTACK Kara with bite/teeth").log[-1] == "  Spider attacks Kara with bite."
