"""How fast it is on this machine: batches, one game, two processes, and the first start.

Rates are those of the best of several short windows: whatever else the machine does can only slow one down.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from agents import load_agent
from experiments.bench_envs import environments
from experiments.bench_exact import exact_solving
from lens_env import RULESETS, Encounter, Game, load_encounter
from lens_env.core import philox, record
from lens_env.envs.options import default_encounter
from lens_env.play.encounter import list_encounters
from lens_env.play.engine import Batch
from lens_env.play.files import write_atomically

BATCH = 1024
STEPS = 100  # decisions of each skirmish between two looks at the clock
SECONDS = 4.0
WINDOWS = 20  # into which the seconds are cut
PLAYS = 40_000
CHUNK = 500  # plays between two looks at the clock, at least

HERO: dict[str, Any] = {
    "aspects": {"body": 14, "mind": 6, "spirit": 4},
    "abilities": {
        "weapon_use": {"talent": "strong", "rank": "journeyman"},
        "shield_use": {"talent": "average", "rank": "apprentice"},
        "maneuvering": {"talent": "average", "rank": "apprentice"},
        "armor_use": {"talent": "average", "rank": "apprentice"},
    },
    "initiative_abilities": ["maneuvering", "weapon_use"],
    "weapon": {"name": "long sword", "size": "medium", "quality": "fine", "tags": ["slashing"]},
    "shield": {"quality": "common"},
    "armor": {"rating": 2, "quality": "common"},
}
FOE: dict[str, Any] = {
    **{"body": 18, "initiative": 4, "defense": 4, "abjuration": 4, "attack_rating": 4},
    "attacks": [
        {"name": "club", "dice": 3, "sides": 4, "tags": ["heavy"]},
        {"name": "sweep", "dice": 2, "sides": 4, "tags": ["sweeping"]},
    ],
}
DUEL = {"ruleset": "the_lens", "name": "Duel", "party": [{"name": "A", **HERO}], "foes": [{"name": "Ogre", **FOE}]}
PAIRS = {
    "ruleset": "the_lens",
    "name": "Two against two",
    "board": {"kind": "square", "width": 6, "height": 6},
    "party": [{"name": "A", "position": [0, 2], **HERO}, {"name": "B", "position": [0, 3], **HERO}],
    "foes": [{"name": "Ogre", "position": [5, 2], **FOE}, {"name": "Troll", "position": [5, 3], **FOE}],
}
_together: list[Any] = []  # in one of several processes: the barrier at which they meet
FIRST_START = "from experiments.bench import first_step; first_step()"


@dataclass(frozen=True)
class Figure:
    """One measurement."""

    name: str
    value: float
    unit: str
    note: str

    @property
    def text(self) -> str:
        """The value with its unit."""
        return f"{self.value:,.0f} {self.unit}" if self.value >= 1000 else f"{self.value:.2f} {self.unit}"


@dataclass(frozen=True)
class Report:
    """All measurements and where they were made."""

    machine: str
    figures: tuple[Figure, ...]


def measure(quick: bool = False, encounters: Sequence[str] = ()) -> Report:
    """Measure everything; ``quick`` for a tenth of the time and without the cold start.

    ``encounters``: names of more encounters in which random play is measured.
    """
    seconds = SECONDS / 10 if quick else SECONDS
    more = {name: load_encounter(name).data for name in encounters}
    pairs = random_decisions(PAIRS, seconds)
    both = _two_processes(seconds)
    plays = game_plays(PLAYS // 10 if quick else PLAYS)
    found = [
        Figure("2 against 2, 6x6 board", pairs, "decisions/s", f"random play, batch {BATCH}, masks, one core"),
        Figure("duel, no board", random_decisions(DUEL, seconds), "decisions/s", f"random play, batch {BATCH}"),
        Figure("two processes together", both, "decisions/s", f"2 against 2; {both / pairs:.2f} times one"),
        Figure("Game.play", plays, "plays/s", "a duel, from Python, with the event tape"),
    ]
    rates = environments(lambda work: _rate(work, seconds), Encounter.from_dict(DUEL), Encounter.from_dict(PAIRS))
    found += [Figure(*rate) for rate in rates]
    for name, data in more.items():
        note = f"random play, batch {BATCH}, masks, one core"
        found.append(Figure(name, random_decisions(data, seconds), "decisions/s", note))
    return Report(machine(), (*found, *_others(seconds), *(() if quick else _starts())))


def measure_exact(quick: bool = False, encounters: Sequence[str] = ()) -> Report:
    """Measure exact solving, by default of each ruleset's duel; ``quick`` measures once, and without Storm."""
    names = encounters or [default_encounter(name) for name in RULESETS]
    return Report(machine(), tuple(Figure(*rate) for rate in exact_solving(names, quick)))


