"""Patches of what is not ours: functions of libraries that look first, attributes and names of classes written in C."""

from __future__ import annotations

import ctypes
import functools
import gc
from collections.abc import Callable
from typing import Any

_TOLD = object.__basicsize__ + ctypes.sizeof(ctypes.c_ssize_t)  # where a class keeps the name that C tells
_CHECKED = "_checked_in_snippets"  # on a function of ours that stands in the place of a library's


def guarded(real: Any, guard: Callable[[Any], Callable[..., Any]]) -> Any:
    """What a guard makes of a function, under the function's name; one that is guarded already is given back."""
    if hasattr(real, _CHECKED):
        return real
    made = functools.wraps(real)(guard(real))
    setattr(made, _CHECKED, True)
    return made


def patch(owner: Any, name: str, guard: Callable[[Any], Callable[..., Any]]) -> None:
    """Put what a guard makes of a function of a module or a class in its place; more calls do nothing."""
    found = vars(owner)[name]
    kind: Any = type(found) if isinstance(found, classmethod | staticmethod) else None
    function = found if kind is None else found.__func__
    made = guarded(function, guard)
    if made is not function:
        setattr(owner, name, made if kind is None else kind(made))


def put_on(cls: type, name: str, value: Any) -> None:
    """Put an attribute on a class of C, which takes none."""
    gc.get_referents(vars(cls))[0][name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))


def name_as(cls: type, real: Any, module: str) -> None:
    """Show a class under the name of another, also in what C says: 'types.SimpleNamespace' object is not iterable."""
    type.__setattr__(cls, "__module__", module)
    for name in ("__qualname__", "__name__", "__doc__"):
        type.__setattr__(cls, name, getattr(real, name))
    if isinstance(real, type) and b"." in (ctypes.c_char_p.from_address(id(real) + _TOLD).value or b""):  # of C itself
        at = ctypes.c_void_p.from_address(id(real) + _TOLD).value
        ctypes.c_void_p.from_address(id(cls) + _TOLD).value = at
