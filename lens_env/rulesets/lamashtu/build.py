"""From the models of an encounter of Legacy of Lamashtu to the Setup record that the rules read."""

from __future__ import annotations

from typing import Any

from lens_env.core.dice import pool_index
from lens_env.core.fields import raise_together
from lens_env.core.layout import NOWHERE, fill_board
from lens_env.core.naming import fill_forbidden
from lens_env.core.record import new
from lens_env.core.ruleset import Built
from lens_env.core.skirmish import Side
from lens_env.core.tables import fill, pool_weights

from .checks import listed, problems, warnings
from .names import action_names
from .sheets import FighterModel, LamashtuEncounter, PoolModel, RulesModel, target_number
from .state import Setup


def build(encounter: LamashtuEncounter) -> Built:
    """The records and names of a validated encounter. Raises FieldError, with all that is wrong."""
    raise_together(problems(encounter))
    models = [model for model, _ in listed(encounter)]
    fighters = tuple(model.name for model in models)
    actions = action_names(fighters)
    records = new(Setup)
    setup = records[0]
    raise_together(fill_forbidden(setup, encounter.forbid, actions))
    setup["party_count"], setup["count"] = len(encounter.party), len(models)
    setup["order"][: len(models)] = order(models)
    fill_rules(setup["rules"], encounter.rules, encounter.max_rounds)
    if encounter.board != "none":
        fill_board(setup, encounter.board)
    for who, model in enumerate(models):
        side = Side.PARTY if who < len(encounter.party) else Side.FOES
        fill_sheet(setup["sheets"][who], model, encounter.rules, side)
        for dice in (model.attack, model.block, model.dodge, model.clash_pool):
            fill_pool(setup["pools"][dice], dice, encounter.rules.pool)
    names = {"pool": encounter.rules.pool}
    return Built(records, fighters, len(encounter.party), actions, warnings=tuple(warnings(encounter)), names=names)


def order(models: list[FighterModel]) -> list[int]:
    """The fighters in the order of their turns: the highest initiative first, ties by file order (R-04)."""
    return sorted(range(len(models)), key=lambda who: -models[who].initiative)


def fill_rules(rules: Any, model: RulesModel, max_rounds: int) -> None:
    """The switches."""
    rules["reveal"] = model.reveal_attack_roll
    rules["failure_hits"] = model.failure_hits
    rules["effect_costs"] = model.clash_effect == "costs_critical"
    rules["poise_per_round"] = model.poise_per_round
    rules["recovers"] = model.recovers_per_turn
    rules["most_banked"] = model.most_banked
    rules["max_rounds"] = max_rounds


def fill_sheet(sheet: Any, model: FighterModel, rules: RulesModel, side: Side) -> None:
    """The sheet of a fighter."""
    sheet["side"], sheet["reach"] = side, model.range
    sheet["attack"], sheet["block"], sheet["dodge"] = model.attack, model.block, model.dodge
    sheet["clash"] = model.clash_pool
    sheet["target"] = target_number(rules, model.insights)
    sheet["damage"], sheet["health"], sheet["poise"] = model.damage, model.health, model.poise
    sheet["points"], sheet["speed"], sheet["helpless"] = model.action_points, model.speed, model.helpless
    sheet["start_x"], sheet["start_y"] = model.position or (NOWHERE, NOWHERE)


def fill_pool(pool: Any, dice: int, model: PoolModel) -> None:
    """The exact table of a pool, and the chances of more than 0, 1, 2 ... successes (section 1)."""
    weights = pool_weights(dice, model.sides, model.success_at, model.critical_at)
    fill(pool["table"], weights, 0)
    for successes in range(len(pool["above"])):
        pool["above"][successes] = sum(weights[pool_index(successes + 1, 0) :]) / sum(weights)
