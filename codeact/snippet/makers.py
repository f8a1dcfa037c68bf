"""What a snippet's class makes: nothing that a library could store on and the snippet could not.

Libraries set up what a class gave them: a member of an enum gets its name, a copy its parts. A `__new__` that gave a
class of a library would have that stored there, for the whole process.
"""

from __future__ import annotations

import datetime
import functools
import types
from typing import Any

from codeact.snippet import ownership, said_kinds
from codeact.snippet.storable import is_storable

_NEW = "__new__"
CALL = "__call__"  # of a metaclass

#: What makes instances.
NAMES = frozenset({_NEW, "__new_member__", CALL})

#: The definitions that `checked` may give anew.
CHANGED = NAMES | said_kinds.NAMES

_WRITTEN = frozenset((types.FunctionType, type(functools.lru_cache(len))))


def checked(owner: object, names: dict[str, Any], line: list[type]) -> dict[str, Any]:
    """The definitions among these names that make or are asked for other instances, looking at what they give.

    `line` are the bases.
    """
    making = NAMES if type in line else NAMES - {CALL}
    made = {name: _looking(owner, name, dict.get(names, name)) for name in making & dict.keys(names)}
    return {**made, **said_kinds.checked(owner, names)}


def _looking(owner: object, name: str, value: Any) -> Any:
    function = value.__func__ if type(value) is staticmethod else value
    if _is_of_c(function) or (type(function) is types.FunctionType and function.__code__ is _CODE):
        return value
    if _WRITTEN.isdisjoint(ownership.mro_of(type(function))):  # isinstance would ask the object itself
        raise TypeError(f"class {owner!r}: {name} must be a function")
    made = _making(function)
    return made if function is value else staticmethod(made)


def _is_of_c(function: Any) -> bool:
    """True for the `__new__` of a class written in C, which makes instances of the class it is given."""
    return (
        type(function) is types.BuiltinMethodType
        and function.__name__ == _NEW
        and ownership.is_class(function.__self__)
    )


def _making(function: Any) -> Any:
    @functools.wraps(function)
    def make(*arguments: Any, **keywords: Any) -> Any:
        made = function(*arguments, **keywords)
        if not is_storable(made) and type(made).__dictoffset__:
            raise TypeError(f"{function.__qualname__}() makes what is your own or plain, not a {type(made).__name__!r}")
        _check_kind(made, arguments[0] if arguments else None, function)
        return made

    return make


_CODE = _making(is_storable).__code__

#: Classes whose C code makes more of what it has, calls the class of that for it, and takes whatever comes for one.
_BELIEVED = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo)


def _check_kind(made: Any, cls: Any, function: Any) -> None:
    asked = ownership.mro_of(cls) if ownership.is_class(cls) else ()
    for kind in _BELIEVED:
        if kind in asked and kind not in ownership.mro_of(type(made)):
            raise TypeError(f"{function.__qualname__}() makes a {kind.__name__}, not a {type(made).__name__!r}")
