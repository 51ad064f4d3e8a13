"""Tables for the terminal."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:  # it imports SciPy, which takes a second
    from experiments.results import Rate, Result

PLAIN_WIDTH = 200  # of a table that goes to a file or a pipe: never folded
WIDE = 165  # enough for everything in one line
POLICY_WIDTH = 16


def console(stderr: bool = False) -> Console:
    """A console for tables: as wide as the terminal, or of a fixed width if there is none. Texts stand as they are."""
    screen = _console(stderr)
    return screen if screen.is_terminal else _console(stderr, PLAIN_WIDTH)


def _console(stderr: bool, width: int | None = None) -> Console:
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)


def percent(share: float) -> str:
    """``0.123`` -> ``12.3``."""
    return f"{100 * share:.1f}"


def interval(rate: Rate) -> str:
    """A share with its interval, in per cent."""
    return f"{percent(rate.share)} [{percent(rate.low)}, {percent(rate.high)}]"


def defenses(result: Result) -> str:
    """The defences that were chosen, the most frequent first, in per cent of the attacks."""
    used = sorted(((share, name) for name, share in result.defenses.items() if share > 0), reverse=True)
    return ", ".join(f"{name} {100 * share:.0f}" for share, name in used) or "-"


def show_study(screen: Console, results: Sequence[Result], title: str) -> None:
    """Print all cells, a block for each encounter and policy of the foes, then the summary.

    Where there is no room for the defences in the same line, they follow in blocks of their own.
    """
    wide = screen.width >= WIDE
    screen.print(title)
    _show_blocks(screen, results, lambda block: _rates_table(block, wide))
    if not wide:
        screen.print("Defences chosen, % of the attacks on the party")
        _show_blocks(screen, results, _defenses_table)
    screen.print(summary_table(results))


def _show_blocks(screen: Console, results: Sequence[Result], table: Callable[[Sequence[Result]], Table]) -> None:
    for (encounter, foes), block in itertools.groupby(results, lambda result: (result.encounter, result.foes)):
        screen.print(f"{encounter}, foes: {foes}")
        screen.print(table(list(block)))


def _block(heads: Sequence[tuple[str, int]]) -> Table:
    """A table whose first column is the party's policy; all have the same widths, so that blocks line up."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True)
    table.add_column("party's policy", width=POLICY_WIDTH, overflow="fold")
    for head, width in heads:
        table.add_column(head, min_width=width, justify="right")
    return table


def _rates_table(block: Sequence[Result], with_defenses: bool) -> Table:
    heads = [("wins % [95 %]", 17), ("loses % [95 %]", 17), ("undecided %", 14)]
    table = _block([*heads, ("rounds", 6), ("health %", 8), ("distinct", 8)])
    if with_defenses:
        table.add_column("defences chosen, % of attacks", no_wrap=True)
    for result in block:
        rates = [interval(rate) for rate in (result.win, result.loss, result.undecided)]
        numbers = [f"{result.rounds:.1f}", percent(result.body_left), f"{result.trajectories:,}"]
        table.add_row(result.party, *rates, *numbers, *([defenses(result)] if with_defenses else []))
    return table


def _defenses_table(block: Sequence[Result]) -> Table:
    table = _block([(name, 8) for name in block[0].defenses])
    for result in block:
        table.add_row(result.party, *(percent(share) for share in result.defenses.values()))
    return table


def summary_table(results: Sequence[Result]) -> Table:
    """Each policy of the party over all cells, every cell with the same weight.

    No intervals: the cells are paired by their seeds, so they are not independent.
    """
    table = Table(title="The party's policies over all encounters and foes", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("party's policy", overflow="fold")
    for name in ("wins %", "loses %", "rounds", "health left %", "skirmishes"):
        table.add_column(name, justify="right")
    for policy in dict.fromkeys(result.party for result in results):
        own = [result for result in results if result.party == policy]
        shares = [fmean(result.win.share for result in own), fmean(result.loss.share for result in own)]
        rounds, left = fmean(result.rounds for result in own), fmean(result.body_left for result in own)
        count = sum(result.skirmishes for result in own)
        table.add_row(policy, *map(percent, shares), f"{rounds:.1f}", percent(left), f"{count:,}")
    return table


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> Table:
    """A table of texts."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
