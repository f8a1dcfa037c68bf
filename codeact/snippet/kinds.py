"""The kind of a class, where a library asks for it: `C.__class__` tells a step what `type(C)` tells it.

Libraries make another of the kind of what they are given: `x.__class__(…)`. Of a class that would be `type` itself,
which makes classes that nobody checks; they get what stands for it. What asks by `type(x)`, `modules/borrowed.py` looks
at.
"""

from __future__ import annotations

from typing import Any

from codeact.snippet import running, types_
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


def guard() -> None:
    """Put both on `type`, for all classes of the process; outside of steps the kind is what it always was."""
    if "__class__" not in vars(type):
        put_on(type, "__class__", _Kind())
        put_on(type, "__orig_class__", _NoOrigin())
