"""What the commands of ``lens-env`` share: how they fail, and the arguments that several take.

Exit codes: 0 fine, 1 the input is wrong, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from experiments.settings import MAX_SEED
from lens_env.errors import LensError
from lens_env.play.files import check_writable

F = TypeVar("F", bound=Callable[..., Any])
INTERRUPTED = 130

EncounterName = Annotated[str, typer.Argument(metavar="ENCOUNTER", help="A name (see `lens-env list`) or a YAML file.")]
Seed = Annotated[int, typer.Option(min=0, max=MAX_SEED, help="The dice and all chance of the agents follow from it.")]


def guarded(command: F) -> F:
    """One clear message instead of a traceback, and the right exit code."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except LensError as error:
            typer.echo(f"Error: {error}", err=True)
            raise typer.Exit(1) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads any more
            raise typer.Exit(1) from None
        except OSError as error:
            typer.echo(f"Error: {error.filename or 'file'}: {error.strerror or error}", err=True)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            typer.echo("\nInterrupted.", err=True)
            raise typer.Exit(INTERRUPTED) from None

    return run  # type: ignore[return-value]


def writable(path: Path | None) -> None:
    """Before the work: what could not be saved is not begun."""
    if path is not None:
        check_writable(path)
