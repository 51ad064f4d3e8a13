"""The errors a user can meet. Each says what was given, where, what is wrong and what is allowed."""

from __future__ import annotations


class LensError(Exception):
    """Base of every error that lens_env raises on purpose."""


class EncounterError(LensError):
    """An encounter (or study) is wrong: names the file, the field and what is allowed."""


class IllegalAction(LensError):
    """The action is not legal now: names the legal ones."""


class DiceError(LensError):
    """Scripted dice ran out, cannot occur, or were left over."""


class ReplayError(LensError):
    """A replay is damaged, belongs to other rules, or does not reproduce its skirmish."""


class SolveError(LensError):
    """An encounter is too large to enumerate: says how far it came and what would shrink it."""
