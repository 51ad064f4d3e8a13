"""Training a policy, from one checkpoint to the next.

Between two checkpoints the environments and all random numbers begin anew, with a seed that follows from the
training's own seed and the number of steps done. So a training that was killed and resumed ends with the same weights
as one that was not (on one thread); except with DQN, whose replay buffer is not kept: it is filled again.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from agents.known import load_agent
from lens_env import __version__
from lens_env.errors import LensError, SolveError
from lens_env.exact import build_graph

from .card import ARCHIVE, CARD, WEIGHTS, describe, read_card, write_folder
from .config import A2C, Training
from .evaluate import Exactly, play
from .extra import needs
from .opponents import Mixed
from .policy import PolicyAgent

CLASSES = {"maskable_ppo": ("sb3_contrib", "MaskablePPO"), "ppo": ("stable_baselines3", "PPO")} | {
    "a2c": ("stable_baselines3", "A2C"),
    "dqn": ("stable_baselines3", "DQN"),
}
OUR_OWN = ("layers", "activation", "final_learning_rate", "final_ent_coef")  # settings that SB3 knows by another name
EVALUATION_SEED = 1 << 40  # far from the seeds that are trained on
POLICY = "policy"
Progress = Callable[[int, dict[str, Any]], None]


class Trainer:
    """One training: a folder with checkpoints, and at the end the policy."""

    def __init__(self, training: Training, folder: Path) -> None:
        self.training, self.folder = training, folder
        self.model = training.model
        torch = needs("learn", "torch")
        torch.set_num_threads(self.model.threads)
        module, name = CLASSES[self.model.algorithm]
        self._kind = getattr(needs("learn", module), name)
        self._env = self._make_env()
        self._exact: list[tuple[str, Exactly]] | None = None
        self.history: list[dict[str, Any]] = []

    # --- the folder ----------------------------------------------------------------------------------------

    def checkpoints(self) -> list[Path]:
        """The checkpoints that are there, the newest last."""
        found = [path for path in self.folder.glob("checkpoint-*") if re.fullmatch(r"checkpoint-\d+", path.name)]
        return sorted(found, key=lambda path: int(path.name.partition("-")[2]))

    def begin(self, *, resume: bool, fresh: bool) -> int:
        """Make the folder or take it up again; returns the steps already done. LensError if it is not clear which."""
        there = self.checkpoints()
        if there and fresh:
            for path in (*there, self.folder / POLICY):
                shutil.rmtree(path, ignore_errors=True)
            there = []
        if there and not resume:
            raise LensError(f"{self.folder}: holds a training already; --resume goes on with it, --fresh begins anew")
        if resume and not there:
            raise LensError(f"{self.folder}: holds no checkpoint to resume from")
        if not there:
            self.sb3 = self._new()
            return 0
        card = read_card(there[-1])
        if card.get("training_digest") != self.training.digest:
            raise LensError(f"{there[-1]}: is of a training with other settings; --fresh begins anew")
        self.history = card["history"]
        self.sb3 = self._kind.load(there[-1] / ARCHIVE, env=self._env, device="cpu")
        return int(card["steps"])

    def run(self, done: int, progress: Progress | None = None) -> Path:
        """Train on to the end; returns the folder of the policy. ``progress``: steps done, the last evaluation."""
        most = self.model.timesteps
        while done < most:
            self._begin_anew(done)
            before = self.sb3.num_timesteps
            callback = self._callback(progress)
            self.sb3.learn(min(self.model.checkpoint_every, most - done), callback, 100, "train", False)
            done += int(self.sb3.num_timesteps - before)
            self._save(done)
            if progress is not None:
                progress(done, self.history[-1])
        last = self.checkpoints()[-1]
        write_folder(self.folder / POLICY, lambda to: _copy(last, to))
        return self.folder / POLICY

    # --- inside --------------------------------------------------------------------------------------------

    def _make_env(self) -> Any:
        """The environments; algorithms without a mask are fined for what is not legal."""
        LensVecEnv = needs("learn", "lens_env.envs.sb3").LensVecEnv  # noqa: N806  (a class)
        settings: dict[str, Any] = {"reward": self.model.reward, "side": self.model.side}
        if self.model.algorithm != "maskable_ppo":
            settings["on_illegal"] = "penalty"
        opponent = self._opponent()
        encounters = list(self.training.encounters)
        return LensVecEnv(
            encounters[0].ruleset.name, self.model.envs, encounter=encounters, opponent=opponent, **settings
        )

    def _opponent(self) -> Any:
        agents = [load_agent(spec) for spec in self.model.opponents]
        return agents[0] if len(agents) == 1 else Mixed(agents)

    def _new(self) -> Any:
        torch = needs("learn", "torch")
        settings = self.training.settings.model_dump()
        layers, activation = settings["layers"], getattr(torch.nn, settings["activation"])
        kept = {name: value for name, value in settings.items() if name not in OUR_OWN}
        return self._kind(
            "MlpPolicy",
            self._env,
            policy_kwargs={"net_arch": layers, "activation_fn": activation},
            seed=self.model.seed,
            tensorboard_log=str(self.folder / "tensorboard"),
            device="cpu",
            **kept,
        )

    def _begin_anew(self, done: int) -> None:
        sequence = np.random.SeedSequence([self.model.seed, done])
        first, second = (int(word) for word in sequence.generate_state(2, np.uint32))
        self.sb3.set_random_seed(first)
        self._env.seed(second << 20)
        self.sb3._last_obs = None  # it opens the environments again

    def _callback(self, progress: Progress | None) -> Any:
        base = needs("learn", "stable_baselines3.common.callbacks").BaseCallback
        schedule = needs("learn", "stable_baselines3.common.utils").ConstantSchedule
        settings, most = self.training.settings, self.model.timesteps

        class Anneal(base):  # type: ignore[misc,valid-type]
            """Lets the learning rate and the entropy bonus fall over the whole training."""

            def _on_step(self) -> bool:
                return True

            def _on_rollout_end(self) -> None:
                left = max(0.0, 1 - self.model.num_timesteps / most)

                def now(first: float, last: float) -> float:
                    return float(last + (first - last) * left)

                rate = now(settings.learning_rate, settings.final_learning_rate)
                self.model.lr_schedule = schedule(max(rate, 1e-9))
                if isinstance(settings, A2C):
                    self.model.ent_coef = now(settings.ent_coef, settings.final_ent_coef)
                if progress is not None:
                    progress(self.model.num_timesteps, {})

        return Anneal()

    def _save(self, steps: int) -> None:
        """Write a checkpoint, with the policy's evaluation, and remove the older ones."""
        older = self.checkpoints()

        def fill(folder: Path) -> None:
            np.savez(folder / WEIGHTS, **weights_of(self.sb3, self.model.algorithm))
            self.sb3.save(folder / ARCHIVE)
            card = self._card(steps)
            (folder / CARD).write_text(json.dumps(card), encoding="utf-8")
            self.history.append({"steps": steps, **self._evaluated(PolicyAgent(str(folder)))})
            card |= {"history": self.history, "evaluation": self.history[-1]}
            (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")

        write_folder(self.folder / f"checkpoint-{steps:012d}", fill)
        for path in older:
            shutil.rmtree(path, ignore_errors=True)

    def _card(self, steps: int) -> dict[str, Any]:
        packages = ("stable-baselines3", "sb3-contrib", "torch", "numpy", "numba")
        told = describe(self.training.encounters, self.model.side, self.training.settings.activation)
        return told | {
            "name": self.model.name,
            "training": self.model.model_dump(mode="json") | {"settings": self.training.settings.model_dump()},
            "training_digest": self.training.digest,
            "seed": self.model.seed,
            "versions": {"lens-env": __version__} | {name: version(name) for name in packages},
            "steps": steps,
        }

    def _evaluated(self, agent: PolicyAgent) -> dict[str, Any]:
        """The mean outcome by encounter (those held out, too) against the opponents, and the exact figures."""
        played = {}
        for encounter in (*self.training.encounters, *self.training.held_out):
            count, opponent = self.model.evaluate.skirmishes, self._opponent()
            outcome = play(encounter, self.model.side, agent, opponent, count, EVALUATION_SEED)
            played[encounter.source] = round(outcome, 6)
        exact = {name: exactly.value(agent) for name, exactly in self._exactly()}
        return {"played": played, "exact": exact}

    def _exactly(self) -> list[tuple[str, Exactly]]:
        """What is evaluated exactly: the encounters that are small enough, against each opponent."""
        if self._exact is None:
            self._exact = []
            most = self.model.evaluate.exact_states
            for encounter in (*self.training.encounters, *self.training.held_out) if most else ():
                try:
                    graph = build_graph(encounter, most)
                except SolveError:
                    continue  # too large: it is only played
                for spec in self.model.opponents:
                    label = f"{encounter.source} against {spec if isinstance(spec, str) else json.dumps(spec)}"
                    self._exact.append((label, Exactly(graph, self.model.side, load_agent(spec))))
        return self._exact


def _copy(folder: Path, to: Path) -> None:
    for path in folder.iterdir():
        shutil.copy(path, to)


def weights_of(sb3: Any, algorithm: str) -> dict[str, Any]:
    """The layers that decide, in order: weight0, bias0, weight1 ..."""
    policy = sb3.policy
    inner = list(policy.q_net.q_net) if algorithm == "dqn" else [*policy.mlp_extractor.policy_net, policy.action_net]
    linear = [layer for layer in inner if hasattr(layer, "weight")]
    found = {}
    for number, layer in enumerate(linear):
        found[f"weight{number}"] = layer.weight.detach().numpy().copy()
        found[f"bias{number}"] = layer.bias.detach().numpy().copy()
    return found
