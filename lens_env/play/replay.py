"""Replays: a skirmish as its decisions and dice, in JSON Lines.

The first line is a header (encounter, seed, digest of the rules), then one line a step (the opening, then each
action with the outcome index of each of its draws), last a footer with the result. A file without its footer
was cut; one whose rules or encounter differ is foreign; one that does not lead to its footer is damaged.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lens_env
from lens_env.core.loops import OPENING
from lens_env.errors import DiceError, EncounterError, IllegalAction, ReplayError

from .encounter import Encounter
from .engine import engine_of
from .files import write_atomically
from .game import Game, Indices

FORMAT = "lens_env replay"
VERSION = 1


def save_replay(game: Game, path: str | Path) -> None:
    """Write a game, over or not, as a replay file; nothing is left half written."""
    write_atomically(Path(path), "".join(json.dumps(line) + "\n" for line in _lines(game)))


def _lines(game: Game) -> list[dict[str, Any]]:
    header = {
        "format": FORMAT,
        "version": VERSION,
        "lens_env": lens_env.__version__,
        "ruleset": game.ruleset.name,
        "rules_digest": engine_of(game.ruleset.name).digest,
        "encounter_digest": game.encounter.digest,
        "seed": game.seed,
        "encounter": game.encounter.data,
    }
    steps = [
        {"action": None if move.action == OPENING else game.built.actions[move.action], "draws": list(move.draws)}
        for move in game.moves
    ]
    return [header, *steps, {"steps": len(steps), "over": game.over, "winner": game.winner, "trail": game.trail}]


def load_replay(path: str | Path) -> Game:
    """Play a replay file again and return the game as it stood at its end.

    Raises ReplayError with the reason and the line: not a replay, other rules, cut, damaged.
    """
    source = Path(path)
    header, steps, footer = _read(source)
    encounter = _encounter_of(source, header)
    draws = [draw for _, step in steps for draw in step["draws"]]
    game: Game | None = None
    for number, step in steps:
        try:
            if game is None:
                game = Game(encounter, header["seed"], Indices(draws))
            else:
                game.play(step["action"])
        except (DiceError, IllegalAction) as error:
            raise ReplayError(f"{source}:{number}: this step cannot have happened: {error}") from None
        if list(game.moves[-1].draws) != step["draws"]:
            raise ReplayError(f"{source}:{number}: the dice of this step do not fit its action")
    assert game is not None
    if (game.over, game.winner, game.trail) != (footer["over"], footer["winner"], footer["trail"]):
        raise ReplayError(f"{source}: the steps lead to another end than the last line says")
    return game


def _read(source: Path) -> tuple[dict[str, Any], list[tuple[int, dict[str, Any]]], dict[str, Any]]:
    """The header, the steps with their line numbers, and the footer of a whole replay file."""
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReplayError(f"{source}: cannot be read: {error}") from None
    lines = [(number, _parse(source, number, line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines or lines[0][1].get("format") != FORMAT:
        raise ReplayError(f"{source}:1: is no {FORMAT}")
    header, steps, footer = lines[0][1], lines[1:-1], lines[-1][1]
    if header.get("version") != VERSION:
        raise ReplayError(f"{source}:1: version {header.get('version')!r}; this program reads version {VERSION}")
    if "trail" not in footer or footer.get("steps") != len(steps):
        raise ReplayError(f"{source}: is cut: the last line, which says how it ended, is missing or counts other steps")
    for number, step in steps:
        draws = step.get("draws")
        if "action" not in step or not isinstance(draws, list) or not all(isinstance(draw, int) for draw in draws):
            raise ReplayError(f"{source}:{number}: a step has an action and a list of draws")
    if not steps or steps[0][1]["action"] is not None:
        raise ReplayError(f"{source}:2: the first step is the opening, with the action null")
    return header, steps, footer


def _parse(source: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ReplayError(f"{source}:{number}: is damaged: {error}") from None
    if not isinstance(value, dict):
        raise ReplayError(f"{source}:{number}: a line is an object, got {type(value).__name__}")
    return value


def _encounter_of(source: Path, header: dict[str, Any]) -> Encounter:
    """The encounter of the header, if it is whole and its rules are ours."""
    try:
        encounter = Encounter.from_dict(header["encounter"], source=f"{source}:1")
    except KeyError:
        raise ReplayError(f"{source}:1: the header has no encounter") from None
    except EncounterError as error:
        raise ReplayError(f"{source}:1: the encounter is not valid here: {error}") from None
    if header.get("encounter_digest") != encounter.digest:
        raise ReplayError(f"{source}:1: the encounter was changed after the skirmish")
    ours = engine_of(encounter.ruleset.name).digest
    if header.get("rules_digest") != ours:
        raise ReplayError(
            f"{source}:1: was played by other rules of {encounter.ruleset.name} "
            f"(digest {header.get('rules_digest')}, here {ours})"
        )
    if not isinstance(header.get("seed"), int):
        raise ReplayError(f"{source}:1: the header has no seed")
    return encounter
