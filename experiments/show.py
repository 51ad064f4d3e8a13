"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from experiments.results import Rate, Result, wilson

PLAIN_WIDTH = 220  # of a table that goes to a file or a pipe: never folded


def console(stderr: bool = False) -> Console:
    """A console for tables: as wide as the terminal, or of a fixed width if there is none."""
    screen = Console(stderr=stderr, highlight=False)
    return screen if screen.is_terminal else Console(stderr=stderr, highlight=False, width=PLAIN_WIDTH)


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


def study_table(results: Sequence[Result], title: str) -> Table:
    """All cells, encounter by encounter."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("encounter", overflow="fold")
    table.add_column("foes' policy", overflow="fold")
    table.add_column("party's policy", overflow="fold")
    for name in ("party wins % [95 %]", "loses % [95 %]", "undecided % [95 %]", "rounds", "BODY left %"):
        table.add_column(name, justify="right")
    table.add_column("defences chosen, % of attacks")
    table.add_column("distinct", justify="right")
    for i, result in enumerate(results):
        same = i > 0 and results[i - 1].encounter == result.encounter
        again = same and results[i - 1].foes == result.foes
        if i > 0 and not again:
            table.add_section()
        table.add_row(
            "" if same else result.encounter,
            "" if again else result.foes,
            result.party,
            interval(result.win),
            interval(result.loss),
            interval(result.undecided),
            f"{result.rounds:.1f}",
            percent(result.body_left),
            defenses(result),
            f"{result.trajectories:,}",
        )
    return table


def summary_table(results: Sequence[Result]) -> Table:
    """Each policy of the party over all cells."""
    table = Table(title="The party's policies over all encounters and foes", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("party's policy", overflow="fold")
    for name in ("wins % [95 %]", "rounds", "BODY left %", "skirmishes"):
        table.add_column(name, justify="right")
    for policy in dict.fromkeys(result.party for result in results):
        own = [result for result in results if result.party == policy]
        count = sum(result.skirmishes for result in own)
        wins = sum(round(result.win.share * result.skirmishes) for result in own)
        rounds = sum(result.rounds for result in own) / len(own)
        left = sum(result.body_left for result in own) / len(own)
        table.add_row(policy, interval(wilson(wins, count)), f"{rounds:.1f}", percent(left), f"{count:,}")
    return table


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> Table:
    """A table of texts."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
