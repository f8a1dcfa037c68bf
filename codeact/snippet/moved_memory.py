"""Memory that moves while C writes to it: what a snippet's object is asked for there is asked before.

`b[0] = x` takes the place of the bytes, asks `x.__index__()`, which may have `b` shrink and grow, and writes where they
were (gh-91153): whatever lies there by then, such as how long another bytearray is. Arrays are the same, and what asks
`x.__buffer__()`, from Python 3.12 on. As a store takes several times as long then, this begins with the first class
that is asked so.
"""

from __future__ import annotations

import array
import functools
import io
import operator
import re
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.defects import INIT, own, put, put_late
from codeact.snippet.running import our_own_work
from codeact.snippet.words import dunders, words

_MEMORY = (bytearray, array.array)
_NUMBERS = frozenset((int, float, bool))
#: Those after the third are asked by the `__float__` of a Fraction, which takes its parts from anything.
_ASKED = frozenset(dunders("index float buffer int trunc truediv rtruediv"))
_FINDING = words("find rfind index rindex count startswith endswith extend split rsplit")
_REMAINDER, _STORE, _CONTAINS = (-9, 3), (-7, 2), (-8, 7)  # a table, by how far from the flags it stands, and the place

_begun: set[str] = set()


class _Charmap(bytearray):
    """What `re` marks characters in, tens of thousands for some sets: made before the guard, it stores as C does."""

    __slots__ = ()
    find = bytearray.find


def guard_always() -> None:
    """Guard what needs no class of a snippet's to be asked, and what is met seldom."""
    from codeact.snippet import types_  # which needs this module

    if "always" in _begun:
        return
    _begun.add("always")
    real: Any = bytearray.__mod__

    @functools.wraps(real)
    def __mod__(self: Any, arguments: Any, /) -> Any:
        return real(bytearray.__getitem__(self, slice(None)), arguments)

    put(bytearray, {"__mod__": __mod__}, _REMAINDER)
    put(list, {"__delitem__": list.__delitem__, "__setitem__": _storing_slices(list.__setitem__)}, _STORE)
    for kind in (bytearray, memoryview):
        put(kind, {"hex": _with_plain_separator(vars(kind)["hex"])})
    stand_in: type = types_.STAND_INS[memoryview]
    type.__setattr__(stand_in, "hex", vars(memoryview)["hex"])
    Sequence.register(stand_in)
    put(array.array, {"tofile": tofile})
    re._compiler.bytearray = _Charmap  # type: ignore[attr-defined]  # what it stores is its own
    _guard_methods()
    put(bytearray, {"extend": _extending(bytearray.extend)})


def _storing_slices(real: Any) -> Any:
    """`a[::2] = x` takes the places of a list, and goes through `x`, which may have the list shrink."""
    kind_of = type  # said below

    @functools.wraps(real)
    def __setitem__(self: Any, place: Any, value: Any, /) -> None:
        if kind_of(place) is slice and kind_of(value) is not list and kind_of(value) is not tuple:
            value = [*value] if hasattr(kind_of(value), "__iter__") or hasattr(kind_of(value), "__getitem__") else value
        real(self, place, value)

    return __setitem__


def _extending(real: Any) -> Any:
    """What says that it has nothing is written where all empty bytearrays are: it is gone through before."""

    @functools.wraps(real)
    def extend(self: Any, values: Any, /) -> None:
        line = ownership.mro_of(type(values))
        if ownership.is_own_class(type(values)) and _LENDING.isdisjoint(line) and not hasattr(values, "__buffer__"):
            values = list(values)
        real(self, values)

    return extend


_LENDING = frozenset((bytes, *_MEMORY))


def _with_plain_separator(real: Any) -> Any:
    """Writes bytes out between separators, which are asked for their length."""

    @functools.wraps(real)
    def hex(self: Any, /, *given: Any, **named: Any) -> str:
        return real(self, *map(_separator, given), **{name: _separator(each) for name, each in named.items()})  # type: ignore[no-any-return]  # a text

    return hex


def _separator(given: Any) -> Any:
    line = ownership.mro_of(type(given))
    return str.__str__(given) if str in line else bytes.__getitem__(given, slice(None)) if bytes in line else given


def tofile(self: Any, file: Any, /) -> None:
    """Write an array as bytes, a block at a time, whatever becomes of it meanwhile."""
    content = array.array.tobytes(self)
    for start in range(0, len(content), _BLOCK):
        file.write(content[start : start + _BLOCK])


_BLOCK = 1 << 16
tofile.__qualname__ = "array.tofile"


def look(names: Iterable[str], line: Iterable[type] = ()) -> None:
    """Begin where a class that has these names, below these classes, could be asked while its object is stored."""
    if "asked" not in _begun and (not _ASKED.isdisjoint(names) or any(map(_is_asked, line))):
        with our_own_work():
            _guard()
        _begun.add("asked")


