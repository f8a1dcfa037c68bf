"""What asks of classes: a snippet's own code is told them as `type(x)` tells them, and none is told by a library.

`isinstance(int, A)` asks each class registered with `A` whether `type` is below it, and so does `singledispatch`.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from codeact.snippet import ownership

ASKED = "__subclasscheck__"


def shown(value: Any) -> Any:
    """What a snippet gets for a class: itself, or what stands for it; anything else as it is."""
    from codeact.snippet.types_ import stand_in_of  # which needs this module

    return stand_in_of(value) if ownership.is_class(value) else value


def shown_each(values: dict[str, Any]) -> dict[str, Any]:
    """A copy of a library's table, such as its annotations, with what a snippet gets for the classes in it."""
    return {name: shown(value) for name, value in values.items()}


def told(owner: object, names: dict[str, Any]) -> dict[str, Any]:
    """The definition among these names that is asked about other classes, told of what stands for them."""
    found: Any = dict.get(names, ASKED)
    function = found.__func__ if type(found) in (classmethod, staticmethod) else found
    if found is None or is_telling(function):
        return {}
    if type(function) is not types.FunctionType:
        raise TypeError(f"class {owner!r}: {ASKED} must be a function")
    telling = _telling(function)
    return {ASKED: telling if found is function else type(found)(telling)}


def is_telling(function: Any) -> bool:
    """True for a snippet's function as `told` has made it."""
    return type(function) is types.FunctionType and function.__code__ is _CODE


def _telling(function: Any) -> Any:
    @functools.wraps(function)
    def __subclasscheck__(*arguments: Any) -> Any:
        return function(*map(shown, arguments))

    return __subclasscheck__


_CODE = _telling(shown).__code__
