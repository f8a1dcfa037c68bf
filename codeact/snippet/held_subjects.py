"""Objects of C that nobody holds while they say what they are, are called, or are looked for.

`repr([slice(x, y)])` asks `x`, which may empty the list: with it goes the slice, whose end was still to be said. So
what asks a snippet's objects in the middle of what it says is held meanwhile, and its parts that can be exchanged are.
"""

from __future__ import annotations

import collections
import datetime
import functools
import io
import pprint
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet.defects import COMPARISON, TEXT, put
from codeact.snippet.patches import put_on
from codeact.snippet.words import dunders

_HASH, _REPR = -6, -10  # how far from the flags of a class stand what gives its hash, and what says what it is
_PARTS = ("errno", "strerror", "filename", "filename2")

_SAYING: tuple[Any, ...] = (
    *(slice, types.GenericAlias, types.UnionType, types.MethodType, collections.defaultdict, datetime.timezone),
    *(io.BufferedReader, io.BufferedWriter, io.BufferedRandom),
)

_guarded: set[Any] = set()


def guard() -> None:
    """Guard what is always there, in the whole process; more calls do nothing."""
    if "always" in _guarded:
        return
    _guarded.add("always")
    rows = [kind for kind in tuple.__subclasses__() if {"n_sequence_fields", "__repr__"} <= vars(kind).keys()]
    printed: Any = vars(pprint.PrettyPrinter)["_dispatch"]  # it knows a kind by what says what that is
    for kind in (*_SAYING, *rows):
        said = vars(kind)["__repr__"]
        put(kind, {"__repr__": _held(said)}, _REPR)
        if said in printed:
            printed[vars(kind)["__repr__"]] = printed[said]
    put(OSError, {"__str__": _holding_parts(vars(OSError)["__str__"])}, TEXT)
    put(memoryview, {"__hash__": _lent(memoryview)}, _HASH)
    if sys.version_info >= (3, 12):  # from which on a class of Python lends memory
        compared = {name: vars(memoryview)[name] for name in dunders("lt le gt ge eq ne")}
        compared.update((name, _lent_to_compare(compared[name])) for name in dunders("eq ne"))
        put(memoryview, compared, COMPARISON)
    put_on(collections.defaultdict, "__missing__", _missing(collections.defaultdict))


def guard_futures(*kinds: Any) -> None:
    """Have futures hold what they are to call while they are asked to forget one."""
    for kind in kinds:
        if kind not in _guarded:
            _guarded.add(kind)
            put_on(kind, "remove_done_callback", _holding_callbacks(kind))


def _held(real: Any) -> Any:
    @functools.wraps(real)
    def __repr__(self: Any, /) -> str:
        return real(self)  # type: ignore[no-any-return]  # a text

    return __repr__


def _holding_parts(real: Any) -> Any:
    parts: list[Callable[[Any], Any]] = [vars(OSError)[name].__get__ for name in _PARTS]

    @functools.wraps(real)
    def __str__(self: Any, /) -> str:
        held = [part(self) for part in parts]
        try:
            return real(self)  # type: ignore[no-any-return]  # a text
        finally:
            held.clear()

    return __str__


def _lent(kind: Any) -> Any:
    """A view of the same is not let go of when the one that is hashed is."""
    real = vars(kind)["__hash__"]

    @functools.wraps(real)
    def __hash__(self: Any, /) -> int:
        with kind(self):
            return real(self)  # type: ignore[no-any-return]  # a number

    return __hash__


def _lent_to_compare(real: Any) -> Any:
    kind_of, lending = type, (bytes, bytearray, memoryview)

    @functools.wraps(real)
    def compare(self: Any, other: Any, /) -> Any:
        if kind_of(other) in lending:
            return real(self, other)
        try:
            view = memoryview(self)
        except ValueError:  # it was let go of, and is equal to itself alone
            return real(self, other)
        with view:
            return real(self, other)

    return compare


def _missing(kind: Any) -> Any:
    real, factory_of = vars(kind)["__missing__"], vars(kind)["default_factory"].__get__

    @functools.wraps(real)
    def __missing__(self: Any, key: Any, /) -> Any:
        if (factory := factory_of(self)) is None:
            raise KeyError(key)
        made = self[key] = factory()
        return made

    return __missing__


def _holding_callbacks(kind: Any) -> Any:
    real, callbacks_of = vars(kind)["remove_done_callback"], kind._callbacks.__get__  # a future's, from 3.14 on

    @functools.wraps(real)
    def remove_done_callback(self: Any, fn: Any, /) -> int:
        held = callbacks_of(self)
        try:
            return real(self, fn)  # type: ignore[no-any-return]  # a number
        finally:
            del held

    return remove_done_callback