def _guard() -> None:
    for cls, plain in ((bytearray, _plain), (array.array, _number)):
        put_late(cls, {**_changed(cls, ["__delitem__"], plain), "__setitem__": _storing(cls, plain)}, _STORE)
    put_late(bytearray, _changed(bytearray, ["__contains__"], _plain), _CONTAINS)


def _guard_methods() -> None:
    """What is picked up goes on doing what it did: so these are guarded before anything could pick them up."""
    put(bytearray, _changed(bytearray, _FINDING, _plain))
    put(array.array, {"append": _appending(array.array.append), **_changed(array.array, ["insert"], _number)})
    put(
        array.array, {**_changed(array.array, ["fromlist"], _numbers), "extend": _extending_numbers(array.array.extend)}
    )
    if sys.version_info >= (3, 12):  # from which on a class of Python lends memory
        put(io.BytesIO, {**_changed(io.BytesIO, ["write"], _plain), "writelines": _lines(io.BytesIO)})
        put(io.BytesIO, _changed(io.BytesIO, ["__init__"], _plain), INIT)
        for kind in (bytes, bytearray):
            put(kind, _changed(kind, ["join"], _each))


def _appending(real: Any) -> Any:
    kind_of = type

    @functools.wraps(real)
    def append(self: Any, value: Any, /) -> None:
        real(self, value if "asked" not in _begun or kind_of(value) in _NUMBERS else _number(self, value))

    return append


def _extending_numbers(real: Any) -> Any:
    """What it goes through may make the first class that is asked in the middle of that."""
    kind_of, held = type, (list, tuple, range, array.array)

    @functools.wraps(real)
    def extend(self: Any, values: Any, /) -> None:
        is_unasked = "asked" not in _begun and kind_of(values) in held
        real(self, values if is_unasked else _numbers(self, values))

    return extend


def _lines(cls: Any) -> Any:
    real, kind_of = cls.writelines, type

    @functools.wraps(real)
    def writelines(self: Any, lines: Any, /) -> Any:
        return real(self, (each if kind_of(each) is bytes else _plain(self, each) for each in lines))

    return writelines


def _is_asked(cls: type) -> bool:
    """True for what a class below would have its own table from, and for what passes the question on."""
    held = ownership.class_dict(cls)
    return cls in _MEMORY or any(type(held.get(name)) is types.FunctionType for name in _ASKED)


def _storing(cls: type, plain: Callable[[Any, Any], Any]) -> Any:
    """What `b[0] = x` does; a plain number needs no asking, and a sieve stores little else."""
    real = own(cls, "__setitem__")
    kind_of = type  # by this name it is none that makes another of its kind, as far as `borrowed` can see

    @functools.wraps(real)
    def __setitem__(self: Any, place: Any, value: Any, /) -> None:
        if kind_of(place) is int and kind_of(value) in _NUMBERS:
            real(self, place, value)
        else:
            real(self, plain(self, place), plain(self, value))

    return __setitem__


def _changed(cls: type, names: Iterable[str], plain: Callable[[Any, Any], Any]) -> dict[str, Any]:
    def ask_first(real: Any) -> Any:
        @functools.wraps(real)
        def call(self: Any, /, *arguments: Any, **named: Any) -> Any:
            if "asked" not in _begun:
                return real(self, *arguments, **named)
            return real(
                self,
                *[plain(self, each) for each in arguments],
                **{name: plain(self, each) for name, each in named.items()},
            )

        return call

    special = types.WrapperDescriptorType
    held = {name: ownership.class_dict(cls)[name] for name in names}
    return {name: ask_first(own(cls, name) if type(each) is special else each) for name, each in held.items()}


def _plain(memory: Any, value: Any) -> Any:
    """What a value is taken for in the end."""
    kind = type(value)
    if kind is slice:
        return slice(*[_plain(memory, part) for part in (value.start, value.stop, value.step)])
    if kind in ownership.BARE_TYPES - {tuple}:
        return value
    if tuple in ownership.mro_of(kind):
        return tuple([_plain(memory, part) for part in tuple.__iter__(value)])
    if hasattr(kind, "__index__"):
        return operator.index(value)
    return memoryview(value) if hasattr(kind, "__buffer__") and ownership.is_own_class(kind) else value


def _number(memory: Any, value: Any) -> Any:
    of_floats = memory.typecode in "fd" and type(value) not in ownership.BARE_TYPES
    return float(value) if of_floats and hasattr(type(value), "__float__") else _plain(memory, value)


def _numbers(memory: Any, values: Any) -> Any:
    if type(values) is list:
        return [each if type(each) in _NUMBERS else _number(memory, each) for each in values]
    if isinstance(values, array.array):
        return values
    return (each if type(each) in _NUMBERS else _number(memory, each) for each in values)


def _each(memory: Any, parts: Any) -> Any:
    """What C goes through where it lies, and in its own copy of anything else."""
    listed = list in ownership.mro_of(type(parts))
    return [_plain(memory, part) for part in list.__iter__(parts)] if listed else parts
