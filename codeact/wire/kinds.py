"""The types that cross the wall besides the plain ones, each with how it is packed and unpacked."""

from __future__ import annotations

import collections
import datetime
import enum
import math
from collections.abc import Callable, Collection, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from codeact.errors import ProtocolError
from codeact.snippet.classes import class_name, is_a, lineage
from codeact.wire import plain, tables
from codeact.wire.collisions import collide, compared
from codeact.wire.parts import KEY
from codeact.wire.zones import pack_zone, unpack_zone

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

TAG = 0
DIGITS = 4300  # what CPython itself turns into text and back
_LONG_BITS = 14_284  # every number of so many has no more digits
_EXPONENT = 10_000  # int(Decimal("1e999999999")) would take all memory there is

Packing = Callable[["Packer", Any, int], Any]
Exact = TypeVar("Exact")


class Uncrossable(Exception):
    """A value cannot cross the wall; the message says what about it."""


class TooMuch(Uncrossable):
    """A value is too large, too deep, or has too many parts."""


def sayable(texts: Iterable[str]) -> bool:
    """True where UTF-8 can say all of these: no lone surrogates."""
    together = "".join(texts)
    if not together.isascii():
        try:
            together.encode()
        except UnicodeEncodeError:
            return False
    return True


def length(steps: range) -> int:
    """Give how many numbers a range stands for; `len` knows only 63 bits."""
    return (steps[-1] - steps[0]) // steps.step + 1 if steps else 0


def type_name(kind: type) -> str:
    """Give a class's name without asking its metaclass."""
    return class_name(kind)


def exactly(part: Any, kind: type[Exact]) -> Exact:
    """Give the part where it is exactly of this type, else raise ProtocolError."""
    if type(part) is not kind:
        raise ProtocolError(f"a value needs a part of type {kind.__name__}")
    return part


def spread(unpacker: Unpacker, trees: list[Any], depth: int) -> list[Any]:
    """Give the keys, unless so many of them share a hash that building a dict of them would take for ever."""
    unpacker.come_to(KEY * len(trees))
    keys = unpacker.unpack_keys(trees, depth)
    if collide(keys):
        raise ProtocolError("the keys of a value were chosen to collide")
    unpacker.come_to(compared(keys, trees))
    return keys


def sendable(packer: Packer, keys: Collection[Any]) -> Collection[Any]:
    """Give the keys, unless the other side would not take them."""
    packer.come_to(KEY * len(keys))
    if collide(keys):
        raise TooMuch("so many of its keys share a hash that it would take for ever to build")
    return keys


def refuse_unfit(packer: Packer, keys: list[Any], trees: list[Any], unpacker: Unpacker) -> None:
    """Raise Uncrossable where these keys would not arrive as so many; what they arrive as is known from then on."""
    try:
        arrived = unpacker.unpack_keys(trees, 0)
        count = len(set(arrived))
    except (ProtocolError, TypeError) as error:
        raise Uncrossable("a key of it could not be one where it arrives") from error
    if count < len(keys):
        raise Uncrossable(f"its {len(keys):,} keys would arrive as {count:,}")
    packer.come_to(compared(arrived, trees))
    unpacker.known[id(trees)] = trees, arrived


# --- packing -----------------------------------------------------------------------------------------------------


def pack_long(value: int) -> Any:
    """Give the tree for an integer of more than 64 bits."""
    if value.bit_length() > _LONG_BITS:
        raise TooMuch(f"an int of about {int(value.bit_length() * math.log10(2)):,} digits; {DIGITS:,} cross")
    return {TAG: "int", 1: value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)}


def _pack_text(tag: str, write: Callable[[Any], str]) -> Packing:
    return lambda packer, value, depth: {TAG: tag, 1: write(value)}


def _pack_parts(tag: str, items: Callable[[Any], Any]) -> Packing:
    return lambda packer, value, depth: {TAG: tag, 1: packer.pack_items(items(value), depth)}


def _pack_set(tag: str, items: Callable[[Any], list[Any]]) -> Packing:
    """Pack the items in an order of their own: the order of a set depends on the process it was made in."""

    def pack_set(packer: Packer, value: Any, depth: int) -> Any:
        trees = packer.pack_keys(items(value), depth)
        try:
            trees.sort()
        except TypeError:
            trees.sort(key=msgspec.msgpack.encode)
        return {TAG: tag, 1: trees}

    return pack_set


