"""A skirmish told in sentences, and played to its end by whoever decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .game import Game


def narrate(game: Game, since: int = 0) -> list[str]:
    """What happened from event number ``since`` on, a sentence an event, indented by round, turn and action."""
    return game.describe(since)


def tell(game: Game, choose: Callable[[Game], str]) -> Iterator[str]:
    """Play ``game`` to its end, ``choose`` deciding for whoever is asked, and yield the sentences as they come."""
    told = 0
    while True:
        lines = narrate(game, told)
        told = game.event_count
        yield from lines
        if game.over:
            return
        game.play(choose(game))
