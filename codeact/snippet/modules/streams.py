"""The streams of `io` that fill and drain another one, which may be a snippet's own: they lend it no memory of theirs.

CPython hands a raw stream a view of its buffer, which stays when the buffer is gone, and believes how much it read.
"""

from __future__ import annotations

import io
import weakref
from typing import Any

from codeact.snippet import special, types_


class RawIOBase(io.RawIOBase):
    """Stands for `io.RawIOBase`."""

    def read(self, size: int = -1, /) -> bytes | None:
        """What `readinto` put into a buffer, as far as there is one."""
        if size is None or size < 0:
            return self.readall()
        buffer = bytearray(size)
        count: Any = self.readinto(buffer)
        return None if count is None else bytes(buffer[: _checked(count, size)])


def _checked(count: Any, size: int) -> int:
    if not isinstance(count, int) or not 0 <= count <= size:
        raise OSError(f"readinto() returned an invalid length {count!r:.40} (should have been between 0 and {size})")
    return int.__index__(count)


RawIOBase.register(io.FileIO)
types_.hide(RawIOBase, io.RawIOBase)
special.final.add(io.IncrementalNewlineDecoder)  # set up anew, it lets go of the decoder that works for it


class _Lent:
    """Another's raw stream: it gets buffers and bytes of its own."""

    __slots__ = ("_raw",)

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def readinto(self, view: Any) -> Any:
        buffer = bytearray(size := len(view))
        if (count := self._raw.readinto(buffer)) is None:
            return None
        filled = buffer[: _checked(count, size)]
        view[: len(filled)] = filled
        return len(filled)

    def write(self, view: Any) -> Any:
        return self._raw.write(bytes(view))


def _lent(raw: Any) -> Any:
    return raw if type(raw) in (io.FileIO, io.BytesIO) else _Lent(raw)


_set_up: dict[int, weakref.ref[Any]] = {}


def _standing(real: Any, streams: int = 1) -> Any:
    def __new__(cls: Any, *arguments: Any, **settings: Any) -> Any:
        return real.__new__(cls)

    def __init__(self: Any, *arguments: Any, **settings: Any) -> None:
        if (at := id(self)) in _set_up:  # while it fills a buffer, that would go
            raise ValueError(f"a {real.__name__} keeps what it reads and writes: make another")
        if "raw" in settings:
            settings["raw"] = _lent(settings["raw"])
        _set_up[at] = weakref.ref(self, lambda _: _set_up.pop(at, None))
        real.__init__(self, *map(_lent, arguments[:streams]), *arguments[streams:], **settings)

    made: Any = types_.standing_for(real, {"__new__": __new__, "__init__": __init__})
    return made


#: The classes of `io` that stand for those of the same names.
STREAMS: dict[str, Any] = {
    "RawIOBase": RawIOBase,
    **{real.__name__: _standing(real) for real in (io.BufferedReader, io.BufferedWriter, io.BufferedRandom)},
    "BufferedRWPair": _standing(io.BufferedRWPair, 2),
}
