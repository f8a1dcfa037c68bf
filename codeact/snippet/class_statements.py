"""What a class statement does inside a snippet: the interpreter's own way, with the checks before there is a class."""

from __future__ import annotations

import abc
import builtins
import enum
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership, types_


class _Screening:
    """Stands for the metaclass while a class statement runs, and checks what the body defined."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self._asked = asked

    def __prepare__(self, name: str, bases: tuple[type, ...], /, **keywords: Any) -> Any:
        self._metaclass, names, _ = types.prepare_class(name, bases, {**keywords, **self._asked})
        return names

    def __call__(self, name: str, bases: tuple[type, ...], names: Any, /, **keywords: Any) -> Any:
        if isinstance(names, dict):
            dict.setdefault(names, "__module__", ownership.MODULE)  # CPython would take it from the calling frame: ours
            types_.screen(name, bases, names, self._metaclass)
        return self._metaclass(name, bases, names, **keywords)


def build_class(body: Callable[..., Any], name: str, /, *bases: Any, **keywords: Any) -> Any:
    """What a class statement calls: the interpreter's own way, with the checks before the class is made."""
    asked = {"metaclass": reviewed_metaclass(keywords.pop("metaclass"))} if "metaclass" in keywords else {}
    return builtins.__build_class__(body, name, *bases, metaclass=_Screening(asked), **keywords)


_METACLASSES: dict[type, str] = {
    type: "the ordinary metaclass",
    abc.ABCMeta: "abstract classes",
    enum.EnumType: "enums",
}


def reviewed_metaclass(metaclass: Any) -> Any:
    """The metaclass itself, or the one it stands for; TypeError where its classes would escape the checks."""
    real = types_.real_type(metaclass)
    if not ownership.is_class(real) or real in _METACLASSES or ownership.is_own_class(real):
        return real  # a function as metaclass is the snippet's own
    if ownership.module_of(real) in ("typing", "enum", "abc", "types"):
        return real
    raise TypeError(f"{real.__name__!r} may not be used as a metaclass inside a snippet")
