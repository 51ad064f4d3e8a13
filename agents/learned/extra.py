"""Packages that only some installations have."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lens_env.errors import LensError


def needs(extra: str, module: str) -> Any:
    """Import a module of an optional extra. LensError names the command that installs it."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise LensError(f"{package} is not installed; install it with: pip install 'lens-env[{extra}]'") from None
