"""The Lens in words: what happened, as a person at the table would tell it, and how a skirmish stands."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from lens_env.core.dice import Kind
from lens_env.core.ruleset import Built
from lens_env.core.skirmish import Winner

from .codes import Bracket, Defense, Guard, Happened, Outcome, Pool, Tag

Event = Mapping[str, int]
MAX_SUM = 20 * 20  # of a damage roll
DICE = ("talent", "training", "third", "helper", "hinderer")
CONDITION = {
    Tag.STUN: "is STUNNED",
    Tag.PRONE: "is thrown PRONE",
    Tag.HAMSTRUNG: "is HAMSTRUNG",
    Tag.DISARMED: "is DISARMED",
    Tag.BURNING: "is BURNING",
    Tag.BLEEDING: "is BLEEDING",
    Tag.FREEZING: "is FREEZING",
    Tag.OVERBEARING: "is borne down and lies PRONE",
    Tag.SLASHING: "is slashed and BLEEDING",
}
ENDING = {
    Tag.STUN: "shakes off the stun",
    Tag.PRONE: "stands up",
    Tag.OVERBEARING: "stands up",
    Tag.HAMSTRUNG: "is no longer HAMSTRUNG",
    Tag.DISARMED: "takes the weapon up again",
    Tag.BURNING: "puts the flames out",
    Tag.BLEEDING: "stops BLEEDING",
    Tag.SLASHING: "stops BLEEDING",
    Tag.FREEZING: "is no longer FREEZING",
}
BRACKET = {
    Bracket.CONFUSED: "is Confused: acts after the foes, 1 Momentum less each round",
    Bracket.OFF_BALANCE: "is Off-Balance: acts after the foes, or before them for 1 Momentum",
    Bracket.PREPARED: "is Prepared: acts before the foes",
    Bracket.FLUID: "is Fluid: acts before or after the foes, 1 Momentum more each round",
}
DEFENDS = {
    Defense.NONE: "does not defend",
    Defense.ABJURE: "wards off the magic",
    Defense.MITIGATE: "trusts in the armour",
    Defense.BLOCK: "raises the shield",
    Defense.DODGE: "dodges",
    Defense.PARRY: "parries",
}
STOPPED = {Defense.BLOCK: "blocks the attack", Defense.DODGE: "is out of its way", Defense.PARRY: "turns it aside"}
GUARD = {Guard.SHIELD: "catches it on the shield", Guard.NIMBLE: "slips aside", Guard.PARRY: "parries it"}


class Teller:
    """Turns the events of one encounter into sentences."""

    def __init__(self, built: Built, seed: int) -> None:
        self.built, self.seed = built, seed

    def name(self, who: int) -> str:
        """The name of a fighter."""
        return self.built.fighters[who]

    def attack(self, who: int, slot: int) -> str:
        """The name of an attack, or of a weapon."""
        return str(self.built.names["attacks"][who][slot])

    def tell(self, event: Event) -> str:
        """The sentence for an event, "" for one that speaks through others."""
        return TELLERS[Happened(event["kind"])](self, event)

    # --- rounds and turns ----------------------------------------------------------------------------------

    def round(self, event: Event) -> str:
        return f"Round {event['amount']}." if event["amount"] else "Surprise round."

    def surprised(self, event: Event) -> str:
        return f"  {self.name(event['who'])} is surprised."

    def bracket(self, event: Event) -> str:
        return f"  {self.name(event['who'])} {BRACKET[Bracket(event['what'])]}."

    def timing(self, event: Event) -> str:
        return f"  {self.name(event['who'])} will act {'after' if event['what'] else 'before'} the foes."

    def turn(self, event: Event) -> str:
        return f" {self.name(event['who'])}'s turn."

    def turn_ends(self, event: Event) -> str:
        return ""  # the next turn or round says so

    # --- rolls ---------------------------------------------------------------------------------------------

    def challenge(self, event: Event) -> str:
        """The roll with its faces: those of the script, or faces drawn afterwards that show the same Effort."""
        ability, tn = event["what"] & 255, (event["what"] >> 8) & 255
        outcome = Outcome((event["what"] >> 16) & 3)
        sides = [(event["detail"] >> (8 * i)) & 255 for i in range(len(DICE))]
        faces = given_faces(event["amount"], sides) if event["amount"] else some_faces(sides, tn, outcome, self.seed)
        dice = ", ".join(f"d{of} {face}" for of, face in zip(sides, faces, strict=True) if of)
        what = str(self.built.names["abilities"][ability]).replace("_", " ").title()
        return f"    {self.name(event['who'])} rolls {what} against {tn}: {dice}: {outcome.name}."

    def damage_roll(self, event: Event) -> str:
        change = event["detail"]
        if not change:
            return f"    Damage roll: {event['amount']}."
        total = max(0, event["amount"] + change)
        return f"    Damage roll: {event['amount']} {'+' if change > 0 else '-'} {abs(change)} = {total}."

    def damage(self, event: Event) -> str:
        if not event["amount"]:
            return f"    {self.name(event['who'])} is not hurt."
        pool = Pool(event["what"]).name
        return f"    {self.name(event['who'])} loses {event['amount']} {pool}: {event['detail']} left."

    # --- the own turn --------------------------------------------------------------------------------------

    def attacks(self, event: Event) -> str:
        tags = [tag.name for tag in Tag if event["detail"] >> tag & 1 and tag != Tag.MISSILE]
        with_tags = f" [{', '.join(tags)}]" if tags else ""
        weapon = self.attack(event["who"], event["what"])
        return f"  {self.name(event['who'])} attacks {self.name(event['other'])} with {weapon}{with_tags}."

    def casts(self, event: Event) -> str:
        return f"  {self.name(event['who'])} casts {self.spell(event)} at {self.name(event['other'])}."

    def spell(self, event: Event) -> str:
        return str(self.built.names["spells"][event["who"]][event["what"]])

    def item(self, event: Event) -> str:
        return str(self.built.names["items"][event["who"]][event["what"]])

    def forms(self, event: Event) -> str:
        sure = ", without a roll" if event["detail"] else ""
        return f"  {self.name(event['who'])} forms {self.spell(event)} (Complexity {event['amount']}{sure})."

    def formed(self, event: Event) -> str:
        return f"    {self.spell(event)} is formed."

    def not_formed(self, event: Event) -> str:
        return f"    {self.spell(event)} does not form."

    def misses(self, event: Event) -> str:
        return f"    {self.name(event['who'])} misses {self.name(event['other'])}."

    def tag_readied(self, event: Event) -> str:
        return f"  {self.name(event['who'])} readies {Tag(event['what']).name}."

    def tag_added(self, event: Event) -> str:
        return f"    {self.name(event['who'])} adds {Tag(event['what']).name}."

    def moves(self, event: Event) -> str:
        return f"  {self.name(event['who'])} moves."

    def steps(self, event: Event) -> str:
        return f"    {self.name(event['who'])} goes to {event['amount']},{event['detail']}."

    def stuck(self, event: Event) -> str:
        return f"    The ground stops {self.name(event['who'])}."

    def uses(self, event: Event) -> str:
        return f"  {self.name(event['who'])} uses {self.item(event)}."

    def pays(self, event: Event) -> str:
        paid = f"{event['amount']} of {event['detail']} Momentum paid"
        return f"  {self.name(event['who'])} begins to use {self.item(event)} ({paid})."

    def takes_effect(self, event: Event) -> str:
        for_whom = "" if event["who"] == event["other"] else f" on {self.name(event['other'])}"
        return f"    {self.item(event)} takes effect{for_whom}."

    def no_effect(self, event: Event) -> str:
        return f"    {self.item(event)} has no effect."

    # --- reactions and defences ----------------------------------------------------------------------------

    def assists(self, event: Event) -> str:
        return f"    {self.name(event['who'])} assists {self.name(event['other'])}."

    def interferes(self, event: Event) -> str:
        return f"    {self.name(event['who'])} interferes with {self.name(event['other'])}."

    def guards(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {GUARD[Guard(event['what'])]}: the attack is void."

    def defends(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {DEFENDS[Defense(event['what'])]}."

    def stopped(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {STOPPED[Defense(event['what'])]}."

    def locked(self, event: Event) -> str:
        return f"    {self.name(event['who'])} cannot {Defense(event['what']).name} again this round."

    def tag_removed(self, event: Event) -> str:
        return f"    {self.name(event['who'])} takes {Tag(event['what']).name} off the attack."

    def pays_price(self, event: Event) -> str:
        return f"    {self.name(event['who'])} makes the sacrifice."

    def yields(self, event: Event) -> str:
        return f"    {self.name(event['who'])} makes no sacrifice."

    def ripostes(self, event: Event) -> str:
        return f"    {self.name(event['who'])} ripostes against {self.name(event['other'])}."

    def sidesteps(self, event: Event) -> str:
        return f"    {self.name(event['who'])} moves aside to {event['amount']},{event['detail']}."

    # --- conditions and the end ----------------------------------------------------------------------------

    def gained(self, event: Event) -> str:
        return f"    {self.name(event['who'])} {CONDITION[Tag(event['what'])]}."

    def ended(self, event: Event) -> str:
        return f"  {self.name(event['who'])} {ENDING[Tag(event['what'])]}."

    def recovers(self, event: Event) -> str:
        pool = Pool(event["what"]).name
        return f"  {self.name(event['who'])} recovers {event['amount']} {pool}: {event['detail']}."

    def out(self, event: Event) -> str:
        return f"    {self.name(event['who'])} is out of the fight."

    def won(self, event: Event) -> str:
        winner = Winner(event["what"])
        if winner == Winner.UNDECIDED:
            return "The skirmish ends undecided."
        return f"The {winner.name.lower()} {'wins' if winner == Winner.PARTY else 'win'}."


TELLERS: dict[Happened, Callable[[Teller, Event], str]] = {
    code: getattr(Teller, code.name.lower()) for code in Happened
}


def describe(event: Event, built: Built, seed: int) -> str:
    """The sentence for an event; ``seed`` settles which of the faces that fit are told."""
    return Teller(built, seed).tell(event)


def given_faces(packed: int, sides: list[int]) -> list[int]:
    """The faces of a scripted roll, 0 where there is no die."""
    faces = []
    for of in sides:
        faces.append(packed & 63 if of else 0)
        packed >>= 6 if of else 0
    return faces


def some_faces(sides: list[int], tn: int, outcome: int, seed: int) -> list[int]:
    """Faces that show this Effort, each fitting roll being equally likely (by rejection, at a fixed seed)."""
    dice = random.Random(seed)
    while True:
        faces = [dice.randint(1, of) if of else 0 for of in sides]
        if effort_of(faces, sides, tn) == outcome:
            return faces


def effort_of(faces: list[int], sides: list[int], tn: int) -> int:
    """The Effort of a roll: the better of Talent and helper, of that and the hinderer the worse, two more dice."""
    own = max(faces[0], faces[3])
    if sides[4]:
        own = min(own, faces[4])
    return sum(face >= tn for face in (own, faces[1], faces[2]))


def dice_outcome(roll: Any) -> tuple[int, int]:
    """A scripted entry as (kind, value): an outcome's name, the faces of a Challenge, or a sum of dice."""
    if isinstance(roll, str):
        if roll.upper() not in Outcome.__members__:
            raise ValueError(f"{roll!r} is no outcome; allowed are {', '.join(Outcome.__members__)}, faces, or a sum")
        return Kind.INDEX, Outcome[roll.upper()]
    if isinstance(roll, tuple | list):
        if not 1 <= len(roll) <= len(DICE) or not all(isinstance(face, int) and 1 <= face <= 20 for face in roll):
            raise ValueError(f"{roll!r}: the faces of a Challenge are 1 to {len(DICE)} whole numbers from 1 to 20")
        return Kind.FACES, sum(face << (6 * place) for place, face in enumerate(roll))
    if isinstance(roll, int) and not isinstance(roll, bool) and 0 <= roll <= MAX_SUM:
        return Kind.NUMBER, roll
    raise ValueError(
        f"{roll!r} is no roll; allowed are an outcome's name, faces like (7, 4, 2), or a sum up to {MAX_SUM}"
    )


