"""The golden files: what every encounter does, as data. A change of behaviour shows as a diff of one of them.

    python -m tests.golden.make        writes them anew (then raise the ruleset's env version)

*Leaves*: how many different positions lie 0, 1, 2 ... decisions from the start, every action and every outcome of
the dice followed (equal outcomes of an action merged). *Playthroughs*: a skirmish told in full, its actions drawn
from a seeded generator.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from lens_env import Game, load_encounter
from lens_env.play.encounter import list_encounters
from lens_env.play.game import openings

HOME = Path(__file__).parent
SEED = 7
MOST_LEAVES = 20_000


def leaves(name: str) -> list[int]:
    """The number of leaves by depth, until the next depth would have more than about MOST_LEAVES."""
    games = [game for _, game in openings(load_encounter(name))]
    counts = [len(games)]
    while len(counts) < 4 and counts[-1] * (counts[-1] / (counts[-2] if len(counts) > 1 else 1)) < MOST_LEAVES:
        games = [after for game in games for action in game.legal() for _, after in game.outcomes(action)]
        counts.append(len(games))
    return counts


def playthrough(name: str) -> str:
    """A skirmish of random play, told."""
    game, choose = Game(load_encounter(name), seed=SEED), random.Random(SEED)
    while not game.over:
        game.play(choose.choice(game.legal()))
    return "\n".join([f"{name}, seed {SEED}", *game.log, str(game), f"trail {game.trail}"]) + "\n"


def encounters(ruleset: str) -> list[str]:
    """The encounters of a ruleset, by name."""
    return sorted(name for name in list_encounters() if name.startswith(f"{ruleset}/"))


def main() -> None:
    """Write every golden file."""
    for ruleset in sorted({name.partition("/")[0] for name in list_encounters()}):
        folder = HOME / ruleset
        folder.mkdir(exist_ok=True)
        counts = {name: leaves(name) for name in encounters(ruleset)}
        (folder / "leaves.json").write_text(json.dumps(counts, indent=1) + "\n")
        for name in encounters(ruleset):
            (folder / f"{name.partition('/')[2]}.txt").write_text(playthrough(name))


if __name__ == "__main__":
    main()
