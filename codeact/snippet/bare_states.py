"""States that C code takes as they are given, and goes by to where nothing is.

- A decoder of ISO 2022 looks for the set of characters its state tells of, past the end of its table if it is not
  there, and calls what it finds for it. `setstate` gives it any, and so does `seek` in a text.
- A place in a text, as `seek` takes it, tells how many characters to leave out, which may be less than none.
- A date made of bytes can be one of the year 0, of which `ctime` reads the name of a day before the first.
- What a stream of text writes has its lines ended by its own `replace`: whatever that gives is taken for a text. Where
  the stream below writes to it again meanwhile, that is counted with what comes next, and memory is written for it.
- `re.Scanner` makes one pattern of many, and leaves room for one group of each: a further one was marked beyond that.
- From 3.12 on `json` goes through a dictionary that it does not hold, unless it looks for circles.
"""

from __future__ import annotations

import _multibytecodec
import datetime
import functools
import io
import json.encoder
import operator
import re
import sys
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from codeact.snippet import ownership, running
from codeact.snippet.patches import patch, put_on

_ASCII = 0x42  # how a state says it
_DOUBLE = 0x80  # in a mark: each character has two bytes
_SEQUENCES = {True: (b"\x1b$", b"\x1b$(", b"\x1b$)"), False: (b"\x1b(", b"\x1b)", b"\x1b.")}

_guarded: list[bool] = []
_of_texts: list[bool] = []


def guard() -> None:
    """Have all of them look first, in the whole process; more calls do nothing."""
    if _guarded:
        return
    _guarded.append(True)
    decoder = _multibytecodec.MultibyteIncrementalDecoder
    put_on(decoder, "setstate", _looking_for_marks(decoder))
    put_on(io.TextIOWrapper, "seek", _seeking(io.TextIOWrapper))
    put_on(io.TextIOWrapper, "write", _writing(io.TextIOWrapper))
    for kind in (datetime.date, datetime.datetime):
        put_on(kind, "ctime", _of_a_year(kind))
    scanner = vars(re)["Scanner"]
    put_on(scanner, "__init__", _without_groups(scanner))
    patch(json.encoder, "c_make_encoder", _holding)


def look(line: Iterable[type]) -> None:
    """Begin to write texts as they are once there is a class of texts; `line` are the classes above it."""
    if not _of_texts and str in line:
        _of_texts.append(True)


def _writing(kind: Any) -> Any:
    real, kind_of = vars(kind)["write"], type  # by this name it makes none of its kind, for `borrowed`
    working: set[int] = set()

    @functools.wraps(real)
    def write(self: Any, text: Any, /) -> Any:
        if _of_texts and kind_of(text) is not str and str in ownership.mro_of(kind_of(text)):
            text = str.__str__(text)
        if not (_asking and (at := id(self)) in _asking):
            return real(self, text)
        if at in working and running.is_in_a_step():
            raise RuntimeError(f"reentrant call inside {self!r}")
        working.add(at)
        try:
            return real(self, text)
        finally:
            working.discard(at)

    return write


_COUNTS_TWICE = sys.version_info < (3, 12, 4)
_OF_C = frozenset((io.BytesIO, io.BufferedReader, io.BufferedWriter, io.BufferedRandom))
_asking: dict[int, weakref.ref[Any]] = {}
_buffer_of: Any = vars(io.TextIOWrapper)["buffer"].__get__


def note_stream(stream: Any) -> None:
    """Note a stream of text, where what it writes to may be a snippet's."""
    if _COUNTS_TWICE and type(_buffer_of(stream)) not in _OF_C:
        at = id(stream)
        _asking[at] = weakref.ref(stream, lambda _: _asking.pop(at, None))


def _looking_for_marks(kind: Any) -> Any:
    real, reset, decode, state_of = (vars(kind)[name] for name in ("setstate", "reset", "decode", "getstate"))
    kind_of = type  # by this name it makes none of its kind, for `borrowed`

    def marks(self: Any) -> set[int]:
        return set(state_of(self)[1].to_bytes(8, "little")[:2])

    def has_set(self: Any, mark: int) -> bool:
        for sequence in _SEQUENCES[mark >= _DOUBLE]:
            reset(self)
            try:
                decode(self, sequence + bytes([mark % _DOUBLE]))
            except UnicodeError:
                continue
            if mark in marks(self):
                return True
        return False

    @functools.wraps(real)
    def setstate(self: Any, state: Any, /) -> None:
        if tuple not in ownership.mro_of(kind_of(state)) or tuple.__len__(state) != 2:
            return real(self, state)  # type: ignore[no-any-return]  # it says what it takes
        pending, number = tuple.__iter__(state)
        if kind_of(number) is not int:
            raise TypeError(f"setstate() takes a number, not {kind_of(number).__name__!r}")
        reset(self)
        if _ASCII in marks(self):
            for mark in (number & 0xFF, number >> 8 & 0xFF):
                if mark != _ASCII and not has_set(self, mark):
                    raise UnicodeError("the state tells of no set of characters of this encoding")
            reset(self)
        return real(self, (pending, number))  # type: ignore[no-any-return]  # None

    return setstate


_COUNTS = (96, 128)  # where in such a place stand how many bytes to decode, and how many characters to leave out
_SIGN = 1 << 31


def _seeking(kind: Any) -> Any:
    real, kind_of = vars(kind)["seek"], type  # by this name it makes none of its kind, for `borrowed`
    as_they_are = (int, bool, str, type(None))

    @functools.wraps(real)
    def seek(self: Any, cookie: Any, whence: Any = 0, /) -> Any:
        if kind_of(cookie) not in as_they_are and whence == 0:
            cookie = int(cookie)
        if kind_of(cookie) is int and cookie >= _SIGN and any(cookie >> at & _SIGN for at in _COUNTS):
            raise OSError("can't restore logical file position")
        return real(self, cookie, whence)

    return seek


def _of_a_year(kind: Any) -> Any:
    real, year_of = vars(kind)["ctime"], vars(datetime.date)["year"].__get__

    @functools.wraps(real)
    def ctime(self: Any, /) -> str:
        if not year_of(self):
            raise ValueError("year 0 is out of range")
        return real(self)  # type: ignore[no-any-return]  # a text

    return ctime


def _without_groups(kind: Any) -> Any:
    """What newer Pythons say as well."""
    real, parse = kind.__init__, vars(re)["_parser"].parse

    @functools.wraps(real)
    def __init__(self: Any, lexicon: Any, flags: Any = 0) -> None:
        if running.in_a_snippet():
            flags, lexicon = operator.index(flags), [(_exactly(phrase), action) for phrase, action in lexicon]
            if any(parse(phrase, flags).state.groups > 1 for phrase, _ in lexicon):
                raise ValueError("Cannot use capturing groups in re.Scanner")
        real(self, lexicon, flags)

    return __init__


def _exactly(phrase: Any) -> Any:
    line = ownership.mro_of(type(phrase))
    if str in line:
        return str.__str__(phrase)
    if bytes in line:
        return bytes.__getitem__(phrase, slice(None))
    raise TypeError(f"a phrase of a Scanner is a text or bytes, not {ownership.class_of(phrase).__name__!r}")


def _holding(real: Callable[..., Any]) -> Callable[..., Any]:
    def make(markers: Any, /, *settings: Any) -> Any:
        return real({} if markers is None else markers, *settings)

    return make
