"""The commands ``train`` and ``export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.shell import guarded


@guarded
def train(
    file: Annotated[str, typer.Argument(help="A training file, or the name of one in configs/training.")],
    out: Annotated[Path | None, typer.Option(help="Folder of the run [default: runs/NAME_SIDE].")] = None,
    side: Annotated[str | None, typer.Option(help="party or foes, instead of the file's.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**32 - 1, help="Instead of the file's.")] = None,
    timesteps: Annotated[int | None, typer.Option(min=1, help="Instead of the file's.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew, even if a run is there.")] = False,
) -> None:
    """Train a policy (needs the extra "learn")."""
    from agents.learned.config import load_training
    from agents.learned.train import Trainer

    given = {"side": side, "seed": seed, "timesteps": timesteps}
    training = load_training(file, {name: value for name, value in given.items() if value is not None})
    folder = out or Path("runs") / f"{Path(training.source).stem}_{training.model.side}"
    trainer = Trainer(training, folder)
    done = trainer.begin(resume=resume, fresh=fresh)
    try:
        policy = _watched(trainer, done)
    except KeyboardInterrupt:
        if trainer.checkpoints():
            typer.echo(f"\nThe last checkpoint is {trainer.checkpoints()[-1]}; --resume goes on from it.", err=True)
        raise
    _show(trainer.history[-1])
    typer.echo(f"written: {policy}")


def _watched(trainer: Any, done: int) -> Path:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from experiments.show import console

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True)) as progress:
        task = progress.add_task("training", total=trainer.model.timesteps, completed=done)

        def on_progress(steps: int, found: dict[str, Any]) -> None:
            text = f"{steps:,} steps"
            shares = [one["share"] for one in found.get("exact", {}).values()]
            if shares:
                progress.console.print(f"{text}: at least {100 * min(shares):.2f} % of the exact optimum")
            progress.update(task, completed=steps, description=text)

        found: Path = trainer.run(done, on_progress)
    return found


def _show(figures: dict[str, Any]) -> None:
    for name, outcome in figures["played"].items():
        typer.echo(f"{name}: {100 * outcome:.2f} % (an undecided skirmish counts half)")
    for name, found in figures["exact"].items():
        typer.echo(
            f"{name}: exactly {100 * found['value']:.2f} of at most {100 * found['optimum']:.2f} %: "
            f"{100 * found['share']:.2f} % of the optimum"
        )


@guarded
def export(folder: Annotated[Path, typer.Argument(help="The folder of a saved policy.")]) -> None:
    """Write a saved policy as ONNX, for the agent onnx:FOLDER (needs the extras "learn" and "onnx")."""
    from agents.learned.export import export_onnx

    typer.echo(f"written: {export_onnx(folder)}")
