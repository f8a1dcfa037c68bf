"""What a class statement does inside a snippet: the interpreter's own way, with the checks before there is a class."""

from __future__ import annotations

import abc
import builtins
import enum
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import asked_classes, field_tables, makers, no_methods, ownership, pattern_names, types_
from codeact.snippet.given import Asked
from codeact.snippet.metaclasses import PREPARE

_bases_of = type.__dict__["__bases__"].__get__


class _Screening:
    """Stands for the metaclass while a class statement runs, and checks what the body defined."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self._asked = asked

    def __prepare__(self, name: str, bases: tuple[type, ...], /, **keywords: Any) -> Any:
        self._metaclass, names, _ = types.prepare_class(name, bases, {**keywords, **self._asked})
        if not hasattr(type(names), "__getitem__"):
            of = getattr(self._metaclass, "__name__", "<metaclass>")
            raise TypeError(f"{of}.{PREPARE}() must return a mapping, not {type(names).__name__}")
        return Asked(names) if prepares(self._metaclass) else names

    def __call__(self, name: str, bases: tuple[type, ...], names: Any, /, **keywords: Any) -> Any:
        if type(names) is Asked:
            names = names.mapping
        if is_own(self._metaclass):
            return made_by_own(self._metaclass, name, bases, names, keywords)
        if isinstance(names, dict):
            dict.setdefault(names, "__module__", ownership.MODULE)  # CPython would take it from the calling frame: ours
            types_.screen(name, bases, names, self._metaclass)
        return self._metaclass(name, bases, names, **keywords)


def is_own(metaclass: Any) -> bool:
    """True for a metaclass of the snippet's own: what makes its classes in the end has the checks."""
    return not ownership.is_class(metaclass) or ownership.is_own_class(metaclass)


def prepares(metaclass: Any) -> bool:
    """True where the snippet's own code chooses what a class body binds its names in."""
    if not ownership.is_class(metaclass):
        return True
    line = ownership.mro_of(metaclass)
    if type not in line:  # what is no metaclass is asked as an object is: its own class may answer
        line += ownership.mro_of(type(metaclass))
    return any(ownership.is_own_class(base) and PREPARE in ownership.class_dict(base) for base in line)


def made_by_own(metaclass: Any, name: str, bases: Any, names: Any, keywords: dict[str, Any]) -> Any:
    """What a metaclass of the snippet's own makes; it is handed the names as they are, and not as they are checked."""
    if dict in ownership.mro_of(type(names)):
        field_tables.settle_slots(name, names)
        types_.screen(name, bases, dict(dict.items(names)), metaclass)
    made = metaclass(name, bases, names, **keywords)
    its_own = ownership.is_class(made) and any(base is metaclass for base in ownership.mro_of(type(made)))
    if its_own and ownership.MARK not in ownership.class_dict(made):
        raise TypeError(f"class {name!r} was made without being looked at")
    return made


def build_class(body: Callable[..., Any], name: str, /, *bases: Any, **keywords: Any) -> Any:
    """What a class statement calls: the interpreter's own way, with the checks before the class is made."""
    asked = {"metaclass": reviewed_metaclass(keywords.pop("metaclass"))} if "metaclass" in keywords else {}
    return builtins.__build_class__(body, name, *bases, metaclass=_Screening(asked), **keywords)


#: The definitions of a class that its screening may change.
_MADE_ANEW = {field_tables.FIELDS, pattern_names.WORDS, ownership.MARK, asked_classes.ASKED, *makers.CHANGED}


def screened(cls: type) -> type:
    """The class itself where its definitions are fine; raises TypeError where not."""
    if ownership.is_class(cls):
        names = dict(ownership.class_dict(cls))
        anew = _MADE_ANEW | no_methods.told(names, type(cls)).keys()
        types_.screen(cls.__name__, _bases_of(cls), names, type(cls))
        before = ownership.class_dict(cls)
        for name in (name for name in names.keys() & anew if names[name] is not before.get(name)):
            type.__setattr__(cls, name, names[name])
    return cls


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
