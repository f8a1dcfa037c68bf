"""Metaclasses of libraries, where a snippet comes upon one itself: what it makes of a snippet's names is looked at.

`type(C)` tells what stands for a metaclass, and that looks. But objects of libraries hold some by public names:
`CategoricalDtype.type` makes classes, and a class whose `__match_args__` name `__globals__` reads them of any function.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from codeact.snippet import behind, ownership, running, types_
from codeact.snippet.words import dunders

_UNCHANGEABLE = 1 << 8  # among the flags of a class of C

#: What a class statement of a library's writes that is no function.
_WRITTEN = frozenset(
    dunders("module qualname doc slots annotations classcell orig_bases static_attributes firstlineno abstractmethods")
)


def keep(metaclass: Any) -> None:
    """Have it look at what it makes classes of while a snippet runs."""
    if not metaclass.__flags__ & _UNCHANGEABLE and not _is_looking(ownership.class_dict(metaclass).get("__new__")):
        library = _root(ownership.module_of(metaclass))
        type.__setattr__(metaclass, "__new__", staticmethod(_looking(metaclass.__new__, library)))


def _is_looking(found: Any) -> bool:
    return type(found) is staticmethod and getattr(found.__func__, "__code__", None) is _CODE


def _looking(real: Any, library: str) -> Any:
    def __new__(mcs: Any, /, *given: Any, **named: Any) -> Any:
        if running.in_a_snippet() and len(given) == 3 and dict in ownership.mro_of(type(given[2])):
            name, bases, names = given
            asks = _root(sys._getframe(1).f_globals.get("__name__", ""))
            if asks != library or not all(_is_of(library, key, value) for key, value in dict.items(names)):
                names = dict(dict.items(names))
                names.setdefault("__module__", ownership.MODULE)
                types_.screen(name, bases, names, mcs)
                given = name, bases, names
        return real(mcs, *given, **named)

    return __new__


_CODE = _looking(None, "").__code__


def _root(module: str) -> str:
    return module.partition(".")[0]


def _is_of(library: str, name: Any, value: Any) -> bool:
    """True for what a library's class is made of: any other could be a snippet's, and say what a class may not say."""
    if type(name) is not str or ownership.is_own_class(ownership.class_of(value)):
        return False
    function = behind.function_of(value) if type(value) is property else getattr(value, "__func__", value)
    if type(function) is types.FunctionType:
        return _root(function.__globals__.get("__name__", "")) == library
    return name in _WRITTEN or not name.startswith("__")
