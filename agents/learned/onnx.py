"""The agent ``onnx``: plays an exported policy with onnxruntime, without torch and without any pickle."""

from __future__ import annotations

from typing import Any

import numpy as np

from lens_env.errors import LensError

from .card import ONNX
from .extra import needs
from .playing import NetworkAgent

Array = np.ndarray[Any, Any]


class OnnxAgent(NetworkAgent):
    """Plays a policy exported by ``lens-env export``: the same decisions, without torch."""

    def __init__(self, folder: str, *, sample: bool = False, name: str = "onnx") -> None:
        super().__init__(folder, sample=sample, name=name)
        runtime = needs("onnx", "onnxruntime")
        path = self.folder / ONNX
        if not path.is_file():
            raise LensError(f"{path}: no such file; lens-env export {self.folder} writes it")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            self.scores(np.zeros((1, len(self.card["observation_names"])), np.float32))
        except Exception as error:  # onnxruntime's errors share no base class
            raise LensError(f"{path}: onnxruntime cannot run it: {str(error).splitlines()[0]}") from None

    def scores(self, observations: Array) -> Array:
        """(B, A) float32: the logits, or the values of the actions."""
        found: Array = self._session.run(None, {"observations": observations})[0]
        return found
