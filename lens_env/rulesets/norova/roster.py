"""Who takes part in an encounter: what several modules need to agree on."""

from __future__ import annotations

from dataclasses import dataclass

from lens_env.core.fields import Path
from lens_env.core.skirmish import Side

from .sheets import FighterModel, NorOvaEncounter


@dataclass(frozen=True)
class Entry:
    """A fighter as the file describes it."""

    name: str
    model: FighterModel
    side: Side
    path: Path  # of its block in the file

    @property
    def spectates(self) -> bool:
        """Is it a spectator?"""
        return self.model.role == "spectator"


def roster(encounter: NorOvaEncounter) -> list[Entry]:
    """All fighters by index: the party, then the foes, in file order."""
    party = [Entry(one.name, one, Side.PARTY, ("party", i)) for i, one in enumerate(encounter.party)]
    foes = [Entry(one.name, one, Side.FOES, ("foes", i)) for i, one in enumerate(encounter.foes)]
    return party + foes
