"""What must hold in every skirmish: random small encounters, random play."""

from __future__ import annotations

import math
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings

from lens_env import Game
from lens_env.core.board import BLOCKED, MAX_SIZE
from lens_env.errors import IllegalAction
from lens_env.play.replay import load_replay, save_replay
from tests.rulesets.the_lens.skirmishes import begun, encounters, seeds, walk

pytestmark = pytest.mark.kernel

few = settings(max_examples=25)
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


def fighters(running: Game) -> list[dict[str, Any]]:
    """The fighters there are."""
    return list(running.state_dict()["fighters"].values())


# --- the mask ----------------------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_the_mask_is_never_empty_before_the_end(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        assert bool(running.legal()) is not running.over
        assert (running.window is None) is running.over
        assert not any(name.startswith("#") for name in running.legal())


@few
@given(encounters(), seeds)
def test_the_mask_and_its_list_agree(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        mask = running.masks[0]
        listed = mask["listed"][: mask["count"]].tolist()
        assert sorted(listed) == [i for i, legal in enumerate(running.mask) if legal]


@few
@given(encounters(), seeds)
def test_the_decider_is_of_the_side_that_decides_and_stands(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        if not running.over:
            who = running.built.fighters.index(str(running.decider))
            assert running.side == ("party" if who < running.built.party_count else "foes")
            assert fighters(running)[who]["out"] == 0


@few
@given(encounters(), seeds)
def test_no_illegal_action_can_be_applied(data: dict[str, Any], seed: int) -> None:
    choice = random.Random(seed)
    for running in walk(data, seed):
        before = (running.state.tobytes(), running.dice.tobytes())
        wrong = [i for i, legal in enumerate(running.mask) if not legal]
        actions: list[int | str] = [*choice.sample(wrong, 3), -1, len(running.mask), "SING"]
        for action in actions:
            with pytest.raises(IllegalAction):
                running.play(action)
        assert (running.state.tobytes(), running.dice.tobytes()) == before


@settings(max_examples=20)
@given(encounters(), seeds)
def test_every_legal_action_can_be_applied_and_its_chances_sum_to_1(data: dict[str, Any], seed: int) -> None:
    choice = random.Random(seed)
    for running in walk(data, seed):
        if choice.random() < 0.1:
            for action in running.legal():
                outcomes = running.outcomes(action)
                assert math.isclose(sum(chance for chance, _ in outcomes), 1, abs_tol=1e-12)
                assert all(0 < chance <= 1 for chance, _ in outcomes)
                states = [after.state.tobytes() for _, after in outcomes]
                assert len(set(states)) == len(states)


@few
@given(encounters(), seeds)
def test_what_is_played_is_one_of_the_enumerated_outcomes(data: dict[str, Any], seed: int) -> None:
    running, choice = begun(data, seed), random.Random(seed)
    while not running.over:
        action = choice.choice(running.legal())
        outcomes = {after.state.tobytes() for _, after in running.outcomes(action)} if choice.random() < 0.2 else None
        running.play(action)
        assert outcomes is None or running.state.tobytes() in outcomes


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
            assert it["freezing"] <= it["hamstrung"] or it["hamstrung"] == 0
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
def test_the_dice_never_fault(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        assert running.dice["fault"][0] == 0


# --- the library around it ---------------------------------------------------------------------------------


@few
@given(encounters(), seeds)
def test_copies_are_independent(data: dict[str, Any], seed: int) -> None:
    choice = random.Random(seed)
    for running in walk(data, seed):
        if running.over or choice.random() < 0.7:
            continue
        before = (running.state.tobytes(), running.dice.tobytes(), running.legal(), len(running.moves))
        twin, other = running.copy(), running.copy()
        action = choice.choice(running.legal())
        twin.play(action)
        assert (running.state.tobytes(), running.dice.tobytes(), running.legal(), len(running.moves)) == before
        assert other.play(action).state.tobytes() == twin.state.tobytes()  # the same dice to come


@few
@given(encounters(), seeds)
def test_every_position_and_event_can_be_told(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        assert all(name in str(running) for name in running.built.fighters)
        assert repr(running)
    assert all(isinstance(line, str) and line for line in running.log)


@few
@given(encounters(), seeds)
def test_a_replay_leads_to_the_same_position(data: dict[str, Any], seed: int) -> None:
    *_, last = walk(data, seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl"
        save_replay(last, path)
        again = load_replay(path)
    assert again.state.tobytes() == last.state.tobytes()
    assert (again.trail, again.winner, again.moves) == (last.trail, last.winner, last.moves)


@few
@given(encounters(), seeds)
def test_the_same_seed_gives_the_same_skirmish(data: dict[str, Any], seed: int) -> None:
    *_, one = walk(data, seed)
    *_, other = walk(data, seed)
    assert (one.trail, one.state.tobytes(), one.log) == (other.trail, other.state.tobytes(), other.log)
