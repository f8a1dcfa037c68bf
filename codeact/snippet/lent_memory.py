"""The memory of arrays of objects: it holds addresses, so a snippet may see its bytes and write none.

numpy lends that memory to whatever asks for bytes. What a snippet can ask with gets a view that is read-only, and what
fills memory it is given says so in its own words.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership

_WHY = "it is not filled where that holds objects"

#: Methods that fill memory they are given.
NAMES: dict[str, str] = dict.fromkeys(("readinto", "readinto1", "pack_into"), _WHY)


def lent(value: Any) -> Any:
    """The value itself; of what lends memory with objects in it, a view through which nothing is written."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or type(value) in ownership.BARE_TYPES:
        return value
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError) as error:
        if _holds_objects(numpy, value):
            raise TypeError(f"the memory of an array of {value.dtype} cannot be lent") from error
        return value  # it lends none
    return view.toreadonly() if _holds_objects(numpy, view.obj) else value


def _holds_objects(numpy: Any, value: Any) -> bool:
    is_array = numpy.ndarray in ownership.mro_of(type(value))
    return is_array and bool(vars(numpy.ndarray)["dtype"].__get__(value).hasobject)


def filling(subject: object, name: str) -> Any:
    """What `x.readinto` and its like give."""
    found = getattr(subject, name)
    if not callable(found) or ownership.is_own_function(getattr(found, "__func__", found)):
        return found
    return guarded(found, name)


def guarded(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function that gets what is lent in place of what it is given."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        return function(*map(lent, arguments), **{key: lent(value) for key, value in keywords.items()})

    call.__name__ = call.__qualname__ = name
    call.__doc__ = function.__doc__
    return call
