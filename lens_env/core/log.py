"""The event tape: what happened during one action, for narration. Costs one branch an event when off."""

from __future__ import annotations

from typing import Annotated

from .kernel import kernel
from .record import Many, Record

CAPACITY = 160


class Event(Record):
    """One thing that happened. The ruleset's text module gives each ``kind`` its meaning."""

    kind: int  # a code of the ruleset
    who: int  # the fighter it is about, -1 for nobody
    other: int  # the other fighter, -1 for nobody
    what: int  # a code: a tag, an action, an outcome
    amount: int  # a number of points
    detail: int  # anything else, packed by the ruleset


class Log(Record):
    """The tape. ``count`` events are valid; ``lost`` counts those that found it full."""

    on: int
    count: int
    lost: int
    events: Annotated[Many[Event], CAPACITY]


@kernel
def emit(log: Log, kind: int, who: int, other: int, what: int, amount: int, detail: int) -> None:
    """Write an event, if anyone listens."""
    if log.on == 0:
        return
    if log.count >= CAPACITY:
        log.lost += 1
        return
    event = log.events[log.count]
    event.kind = kind
    event.who = who
    event.other = other
    event.what = what
    event.amount = amount
    event.detail = detail
    log.count += 1
