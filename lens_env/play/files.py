"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lens_env.errors import LensError


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that it is there whole or not at all; folders are made as needed. LensError says why not."""
    try:
        _write(path, text)
    except OSError as error:
        raise _refused(path, error) from None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".lens_env.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def check_writable(path: Path) -> None:
    """Raise LensError if no file can be written there: before long work, not after it. Folders are made as needed."""
    try:
        if path.is_dir():
            raise LensError(f"{path}: is a folder, not a file that could be written")
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            os.lstat(path.parent / path.name)  # a name that is too long shows here
    except FileNotFoundError:
        pass  # nothing there yet
    except OSError as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: OSError) -> LensError:
    return LensError(f"{path}: cannot be written: {error.strerror or error}")
