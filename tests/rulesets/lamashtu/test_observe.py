"""What a fighter observes: every number within its bounds, and what each shows in a given position."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from lens_env import Game
from lens_env.core.kernel import direct
from lens_env.core.ruleset import Seen
from lens_env.rulesets.lamashtu import RULESET, rules
from tests.rulesets.lamashtu.scenes import attacked, beside, fighter, game, on_board, play, successes
from tests.rulesets.lamashtu.skirmishes import encounters
from tests.support import records_of
from tests.walking import seeds, walk

pytestmark = pytest.mark.kernel

Array = np.ndarray[Any, Any]
MARGIN = 3  # numbers before and after, which nobody may touch


def written(names: tuple[Seen, ...], kernel: Any, *arguments: Any) -> dict[str, float]:
    """What an observing kernel writes, by name."""
    out = np.zeros(len(names) + 2 * MARGIN, np.float32)
    direct(kernel)(*arguments, out, MARGIN)
    assert not out[:MARGIN].any() and not out[-MARGIN:].any()
    return dict(zip((seen.name for seen in names), out[MARGIN:-MARGIN].tolist(), strict=True))


def scene(running: Game, viewer: str = "Anzu") -> dict[str, float]:
    """What a fighter knows of the skirmish as a whole."""
    return written(RULESET.scene, rules.observe_scene, records_of(running), running.built.fighters.index(viewer))


def seen(running: Game, who: str, viewer: str = "Anzu") -> dict[str, float]:
    """What a fighter knows of another, or of itself."""
    viewing, viewed = (running.built.fighters.index(name) for name in (viewer, who))
    return written(RULESET.fighter, rules.observe_fighter, records_of(running), viewing, viewed)


def shown(numbers: dict[str, float]) -> dict[str, float]:
    """Those that are not 0."""
    return {name: number for name, number in numbers.items() if number}


def close(**expected: float) -> Any:
    """These numbers as float32 shows them."""
    return pytest.approx({name.replace("__", "."): value for name, value in expected.items()}, abs=1e-6)


def group(numbers: dict[str, float], name: str) -> dict[str, float]:
    """The numbers of a group that are not 0, without its name."""
    return {key.removeprefix(f"{name}."): value for key, value in shown(numbers).items() if key.startswith(f"{name}.")}


def test_the_names_are_all_different_and_there_are_not_too_many() -> None:
    for names, least, most in ((RULESET.scene, 30, 60), (RULESET.fighter, 15, 25)):
        assert least <= len(names) <= most
        assert len({one.name for one in names}) == len(names)
        assert all(one.low < one.high for one in names)


@settings(max_examples=25)
@given(encounters(), seeds)
def test_every_number_is_within_its_bounds(data: dict[str, Any], seed: int) -> None:
    choice = random.Random(seed)
    for running in walk(data, seed):
        viewer = choice.choice(running.built.fighters)
        numbers = [(RULESET.scene, scene(running, viewer))]
        numbers += [(RULESET.fighter, seen(running, who, viewer)) for who in running.built.fighters]
        for names, found in numbers:
            for name in names:
                assert name.low <= found[name.name] <= name.high, name


# --- the scene ---------------------------------------------------------------------------------------------


def test_the_window_and_who_is_asked() -> None:
    running = attacked()
    assert group(scene(running), "window") == {"DEFEND": 1}
    mine, theirs = scene(running), scene(running, "Kara")
    names = ("deciding", "acting", "attacking", "attacked")
    assert [mine[name] for name in names] == [1, 0, 0, 1]
    assert [theirs[name] for name in names] == [0, 1, 1, 0]


@pytest.mark.parametrize("window", ["ACT", "STEP", "DEFEND", "CASH", "IMPOSE", "PUSH", "SIDESTEP"])
def test_every_window_has_its_number(window: str) -> None:
    running = {
        "ACT": lambda: game(on_board({"Kara": (3, 3), "Anzu": (4, 3)})),
        "STEP": lambda: game(on_board({"Kara": (3, 3), "Anzu": (4, 3)})).play("MOVE"),
        "DEFEND": lambda: attacked(),
        "CASH": lambda: attacked((1, 0), (2, 1)).play("BLOCK"),
        "IMPOSE": lambda: attacked((1, 0), (2, 0)).play("CLASH"),
        "PUSH": lambda: play(beside((1, 0), (2, 0)), "CLASH", "IMPOSE"),
        "SIDESTEP": lambda: beside((1, 0), (1, 0)).play("DODGE"),
    }[window]()
    assert running.window == window
    assert group(scene(running), "window") == {window: 1}


def test_the_committed_attack_and_its_chance() -> None:
    """4 dice against a target number of 2, 3 of 10 Health at stake."""
    chance = float(sum(successes(4)[3:]))
    assert group(scene(attacked(insights=5)), "attack") == close(pool=4 / 12, hits=chance, expected=chance * 0.3)


@pytest.mark.parametrize(("rolled", "hits"), [(0, 0), (1, 0), (2, 1), (4, 1)])
def test_r06_a_revealed_roll_is_seen_and_nothing_of_the_dice_to_come(rolled: int, hits: int) -> None:
    running = attacked((rolled, 0), rules={"reveal_attack_roll": True})
    found = group(scene(running), "attack")
    expected = {"pool": 4 / 12, "hits": hits, "expected": 0.3 * hits, "revealed": 1, "successes": rolled / 12}
    assert found == close(**{name: value for name, value in expected.items() if value})
    other = attacked((rolled, 0), (5, 5), rules={"reveal_attack_roll": True})
    assert scene(other) == scene(running)


def test_what_is_left_to_give_up() -> None:
    running = beside((1, 0), (5, 4)).play("DODGE")
    found = scene(running)
    assert group(found, "defense") == {"DODGE": 1}
    assert (found["margin"], found["criticals"]) == pytest.approx((4 / 12, 4 / 12))
    found = scene(running.play("CASH AP"))
    assert group(found, "bought") == {"AP": 1}
    assert (found["margin"], found["criticals"], found["spaces"]) == pytest.approx((3 / 12, 3 / 12, 0))
    found = scene(running.play("CASH SPACE"))
    assert group(found, "bought") == {"SPACE": 1}
    assert (found["margin"], found["spaces"]) == pytest.approx((2 / 12, 1 / 12))
    found = scene(running.play("DONE"))
    assert (found["steps"], found["margin"], found["forced"]) == pytest.approx((2 / 20, 0, 0))


def test_a_failed_dodge_has_to_move() -> None:
    found = scene(beside((2, 0), (1, 0)).play("DODGE"))
    assert (found["forced"], found["steps"]) == pytest.approx((1, 1 / 20))


def test_the_turn() -> None:
    running = game(on_board({"Kara": (3, 3), "Anzu": (4, 3)}, max_rounds=4))
    assert scene(running)["rounds_played"] == pytest.approx(1 / 4)
    found = scene(running.play("MOVE"))
    assert (found["moved"], found["steps"]) == pytest.approx((1, 5 / 20))
    running = play(attacked((1, 0), (0, 0)), "BLOCK", "END TURN", "RECOVER")
    assert scene(running)["recovered"] == pytest.approx(1 / 9)


def test_the_free_cells_around_the_viewer() -> None:
    data = on_board({"Kara": (0, 0), "Anzu": (1, 0)}, blocked=[[0, 1]])
    assert set(group(scene(game(data), "Kara"), "free")) == {"SE"}
    assert set(group(scene(game(data)), "free")) == {"E", "SE", "S"}
    assert group(scene(attacked()), "free") == {}
    data = on_board({"Kara": (3, 3), "Anzu": (5, 5)}, kind="hex")
    assert set(group(scene(game(data), "Kara"), "free")) == {"NE", "E", "SE", "SW", "W", "NW"}


def test_the_board_and_the_switches() -> None:
    assert group(scene(attacked()), "board") == group(scene(attacked()), "rules") == {}
    assert group(scene(beside()), "board") == {"SQUARE": 1}
    switches = {"failure_hits": True, "clash_effect": "costs_critical", "poise_per_round": 3}
    assert group(scene(attacked(rules=switches)), "rules") == close(
        failure_hits=1, clash_effect_costs=1, poise_per_round=3 / 9
    )


# --- a fighter ---------------------------------------------------------------------------------------------


def test_the_sheet_of_a_fighter() -> None:
    running = attacked(insights=5, by={"poise": 4})
    found = seen(running, "Anzu", "Kara")
    assert [found[name] for name in ("attack", "block", "dodge", "clash")] == pytest.approx(
        [4 / 12, 6 / 12, 7 / 12, 5 / 12]
    )
    assert found["target_number"] == pytest.approx(2 / 12)
    assert [found[name] for name in ("standing", "ally", "health", "poise", "attacked")] == [1, 0, 1, 1, 1]
    mine = seen(running, "Kara", "Kara")
    assert [mine[name] for name in ("ally", "acting", "attacking", "attacked")] == [1, 1, 1, 0]
    assert mine["points"] == pytest.approx(2 / 18)


def test_what_has_changed_about_a_fighter() -> None:
    running = attacked((1, 0), (0, 0), (2, 0), (0, 0), (2, 2), poise=2)
    play(running, "DODGE", "ATTACK Anzu", "NONE", "ATTACK Anzu")
    found = seen(running, "Anzu")
    assert [found[name] for name in ("poise", "health", "OFF_BALANCE", "BROKEN")] == pytest.approx([0.5, 0.7, 1, 0])
    running.play("BLOCK").play("CASH AP")
    found = seen(running, "Anzu")
    assert found["banked"] == pytest.approx(1 / 9)


@pytest.mark.parametrize(("failures", "name"), [(1, "OFF_BALANCE"), (2, "STAGGERED"), (3, "PRONE")])
def test_the_conditions_of_a_fighter(failures: int, name: str) -> None:
    running = attacked(*[(1, 0), (0, 0)] * failures, poise=failures)
    for _ in range(failures - 1):
        play(running, "DODGE", "ATTACK Anzu")
    found = seen(running.play("DODGE"), "Anzu")
    assert [one for one in ("BROKEN", "OFF_BALANCE", "STAGGERED", "PRONE", "helpless") if found[one]] == [
        "BROKEN",
        name,
    ]
    assert seen(attacked(helpless=True), "Anzu")["helpless"] == 1


def test_where_a_fighter_stands_from_the_viewer() -> None:
    running = game(on_board({"Kara": (1, 5), "Anzu": (4, 3)}))
    found = seen(running, "Kara")
    assert [found[name] for name in ("dx", "dy", "distance")] == pytest.approx([-3 / 31, 2 / 31, 3 / 62])
    found = seen(running, "Anzu", "Kara")
    assert [found[name] for name in ("dx", "dy", "distance")] == pytest.approx([3 / 31, -2 / 31, 3 / 62])
    assert [seen(attacked(), "Kara")[name] for name in ("dx", "dy", "distance")] == [0, 0, 0]


def test_one_who_is_out_shows_only_its_side_and_sees_no_place() -> None:
    foes = [fighter("Anzu", health=1), fighter("Gallu")]
    places = {"Kara": (3, 3), "Anzu": (4, 3), "Gallu": (5, 5)}
    running = play(game(on_board(places, foes=foes), (2, 0)), "ATTACK Anzu", "NONE")
    assert shown(seen(running, "Anzu", "Kara")) == {}
    assert shown(seen(running, "Anzu", "Gallu")) == {"ally": 1}
    found = seen(running, "Kara", "Anzu")
    assert (found["dx"], found["dy"], found["distance"], found["health"]) == (0, 0, 0, 1)
    assert group(scene(running), "free") == {}


def test_health_is_the_share_that_is_left() -> None:
    running = attacked((2, 0)).play("NONE")
    assert direct(rules.health)(records_of(running), 1) == pytest.approx(0.7)
    assert direct(rules.health)(records_of(running), 0) == 1
