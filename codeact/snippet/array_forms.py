"""The form of an array stays while C goes by it: `x.shape = …`, `x.dtype = …` and `x.strides = …` change it in place.

C of libraries looks at the form of an array once, calls what the snippet defined (`__float__` of an item, a function
that compares), and goes on by what it saw: it wrote past the end of what it had made room for. So a form is not
changed while C of a library goes on below, or in a thread that waits, but where the array is nobody's but a
variable's. Iterators go by an array between two calls as well: its items do not become longer then.
"""

from __future__ import annotations

import ctypes
import os
import sys
import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet.endings import AttributeRefused
from codeact.snippet.ownership import class_of, mro_of

NAMES = frozenset({"shape", "dtype", "strides"})

_OF_C = ("numpy", "scipy", "pandas", "sklearn", "pyarrow", "matplotlib", "contourpy")  # what goes by the form of arrays
_USUAL, _DEEP = 64, 4096  # functions of C, one below the other: more are not looked at

_gone_through: dict[int, weakref.ref[Any]] = {}  # arrays of which there are iterators

#: Who asks the threads that wait whether something is so of one of them, which each is on a stack of its own.
elsewhere: list[Callable[[Callable[[], bool]], bool]] = []

#: Who is told of an array that has another dtype: it has fewer items, or more.
changed: list[Callable[[Any], object]] = []


def note(array: Any) -> None:
    """Note an array that an iterator goes through."""
    at = id(array)
    if at not in _gone_through:
        _gone_through[at] = weakref.ref(array, lambda _: _gone_through.pop(at, None))


def to_store(subject: Any, name: str, by_variable: bool) -> Any:
    """What to set one of the names on: the object itself, or what stands for it; raises where that may not be."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is None:
        return subject
    if type(subject) in weakref.ProxyTypes and numpy.ndarray in mro_of(class_of(subject.__class__)):
        raise AttributeRefused(f"{name} of an array cannot be set through a proxy", "set it on the array itself")
    if numpy.ndarray not in mro_of(type(subject)):
        return subject
    alone = by_variable and sys.getrefcount(subject) <= _ALONE
    if not (alone and type(subject) is numpy.ndarray) and _is_gone_by():  # others change what is in them, too
        raise AttributeRefused(
            f"{name} of an array cannot be set inside what compiled code calls, which may go by it",
            "set it before, or make another: a.reshape(...), a.view(dtype)",
        )
    return _Array(subject) if name == "dtype" else subject


def _counted(subject: object) -> int:
    return sys.getrefcount(subject)


def _asked(subject: object) -> int:
    return _counted(subject)


def _of_a_variable() -> int:
    """How often what one variable holds is referred to where `to_store` counts."""
    held = object()
    return _asked(held)


_ALONE = _of_a_variable()


class _Array:
    """Stands for an array where its dtype is set."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        object.__setattr__(self, "_array", array)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._array, name)

    def __setattr__(self, name: str, value: Any) -> None:
        dtype = sys.modules["numpy"].dtype(value)  # which may ask the snippet, and so comes first
        if dtype.itemsize > self._array.itemsize and id(self._array) in _gone_through:
            raise AttributeRefused(
                "the items of an array cannot become longer once an iterator goes through it",
                "make another array: a.view(dtype)",
            )
        setattr(self._array, name, dtype)
        for tell in changed:
            tell(self._array)


# ------------------------------------------------------------------------------------------------ what C goes on with


class _Told(ctypes.Structure):
    """What the loader tells of an address: the file that its function is from, and more."""

    _fields_ = (("file", ctypes.c_char_p), ("_", ctypes.c_void_p * 3))


_of_a_library: dict[int, bool] = {}  # by pages of memory, which a file has for itself


def _is_gone_by() -> bool:
    return _is_within_c() or any(asks(_is_within_c) for asks in elsewhere)


def _is_within_c() -> bool:
    """True where a function of a library's compiled code goes on below what runs now."""
    asked = getattr(ctypes.pythonapi, "backtrace", None)  # not every library of C has it
    if asked is None:
        return False
    for most in (_USUAL, _DEEP):
        places = (ctypes.c_void_p * most)()
        if (found := asked(places, most)) < most:
            return any(map(_is_of_a_library, places[:found]))
    return True


def _is_of_a_library(at: int | None) -> bool:
    at = at or 0
    if (known := _of_a_library.get(at >> 12)) is None:
        told = _Told()
        ctypes.pythonapi.dladdr(ctypes.c_void_p(at), ctypes.byref(told))
        file = os.fsdecode(told.file or b"")
        known = _of_a_library[at >> 12] = file.startswith(tuple(_folders()))
    return known


def _folders() -> list[str]:
    paths = [path for name in _OF_C if name in sys.modules for path in getattr(sys.modules[name], "__path__", ())]
    return [found for path in paths for found in (path, os.path.realpath(path))]
