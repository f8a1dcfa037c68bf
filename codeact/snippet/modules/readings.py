"""What the clocks have said in the steps of a session, so that they say it again where a step is lived again.

A reading is a number of nanoseconds, whichever clock it is of: the same step asks the same clocks in the same order.
What is read beyond the readings that are known is the machine's to say. A clock that cannot go back does not go back
there either, be it on a machine that was started later.
"""

from __future__ import annotations

import datetime
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from codeact.snippet.patches import put_on

_DATES = {name: vars(datetime.datetime)[name] for name in ("fromtimestamp", "utcnow")}


class Readings:
    """The readings of one session; none is told of before a step begins."""

    def __init__(self) -> None:
        self._known: deque[int] = deque()
        self._told: list[int] = []
        self._left = 0
        self._ahead: dict[tuple[object, ...], int] = {}  # how far clocks were, when they were last lived again
        self._fixed: Callable[[], int] | None = None

    @property
    def are_fixed(self) -> bool:
        """Whether one clock says all of them, and not the machine."""
        return self._fixed is not None

    def fix(self, clock: Callable[[], int]) -> None:
        """Let this clock say what is read from now on; it does so again by itself, and nothing is told."""
        self._fixed = clock

    def begin(self, known: Iterable[int], most: int) -> None:
        """Begin a step, of which this much is known, and so much is to be told at the most."""
        self._known, self._told = deque(known), []
        self._left = most - len(self._known)

    def read(self, clock: Callable[..., int], *which: int) -> int:
        """Give what a clock of the machine says now, or said when the step was lived for the first time."""
        if self._fixed is not None:
            return self._fixed()
        now = clock(*which)
        goes_back = clock is time.time_ns or which[:1] == (time.CLOCK_REALTIME,)
        if self._known:
            said = self._known.popleft()
            if not goes_back:
                self._ahead[clock, *which] = max(0, said - now)
            return said
        if self._ahead and not goes_back:
            now += self._ahead.get((clock, *which), 0)
        if self._left > 0:
            self._left -= 1
            self._told.append(now)
        return now

    @property
    def are_all_told(self) -> bool:
        """Whether the step has read no more than is told."""
        return self._left > 0

    def taken(self) -> list[int]:
        """Give what was read since this was asked last, without what was known."""
        told, self._told = self._told, []
        return told


def reader(readings: Readings, name: str) -> Callable[..., float]:
    """What stands in the place of a function of `time` that reads a clock."""
    clock = vars(time)[name if name.endswith("_ns") else f"{name}_ns"]

    def nanoseconds(*which: int) -> int:
        return readings.read(clock, *which)

    def seconds(*which: int) -> float:
        said = readings.read(clock, *which)
        return said / 10**9 if readings.are_fixed else float(said) / 1e9  # as C does

    made = nanoseconds if name.endswith("_ns") else seconds
    made.__name__ = made.__qualname__ = name
    made.__module__ = "time"
    return made


#: Those of the one session that a worker serves.
of_process = Readings()


def put_on_dates() -> None:
    """Let the dates of this process, whoever asks for them, be read from the session's readings."""
    put_on(datetime.datetime, "now", classmethod(_now))
    put_on(datetime.datetime, "utcnow", classmethod(_utcnow))
    put_on(datetime.date, "today", classmethod(_today))


def _seconds(to_microseconds: bool = True) -> float:
    now = of_process.read(time.time_ns)
    return now // 1000 / 10**6 if to_microseconds else float(now) / 1e9


def _now(cls: Any, tz: datetime.tzinfo | None = None) -> Any:
    return _moment(cls, tz, in_utc=tz is None and of_process.are_fixed)


def _utcnow(cls: Any, /) -> Any:
    _DATES["utcnow"].__get__(None, datetime.datetime)()  # it warns, from Python 3.12 on
    return _moment(cls, in_utc=True)


def _moment(cls: Any, tz: datetime.tzinfo | None = None, *, in_utc: bool) -> Any:
    if not in_utc:
        return _DATES["fromtimestamp"].__get__(None, cls)(_seconds(), tz)
    return at(cls, datetime.datetime.fromtimestamp(_seconds(), datetime.UTC).replace(tzinfo=None))


def at(cls: Any, moment: datetime.datetime) -> Any:
    """Give this moment, or its day, as one of the class: as C does, it calls a class that is built on these."""
    if cls is datetime.datetime:
        return moment
    if not issubclass(cls, datetime.datetime):
        return cls(moment.year, moment.month, moment.day)
    when = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond)
    return cls(*when, moment.tzinfo)


def _today(cls: Any, /) -> Any:
    now = _seconds(to_microseconds=False)
    if not of_process.are_fixed:
        return cls.fromtimestamp(now)
    return at(cls, datetime.datetime.fromtimestamp(now, datetime.UTC).replace(tzinfo=None))


for _made, _name in ((_now, "now"), (_utcnow, "utcnow"), (_today, "today")):
    _made.__name__ = _name
    _made.__qualname__ = f"{'date' if _name == 'today' else 'datetime'}.{_name}"
