"""Tells what is the snippet's own: classes it defined, their instances, its functions.

Classes made while a snippet runs carry the module name `__main__`: a class statement takes it from the snippet's
globals, `namedtuple`, `Enum(…)` and their like from the calling frame. No class of a library carries it, and a
snippet cannot put it on one, because it can store on its own objects alone. A class of its own may say it is from
another module, so every class with code of the snippet's has a mark besides. Functions are told by their builtins.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, TypeGuard

from codeact.snippet.rules import COMPRESS

MODULE = "__main__"

#: Stands in each class a snippet made; no identifier, and `typing.Protocol` takes it for no member.
MARK = "_abc_ own"

_RECORDS = "codeact.wire.plain"  # the module of what dataclasses and models of the other side arrive as

_module_of = type.__dict__["__module__"].__get__  # reads past a metaclass that answers for itself
_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_builtins_of = types.FunctionType.__dict__["__builtins__"].__get__

#: Classes found to be a snippet's own, with no library class above them: their instances need no further question.
plain_classes: set[type] = set()

#: Whether a snippet has made a class in this process: until then, what it gives is equal to its like alone.
classes_made = False

#: Classes whose instances a snippet may store attributes on.
storable_classes: set[type] = set()

#: Those among them that hold nothing a snippet sets by its own name alone, as long as no class is stored on.
looked_through: set[type] = set()

#: Classes whose instances repeat no sequence, and are none: a product with one of them costs nothing.
plain_factors: set[type] = set()

#: The builtin types of plain values. They have no private attributes and take none: CPython says so itself.
BARE_TYPES: frozenset[type] = frozenset(
    {int, float, complex, bool, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, type(None)}
    | {type(...), type(NotImplemented)}
)

#: Classes of libraries that stay as long as the process, looked at when a snippet came to know them.
known: set[type] = set(BARE_TYPES)

#: What looks at a class before a snippet gets it; `modules.borrowed` puts it here.
meet: Callable[[type], object] = BARE_TYPES.__contains__

_BUILTIN = BARE_TYPES | {object, type}
_KEPT = 10_000  # classes remembered; a snippet that makes more is asked again each time


class Kept:
    """Stands in a library's class for one of its methods: what it gives depends on who is asked."""

    __slots__ = ("_method",)
    _method: Any


def is_class(value: object) -> TypeGuard[type]:
    """True for classes, whatever they say of themselves."""
    return type in _mro_of(type(value))


def class_of(subject: object) -> type:
    """A class itself, and the class of anything else."""
    return subject if is_class(subject) else type(subject)


def module_of(cls: type) -> str:
    """The name of the module a class is from; that of the snippet, whatever a class of its own says."""
    if cls in _BUILTIN:  # asked of each part of what is copied
        return "builtins"
    return MODULE if MARK in _dict_of(cls) else module_said(cls)


def module_said(cls: type) -> str:
    """The name of the module a class says it is from."""
    try:
        found = _module_of(cls)
    except AttributeError:  # its body deleted the name
        return ""
    return found if type(found) is str else ""


def is_own_class(cls: type) -> bool:
    """True for classes the snippet defined."""
    return cls in storable_classes or MARK in _dict_of(cls) or module_of(cls) == MODULE


def mro_of(cls: type) -> tuple[type, ...]:
    """The classes a class inherits from, itself first, read past its metaclass."""
    found: tuple[type, ...] | None = _mro_of(cls)
    return found or ()  # None while the class itself works it out


def class_dict(cls: type) -> types.MappingProxyType[str, Any]:
    """What a class itself defines, read past its metaclass."""
    found: types.MappingProxyType[str, Any] = _dict_of(cls)
    return found


def given_by_metaclass(cls: type, name: str) -> bool:
    """True where a private name of a class is one that a library's metaclass defines."""
    return any(name in class_dict(base) for base in library_bases(type(cls)))


def library_bases(cls: type) -> list[type]:
    """The classes above `cls` that come from a library with private parts."""
    return [base for base in mro_of(cls) if not is_own_class(base) and module_of(base) not in ("builtins", "abc")]


def is_plain_class(cls: type) -> bool:
    """True for classes the snippet defined on nothing but its own classes and builtins.

    A metaclass is none: its instances are classes, which may be built on those of a library.
    """
    if cls in plain_classes:
        return True
    if not is_own_class(cls) or _mro_of(cls) is None or type in _mro_of(cls) or library_bases(cls):
        return False
    if len(plain_classes) < _KEPT:
        plain_classes.add(cls)
    return True


def forget_classes() -> None:
    """Let go of the classes that were looked at, and of all they hold: the session they were made in is over."""
    plain_classes.clear()
    storable_classes.clear()
    looked_through.clear()
    plain_factors.clear()


def is_own_function(value: object) -> bool:
    """True for functions and lambdas the snippet defined."""
    return type(value) is types.FunctionType and COMPRESS in _builtins_of(value)


def is_own_frame(frame: types.FrameType) -> bool:
    """True where the snippet's own code runs in the frame."""
    return COMPRESS in frame.f_builtins


def snippets_frame(frame: types.FrameType) -> types.FrameType:
    """The frame itself where the snippet's own code runs in it; a library's that calls back is nobody's to look at."""
    if not is_own_frame(frame):
        raise RuntimeError("this answers for your own code: call it there, and do not have a library call it")
    return frame


@functools.cache
def private_parts(cls: type) -> frozenset[str]:
    """The private names a library class uses in its own code, so that no subclass can ask for them."""
    names: set[str] = set()
    todo: list[object] = list(class_dict(cls).values())
    while todo:
        part = todo.pop()
        if isinstance(part, property):
            todo += [part.fget, part.fset, part.fdel]
        elif isinstance(part, classmethod | staticmethod):
            todo.append(part.__func__)
        elif isinstance(part, types.FunctionType):
            todo += [part.__code__, vars(part).get("__wrapped__")]
        elif isinstance(part, Kept):
            todo.append(part._method)
        elif isinstance(part, types.CodeType):
            names.update(part.co_names)
            todo += [constant for constant in part.co_consts if isinstance(constant, types.CodeType)]
    names.update(class_dict(cls))
    return frozenset(name for name in names if name.startswith("_"))


def is_of_names(cls: type) -> bool:
    """True for a class whose instances are nothing but what is stored in them.

    The snippet's own are, argparse's, and what the records of tools arrive as.
    """
    named = module_of(cls), cls.__name__
    return is_own_class(cls) or named == ("argparse", "Namespace") or named[0] == _RECORDS
