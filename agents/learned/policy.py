"""The agent ``policy``: plays a saved policy with torch, from its plain weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from lens_env.errors import LensError

from .card import WEIGHTS
from .extra import needs
from .playing import NetworkAgent

Array = np.ndarray[Any, Any]


class PolicyAgent(NetworkAgent):
    """Plays a policy saved by ``lens-env train``: always the legal action that it likes best."""

    def __init__(self, folder: str, *, sample: bool = False, name: str = "policy") -> None:
        super().__init__(folder, sample=sample, name=name)
        self._torch = needs("learn", "torch")
        self.network = network_of(self.folder, self.card["activation"])
        sizes = [layer.weight.shape for layer in self.network if hasattr(layer, "weight")]
        if sizes[0][1] != len(self.card["observation_names"]) or sizes[-1][0] != self.card["actions"]:
            raise LensError(f"{self.folder / WEIGHTS}: the layers do not fit the observations and actions of the card")

    def scores(self, observations: Array) -> Array:
        """(B, A) float32: the logits, or the values of the actions."""
        with self._torch.no_grad():
            found: Array = self.network(self._torch.from_numpy(observations)).numpy()
        return found


def network_of(folder: Path, activation: str) -> Any:
    """The layers that decide, as a torch.nn.Sequential. LensError if the file of weights is none."""
    torch = needs("learn", "torch")
    path = folder / WEIGHTS
    kinds = {"Tanh": torch.nn.Tanh, "ReLU": torch.nn.ReLU}
    if activation not in kinds:
        raise LensError(f"{folder}: activation: allowed are {', '.join(kinds)}, got {activation!r}")
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file.items())
        layers: list[Any] = []
        for number in range(len(arrays) // 2):
            weight, bias = arrays[f"weight{number}"], arrays[f"bias{number}"]
            linear = torch.nn.Linear(weight.shape[1], weight.shape[0])
            linear.load_state_dict({"weight": torch.from_numpy(weight), "bias": torch.from_numpy(bias)})
            layers += [linear, kinds[activation]()]
    except (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile, RuntimeError, TypeError) as error:
        raise LensError(f"{path}: no weights of a policy: {error}") from None
    if not layers:
        raise LensError(f"{path}: no weights of a policy: it holds no layer")
    return torch.nn.Sequential(*layers[:-1])
