"""What the numbers of an observation mean: their names, bounds, groups, and reading them back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from lens_env.core.ruleset import Ruleset, Seen

Array = np.ndarray[Any, Any]


class Layout:
    """The order of an observation: the scene, then the decider, its allies and its enemies, ``slots`` a side.

    A slot that nobody fills holds zeros. Names are ``scene.window.DEFEND``, ``self.body``, ``ally 1.body``,
    ``enemy 1.body`` ...
    """

    def __init__(self, ruleset: Ruleset, slots: int) -> None:
        self.ruleset, self.slots = ruleset, slots
        who = ["self", *(f"ally {i}" for i in range(1, slots)), *(f"enemy {i}" for i in range(1, slots + 1))]
        self.blocks: tuple[tuple[str, tuple[Seen, ...]], ...] = (
            ("scene", ruleset.scene),
            *((name, ruleset.fighter) for name in who),
        )
        listed = [(f"{block}.{seen.name}", seen) for block, members in self.blocks for seen in members]
        self.names = tuple(name for name, _ in listed)
        self.low = np.array([seen.low for _, seen in listed], np.float32)
        self.high = np.array([seen.high for _, seen in listed], np.float32)

    def space(self) -> spaces.Box:
        """One flat float32 Box."""
        return spaces.Box(self.low, self.high, dtype=np.float32)

    def dict_space(self) -> spaces.Dict:
        """The same numbers as named groups, a Box each."""
        return spaces.Dict({name: spaces.Box(self.low[part], self.high[part]) for name, part in self._parts().items()})

    def grouped(self, observation: Array) -> dict[str, Array]:
        """(D,) as named groups."""
        return {name: observation[part].copy() for name, part in self._parts().items()}

    def decode(self, observation: Array) -> dict[str, Any]:
        """(D,) as something to read: by block and name, only what is not 0, the open window by its name.

        Fighters that are not there are left out. ValueError if it has another shape.
        """
        if np.shape(observation) != (len(self.names),):
            raise ValueError(f"an observation has the shape {(len(self.names),)}, got {np.shape(observation)}")
        read: dict[str, Any] = {}
        for block, part in self._parts().items():
            members = dict(zip((name.partition(".")[2] for name in self.names[part]), observation[part], strict=True))
            read[block] = _readable(members)
        return {block: members for block, members in read.items() if members}

    def _parts(self) -> dict[str, slice]:
        """Where each block lies."""
        parts, at = {}, 0
        for name, members in self.blocks:
            parts[name] = slice(at, at + len(members))
            at += len(members)
        return parts


def _readable(members: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers that are not 0; what is on or off as True, one-hot groups named window as a single word."""
    found: dict[str, Any] = {}
    for name, value in members.items():
        group, dot, member = name.partition(".")
        if value == 0:
            continue
        if group == "window" and dot:
            found["window"] = member
        else:
            found[name] = True if value == 1 else round(float(value), 4)
    return found
