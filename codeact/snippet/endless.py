"""What gives items without end is charged for each of them by itself, whatever takes them: no hook sees every taker.

`itertools.count`, `cycle` and `repeat` are subclasses here whose iterators draw an operation for each item, in C.
"""

from __future__ import annotations

import decimal
import fractions
import itertools
import numbers
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.patches import name_as

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

    def made(kind: Any) -> type:
        # `next(x)` is left to CPython: each is a call of somebody who counts
        said = {"__slots__": (), "__iter__": __iter__, **_MORE.get(kind, {})}
        cls = type(kind.__name__, (kind, Endless), said)
        name_as(cls, kind, kind.__module__)
        return cls

    return {kind.__name__: made(kind) for kind in _KINDS}


def _count(cls: Any, /, *given: Any, **named: Any) -> Any:
    """`count` gives what it holds twice where adding to it asks for the next: it takes what asks nobody."""
    made = itertools.count.__new__(cls, *given, **named)
    if not all(map(_is_number, (*given, *named.values()))):
        raise TypeError("count() takes numbers inside a snippet; for what else can be added write a generator")
    return made


def _is_number(value: Any) -> bool:
    kind = type(value)
    if kind is fractions.Fraction:
        return type(value.numerator) is type(value.denominator) is int
    return kind in _PLAIN or (not ownership.is_own_class(kind) and issubclass(kind, numbers.Number))


def _cycle(cls: Any, /, *given: Any, **named: Any) -> Any:
    """`cycle` lets go of what it goes through when that has ended, and it may be running."""
    given = tuple(map(iter, given)) if len(given) == 1 else given
    made = itertools.cycle.__new__(cls, *given, **named)
    made._kept = given
    return made


_PLAIN = (int, float, complex, bool, decimal.Decimal)
_MORE: dict[Any, dict[str, Any]] = {
    itertools.count: {"__new__": _count},
    itertools.cycle: {"__new__": _cycle, "__slots__": ("_kept",)},
}


def iter_(stream: Iterator[bool]) -> Callable[..., Any]:
    """The builtin of that name, where `iter(function, sentinel)` is charged for each call of the function."""

    def asked(*arguments: Any) -> Any:
        found = iter(*arguments)
        return found if len(arguments) == 1 else itertools.compress(found, stream)

    return asked
