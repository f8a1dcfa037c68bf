"""Methods of a `range` that would go through all its numbers in C, where they are asked for what is no int.

`range(10**11).count(1.5)` takes an hour that nothing ends: no loop of the snippet's is there to be counted. What equals
a number is asked for as that number instead, in the whole process; it comes to what it always did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.patches import put_on
from codeact.snippet.whole import found

_WHOLE = (int, bool)
_real: dict[str, Callable[..., Any]] = {name: vars(range)[name] for name in ("count", "index", "__contains__")}


def guard() -> None:
    """Put these in the place of CPython's; more calls do nothing."""
    if vars(range)["count"] is not _count:
        for name, function in (("count", _count), ("index", _index), ("__contains__", _contains)):
            function.__name__, function.__qualname__ = name, f"range.{name}"
            function.__doc__ = _real[name].__doc__
            put_on(range, name, function)


def _count(self: range, value: Any, /) -> int:
    number = _asked(self, value)
    return 0 if number is None else int(_real["count"](self, number))


def _index(self: range, value: Any, /) -> int:
    number = _asked(self, value)
    if number is None:
        raise ValueError("sequence.index(x): x not in sequence")
    return int(_real["index"](self, number))


def _contains(self: range, key: Any, /) -> bool:
    number = _asked(self, key)
    return number is not None and bool(_real["__contains__"](self, number))


def _asked(numbers: range, value: Any) -> Any:
    """The value itself where it is an int, or counts each comparison; else the number it equals, if any."""
    kind: Any = type(value)
    equals = found(kind, "__eq__")
    if kind in _WHOLE or ownership.is_own_function(equals):
        return value
    if not numbers or equals is object.__eq__:
        return None
    if kind is complex:
        return _asked(numbers, value.real) if not value.imag else None
    try:
        low, high = sorted((numbers[0], numbers[-1]))
        number = int(value) if low <= value <= high else None
        return number if number is not None and number == value else None
    except (TypeError, ValueError, ArithmeticError):
        return None
