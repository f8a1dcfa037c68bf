"""Errors in CPython's own C code by which a snippet could read memory of the process: what stands before them.

- What errors of encodings say of themselves: up to 3.12 and partly 3.13, the bytes they point at are read without
  a look at where these are (gh-123378, gh-128974). One can begin before them, or have something else in their place.
- What `ZoneInfo.from_file` reads: a change to the kind of time just behind the last one is taken for good.
- What `ZoneInfo` is asked about: of anything but a time, what lies where the `fold` of one does is read.
"""

from __future__ import annotations

import ctypes
import datetime
import functools
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any
from zoneinfo import ZoneInfo, _common

from codeact.snippet import behind
from codeact.snippet.ownership import class_of, is_class, module_of, mro_of
from codeact.snippet.patches import put_on

_HEAD_BYTES = 256  # of the C structure of a class, its flags among them
# How far from the flags of a class stand tp_str, tp_richcompare, tp_init and tp_new.
TEXT, COMPARISON, INIT, _NEW = -4, 4, 16, 18


def put(cls: Any, names: Mapping[str, Any], at: int | tuple[int, int] | None = None) -> None:
    """Have a class of C do these by functions of Python, also where C asks, which is `at` a slot or a table's place."""
    for name, function in names.items():
        put_on(cls, name, function)
    if at is not None:
        ask_as(cls, type("Asked", (), dict(names)), at)


def put_late(cls: Any, names: Mapping[str, Any], at: int | tuple[int, int]) -> None:
    """The same once snippets run: by what a snippet picked up before, C asks the functions of Python as well.

    They call what was there by `own`, which is nobody else's.
    """
    before = {name: vars(cls)[name] for name in names}
    put(cls, names, at)
    place = _within(cls, *at) if isinstance(at, tuple) else place_in(cls, at)
    for name, method in before.items():
        if names[name] is not method:
            have_ask(method, place.value)


def have_ask(method: Any, asks: int | None) -> None:
    """Have a special method of C ask by this function of C from now on."""
    ctypes.c_void_p.from_address(id(method) + _ASKS_AT + _POINTER).value = asks


def own(cls: Any, name: str) -> Any:
    """Another of a special method of C, which goes on to do what the first one does by now."""
    base, asks = (ctypes.c_void_p.from_address(id(vars(cls)[name]) + at) for at in (_ASKS_AT, _ASKS_AT + _POINTER))
    make = ctypes.pythonapi.PyDescr_NewWrapper
    make.restype, make.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p]
    return make(cls, base, asks)


def reach(cls: Any, name: str) -> None:
    """Have C be able to call what a method of one thing will be: there is a cage by then, and code cannot be made."""

    def call(self: Any, given: Any) -> Any:
        return getattr(cls, name)(self, given)

    _reaching[cls, name] = ctypes.PYFUNCTYPE(*[ctypes.py_object] * 3)(call)


def put_method_late(cls: Any, name: str, wrapped: Callable[[Any], Callable[..., Any]]) -> None:
    """Have a method of C that is reached be a function around it; what was picked up before is that as well."""
    kept = ctypes.create_string_buffer(ctypes.string_at(_defined(cls, name), 4 * _POINTER), 4 * _POINTER)
    make = ctypes.pythonapi.PyDescr_NewMethod
    make.restype, make.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.c_void_p]
    function = wrapped(make(cls, ctypes.addressof(kept)))
    reaching = ctypes.cast(_reaching[cls, name], ctypes.c_void_p)
    ctypes.c_void_p.from_address(_defined(cls, name) + _POINTER).value = reaching.value
    put_on(cls, name, function)
    _definitions.append(kept)


def _defined(cls: Any, name: str) -> int:
    """Where C tells of a method its name, its function, how that is called, and what it says of itself."""
    return ctypes.c_void_p.from_address(id(vars(cls)[name]) + _ASKS_AT).value or 0


_reaching: dict[tuple[type, str], Any] = {}
_definitions: list[Any] = []
_POINTER = ctypes.sizeof(ctypes.c_void_p)
_ASKS_AT = object.__basicsize__ + 3 * _POINTER  # in a special method: how it asks, and behind that what


def ask_as(cls: type, like: type, at: int | tuple[int, int]) -> None:
    """Have C ask a class of C as it asks another, which is `at` a slot or a table's place."""
    if isinstance(at, tuple):
        _ask_within(cls, like, *at)
    else:
        _ask(cls, like, at)


#: The classes of C that `object.__new__` takes for Python's by now: what it makes of them is empty.
made_by_python: set[type] = set()


