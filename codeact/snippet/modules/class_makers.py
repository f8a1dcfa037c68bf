"""Metaclasses of libraries, where a snippet comes upon one itself: what it makes of a snippet's names is looked at.

`type(C)` tells what stands for a metaclass, and that looks. But objects of libraries hold some by public names:
`CategoricalDtype.type` makes classes, and a class whose `__match_args__` name `__globals__` reads them of any function.
"""

from __future__ import annotations

import enum
import sys
import types
from typing import Any

from codeact.snippet import behind, ownership, running, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.compiled import IMMUTABLE
from codeact.snippet.words import dunders

#: What a class statement of a library's writes that is no function.
_WRITTEN = frozenset(
    dunders("module qualname doc slots annotations classcell orig_bases static_attributes firstlineno abstractmethods")
)

_PARTS = 3  # what a class is made of: its name, its bases, and its names
_looked_at: set[types.CodeType | None] = set()  # what makes classes once their names were looked at


def keep(metaclass: Any) -> None:
    """Have it look at what it makes classes of while a snippet runs."""
    looks = enum.EnumType in ownership.mro_of(metaclass) or _is_looking(ownership.class_dict(metaclass).get("__new__"))
    if not looks and not metaclass.__flags__ & IMMUTABLE:
        _looked_at.add(getattr(metaclass.__new__, "__code__", None))
        type.__setattr__(metaclass, "__new__", staticmethod(_looking(metaclass.__new__)))


def _is_looking(found: Any) -> bool:
    return type(found) is staticmethod and getattr(found.__func__, "__code__", None) is _CODE


def _looking(real: Any) -> Any:
    def __new__(mcs: Any, /, *given: Any, **named: Any) -> Any:
        asks = sys._getframe(1)
        if asks.f_code not in _looked_at and running.in_a_snippet():  # else one built on this one hands on what it has
            if len(given) < _PARTS and any(map(_is_table, named.values())):
                raise CallRefused(
                    f"{mcs.__name__}() is given the names of a class by their place, and not by a keyword"
                )
            if len(given) == _PARTS and _is_table(given[2]) and not _is_librarys_own(asks, given[2]):
                name, bases, names = given[0], given[1], dict(dict.items(given[2]))
                names.setdefault("__module__", ownership.MODULE)
                types_.screen(name, bases, names, mcs)
                given = name, bases, names
        return real(mcs, *given, **named)

    return __new__


def _is_table(names: Any) -> bool:
    return dict in ownership.mro_of(type(names))


_CODE = _looking(None).__code__


def _is_librarys_own(asks: types.FrameType, names: dict[Any, Any]) -> bool:
    if running.is_importing(asks):
        return True
    library = _root(asks.f_globals)
    of_a_library = not ownership.is_own_frame(asks) and library != "codeact"
    return of_a_library and all(_is_of(library, name, value) for name, value in dict.items(names))


def _root(names: dict[str, Any]) -> str:
    return str(names.get("__name__", "")).partition(".")[0]


def _is_of(library: str, name: Any, value: Any) -> bool:
    """True for what a library's class is made of: any other could be a snippet's, and say what a class may not say."""
    if type(name) is not str or ownership.is_own_class(ownership.class_of(value)):
        return False
    function = behind.function_of(value) if type(value) is property else getattr(value, "__func__", value)
    if type(function) is types.FunctionType:
        return _root(function.__globals__) == library
    if type(function) is types.MethodWrapperType:  # `__next__ = made.__next__`, of a generator that is its own
        made = function.__self__
        frame = made.gi_frame if type(made) is types.GeneratorType else None
        return frame is not None and _root(frame.f_globals) == library
    return name in _WRITTEN or not name.startswith("__")
