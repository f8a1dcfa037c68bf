"""Memory that is lent: that of arrays of objects holds addresses, so a snippet may see its bytes and write none.

numpy lends that memory to whatever asks for bytes. What a snippet can ask with gets a view that is read-only, and what
fills memory it is given says so in its own words. Where numpy makes an array of memory it was given, it gives the loan
back at once, and would go on reading what its owner lets go: it gets an array that keeps the loan.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.running import as_a_snippet

_WHY = "it is not filled where that holds objects"

#: Methods that fill memory they are given.
NAMES: dict[str, str] = dict.fromkeys(("readinto", "readinto1", "pack_into"), _WHY)


def lent(value: Any) -> Any:
    """The value itself; of what lends memory with objects in it, a view through which nothing is written.

    A class of the snippet's own that lends memory (Python 3.12) is asked once, and its view is given on: numpy takes it
    for one whose memory needs no giving back, and a second answer could be another.
    """
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or type(value) in ownership.BARE_TYPES:
        return value
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError) as error:
        if _holds_objects(numpy, value):
            raise TypeError(f"the memory of an array of {value.dtype} cannot be lent") from error
        return value  # it lends none
    if _holds_objects(numpy, view.obj):
        return view.toreadonly()
    return view if _lends_by_its_own(type(value)) else value


def _lends_by_its_own(kind: type) -> bool:
    line = ownership.mro_of(kind)
    return any(ownership.is_own_class(base) and "__buffer__" in ownership.class_dict(base) for base in line)


def close(names: dict[str, Any], line: Iterable[type]) -> None:
    """See to it that what a class lends is given back, in a step alone. `line` are the classes above it.

    numpy holds on to a loan only where the class says that it wants it back; a protocol's names are what others have.
    """
    wanted = names.get(_WANTED_BACK)
    if type(wanted) is types.FunctionType:
        dict.__setitem__(names, _WANTED_BACK, as_a_snippet(wanted))
    elif _WANTED_BACK in names:
        raise TypeError(f"{_WANTED_BACK} is a plain function inside a snippet: it is called at any time")
    elif "__buffer__" in names and typing.Protocol not in line:
        dict.__setitem__(names, _WANTED_BACK, _taken_back)


_WANTED_BACK = "__release_buffer__"


def _taken_back(self: Any, view: memoryview) -> None:
    """Take back what was lent; there is nothing to do."""


def kept(value: Any) -> Any:
    """The same for what numpy makes an array of; what lends memory that can be let go is given as an array over it."""
    numpy, value = sys.modules["numpy"], lent(value)
    line = ownership.mro_of(type(value))
    if numpy.ndarray in line or numpy.generic in line or (type(value) in ownership.BARE_TYPES - {bytearray}):
        return value
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError):
        return value  # it lends none
    return numpy.frombuffer(view, "u1") if view.c_contiguous and view.nbytes else numpy.asarray(view)


def is_array(value: Any) -> bool:
    """True for an array of numpy, which is there."""
    return sys.modules["numpy"].ndarray in ownership.mro_of(type(value))


def _holds_objects(numpy: Any, value: Any) -> bool:
    return is_array(value) and bool(vars(numpy.ndarray)["dtype"].__get__(value).hasobject)


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
