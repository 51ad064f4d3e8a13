"""The agent ``prefer`` and its settings ``always_block``, ``always_dodge`` ...: the first legal of a list.

A preference is the name of an action, or the words that several begin with: ``ATTACK`` is every action of that kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from agents.scripted.plan import Attack, Defense, PlanAgent
from lens_env import Encounter
from lens_env.core.policies import Focus
from lens_env.core.ruleset import called
from lens_env.errors import LensError

MOST = 200  # preferences
MOST_RESERVE = 99
# RECOVER alone is an action of some rules, and the first word of answers in others: those have to come before it
RECOVERY = tuple(f"RECOVER {points}" for points in range(9, -1, -1))
TURN = (
    *(*RECOVERY, "STAND", "RECOVER WEAPON", "DOUSE", "CAST", "FORM"),
    *("RECOVER", "ATTACK", "MOVE", "SUPPORT", "END TURN", "BEFORE"),
)
ANSWERS = ("SACRIFICE", "SAVE", "GUARD", "PASS", "REDUCE DAMAGE", "CASH POISE", "CASH AP", "DONE", "IMPOSE", "PUSH")
ACTIVE = ("BLOCK", "PARRY", "CLASH", "DODGE", "EVADE")
PASSIVE = ("MITIGATE", "ABJURE", "DEFEND")


class PreferAgent(PlanAgent):
    """Plays the first legal action of a list of preferences; those that match the same one are equally good.

    What no preference matches comes last. Walking is no matter of preference: a MOVE is considered only if it
    brings an enemy nearer, and every step is the best one.

    ``reserve``: points (Momentum) that its fighters keep for reactions: with no more than that left they end
    their turn. ``focus``: of several attacks only those on the target nearest to falling are considered.
    ``surest``: of these actions only those that fail least often are considered, by the exact odds.
    """

    colon = "preferences"
    colon_lists = True

    def __init__(
        self,
        preferences: Sequence[str],
        *,
        name: str = "prefer",
        reserve: int = 0,
        focus: bool = False,
        surest: Sequence[str] = (),
    ) -> None:
        for setting, words in (("preferences", preferences), ("surest", surest)):
            if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
                raise LensError(f"agent {name}: {setting}: a list of names of actions, got {words!r}")
        if not 1 <= len(preferences) <= MOST:
            raise LensError(f"agent {name}: preferences: a list of 1 to {MOST} names, got {len(preferences)}")
        if isinstance(reserve, bool) or not isinstance(reserve, int) or not 0 <= reserve <= MOST_RESERVE:
            raise LensError(f"agent {name}: reserve: a whole number of points, 0 to {MOST_RESERVE}, got {reserve!r}")
        if not isinstance(focus, bool):
            raise LensError(f"agent {name}: focus: true or false, got {focus!r}")
        words = tuple(preferences)
        attack = Attack(words, Focus.WEAKEST if focus else Focus.ANYONE, reserve)
        super().__init__(attack, Defense(words, surest=tuple(surest)), name)

    def check(self, encounters: Sequence[Encounter]) -> None:
        """Every preference names an action of at least one of the encounters; LensError otherwise."""
        names = {action for encounter in encounters for action in encounter.built.actions if action[0] != "#"}
        folded = [name.casefold() for name in names]
        for word in self.attack.words:
            if not called(word.casefold(), folded):
                raise LensError(f"agent {self.name}: unknown action {word!r}{_hint(word, names)}")


class Preset(PreferAgent):
    """Preferences of our own, which need not occur in every encounter."""

    def check(self, encounters: Sequence[Encounter]) -> None:
        """Nothing to check."""


def _hint(word: str, names: set[str]) -> str:
    kinds = sorted({name.split(" ")[0] for name in names} | names)
    near = get_close_matches(word.upper(), kinds, 1) or get_close_matches(word, kinds, 1)
    known = ", ".join(sorted({name.split(" ")[0] for name in names}))
    return f"{f', did you mean {near[0]!r}?' if near else ''}; actions begin with: {known}"


def _defends(name: str, *defenses: str, reserve: int) -> Preset:
    rest = [word for word in (*ACTIVE, *PASSIVE) if word not in defenses]
    return Preset((*TURN, *ANSWERS, *defenses, *rest, "NONE"), name=name, reserve=reserve)


def always_block() -> Preset:
    """Blocks whatever can be blocked, and keeps Momentum for it."""
    return _defends("always_block", "BLOCK", reserve=1)


def always_dodge() -> Preset:
    """Dodges whatever can be dodged, and keeps Momentum for it."""
    return _defends("always_dodge", "DODGE", reserve=1)


def always_parry() -> Preset:
    """Parries whatever can be parried, and keeps Momentum for it."""
    return _defends("always_parry", "PARRY", reserve=1)


def always_clash() -> Preset:
    """Answers every attack with one of its own, and presses a clash that is won instead of cashing Criticals."""
    return Preset((*TURN, "DONE", *ANSWERS, "CLASH", *ACTIVE, *PASSIVE, "NONE"), name="always_clash")


def always_mitigate() -> Preset:
    """Trusts in armour and wards, which cost nothing, and attacks with all its Momentum."""
    return _defends("always_mitigate", *PASSIVE, reserve=0)


def never_defend() -> Preset:
    """Never defends, and spends all it has on attacks."""
    return Preset((*(word for word in TURN if word != "RECOVER"), *ANSWERS, "NONE"), name="never_defend")


def balanced() -> Preset:
    """Attacks the weakest foe, keeps one point for an active defence, and has its armour for the rest."""
    return Preset((*TURN, *ANSWERS, *ACTIVE, *PASSIVE, "NONE"), name="balanced", reserve=1, focus=True)
