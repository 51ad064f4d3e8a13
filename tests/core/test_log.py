"""The event tape."""

from __future__ import annotations

import pytest

from lens_env.core import log
from lens_env.core.record import to_python
from tests.support import direct, one

pytestmark = pytest.mark.kernel


def test_off_writes_nothing() -> None:
    tape = one(log.Log)
    direct(log.emit)(tape, 1, 2, 3, 4, 5, 6)
    assert tape["count"] == 0
    assert tape["events"]["kind"].sum() == 0


def test_events_in_order() -> None:
    tape = one(log.Log)
    tape["on"] = 1
    direct(log.emit)(tape, 1, 2, 3, 4, 5, 6)
    direct(log.emit)(tape, 7, -1, -1, 0, -3, 0)
    assert tape["count"] == 2
    assert to_python(tape["events"][:2]) == [
        {"kind": 1, "who": 2, "other": 3, "what": 4, "amount": 5, "detail": 6},
        {"kind": 7, "who": -1, "other": -1, "what": 0, "amount": -3, "detail": 0},
    ]


def test_a_full_tape_counts_what_it_loses() -> None:
    tape = one(log.Log)
    tape["on"] = 1
    for i in range(log.CAPACITY + 3):
        direct(log.emit)(tape, i, 0, 0, 0, 0, 0)
    assert (tape["count"], tape["lost"]) == (log.CAPACITY, 3)
    assert tape["events"]["kind"].tolist() == list(range(log.CAPACITY))
