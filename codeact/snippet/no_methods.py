"""Functions that stand for ones of C, which are no methods of the class that holds them: `class A: log = print`."""

from __future__ import annotations

import types
import typing
import weakref
from typing import Any

from codeact.snippet import ownership

_OF_NAMED_TUPLES: type = typing.NamedTupleMeta  # type: ignore[attr-defined]  # typeshed hides it
_STANDING: weakref.WeakKeyDictionary[types.FunctionType, Any] = weakref.WeakKeyDictionary()


def note(function: Any, real: Any) -> None:
    """Note a function of Python's kind that a snippet has in place of one written in C."""
    if type(function) is types.FunctionType and type(real) is types.BuiltinFunctionType:
        _STANDING[function] = real


def stands_for(function: types.FunctionType) -> Any:
    """What is written in C where this function stands for it; itself where it stands for nothing."""
    return _STANDING.get(function, function)


def told(names: dict[str, Any], metaclass: Any) -> dict[str, Any]:
    """Those among the definitions of a class, as what needs no object; a named tuple has its defaults there."""
    held = [(name, value) for name, value in dict.items(names) if type(value) is types.FunctionType]
    found = [(name, one) for name, one in held if not ownership.is_own_function(one) and one in _STANDING]
    return {} if metaclass is _OF_NAMED_TUPLES else {name: staticmethod(one) for name, one in found}
