"""Keeps classes of a snippet from handing numpy an address: numpy believes what `__array_interface__` says.

No class body may define the name. Here the two ways left are closed, in sessions whose policy allows libraries alone:
a `__getattr__` that answers for it, and an instance's own dictionary.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

from codeact.snippet import (
    asked_classes,
    asked_members,
    bare_states,
    compared_lists,
    held_trees,
    lent_memory,
    moved_memory,
    reentered,
)

NAMES = ("__array_interface__", "__array_struct__")
_DISPATCH = "__array_function__"
_ALL = "__dict__"  # a library that asks for it copies it into that of another object
_GETTERS = ("__getattr__", "__getattribute__")

_watched: list[bool] = []


def watch() -> None:
    """Close them for every class that is made from now on."""
    if not _watched:
        _watched.append(True)


def is_watched() -> bool:
    """True once a session's policy allowed libraries."""
    return bool(_watched)


class _Absent:
    """Stands before an instance's dictionary, and says that the attribute is not there."""

    def __get__(self, subject: object, owner: type | None = None) -> Any:
        raise AttributeError(NAMES[0])

    def __set__(self, subject: object, value: object) -> None:
        raise AttributeError(NAMES[0])


ABSENT = _Absent()


def look(names: Iterable[str], line: Iterable[type] = ()) -> None:
    """Begin to guard what C asks in the middle of its work, where a class with these names could be asked so."""
    moved_memory.look(names, line)
    reentered.look()
    compared_lists.look(names, line)
    held_trees.look(names)
    bare_states.look(line)
    asked_members.look(names, line, of_libraries=bool(_watched))


def close(names: dict[str, Any], line: Iterable[type]) -> None:
    """Close them in what a class is made of, before there is a class that could be passed on. `line` are its bases."""
    look(names, line)
    lent_memory.close(names, line)
    closed = names.get(NAMES[0]) is ABSENT  # it is made by a metaclass of the snippet's own, and was looked at there
    if not _watched or closed or type in line:
        return
    for name in _GETTERS:
        value = names.get(name)
        if value is not None and value is not object.__getattribute__:
            dict.__setitem__(names, name, _silent(value))
    if (asked := names.get(_DISPATCH)) is not None:
        dict.__setitem__(names, _DISPATCH, _told_what_stands(asked))
    if typing.Protocol not in line:  # its names are what others must have
        for name in NAMES:
            dict.__setitem__(names, name, ABSENT)


def _told_what_stands(dispatch: Any) -> Callable[..., Any]:
    """numpy's protocol, told of the classes that a snippet knows: numpy's own takes bytes for objects."""

    def answer(self: Any, function: Any, classes: Any, arguments: Any, keywords: Any) -> Any:
        shown = tuple(map(asked_classes.shown, classes))
        bind = getattr(type(dispatch), "__get__", None)
        asked = dispatch if bind is None else bind(dispatch, self, type(self))
        return asked(function, shown, arguments, keywords)

    answer.__name__ = answer.__qualname__ = _DISPATCH
    return answer


def _silent(getter: Any) -> Callable[[Any, str], Any]:
    def answer(self: Any, name: str) -> Any:
        if name in NAMES:
            raise AttributeError(name)
        if name == _ALL:
            return object.__getattribute__(self, name)
        if type(getter) is types.FunctionType:
            return getter(self, name)
        bind = getattr(type(getter), "__get__", None)
        return (getter if bind is None else bind(getter, self, type(self)))(name)

    answer.__name__ = answer.__qualname__ = "__getattr__"
    return answer
