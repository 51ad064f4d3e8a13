"""Writing a saved policy as ONNX."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lens_env.errors import LensError

from .card import ONNX
from .extra import needs
from .policy import PolicyAgent

OPSET, IR_VERSION = 17, 8  # old enough for every onnxruntime that we allow


def export_onnx(folder: Path) -> Path:
    """Write ``policy.onnx`` into the folder of a saved policy, whole or not at all; returns its path."""
    agent = PolicyAgent(str(folder))
    onnx = needs("onnx", "onnx")
    path, beside = folder / ONNX, folder / f".{ONNX}.part"
    model = _model(onnx, agent)
    onnx.checker.check_model(model)
    try:
        beside.write_bytes(model.SerializeToString())
        os.replace(beside, path)
    except OSError as error:
        raise LensError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)
    return path


def _model(onnx: Any, agent: PolicyAgent) -> Any:
    """The layers one by one: torch's own exporters need more packages, or are deprecated."""
    helper, numbers = onnx.helper, onnx.numpy_helper
    nodes, weights, now = [], [], "observations"
    layers = list(agent.network)
    for place, layer in enumerate(layers):
        after = "scores" if place == len(layers) - 1 else f"layer{place}"
        if hasattr(layer, "weight"):
            names = [f"weight{place}", f"bias{place}"]
            arrays = (layer.weight.detach().numpy(), layer.bias.detach().numpy())
            weights += [numbers.from_array(array, name) for array, name in zip(arrays, names, strict=True)]
            nodes.append(helper.make_node("Gemm", [now, *names], [after], transB=1))
        else:
            nodes.append(helper.make_node({"Tanh": "Tanh", "ReLU": "Relu"}[type(layer).__name__], [now], [after]))
        now = after
    kind = onnx.TensorProto.FLOAT
    given = helper.make_tensor_value_info("observations", kind, ["batch", len(agent.card["observation_names"])])
    found = helper.make_tensor_value_info("scores", kind, ["batch", agent.card["actions"]])
    graph = helper.make_graph(nodes, "policy", [given], [found], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
