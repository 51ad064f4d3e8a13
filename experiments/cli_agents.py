"""The commands ``agents`` and ``evaluate``."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from agents.about import NO_DEFAULT, About, about, about_all, separated
from experiments.question import AGAINST, ENCOUNTER, MAX_STATES, MOST_ASKED, Question
from experiments.settings import MAX_SEED, MAX_SKIRMISHES
from experiments.shell import guarded, writable


@guarded
def agents(
    name: Annotated[str | None, typer.Argument(help="Tell all about this one.", show_default=False)] = None,
) -> None:
    """The agents that there are, or all about one: what it does, and its settings."""
    if name is not None:
        _tell(about(name))
        return
    for kind, found in about_all().items():
        typer.echo(f"{kind}:")
        width = max(len(one.name) for one in found)
        for one in found:
            typer.echo(f"  {one.name:{width}}  {one.sentence}")
    typer.echo("\n`lens-env agents NAME` tells more about one; ATTACK+DEFENSE joins two scripted ones.")


def _tell(one: About) -> None:
    typer.echo(f"{one.name} ({one.kind}; {one.place})\n\n{one.text}\n")
    typer.echo(f"Written: {one.written}")
    settings = one.settings
    if not settings:
        typer.echo("It has no settings.")
        return
    typer.echo(f"Settings with their defaults (in a study: {{agent: {one.name}, SETTING: VALUE}}):")
    width = max(map(len, settings))
    for setting, default in settings.items():
        typer.echo(f"  {setting:{width}}  {'(must be given)' if default is NO_DEFAULT else _plain(default)}")


def _plain(default: Any) -> str:
    """A default as it would be written in a study file."""
    plain = {None: "null", True: "true", False: "false", (): "[]"}
    return plain.get(default, str(default)) if isinstance(default, bool | tuple | None) else str(default)


@guarded
def evaluate(
    agent: Annotated[str, typer.Argument(help="The agent (see `lens-env agents`).")],
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="An opponent; repeatable, or several with commas [default: aggressive]."),
    ] = None,
    encounter: Annotated[
        list[str] | None,
        typer.Option(metavar="ENCOUNTER", help="A name or a YAML file; repeatable [default: the_lens/duel]."),
    ] = None,
    side: Annotated[str, typer.Option(help="The side that the agent plays: party or foes.")] = "party",
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=V,V", help="Evaluate for each of these values, as foes.0.body=10,20; repeatable."),
    ] = None,
    skirmishes: Annotated[int, typer.Option(min=1, max=MAX_SKIRMISHES, help="To play against each opponent.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="All chance follows from it.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that play, threads that solve [default: at most one a core].")
    ] = None,
    max_states: Annotated[int, typer.Option(min=1, help="Larger encounters are only played.")] = MAX_STATES,
    ask: Annotated[
        int, typer.Option(min=0, help="States that a searching agent is asked about for its exact value.")
    ] = MOST_ASKED,
    exact: Annotated[bool, typer.Option("--exact/--no-exact", help="Solve the encounters too.")] = True,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write everything to this file.")] = None,
) -> None:
    """Find out how good an agent is: by play, and exactly where the encounter is small enough."""
    opponents = [name for text in against or (AGAINST,) for name in separated(text)]
    question = Question(
        agent=agent,
        side=side,
        against=tuple(opponents),
        encounters=tuple(encounter or (ENCOUNTER,)),
        vary=tuple(vary or ()),
        skirmishes=skirmishes,
        seed=seed,
        exact=exact,
        max_states=max_states,
        ask=ask,
    )
    writable(json_file)
    _evaluate(question, jobs, json_file)


def _evaluate(question: Question, jobs: int | None, json_file: Path | None) -> None:
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from experiments.evaluate import Evaluation
    from experiments.show import console
    from experiments.show_evaluation import show_head, show_place
    from lens_env.play.files import write_atomically

    screen, beside = console(), console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=beside, transient=True, disable=not beside.is_terminal) as progress:
        task = progress.add_task("reading the encounters and agents")

        def tell(text: str, place: str = "") -> None:
            progress.update(task, description=f"{place}: {text}" if place else text)

        evaluation = Evaluation(question)
        total = evaluation.skirmishes
        for done in evaluation.play(jobs or evaluation.default_jobs(os.cpu_count() or 1)):
            tell(f"{done:,} of {total:,} skirmishes")
        show_head(screen, question)
        for place in evaluation.places:
            if question.exact:
                evaluation.solve(place, partial(tell, place=place.name), jobs)
            show_place(screen, place, question.agent)
    if json_file is not None:
        write_atomically(json_file, evaluation.as_json())
        typer.echo(f"written: {json_file}", err=True)
