"""Objects of C that were never set up, or are set up anew in the middle of their work, read where there is nothing.

`BZ2Compressor.__new__(BZ2Compressor)` makes one; so does a class of a snippet's whose `__init__` calls no other. A
property that is set up anew while it calls lets go of what it calls. Errors of encodings that were set up to point
outside of their text are read there by what replaces characters. A variable of contexts whose name has no hash is let
go of before anything is in it.
"""

from __future__ import annotations

import codecs
import contextvars
import functools
import io
from collections.abc import Callable
from typing import Any

from codeact.snippet import bare_states, defects, ownership
from codeact.snippet.named import plain
from codeact.snippet.patches import patch
from codeact.snippet.words import words

_guarded: set[Any] = set()


def guard() -> None:
    """Guard what is always there, in the whole process; more calls do nothing."""
    if "always" in _guarded:
        return
    _guarded.add("always")
    for kind in (staticmethod, classmethod):
        defects.make_by(kind, _of_nothing(kind))
    for kind, parts in _CALLING.items():
        defects.put(kind, {"__init__": _keeping(kind, parts)}, defects.INIT)
    defects.make_by(contextvars.ContextVar, _by_a_plain_name)
    defects.put(io.TextIOWrapper, {"__init__": _once(io.TextIOWrapper)}, defects.INIT)
    for name in words("ignore replace xmlcharrefreplace backslashreplace namereplace"):
        patch(codecs, f"{name}_errors", _looking_where)


# ------------------------------------------------------------------------------------------------ set up


def guard_compressors(module: Any) -> None:
    """Have what compresses and what decompresses in this module be set up where it is made, as from 3.12 on."""
    for name, kind in vars(module).items():
        if name.endswith("ompressor") and "__init__" in vars(kind) and kind not in _guarded:
            _guarded.add(kind)
            _set_up_where_it_is_made(kind)


def _set_up_where_it_is_made(kind: Any) -> None:
    set_up = vars(kind)["__init__"]

    def wrapped(real: Callable[..., Any]) -> Callable[..., Any]:
        def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
            made = real(cls)
            set_up(made, *given, **named)
            return made

        return __new__

    @functools.wraps(set_up)
    def __init__(self: Any, /, *given: Any, **named: Any) -> None:
        pass  # it was when it was made, and is of no class below

    defects.make_by(kind, wrapped)
    defects.put(kind, {"__init__": __init__}, defects.INIT)


def guard_arrays(kind: Any, empty: Callable[[int, str], Any]) -> None:
    """Have the arrays of pandas, which read where an array of numpy's should be, have an empty one at first."""
    if kind not in _guarded:
        _guarded.add(kind)
        defects.make_by(kind, _with_an_array(vars(kind)["__init__"], empty))


def _with_an_array(set_up: Callable[..., Any], empty: Callable[[int, str], Any]) -> Callable[..., Any]:
    def wrapped(real: Callable[..., Any]) -> Callable[..., Any]:
        def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
            made, array = real(cls), empty(0, "M8[ns]")  # of times, whose unit is read unlooked
            set_up(made, array, array.dtype)
            return made

        return __new__

    return wrapped


def _of_nothing(kind: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    set_up = vars(kind)["__init__"]

    def wrapped(real: Callable[..., Any]) -> Callable[..., Any]:
        def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
            made = real(cls)
            set_up(made, None)
            vars(made).clear()
            return made

        return __new__

    return wrapped


def _by_a_plain_name(real: Callable[..., Any]) -> Callable[..., Any]:
    def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
        return real(cls, *map(plain, given), **named)

    return __new__


#: What calls a function that it holds → where it has that.
_CALLING: dict[Any, tuple[str, ...]] = {
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
}


def _keeping(kind: Any, parts: tuple[str, ...]) -> Any:
    """What is called goes on being called while it would go, if another is given."""
    real, held = vars(kind)["__init__"], [vars(kind)[part].__get__ for part in parts]

    @functools.wraps(real)
    def __init__(self: Any, /, *given: Any, **named: Any) -> None:
        if any(part(self) is not None for part in held):
            raise TypeError(f"a {kind.__name__} keeps what it calls: make another")
        real(self, *given, **named)

    return __init__


def _once(kind: Any) -> Any:
    """What reads goes on with what it had, which goes where it is given another."""
    real, encoding_of = vars(kind)["__init__"], vars(kind)["encoding"].__get__

    @functools.wraps(real)
    def __init__(self: Any, /, *given: Any, **named: Any) -> None:
        try:
            is_set_up = encoding_of(self) is not None
        except (AttributeError, ValueError):
            is_set_up = False
        if is_set_up:
            raise ValueError("a TextIOWrapper keeps what it reads and writes: make another")
        real(self, *given, **named)
        bare_states.note_stream(self)

    return __init__


# ------------------------------------------------------------------------------------------------ errors

_POINTING = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError)


def _looking_where(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def handle(error: Any, /) -> Any:
        for cls in _POINTING:
            if cls in ownership.mro_of(type(error)):
                content, start, end = (vars(cls)[name].__get__(error) for name in ("object", "start", "end"))
                if not 0 <= start <= end or start >= len(content):
                    raise ValueError("the error points outside of its text")
        return real(error)

    return handle
