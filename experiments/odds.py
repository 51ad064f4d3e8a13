"""The exact odds of an action, told in a few lines: what differs between its results, and how likely each is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lens_env import Game
from lens_env.core.ruleset import SIDES
from lens_env.play.engine import Batch

Array = np.ndarray[Any, Any]

SHOWN = 6  # kinds of results that are told apart; the rarer ones are told as one
TENTHS = 1000  # of a per cent in all
WORDS = {  # numbers whose names say little: when they begin, and when they end
    "later": ("acts after the foes", "no longer acts after the foes"),
    "stun_pending": ("a STUN waits", "no STUN waits any more"),
    "locked": ("a defence is locked", "no defence is locked"),
    "guarded": ("the guard is used up", "the guard is ready again"),
    "formed": ("a spell is formed", "no spell is formed"),
    "readied": ("a tag is readied", "no tag is readied"),
    "extra_tags": ("the weapon has a new tag", "the weapon loses its new tags"),
    "using": ("an item is half paid", "no item is half paid"),
}
BRACKETS = ("Confused", "Off-Balance", "Prepared", "Fluid")
# told otherwise, or of no interest
QUIET = ("x", "y", "uses", "paid", "settled", "facing", "tries", "delay", "aim", "rolled")


@dataclass
class Kind:
    """Results that a person would call the same."""

    text: str
    life: str  # what the points lost are called
    chance: float = 0.0
    lost: dict[str, list[float]] = field(default_factory=dict)  # points lost by each fighter: least, most, sum

    def add(self, chance: float, losses: dict[str, float]) -> None:
        """One more result of this kind."""
        self.chance += chance
        for name, points in losses.items():
            least, most, total = self.lost.get(name, [points, points, 0.0])
            self.lost[name] = [min(least, points), max(most, points), total + chance * points]

    def line(self) -> str:
        """What happens, with the range of the damage."""
        return "; ".join(filter(None, [*(self._loss(name) for name in self.lost), self.text]))

    def _loss(self, name: str) -> str:
        least, most, total = self.lost[name]
        if least == most:
            return f"{name} {_points(self.life, least)}"
        return f"{name} {_points(self.life, least, most)} (mean {abs(total / self.chance):.1f})"


@dataclass(frozen=True)
class Odds:
    """All that can come of an action."""

    lines: tuple[tuple[float, str], ...]  # (per cent in tenths that sum to 100 exactly, what happens)
    means: tuple[tuple[str, float], ...]  # points that each fighter loses on average, if any


def odds(game: Game, action: str) -> Odds:
    """The exact odds of a legal action; SolveError if it has too many results to list."""
    outcomes = game.outcomes(action)
    life = life_of(game)
    before = _fighters(game)
    after = [_fighters(result) for _, result in outcomes]
    varied = _varied(after)
    kinds: dict[Any, Kind] = {}
    means: dict[str, float] = {}
    for (chance, result), fighters in zip(outcomes, after, strict=True):
        losses = {name: points for name, points in _losses(game, result).items() if points}
        text = _text(before, fighters, varied, result)
        kinds.setdefault((text, *losses), Kind(text, life)).add(chance, losses)
        for name, points in losses.items():
            means[name] = means.get(name, 0.0) + chance * points
    ordered = _merged(sorted(kinds.values(), key=lambda kind: -kind.chance))
    shares = rounded([kind.chance for kind in ordered])
    return Odds(
        tuple((share / 10, kind.line()) for share, kind in zip(shares, ordered, strict=True)), tuple(means.items())
    )


def _merged(kinds: list[Kind]) -> list[Kind]:
    """The rarest kinds as one, if there are many."""
    if len(kinds) <= SHOWN:
        return kinds
    rest = Kind(
        f"{len(kinds) - SHOWN + 1} rarer results", kinds[0].life, sum(kind.chance for kind in kinds[SHOWN - 1 :])
    )
    return [*kinds[: SHOWN - 1], rest]


def rounded(chances: Sequence[float]) -> list[int]:
    """The chances in tenths of a per cent, rounded so that they sum to 1000 (largest remainders)."""
    exact = [chance / math.fsum(chances) * TENTHS for chance in chances]
    whole = [math.floor(share) for share in exact]
    by_rest = sorted(range(len(exact)), key=lambda i: (whole[i] - exact[i], i))
    for i in by_rest[: TENTHS - sum(whole)]:
        whole[i] += 1
    return whole


def _fighters(game: Game) -> dict[str, dict[str, Any]]:
    """The fighters' single numbers by name."""
    state = game.state_dict()["fighters"]
    return {
        name: {key: value for key, value in fighter.items() if isinstance(value, int) and key not in QUIET}
        for name, fighter in state.items()
    }


def _varied(results: Sequence[dict[str, dict[str, Any]]]) -> set[tuple[str, str]]:
    """Which numbers of which fighters are worth telling: those that differ between the results.

    If there is only one result, all are. The numbers of one who is out mean nothing.
    """
    seen: dict[tuple[str, str], set[int]] = {}
    for fighters in results:
        for name, fighter in fighters.items():
            if not fighter.get("out"):
                for key, value in fighter.items():
                    seen.setdefault((name, key), set()).add(value)
    return {key for key, values in seen.items() if len(values) > 1 or len(results) == 1}


def _losses(game: Game, result: Game) -> dict[str, float]:
    """The points of life that each fighter loses; negative: gains."""
    lost = _lives(game) - _lives(result)
    return dict(zip(game.built.fighters, lost.tolist(), strict=True))


def _lives(game: Game) -> Array:
    """(F,) the points of life that each fighter has left."""
    lives: Array = Batch.of(game.encounter, game.state, game.dice, game.masks).lives()[0]
    return lives


def _text(
    before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]], varied: set[tuple[str, str]], result: Game
) -> str:
    """Conditions gained and lost, numbers that depend on the dice, and who is asked next."""
    parts = []
    for name, fighter in after.items():
        keys = [key for key in fighter if (name, key) in varied]
        told = [_change(result.ruleset.points, key, before[name][key], fighter[key]) for key in keys]
        if fighter.get("out"):
            told = [] if before[name].get("out") else ["out"]
        changes = ", ".join(filter(None, told))
        parts.append(f"{name}: {changes}" if changes else "")
    return "; ".join(filter(None, [*parts, _what_next(result)]))


def _change(points: Sequence[str], key: str, old: int, new: int) -> str:
    """A number that changes, or a condition that begins or ends; "" for what is told otherwise."""
    if key == "bracket":
        return BRACKETS[new] if old != new else ""
    if key in points[1:]:
        return f"{key} {old} -> {new}" if old != new else ""
    if key in points or bool(old) == bool(new):
        return ""
    name = key.replace("_", " ")
    return WORDS.get(key, (name, f"no longer {name}"))[0 if new else 1]


def _what_next(result: Game) -> str:
    if result.over:
        return f"the {result.winner} {'wins' if result.winner == SIDES[0] else 'win'}" if result.winner else "undecided"
    return f"next {result.decider}: {result.window}"


def life_of(game: Game) -> str:
    """What the points of life are called in this ruleset: "BODY"."""
    return game.ruleset.points[0].upper()


def _points(life: str, least: float, most: float | None = None) -> str:
    low, high = least, least if most is None else most
    verb = "-" if low >= 0 else "+"
    low, high = sorted((abs(low), abs(high)))
    return f"{verb}{low:g} {life}" if low == high else f"{verb}{low:g} to {high:g} {life}"
