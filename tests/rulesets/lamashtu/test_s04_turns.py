"""Section 4: rounds, turns and the actions of a turn (R-04, R-05, R-17, R-18)."""

from __future__ import annotations

import pytest

from lens_env import Game
from tests.rulesets.lamashtu.scenes import asked, at, attacked, duel, fighter, game, on_board, play, who

pytestmark = pytest.mark.kernel

APART = {"Kara": (1, 1), "Anzu": (5, 5)}


def order(running: Game, turns: int) -> list[str | None]:
    """Who has the next turns, if everybody ends them at once."""
    found = []
    for _ in range(turns):
        found.append(running.decider)
        running.play("END TURN")
    return found


# --- the order ---------------------------------------------------------------------------------------------


def test_r04_the_highest_initiative_first() -> None:
    party = [fighter("A", initiative=2), fighter("B", initiative=7)]
    foes = [fighter("C", initiative=5), fighter("D", initiative=9)]
    assert order(game(duel(party=party, foes=foes)), 8) == ["D", "B", "C", "A"] * 2


def test_r04_ties_in_file_order() -> None:
    party, foes = [fighter("A"), fighter("B")], [fighter("C"), fighter("D")]
    assert order(game(duel(party=party, foes=foes)), 4) == ["A", "B", "C", "D"]


def test_r04_who_is_out_has_no_turn() -> None:
    foes = [fighter("Anzu", health=1, initiative=5), fighter("Mushussu")]
    running = game(duel(foes=foes), (4, 0))
    play(running, "ATTACK Anzu", "NONE", "END TURN")
    assert asked(running) == ("Mushussu", "ACT")


# --- Action Points -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [1, 3, 5])
def test_r04_a_turn_begins_with_full_action_points(points: int) -> None:
    running = game(duel(party=[fighter(action_points=points)]))
    assert who(running, "Kara")["points"] == points
    assert who(running)["points"] == 0


def test_r04_every_action_costs_one_until_only_the_end_is_left() -> None:
    running = game(duel(), *[(0, 0)] * 3)
    for left in (2, 1, 0):
        play(running, "ATTACK Anzu", "NONE")
        assert who(running, "Kara")["points"] == left
    assert (asked(running), running.legal()) == (("Kara", "ACT"), ["END TURN"])


def test_r04_points_that_are_left_lapse() -> None:
    running = play(game(duel()), "END TURN")
    assert who(running, "Kara")["points"] == 0
    assert who(running.play("END TURN"), "Kara")["points"] == 3


def test_r04_reactions_cost_no_action_points() -> None:
    running = attacked((1, 0), (1, 0)).play("BLOCK")
    assert who(running)["points"] == 0
    assert who(running.play("END TURN"))["points"] == 3


def test_r04_banked_points_come_on_top_and_are_spent() -> None:
    running = attacked((0, 0), (2, 2)).play("BLOCK")
    play(running, "CASH AP", "CASH AP")
    assert who(running)["banked"] == 2
    running.play("END TURN")
    assert (who(running)["points"], who(running)["banked"]) == (5, 0)


def test_r04_the_staggered_have_one_less() -> None:
    running = attacked((1, 0), (0, 0), (1, 0), (0, 0), poise=3)
    play(running, "DODGE", "ATTACK Anzu", "DODGE", "END TURN")
    assert (who(running)["staggered"], who(running)["points"]) == (1, 2)


def test_r04_the_staggered_with_one_point_have_none() -> None:
    running = attacked((1, 0), (0, 0), (1, 0), (0, 0), poise=3, action_points=1)
    play(running, "DODGE", "ATTACK Anzu", "DODGE", "END TURN")
    assert (who(running)["points"], running.legal()) == (0, ["END TURN"])


# --- RECOVER and STAND -------------------------------------------------------------------------------------


def hurt_poise(**changes: object) -> Game:
    """It is the turn of Anzu, who has lost 2 of 4 Poise."""
    running = attacked((1, 0), (0, 0), (1, 0), (0, 0), poise=4, **changes)
    return play(running, "BLOCK", "ATTACK Anzu", "BLOCK", "END TURN")


def test_r05_recover_gives_1_poise_once_a_turn() -> None:
    running = hurt_poise()
    assert "RECOVER" in running.legal()
    running.play("RECOVER")
    assert (who(running)["poise"], who(running)["points"]) == (3, 2)
    assert "RECOVER" not in running.legal()
    play(running, "END TURN", "END TURN", "RECOVER")
    assert who(running)["poise"] == 4


def test_r05_recover_not_at_full_poise() -> None:
    running = game(duel())
    assert "RECOVER" not in running.legal()


@pytest.mark.parametrize("times", [0, 2])
def test_r05_recovers_per_turn(times: int) -> None:
    running = hurt_poise(rules={"recovers_per_turn": times})
    for _ in range(times):
        running.play("RECOVER")
    assert "RECOVER" not in running.legal()
    assert who(running)["poise"] == 2 + times


