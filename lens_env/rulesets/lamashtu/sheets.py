"""What an encounter file of Legacy of Lamashtu may say: pydantic models, field by field.

Only what a field may hold on its own is checked here; what shows only together is in :mod:`.checks`.
Pools are numbers of dice, Health and damage points, speed and range cells.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lens_env.core.fields import EncounterModel, Model, Name, Position

from .state import MAX_FIGHTERS, MAX_POOL

Dice = Annotated[int, Field(ge=0, le=MAX_POOL)]
Points = Annotated[int, Field(ge=1, le=200)]
Few = Annotated[int, Field(ge=0, le=9)]
Insights = Annotated[int, Field(ge=0, le=1000)]


class PoolModel(Model):
    """``pool``: the dice of every roll, and from which face on one is a success and a Critical (R-01)."""

    sides: Annotated[int, Field(ge=2, le=20)] = 6
    success_at: Annotated[int, Field(ge=2, le=20)] = 5
    critical_at: Annotated[int, Field(ge=2, le=20)] = 6


class TierModel(Model):
    """A Tier: from how many Insights on, and its target number (R-03)."""

    insights: Insights
    target: Annotated[int, Field(ge=0, le=20)]


TIERS = [TierModel(insights=insights, target=target) for insights, target in ((0, 1), (5, 2), (10, 3), (20, 4))]


class RulesModel(Model):
    """``rules``: the switches of the specification, the default first."""

    pool: PoolModel = PoolModel()
    tiers: Annotated[list[TierModel], Field(min_length=1, max_length=20)] = Field(default=TIERS)
    reveal_attack_roll: bool = False
    failure_hits: bool = False
    clash_effect: Literal["free", "costs_critical"] = "free"
    poise_per_round: Few = 0
    recovers_per_turn: Few = 1
    most_banked: Few = 2


class FighterModel(Model):
    """A fighter of either side."""

    name: Name
    attack: Annotated[int, Field(ge=1, le=MAX_POOL)]
    block: Dice
    dodge: Dice
    clash: Dice | None = None  # None: the attack pool
    health: Points
    damage: Points
    initiative: Annotated[int, Field(ge=0, le=100)]
    poise: Annotated[int, Field(ge=1, le=20)] = 2
    action_points: Annotated[int, Field(ge=1, le=9)] = 3
    speed: Annotated[int, Field(ge=0, le=20)] = 5
    insights: Insights = 0
    helpless: bool = False
    range: Annotated[int, Field(ge=1, le=100)] = 1
    position: Position | None = None

    @property
    def clash_pool(self) -> int:
        """The dice of a CLASH: it is an attack roll unless the file says otherwise."""
        return self.attack if self.clash is None else self.clash


class LamashtuEncounter(EncounterModel):
    """An encounter of Legacy of Lamashtu."""

    rules: RulesModel = RulesModel()
    party: Annotated[list[FighterModel], Field(min_length=1, max_length=MAX_FIGHTERS - 1)]
    foes: Annotated[list[FighterModel], Field(min_length=1, max_length=MAX_FIGHTERS - 1)]


def target_number(rules: RulesModel, insights: int) -> int:
    """The target number of the Tier that so many Insights give (section 3)."""
    return [tier.target for tier in rules.tiers if tier.insights <= insights][-1]
