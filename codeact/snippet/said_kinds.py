"""What a snippet's object says its class is: a class, whoever asks.

Libraries make another of the kind of an object, `x.__class__()`, and set it up: given anything else they would call
what the snippet pleases, and store on what that hands out.
"""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from codeact.snippet import ownership

KIND, ASKED = "__class__", "__getattribute__"

NAMES = frozenset({KIND, ASKED})

#: Classes that nothing else says it is: compiled code goes by what is in them.
never: set[type] = set()

_OF_C = (types.WrapperDescriptorType, types.MethodDescriptorType)
_CACHED = type(functools.lru_cache(len))


_Asking = tuple[object, str, Callable[[], Any]]


class _Passed(threading.local):
    """Of whom a snippet's `__getattribute__` has itself asked `object` for a name, for which name, and what answers."""

    on: _Asking | None = None


_passed = _Passed()


@contextmanager
def passed_on(subject: object, name: str, found: Callable[[], Any]) -> Iterator[None]:
    """Let `found` answer where the object is asked for that name now: its `__getattribute__` would ask again."""
    before, _passed.on = _passed.on, (subject, name, found)
    try:
        yield
    finally:
        _passed.on = before


def _found(on: _Asking) -> Any:
    _passed.on = None
    try:
        return on[2]()
    finally:
        _passed.on = on


def checked(owner: object, names: dict[str, Any]) -> dict[str, Any]:
    """The definitions among these names that say what an object's class is, looking at what they say."""
    made: dict[str, Any] = {}
    kind: Any = dict.get(names, KIND, object)
    if ownership.is_class(kind):
        _check_kind(owner, kind)
    if not ownership.is_class(kind):
        if type(kind) is not property:
            raise TypeError(f"class {owner!r}: {KIND} must be a class or a property")
        made[KIND] = kind if _is_looking(kind.fget) else property(_telling(kind.fget), kind.fset, kind.fdel)
    found = dict.get(names, ASKED)
    if found is None or type(found) in _OF_C or _is_looking(found):
        return made
    if type(found) not in (types.FunctionType, _CACHED):
        raise TypeError(f"class {owner!r}: {ASKED} must be a function")
    return {**made, ASKED: _answering(found)}


def _is_looking(function: Any) -> bool:
    return type(function) is types.FunctionType and function.__code__ in _CODES


def _class_said(ask: Callable[..., Any], *asked: Any) -> Any:
    """The class or None, as an object says it: an error would have its `__getattr__` asked, which may say anything."""
    try:
        found = ask(*asked)
    except AttributeError as error:
        raise TypeError(f"{type(asked[0]).__name__!r} does not say what its class is") from error
    if found is not None and not ownership.is_class(found):
        raise TypeError(f"{type(asked[0]).__name__!r} says that its class is a {type(found).__name__!r}")
    if never and found is not None:
        _check_kind(type(asked[0]).__name__, found)
    return found


def _check_kind(owner: object, kind: type) -> None:
    if not never.isdisjoint(ownership.mro_of(kind)):
        raise TypeError(f"class {owner!r} may not say that it is {kind.__name__!r}: compiled code would believe it")


def _telling(function: Any) -> Any:
    def kind(self: Any) -> Any:
        return _class_said(function, self)

    return kind


def _answering(function: Any) -> Any:
    @functools.wraps(function)
    def __getattribute__(self: Any, name: str) -> Any:
        on = _passed.on
        if on is not None and on[0] is self and on[1] == name:
            return _found(on)
        return _class_said(function, self, name) if name == KIND else function(self, name)

    return __getattribute__


_CODES = frozenset({_telling(len).__code__, _answering(len).__code__})