def test_r14_stand_ends_prone() -> None:
    rolls = [(1, 0), (0, 0)] * 3
    running = attacked(*rolls, poise=4)
    play(running, "DODGE", "ATTACK Anzu", "DODGE", "ATTACK Anzu", "DODGE", "END TURN")
    assert running.legal() == ["END TURN", "STAND", "RECOVER"]
    running.play("STAND")
    assert (who(running)["prone"], who(running)["points"]) == (0, 2)
    assert "STAND" not in running.legal() and "ATTACK Kara" in running.legal()


# --- ATTACK ------------------------------------------------------------------------------------------------


def test_s4_attack_only_enemies_in_reach() -> None:
    party, foes = [fighter(), fighter("Two")], [fighter("Anzu"), fighter("Mushussu")]
    places = {"Kara": (3, 3), "Two": (3, 4), "Anzu": (4, 4), "Mushussu": (5, 3)}
    running = game(on_board(places, party=party, foes=foes))
    assert [action for action in running.legal() if action.startswith("ATTACK")] == ["ATTACK Anzu"]


@pytest.mark.parametrize(("reach", "there"), [(1, False), (3, False), (4, True), (6, True)])
def test_s2_range_reaches_farther(reach: int, there: bool) -> None:
    running = game(on_board(APART, party=[fighter(range=reach)]))
    assert ("ATTACK Anzu" in running.legal()) is there


def test_s8_without_a_board_everybody_is_in_reach_and_nobody_moves() -> None:
    foes = [fighter("Anzu"), fighter("Mushussu")]
    assert game(duel(foes=foes)).legal() == ["END TURN", "ATTACK Anzu", "ATTACK Mushussu"]


# --- MOVE --------------------------------------------------------------------------------------------------


def test_r04_move_is_up_to_speed_steps() -> None:
    running = game(on_board(APART, party=[fighter(speed=2)]))
    play(running, "MOVE", "STEP E")
    assert asked(running) == ("Kara", "STEP")
    running.play("STEP S")
    assert (at(running, "Kara"), asked(running)) == ((2, 2), ("Kara", "ACT"))
    assert who(running, "Kara")["points"] == 2


def test_r04_stop_ends_a_move() -> None:
    running = play(game(on_board(APART)), "MOVE", "STEP E", "STOP")
    assert (at(running, "Kara"), asked(running)) == ((2, 1), ("Kara", "ACT"))


def test_r04_move_once_a_turn() -> None:
    running = play(game(on_board(APART)), "MOVE", "STOP")
    assert "MOVE" not in running.legal()
    play(running, "END TURN", "END TURN")
    assert "MOVE" in running.legal()


def test_s4_no_move_with_speed_0_and_none_without_a_way() -> None:
    assert "MOVE" not in game(on_board(APART, party=[fighter(speed=0)])).legal()
    walls = [[1, 0], [0, 1], [1, 1]]
    assert "MOVE" not in game(on_board({"Kara": (0, 0), "Anzu": (5, 5)}, blocked=walls)).legal()


def test_r04_leaving_reach_provokes_nothing() -> None:
    running = play(game(on_board({"Kara": (3, 3), "Anzu": (4, 3)})), "MOVE", "STEP W")
    assert (asked(running), at(running, "Kara")) == (("Kara", "STEP"), (2, 3))


def test_r17_nobody_enters_a_taken_or_blocked_cell() -> None:
    party = [fighter(), fighter("Two")]
    places = {"Kara": (0, 0), "Two": (1, 0), "Anzu": (0, 1)}
    running = game(on_board(places, party=party)).play("MOVE")
    assert running.legal() == ["STOP", "STEP SE"]
    running = game(on_board({"Kara": (0, 0), "Anzu": (5, 5)}, blocked=[[1, 1]])).play("MOVE")
    assert running.legal() == ["STOP", "STEP E", "STEP S"]


def test_r18_a_step_is_asked_even_if_only_stop_is_left() -> None:
    walls = [[1, 0], [1, 1], [0, 2], [1, 2]]
    running = play(game(on_board({"Kara": (0, 0), "Anzu": (5, 5)}, blocked=walls)), "MOVE", "STEP S")
    assert running.legal() == ["STOP", "STEP N"]


@pytest.mark.parametrize(
    ("cell", "ways"),
    [((2, 2), {"NE": (2, 1), "E": (3, 2), "SE": (2, 3)}), ((2, 3), {"NE": (3, 2), "SE": (3, 4), "NW": (2, 2)})],
)
def test_s8_on_hexes_there_are_six_ways(cell: tuple[int, int], ways: dict[str, tuple[int, int]]) -> None:
    data = on_board({"Kara": cell, "Anzu": (6, 6)}, kind="hex")
    assert len(game(data).play("MOVE").legal()) == 1 + 6
    for direction, there in ways.items():
        assert at(play(game(data), "MOVE", f"STEP {direction}"), "Kara") == there
