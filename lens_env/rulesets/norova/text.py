"""Nor'Ova in words: what happened, as a person at the table would tell it, and how a skirmish stands."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from lens_env.core.board import Direction
from lens_env.core.dice import Kind
from lens_env.core.ruleset import Built
from lens_env.core.skirmish import Winner

from .codes import Defense, Effect, Happened, Nature, Out, Status, Trait
from .fighters import FACES

Event = Mapping[str, int]
CHECKS = {trait: f"{trait.name.title()} check" for trait in Trait} | {Trait.VITALITY: "Vitality Save"}
OUTCOMES = ("FAILURE", "SUCCESS")
DEFENDS = {
    Defense.NONE: "has no defence",
    Defense.EVADE: "tries to evade",
    Defense.DEFEND: "braces against the blow",
    Defense.COUNTER: "takes the blow to strike back",
}
WORKS = {
    Effect.NEGATE: "the attack comes to nothing",
    Effect.HALVE: "the damage is halved",
    Effect.COUNTER: "the blow will be returned",
}
STATUS = {
    Status.PRONE: "is thrown down and lies PRONE",
    Status.TRAPPED: "is TRAPPED",
    Status.STUNNED: "is STUNNED",
    Status.DAZED: "is DAZED",
    Status.UNCONSCIOUS: "falls UNCONSCIOUS",
    Status.BERSERK: "goes BERSERK",
    Status.DISTRACTED: "is DISTRACTED",
    Status.HINDERED: "is HINDERED",
}
ARMOR = {Nature.PHYSICAL: "Physical Armor", Nature.MAGICAL: "Magical Armor"}
SCORE = {Nature.PHYSICAL: "Defense", Nature.MAGICAL: "Spirit"}


class Teller:
    """Turns the events of one encounter into sentences."""

    def __init__(self, built: Built, seed: int) -> None:
        self.built, self.seed = built, seed

    def name(self, who: int) -> str:
        """The name of a fighter."""
        return self.built.fighters[who]

    def strike(self, event: Event) -> str:
        """The name of an attack or spell."""
        return str(self.built.names["strikes"][event["who"]][event["what"]])

    def skill(self, who: int, slot: int) -> str:
        """The name of a skill."""
        return str(self.built.names["skills"][who][slot])

    def tell(self, event: Event) -> str:
        """The sentence for an event, "" for one that speaks through others."""
        told = TELLERS.get(Happened(event["kind"]))
        return told(self, event) if told else ""

    # --- rounds and turns ----------------------------------------------------------------------------------

    def round(self, event: Event) -> str:
        return f"Round {event['amount']}."

    def order(self, event: Event) -> str:
        return f"{event['amount']}. {self.name(event['who'])} (initiative {event['detail']})"

    def turn(self, event: Event) -> str:
        return f" {self.name(event['who'])}'s turn."

    # --- attacks -------------------------------------------------------------------------------------------

    def aimed(self, event: Event) -> str:
        """Whom an attack is for; a space is told when the area strikes."""
        return f" {self.name(event['other'])}" if event["other"] >= 0 else ""

    def attacks(self, event: Event) -> str:
        what = "seizes the opportunity to attack" if event["amount"] else "attacks"
        return f"  {self.name(event['who'])} {what}{self.aimed(event)} with {self.strike(event)}."

    def casts(self, event: Event) -> str:
        at = f" at{self.aimed(event)}" if event["other"] >= 0 else ""
        rounds = f" (goes off in {event['detail']} rounds)" if event["detail"] else ""
        verb = "begins to cast" if event["detail"] else "casts"
        return f"  {self.name(event['who'])} {verb} {self.strike(event)}{at}{rounds}."

    def goes_off(self, event: Event) -> str:
        return f"  {self.name(event['who'])}'s {self.strike(event)} goes off."

    def wasted(self, event: Event) -> str:
        return f"  {self.name(event['who'])}'s {self.strike(event)} is wasted: its target has fallen."

    def blast(self, event: Event) -> str:
        return f"    {self.strike(event)} strikes around {event['amount']},{event['detail']}."

    def check(self, event: Event) -> str:
        """The roll with its face: that of the script, or one drawn afterwards that shows the same outcome."""
        trait, number = Trait(event["what"] & 255), (event["what"] >> 8) & 255
        passed, bonus = (event["what"] >> 16) & 1, event["detail"]
        face = event["amount"] or some_face(number - bonus, bool(passed), self.seed)
        roll = f"d20 {face} {'-' if bonus < 0 else '+'} {abs(bonus)}"
        return f"    {self.name(event['who'])}, {CHECKS[trait]} against {number}: {roll}: {OUTCOMES[passed]}."

    def unaware(self, event: Event) -> str:
        return f"    {self.name(event['who'])} does not see it coming."

    def damage_roll(self, event: Event) -> str:
        total = event["amount"] + event["detail"]
        twice = f", doubled {2 * total}" if event["what"] else ""
        return f"    Damage: {total}{twice}."

    def armor(self, event: Event) -> str:
        return f"    {ARMOR[Nature(event['what'])]} absorbs {event['amount']}."

    def hardened(self, event: Event) -> str:
        return f"    {SCORE[Nature(event['what'])]} absorbs {event['amount']} more."

    def damage(self, event: Event) -> str:
        if not event["amount"]:
            return f"    {self.name(event['who'])} is not hurt."
        return f"    {self.name(event['who'])} loses {event['amount']} Vitality: {event['detail']} left."

    # --- defences ------------------------------------------------------------------------------------------

    def defends(self, event: Event) -> str:
        who = event["who"]
        if event["what"] == Defense.SKILL:
            return f"    {self.name(who)} uses {self.skill(who, event['amount'])}."
        return f"    {self.name(who)} {DEFENDS[Defense(event['what'])]}."

    def evades(self, event: Event) -> str:
        return f"    {self.name(event['who'])} evades."

    def protects(self, event: Event) -> str:
        who, other = self.name(event["who"]), self.name(event["other"])
        if event["what"]:
            return f"    {who} protects {other} with {self.skill(event['who'], event['what'] - 1)}."
        return f"    {who} steps in for {other}."

    def guarded(self, event: Event) -> str:
        return f"    {self.name(event['who'])} takes the blow for {self.name(event['other'])}."

    def skill_works(self, event: Event) -> str:
        effect = Effect(event["what"])
        works = f"{event['amount']} points are absorbed" if effect == Effect.ABSORB else WORKS[effect]
        return f"    It works: {works}."

    def strikes_back(self, event: Event) -> str:
        return f"    {self.name(event['who'])} strikes back at {self.name(event['other'])}."

    def joins(self, event: Event) -> str:
        return f"    {self.name(event['who'])} is drawn into the fight."

    # --- statuses and death --------------------------------------------------------------------------------

    def gained(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {STATUS[Status(event['what'])]}."

    def ended(self, event: Event) -> str:
        return f"  {self.name(event['who'])} is no longer {Status(event['what']).name}."

    def casting_ends(self, event: Event) -> str:
        return f"    {self.name(event['who'])} loses {self.strike(event)}."

    def down(self, event: Event) -> str:
        return f"    {self.name(event['who'])} is down."

    def stands_up(self, event: Event) -> str:
        return f"    {self.name(event['who'])} stands up again with 1 Vitality."

    def pays_xp(self, event: Event) -> str:
        return f"  {self.name(event['who'])} pays {event['amount']} XP for a Save: {event['detail']} left."

    def declines(self, event: Event) -> str:
        return f"  {self.name(event['who'])} buys no Save."

    def dead(self, event: Event) -> str:
        return f"    {self.name(event['who'])} is dead."

    # --- the own turn --------------------------------------------------------------------------------------

    def moves(self, event: Event) -> str:
        return f"  {self.name(event['who'])} moves."

    def steps(self, event: Event) -> str:
        return f"    {self.name(event['who'])} goes to {event['amount']},{event['detail']}."

    def faces(self, event: Event) -> str:
        return f"    {self.name(event['who'])} faces {Direction(event['what']).name}."

    def stands(self, event: Event) -> str:
        return f"  {self.name(event['who'])} stands up."

    def supports(self, event: Event) -> str:
        support = self.built.names["supports"][event["who"]][event["what"]]
        for_whom = "" if event["who"] == event["other"] else f" on {self.name(event['other'])}"
        return f"  {self.name(event['who'])} uses {support}{for_whom}."

    def healed(self, event: Event) -> str:
        return f"    {self.name(event['who'])} regains {event['amount']} Vitality: {event['detail']}."

    def restored(self, event: Event) -> str:
        pool = "soul" if event["what"] else "power"
        return f"    {self.name(event['who'])} regains {event['amount']} {pool}: {event['detail']}."

    def won(self, event: Event) -> str:
        winner = Winner(event["what"])
        if winner == Winner.UNDECIDED:
            return "The skirmish ends undecided."
        return f"The {winner.name.lower()} {'wins' if winner == Winner.PARTY else 'win'}."


TELLERS: dict[Happened, Callable[[Teller, Event], str]] = {
    code: getattr(Teller, code.name.lower()) for code in Happened if hasattr(Teller, code.name.lower())
}


def describe(event: Event, built: Built, seed: int) -> str:
    """The sentence for an event; ``seed`` settles which of the faces that fit is told."""
    return Teller(built, seed).tell(event)


def some_face(needed: int, passed: bool, seed: int) -> int:
    """A face of the d20 that reaches ``needed``, or does not, each fitting one being equally likely."""
    fitting = [face for face in range(1, FACES + 1) if (face >= needed) is passed]
    return random.Random(seed).choice(fitting)


def dice_outcome(roll: Any) -> tuple[int, int]:
    """A scripted entry as (kind, value): SUCCESS or FAILURE of a check, or what the dice show in sum."""
    if isinstance(roll, str):
        if roll.upper() not in OUTCOMES:
            raise ValueError(f"{roll!r} is no outcome; allowed are {' and '.join(OUTCOMES)}, or what the dice show")
        return Kind.INDEX, OUTCOMES.index(roll.upper())
    if isinstance(roll, int) and not isinstance(roll, bool) and roll >= 0:
        return Kind.NUMBER, roll
    raise ValueError(f"{roll!r} is no roll; allowed are SUCCESS, FAILURE, or what the dice show, like 13")


# --- how it stands -----------------------------------------------------------------------------------------


def summary(state: Any, built: Built) -> str:
    """A line for the round and one for each fighter."""
    lines = [f"Round {state['game_round']}"]
    for who, name in enumerate(built.fighters):
        lines.append(f"  {name:<16} {fighter_line(state['fighters'][who], built, who)}")
    return "\n".join(lines)


def fighter_line(fighter: Any, built: Built, who: int) -> str:
    """Vitality and other pools, place and statuses of a fighter."""
    sheet = built.setup[0]["sheets"][who]
    parts = [f"Vitality {fighter['vitality']}/{sheet['vitality']}"]
    parts += [f"{pool} {fighter[pool]}" for pool in ("power", "soul", "xp") if sheet[pool]]
    if fighter["out"] in (Out.DOWN, Out.DEAD):
        tries = f", {fighter['tries']} turns left to buy a Save" if fighter["out"] == Out.DOWN else ""
        return "  ".join([*parts, Out(fighter["out"]).name.lower() + tries])
    if fighter["x"] >= 0:
        parts.append(f"at {fighter['x']},{fighter['y']} facing {Direction(fighter['facing']).name}")
    parts += ["spectator"] if fighter["out"] == Out.SPECTATOR else []
    return "  ".join([*parts, *statuses(fighter, built, who)])


def statuses(fighter: Any, built: Built, who: int) -> list[str]:
    """The statuses of a fighter, with the own turns they last."""
    names = ["PRONE"] if fighter["prone"] else []
    timed = [code.name for code in Status if code != Status.PRONE and fighter[code.name.lower()]]
    names += [f"{name} {fighter[name.lower()]}" for name in timed]
    if fighter["casting"]:
        spell = built.names["strikes"][who][fighter["casting"] - 1]
        names.append(f"CASTING {spell} {fighter['delay']}")
    return names
