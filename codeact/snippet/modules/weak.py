"""Weak references: what is called when an object is gone is called at any time, and is a snippet's all the same."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet import types_
from codeact.snippet.modules.row import Room
from codeact.snippet.running import as_a_snippet


def _standing(real: Any) -> Any:
    def __new__(cls: Any, subject: Any, callback: Callable[..., Any] | None = None, /) -> Any:
        return real.__new__(real if cls is made else cls, subject, _guarded(callback))

    made: Any = types_.standing_for(real, {"__new__": __new__})
    return made


def _guarded(callback: Callable[..., Any] | None) -> Callable[..., Any] | None:
    return None if callback is None else as_a_snippet(callback)


types_.shield(weakref.KeyedRef)  # what a dictionary of weak references holds takes a callback as well
_REF, _WEAK_METHOD = _standing(weakref.ref), _standing(weakref.WeakMethod)


def proxy(subject: Any, callback: Callable[..., Any] | None = None, /) -> Any:
    """What weakref.proxy gives."""
    return weakref.proxy(subject, _guarded(callback))


def references(room: Room) -> dict[str, Any]:
    """The replaced names of weakref."""
    return {"ref": _REF, "ReferenceType": _REF, "WeakMethod": _WEAK_METHOD, "proxy": proxy}
