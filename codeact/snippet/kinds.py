"""The kind of a class, where a library asks for it: `C.__class__` tells a step what `type(C)` tells it.

Libraries make another of the kind of what they are given: `x.__class__(…)`. Of a class that would be `type` itself,
which makes classes that nobody checks; they get what stands for it. What asks by `type(x)`, `modules/borrowed.py` looks
at; what it then says in an exception, `TypeError(type(x))`, is told like this as well.
"""

from __future__ import annotations

import operator
import types
from typing import Any

from codeact.snippet import asked_classes, running, types_
from codeact.snippet.patches import put_on

_set_kind = vars(object)["__class__"].__set__


class _Kind:
    """What classes answer with for `__class__`."""

    __slots__ = ()

    def __get__(self, cls: Any, owner: Any = None) -> Any:
        return types_.type_of(cls) if running.is_in_a_step() else type(cls)

    def __set__(self, cls: Any, kind: Any) -> None:
        _set_kind(cls, kind)


class _NoOrigin:
    """What classes answer with for `__orig_class__`: `type[int](x)` would leave there what it was called by."""

    __slots__ = ()

    def __get__(self, cls: Any, owner: Any = None) -> Any:
        raise AttributeError("__orig_class__")

    def __set__(self, cls: Any, value: Any) -> None:
        raise AttributeError("__orig_class__")


class _Said:
    """What exceptions answer with for `args`: a step is told what stands for the classes among them."""

    __slots__ = ("_real",)

    def __init__(self, real: Any) -> None:
        self._real = real

    def __get__(self, error: Any, owner: Any = None) -> Any:
        if error is None:
            return self
        found = self._real.__get__(error)
        return _shown(found, _LEVELS) if running.is_in_a_step() else found

    def __set__(self, error: Any, value: Any) -> None:
        self._real.__set__(error, value)

    def __delete__(self, error: Any) -> None:
        self._real.__delete__(error)

    def __repr__(self) -> str:
        return repr(self._real)


types_.STAND_INS[_Said] = types.GetSetDescriptorType  # which makes nothing and has no subclasses

_LEVELS = 3  # of tuples in tuples: the key of a table that has no such key


def _shown(found: Any, levels: int) -> Any:
    if type(found) is not tuple or not levels:
        return asked_classes.shown(found)
    told = tuple([_shown(part, levels - 1) for part in found])
    return found if all(map(operator.is_, told, found)) else told


def guard() -> None:
    """Put these on `type`, for all classes of the process, and on exceptions; outside of steps all is as ever."""
    if "__class__" not in vars(type):
        put_on(type, "__class__", _Kind())
        put_on(BaseException, "args", _Said(vars(BaseException)["args"]))
        put_on(type, "__orig_class__", _NoOrigin())
