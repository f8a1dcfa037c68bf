"""Keeps classes of a snippet from handing numpy an address: numpy believes what `__array_interface__` says.

No class body may define the name. Here the two ways left are closed, in sessions whose policy allows libraries alone:
a `__getattr__` that answers for it, and an instance's own dictionary.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership

NAMES = ("__array_interface__", "__array_struct__")
_GETTERS = ("__getattr__", "__getattribute__")

_watched: list[bool] = []


def watch() -> None:
    """Close them for every class that is made from now on."""
    if not _watched:
        _watched.append(True)


class _Absent:
    """Stands before an instance's dictionary, and says that the attribute is not there."""

    def __get__(self, subject: object, owner: type | None = None) -> Any:
        raise AttributeError(NAMES[0])

    def __set__(self, subject: object, value: object) -> None:
        raise AttributeError(NAMES[0])


ABSENT = _Absent()


def close(cls: type) -> None:
    """Close them for one class of the snippet's own."""
    held = ownership.class_dict(cls)
    closed = held.get(NAMES[0]) is ABSENT  # it was made by a metaclass, and looked at there
    if not _watched or closed or type in ownership.mro_of(cls) or held.get("_is_protocol") is True:
        return
    for name in _GETTERS:
        value = held.get(name)
        if value is not None and value is not object.__getattribute__:
            type.__setattr__(cls, name, _silent(value))
    for name in NAMES:
        type.__setattr__(cls, name, ABSENT)


def _silent(getter: Any) -> Callable[[Any, str], Any]:
    def answer(self: Any, name: str) -> Any:
        if name in NAMES:
            raise AttributeError(name)
        if type(getter) is types.FunctionType:
            return getter(self, name)
        bind = getattr(type(getter), "__get__", None)
        return (getter if bind is None else bind(getter, self, type(self)))(name)

    answer.__name__ = answer.__qualname__ = "__getattr__"
    return answer
