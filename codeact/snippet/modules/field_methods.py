"""The methods dataclasses writes: they read and set fields by name, of objects of their own class alone.

Python lets anybody call `D.__eq__` or `D.__init__` with any two objects, and `D() == x` asks of `x` what it says of its
class. A field can be called like what a library keeps to itself. Methods that read what anybody may stay as they are.
"""

from __future__ import annotations

import dataclasses
import re
import sys
import types
import unicodedata
from collections.abc import Callable
from typing import Any

from codeact.snippet import other_names, ownership, running
from codeact.snippet.attribute_rules import attribute_kind

#: The function of dataclasses that makes a method from its text, by the version of Python.
MAKER: tuple[Any, str] = (
    (dataclasses, "_create_fn") if hasattr(dataclasses, "_create_fn") else (vars(dataclasses)["_FuncBuilder"], "add_fn")
)

_TYPE, _KNOWN, _CHECK = "__dataclass_type__", "__dataclass_known__", "__dataclass_check__"
_MOST = 1_000  # classes remembered for one method
_SAFE = ("__setattr__", "__delattr__")  # they go through `super`, which looks itself
_READING = ("__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__repr__")
_WORD = re.compile(r"\.([^\W\d]\w*)")
_OF_ANYTHING = frozenset(("__class__", "__qualname__"))  # which these methods show as a text, and compare


def made_from_text(real: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with a look at the objects before all else where a snippet asks."""

    def make(*given: Any, **settings: Any) -> Any:
        *before, name, parameters, body = given
        if not running.in_a_snippet() or name in _SAFE or (name in _READING and _may_be_read(body)):
            return real(*given, **settings)
        known: set[type] = set()
        held = {_TYPE: type, _KNOWN: known, _CHECK: lambda subject: _check(subject, known)}
        settings["locals"] = {**(settings.get("locals") or {}), **held}
        itself, space = parameters[0], body[0][: len(body[0]) - len(body[0].lstrip())]
        looks = [f"{space}if {_TYPE}({itself}) not in {_KNOWN}: {_CHECK}({itself})"]
        if tuple(parameters[1:]) == ("other",):
            looks.append(f"{space}if {_TYPE}({itself}) is not {_TYPE}(other): return NotImplemented")
        return real(*before, name, parameters, [*looks, *body], **settings)

    return make


def _may_be_read(body: list[str]) -> bool:
    words = set(_WORD.findall(unicodedata.normalize("NFKC", "\n".join(body)))) - _OF_ANYTHING
    return all(attribute_kind(word) == "free" for word in words)


def _check(subject: object, known: set[type]) -> None:
    """Raise TypeError where the method that asks is none of the object's class."""
    code = sys._getframe(2).f_code
    for base in ownership.mro_of(type(subject)):
        found: Any = ownership.class_dict(base).get(code.co_name)
        while type(found) is types.FunctionType:
            if found.__code__ is code:
                if not other_names.look(type(subject)) and len(known) < _MOST:
                    known.add(type(subject))
                return
            found = getattr(found, "__wrapped__", None)
    raise TypeError(f"{code.co_name}() takes an instance of its own dataclass first, not {type(subject).__name__!r}")
