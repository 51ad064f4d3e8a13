"""An evaluation on the terminal, in tables of at most 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from experiments.evaluate import Cell, Place
from experiments.evaluate_exact import Exact
from experiments.evaluate_play import MOST_POINTS, QUARTERS, Array, spending_of
from experiments.question import Question
from experiments.show import interval, percent
from experiments.show_solution import points

NAME_WIDTH = 14
UNITS = "points of win probability"


def show_head(screen: Console, question: Question) -> None:
    """What was asked."""
    count = f"{question.skirmishes:,} skirmishes against each opponent, seed {question.seed}"
    screen.print(f"{question.agent} plays the {question.side}: {count}")


def show_place(screen: Console, place: Place, agent: str) -> None:
    """What was found in one encounter."""
    screen.print(f"\n{place.name}: {place.encounter.name} ({place.encounter.ruleset.title})")
    screen.print(_played(place.cells))
    if any(cell.exact is not None for cell in place.cells):
        screen.print("Exact values (victory 1, undecided 0.5, defeat 0), beside the score in play")
        screen.print(_exactly(place.cells))
    _show_safety(screen, place, agent)
    for note in place.notes:
        screen.print(f"Note: {note}")
    _show_defenses(screen, place)


def _table(first: str, heads: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True)
    table.add_column(first, max_width=NAME_WIDTH, overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", overflow="fold")
    return table


def _played(cells: Sequence[Cell]) -> Table:
    heads = ("skir-\nmishes", "wins %\n[95 %]", "undecided\n%", "own\nharm %", "enemy\nharm %", "rounds")
    table = _table("against", heads)
    for cell in cells:
        count = cell.count
        shares = (percent(share) for share in (cell.undecided.share, cell.own_harm, cell.enemy_harm))
        rounds = f"{count.rounds / count.skirmishes:.1f}"
        table.add_row(cell.against, f"{count.skirmishes:,}", interval(cell.win), *shares, rounds)
    return table


def _exactly(cells: Sequence[Cell]) -> Table:
    table = _table("against", ("score % [95 %]", "value", "optimum", "regret", "% of\noptimum", "states\nasked"))
    for cell in cells:
        exact = cell.exact
        if exact is not None:
            found = (_number(exact.value), _number(exact.optimum), _regret(exact), _ratio(exact), _asked(exact))
            table.add_row(cell.against, interval(cell.score), *found)
    return table


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6f}"


def _points(value: float | None) -> str:
    return "-" if value is None else points(value)


def _regret(exact: Exact) -> str:
    """Of play with its interval."""
    lost = exact.lost
    return _points(exact.regret) if lost is None else f"{points(lost.mean)}\n[{points(lost.low)}, {points(lost.high)}]"


def _asked(exact: Exact) -> str:
    if exact.lost is not None:
        return f"{exact.lost.skirmishes}\nskirm."
    if exact.value is None:
        return "-"
    return "all" if exact.asked is None else f"{exact.asked:,}"


def _ratio(exact: Exact) -> str:
    return "-" if exact.ratio is None else f"{100 * exact.ratio:.2f}"


def _show_safety(screen: Console, place: Place, agent: str) -> None:
    found = place.safety
    if found is None:
        return
    screen.print(f"Value of the game, both sides optimal: {found.game:.6f} ({found.states:,} states)")
    if found.worst is not None:
        screen.print(f"Worst case of {agent}, against a best response to it: {found.worst:.6f}")
        screen.print(f"Exploitability: {_points(found.exploitability)} {UNITS}")


# --- defences ----------------------------------------------------------------------------------------------


def _show_defenses(screen: Console, place: Place) -> None:
    ruleset, count = place.encounter.ruleset, place.count
    if not count.by_points.any():
        screen.print("No attack that it could defend against.")
        return
    name = spending_of(ruleset)
    by_points = [*map(str, range(MOST_POINTS)), f"{MOST_POINTS}+"]
    by_life = [f"{quarter * 100 // QUARTERS}-{(quarter + 1) * 100 // QUARTERS} %" for quarter in range(QUARTERS)]
    for title, heads, counts in (
        (f"Share of each defence, % of the attacks, by {name} left", by_points, count.by_points),
        ("Share of each defence, % of the attacks, by life left", by_life, count.by_life),
    ):
        screen.print(title)
        screen.print(defenses_table(ruleset.defenses, heads, counts))


def defenses_table(defenses: Sequence[str], heads: Sequence[str], counts: Array) -> Table:
    """Counts (defences, columns) as shares of each column; what was never chosen, and empty columns, are left out."""
    columns, rows = (np.flatnonzero(counts.any(axis=axis)).tolist() for axis in (0, 1))
    sums = counts[:, columns].sum(axis=0)
    table = _table("defence", [heads[column] for column in columns] + ["all"])
    for row in rows:
        shares = [*(counts[row, columns] / sums), counts[row].sum() / counts.sum()]
        table.add_row(defenses[row], *(percent(share) for share in shares))
    table.add_section()
    table.add_row("attacks", *(f"{number:,}" for number in (*sums, counts.sum())))
    return table
