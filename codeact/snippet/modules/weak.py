"""Weak references: what is called when an object is gone is called at any time, and is a snippet's all the same."""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet import attributes, collected, ownership, types_
from codeact.snippet.modules.row import Room
from codeact.snippet.running import as_a_snippet, in_a_snippet


def _standing(real: Any, checked: Callable[[Any], Any]) -> Any:
    def __new__(cls: Any, subject: Any, callback: Callable[..., Any] | None = None, /, **named: Any) -> Any:
        if cls is made and not named:
            return real.__new__(real, checked(subject), _guarded(callback))
        make = real if cls is made else functools.partial(real.__new__, cls)
        given = () if callback is None else (_guarded(callback),)
        return make(checked(subject), *given, **{name: _guarded(each) for name, each in named.items()})

    made: Any = types_.standing_for(real, {"__new__": __new__})
    return made


def _guarded(callback: Callable[..., Any] | None) -> Callable[..., Any] | None:
    if callback is None:
        return None

    def call(*arguments: Any) -> None:
        if not collected.is_put_off(callback, arguments):
            callback(*arguments)

    return as_a_snippet(call)


def _as_it_is(subject: Any) -> Any:
    return subject


def _own_method(subject: Any) -> Any:
    """The method itself, where what it is bound to may be had of it: a reference gives that, and has its type."""
    if type(subject) is types.MethodType:
        attributes.load(subject, "__self__")
    elif (told := types_.type_of(subject)) is not type(subject):
        raise TypeError(f"argument should be a bound method, not {told}")
    return subject


types_.shield(weakref.KeyedRef)  # what a dictionary of weak references holds takes a callback as well
_REF, _WEAK_METHOD = _standing(weakref.ref, _as_it_is), _standing(weakref.WeakMethod, _own_method)


def _keep_to_themselves() -> None:
    """Let collections of weak references take no object of another class: what is called when one is gone is in it."""
    methods = {
        weakref.WeakSet: ("__init__", "add"),
        weakref.WeakKeyDictionary: ("__init__", "__setitem__", "setdefault", "update"),
        weakref.WeakValueDictionary: ("__init__", "__setitem__", "setdefault", "update"),
    }
    for owner, names in methods.items():
        for name in names:
            setattr(owner, name, _of_its_own(owner, vars(owner)[name]))


def _of_its_own(owner: Any, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: Any, /, *arguments: Any, **named: Any) -> Any:
        if ownership.is_own_class(type(self)) and in_a_snippet():
            raise TypeError(f"{owner.__name__} works for no class of your own: let the class have one")
        return method(self, *arguments, **named)

    return call


_keep_to_themselves()


def proxy(subject: Any, callback: Callable[..., Any] | None = None, /) -> Any:
    """What weakref.proxy gives."""
    return weakref.proxy(subject, _guarded(callback))


def references(room: Room) -> dict[str, Any]:
    """The replaced names of weakref."""
    return {"ref": _REF, "ReferenceType": _REF, "WeakMethod": _WEAK_METHOD, "proxy": proxy}
