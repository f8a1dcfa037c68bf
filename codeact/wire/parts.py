"""What packing and unpacking share: what values come to, however few bytes say it, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from codeact.errors import ProtocolError

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

TAG = 0
PARTS = 4_000_000  # of one value, or of all that a call is given; each is some 40 bytes, or 0.25 µs
CONTAINER = 7  # a list, a dict, or what has a tag
KEY = 3  # of a dict or a set: it is compared

Packing = Callable[["Packer", Any, int], Any]
Unpacking = Callable[["Unpacker", Any, int], Any]
Exact = TypeVar("Exact")


class Uncrossable(Exception):
    """A value cannot cross the wall; the message says what about it."""


class TooMuch(Uncrossable):
    """A value is too large, too deep, or has too many parts."""


def exactly(part: Any, kind: type[Exact]) -> Exact:
    """Give the part where it is exactly of this type, else raise ProtocolError."""
    if type(part) is not kind:
        raise ProtocolError(f"a value needs a part of type {kind.__name__}")
    return part


def sayable(texts: Iterable[str]) -> bool:
    """True where UTF-8 can say all of these: no lone surrogates."""
    together = "".join(texts)
    if not together.isascii():
        try:
            together.encode()
        except UnicodeEncodeError:
            return False
    return True
