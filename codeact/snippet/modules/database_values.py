"""What goes into a database and comes out of it: plain values, made by the adapters and converters of one session.

A database is given numbers, texts and bytes of Python's own types, so that nothing of a snippet's is asked while
compiled code works on a statement. `sqlite3` keeps adapters and converters for the whole process; here a session has
its own.
"""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import lent_memory, ownership
from codeact.snippet.library_texts import exact
from codeact.snippet.modules.row import Room

_HEAP_TYPE = 1 << 9
_EXACT = frozenset({int, float, str, bytes, type(None)})
_PLAIN: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__index__),
    (float, float.__float__),
    (str, str.__str__),
)


#: What the module itself has adapters and converters for; those of times are pandas'.
_DATES = frozenset({datetime.date, datetime.datetime, datetime.time})
_COLUMNS = ("DATE", "TIMESTAMP")


class Converting:
    """The adapters and converters of one session, beside those of the module, which are for dates."""

    def __init__(self) -> None:
        self._adapters: dict[type, Callable[[Any], Any]] = {}
        self._converters: dict[str, Callable[[bytes], Any]] = {}

    def register_adapter(self, type: Any, adapter: Any, /) -> None:
        """Have objects of just this type stored as what the adapter makes of them."""
        if not ownership.is_class(type):
            raise TypeError("register_adapter() argument 1 must be type")
        self._adapters[type] = adapter

    def register_converter(self, typename: Any, converter: Any, /) -> None:
        """Have columns of this type read as what the converter makes of them, where `detect_types` asks for it."""
        self._converters[exact(typename, "the name of a type").upper()] = converter

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """Let the module have these converters, which it looks up when a statement begins."""
        before = dict(sqlite3.converters)
        sqlite3.converters.clear()
        sqlite3.converters.update({name: before[name] for name in _COLUMNS} | self._converters)
        try:
            yield
        finally:
            sqlite3.converters.clear()
            sqlite3.converters.update(before)

    def _adapter(self, kind: type) -> Callable[[Any], Any] | None:
        found = self._adapters.get(kind)
        return sqlite3.adapters.get((kind, sqlite3.PrepareProtocol)) if found is None and kind in _DATES else found

    def plain(self, value: Any) -> Any:
        """The value as a number, a text, bytes or None; an object that the module refuses where it is none of these."""
        kind = type(value)
        if kind in _EXACT:
            return value
        if (adapter := self._adapter(kind)) is not None:
            value = adapter(value)
        elif ownership.is_own_class(kind) and (conform := getattr(kind, "__conform__", None)) is not None:
            value = conform(value, sqlite3.PrepareProtocol)
        kind = type(value)
        if kind in _EXACT:
            return value
        line = ownership.mro_of(kind)
        for base, made in _PLAIN:
            if base in line:
                return made(value)
        try:
            return bytes(memoryview(lent_memory.lent(value)))
        except TypeError:
            return type(_name_in_c(kind), (), {})()  # of which the module says that it is not supported


def _name_in_c(kind: type) -> str:
    module = ownership.module_of(kind)
    return kind.__name__ if kind.__flags__ & _HEAP_TYPE or module == "builtins" else f"{module}.{kind.__name__}"


def of_room(room: Room) -> Converting:
    """Those of the session that has this room."""
    found: Converting = room.settings.setdefault("adapters of sqlite3", Converting())
    return found
