"""Sampled dice fall as the enumerated outcomes say: chi-square over many skirmishes at a fixed seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from lens_env import Encounter, Game
from lens_env.play.engine import Batch
from tests.rulesets.norova.scenes import ALL, PLATE, attack, duel, fighter

MANY = 6000
RARE = 5  # outcomes expected less often are thrown together
SURE_ENOUGH = 1e-4  # the seed is fixed: a smaller p-value is a fault of the dice, not bad luck

SKILL = {"name": "ward", "check": "spirit", "difficulty": 12, "effect": "halve"}
KARA = fighter(
    vitality=9, initiative=-10, evade=3, defense=4, react=5, xp=9, armor=PLATE, counter_attack=True, skills=[SKILL]
)
FOE = fighter("Foe", initiative=20, attacks=[attack(dice=3, sides=6, flat=4)])


def fits(position: Game, batch: Batch, action: str) -> None:
    """The states of the batch after the action are those expected, as often as expected."""
    chances = {after.state.tobytes(): chance for chance, after in position.outcomes(action)}
    batch.step(np.full(len(batch), position.action_index(action)))
    seen = Counter(state.tobytes() for state in batch.states)
    assert set(seen) <= set(chances)
    often = [state for state, chance in chances.items() if chance * len(batch) >= RARE]
    counts = [seen[state] for state in often]
    means = [chances[state] * len(batch) for state in often]
    if len(batch) - sum(means) >= RARE:
        counts.append(len(batch) - sum(counts))
        means.append(len(batch) - sum(means))
    assert len(counts) > 1
    assert chisquare(counts, [mean * sum(counts) / sum(means) for mean in means]).pvalue > SURE_ENOUGH


@pytest.mark.parametrize("choice", ["NONE", "EVADE", "DEFEND", "COUNTER", "SKILL 1"])
def test_sampled_defences_fit_the_enumerated_outcomes(choice: str) -> None:
    encounter = Encounter.from_dict(duel([KARA], [FOE], rules=ALL))
    position, batch = Game(encounter), Batch(encounter, MANY, seed=11)
    declared = "ATTACK Kara with sword"
    batch.step(np.full(MANY, position.action_index(declared)))
    fits(position.play(declared), batch, choice)
