"""Benchmarks of the batched loops: `make bench` measures, the test suite runs each once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lens_env import Game, load_encounter
from lens_env.core import philox, record
from lens_env.play.engine import Batch

BATCH = 1024


@pytest.mark.parametrize(
    "name",
    ["the_lens/two_against_two", "the_lens/duel", "lamashtu/two_against_two", "norova/two_against_two"],
)
def test_random_play(benchmark: Any, name: str) -> None:
    """BATCH times 1,000 decisions, masks written: long enough that skirmishes end."""
    batch = Batch(load_encounter(name), BATCH, seed=1)
    sources = record.new(philox.Source, BATCH)
    sources["stream"], sources["environment"] = 1, np.arange(BATCH)
    arrays = (batch.states, batch.dice, batch.setups, batch.which, batch.logs, batch.masks, sources)
    ended = benchmark(batch.engine.run, "random_play", *arrays, 1_000)
    assert ended > 0


def test_game_play(benchmark: Any) -> None:
    """One skirmish of the first legal action."""

    def play() -> Game:
        game = Game(load_encounter("the_lens/duel"), seed=1)
        while not game.over:
            game.play(int(game.mask.argmax()))
        return game

    assert benchmark(play).over
