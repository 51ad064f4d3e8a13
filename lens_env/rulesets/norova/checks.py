"""What is wrong with an encounter of Nor'Ova that shows only when fields are seen together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lens_env.core.board import Direction
from lens_env.core.fields import FieldError, Path
from lens_env.core.layout import Placed, board_problems, name_problems, place_problems
from lens_env.core.tables import check, sum_weights

from .roster import Entry, roster
from .sheets import AttackModel, FighterModel, NorOvaEncounter, SkillModel, SpellModel, SupportModel
from .state import MAX_FIGHTERS

Errors = Iterator[FieldError]
HEX_HEADINGS = tuple(code.name for code in Direction if code not in (Direction.N, Direction.S))
BELONGS = {  # a field and the kinds of attack that may have it
    "stealth": ("covert", "invisible_spell"),
    "evade_penalty": ("projectile",),
    "radius": ("area",),
    "evadable": ("area",),
}


def problems(encounter: NorOvaEncounter) -> Errors:
    """Every field that is wrong, in the order of the file as far as possible."""
    if encounter.board != "none":
        if encounter.board.difficult:
            problem = "there is no difficult ground in Nor'Ova: only open and blocked cells"
            yield FieldError(("board", "difficult"), problem)
        yield from board_problems(encounter.board)
    entries = roster(encounter)
    for entry in entries:
        yield from _fighter(entry)
    yield from _together(encounter, entries)


def repeated(names: Sequence[str], path: Path, what: str) -> Errors:
    """Entries of a list that stand there twice."""
    for i, name in enumerate(names):
        if name in names[:i]:
            yield FieldError((*path, i), f"{what} {name!r} is named twice")


# --- fighters together -------------------------------------------------------------------------------------


def _together(encounter: NorOvaEncounter, entries: Sequence[Entry]) -> Errors:
    if len(entries) > MAX_FIGHTERS:
        yield FieldError(("foes",), f"{len(entries)} fighters in all; at most {MAX_FIGHTERS} fit")
    for side, models in (("party", encounter.party), ("foes", encounter.foes)):
        if all(one.role == "spectator" for one in models):
            yield FieldError((side,), "has nobody but spectators; at least one must be a participant")
    yield from name_problems((entry.name, entry.path) for entry in entries)
    if encounter.board == "none":
        for entry in entries:
            yield from _without_board(entry)
        return
    for entry in entries:
        if entry.model.facing and encounter.board.kind == "hex" and entry.model.facing not in HEX_HEADINGS:
            yield FieldError((*entry.path, "facing"), f"{entry.model.facing} is no direction of hexes", HEX_HEADINGS)
    yield from place_problems(encounter.board, [_place(entry) for entry in entries])


def _without_board(entry: Entry) -> Errors:
    """Neither position nor facing without a board."""
    for field in ("position", "facing"):
        if getattr(entry.model, field) is not None:
            yield FieldError((*entry.path, field), f"there is no board: give a board, or no {field}")


def _place(entry: Entry) -> Placed:
    position = entry.model.position
    cell = None if position is None else (position[0], position[1])
    return Placed(entry.name, entry.path, cell, entry.path if cell is None else (*entry.path, "position"))


# --- one fighter -------------------------------------------------------------------------------------------


def _fighter(entry: Entry) -> Errors:
    model, path = entry.model, entry.path
    yield from _role(entry)
    for field in ("attacks", "spells", "skills", "support"):
        yield from repeated([one.name for one in getattr(model, field)], (*path, field), field.rstrip("s"))
    for i, attack in enumerate(model.attacks):
        yield from _attack(attack, (*path, "attacks", i))
    for i, spell in enumerate(model.spells):
        yield from _attack(spell, (*path, "spells", i))
    for i, skill in enumerate(model.skills):
        yield from _skill(skill, (*path, "skills", i))
    for i, support in enumerate(model.support):
        yield from _support(support, (*path, "support", i))
    if model.statuses.get("prone", 1) != 1:
        yield FieldError((*path, "statuses", "prone"), "has no duration, it ends with the Move: write 1", ("1",))
    yield from _armor(model, path)


def _role(entry: Entry) -> Errors:
    """What only a spectator has; and it fights for the list that it stands in."""
    model, side = entry.model, entry.side.name.lower()
    if not entry.spectates:
        for field in ("allegiance", "hidden"):
            if getattr(model, field):
                yield FieldError((*entry.path, field), f"{field} means nothing but for role: spectator")
    elif model.allegiance not in (None, side):
        problem = f"stands in the list {side}: move the fighter to {model.allegiance}"
        yield FieldError((*entry.path, "allegiance"), problem, (side,))


def _attack(attack: AttackModel | SpellModel, path: Path) -> Errors:
    for field, kinds in BELONGS.items():
        if getattr(attack, field) not in (None, False) and attack.kind not in kinds:
            problem = f"means nothing for kind {attack.kind}, only for {' and '.join(kinds)}"
            yield FieldError((*path, field), problem)
    if attack.kind == "area" and attack.radius is None:
        yield FieldError(path, "kind area needs a radius")
    if attack.dice == 0 and attack.flat == 0:
        yield FieldError(path, "does no damage: give dice (and sides), flat, or both")
    if attack.inflicts and attack.inflicts.status == "prone" and attack.inflicts.rounds != 1:
        problem = "prone has no duration, it ends with the Move: leave rounds out"
        yield FieldError((*path, "inflicts", "rounds"), problem, ("1",))
    yield from _dice(attack.dice, attack.sides, path)


def _dice(dice: int, sides: int, path: Path) -> Errors:
    """The sum of the dice must fit a table."""
    problem = check(sum_weights(dice, sides))
    if problem:
        yield FieldError((*path, "dice"), f"{dice}d{sides} is too much: {problem}")


def _skill(skill: SkillModel, path: Path) -> Errors:
    if skill.ally and skill.effect == "counter":
        yield FieldError((*path, "ally"), "a skill that counters protects nobody else", ("false",))


def _support(support: SupportModel, path: Path) -> Errors:
    if (support.heal is None) == (support.restore is None):
        yield FieldError(path, "must have exactly one of heal and restore", ("heal", "restore"))
    elif support.restore and support.restore.power == 0 and support.restore.soul == 0:
        yield FieldError((*path, "restore"), "restores nothing: give power, soul, or both", ("power", "soul"))


def _armor(model: FighterModel, path: Path) -> Errors:
    if model.armor:
        yield from _dice(model.armor.physical.dice, model.armor.physical.sides, (*path, "armor", "physical"))
        yield from _dice(model.armor.magical.dice, model.armor.magical.sides, (*path, "armor", "magical"))
