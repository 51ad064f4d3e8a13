"""Who takes part in an encounter, and which abilities are rolled in it: what several modules need to agree on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lens_env.core.fields import Path

from .codes import Ability
from .sheets import CharacterModel, MonsterModel, SurpriseModel, TheLensEncounter, ability_key

FIXED_ABILITIES = tuple(ability.name.lower() for ability in Ability if ability != Ability.OTHER)


@dataclass(frozen=True)
class Entry:
    """A fighter as the file describes it."""

    name: str
    model: CharacterModel | MonsterModel
    path: Path  # of its block in the file
    position: tuple[int, int] | None
    position_path: Path  # of its position, or of the block if it has none


def roster(encounter: TheLensEncounter) -> list[Entry]:
    """All fighters by index: the party, then the foes, those with a ``count`` numbered from 1."""
    party = [_entry(hero.name, hero, ("party", i)) for i, hero in enumerate(encounter.party)]
    foes = [entry for i, foe in enumerate(encounter.foes) for entry in _monsters(foe, ("foes", i))]
    return party + foes


def _entry(name: str, model: CharacterModel | MonsterModel, path: Path) -> Entry:
    position = None if model.position is None else (model.position[0], model.position[1])
    return Entry(name, model, path, position, (*path, "position") if position else path)


def _monsters(foe: MonsterModel, path: Path) -> Iterator[Entry]:
    if foe.count is None:
        yield _entry(foe.name, foe, path)
        return
    for n in range(foe.count):
        place = foe.positions[n] if foe.positions and n < len(foe.positions) else None
        position = None if place is None else (place[0], place[1])
        yield Entry(f"{foe.name} {n + 1}", foe, path, position, (*path, "positions", n) if position else path)


def ability_slots(encounter: TheLensEncounter) -> dict[str, int]:
    """The slot of every ability that can be rolled: the fixed ones, then the others as the file names them."""
    slots = {name: slot for slot, name in enumerate(FIXED_ABILITIES)}
    for _, name in rolled_abilities(encounter):
        slots.setdefault(ability_key(name), len(slots))
    return slots


def rolled_abilities(encounter: TheLensEncounter) -> Iterator[tuple[Path, str]]:
    """Every place in the file that names an ability to be rolled: (path, name)."""
    surprise = encounter.surprise
    if isinstance(surprise, SurpriseModel):
        if surprise.ambush:
            yield ("surprise", "ambush", "ability"), surprise.ambush.ability
        if surprise.stalk:
            yield ("surprise", "stalk", "ability"), surprise.stalk.ability
    for i, hero in enumerate(encounter.party):
        yield from _rolled_by(hero, ("party", i))


def _rolled_by(hero: CharacterModel, path: Path) -> Iterator[tuple[Path, str]]:
    for i, name in enumerate(hero.initiative_abilities):
        yield (*path, "initiative_abilities", i), name
    for i, spell in enumerate(hero.spells):
        yield (*path, "spells", i, "school"), spell.school
    for i, item in enumerate(hero.items):
        if item.ability is not None:
            yield (*path, "items", i, "ability"), item.ability
