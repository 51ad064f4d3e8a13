"""What heuristics know of the actions, and what a plan leaves of them."""

from __future__ import annotations

import numpy as np
import pytest

from lens_env import Encounter, Game
from lens_env.core.board import MAX_SIZE
from lens_env.core.dice import mean_above
from lens_env.core.kernel import INTERPRETED, direct
from lens_env.core.record import as_kernel_argument
from lens_env.core.tables import mean
from lens_env.core.ways import Ways, survey_ways
from lens_env.play.engine import Advice, Batch
from tests.support import one, records_of


def advice(game: Game) -> Advice:
    return Batch.of(game.encounter, game.state, game.dice, game.masks).advice()


def test_expected_damage_is_the_mean_of_the_roll(duel: Encounter) -> None:
    game = Game(duel, 0)
    while (game.decider, game.window) != ("Kara", "ACT"):
        game.play(game.legal()[0])
    found = advice(game)
    index = game.built.actions.index
    assert found.expected[0, index("ATTACK Ogre")] == pytest.approx(3 * 3.5)
    assert found.target[0, index("ATTACK Ogre")] == 1
    assert found.life[0].tolist() == [14, 18]
    assert np.isnan(found.distance).all()


def test_hide_takes_off_what_it_can(duel: Encounter) -> None:
    table = as_kernel_argument(duel.built.setup["sheets"][0, 1]["attacks"][0:1]["damage"], INTERPRETED)[0]  # 3d4
    rolls = [a + b + c for a in range(1, 5) for b in range(1, 5) for c in range(1, 5)]
    assert mean(duel.built.setup["sheets"][0, 1]["attacks"][0]["damage"]) == 7.5
    for hide in (0, 2, 5, 12):
        assert direct(mean_above)(table, hide) == pytest.approx(sum(max(0, it - hide) for it in rolls) / 64)


def test_distances_go_around_walls(board: Encounter) -> None:
    """Two squares away behind a wall: three steps round its end bring Kara next to the Ogre."""
    game = Game(board, 0)
    ways = one(Ways)
    west = 2 * MAX_SIZE + 2
    direct(survey_ways)(records_of(game), 0, 1, ways)
    assert ways["steps"][west] == 3
    direct(survey_ways)(records_of(game), 0, 3, ways)
    assert ways["steps"][west] == 0  # a spell that reaches 3 squares