# --- how it stands -----------------------------------------------------------------------------------------


def summary(state: Any, built: Built) -> str:
    """A line for the round and one for each fighter."""
    head = f"Round {state['game_round']}" if state["game_round"] else "Surprise round"
    lines = [head]
    for who, name in enumerate(built.fighters):
        lines.append(f"  {name:<16} {fighter_line(state['fighters'][who], built.setup[0]['sheets'][who])}")
    return "\n".join(lines)


def fighter_line(fighter: Any, sheet: Any) -> str:
    """Pools, Momentum, place and conditions of a fighter."""
    pools = [
        f"{pool.name} {fighter[pool.name.lower()]}/{sheet[pool.name.lower()]}"
        for pool in Pool
        if sheet[pool.name.lower()] > 0
    ]
    if fighter["out"]:
        return "  ".join([*pools, "out"])
    place = [f"at {fighter['x']},{fighter['y']}"] if fighter["x"] >= 0 else []
    return "  ".join([*pools, f"Momentum {fighter['momentum']}", *place, *conditions(fighter)])


def conditions(fighter: Any) -> list[str]:
    """The conditions of a fighter, with the rounds they last."""
    names = [name.upper() for name in ("surprised", "prone", "disarmed", "burning") if fighter[name]]
    names += [f"{name.upper()} {fighter[name]}" for name in ("bleeding", "hamstrung", "freezing") if fighter[name]]
    names += ["STUN waits"] if fighter["stun_pending"] else []
    names += [f"{defense.name} locked" for defense in Defense if fighter["locked"] >> defense & 1]
    return names
