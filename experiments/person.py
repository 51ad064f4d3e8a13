"""A person decides for one side: the position, every legal action with its exact odds, and a line to answer with."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from agents import Agent
from experiments.odds import life_of, odds
from lens_env import Game
from lens_env.errors import SolveError
from lens_env.play.narrate import narrate

Say = Callable[[str], None]
LONGEST_NUMBER = 9  # digits
LONGEST_ECHO = 60  # characters of an answer that is not understood
HELP = "a number or a name plays, ? shows the position, q leaves"


class Quit(Exception):
    """The person has left."""


def play_against(game: Game, side: str, other: Agent, say: Say, ask: Callable[[str], str]) -> None:
    """Play to the end; ``ask`` returns the person's next line and raises EOFError when there is none."""
    told = 0
    say(str(game))
    while True:
        for line in narrate(game, told):
            say(line)
        told = game.event_count
        if game.over:
            return
        if game.side != side:
            game.play(other.choose(game))
            continue
        try:
            game.play(decide(game, say, ask))
        except (Quit, EOFError):
            say("You leave the skirmish.")
            return


def decide(game: Game, say: Say, ask: Callable[[str], str]) -> str:
    """The action that the person chooses."""
    legal = game.legal()
    if len(legal) == 1:
        say(f"{game.decider}: {game.window}: {legal[0]} (nothing else is possible)")
        return legal[0]
    offer(game, legal, say)
    while True:
        answer = ask(f"{game.decider}, {game.window} (1-{len(legal)}, ?, q): ").strip()
        if answer == "q":
            raise Quit
        if answer == "?":
            say(str(game))
            offer(game, legal, say)
        elif (chosen := understood(answer, legal)) is not None:
            return chosen
        elif answer:
            near = get_close_matches(answer[:LONGEST_ECHO].upper(), legal, 1)
            say(f"{answer[:LONGEST_ECHO]!r} is none of these{f'; did you mean {near[0]!r}?' if near else ''} ({HELP})")


def understood(answer: str, legal: list[str]) -> str | None:
    """The legal action that a number or a name means."""
    if answer.isascii() and answer.isdecimal():
        number = int(answer) if len(answer) <= LONGEST_NUMBER else 0
        return legal[number - 1] if 1 <= number <= len(legal) else None
    folded = [name for name in legal if name.casefold() == answer.casefold()]
    begun = [name for name in legal if answer and name.casefold().startswith(answer.casefold())]
    return folded[0] if folded else (begun[0] if len(begun) == 1 else None)


def offer(game: Game, legal: list[str], say: Say) -> None:
    """Every legal action with its exact odds."""
    say(f"{game.decider} decides: {game.window}")
    for number, action in enumerate(legal, 1):
        for line in told(game, number, action):
            say(line)


def told(game: Game, number: int, action: str) -> list[str]:
    """An action and what can come of it, a line each."""
    head = f"{number:4d}  {action}"
    try:
        found = odds(game, action)
    except SolveError as error:
        return [head, f"        {error}"]
    means = ", ".join(f"{name} {-points:+.2f} {life_of(game)}" for name, points in found.means)
    mean = f"   (on average {means})" if means and len(found.lines) > 1 else ""
    return [head + mean, *(f"        {share:5.1f} %  {text}" for share, text in found.lines)]
