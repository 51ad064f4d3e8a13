"""What must hold in every skirmish of every ruleset: random small encounters, random play."""

from __future__ import annotations

import math
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lens_env.errors import IllegalAction
from lens_env.play.replay import load_replay, save_replay
from tests.rulesets.lamashtu import skirmishes as lamashtu
from tests.rulesets.norova import skirmishes as norova
from tests.rulesets.the_lens import skirmishes as the_lens
from tests.support import FEW
from tests.walking import begun, seeds, walk

pytestmark = pytest.mark.kernel

ENCOUNTERS = {
    "the_lens": the_lens.encounters(),
    "lamashtu": lamashtu.encounters(),
    "norova": norova.encounters(),
}
rulesets = pytest.mark.parametrize("ruleset", ENCOUNTERS)
few = settings(max_examples=FEW)


@rulesets
@few
@given(st.data(), seeds)
def test_the_mask_is_never_empty_before_the_end(ruleset: str, drawn: st.DataObject, seed: int) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
    for running in walk(data, seed):
        assert bool(running.legal()) is not running.over
        assert (running.window is None) is running.over
        assert not any(name.startswith("#") for name in running.legal())


@rulesets
@few
@given(st.data(), seeds)
def test_the_mask_and_its_list_agree(ruleset: str, drawn: st.DataObject, seed: int) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
    for running in walk(data, seed):
        mask = running.masks[0]
        listed = mask["listed"][: mask["count"]].tolist()
        assert sorted(listed) == [i for i, legal in enumerate(running.mask) if legal]


@rulesets
@few
@given(st.data(), seeds)
def test_no_illegal_action_can_be_applied(ruleset: str, drawn: st.DataObject, seed: int) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
    choice = random.Random(seed)
    for running in walk(data, seed):
        before = (running.state.tobytes(), running.dice.tobytes())
        wrong = [i for i, legal in enumerate(running.mask) if not legal]
        actions: list[int | str] = [*choice.sample(wrong, 3), -1, len(running.mask), "SING"]
        for action in actions:
            with pytest.raises(IllegalAction):
                running.play(action)
        assert (running.state.tobytes(), running.dice.tobytes()) == before


@rulesets
@settings(max_examples=min(20, FEW))
@given(st.data(), seeds)
def test_every_legal_action_can_be_applied_and_its_chances_sum_to_1(
    ruleset: str, drawn: st.DataObject, seed: int
) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
    choice = random.Random(seed)
    for running in walk(data, seed):
        if choice.random() < 0.1:
            for action in running.legal():
                outcomes = running.outcomes(action)
                assert math.isclose(sum(chance for chance, _ in outcomes), 1, abs_tol=1e-12)
                assert all(0 < chance <= 1 for chance, _ in outcomes)
                states = [after.state.tobytes() for _, after in outcomes]
                assert len(set(states)) == len(states)


@rulesets
@few
@given(st.data(), seeds)
def test_what_is_played_is_one_of_the_enumerated_outcomes(ruleset: str, drawn: st.DataObject, seed: int) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
    running, choice = begun(data, seed), random.Random(seed)
    while not running.over:
        action = choice.choice(running.legal())
        outcomes = {after.state.tobytes() for _, after in running.outcomes(action)} if choice.random() < 0.2 else None
        running.play(action)
        assert outcomes is None or running.state.tobytes() in outcomes


@rulesets
@few
@given(st.data(), seeds)
def test_copies_are_independent(ruleset: str, drawn: st.DataObject, seed: int) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
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


@rulesets
@few
@given(st.data(), seeds)
def test_a_replay_leads_to_the_same_position(ruleset: str, drawn: st.DataObject, seed: int) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
    *_, last = walk(data, seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl"
        save_replay(last, path)
        again = load_replay(path)
    assert again.state.tobytes() == last.state.tobytes()
    assert (again.trail, again.winner, again.moves) == (last.trail, last.winner, last.moves)


@rulesets
@few
@given(st.data(), seeds)
def test_the_same_seed_gives_the_same_skirmish(ruleset: str, drawn: st.DataObject, seed: int) -> None:
    data = drawn.draw(ENCOUNTERS[ruleset])
    *_, one = walk(data, seed)
    *_, other = walk(data, seed)
    assert (one.trail, one.state.tobytes(), one.log) == (other.trail, other.state.tobytes(), other.log)