def _others(seconds: float) -> Iterator[Figure]:
    """The other rulesets that have an encounter of two against two."""
    for name in RULESETS:
        pairs = f"{name}/two_against_two"
        if name != PAIRS["ruleset"] and pairs in list_encounters():
            rate = random_decisions(load_encounter(pairs).data, seconds)
            yield Figure(f"{RULESETS[name].title}, 2 against 2", rate, "decisions/s", f"random play, batch {BATCH}")


def machine() -> str:
    """The machine and the versions that the figures depend on."""
    return (
        f"{_processor()}, {os.cpu_count()} cores; {platform.system()}; Python {platform.python_version()}, "
        f"numba {version('numba')}, numpy {np.__version__}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def random_decisions(encounter: dict[str, Any], seconds: float) -> float:
    """Decisions a second of random legal play, new skirmishes opened as others end.

    In one of several processes the clock starts when all are ready.
    """
    batch = Batch(Encounter.from_dict(encounter), BATCH)
    sources = record.new(philox.Source, BATCH)
    sources["stream"], sources["environment"] = 1, np.arange(BATCH)
    fixed = (batch.states, batch.dice, batch.setups, batch.which, batch.logs, batch.masks, sources)

    def play() -> None:
        batch.engine.run("random_play", *fixed, STEPS)

    return BATCH * STEPS * _rate(play, seconds)


def _rate(work: Callable[[], None], seconds: float) -> float:
    """Calls a second, in the best of the windows."""
    work()
    if _together:
        _together[0].wait()
    return max(_window(work, seconds / WINDOWS) for _ in range(WINDOWS))


def _window(work: Callable[[], None], seconds: float) -> float:
    calls, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        work()
        calls += 1
    return calls / passed


def _two_processes(seconds: float) -> float:
    """The sum of what two processes reach at the same time."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, context, _together.append, (context.Barrier(2),)) as pool:
        return sum(pool.map(random_decisions, [PAIRS] * 2, [seconds] * 2))


def game_plays(least: int) -> float:
    """Calls of ``Game.play`` a second: whole skirmishes are played, then played again by the clock."""
    encounter, agent = Encounter.from_dict(DUEL), load_agent("random")
    best, seed = 0.0, 0
    for _ in range(max(1, least // CHUNK)):
        plays, passed = 0, 0.0
        while plays < CHUNK:
            game, seed = Game(encounter, seed), seed + 1
            while not game.over:
                game.play(agent.choose(game))
            passed += _again(encounter, game)
            plays += len(game.moves) - 1
        best = max(best, plays / passed)
    return best


def _again(encounter: Encounter, game: Game) -> float:
    """The seconds that the same skirmish takes, its actions being known."""
    actions = [move.action for move in game.moves[1:]]
    again = Game(encounter, game.seed)
    start = time.perf_counter()
    for action in actions:
        again.play(action)
    return time.perf_counter() - start


# --- the first start ---------------------------------------------------------------------------------------


def first_step() -> None:
    """What a newcomer's first start has to compile: opening and stepping."""
    batch = Batch(Encounter.from_dict(PAIRS), 1)
    batch.step(load_agent("random").act(batch))


def _starts() -> tuple[Figure, Figure]:
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = _start(folder), _start(folder)
    return (
        Figure("first start", cold, "s", "a new process that compiles all it needs to play"),
        Figure("later start", warm, "s", "a new process, imports included, to the first decision"),
    )


def _start(cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_START], env=environment, check=True)
    return time.perf_counter() - start


def write_json(report: Report, path: Path) -> None:
    """Write the figures to a file, whole or not at all."""
    write_atomically(path, json.dumps(asdict(report), indent=1) + "\n")
