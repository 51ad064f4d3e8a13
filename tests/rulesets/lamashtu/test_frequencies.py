"""Sampled dice fall as the enumerated outcomes say: chi-square over many skirmishes at a fixed seed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from lens_env import Encounter, Game
from lens_env.play.engine import Batch
from tests.rulesets.lamashtu.scenes import duel, fighter, on_board

MANY = 6000
RARE = 5  # outcomes expected less often are thrown together
SURE_ENOUGH = 1e-4  # the seed is fixed: a smaller p-value is a fault of the dice, not bad luck
PLACES = {"Kara": (3, 3), "Anzu": (4, 3)}


@pytest.mark.parametrize("defence", ["NONE", "BLOCK", "DODGE", "CLASH"])
@pytest.mark.parametrize(
    "data",
    [duel(), on_board(PLACES, kind="hex"), duel(foes=[fighter("Anzu", block=9)], rules={"failure_hits": True})],
)
def test_sampled_defences_fit_the_enumerated_outcomes(data: Any, defence: str) -> None:
    encounter = Encounter.from_dict(data)
    position, batch = Game(encounter).play("ATTACK Anzu"), Batch(encounter, MANY, seed=11)
    for action in ("ATTACK Anzu", defence):
        batch.step(np.full(MANY, encounter.built.actions.index(action)))
    fits(position, defence, batch)


@pytest.mark.parametrize("action", ["ATTACK Anzu"])
def test_sampled_revealed_attacks_fit(action: str) -> None:
    encounter = Encounter.from_dict(duel(rules={"reveal_attack_roll": True}))
    position, batch = Game(encounter), Batch(encounter, MANY, seed=12)
    batch.step(np.full(MANY, position.action_index(action)))
    fits(position, action, batch)


def fits(position: Game, action: str, batch: Batch) -> None:
    """The states of the batch are the outcomes of the action, as often as expected."""
    chances = {after.state.tobytes(): chance for chance, after in position.outcomes(action)}
    seen = Counter(state.tobytes() for state in batch.states)
    assert set(seen) <= set(chances)
    often = [state for state, chance in chances.items() if chance * MANY >= RARE]
    counts, means = [seen[state] for state in often], [chances[state] * MANY for state in often]
    counts.append(MANY - sum(counts))
    means.append(MANY - sum(means))
    if means[-1] < RARE:
        counts[-2:], means[-2:] = [sum(counts[-2:])], [sum(means[-2:])]
    assert len(counts) > 1
    assert chisquare(counts, np.array(means) * MANY / sum(means)).pvalue > SURE_ENOUGH
