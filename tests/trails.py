"""The trails of some random skirmishes, printed as JSON: run as a module, to compare processes.

With ``--noise`` the global random generators of Python and NumPy are used in between.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys

import numpy as np

from lens_env import Game, load_encounter

ENCOUNTERS = (
    *("the_lens/two_against_two", "the_lens/spell_caster", "the_lens/ambush"),
    *("lamashtu/two_against_two", "lamashtu/duel", "lamashtu/failure_hits"),
    *("norova/two_against_two", "norova/fire_mage", "norova/balcony", "norova/last_breath"),
)
SEEDS = (0, 1, 2**64 - 1)
DECISIONS = 80


def trail(name: str, seed: int, noise: bool) -> list[int | str]:
    """The trail, and a digest of all states on the way."""
    running, choice, digest = Game(load_encounter(name), seed), random.Random(seed), hashlib.sha256()
    for _ in range(DECISIONS):
        if running.over:
            break
        if noise:
            random.seed(random.random())
            np.random.seed(int(np.random.random() * 1000))
        running.play(choice.choice(running.legal()))
        digest.update(running.state.tobytes())
        digest.update(running.mask.tobytes())
    return [running.trail, digest.hexdigest()]


def trails(noise: bool = False) -> dict[str, list[int | str]]:
    """All of them, by encounter and seed."""
    return {f"{name} {seed}": trail(name, seed, noise) for name in ENCOUNTERS for seed in SEEDS}


if __name__ == "__main__":
    json.dump(trails("--noise" in sys.argv), sys.stdout)
