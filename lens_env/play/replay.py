"""Replays: a skirmish as its decisions and dice, in JSON Lines.

The first line is a header (encounter, seed, digest of the rules), then one line a step (the opening, then each
action with the outcome index of each of its draws), last a footer with the result. A file without its footer
was cut; one whose rules or encounter differ is foreign; one that does not lead to its footer is damaged. The dice
of a skirmish that rolled its own are rolled again from the seed, and must be those of the file.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lens_env.core.loops import OPENING
from lens_env.core.philox import LOW
from lens_env.core.ruleset import WINNERS
from lens_env.errors import DiceError, EncounterError, IllegalAction, ReplayError

from .encounter import Encounter
from .engine import engine_of
from .files import write_atomically
from .game import Game, Indices

FORMAT = "lens_env replay"
VERSION = 2
WHOLE = {"seed": 2**64 - 1, "environment": LOW, "episode": LOW}  # of the header, and the largest they may be
DEEP = "is damaged: its blocks are nested too deeply"

Line = dict[str, Any]


def save_replay(game: Game, path: str | Path) -> None:
    """Write a game, over or not, as a replay file; nothing is left half written."""
    write_atomically(Path(path), "".join(json.dumps(line) + "\n" for line in _lines(game)))


def _lines(game: Game) -> list[Line]:
    header = {
        "format": FORMAT,
        "version": VERSION,
        "lens_env": version("lens-env"),
        "ruleset": game.ruleset.name,
        "rules_digest": engine_of(game.ruleset.name).digest,
        "encounter_digest": game.encounter.digest,
        "sampled": game.sampled,
        "seed": game.seed,
        "environment": int(game.dice["source"]["environment"][0]),
        "episode": int(game.dice["source"]["episode"][0]),
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
    index: dict[str, int] = {name: number for number, name in enumerate(encounter.built.actions)}
    game: Game | None = None
    for number, step in steps:
        try:
            if game is None:
                game = _begin(encounter, header, [draw for _, step in steps for draw in step["draws"]])
            else:
                name: str = step["action"]
                game.play(index.get(name, name))
        except (DiceError, IllegalAction) as error:
            raise ReplayError(f"{source}:{number}: this step cannot have happened: {error}") from None
        if list(game.moves[-1].draws) != step["draws"]:
            why = "those that its seed rolls" if header["sampled"] else "those of its action"
            raise ReplayError(f"{source}:{number}: the dice of this step are not {why}")
    assert game is not None
    if (game.over, game.winner, game.trail) != (footer["over"], footer["winner"], footer["trail"]):
        raise ReplayError(f"{source}: the steps lead to another end than the last line says")
    return game


def _begin(encounter: Encounter, header: Line, draws: list[int]) -> Game:
    """The game at its opening: with its own dice, or if they were scripted those of the file."""
    dice = None if header["sampled"] else Indices(draws)
    return Game(encounter, header["seed"], dice, environment=header["environment"], episode=header["episode"])


# --- reading -----------------------------------------------------------------------------------------------


def _read(source: Path) -> tuple[Line, list[tuple[int, Line]], Line]:
    """The header, the steps with their line numbers, and the footer of a whole replay file."""
    lines = [(n, line) for n, line in enumerate(_text_of(source).splitlines(), 1) if line.strip()]
    if not lines:
        raise ReplayError(f"{source}: is no {FORMAT}: it is empty")
    header = _header_of(source, *lines[0])
    found = [(number, _parse(source, number, line)) for number, line in lines[1:]]
    footer = found[-1][1] if found else {}
    steps = found[:-1]
    if "trail" not in footer or footer.get("steps") != len(steps):
        raise ReplayError(f"{source}: is cut: the last line, which says how it ended, is missing or counts other steps")
    if not isinstance(footer.get("over"), bool) or footer.get("winner", "") not in WINNERS:
        raise ReplayError(f"{source}:{found[-1][0]}: is damaged: the last line says over (true or false) and winner")
    for place, (number, step) in enumerate(steps):
        _check_step(source, number, step, place == 0)
    if not steps:
        raise ReplayError(f"{source}:2: the first step is the opening, with the action null")
    return header, steps, footer


def _text_of(source: Path) -> str:
    try:
        return source.read_text(encoding="utf-8")
    except OSError as error:
        raise ReplayError(f"{source}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ReplayError(f"{source}: cannot be read: it is no {FORMAT}, since it is no text") from None


def _header_of(source: Path, number: int, line: str) -> Line:
    """The header, checked but for its encounter and rules."""
    try:
        header = json.loads(line)
    except RecursionError:
        raise ReplayError(f"{source}:{number}: {DEEP}") from None
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ReplayError(f"{source}:{number}: is no {FORMAT}")
    if header.get("version") != VERSION:
        raise ReplayError(f"{source}:{number}: version {header.get('version')!r}; this program reads version {VERSION}")
    for field, most in WHOLE.items():
        if not _is_whole(header.get(field), most):
            raise ReplayError(
                f"{source}:{number}: the header has no {field} from 0 to {most}, but {header.get(field)!r:.40}"
            )
    if not isinstance(header.get("sampled"), bool):
        raise ReplayError(f"{source}:{number}: the header does not say whether the dice were sampled (true or false)")
    return header


def _is_whole(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _check_step(source: Path, number: int, step: Line, first: bool) -> None:
    action, draws = step.get("action", 0), step.get("draws")
    if not isinstance(draws, list) or not all(_is_whole(draw, LOW) for draw in draws):
        raise ReplayError(f"{source}:{number}: a step has an action and a list of draws, whole numbers from 0")
    if first and action is not None:
        raise ReplayError(f"{source}:{number}: the first step is the opening, with the action null")
    if not first and not isinstance(action, str):
        raise ReplayError(f"{source}:{number}: a step has the name of an action, got {action!r:.40}")


def _parse(source: Path, number: int, line: str) -> Line:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ReplayError(f"{source}:{number}: is damaged: {error}") from None
    except RecursionError:
        raise ReplayError(f"{source}:{number}: {DEEP}") from None
    if not isinstance(value, dict):
        raise ReplayError(f"{source}:{number}: a line is an object, got {type(value).__name__}")
    return value


def _encounter_of(source: Path, header: Line) -> Encounter:
    """The encounter of the header, if it is whole and its rules are ours."""
    try:
        encounter = Encounter.from_dict(header["encounter"], source=f"{source}:1")
    except KeyError:
        raise ReplayError(f"{source}:1: the header has no encounter") from None
    except RecursionError:
        raise ReplayError(f"{source}:1: {DEEP}") from None
    except EncounterError as error:
        raise ReplayError(f"{source}:1: the encounter is not valid here: {error}") from None
    if header.get("encounter_digest") != encounter.digest:
        raise ReplayError(f"{source}:1: the encounter was changed after the skirmish")
    ours = engine_of(encounter.ruleset.name).digest
    if header.get("rules_digest") != ours:
        raise ReplayError(
            f"{source}:1: was played by other rules of {encounter.ruleset.name} "
            f"(digest {header.get('rules_digest')!r:.40}, here {ours!r})"
        )
    return encounter
