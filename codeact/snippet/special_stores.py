"""Special names that are stored where it is looked at what they get: `x.__class__ = C`, `x.__dict__ = {…}`.

What an object is made of changes among classes of the snippet's own that no library stands behind: all that is known of
one of them holds for the others too.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import annotated, makers, metaclasses, ownership
from codeact.snippet.attribute_rules import refusal

_IMMUTABLE = 1 << 8  # of a class, whose instances take no other one: CPython says so itself
_flags = type.__dict__["__flags__"].__get__


class _Target:
    """Stands for an object where one of its special names is stored."""

    __slots__ = ("_check", "_subject")

    _check: Callable[[Any, Any], None]
    _subject: Any

    def __init__(self, subject: object, check: Callable[[Any, Any], None]) -> None:
        object.__setattr__(self, "_subject", subject)
        object.__setattr__(self, "_check", check)

    def __setattr__(self, name: str, value: Any) -> None:
        self._check(self._subject, value)
        setattr(self._subject, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._subject, name)


class _New:
    """Stands for a class where its `__new__` is stored: what that makes is looked at as if the body had said it."""

    __slots__ = ("_subject",)

    _subject: Any

    def __init__(self, subject: object) -> None:
        object.__setattr__(self, "_subject", subject)

    def __setattr__(self, name: str, value: Any) -> None:
        cls = self._subject
        setattr(cls, name, makers.checked(cls.__name__, {name: value}, list(ownership.mro_of(cls)))[name])

    def __delattr__(self, name: str) -> None:
        delattr(self._subject, name)


def target_of(subject: object, name: str) -> object:
    """The object itself to store a special name on, or what looks at the value; raises AttributeError where not."""
    if name in metaclasses.FIXED and ownership.is_class(subject) and metaclasses.is_below_one(subject):
        raise refusal(subject, name, "a metaclass may not answer for its classes")
    if name in _OF_FUNCTIONS | _OF_INSTANCES and ownership.is_class(subject):
        raise refusal(subject, name, "it is set on instances of your own, not on classes")
    if name in _OF_INSTANCES | _OF_CLASSES and not ownership.is_own_class(ownership.class_of(subject)):
        raise refusal(subject, name, "it is set on what is of a class of your own, or is one")
    if name == "__new__" and ownership.is_class(subject):
        if metaclasses.is_below_one(subject):
            raise refusal(subject, name, "it is fixed where a metaclass is made")
        return _New(subject)
    if name == "__annotations__":
        return _Target(subject, _annotates) if ownership.is_class(subject) else _own_function(subject, name)
    if name in _OF_FUNCTIONS:
        return _own_function(subject, name)
    if name not in _LOOKED_AT:
        return subject
    if not ownership.is_plain_class(type(subject)):
        raise refusal(subject, name, "it is set on instances of your own classes that no library stands behind")
    return _Target(subject, _LOOKED_AT[name])


def _own_function(subject: object, name: str) -> object:
    if ownership.is_own_function(subject) or ownership.is_plain_class(type(subject)):
        return subject
    raise refusal(subject, name, "it is set on functions of your own")


def _annotates(subject: Any, value: Any) -> None:
    annotated.screen(subject.__name__, "__annotations__", value)


def _is_of_class(subject: object, value: Any) -> None:
    if any("__class__" in ownership.class_dict(base) for base in ownership.mro_of(type(subject)) if base is not object):
        raise refusal(subject, "__class__", "its class says itself what it is")
    takes_others = ownership.is_class(value) and (value is types.ModuleType or not _flags(value) & _IMMUTABLE)
    if takes_others and not ownership.is_plain_class(value):
        raise refusal(subject, "__class__", "it becomes a class of your own that no library stands behind")


def _holds(subject: object, value: Any) -> None:
    kind = type(value)
    if dict in ownership.mro_of(kind) and kind is not dict and not ownership.is_plain_class(kind):
        raise refusal(subject, "__dict__", "it becomes a dict of your own")


_LOOKED_AT: dict[str, Callable[[Any, Any], None]] = {"__class__": _is_of_class, "__dict__": _holds}
_OF_CLASSES = frozenset({"__abstractmethods__", "__new__", "__setattr__", "__delattr__"})
_OF_INSTANCES = frozenset({"__get__", "__set__", "__delete__"})
_OF_FUNCTIONS = frozenset({"__defaults__", "__kwdefaults__"})