def _pack_dict(packer: Packer, value: dict[Any, Any], depth: int) -> Any:
    """Pack a dict with keys of any kind; one with texts alone crosses as it is."""
    packer.enter(len(value), depth)
    keys = packer.pack_keys(list(value), depth)
    parts = zip(keys, [packer.pack(item, depth + 1) for item in value.values()], strict=True)
    return {TAG: "dict", 1: [part for pair in parts for part in pair]}


def _pack_decimal(packer: Packer, value: Decimal, depth: int) -> Any:
    _, digits, exponent = value.as_tuple()
    if isinstance(exponent, int) and (len(digits) > DIGITS or abs(exponent) > _EXPONENT):
        raise TooMuch(f"a Decimal of {len(digits):,} digits with exponent {exponent:,}")
    return {TAG: "decimal", 1: str(value)}


def _pack_fraction(packer: Packer, value: Fraction, depth: int) -> Any:
    return {TAG: "fraction", 1: packer.pack(value.numerator, depth), 2: packer.pack(value.denominator, depth)}


def _pack_datetime(packer: Packer, value: datetime.datetime, depth: int) -> Any:
    naive = value.replace(tzinfo=None, fold=0).isoformat()
    return {TAG: "datetime", 1: naive, 2: pack_zone(value.tzinfo), 3: value.fold}


def _pack_time(packer: Packer, value: datetime.time, depth: int) -> Any:
    naive = value.replace(tzinfo=None, fold=0).isoformat()
    return {TAG: "time", 1: naive, 2: pack_zone(value.tzinfo), 3: value.fold}


def _pack_timedelta(packer: Packer, value: datetime.timedelta, depth: int) -> Any:
    return {TAG: "timedelta", 1: [value.days, value.seconds, value.microseconds]}


def _pack_range(packer: Packer, value: range, depth: int) -> Any:
    return {TAG: "range", 1: packer.pack_items([value.start, value.stop, value.step], depth)}


def _pack_bytearray(packer: Packer, value: bytearray, depth: int) -> Any:
    packer.spend_bytes(len(value))
    return {TAG: "bytearray", 1: bytes(value)}


_PACKING: dict[type, Packing] = {
    tuple: _pack_parts("tuple", lambda value: value),
    dict: _pack_dict,
    set: _pack_set("set", list),
    frozenset: _pack_set("frozenset", list),
    collections.deque: lambda packer, value, depth: packer.pack_list(list(value), depth),
    type({}.keys()): lambda packer, value, depth: packer.pack_list(list(value), depth),
    type({}.values()): lambda packer, value, depth: packer.pack_list(list(value), depth),
    type({}.items()): lambda packer, value, depth: packer.pack_list(list(value), depth),
    complex: lambda packer, value, depth: {TAG: "complex", 1: [value.real, value.imag]},
    range: _pack_range,
    bytearray: _pack_bytearray,
    Decimal: _pack_decimal,
    Fraction: _pack_fraction,
    datetime.datetime: _pack_datetime,
    datetime.date: _pack_text("date", datetime.date.isoformat),
    datetime.time: _pack_time,
    datetime.timedelta: _pack_timedelta,
}
# A subclass is read with the methods of its base, never its own. The order matters: bool before int does not arise.
_BASES: dict[type, Packing] = {
    str: lambda packer, value, depth: packer.pack(str.__str__(value), depth),
    int: lambda packer, value, depth: packer.pack(int.__index__(value), depth),
    float: lambda packer, value, depth: float.__float__(value),
    bytes: lambda packer, value, depth: packer.pack(bytes.__getitem__(value, slice(None)), depth),
    dict: lambda packer, value, depth: packer.pack_dict(dict(dict.items(value)), depth),
    list: lambda packer, value, depth: packer.pack_list(list.__getitem__(value, slice(None)), depth),
    tuple: _pack_parts("tuple", lambda value: list(tuple.__iter__(value))),
    set: _pack_set("set", lambda value: list(set.__iter__(value))),
    frozenset: _pack_set("frozenset", lambda value: list(frozenset.__iter__(value))),
    collections.deque: lambda packer, value, depth: packer.pack_list(list(collections.deque.__iter__(value)), depth),
}


