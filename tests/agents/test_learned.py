"""Training, saved policies, and the agents that play them."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from agents import load_agent
from agents.learned.card import CARD, WEIGHTS, write_folder
from agents.learned.config import load_training
from agents.learned.export import export_onnx
from agents.learned.train import Trainer
from lens_env import load_encounter
from lens_env.errors import LensError
from lens_env.play.engine import Batch

CONFIG = """\
name: Small
encounters: [norova/mage_duel]
timesteps: 2048
envs: 32
checkpoint_every: 1024
settings: {n_steps: 16, batch_size: 256, n_epochs: 1, layers: [16]}
evaluate: {skirmishes: 20}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def trained(config: Path, out: Path, **changes: object) -> Path:
    trainer = Trainer(load_training(str(config), changes), out)
    return trainer.run(trainer.begin(resume=False, fresh=False))


def weights(policy: Path) -> dict[str, np.ndarray]:
    with np.load(policy / WEIGHTS) as file:
        return dict(file.items())


def same(one: Path, other: Path) -> bool:
    first, second = weights(one), weights(other)
    return all(np.array_equal(first[name], second[name]) for name in first)


def test_one_seed_one_policy_and_resumed_is_the_same(config: Path, tmp_path: Path) -> None:
    whole = trained(config, tmp_path / "whole")
    assert same(whole, trained(config, tmp_path / "again"))
    assert not same(whole, trained(config, tmp_path / "other", seed=1))

    class Cut(Exception):
        pass

    def cut(steps: int, found: dict[str, object]) -> None:
        if found:  # a checkpoint has just been written
            raise Cut

    first = Trainer(load_training(str(config)), tmp_path / "cut")
    with pytest.raises(Cut):
        first.run(first.begin(resume=False, fresh=False), cut)
    second = Trainer(load_training(str(config)), tmp_path / "cut")
    with pytest.raises(LensError, match="--resume goes on with it"):
        second.begin(resume=False, fresh=False)
    done = second.begin(resume=True, fresh=False)
    assert done == 1024
    assert same(whole, second.run(done))
    other = Trainer(load_training(str(config), {"seed": 9}), tmp_path / "cut")
    with pytest.raises(LensError, match="other settings"):
        other.begin(resume=True, fresh=False)


def test_onnx_decides_the_same_and_a_wrong_card_is_refused(config: Path, tmp_path: Path) -> None:
    from sb3_contrib import MaskablePPO

    from agents.learned.playing import observe

    folder = trained(config, tmp_path / "run")
    export_onnx(folder)
    encounter = load_encounter("norova/mage_duel")
    torch, onnx = load_agent(f"policy:{folder}"), load_agent(f"onnx:{folder}")
    torch.check([encounter])
    archive = MaskablePPO.load(folder / "sb3.zip")
    batch, random, seen = Batch(encounter, 2000, seed=5), load_agent("random"), 0
    while seen < 10_000:
        asked = batch.select(np.flatnonzero(~batch.over))
        actions = torch.act(asked)
        assert np.array_equal(actions, onnx.act(asked))
        observations = observe(asked, 1)
        predicted, _ = archive.predict(observations, action_masks=asked.mask.astype(bool), deterministic=True)
        assert np.array_equal(actions, predicted)
        seen += len(asked)
        asked.step(random.act(asked))
        batch = asked if not asked.over.all() else Batch(encounter, 2000, seed=seen)
    _draws_by_its_chances(folder)
    with pytest.raises(LensError, match="Duel: has other fighters or actions"):
        onnx.check([load_encounter("norova/duel")])
    with pytest.raises(LensError, match="trained with norova"):
        onnx.check([load_encounter("the_lens/duel")])
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    for field, value in {"ruleset_digest": "0" * 16, "observation_names": ["x"], "actions": 3, "format": 99}.items():
        (folder / CARD).write_text(json.dumps({**card, field: value}), encoding="utf-8")
        with pytest.raises(LensError, match=field):
            load_agent(f"onnx:{folder}")


def _draws_by_its_chances(folder: Path) -> None:
    agent = load_agent({"agent": "onnx", "folder": str(folder), "sample": True})
    batch = Batch(load_encounter("norova/mage_duel"), 4000, seed=3)
    first = agent.act(batch)
    rows = np.arange(7, 4000, 3)
    assert np.array_equal(agent.act(batch.select(rows)), first[rows])
    chances = agent.chances(batch)  # alike in all skirmishes that open alike
    drawn = np.bincount(first, minlength=chances.shape[1])
    expected = chances.sum(axis=0)
    assert np.all(np.abs(drawn - expected) <= 5 * np.sqrt(expected) + 1e-9)
    assert np.count_nonzero(drawn) > 1
    agent.reset(8)
    assert not np.array_equal(agent.act(batch), first)


def test_killed_and_resumed(config: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "experiments.cli", "train", str(config), "--out", str(tmp_path / "run")]
    process = subprocess.Popen([*command, "--timesteps", "40960"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        if list((tmp_path / "run").glob("checkpoint-*")):
            break
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    done = subprocess.run([*command, "--timesteps", "40960", "--resume"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    load_agent(f"policy:{tmp_path / 'run' / 'policy'}").check([load_encounter("norova/mage_duel")])


def test_a_full_disk_leaves_the_previous_one_whole(tmp_path: Path) -> None:
    write_folder(tmp_path / "one", lambda to: (to / "a").write_text("old") and None)

    def full(to: Path) -> None:
        (to / "a").write_text("half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(LensError, match="cannot be written: No space left on device"):
        write_folder(tmp_path / "one", full)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
    assert (tmp_path / "one" / "a").read_text() == "old"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("timesteps: 2048", "algorithm: sarsa", "algorithm: cannot be 'sarsa'; allowed: maskable_ppo, ppo, a2c, dqn"),
        ("envs: 32", "env: 32", "env: is no known field"),
        ("n_steps: 16", "n_step: 16", "settings.n_step: is no known field"),
        ("envs: 32", "opponents: [nobody]", "unknown agent 'nobody'"),
        ("norova/mage_duel", "norova/nobody", "no encounter of this name"),
        ("envs: 32", "hold_out: [{max_rounds: 3}]", "hold_out.0: is no setting of the grid"),
    ],
)
def test_a_wrong_training_file_is_refused(config: Path, old: str, new: str, message: str) -> None:
    config.write_text(CONFIG.replace(old, new), encoding="utf-8")
    with pytest.raises(LensError) as caught:
        load_training(str(config))
    assert message in str(caught.value)


def test_a_missing_extra_names_the_command(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(LensError, match=r"pip install 'lens-env\[learn\]'"):
        Trainer(load_training(str(config)), tmp_path / "run")
