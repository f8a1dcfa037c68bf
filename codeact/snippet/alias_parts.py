"""What fills in the parameters of `list[T]`: C asks each part what becomes of it, and takes any answer for a tuple.

A part that says it is an unpacked `TypeVarTuple` gives what stands in its place, and a complex number given so is
read as a tuple that holds the object at whatever address its bits are. So parts are asked that answer as CPython's do.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.defects import put

_ITEM = (-7, 1)  # a table, by how far from the flags of a class it stands, and the place
_PLAIN = (ownership.BARE_TYPES | {types.UnionType}) - {list}  # which may change while its parts are asked

_guarded: list[bool] = []


def guard() -> None:
    """Have them look first, in the whole process; more calls do nothing."""
    if not _guarded:
        _guarded.append(True)
        for kind in (types.GenericAlias, types.UnionType):
            put(kind, {"__getitem__": _looking(kind)}, _ITEM)


def _looking(kind: Any) -> Any:
    real, parts_of = vars(kind)["__getitem__"], vars(kind)["__args__"].__get__

    @functools.wraps(real)
    def __getitem__(self: Any, parameters: Any, /) -> Any:
        for part in parts_of(self):
            if not _is_as_ever(part):
                raise TypeError(f"the parameters beside an object of {type(part).__name__!r} cannot be filled in")
        return real(self, parameters)

    return __getitem__


def _is_as_ever(part: Any) -> bool:
    """True for what says nothing of itself that a snippet could have told it to."""
    kind = type(part)
    if kind is tuple:  # from 3.13 on its parts are asked
        return all(map(_is_as_ever, part))
    if kind in _PLAIN:
        return True
    if ownership.is_class(part):  # no class body may define what is asked, nor a metaclass answer for it
        return True
    if types.GenericAlias in ownership.mro_of(kind):  # it passes the question on
        return not ownership.is_own_class(kind) and _is_as_ever(_origin_of(part))
    return ownership.module_of(kind) == "typing"


_origin_of = vars(types.GenericAlias)["__origin__"].__get__