def packing_of(value: Any, kind: type) -> Packing | None:
    """Give how a value of this type is packed; None where it cannot cross."""
    found = _PACKING.get(kind)
    if found is not None:
        return found
    if (found := tables.packing_of(kind)) is not None:
        return found
    if is_a(value, enum.Enum):
        return lambda packer, member, depth: packer.pack(object.__getattribute__(member, "_value_"), depth)
    for base in lineage(kind):
        if base in _BASES:
            return _BASES[base]
    return plain.packing_of(kind)


# --- unpacking ---------------------------------------------------------------------------------------------------


def _unpack_long(unpacker: Unpacker, tree: Any, depth: int) -> int:
    content = exactly(tree[1], bytes)
    if len(content) <= _LONG_BITS // 8 + 1:
        value = int.from_bytes(content, "little", signed=True)
        if value.bit_length() <= _LONG_BITS:
            return value
    raise ProtocolError("an int has too many digits")


def _whole(unpacker: Unpacker, tree: Any) -> int:
    return _unpack_long(unpacker, tree, 0) if type(tree) is dict else exactly(tree, int)


def _unpack_decimal(unpacker: Unpacker, tree: Any, depth: int) -> Decimal:
    text = exactly(tree[1], str)
    if len(text) > DIGITS + 20:
        raise ProtocolError("a Decimal has too many digits")
    value = Decimal(text)
    _, digits, exponent = value.as_tuple()
    if isinstance(exponent, int) and (len(digits) > DIGITS or abs(exponent) > _EXPONENT):
        raise ProtocolError("a Decimal has too many digits, or too large an exponent")
    return value


def _unpack_datetime(unpacker: Unpacker, tree: Any, depth: int) -> datetime.datetime:
    naive = datetime.datetime.fromisoformat(exactly(tree[1], str))
    return naive.replace(tzinfo=unpack_zone(tree[2]), fold=exactly(tree[3], int))


def _unpack_time(unpacker: Unpacker, tree: Any, depth: int) -> datetime.time:
    naive = datetime.time.fromisoformat(exactly(tree[1], str))
    return naive.replace(tzinfo=unpack_zone(tree[2]), fold=exactly(tree[3], int))


def _unpack_timedelta(unpacker: Unpacker, tree: Any, depth: int) -> datetime.timedelta:
    days, seconds, microseconds = (exactly(part, int) for part in exactly(tree[1], list))
    return datetime.timedelta(days, seconds, microseconds)


def _unpack_complex(unpacker: Unpacker, tree: Any, depth: int) -> complex:
    real, imaginary = (exactly(part, float) for part in exactly(tree[1], list))
    return complex(real, imaginary)


def _unpack_range(unpacker: Unpacker, tree: Any, depth: int) -> range:
    start, stop, step = (exactly(part, int) for part in unpacker.unpack_items(tree[1], depth))
    steps = range(start, stop, step)
    unpacker.unlisted += length(steps)
    return steps


UNPACKING: dict[str, Callable[[Any, Any, int], Any]] = {
    "int": _unpack_long,
    "tuple": lambda unpacker, tree, depth: tuple(unpacker.unpack_items(tree[1], depth)),
    "set": lambda unpacker, tree, depth: set(spread(unpacker, exactly(tree[1], list), depth)),
    "frozenset": lambda unpacker, tree, depth: frozenset(spread(unpacker, exactly(tree[1], list), depth)),
    "complex": _unpack_complex,
    "range": _unpack_range,
    "bytearray": lambda unpacker, tree, depth: bytearray(exactly(tree[1], bytes)),
    "decimal": _unpack_decimal,
    "fraction": lambda unpacker, tree, depth: Fraction(_whole(unpacker, tree[1]), _whole(unpacker, tree[2])),
    "datetime": _unpack_datetime,
    "date": lambda unpacker, tree, depth: datetime.date.fromisoformat(exactly(tree[1], str)),
    "time": _unpack_time,
    "timedelta": _unpack_timedelta,
}
