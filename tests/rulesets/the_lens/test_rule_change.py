"""A rule changed in one file is played at the next run, without clearing any cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from lens_env import Game, Scripted, load_encounter

ROOT = Path(__file__).parents[3]
# the legal actions in a position, by a loop that is compiled much faster than those that play
ASK = """
import numpy as np
from lens_env import load_encounter
from lens_env.core import dice, log, mask, record
from lens_env.core.kernel import on_compile
from lens_env.play.engine import engine_of

compiled = []
on_compile(compiled.append)
encounter = load_encounter("the_lens/ogre_at_the_ford")
states, masks = encounter.ruleset.new_states(1), np.zeros(1, mask.dtype(encounter.ruleset.size))
states.view(np.int64)[:] = np.load("state.npy")
rows = (states, record.new(dice.Dice), encounter.built.setup, np.zeros(1, np.int64), record.new(log.Log), masks)
engine_of("the_lens").run("mask_many", *rows)
legal = [encounter.built.actions[action] for action in masks["listed"][0][: masks["count"][0]]]
print("BLOCK" in legal, bool(compiled))
"""


def run(root: Path) -> list[str]:
    """Whether the attacked one may BLOCK, asked in a fresh process, and whether anything was compiled."""
    # interpreted runs have no cache that could go stale, so this is about the compiled ones
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(root / "cache"),
        "PYTHONPATH": str(root),
        "NUMBA_DISABLE_JIT": "0",
    }
    done = subprocess.run([sys.executable, "-c", ASK], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def attacked_with_one_momentum() -> Game:
    game = Game(load_encounter("the_lens/ogre_at_the_ford"), dice=Scripted(["SUCCESS", "TRIUMPH"]))
    while game.window != "ACT":
        game.play(game.legal()[0])
    game.play("END TURN")
    game.play(next(action for action in game.legal() if action.startswith("ATTACK")))
    assert game.window == "DEFEND"
    game.state["fighters"]["momentum"][0, game.built.fighters.index(str(game.decider))] = 1
    return game


def test_a_changed_rule_is_played_at_the_next_run(tmp_path: Path) -> None:
    np.save(tmp_path / "state.npy", attacked_with_one_momentum().state.view(np.int64))
    for folder in ("lens_env", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert run(tmp_path) == ["True", "True"]
    assert run(tmp_path) == ["True", "False"]
    rule = tmp_path / "lens_env" / "rulesets" / "the_lens" / "defenses.py"
    text = rule.read_text()
    cost = "momentum < active_cost(game, who):"
    assert text.count(cost) == 1
    rule.write_text(text.replace(cost, "momentum < 1 + active_cost(game, who):"))
    assert run(tmp_path) == ["False", "True"]
    kept = {path.name.split("-")[0].rpartition("__")[::2] for path in (tmp_path / "cache").rglob("*the_lens__*.nbi")}
    assert len(kept) == len(dict(kept)) == 2, "what the older rules left in the cache is deleted"
