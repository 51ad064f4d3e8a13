"""What must hold in every skirmish of this ruleset: random small encounters, random play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from lens_env.core.board import BLOCKED, MAX_SIZE
from lens_env.core.dice import DEPTH
from tests.rulesets.the_lens.skirmishes import encounters
from tests.support import FEW
from tests.walking import fighters, seeds, walk

pytestmark = pytest.mark.kernel

few = settings(max_examples=FEW)
EXCHANGE = (
    "roll", "actor", "ability", "tn", "asked", "helper", "hinderer", "outcome", "attacker", "target", "attack",
    "tags", "defense", "stopped", "extra", "free_move", "heading", "points", "pool", "moving", "steps", "turn_over",
)  # fmt: skip
BOUNDS = {
    "out": 1, "momentum": 9, "bracket": 3, "surprised": 1, "later": 1, "stun_pending": 1, "prone": 1, "disarmed": 1,
    "burning": 1, "bleeding": 3, "hamstrung": 2, "freezing": 2, "guarded": 1, "formed": 4, "using": 4, "paid": 6,
    "readied": (1 << 13) - 1, "extra_tags": (1 << 13) - 1,
}  # fmt: skip
LOCKS = (1 << 1) | (1 << 2) | (1 << 3)  # ABJURE, MITIGATE, BLOCK


# --- the mask ----------------------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_the_decider_is_of_the_side_that_decides_and_stands(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        if not running.over:
            who = running.built.fighters.index(str(running.decider))
            assert running.side == ("party" if who < running.built.party_count else "foes")
            assert fighters(running)[who]["out"] == 0


# --- the state ---------------------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_resources_stay_in_bounds(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        for it, sheet in zip(fighters(running), running.built.setup[0]["sheets"], strict=False):
            for pool in ("body", "mind", "spirit"):
                assert 0 <= it[pool] <= sheet[pool]
            for field, most in BOUNDS.items():
                assert 0 <= it[field] <= most, field
            assert it["locked"] & ~LOCKS == 0
            assert it["freezing"] <= it["hamstrung"]
            for uses, item in zip(it["uses"], sheet["items"], strict=True):
                assert 0 <= uses <= item["uses"]


@few
@given(encounters(), seeds)
def test_out_is_without_body_or_mind_and_nothing_else(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        for it, sheet in zip(fighters(running), running.built.setup[0]["sheets"], strict=False):
            empty = it["body"] == 0 or (it["mind"] == 0 and sheet["mind"] > 0)
            assert bool(it["out"]) == empty
            if empty:
                kept = {"body", "mind", "spirit", "out", "x", "y", "bracket", "uses"}
                assert (it["x"], it["y"]) == (-1, -1)
                assert not any(value for field, value in it.items() if field not in kept)


@few
@given(encounters(), seeds)
def test_nobody_shares_a_cell_but_in_passing(data: dict[str, Any], seed: int) -> None:
    if "board" not in data:
        return
    for running in walk(data, seed):
        board = running.built.setup[0]["board"]
        cells = [(it["x"], it["y"]) for it in fighters(running) if not it["out"]]
        for x, y in cells:
            assert 0 <= x < board["width"] and 0 <= y < board["height"]
            assert board["cells"][y * MAX_SIZE + x] != BLOCKED
        assert len(set(cells)) == len(cells) or (running.window == "STEP" and "STOP" not in running.legal())


@few
@given(encounters(), seeds)
def test_the_fields_of_a_finished_exchange_are_zero(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        state = running.state_dict()
        if running.window in ("ACT", None):
            assert {field: state[field] for field in EXCHANGE if state[field]} == {}
        if running.over:
            assert state["acting"] == state["phase"] == state["place"] == 0
        if running.window == "TIMING":
            assert state["acting"] == 0


@few
@given(encounters(), seeds)
def test_readied_tags_belong_to_the_fighter_whose_turn_it_is(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        acting = running.state_dict()["acting"] - 1
        for who, (it, sheet) in enumerate(zip(fighters(running), running.built.setup[0]["sheets"], strict=False)):
            assert it["readied"] == 0 or who == acting
            assert it["readied"].bit_count() <= sheet["tag_limit"]


@few
@given(encounters(), seeds)
def test_momentum_only_grows_at_a_refresh(data: dict[str, Any], seed: int) -> None:
    before: tuple[int, list[int]] | None = None
    for running in walk(data, seed):
        now = (running.round, [it["momentum"] for it in fighters(running)])
        if before is not None and before[0] == now[0]:
            assert all(new <= old for old, new in zip(before[1], now[1], strict=True))
        before = now if running.window != "INITIATIVE" else None


@few
@given(encounters(), seeds)
def test_the_skirmish_ends_by_max_rounds(data: dict[str, Any], seed: int) -> None:
    *_, last = walk(data, seed)
    assert last.over
    assert last.round <= data["max_rounds"]
    standing = {it["out"] for it in fighters(last)[: last.built.party_count]}
    foes = {it["out"] for it in fighters(last)[last.built.party_count :]}
    expected = {(True, False): "party", (False, True): "foes"}.get((0 in standing, 0 in foes))
    assert last.winner == expected


@few
@given(encounters(), seeds)
def test_no_action_draws_half_as_often_as_can_be_noted(data: dict[str, Any], seed: int) -> None:
    """One more draw than DEPTH would be a fault; a wrong draw is one already when it is made."""
    *_, last = walk(data, seed)
    assert 0 < max(len(move.draws) for move in last.moves) <= DEPTH // 2


# --- the library around it ---------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_every_position_and_event_can_be_told(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        assert all(name in str(running) for name in running.built.fighters)
        assert repr(running)
    assert all(isinstance(line, str) and line for line in running.log)
