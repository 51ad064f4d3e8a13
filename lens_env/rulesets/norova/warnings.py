"""What the loader warns of: sheets that are allowed but probably not meant (section 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .roster import Entry

Sentences = Iterator[str]
SURE_EVADE = 14  # every d20 reaches 15 with it


def warnings(entries: Sequence[Entry]) -> Sentences:
    """One sentence for each thing that is probably not meant."""
    for entry in entries:
        yield from _evade(entry)
        yield from _never_paid(entry)


def _evade(entry: Entry) -> Sentences:
    if entry.model.evade >= SURE_EVADE:
        yield f"{entry.name}: with Evade {entry.model.evade} an even attack from the front never hits"


def _never_paid(entry: Entry) -> Sentences:
    """Abilities, skills and spells for which the sheet has too little power or soul."""
    model = entry.model
    if model.guard and model.power == 0:
        yield f"{entry.name}: the Guard ability costs 1 power, and the sheet has none"
    for skill in model.skills:
        if skill.cost.power > model.power or skill.cost.soul > model.soul:
            yield f"{entry.name}: the skill {skill.name} costs more than the sheet has"
    for spell in model.spells:
        if spell.soul > model.soul:
            yield f"{entry.name}: the spell {spell.name} costs {spell.soul} soul, and the sheet has {model.soul}"
