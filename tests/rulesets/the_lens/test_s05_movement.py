"""The Lens, section 5: MOVE and STEP, difficult terrain (R-10), monsters (R-13) and the board (R-14)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lens_env import Encounter, Game
from tests.rulesets.the_lens.scenes import (
    asked,
    at,
    attack,
    begin,
    chances,
    duel,
    efforts,
    foes_turn,
    happened,
    hero,
    ogre,
    on_board,
    play,
    who,
)

pytestmark = pytest.mark.kernel

AROUND = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
FAR = {"Ogre": (7, 7)}
ROUGH = {"difficult": {"3,2": 5}}  # the cell to the east of Kara's


def moving(kara: tuple[int, int] = (2, 2), *rolls: Any, **changes: Any) -> Game:
    """Kara has chosen MOVE; the Ogre stands far away."""
    return begin(on_board({"Kara": kara, **FAR}, **changes), *rolls).play("MOVE")


def ways(running: Game) -> set[str]:
    """The directions in which a STEP is legal, and STOP."""
    return {action.removeprefix("STEP ") for action in running.legal()}


def pair_moving(odo: tuple[int, int], *rolls: Any, **changes: Any) -> Game:
    """Kara in 2,2 has chosen MOVE; Odo stands where he is told to, the Ogre far away."""
    return begin(on_board({"Kara": (2, 2), "Odo": odo, **FAR}, party=[hero(), hero("Odo")], **changes), *rolls).play(
        "MOVE"
    )


# --- MOVE and STEP -----------------------------------------------------------------------------------------


def test_s5_move_costs_1_and_asks_for_a_step() -> None:
    running = moving()
    assert (asked(running), who(running)["momentum"]) == (("Kara", "STEP"), 2)


@pytest.mark.parametrize("direction", AROUND)
def test_s5_a_step_goes_one_square_in_one_of_eight_directions(direction: str) -> None:
    running = moving().play(f"STEP {direction}")
    dx, dy = AROUND[direction]
    assert at(running) == (2 + dx, 2 + dy)
    assert asked(running) == ("Kara", "STEP")


def test_s5_up_to_6_squares_for_one_momentum_without_a_roll() -> None:
    running = moving((0, 0))
    for x in range(1, 7):
        assert asked(running) == ("Kara", "STEP")
        running.play("STEP E")
        assert at(running) == (x, 0)
    assert (asked(running), who(running)["momentum"]) == (("Kara", "ACT"), 2)


@pytest.mark.parametrize("steps", range(6))
def test_s5_stop_ends_the_move_at_any_square(steps: int) -> None:
    running = play(moving((0, 0)), *["STEP E"] * steps, "STOP")
    assert (at(running), asked(running)) == ((steps, 0), ("Kara", "ACT"))
    assert "MOVE" in running.legal()


def test_s5_a_new_move_has_6_squares_again() -> None:
    running = play(moving((0, 0)), "STEP E", "STOP", "MOVE", *["STEP S"] * 6)
    assert (at(running), asked(running), who(running)["momentum"]) == ((1, 6), ("Kara", "ACT"), 1)


@pytest.mark.parametrize(("switch", "again"), [("any", True), (1, False)])
def test_s5_moves_per_turn(switch: Any, again: bool) -> None:
    running = play(moving(rules={"moves_per_turn": switch}), "STEP E", "STOP")
    assert ("MOVE" in running.legal()) == again
    running = play(running, "END TURN", "END TURN")
    assert "MOVE" in running.legal()  # a new turn


def test_s5_moves_per_turn_any_is_the_default() -> None:
    assert "MOVE" in play(moving(), "STOP", "MOVE", "STOP").legal()


def test_s5_moves_per_turn_1_holds_for_monsters_too() -> None:
    running = foes_turn(on_board({"Kara": (0, 0), **FAR}, rules={"moves_per_turn": 1}))
    assert "MOVE" not in play(running, "MOVE", "STEP W", "STOP").legal()


@pytest.mark.parametrize("tag", ["prone", "hamstrung"])
def test_s5_prone_and_hamstrung_do_not_move(tag: str) -> None:
    foe = ogre(attacks=[attack(dice=1, sides=1, tags=[tag], range=9)])
    running = foes_turn(on_board({"Kara": (2, 2), **FAR}, foes=[foe]), 1)
    play(running, "ATTACK Kara with club", "NONE", "END TURN")
    assert "MOVE" not in running.legal()
    if tag == "prone":
        assert "MOVE" in running.play("STAND").legal()


def test_s5_move_needs_somewhere_to_go() -> None:
    walls = {"blocked": [[1, 0], [0, 1], [1, 1]]}
    assert "MOVE" not in begin(on_board({"Kara": (0, 0), **FAR}, ground=walls)).legal()


# --- difficult terrain and R-10 ----------------------------------------------------------------------------


def test_s5_entering_difficult_terrain_rolls_maneuvering_against_its_target_number() -> None:
    running = moving((2, 2), "SUCCESS", ground=ROUGH).play("STEP E")
    assert any(line.startswith("Kara rolls Maneuvering against 5") for line in happened(running))


def test_s5_leaving_difficult_terrain_needs_no_roll() -> None:
    running = play(moving((3, 2), ground=ROUGH), "STEP E", "STEP E")
    assert at(running) == (5, 2)


def test_s5_each_difficult_square_is_a_roll_of_its_own() -> None:
    running = moving((2, 2), "SUCCESS", "TRIUMPH", ground={"difficult": {"3,2": 5, "4,2": 3}})
    assert at(play(running, "STEP E", "STEP E", "STOP")) == (4, 2)
    assert running.unused_rolls == 0


@pytest.mark.parametrize("outcome", ["SUCCESS", "TRIUMPH"])
def test_s5_success_on_difficult_terrain_enters_and_the_move_goes_on(outcome: str) -> None:
    running = moving((2, 2), outcome, ground={"difficult": {"3,2": 4}}).play("STEP E")
    assert (at(running), asked(running), who(running)["momentum"]) == ((3, 2), ("Kara", "STEP"), 2)
    play(running, *["STEP E"] * 4, "STEP S")
    assert (at(running), asked(running)) == ((7, 3), ("Kara", "ACT"))  # 6 squares in all


def test_s5_botch_on_difficult_terrain_ends_the_move_before_it() -> None:
    running = moving((2, 2), "BOTCH", ground=ROUGH).play("STEP E")
    assert (at(running), asked(running), who(running)["momentum"]) == ((2, 2), ("Kara", "ACT"), 2)
    assert "MOVE" in running.legal()  # the move is over, not the turn


@pytest.mark.parametrize(
    ("answer", "cell", "window", "momentum"), [("YIELD", (2, 2), "ACT", 2), ("SACRIFICE", (3, 2), "STEP", 1)]
)
def test_r10_difficult_terrain_sacrifice_ends_the_move_or_enters_for_a_momentum(
    answer: str, cell: tuple[int, int], window: str, momentum: int
) -> None:
    running = moving((2, 2), "SACRIFICE", ground=ROUGH).play("STEP E")
    assert asked(running) == ("Kara", "STEP_SACRIFICE")
    assert running.legal() == ["YIELD", "SACRIFICE"]
    running.play(answer)
    assert (at(running), running.window, who(running)["momentum"]) == (cell, window, momentum)


def test_r10_sacrifice_without_momentum_ends_the_move_and_is_not_asked() -> None:
    running = moving((2, 2), "SACRIFICE", ground=ROUGH, party=[hero(momentum=1)]).play("STEP E")
    assert (at(running), running.window) == ((2, 2), "ACT")


def test_s5_difficult_terrain_has_the_chances_of_maneuvering_without_a_tool() -> None:
    running = moving(ground=ROUGH)
    found = chances(running, "STEP E", lambda after: (after.window, at(after)))
    botch, sacrifice, success, triumph = (float(chance) for chance in efforts([8, 6, 4], 5))
    expected = {
        ("ACT", (2, 2)): botch,
        ("STEP_SACRIFICE", (2, 2)): sacrifice,
        ("STEP", (3, 2)): success + triumph,
    }
    assert found == pytest.approx(expected, abs=1e-12)


def test_s5_a_sixth_step_into_difficult_terrain_ends_the_move() -> None:
    running = moving((0, 0), "SUCCESS", ground={"difficult": {"6,0": 4}})
    play(running, *["STEP E"] * 6)
    assert (at(running), asked(running)) == ((6, 0), ("Kara", "ACT"))


@pytest.mark.parametrize("cell", [(0, 0), (3, 2)])
def test_r13_terrain_never_stops_a_monster(cell: tuple[int, int]) -> None:
    """Without a roll (there are no dice in the script) across difficult ground."""
    rough = {"difficult": {"6,7": 14, "5,7": 14}}
    running = foes_turn(on_board({"Kara": cell, **FAR}, ground=rough))
    play(running, "MOVE", "STEP W", "STEP W", "STEP W")
    assert (at(running, "Ogre"), asked(running)) == ((4, 7), ("Ogre", "STEP"))


def test_r13_walls_do_stop_a_monster() -> None:
    running = foes_turn(on_board({"Kara": (0, 0), **FAR}, ground={"blocked": [[6, 7], [6, 6]]})).play("MOVE")
    assert ways(running) == {"N", "STOP"}


# --- the board: R-14 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ((2, 2), set(AROUND)),
        ((0, 0), {"E", "SE", "S"}),
        ((7, 0), {"W", "SW", "S"}),
        ((0, 4), {"N", "NE", "E", "SE", "S"}),
    ],
)
def test_r14_square_boards_have_8_neighbours_and_an_edge(cell: tuple[int, int], expected: set[str]) -> None:
    assert ways(moving(cell)) == expected | {"STOP"}


def test_r14_blocked_squares_cannot_be_entered() -> None:
    assert ways(moving(ground={"blocked": [[3, 2], [1, 1]]})) == set(AROUND) - {"E", "NW"} | {"STOP"}


@pytest.mark.parametrize(("dx", "dy"), [(dx, dy) for dx in range(4) for dy in range(4) if dx or dy])
def test_r14_kings_move_distance(dx: int, dy: int) -> None:
    bow = {"name": "bow", "size": "small", "quality": "common", "range": 2}
    running = begin(on_board({"Kara": (0, 0), "Ogre": (dx, dy)}, party=[hero(weapon=bow)]))
    assert ("ATTACK Ogre" in running.legal()) == (max(dx, dy) <= 2)


def test_r14_enemies_block_squares() -> None:
    running = begin(on_board({"Kara": (2, 2), "Ogre": (3, 2)})).play("MOVE")
    assert ways(running) == set(AROUND) - {"E"} | {"STOP"}


def test_r14_allies_may_be_passed_through_but_not_stopped_on() -> None:
    running = pair_moving((3, 2)).play("STEP E")
    assert at(running) == (3, 2) == at(running, "Odo")
    assert ways(running) == set(AROUND)  # no STOP
    assert ways(running.play("STEP E")) == set(AROUND) | {"STOP"}


def test_r14_an_ally_is_not_entered_with_the_last_step() -> None:
    running = begin(on_board({"Kara": (0, 0), "Odo": (6, 0), **FAR}, party=[hero(), hero("Odo")]))
    play(running, "MOVE", *["STEP E"] * 5)
    assert at(running) == (5, 0)
    assert "STEP E" not in running.legal()


def test_r29_an_allys_square_may_be_entered_only_if_the_move_can_surely_go_on() -> None:
    """Odo stands in a passage to the north. If the ground beyond is rough, the move might be stopped on his square."""
    walls = [[1, 0], [1, 1], [1, 2], [3, 0], [3, 1], [3, 2]]
    rough = {"blocked": walls, "difficult": {"2,0": 4}}
    data = on_board({"Kara": (2, 2), "Odo": (2, 1), **FAR}, party=[hero(), hero("Odo")], ground=rough)
    assert "STEP N" not in begin(data).play("MOVE").legal()
    data["board"]["difficult"] = {}
    assert ways(play(begin(data), "MOVE", "STEP N")) == {"N", "S"}


def test_r29_an_allys_square_is_not_entered_only_to_come_back() -> None:
    walls = [[1, 1], [1, 2], [3, 1], [3, 2], [1, 0], [2, 0], [3, 0]]
    data = on_board({"Kara": (2, 2), "Odo": (2, 1), **FAR}, party=[hero(), hero("Odo")], ground={"blocked": walls})
    assert "STEP N" not in begin(data).play("MOVE").legal()


def in_line(allies: int, width: int = 10, **changes: Any) -> Game:
    """A corridor from west to east: Kara, her allies, then open ground, the Ogre at the end."""
    names = [f"Ally {n}" for n in range(1, allies + 1)]
    places = {"Kara": (0, 0), **{name: (n, 0) for n, name in enumerate(names, 1)}, "Ogre": (width - 1, 0)}
    party = [hero(), *map(hero, names)]
    return begin(on_board(places, width=width, height=1, party=party, **changes))


@pytest.mark.parametrize("allies", range(1, 8))
def test_r29_a_move_passes_through_as_many_allies_as_it_has_steps_for(allies: int) -> None:
    """The sixth step must end on a free square, so five allies in a row are the most."""
    running = in_line(allies)
    assert ("MOVE" in running.legal()) == (allies < 6)
    if allies < 6:
        play(running, "MOVE", *["STEP E"] * allies)
        assert at(running) == (allies, 0)
        assert ways(running) == ({"E", "W"} if allies < 4 else {"E"})
        assert at(running.play("STEP E")) == (allies + 1, 0)


def test_r29_a_row_of_allies_is_not_entered_with_too_few_steps_left() -> None:
    places = {"Kara": (0, 0), "Odo": (4, 0), "Ada": (5, 0), "Ogre": (9, 0)}
    data = on_board(places, width=10, height=1, party=[hero(), hero("Odo"), hero("Ada")])
    running = play(begin(data), "MOVE", *["STEP E"] * 3)
    assert ways(running) == {"STOP", "E", "W"}  # three steps: past two allies
    assert ways(play(running, "STEP W", "STEP E")) == {"STOP", "W"}


def test_r29_the_way_past_allies_is_no_shorter_for_rough_ground_at_its_start() -> None:
    running = in_line(2, ground={"difficult": {"0,0": 4}})
    assert at(play(running, "MOVE", *["STEP E"] * 3)) == (3, 0)


def test_r29_rough_ground_under_a_second_ally_bars_the_way() -> None:
    assert "MOVE" not in in_line(2, ground={"difficult": {"2,0": 4}}).legal()


def test_r29_on_a_full_board_nobody_moves() -> None:
    running = in_line(1, width=3)
    assert running.legal() == ["END TURN"]


def test_r29_monsters_pass_through_rows_of_monsters_over_any_ground() -> None:
    foes = [ogre(), ogre("Imp"), ogre("Rat")]
    places = {"Kara": (9, 0), "Ogre": (0, 0), "Imp": (1, 0), "Rat": (2, 0)}
    data = on_board(places, width=10, height=1, foes=foes, ground={"difficult": {"1,0": 4, "2,0": 4, "3,0": 4}})
    assert at(play(foes_turn(data), "MOVE", *["STEP E"] * 3), "Ogre") == (3, 0)


def test_r29_an_allys_square_is_left_only_towards_ground_that_cannot_stop_the_mover() -> None:
    running = pair_moving((3, 2), ground={"difficult": {"4,2": 4}}).play("STEP E")
    assert ways(running) == set(AROUND) - {"E"}


@pytest.mark.parametrize(("outcome", "cell"), [("BOTCH", (2, 2)), ("SUCCESS", (3, 2))])
def test_r14_an_ally_on_difficult_terrain_may_be_passed_through(outcome: str, cell: tuple[int, int]) -> None:
    """A BOTCH ends the move before the square, so nobody stops on it."""
    running = play(pair_moving((3, 2), outcome, ground=ROUGH, rules={"reactions": "defence_only"}), "STEP E")
    assert at(running) == cell
    assert running.window == ("STEP" if outcome == "SUCCESS" else "ACT")
    assert "STOP" not in running.legal()


def test_r14_monsters_pass_through_monsters() -> None:
    foes = [ogre(), ogre("Imp")]
    running = foes_turn(on_board({"Kara": (0, 0), "Ogre": (4, 4), "Imp": (5, 4)}, foes=foes)).play("MOVE")
    play(running, "STEP E")
    assert at(running, "Ogre") == at(running, "Imp")
    assert ways(running) == set(AROUND)


def test_r14_one_who_is_out_blocks_nothing() -> None:
    data = on_board({"Kara": (2, 2), "Ogre": (3, 2), "Imp": (7, 7)}, foes=[ogre(body=1), ogre("Imp")])
    running = play(begin(data, "SUCCESS", 5), "ATTACK Ogre", "MOVE", "STEP E")
    assert at(running) == (3, 2)


def test_r14_without_a_board_move_does_not_exist() -> None:
    running = begin(duel())
    assert "MOVE" not in running.legal()
    assert at(running) == (-1, -1)
    assert "MOVE" not in running.play("END TURN").legal()


@pytest.mark.parametrize("seed", range(6))
def test_r14_nobody_ever_stops_where_another_stands(seed: int) -> None:
    """Random play in a crowded yard: between moves every standing fighter has a square of its own."""
    party = [hero(name) for name in ("Kara", "Odo", "Ada")]
    foes = [ogre(name) for name in ("Ogre", "Imp", "Rat")]
    cells = [(x, y) for x in range(3) for y in range(2)]
    names = [it["name"] for it in [*party, *foes]]
    ground = {"blocked": [[1, 2]], "difficult": {"0,2": 4, "2,1": 4}}
    places = dict(zip(names, cells, strict=True))
    data = on_board(places, width=3, height=3, party=party, foes=foes, ground=ground, max_rounds=4)
    running, choose = Game(Encounter.from_dict(data), seed=seed), np.random.default_rng(seed)
    while not running.over:
        legal = running.legal()
        assert legal
        moves = [action for action in legal if action.startswith(("MOVE", "STEP"))]
        running.play(str(choose.choice(moves or legal)))
        if running.window == "ACT":
            alive = [it for it in running.state_dict()["fighters"].values() if not it["out"]]
            stands = [(it["x"], it["y"]) for it in alive if it["body"] > 0]
            assert len(stands) == len(set(stands))
            assert (1, 2) not in stands
