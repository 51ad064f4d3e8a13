"""Sampled dice fall as the enumerated outcomes say: chi-square over many skirmishes at a fixed seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from scipy.stats import chisquare

from lens_env import Encounter, Game
from lens_env.play.engine import Batch
from lens_env.play.game import openings
from tests.rulesets.the_lens.fights import armed_with, knight
from tests.rulesets.the_lens.scenes import attack, duel, hero, ogre

MANY = 6000
RARE = 5  # outcomes expected less often are thrown together
SURE_ENOUGH = 1e-4  # the seed is fixed: a smaller p-value is a fault of the dice, not bad luck


def fits(expected: Iterable[tuple[float, Game]], batch: Batch) -> None:
    """The states of the batch are those expected, as often as expected."""
    chances = {after.state.tobytes(): chance for chance, after in expected}
    seen = Counter(state.tobytes() for state in batch.states)
    assert set(seen) <= set(chances)
    often = [state for state, chance in chances.items() if chance * len(batch) >= RARE]
    counts = [seen[state] for state in often]
    means = [chances[state] * len(batch) for state in often]
    if len(batch) - sum(means) >= RARE:
        counts.append(len(batch) - sum(counts))
        means.append(len(batch) - sum(means))
    total = sum(means)
    assert len(counts) > 1
    assert chisquare(counts, [mean * sum(counts) / total for mean in means]).pvalue > SURE_ENOUGH


def at(batch: Batch, position: Game) -> Batch:
    """The skirmishes of the batch that stand at this position."""
    wanted = position.state.tobytes()
    return batch.select(np.array([i for i, state in enumerate(batch.states) if state.tobytes() == wanted]))


def played(position: Game, batch: Batch, action: str) -> tuple[list[tuple[float, Game]], Batch]:
    """The enumerated outcomes of an action, and the batch after it."""
    batch.step(np.full(len(batch), position.action_index(action)))
    return position.outcomes(action), batch


def most_likely(outcomes: list[tuple[float, Game]], decider: str) -> Game:
    """The outcome with the greatest chance among those in which this fighter may act."""
    acting = [item for item in outcomes if (item[1].decider, item[1].window) == (decider, "ACT")]
    return max(acting, key=lambda item: item[0])[1]


SCENES = {
    "MITIGATE": duel(party=[knight()]),
    "BLOCK": duel(party=[knight()]),
    "PARRY": duel(party=[knight()], rules={"parry": "riposte"}),
    "DODGE": duel(party=[knight()], foes=[ogre(attacks=[attack(tags=["burning"], sides=6)])]),
    "ABJURE": duel(party=[knight()], foes=[ogre(attacks=[attack(magic=True)])]),
    "NONE": duel(party=[knight()], foes=[ogre(attacks=[attack(dice=3, sides=8)])]),
}


@pytest.mark.parametrize("defence", SCENES)
def test_sampled_defences_fit_the_enumerated_outcomes(defence: str) -> None:
    encounter = Encounter.from_dict(SCENES[defence])
    batch = Batch(encounter, MANY, seed=11)
    outcomes = openings(encounter)
    fits(outcomes, batch)
    position = most_likely(outcomes, "Kara")
    batch = at(batch, position)
    for action in ("END TURN", "ATTACK Kara with club"):
        [(_, position)], batch = played(position, batch, action)
    fits(*played(position, batch, defence))


@pytest.mark.parametrize(("helps", "hinders"), [("PASS", "PASS"), ("ASSIST", "PASS"), ("ASSIST", "INTERFERE")])
def test_sampled_attacks_with_reactions_fit_the_enumerated_outcomes(helps: str, hinders: str) -> None:
    party = [armed_with("BURNING", "PRONE"), hero("Tomas")]
    data = duel(party=party, foes=[ogre(guard="shield", armor=2), ogre("Troll")])
    encounter = Encounter.from_dict(data)
    batch = Batch(encounter, MANY, seed=12)
    outcomes = openings(encounter)
    fits(outcomes, batch)
    position = most_likely(outcomes, "Kara")
    batch = at(batch, position)
    for action in ("ATTACK Ogre", helps):
        [(_, position)], batch = played(position, batch, action)
    fits(*played(position, batch, hinders))
