"""Names of actions: all different, and found again in the field ``forbid`` of an encounter file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .fields import FieldError, ForbidModel
from .record import Many
from .ruleset import called


def unique(wanted: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """The (name, slot) pairs as different names.

    A name that is taken gets its slot, counted from 1, and dashes if even that is taken.
    """
    names: list[str] = []
    taken: set[str] = set()
    for name, slot in wanted:
        if name in taken:
            name = f"{name} (slot {slot + 1})"
        while name in taken:
            name += "'"
        taken.add(name)
        names.append(name)
    return tuple(names)


def fill_forbidden(
    setup: Any, model: ForbidModel, actions: Sequence[str], possible: Sequence[set[int]] | None = None
) -> list[FieldError]:
    """Write the forbidden actions of both sides into a Setup record; returns what is wrong with the entries.

    ``possible`` holds the actions that each side can ever take; without it any action that has a name may be named.
    """
    named = {index for index, name in enumerate(actions) if not name.startswith("#")}
    sides = possible or (named, named)
    setup["forbids"] = int(bool(model.party or model.foes))
    wrong = forbid(setup["forbidden_party"], model.party, actions, sides[0], "party")
    return wrong + forbid(setup["forbidden_foes"], model.foes, actions, sides[1], "foes")


def forbid(
    mask: Many[int], entries: Sequence[str], actions: Sequence[str], possible: set[int], side: str
) -> list[FieldError]:
    """Set the byte of every action forbidden to a side in ``mask`` (64-bit words); returns what is wrong.

    An entry is the name of an action, or the words that several begin with.
    """
    indices = sorted(possible)
    names = [actions[index] for index in indices]
    kinds = kinds_of(names)
    flags = np.asarray(mask).view(np.uint8)
    errors = []
    for i, entry in enumerate(entries):
        hit = [indices[place] for place in called(entry, names)]
        if not hit:
            what = f"the party has no action {entry!r} here" if side == "party" else f"the foes have no {entry!r} here"
            errors.append(
                FieldError(("forbid", side, i), f"{what}; actions: {', '.join(kinds)}", known=(*kinds, *names))
            )
        flags[hit] = 1
    return errors


def kinds_of(names: Sequence[str]) -> list[str]:
    """The first words of some actions, or the whole name where only one begins with it."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.split()[0], []).append(name)
    return [group[0] if len(group) == 1 else word for word, group in groups.items()]
