"""What gives items without end is charged for each of them by itself, whatever takes them: no hook sees every taker.

`itertools.count`, `cycle` and `repeat` are subclasses here whose iterators draw an operation for each item, in C.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

_KINDS: tuple[Any, ...] = (itertools.count, itertools.cycle, itertools.repeat)


class Endless:
    """Above the classes that charge for what they give."""

    __slots__ = ()


def kinds(stream: Iterator[bool]) -> dict[str, type]:
    """The classes of one session, by their names; `stream` gives `True` for each operation that is paid for."""
    asking: list[Any] = []  # what is asked for its iterator by the lines below, and is one as it stands

    def __iter__(self: Any) -> Any:
        if asking and asking[-1] is self:
            return self
        asking.append(self)
        try:
            return itertools.compress(self, stream)
        finally:
            asking.pop()

    def made(kind: type) -> type:
        # `next(x)` is left to CPython: each is a call of somebody who counts
        said = {"__slots__": (), "__iter__": __iter__, "__doc__": kind.__doc__, "__module__": kind.__module__}
        return type(kind.__name__, (kind, Endless), said)

    return {kind.__name__: made(kind) for kind in _KINDS}


def iter_(stream: Iterator[bool]) -> Callable[..., Any]:
    """The builtin of that name, where `iter(function, sentinel)` is charged for each call of the function."""

    def asked(*arguments: Any) -> Any:
        found = iter(*arguments)
        return found if len(arguments) == 1 else itertools.compress(found, stream)

    return asked
