"""Garbage that CPython 3.11 collects in the middle of C: what a snippet has for its end is not run there.

`a.copy()` makes a list, and then takes over what `a` holds. Where making it collects garbage, a generator that is told
to end could empty `a`, and C went on with what lay there. From Python 3.12 on garbage is collected between two
instructions alone. Before that, a generator or coroutine that a step's own collections find in a cycle is not told to
end, unless `gc.collect()` finds it first; what is called when something is gone is called when the step waits or ends.
"""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from codeact.snippet.defects import place_in
from codeact.snippet.running import _running, room

_FINALIZE = 28  # how far from the flags of a class stands what ends its objects
_KINDS = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
_LATER = "called when something is gone"

_asked, _works = [False], [False]  # a snippet asked for the collection; one goes on that nobody asked for


def guard() -> None:
    """Note when garbage is collected, in the whole process."""
    if sys.version_info < (3, 12) and not _noted:
        _noted.append(_noticing())
        gc.callbacks.append(_noted[0])


def put_back(function: object) -> None:
    """Where this is what notes it, and it was stopped on its way: what it changed is as it was."""
    for notice in _noted:
        if notice is function:
            notice("stop", None)


_noted: list[Callable[[str, Any], None]] = []


def _noticing() -> Callable[[str, Any], None]:
    ends = [(place, place.value) for place in (place_in(kind, _FINALIZE) for kind in _KINDS)]

    def notice(phase: str, info: Any) -> None:
        # nothing is called and made here: where there is no room for that, the generators would still be told to end
        if phase == "start":
            if _running.folder is not None and not _asked[0]:
                _works[0] = True
                for place, _ in ends:
                    place.value = None
        elif _works[0]:
            for place, before in ends:
                place.value = before
            _works[0] = False

    return notice


@contextmanager
def asked() -> Iterator[None]:
    """Around a collection that a snippet asks for: it is called there by the snippet itself."""
    before, _asked[0] = _asked[0], True
    try:
        yield
    finally:
        _asked[0] = before


def is_put_off(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """True where a snippet's function would be called in the middle of a collection; it is called later."""
    if _works[0]:
        room().settings.setdefault(_LATER, []).append((function, arguments))
    return _works[0]


def call_later(settings: dict[str, Any]) -> None:
    """Call what was put off."""
    waiting: list[Any] = settings.get(_LATER, [])
    while waiting:
        function, arguments = waiting.pop(0)
        function(*arguments)
