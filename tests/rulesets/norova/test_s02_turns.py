"""Section 2: initiative, the active turn, the Move and facing, support."""

from __future__ import annotations

import pytest

from lens_env import Encounter, Game, Scripted
from lens_env.play.game import openings
from tests.rulesets.norova.scenes import asked, begin, duel, fighter, on_board, play, spell, strike, vitality, who

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("faces", "order"), [((5, 10), ["Foe", "Kara"]), ((10, 5), ["Kara", "Foe"]), ((7, 7), ["Kara", "Foe"])]
)
def test_s02_r03_initiative_is_d20_and_ties_go_by_file_order(faces: tuple[int, int], order: list[str]) -> None:
    running = Game(Encounter.from_dict(duel()), dice=Scripted(faces))
    seen = [running.decider, running.play("END TURN").decider]
    assert seen == order


def test_s02_r03_the_sheets_initiative_is_added() -> None:
    data = duel([fighter(initiative=-3)], [fighter("Foe", initiative=2)])
    first = sum(chance for chance, running in openings(Encounter.from_dict(data)) if running.decider == "Foe")
    wins = sum(foe + 2 > kara - 3 for foe in range(1, 21) for kara in range(1, 21))
    assert first == pytest.approx(wins / 400, abs=1e-12)


def test_s02_one_attack_one_move_one_support_one_magic_in_any_order() -> None:
    healer = fighter(spells=[spell()], support=[{"name": "bandage", "heal": 3}], vitality=20)
    data = on_board({"Kara": (3, 3), "Foe": (3, 2)}, party=[healer])
    running = begin(data, "FAILURE", "FAILURE", "FAILURE", "FAILURE")
    kinds = lambda: {name.split()[0] for name in running.legal()}  # noqa: E731
    assert kinds() == {"END", "ATTACK", "MOVE", "CAST"}  # nobody is hurt: no SUPPORT
    strike(running, "Foe").play("EVADE")
    assert kinds() == {"END", "MOVE", "CAST"}
    strike(running, "Foe", "CAST").play("EVADE")
    assert kinds() == {"END", "MOVE"}
    play(running, "MOVE", "STOP", "FACE N")
    assert kinds() == {"END"}
    running.play("END TURN")
    assert asked(running) == ("Foe", "ACT")
    strike(running).play("EVADE").play("END TURN")
    assert kinds() == {"END", "ATTACK", "MOVE", "CAST", "SUPPORT"}


def test_s02_the_move_covers_up_to_speed_spaces_and_ends_with_a_facing() -> None:
    running = begin(on_board({"Kara": (0, 7), "Foe": (7, 0)}, party=[fighter(speed=2)]))
    play(running, "MOVE", "STEP N", "STEP NE")
    assert asked(running) == ("Kara", "FACE")
    assert running.legal() == [f"FACE {heading}" for heading in ("N", "NE", "E", "SE", "S", "SW", "W", "NW")]
    running.play("FACE W")
    it = who(running)
    assert (it["x"], it["y"], it["facing"]) == (1, 5, 6)
    assert "MOVE" not in running.legal()


def test_s02_turning_only_uses_the_move() -> None:
    running = play(begin(on_board({"Kara": (0, 7, "N"), "Foe": (7, 0)})), "MOVE", "STOP", "FACE S")
    assert (who(running)["facing"], "MOVE" in running.legal()) == (4, False)


def test_s02_standing_up_uses_the_move() -> None:
    running = begin(on_board({"Kara": (0, 7), "Foe": (7, 0)}, party=[fighter(statuses={"prone": 1})]))
    assert "MOVE" not in running.legal()
    running.play("STAND")
    assert (who(running)["prone"], "MOVE" in running.legal(), "STAND" in running.legal()) == (0, False, False)


def test_s02_r05_r21_a_fighter_first_faces_the_nearest_enemy_or_as_its_sheet_says() -> None:
    places = {"Kara": (3, 3), "Foe": (3, 0), "Imp": (1, 3), "Bran": (5, 5, "SW")}
    data = on_board(places, party=[fighter(), fighter("Bran")], foes=[fighter("Foe"), fighter("Imp")])
    running = begin(data)
    facing = {name: who(running, name)["facing"] for name in places}
    assert facing == {"Kara": 6, "Foe": 4, "Imp": 2, "Bran": 5}


def test_s02_r27_nobody_passes_or_shares_a_space() -> None:
    places = {"Kara": (0, 0), "Bran": (1, 0), "Foe": (0, 1), "Watcher": (1, 1)}
    foes = [fighter("Foe", statuses={"distracted": 5}), fighter("Watcher", role="spectator")]
    running = begin(on_board(places, party=[fighter(), fighter("Bran")], foes=foes)).play("MOVE")
    assert running.legal() == ["STOP"]


def test_s02_r27_support_helps_oneself_and_neighbours_up_to_the_maximum() -> None:
    party = [
        fighter(support=[{"name": "bandage", "heal": 7}, {"name": "chant", "restore": {"soul": 2}}], soul=3),
        fighter("Bran"),
        fighter("Cole"),
    ]
    places = {"Kara": (0, 0), "Bran": (1, 1), "Cole": (2, 0), "Foe": (7, 7)}
    foe = fighter("Foe", attacks=[{"name": "bow", "flat": 5, "range": 20}])
    data = on_board(places, party=party, foes=[foe])
    running = begin(data, "FAILURE", order=["Foe", "Kara", "Bran", "Cole"])
    strike(running, "Bran").play("EVADE").play("END TURN")
    assert [name for name in running.legal() if name.startswith("SUPPORT")] == ["SUPPORT Bran with bandage"]
    running.play("SUPPORT Bran with bandage")
    assert vitality(running, "Bran") == 20


def test_s02_support_restores_power_and_soul() -> None:
    caster = fighter(
        soul=3, power=1, spells=[spell(soul=3)], support=[{"name": "chant", "restore": {"soul": 2, "power": 5}}]
    )
    running = begin(duel([caster]), "FAILURE")
    strike(running, "Foe", "CAST").play("EVADE").play("SUPPORT Kara with chant")
    assert (who(running)["soul"], who(running)["power"]) == (2, 1)


def test_s02_in_the_defensive_turn_there_are_only_defence_actions() -> None:
    caster = fighter(spells=[spell()], support=[{"name": "bandage", "heal": 3}], counter_attack=True)
    running = strike(begin(duel([caster]), order=["Foe", "Kara"]))
    assert asked(running) == ("Kara", "DEFEND")
    assert set(running.legal()) == {"EVADE", "COUNTER"}
