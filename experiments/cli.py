"""The command line, ``lens-env``. Exit codes: 0 fine, 1 the input is wrong, 2 wrong usage, 130 interrupted."""

from __future__ import annotations

import functools
import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from agents import load_agent
from agents.about import about_all
from experiments.cli_agents import agents, evaluate
from experiments.cli_learn import export, train
from experiments.settings import MAX_SEED, MAX_SKIRMISHES, Study, list_studies, load_study
from experiments.shell import EncounterName, Seed, guarded, writable
from lens_env import RULESETS, Game, __version__, load_encounter
from lens_env.core.kernel import on_compile
from lens_env.core.ruleset import SIDES
from lens_env.exact import MAX_STATES
from lens_env.play.encounter import list_encounters
from lens_env.play.narrate import tell

app = typer.Typer(
    help="Agents play tabletop-RPG skirmishes, to find out which defence is worth its price.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _note_compiling(title: str) -> None:
    typer.echo(f"compiling {title} (once; later starts take it from the cache)", err=True)


@functools.cache
def _announce_compiling() -> None:
    on_compile(_note_compiling)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lens-env {__version__}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Agents play tabletop-RPG skirmishes, to find out which defence is worth its price."""
    _announce_compiling()


@app.command("list")
@guarded
def list_all() -> None:
    """The encounters, agents, rulesets and studies that there are."""
    for title, names in {
        "Encounters": {name: load_encounter(name).name for name in list_encounters()},
        "Agents": {one.name: one.sentence for found in about_all().values() for one in found},
        "Rulesets": {name: RULESETS[name].title for name in RULESETS},
        "Studies": {name: load_study(name).model.name for name in list_studies()},
    }.items():
        typer.echo(f"{title}:")
        width = max((len(name) for name in names), default=0)
        for name, text in names.items():
            typer.echo(f"  {name:{width}}  {text}")


@app.command()
@guarded
def validate(file: EncounterName) -> None:
    """Check an encounter file and print its warnings."""
    encounter = load_encounter(file)
    variants = sum(1 for _ in encounter.variants())
    for warning in encounter.warnings:
        typer.echo(f"Warning: {warning}")
    built = encounter.built
    party, foes = built.fighters[: built.party_count], built.fighters[built.party_count :]
    typer.echo(f"{encounter.source}: fine: {encounter.name} ({encounter.ruleset.title})")
    typer.echo(f"  party: {', '.join(party)}; foes: {', '.join(foes)}")
    if variants > 1:
        typer.echo(f"  vary: {variants} variants")


@app.command()
@guarded
def watch(
    encounter: EncounterName,
    party: Annotated[str, typer.Option(help="The agent that decides for the party.")] = "balanced",
    foes: Annotated[str, typer.Option(help="The agent that decides for the foes.")] = "aggressive",
    seed: Seed = 0,
    save_replay: Annotated[Path | None, typer.Option(help="Also write the skirmish to this file.")] = None,
    gif: Annotated[Path | None, typer.Option(help="Also write an animation, a picture a decision.")] = None,
    png: Annotated[Path | None, typer.Option(help="Also write a picture of how it ended.")] = None,
) -> None:
    """Let two agents play one skirmish, and tell it."""
    writable(save_replay)
    found = load_encounter(encounter)
    agents = {side: load_agent(name) for side, name in zip(SIDES, (party, foes), strict=True)}
    for agent in agents.values():
        agent.check([found])
        agent.reset(seed)
    game = Game(found, seed)
    typer.echo(f"{found.name} (seed {seed}; party: {party}, foes: {foes})")
    typer.echo(str(game))
    film = Film(gif, png)

    def choose(now: Game) -> str:
        film.take(now)
        return agents[str(now.side)].choose(now)

    for line in tell(game, choose):
        typer.echo(line)
    typer.echo(str(game))
    _save(game, save_replay)
    for path in film.write(game):
        typer.echo(f"picture: {path}", err=True)


class Film:
    """The pictures of a skirmish, if any are wanted; where they go is checked before it is played."""

    def __init__(self, gif: Path | None, png: Path | None) -> None:
        self._gif, self._png = gif, png
        self._frames: list[Any] = []
        for path in (gif, png):
            writable(path)

    def take(self, game: Game) -> None:
        """A picture of the game as it stands, for the animation."""
        if self._gif is not None:
            self._frames.append(self._draw(game))

    def write(self, game: Game) -> list[Path]:
        """Write the files, the game being over. Returns their paths."""
        self.take(game)
        if self._gif is not None:
            from lens_env.play.picture import save_gif

            save_gif(self._frames, self._gif)
        if self._png is not None:
            self._draw(game).save(self._png, format="PNG")
        return [path for path in (self._gif, self._png) if path is not None]

    @staticmethod
    def _draw(game: Game) -> Any:
        from lens_env.play.picture import draw

        return draw(game.state[0], game.built, game.ruleset)


def _save(game: Game, path: Path | None) -> None:
    if path is not None:
        from lens_env.play.replay import save_replay

        save_replay(game, path)
        typer.echo(f"replay: {path}", err=True)


@app.command()
@guarded
def play(
    encounter: EncounterName,
    side: Annotated[str, typer.Option(help="Your side: party or foes.")] = "party",
    against: Annotated[str, typer.Option(help="The agent that decides for the other side.")] = "aggressive",
    seed: Seed = 0,
    save_replay: Annotated[Path | None, typer.Option(help="Also write the skirmish to this file.")] = None,
) -> None:
    """Play one side yourself: every legal action is shown with its exact odds."""
    from experiments.person import HELP, play_against

    if side not in SIDES:
        raise typer.BadParameter(f"{side!r} is no side; allowed are party and foes", param_hint="--side")
    writable(save_replay)
    found, other = load_encounter(encounter), load_agent(against)
    other.check([found])
    other.reset(seed)
    game = Game(found, seed)
    typer.echo(f"{found.name} (seed {seed}): you are the {side}, against {against}. {HELP[0].upper()}{HELP[1:]}.")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are an answer that is not understood
    play_against(game, side, other, typer.echo, _ask)
    _save(game, save_replay)


def _ask(prompt: str) -> str:
    typer.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        typer.echo()
        raise EOFError
    return line


@app.command()
@guarded
def replay(file: Annotated[Path, typer.Argument(help="A replay file.")]) -> None:
    """Tell a saved skirmish again, after checking that it happened as the file says."""
    from lens_env.play.narrate import narrate
    from lens_env.play.replay import load_replay

    game = load_replay(file)
    typer.echo(f"{game.encounter.name} (seed {game.seed})")
    for line in narrate(game):
        typer.echo(line)
    typer.echo(str(game))


@app.command()
@guarded
def study(
    file: Annotated[str, typer.Argument(help="A study file, or the name of one (see `lens-env list`).")],
    out: Annotated[Path | None, typer.Option(help="Folder of the results [default: results/NAME].")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes [default: one for each core].")] = None,
    skirmishes: Annotated[
        int | None, typer.Option(min=1, max=MAX_SKIRMISHES, help="Skirmishes of every cell, instead of the file's.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=MAX_SEED, help="The seed, instead of the file's.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Play all cells again, even if their results are there.")
    ] = False,
) -> None:
    """Play policies against GM policies in encounters, and show which won how often."""
    changes = {"skirmishes": skirmishes, "seed": seed}
    loaded = load_study(file, {key: value for key, value in changes.items() if value is not None})
    _run_study(loaded, out or Path("results") / Path(loaded.source).stem, jobs or os.cpu_count() or 1, fresh)


def _run_study(loaded: Study, folder: Path, jobs: int, fresh: bool) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from experiments.results import result_of, result_paths, write_results
    from experiments.show import console, show_study
    from experiments.tournament import play_cells

    cells = loaded.cells
    for path in result_paths(folder):
        writable(path)
    typer.echo(f"{len(cells)} cells, at most {jobs} at a time; results go to {folder}", err=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True)) as progress:
        task = progress.add_task(f"cells of {loaded.model.skirmishes:,}", total=len(cells))
        found = []

        def on_done(cell: Any, was_there: bool) -> None:
            found.append(was_there)
            progress.advance(task)

        tallies = play_cells(cells, jobs, folder / "cells", fresh, on_done)
    results = [result_of(cell, tally) for cell, tally in zip(cells, tallies, strict=True)]
    show_study(console(), results, f"{loaded.model.name}: {loaded.model.skirmishes:,} skirmishes a cell")
    if any(found):
        typer.echo(f"{sum(found)} of {len(cells)} cells were there already (--fresh plays them again)", err=True)
    for path in write_results(loaded, results, folder):
        typer.echo(f"written: {path}")


@app.command()
@guarded
def solve(
    encounter: EncounterName,
    against: Annotated[
        str | None, typer.Option(help="An agent that plays the other side: the best response to it is found.")
    ] = None,
    side: Annotated[str, typer.Option(help="With --against: your side, party or foes.")] = "party",
    objective: Annotated[str, typer.Option(help="win, or harm: the health left at the end.")] = "win",
    forbid: Annotated[
        list[str] | None, typer.Option(metavar="SIDE:ACTION", help="Take an action away, as party:DODGE; repeatable.")
    ] = None,
    export: Annotated[
        str | None, typer.Option(help="drn (for Storm) or npz (arrays): also write the solution.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the export [default: results/RULESET_NAME].")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep the state graph in this file; if it is there, it is taken from it.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the findings to this file.")] = None,
    max_states: Annotated[int, typer.Option(min=1, help="Give up beyond.")] = MAX_STATES,
    threads: Annotated[int | None, typer.Option(min=1, help="[default: one for each core, up to 8]")] = None,
) -> None:
    """Solve an encounter exactly: its value, the worth of each defence, and rules of thumb with their cost."""
    from experiments.solve import Question, export_paths

    question = Question(against, side, objective, tuple(forbid or ()), max_states, threads, save)
    found = load_encounter(encounter)
    folder = out or Path("results") / f"{found.ruleset.name}_{Path(found.source).stem}"
    files = [json_file] if export is None else [json_file, *export_paths(question, export, folder)]
    for path in files:
        writable(path)
    _solve(found, question, export, folder, json_file)


def _solve(found: Any, question: Any, kind: str | None, folder: Path, json_file: Path | None) -> None:
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from experiments import show_solution, solve
    from experiments.show import console
    from lens_env.play.files import write_atomically

    screen = console()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    beside = console(stderr=True)
    with Progress(*columns, console=beside, transient=True, disable=not beside.is_terminal) as progress:
        task = progress.add_task("building")
        asked = 0

        def on_building(now: Any) -> None:
            text = f"{now.states:,} states, {now.waiting:,} of them waiting, {now.outcomes:,} outcomes"
            progress.update(task, description=text)

        def on_asking(more: int) -> None:
            nonlocal asked
            asked += more
            progress.update(task, description=f"{question.against} asked in {asked:,} states")

        solution = solve.solved(found, question, on_building, on_asking)
        show_solution.show_value(screen, solution)
        for worth in solution.find_worths():
            progress.update(task, description=f"without {' and '.join(worth.defenses)}")
        show_solution.show_worths(screen, solution.worths, question.objective)
        progress.update(task, description="looking at every choice")
        show_solution.show_choices(screen, solution.find_choices(), question.objective)
        progress.update(task, description="looking for rules of thumb")
        show_solution.show_rules(screen, solution.find_rules(), question.objective)
        paths = (
            []
            if kind is None
            else solve.export(
                solution,
                kind,
                folder,
                lambda name, done, total: progress.update(task, description=f"{name}: {done:,} of {total:,} states"),
            )
        )
    if json_file is not None:
        write_atomically(json_file, solution.as_json())
    for path in (*paths, json_file, question.graph_file):
        if path is not None:
            typer.echo(f"written: {path}", err=True)


@app.command()
@guarded
def bench(
    encounter: Annotated[
        list[str] | None, typer.Option(help="Measure random play in this one too, or exact solving of it alone.")
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Measure exact solving instead, beside Storm.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Short measurements, and no cold start.")] = False,
) -> None:
    """Measure the speed of this machine."""
    from experiments.bench import measure, measure_exact, write_json
    from experiments.show import console, plain_table

    writable(json_file)
    report = (measure_exact if exact else measure)(quick, encounter or ())
    rows = [(figure.name, figure.text, figure.note) for figure in report.figures]
    console().print(plain_table(("what", "result", "how"), rows, report.machine))
    if json_file is not None:
        write_json(report, json_file)
        typer.echo(f"written: {json_file}")


app.command()(agents)
app.command()(evaluate)
app.command()(train)
app.command()(export)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
