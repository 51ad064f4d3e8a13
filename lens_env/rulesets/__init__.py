"""The rulesets by name. A ruleset is imported when it is first asked for, not before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module

from lens_env.core.ruleset import Ruleset, find_rulesets
from lens_env.errors import EncounterError

OWN = {
    "the_lens": "lens_env.rulesets.the_lens:RULESET",
    "lamashtu": "lens_env.rulesets.lamashtu:RULESET",
    "norova": "lens_env.rulesets.norova:RULESET",
}


class UnknownRuleset(EncounterError, KeyError):
    """There is no ruleset of this name: names the known ones."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show its message in quotes


@cache
def _imported(place: str) -> Ruleset:
    """The ruleset at "package:attribute"; an import that fails keeps its own error."""
    module, _, attribute = place.partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, Ruleset):
        raise TypeError(f"{place} is no Ruleset but a {type(found).__name__}")
    return found


class Rulesets(Mapping[str, Ruleset]):
    """``RULESETS["the_lens"]``: our own rulesets, then those that other packages have announced."""

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = dict(own)

    @cached_property
    def _places(self) -> dict[str, str]:
        return find_rulesets(self._own)

    def __getitem__(self, name: str) -> Ruleset:
        if name not in self._places:
            near = get_close_matches(str(name), self._places, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UnknownRuleset(f"there is no ruleset {name!r}; known: {', '.join(sorted(self._places))}{hint}")
        return _imported(self._places[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places


RULESETS = Rulesets(OWN)
