"""A solved encounter on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console

from experiments.show import plain_table
from experiments.solve import Solution
from lens_env.core.ruleset import SIDES
from lens_env.exact import Choice, Rule, Worth

NOTHING = 1e-12  # differences below are rounding
LEAST = 5e-6  # what three digits can show
UNITS = {"win": "points of win probability", "harm": "points of health"}
PAYOFFS = {
    "win": "victory 1, undecided 0.5, defeat 0",
    "harm": "the health that the party has left less that of the foes, -1..1",
}


def show_value(screen: Console, solution: Solution) -> None:
    """How large the game is, what it is worth and how it ends."""
    graph, question = solution.graph, solution.question
    size = f"{len(graph):,} states, {len(graph.actions):,} actions, {len(graph.targets):,} outcomes"
    origin = "from the file" if solution.was_there else f"built in {graph.seconds:.2f} s"
    memory = f"{graph.nbytes / 1e6:.1f} MB ({graph.nbytes / len(graph):.0f} bytes a state)"
    screen.print(f"{solution.encounter.name} ({solution.encounter.ruleset.title}), {graph.max_rounds} rounds at most")
    screen.print(f"{size}; {origin}, {memory}; solved in {solution.seconds:.2f} s; {_peak()}")
    for text in question.forbid:
        screen.print(f"forbidden: {text}")
    value = solution.values.value
    won, undecided, lost = (100 * share for share in solution.values.ending())
    play = "both sides play optimally"
    if question.against is not None:
        play = f"the {question.other} play {question.against}, the {question.side} the best response"
    screen.print(f"\nIf {play}, the party wins {won:.2f} %, the foes win {lost:.2f} %, undecided {undecided:.2f} %.")
    screen.print(f"Value for the party: {value:.6f} ({PAYOFFS[question.objective]})")
    if question.against is not None:
        screen.print(
            f"Value of the game, both optimal: {solution.game.value:.6f}; {question.against} as the {question.other} "
            f"gives away {points(solution.given_away)} {UNITS[question.objective]}"
        )


def _peak() -> str:
    """The most memory that this process has had."""
    try:
        import resource
    except ImportError:  # not on Windows
        return "memory unknown"
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{most / (1e6 if sys.platform == 'darwin' else 1e3):,.0f} MB of memory at most"


def points(share: float) -> str:
    """A difference of values in hundredths."""
    if abs(share) <= NOTHING:
        return "0"
    return f"{100 * share:.3f}" if abs(share) >= LEAST else f"{100 * share:.1e}"


def show_worths(screen: Console, found: Iterable[Worth], objective: str) -> None:
    """What each defence is worth."""
    rows = [
        (worth.side, " + ".join(worth.defenses), points(worth.gain), f"{worth.without:.6f}")
        for worth in sorted(found, key=lambda worth: (SIDES.index(worth.side), len(worth.defenses), -worth.gain))
    ]
    if rows:
        screen.print(f"\nWorth of the defences: what their side loses without them, in {UNITS[objective]}")
        screen.print(plain_table(("side", "defence", "worth", "value without"), rows, ""))
    else:
        screen.print("\nNobody ever has a defence to choose.")


def show_choices(screen: Console, found: Iterable[Choice], objective: str) -> None:
    """How often each defence is the right one where it is offered."""
    rows = [
        (
            choice.side,
            choice.defense,
            f"{choice.offered:.2f}",
            *(
                f"{100 * share:.1f}"
                for share in (choice.optimal, choice.alone, choice.optimal_anywhere, choice.alone_anywhere)
            ),
            points(choice.regret),
            verdict(choice),
        )
        for choice in found
    ]
    if rows:
        screen.print(
            "\nChoice by choice: how many windows of a skirmish offer it; the share of them in which nothing is"
        )
        screen.print("better, and in which all else is worse: as optimal play meets them, then each position once;")
        screen.print(f"the most that choosing it can cost, in {UNITS[objective]}")
        shares = ("optimal %", "alone %", "anywhere: optimal %", "alone %")
        screen.print(plain_table(("side", "defence", "windows", *shares, "regret", "verdict"), rows, ""))


def verdict(choice: Choice) -> str:
    """What is proved about a defence where it is offered."""
    if choice.dominant:
        return "makes no difference" if choice.dominated else "dominant: nothing is ever better"
    if choice.dominated:
        return "dominated: something is always as good"
    return "never met in optimal play" if choice.offered == 0 else ""


def show_rules(screen: Console, found: Iterable[Rule], objective: str) -> None:
    """Rules of thumb, each with its cost."""
    for rule in found:
        cost = f"costs {points(rule.cost)} {UNITS[objective]}"
        agreed = f"agrees with the optimum in {100 * rule.agreement:.1f} % of the windows"
        screen.print(f"\nRule of thumb for the {rule.side}: {agreed}, {cost}")
        for sentence in rule.sentences:
            screen.print(f"  {sentence}")
