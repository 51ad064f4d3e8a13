"""Legacy of Lamashtu in words: what happened, as a person at the table would tell it, and how a skirmish stands."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from lens_env.core.dice import Kind
from lens_env.core.ruleset import Built
from lens_env.core.skirmish import Winner

from .codes import Condition, Defense, Happened
from .sheets import PoolModel

Event = Mapping[str, int]
DEFENDS = {
    Defense.NONE: "does not defend",
    Defense.BLOCK: "blocks",
    Defense.DODGE: "dodges",
    Defense.CLASH: "clashes with it",
}
SUCCEEDS = {
    Defense.BLOCK: "stops the attack",
    Defense.DODGE: "is out of its way",
    Defense.CLASH: "wins the clash",
}
FAILS = {
    Defense.BLOCK: "is driven back",
    Defense.DODGE: "is too slow",
    Defense.CLASH: "loses the clash",
}
GAINED = {
    Condition.OFF_BALANCE: "is Off-Balance",
    Condition.STAGGERED: "is Staggered",
    Condition.PRONE: "is Prone",
}
ENDED = {
    Condition.OFF_BALANCE: "finds its balance again",
    Condition.STAGGERED: "no longer staggers",
    Condition.PRONE: "stands up",
}


class Teller:
    """Turns the events of one encounter into sentences."""

    def __init__(self, built: Built, seed: int) -> None:
        self.built, self.seed = built, seed

    def name(self, who: int) -> str:
        """The name of a fighter."""
        return self.built.fighters[who]

    def tell(self, event: Event) -> str:
        """The sentence for an event, "" for one that speaks through others."""
        told = TELLERS.get(Happened(event["kind"]))
        return told(self, event) if told else ""

    # --- rounds and turns ----------------------------------------------------------------------------------

    def round(self, event: Event) -> str:
        return f"Round {event['amount']}."

    def turn(self, event: Event) -> str:
        return f" {self.name(event['who'])}'s turn ({count(event['amount'], 'Action Point')})."

    def moves(self, event: Event) -> str:
        return f"  {self.name(event['who'])} moves."

    def recovers(self, event: Event) -> str:
        return f"  {self.name(event['who'])} recovers."

    def steps(self, event: Event) -> str:
        return f"    {self.name(event['who'])} goes to {event['amount']},{event['detail']}."

    # --- an attack -----------------------------------------------------------------------------------------

    def attacks(self, event: Event) -> str:
        return f"  {self.name(event['who'])} attacks {self.name(event['other'])}."

    def rolls(self, event: Event) -> str:
        """The roll with faces that show it, drawn afterwards."""
        dice, successes, criticals = event["what"], event["amount"], event["detail"]
        faces = some_faces(self.built.names["pool"], dice, successes, criticals, self.seed)
        shown = f" {', '.join(map(str, faces))}:" if faces else ""
        spare = f", {count(criticals, 'Critical')}" if criticals else ""
        what = count(dice, "die", "dice")
        return f"    {self.name(event['who'])} rolls {what}:{shown} {count(successes, 'success', 'successes')}{spare}."

    def defends(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {DEFENDS[Defense(event['what'])]}."

    def tier(self, event: Event) -> str:
        against = f"against {self.name(event['who'])}'s Tier Score of {event['amount']}"
        return f"    {'A hit' if event['what'] else 'A miss'}, {against}."

    def succeeds(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {SUCCEEDS[Defense(event['what'])]}."

    def fails(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {FAILS[Defense(event['what'])]}."

    def match(self, event: Event) -> str:
        return f"    {self.name(event['who'])} and {self.name(event['other'])} match each other."

    def imposes(self, event: Event) -> str:
        return f"    {self.name(event['who'])} presses {self.name(event['other'])} back."

    def pushed(self, event: Event) -> str:
        return f"    {self.name(event['who'])} is pushed to {event['amount']},{event['detail']}."

    def sidesteps(self, event: Event) -> str:
        return f"    {self.name(event['who'])} moves aside to {event['amount']},{event['detail']}."

    # --- Poise, Criticals and conditions -------------------------------------------------------------------

    def loses_poise(self, event: Event) -> str:
        left = f"{event['amount']} left" if event["amount"] else "it is broken"
        return f"    {self.name(event['who'])} loses 1 Poise: {left}."

    def gains_poise(self, event: Event) -> str:
        return f"    {self.name(event['who'])} regains {event['amount']} Poise: {event['detail']}."

    def banks(self, event: Event) -> str:
        return f"    {self.name(event['who'])} banks an Action Point: {event['amount']} for the next turn."

    def buys_space(self, event: Event) -> str:
        return f"    {self.name(event['who'])} gains a space to move."

    def gained(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {GAINED[Condition(event['what'])]}."

    def ended(self, event: Event) -> str:
        return f"  {self.name(event['who'])} {ENDED[Condition(event['what'])]}."

    # --- damage and the end --------------------------------------------------------------------------------

    def damage(self, event: Event) -> str:
        return f"    {self.name(event['who'])} loses {event['amount']} Health: {event['detail']} left."

    def out(self, event: Event) -> str:
        return f"    {self.name(event['who'])} is out of the fight."

    def won(self, event: Event) -> str:
        winner = Winner(event["what"])
        if winner == Winner.UNDECIDED:
            return "The skirmish ends undecided."
        return f"The {winner.name.lower()} {'wins' if winner == Winner.PARTY else 'win'}."


TELLERS: dict[Happened, Callable[[Teller, Event], str]] = {
    code: getattr(Teller, code.name.lower()) for code in Happened if hasattr(Teller, code.name.lower())
}


def describe(event: Event, built: Built, seed: int) -> str:
    """The sentence for an event; ``seed`` settles which of the faces that fit are told."""
    return Teller(built, seed).tell(event)


def count(number: int, one: str, many: str = "") -> str:
    """``1 die``, ``3 dice``."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def some_faces(pool: PoolModel, dice: int, successes: int, criticals: int, seed: int) -> list[int]:
    """Faces that show this roll, in any order, each fitting roll being equally likely."""
    chance = random.Random(seed)
    faces = [chance.randint(pool.critical_at, pool.sides) for _ in range(criticals)]
    faces += [chance.randint(pool.success_at, pool.critical_at - 1) for _ in range(successes - criticals)]
    faces += [chance.randint(1, pool.success_at - 1) for _ in range(dice - successes)]
    chance.shuffle(faces)
    return faces


