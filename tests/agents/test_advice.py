from __future__ import annotations

import numpy as np
import pytest

from agents.scripted.approach import without_detours
from agents.scripted.focus import on_the_weakest
from lens_env import Encounter, Game
from lens_env.core.ruleset import Advice
from lens_env.core.tables import mean
from lens_env.rulesets.the_lens import heuristics


def test_expected_damage_is_the_mean_of_the_roll(duel: Encounter) -> None:
    game = Game(duel, 0)
    while (game.decider, game.window) != ("Kara", "ACT"):
        game.play(game.legal()[0])
    advice = game.ruleset.advise(game.state, game.built)
    index = game.built.actions.index
    assert advice.expected[0, index("ATTACK Ogre")] == pytest.approx(3 * 3.5)
    assert advice.target[index("ATTACK Ogre")] == 1
    assert advice.health[0].tolist() == [14, 18]
    assert np.isnan(advice.distance).all()


def test_hide_takes_off_what_it_can() -> None:
    table = {"total": 4, "least": 1, "weights": np.array([1, 1, 1, 1, 0, 0])}
    assert mean(table) == 2.5
    assert mean(table, 2) == (0 + 0 + 1 + 2) / 4
    assert mean({**table, "total": 0}) == 0.0


def test_distances_go_around_walls(board: Encounter) -> None:
    ways = heuristics.tables_of(board.built).ways
    assert ways is not None
    cell = {"west": 2 * 7 + 2, "east": 2 * 7 + 4}
    # two squares away behind a wall: three steps round its end bring it into reach
    assert ways.to_go[0, cell["west"], cell["east"]] == 3
    assert ways.to_go[1, cell["west"], cell["east"]] == 0  # the mage's spell reaches 3 squares


def test_only_the_nearest_step_remains() -> None:
    nan, inf = np.nan, np.inf
    legal = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 0]], np.uint8)
    distance = np.array([[2, 1, nan, 3], [1, 1, nan, 0], [nan] * 4, [nan, inf, nan, nan], [nan, inf, nan, nan]])
    kept = [[0, 1, 1, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]
    assert without_detours(legal, distance).tolist() == kept
    assert legal.sum() == 12  # what was given is untouched


def test_only_the_best_attack_remains() -> None:
    advice = Advice(
        expected=np.array([[5.0, 9.0, 7.0, 0.0, 8.0], [5.0, 9.0, 7.0, 0.0, 6.0]]),
        target=np.array([0, 1, 0, -1, -1]),
        health=np.array([[3.0, 8.0], [3.0, 8.0]]),
        distance=np.full((2, 5), np.nan),
        left=np.array([1.0, 1.0]),
    )
    legal = np.ones((2, 5), np.uint8)
    assert on_the_weakest(legal, advice).tolist() == [[0, 0, 1, 1, 1], [0, 0, 1, 1, 0]]
