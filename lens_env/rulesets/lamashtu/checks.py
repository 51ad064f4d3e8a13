"""What is wrong with an encounter of Legacy of Lamashtu that shows only together, and what it warns of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lens_env.core.fields import FieldError, Path
from lens_env.core.layout import Placed, board_problems, name_problems, place_problems
from lens_env.core.tables import check, pool_weights

from .sheets import FighterModel, LamashtuEncounter, PoolModel, RulesModel, target_number
from .state import MAX_FIGHTERS

Errors = Iterator[FieldError]
SIDES = ("party", "foes")
POOLS = ("attack", "block", "dodge", "clash")


def problems(encounter: LamashtuEncounter) -> Errors:
    """Every field that is wrong, in the order of the file as far as possible."""
    ruled = [*_pool(encounter.rules.pool), *_tiers(encounter.rules)]
    yield from ruled
    if encounter.board != "none":
        yield from board_problems(encounter.board)
        for text in encounter.board.difficult:
            yield FieldError(("board", "difficult", text), "there is no difficult terrain in this system: only blocked")
    yield from _fighters(encounter)
    if not ruled:
        yield from _sizes(encounter)
        yield from _hopeless(encounter)


def _pool(pool: PoolModel) -> Errors:
    """A Critical is a success; both are faces of the die."""
    path: Path = ("rules", "pool")
    if pool.success_at > pool.sides:
        yield FieldError((*path, "success_at"), f"a die of {pool.sides} sides never shows {pool.success_at}")
    if pool.critical_at > pool.sides:
        yield FieldError((*path, "critical_at"), f"a die of {pool.sides} sides never shows {pool.critical_at}")
    elif pool.critical_at < pool.success_at:
        problem = f"a Critical is also a success: at least success_at, {pool.success_at}"
        yield FieldError((*path, "critical_at"), problem)


def _tiers(rules: RulesModel) -> Errors:
    """The first Tier begins without Insights, each later one with more."""
    if rules.tiers[0].insights != 0:
        yield FieldError(("rules", "tiers", 0, "insights"), "the first Tier must begin at 0 Insights", ("0",))
    for i, (tier, last) in enumerate(zip(rules.tiers[1:], rules.tiers, strict=False), 1):
        if tier.insights <= last.insights:
            path: Path = ("rules", "tiers", i, "insights")
            yield FieldError(path, f"must be more than the {last.insights} Insights of the Tier before")


def listed(encounter: LamashtuEncounter) -> list[tuple[FighterModel, Path]]:
    """All fighters by index, each with the path of its block."""
    sides = zip(SIDES, (encounter.party, encounter.foes), strict=True)
    return [(model, (side, i)) for side, models in sides for i, model in enumerate(models)]


def _fighters(encounter: LamashtuEncounter) -> Errors:
    fighters = listed(encounter)
    if len(fighters) > MAX_FIGHTERS:
        yield FieldError(("foes",), f"{len(fighters)} fighters in all; at most {MAX_FIGHTERS} fit")
    yield from name_problems((model.name, path) for model, path in fighters)
    yield from place_problems(encounter.board, [_placed(model, path) for model, path in fighters])


def _placed(model: FighterModel, path: Path) -> Placed:
    if model.position is None:
        return Placed(model.name, path, None, path)
    return Placed(model.name, path, (model.position[0], model.position[1]), (*path, "position"))


def _sizes(encounter: LamashtuEncounter) -> Errors:
    """Every pool must have an exact table."""
    pool = encounter.rules.pool
    for model, path in listed(encounter):
        for field in POOLS:
            dice = getattr(model, field) or 0
            problem = check(pool_weights(dice, pool.sides, pool.success_at, pool.critical_at))
            if problem:
                yield FieldError((*path, field), f"{dice} dice of {pool.sides} sides are too many: {problem}")


# --- who can hit whom (section 3) --------------------------------------------------------------------------


def can_hit(rules: RulesModel, attacker: FighterModel, target: FighterModel) -> bool:
    """Can this attack ever hit: past the Tier Score, or through a failed defence if failures hit?"""
    defends = not target.helpless
    return attacker.attack > target_number(rules, target.insights) or (rules.failure_hits and defends)


def _hopeless(encounter: LamashtuEncounter) -> Errors:
    """A side that can never hit anybody."""
    for side, own, others in _pairs(encounter):
        if not any(can_hit(encounter.rules, one, other) for one in own for other in others):
            most = max(one.attack for one in own)
            least = min(target_number(encounter.rules, other.insights) for other in others)
            problem = f"this side can never hit: its largest attack is {most} dice, the lowest target number {least}"
            yield FieldError((side,), problem, (f"attack: {least + 1} or more", "lower tiers", "failure_hits: true"))


def _pairs(encounter: LamashtuEncounter) -> Iterator[tuple[str, Sequence[FighterModel], Sequence[FighterModel]]]:
    yield "party", encounter.party, encounter.foes
    yield "foes", encounter.foes, encounter.party


# --- warnings ----------------------------------------------------------------------------------------------


def warnings(encounter: LamashtuEncounter) -> Iterator[str]:
    """One sentence for each thing that is probably not meant: choices that the numbers make pointless."""
    for _, own, others in _pairs(encounter):
        for fighter in own:
            if not fighter.helpless:
                yield from _pointless(encounter, fighter, others)
    for side, own, others in _pairs(encounter):
        for other in others:
            if not any(can_hit(encounter.rules, one, other) for one in own):
                target = target_number(encounter.rules, other.insights)
                yield f"{other.name}: nobody of the {side} can ever hit it: no attack pool exceeds its target {target}"


def _pointless(encounter: LamashtuEncounter, fighter: FighterModel, enemies: Sequence[FighterModel]) -> Iterator[str]:
    """Defences that another one makes pointless."""
    bare = encounter.board == "none"
    near = bare or all(enemy.range <= fighter.range for enemy in enemies)
    if near and fighter.block <= fighter.clash_pool:
        yield f"{fighter.name}: block is not above clash, so CLASH does all that BLOCK does, and more"
    if bare and fighter.dodge <= fighter.block:
        yield f"{fighter.name}: without a board a DODGE with no more dice than BLOCK only leads down the ladder"
