"""Random walks through skirmishes of any ruleset, for the tests of what must always hold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from lens_env import Encounter, Game

seeds = st.integers(0, 2**64 - 1)


def begun(data: dict[str, Any], seed: int) -> Game:
    """A game of this encounter."""
    return Game(Encounter.from_dict(data), seed)


def fighters(running: Game) -> list[dict[str, Any]]:
    """The fighters there are, as plain numbers."""
    return list(running.state_dict()["fighters"].values())


def walk(data: dict[str, Any], seed: int, restless: float = 0.5) -> Iterator[Game]:
    """The game at each of its positions, the last one included, under random play.

    ``restless`` is how often an END TURN is drawn again, so that more happens in few rounds.
    """
    running, choice = begun(data, seed), random.Random(seed)
    yield running
    while not running.over:
        action = choice.choice(running.legal())
        if action == "END TURN" and choice.random() < restless:
            action = choice.choice(running.legal())
        running.play(action)
        yield running
