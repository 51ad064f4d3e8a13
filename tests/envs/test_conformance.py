"""Every ruleset keeps its promises in every environment, in all encounters that come with it."""

from __future__ import annotations

import dataclasses

import pytest

from lens_env import Encounter, load_encounter
from lens_env.core.ruleset import Seen
from lens_env.envs import conformance
from lens_env.envs.conformance import NotConforming, check
from lens_env.play.encounter import list_encounters


@pytest.mark.parametrize("name", list_encounters())
def test_encounter(name: str) -> None:
    done = check(load_encounter(name), seed=11, steps=120)
    assert {"Gymnasium's checker", "stable-baselines3's checker", "PettingZoo's tests"} <= set(done)


def changed(**changes: object) -> Encounter:
    """A duel whose ruleset says something else of itself."""
    encounter = Encounter.from_dict(load_encounter("the_lens/duel").data)
    vars(encounter)["ruleset"] = dataclasses.replace(encounter.ruleset, **changes)
    return encounter


def test_a_number_out_of_bounds_is_found() -> None:
    fighter = list(load_encounter("the_lens/duel").ruleset.fighter)
    fighter[6] = Seen("body", 0.0, 0.5)
    with pytest.raises(NotConforming, match=r"the_lens, Duel.*seed 0: observations: self\.body keeps its bounds"):
        check(changed(fighter=tuple(fighter)))


def test_two_numbers_of_one_name_are_found() -> None:
    scene = list(load_encounter("the_lens/duel").ruleset.scene)
    scene[1] = scene[0]
    with pytest.raises(NotConforming, match="all names of an observation's numbers differ"):
        check(changed(scene=tuple(scene)))


def test_an_empty_text_is_found() -> None:
    with pytest.raises(NotConforming, match="a position is told"):
        conformance._texts(changed(summary=lambda state, built: " "), 0, 10)
