"""What is told about agents: what they do, the settings they take, and how they are written on a command line."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agents.known import JOINED, OWN, describe_agent, factory_of, list_agents
from lens_env.errors import LensError

KINDS = {
    "agents.scripted": "Scripted",
    "agents.search": "Searching",
    "agents.exact": "Exact",
    "agents.learned": "Learned",
}
OTHERS = "From other packages"
NO_DEFAULT = inspect.Parameter.empty


@dataclass(frozen=True)
class About:
    """A known agent."""

    name: str
    place: str  # "module:factory"

    @property
    def kind(self) -> str:
        """How it decides, or that it comes from another package."""
        if self.name in OWN:
            for package, kind in KINDS.items():
                if self.place.startswith(package):
                    return kind
        return OTHERS

    @property
    def sentence(self) -> str:
        """The first line of its documentation; for an agent that cannot be loaded, why."""
        try:
            return describe_agent(self.name)
        except LensError as error:
            return f"({error})"

    @cached_property
    def _factory(self) -> Any:
        return factory_of(self.name)

    @property
    def text(self) -> str:
        """Its whole documentation. LensError if it cannot be loaded."""
        return inspect.getdoc(self._factory) or "(no documentation)"

    @property
    def settings(self) -> dict[str, Any]:
        """The defaults of its settings; NO_DEFAULT where one must be given."""
        try:
            found = inspect.signature(self._factory).parameters.values()
        except (TypeError, ValueError):  # of compiled code
            return {}
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return {one.name: one.default for one in found if one.name != "name" and one.kind not in kinds}

    @property
    def written(self) -> str:
        """How it is written on a command line, with the setting that follows a colon if there is one."""
        if self.name == JOINED:
            return "ATTACK+DEFENSE, as in aggressive+thrifty"
        colon = getattr(self._factory, "colon", None)
        if colon is None:
            return self.name
        word = str(colon).upper()
        if getattr(self._factory, "colon_lists", False):
            word = f"{word.removesuffix('S')},{word.removesuffix('S')},..."
        required = self.settings.get(colon) is NO_DEFAULT
        return f"{self.name}:{word}" if required else f"{self.name} or {self.name}:{word}"


def about(name: str) -> About:
    """What is known about an agent. LensError with the known names if there is none of this one."""
    factory_of(name)
    return About(name, list_agents()[name])


def about_all() -> dict[str, list[About]]:
    """All agents by kind, ours first, each kind sorted by name."""
    found: dict[str, list[About]] = {kind: [] for kind in (*KINDS.values(), OTHERS)}
    for name, place in sorted(list_agents().items()):
        one = About(name, place)
        found[one.kind].append(one)
    return {kind: several for kind, several in found.items() if several}


def separated(text: str) -> list[str]:
    """The agents of a list with commas.

    A comma begins another agent where the name of one follows; elsewhere, after a colon, it belongs to the settings:
    ``"prefer:BLOCK,ATTACK,random"`` is two agents. So does one inside of braces.
    """
    found: list[str] = []
    for piece in text.split(","):
        name = piece.partition(":")[0].partition("+")[0].strip()
        inside = found and found[-1].count("{") > found[-1].count("}")
        begins = name in list_agents() or name.startswith("{")
        if inside or (found and ":" in found[-1] and not begins):
            found[-1] += f",{piece}"
        else:
            found.append(piece.strip())
    return found
