"""What must hold in every skirmish of this ruleset: random small encounters, random play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from lens_env.core.board import BLOCKED, MAX_SIZE
from tests.rulesets.norova.skirmishes import encounters
from tests.support import FEW
from tests.walking import begun, fighters, seeds, walk

pytestmark = pytest.mark.kernel

few = settings(max_examples=FEW)
EXCHANGE = (
    "origin", "attacker", "target", "strike", "returned", "direction", "aware", "evade", "defense", "skill", "asked",
    "effect", "points", "blast", "blast_strike", "blast_aim", "blast_next", "column",
)  # fmt: skip
MOVE = ("steps", "moving", "heading", "watcher")
UP, DOWN, DEAD, SPECTATOR = range(4)


@few
@given(encounters(), seeds)
def test_the_decider_is_of_the_side_that_decides_or_a_spectator_of_the_gm(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        if running.over:
            continue
        who = running.built.fighters.index(str(running.decider))
        out = fighters(running)[who]["out"]
        own = "party" if who < running.built.party_count else "foes"
        assert running.side == ("foes" if out == SPECTATOR else own)
        allowed = {"SAVE": (DOWN,), "SPECTATE": (SPECTATOR,), "COLUMN": (UP, SPECTATOR), "ROW": (UP, SPECTATOR)}
        assert out in allowed.get(str(running.window), (UP,))


@few
@given(encounters(), seeds)
def test_names_and_indices_are_the_same_actions(data: dict[str, Any], seed: int) -> None:
    running = begun(data, seed)
    names = running.built.actions
    assert len(set(names)) == len(names) == len(running.mask)
    for name in running.legal():
        assert names[running.action_index(name)] == name


@few
@given(encounters(), seeds)
def test_resources_stay_in_bounds(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        assert running.dice["fault"][0] == 0
        for it, sheet in zip(fighters(running), running.built.setup[0]["sheets"], strict=False):
            for pool in ("vitality", "power", "soul", "xp"):
                assert 0 <= it[pool] <= sheet[pool]
            assert 0 <= it["prone"] <= 1 and 0 <= it["tries"] <= 4 and 0 <= it["facing"] < 8
            for status in ("trapped", "stunned", "dazed", "unconscious", "berserk", "distracted", "hindered"):
                assert 0 <= it[status] <= 2
            assert (it["casting"] > 0) == (it["delay"] > 0) == (it["aim"] > 0)
            assert it["rolled"] == 0


@few
@given(encounters(), seeds)
def test_down_is_without_vitality_and_without_statuses(data: dict[str, Any], seed: int) -> None:
    kept = {"out", "x", "y", "facing", "power", "soul", "xp", "tries"}
    for running in walk(data, seed):
        for it in fighters(running):
            assert (it["vitality"] == 0) is (it["out"] in (DOWN, DEAD))
            assert (it["tries"] > 0) is (it["out"] == DOWN)
            if it["out"] in (DOWN, DEAD):
                assert not any(value for field, value in it.items() if field not in kept)
            if it["out"] == DEAD:
                assert (it["x"], it["y"], it["facing"]) == (-1, -1, 0)


@few
@given(encounters(), seeds)
def test_nobody_shares_a_space(data: dict[str, Any], seed: int) -> None:
    if "board" not in data:
        return
    for running in walk(data, seed):
        board = running.built.setup[0]["board"]
        cells = [(it["x"], it["y"]) for it in fighters(running) if it["out"] != DEAD]
        assert len(set(cells)) == len(cells)
        for x, y in cells:
            assert 0 <= x < board["width"] and 0 <= y < board["height"]
            assert board["cells"][y * MAX_SIZE + x] != BLOCKED


@few
@given(encounters(), seeds)
def test_the_fields_of_what_is_finished_are_zero(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        state = running.state_dict()
        if running.window in ("ACT", "SAVE", "STEP", "FACE", None):
            assert {field: state[field] for field in EXCHANGE if state[field]} == {}
        if running.window in ("ACT", "SAVE", None):
            assert {field: state[field] for field in MOVE if state[field]} == {}
        if running.window in ("SAVE", "SPECTATE", None):
            assert state["used"] == state["provoked"] == 0
        if running.over:
            assert state["acting"] == state["place"] == state["stage"] == 0


@few
@given(encounters(), seeds)
def test_the_order_holds_every_participant_once(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        state = running.state_dict()
        order = [state["order"] >> 4 * place & 15 for place in range(state["ordered"])]
        assert sorted(order) == [who for who, it in enumerate(fighters(running)) if it["out"] != SPECTATOR]
        assert state["order"] >> 4 * state["ordered"] == 0


@few
@given(encounters(), seeds)
def test_the_skirmish_ends_by_max_rounds_and_the_winner_still_stands(data: dict[str, Any], seed: int) -> None:
    *_, last = walk(data, seed)
    assert last.over
    assert last.round <= data["max_rounds"]
    count = last.built.party_count
    left = [
        any(it["out"] == UP or (it["out"] == DOWN and it["xp"] > 0) for it in side)
        for side in (fighters(last)[:count], fighters(last)[count:])
    ]
    assert last.winner == {(True, False): "party", (False, True): "foes", (True, True): None}[left[0], left[1]]


@few
@given(encounters(), seeds)
def test_every_position_and_event_can_be_told(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        assert all(name in str(running) for name in running.built.fighters)
        assert repr(running)
    assert all(isinstance(line, str) and line for line in running.log)
