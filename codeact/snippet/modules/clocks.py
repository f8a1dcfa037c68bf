"""The clocks of a session, whose readings are told; those of a deterministic one start at one moment and tick alike."""

from __future__ import annotations

import datetime as real
import functools
import sys
import threading
import time
import weakref
import zoneinfo
from collections.abc import Callable
from typing import Any

from codeact.snippet import library_texts, ownership, running, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import readings, waits
from codeact.snippet.modules.row import Room
from codeact.snippet.words import words

_START_NS = 1_704_067_200 * 10**9  # the first second of 2024, UTC
_TICK_NS = 10**6

READINGS = words(
    """
    time monotonic perf_counter process_time thread_time clock_gettime time_ns monotonic_ns perf_counter_ns
    process_time_ns thread_time_ns clock_gettime_ns
    """
)


class Clock:
    """A clock that only goes on when it is read or slept on."""

    def __init__(self) -> None:
        self._now_ns = _START_NS

    def read_ns(self) -> int:
        """Give the nanoseconds since 1970, and go on a tick."""
        now, self._now_ns = self._now_ns, self._now_ns + _TICK_NS
        return now

    def pass_by(self, seconds: float) -> None:
        """Let so much time pass."""
        self._now_ns += int(seconds * 10**9)


def fix(settings: dict[str, Any]) -> None:
    """Give a session such a clock, which says all that its clocks say."""
    clock = settings[waits.CLOCK] = Clock()
    settings.setdefault(waits.READINGS, readings.Readings()).fix(clock.read_ns)


def clocks(room: Room) -> dict[str, Any]:
    """The names of `time` that read a clock or wait; the clocks are the machine's where nobody asks what they said."""
    told: readings.Readings | None = room.settings.get(waits.READINGS)
    if told is None:
        return {"sleep": _sleep(room)}
    readers = {name: readings.reader(told, name) for name in READINGS}
    local = time.gmtime if told.are_fixed else time.localtime
    seconds = readers["time"]

    def of_now(convert: Callable[[float], Any]) -> Callable[..., Any]:
        return lambda moment=None, /: convert(seconds() if moment is None else moment)

    def strftime(form: str, moment: Any = None, /) -> str:
        return time.strftime(form, local(seconds()) if moment is None else moment)

    def asctime(moment: Any = None, /) -> str:
        return time.asctime(local(seconds()) if moment is None else moment)

    return {
        **readers,
        "gmtime": of_now(time.gmtime),
        "localtime": of_now(local),
        "ctime": of_now(lambda moment: time.asctime(local(moment))),
        "asctime": asctime,
        "strftime": strftime,
        "sleep": _sleep(room),
    }


class OfTheSession:
    """Stands for a module in modules of Python's own: for the session's facade of it while they work for a snippet."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        room = running.room()
        return getattr(self._real if room is None else room.facades.import_module(self._real.__name__), name)


def date_what_is_written(room: Room) -> None:
    """Let archives and records of logs, where the session has a clock, be dated by it."""
    if waits.CLOCK in room.settings:
        for name in ("gzip", "zipfile", "logging"):
            if name in sys.modules:
                vars(sys.modules[name])["time"] = OfTheSession(time)


class _StandsFor(type):
    """The type of a date class whose idea of now is the session's; what it makes is of the real class."""

    def __call__(cls, /, *arguments: Any, **keywords: Any) -> Any:
        return (
            _real(cls)(*arguments, **keywords) if _real(cls) is not cls else type.__call__(cls, *arguments, **keywords)
        )

    def __instancecheck__(cls, instance: object) -> bool:
        return type.__instancecheck__(_real(cls), instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return type.__subclasscheck__(_real(cls), subclass)


def _real(cls: Any) -> Any:
    """The class another stands for; a snippet's own class stands for itself."""
    return vars(cls).get("stands_for", cls)


def _sleep(room: Room) -> Callable[[float], None]:
    def sleep(seconds: float, /) -> None:
        if type(seconds) in (int, float) and 0 <= seconds < threading.TIMEOUT_MAX:
            waits.sleep(room, seconds)
        else:
            time.sleep(seconds)  # it says what is wrong

    return sleep


def dates(room: Room) -> dict[str, Any]:
    """The classes of `datetime` that know what day it is; none where the session's clocks are the machine's."""
    clock: Clock | None = room.settings.get(waits.CLOCK)
    if clock is None:
        return {}

    def now(zone: real.tzinfo | None = None) -> real.datetime:
        moment = real.datetime.fromtimestamp(clock.read_ns() // 1000 / 10**6, real.UTC)
        return moment.replace(tzinfo=None) if zone is None else moment.astimezone(zone)

    class datetime(real.datetime, metaclass=_StandsFor):  # its name in datetime
        stands_for = real.datetime

        @classmethod
        def now(cls, tz: real.tzinfo | None = None) -> Any:
            return readings.at(_real(cls), now(tz))

        @classmethod
        def utcnow(cls) -> Any:
            return readings.at(_real(cls), now())

        @classmethod
        def today(cls) -> Any:
            return readings.at(_real(cls), now())

    class date(real.date, metaclass=_StandsFor):  # its name in datetime
        stands_for = real.date

        @classmethod
        def today(cls) -> Any:
            return readings.at(_real(cls), now())

    types_.present(datetime, real.datetime)
    types_.present(date, real.date)
    return {"datetime": datetime, "date": date}


def zones(room: Room) -> dict[str, Any]:
    """The replaced names of zoneinfo."""
    return {"ZoneInfo": _zone()}


@functools.cache
def _zone() -> Any:
    """What stands for ZoneInfo: it takes the name of a zone, which is a text and the same each time it is asked."""
    whole = zoneinfo.ZoneInfo

    def __new__(cls: Any, key: Any) -> Any:
        name = library_texts.exact(key, "the name of a time zone")
        return whole.__new__(whole if cls is made else _with_a_cache(cls, whole), name)

    def no_cache(cls: Any, key: Any) -> Any:
        return _by(cls, "no_cache")(library_texts.exact(key, "the name of a time zone"))

    def from_file(cls: Any, fobj: Any, /, key: Any = None) -> Any:
        return _by(cls, "from_file")(fobj, key)

    def clear_cache(cls: Any, *, only_keys: Any = None) -> None:
        if cls is made:
            raise CallRefused("ZoneInfo.clear_cache is refused in a snippet: it would change the whole process")
        _by(_with_a_cache(cls, whole), "clear_cache")(only_keys=only_keys)

    def _by(cls: Any, name: str) -> Any:
        return vars(whole)[name].__get__(None, whole if cls is made else cls)

    methods = {each.__name__: classmethod(each) for each in (no_cache, from_file, clear_cache)}
    made: Any = types_.standing_for(whole, {"__new__": __new__, **methods})
    return made


_CACHE = "_weak_cache"


def _with_a_cache(cls: Any, whole: type) -> Any:
    """The class itself, where it has a cache that nobody exchanges: C asks for it, and lets go of it before use."""
    holder = next(base for base in ownership.mro_of(cls) if _CACHE in ownership.class_dict(base))
    held = type(ownership.class_dict(holder)[_CACHE]) is weakref.WeakValueDictionary
    by_its_kind = any(_CACHE in ownership.class_dict(base) for base in ownership.mro_of(type(cls)))
    if not held or by_its_kind or not ownership.is_own_class(holder) or whole not in ownership.mro_of(holder):
        raise TypeError(f"{cls.__name__!r} has no cache of its own: ZoneInfo.__init_subclass__ makes one")
    return cls