def make_by(cls: type, wrapped: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Have CPython make the instances of a class of C by a function around what made them, also where it calls that."""
    called = ctypes.PYFUNCTYPE(*[ctypes.py_object] * 4)
    maker = called(place_in(cls, _NEW).value or 0)

    def real(kind: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if not (is_class(kind) and cls in mro_of(kind)):  # an object could say that it is one
            raise TypeError(f"{cls.__name__}.__new__(X): X is not a type of {cls.__name__}")
        return maker(kind, arguments, keywords)

    new = wrapped(real)
    put(cls, {"__new__": staticmethod(new)}, _NEW)
    made_by_python.add(cls)


def _ask(cls: type, like: type, slot: int) -> None:
    """Let a class of C be asked as `like` is, by functions of Python; `slot` is how far from the flags it stands.

    So are the classes below it that were asked as it was: each has what it inherits in a place of its own.
    """
    exchange(cls, slot, place_in(like, slot).value)


def exchange(cls: type, slot: int, after: int | None, *, ours: bool = False) -> None:
    """Put a function of C in a place of a class, and of those below it that have there what this one had."""
    before = place_in(cls, slot).value
    for each in _below(cls, ours):
        if (place := place_in(each, slot)).value == before:
            place.value = after


def _ask_within(cls: type, like: type, table: int, place: int) -> None:
    """The same for what stands in a table of functions of a class; `table` is how far from the flags it stands."""
    before, after = (_within(each, table, place).value for each in (cls, like))
    for each in _below(cls):
        if place_in(each, table).value and (found := _within(each, table, place)).value == before:
            found.value = after


def _within(cls: type, table: int, place: int) -> ctypes.c_void_p:
    at = (place_in(cls, table).value or 0) + place * ctypes.sizeof(ctypes.c_void_p)
    return ctypes.c_void_p.from_address(at)


def _below(cls: Any, ours: bool = False) -> Iterator[type]:
    yield cls
    for each in type.__subclasses__(cls):
        if ours or not module_of(each).startswith("codeact."):  # ours are asked as C asks them
            yield from _below(each, ours)


def place_in(cls: type, slot: int) -> ctypes.c_void_p:
    """A place in the C structure of a class."""
    words = range(0, _HEAD_BYTES, ctypes.sizeof(ctypes.c_ulong))
    flags_at = next(at for at in words if ctypes.c_ulong.from_address(id(cls) + at).value == cls.__flags__)
    return ctypes.c_void_p.from_address(id(cls) + flags_at + slot * ctypes.sizeof(ctypes.c_void_p))


def guard() -> None:
    """Have both look first, in the whole process."""
    if not isinstance(UnicodeDecodeError.__str__, FunctionType):
        put(UnicodeDecodeError, {"__str__": _text_of(UnicodeDecodeError, bytes, _byte)}, TEXT)
        put(UnicodeEncodeError, {"__str__": _text_of(UnicodeEncodeError, str, _character)}, TEXT)
        put(UnicodeTranslateError, {"__str__": _text_of(UnicodeTranslateError, str, _character)}, TEXT)
        zone_files: Any = _common  # what ZoneInfo reads files by
        zone_files.load_data = _looked_through(zone_files.load_data)


def _byte(content: bytes, at: int) -> str:
    return f"byte 0x{content[at]:02x}"


def _character(content: str, at: int) -> str:
    number = ord(content[at])
    width = 2 if number <= 0xFF else 4 if number <= 0xFFFF else 8
    return f"character '\\{'xuU'[width.bit_length() - 2]}{number:0{width}x}'"


def _text_of(cls: Any, kind: Any, one: Callable[[Any, int], str]) -> Callable[[Any], str]:
    does = {UnicodeDecodeError: "decode", UnicodeEncodeError: "encode", UnicodeTranslateError: "translate"}[cls]
    parts = [vars(cls)[name].__get__ for name in ("object", "start", "end", "reason")]

    def __str__(self: Any) -> str:
        content, start, end, reason = (part(self) for part in parts)
        if content is None:  # it was never filled in
            return ""
        if not isinstance(content, kind):
            raise TypeError(f"object attribute must be {kind.__name__}")
        content = kind.__getitem__(content, slice(None))  # without a class of its own
        if 0 <= start < len(content) and end == start + 1:
            where = f"{one(content, start)} in position {start}"
        else:
            where = f"{'bytes' if kind is bytes else 'characters'} in position {start}-{end - 1}"
        whose = "" if cls is UnicodeTranslateError else f"'{self.encoding!s}' codec "
        return f"{whose}can't {does} {where}: {reason!s}"

    return __str__


def _looked_through(load: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(load)
    def load_data(file: Any) -> Any:
        kinds_of_changes, *rest = loaded = load(file)
        if any(kind >= len(rest[1]) for kind in kinds_of_changes):
            raise ValueError("Invalid transition index found while reading TZif")
        return loaded

    return load_data


def of_times(subject: object, name: str) -> Any:
    """`zone.utcoffset` and its like, which CPython has read the place of `fold` in anything it is given."""
    found = getattr(subject, name)
    whose = behind.owner(found)
    if ZoneInfo not in mro_of(class_of(whose)):
        return found

    def told(*arguments: Any) -> Any:
        for given in arguments[int(whose is ZoneInfo) :]:
            if given is not None and datetime.datetime not in mro_of(type(given)):
                raise TypeError(f"{name}() argument must be a datetime instance or None, not {type(given).__name__}")
        return found(*arguments)

    told.__name__ = told.__qualname__ = name
    return told
