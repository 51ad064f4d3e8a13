"""A rule changed in one file is played at the next run, without clearing any cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PLAY = """
from lens_env import Game, Scripted, load_encounter
from lens_env.core.kernel import on_compile

compiled = []
on_compile(compiled.append)
game = Game(load_encounter("the_lens/ogre_at_the_ford"), dice=Scripted(["SUCCESS", "TRIUMPH"]))
while game.window != "ACT":
    game.play(game.legal()[0])
game.play("END TURN")
attack = next(action for action in game.legal() if action.startswith("ATTACK"))
foe = game.decider
momentum = game.state_dict()["fighters"][foe]["momentum"]
game.play(attack).play("BLOCK")
while game.window in ("ASSIST", "INTERFERE"):
    game.play("PASS")
print(momentum - 1 - game.state_dict()["fighters"][foe]["momentum"], bool(compiled))
"""


def run(root: Path) -> list[str]:
    """What a blocked attack's stun costs in a fresh process, and whether anything was compiled."""
    # interpreted runs have no cache that could go stale, so this is about the compiled ones
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(root / "cache"),
        "PYTHONPATH": str(root),
        "NUMBA_DISABLE_JIT": "0",
    }
    done = subprocess.run([sys.executable, "-c", PLAY], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_changed_rule_is_played_at_the_next_run(tmp_path: Path) -> None:
    for folder in ("lens_env", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert run(tmp_path) == ["1", "True"]
    assert run(tmp_path) == ["1", "False"]
    rule = tmp_path / "lens_env" / "rulesets" / "the_lens" / "fighters.py"
    text = rule.read_text()
    assert text.count("STUN_LOSS = 1") == 1
    rule.write_text(text.replace("STUN_LOSS = 1", "STUN_LOSS = 2"))
    assert run(tmp_path) == ["2", "True"]
    stale = {path.name.split("__")[-1].split("-")[0] for path in (tmp_path / "cache").rglob("*the_lens__*.nb?")}
    assert len(stale) == 1, "what the older rules left in the cache is deleted"