def dice_outcome(roll: Any) -> tuple[int, int]:
    """A scripted entry as (kind, value): the (successes, Criticals) of a pool."""
    fits = isinstance(roll, tuple | list) and len(roll) == 2
    if fits and all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 16 for n in roll):
        successes, criticals = roll
        if criticals <= successes:
            return Kind.POOL, successes | criticals << 16
        raise ValueError(f"{roll!r}: a Critical is also a success, so there are at most {successes} of them")
    raise ValueError(f"{roll!r} is no roll; allowed are the successes and Criticals of a pool, like (2, 1)")


# --- how it stands -----------------------------------------------------------------------------------------


def summary(state: Any, built: Built) -> str:
    """A line for the round and one for each fighter."""
    lines = [f"Round {state['game_round']}"]
    for who, name in enumerate(built.fighters):
        lines.append(f"  {name:<16} {fighter_line(state['fighters'][who], built.setup[0]['sheets'][who])}")
    return "\n".join(lines)


def fighter_line(fighter: Any, sheet: Any) -> str:
    """Health, Poise, points, place and conditions of a fighter."""
    health = f"Health {fighter['health']}/{sheet['health']}"
    if fighter["out"]:
        return f"{health}  out"
    parts = [health, f"Poise {fighter['poise']}/{sheet['poise']}"]
    parts += [f"Action Points {fighter['points']}"] if fighter["points"] else []
    parts += [f"banked {fighter['banked']}"] if fighter["banked"] else []
    parts += [f"at {fighter['x']},{fighter['y']}"] if fighter["x"] >= 0 else []
    return "  ".join([*parts, *conditions(fighter, sheet)])


def conditions(fighter: Any, sheet: Any) -> list[str]:
    """The conditions of a fighter."""
    names = ["Broken"] if not fighter["poise"] else []
    names += ["helpless"] if sheet["helpless"] else []
    return names + [GAINED[code].removeprefix("is ") for code in Condition if fighter[code.name.lower()]]
