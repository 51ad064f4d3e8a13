"""What must hold in every skirmish of this ruleset: random small encounters, random play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from lens_env import Encounter
from lens_env.core.board import BLOCKED, MAX_SIZE
from lens_env.rulesets.lamashtu.state import MAX_POOL
from tests.rulesets.lamashtu.skirmishes import encounters
from tests.support import FEW
from tests.walking import fighters, seeds, walk

pytestmark = pytest.mark.kernel

few = settings(max_examples=FEW)
EXCHANGE = (
    "attacker", "target", "rolled", "defense", "margin", "criticals", "buying", "spaces", "forced", "steps",
)  # fmt: skip
CASHING = ("margin", "criticals", "buying", "spaces")  # of no meaning once all Criticals are given up or kept


# --- the mask ----------------------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_a_decision_with_one_possibility_is_only_asked_where_it_must(data: dict[str, Any], seed: int) -> None:
    """R-18."""
    for running in walk({**data, "forbid": {}}, seed):
        assert len(running.legal()) > 1 or running.window in ("ACT", "DEFEND", "STEP", None)


@few
@given(encounters(), seeds)
def test_the_decider_is_of_the_side_that_decides_and_stands(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        if not running.over:
            who = running.built.fighters.index(str(running.decider))
            assert running.side == ("party" if who < running.built.party_count else "foes")
            assert fighters(running)[who]["out"] == 0


@given(encounters())
@few
def test_the_names_of_actions_lead_back_to_them(data: dict[str, Any]) -> None:
    actions = Encounter.from_dict(data).built.actions
    assert len(set(actions)) == len(actions)
    assert all(actions.index(name) == i for i, name in enumerate(actions))


# --- the state ---------------------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_resources_stay_in_bounds(data: dict[str, Any], seed: int) -> None:
    most_banked = data["rules"]["most_banked"]
    for running in walk(data, seed):
        for it, sheet in zip(fighters(running), running.built.setup[0]["sheets"], strict=False):
            assert 0 <= it["health"] <= sheet["health"]
            assert 0 <= it["poise"] <= sheet["poise"]
            assert 0 <= it["points"] <= sheet["points"] + most_banked
            assert 0 <= it["banked"] <= most_banked
        state = running.state_dict()
        assert 0 <= state["criticals"] <= state["margin"] + (running.window != "CASH") <= MAX_POOL + 1
        assert 0 <= state["recovered"] <= data["rules"]["recovers_per_turn"]
        assert state["moved"] in (0, 1)


@few
@given(encounters(), seeds)
def test_a_fighter_is_on_one_rung_at_most(data: dict[str, Any], seed: int) -> None:
    """R-10, R-14: Prone takes the place of the rung, and only a rung has begun to end."""
    for running in walk(data, seed):
        for it in fighters(running):
            assert it["off_balance"] + it["staggered"] + it["prone"] <= 1
            assert it["settled"] <= it["off_balance"] + it["staggered"]


@few
@given(encounters(), seeds)
def test_points_belong_to_the_fighter_whose_turn_it_is(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        acting = running.state_dict()["acting"] - 1
        assert all(it["points"] == 0 for who, it in enumerate(fighters(running)) if who != acting)


@few
@given(encounters(), seeds)
def test_out_is_without_health_and_nothing_else(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        for it in fighters(running):
            assert bool(it["out"]) is (it["health"] == 0)
            if it["out"]:
                assert (it["x"], it["y"]) == (-1, -1)
                assert not any(value for field, value in it.items() if field not in ("out", "x", "y"))


@few
@given(encounters(), seeds)
def test_nobody_shares_a_cell(data: dict[str, Any], seed: int) -> None:
    """R-17."""
    if "board" not in data:
        return
    for running in walk(data, seed):
        board = running.built.setup[0]["board"]
        cells = [(it["x"], it["y"]) for it in fighters(running) if not it["out"]]
        assert len(set(cells)) == len(cells)
        for x, y in cells:
            assert 0 <= x < board["width"] and 0 <= y < board["height"]
            assert board["cells"][y * MAX_SIZE + x] != BLOCKED


@few
@given(encounters(), seeds)
def test_the_fields_of_a_finished_exchange_are_zero(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        state = running.state_dict()
        if running.window in ("ACT", None):
            assert {field: state[field] for field in EXCHANGE if state[field]} == {}
        if running.window in ("IMPOSE", "PUSH", "SIDESTEP"):
            assert {field: state[field] for field in CASHING if state[field]} == {}
        if running.over:
            assert state["acting"] == state["place"] == state["moved"] == state["recovered"] == state["turn_over"] == 0


@few
@given(encounters(), seeds)
def test_the_broken_and_the_helpless_never_defend(data: dict[str, Any], seed: int) -> None:
    for running in walk({**data, "forbid": {}}, seed):
        if running.window == "DEFEND":
            who = running.built.fighters.index(str(running.decider))
            helpless = running.built.setup[0]["sheets"][who]["helpless"] or fighters(running)[who]["poise"] == 0
            assert (running.legal() == ["NONE"]) is bool(helpless)


@few
@given(encounters(), seeds)
def test_health_only_falls(data: dict[str, Any], seed: int) -> None:
    before: list[int] = []
    for running in walk(data, seed):
        now = [it["health"] for it in fighters(running)]
        assert all(new <= old for old, new in zip(before, now, strict=False))
        before = now


@few
@given(encounters(), seeds)
def test_the_skirmish_ends_by_max_rounds(data: dict[str, Any], seed: int) -> None:
    *_, last = walk(data, seed)
    assert last.over
    assert last.round <= data["max_rounds"]
    party = any(not it["out"] for it in fighters(last)[: last.built.party_count])
    foes = any(not it["out"] for it in fighters(last)[last.built.party_count :])
    assert last.winner == {(True, False): "party", (False, True): "foes"}.get((party, foes))


# --- the library around it ---------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_every_position_and_event_can_be_told(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        assert all(name in str(running) for name in running.built.fighters)
    assert len(running.log) == len(running.events)
    assert not any("None" in line for line in running.log)
