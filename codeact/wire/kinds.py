"""The containers that cross the wall besides lists and plain dicts, and which table knows a type."""

from __future__ import annotations

import array
import collections
import enum
import operator
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import msgspec

from codeact.errors import ProtocolError
from codeact.snippet.classes import is_a
from codeact.snippet.ownership import mro_of
from codeact.wire import plain, scalars, tables, texts
from codeact.wire.collisions import collide, compared
from codeact.wire.parts import KEY, TAG, Packing, TooMuch, Uncrossable, Unpacking, exactly

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

_BYTES = ("B", "b", "c")  # formats of a memoryview


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


def _pack_parts(tag: str, items: Callable[[Any], Any]) -> Packing:
    return lambda packer, value, depth: {TAG: tag, 1: packer.pack_items(items(value), depth)}


def _pack_set(tag: str, items: Callable[[Any], list[Any]]) -> Packing:
    """Pack the items in an order of their own: the order of a set depends on the process it was made in."""

    def pack_set(packer: Packer, value: Any, depth: int) -> Any:
        trees = packer.pack_keys(items(value), depth)
        try:
            trees.sort(key=None if all(map(operator.eq, trees, trees)) else msgspec.msgpack.encode)  # NaN is unordered
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


def _pack_as_list(packer: Packer, value: Collection[Any], depth: int) -> Any:
    return packer.pack_list(list(value), depth)


def _pack_bytearray(packer: Packer, value: bytearray, depth: int) -> Any:
    content = bytes(bytearray.__getitem__(value, slice(None)))
    packer.spend_bytes(len(content))
    return {TAG: "bytearray", 1: content}


def _pack_view(packer: Packer, value: memoryview, depth: int) -> Any:
    if value.format not in _BYTES:
        raise Uncrossable(f"a memoryview of bytes crosses, as bytes; this one holds items of format {value.format!r}")
    packer.spend_bytes(value.nbytes)
    return value.tobytes()


# A subclass is read with the methods of its base, never its own.
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
    array.array: lambda packer, value, depth: packer.pack_list(array.array.tolist(value), depth),
    bytearray: _pack_bytearray,
    memoryview: _pack_view,
    **scalars.PACKING,
}
_EXACT: dict[type, Packing] = {
    **_BASES,
    dict: _pack_dict,
    **dict.fromkeys((type({}.keys()), type({}.values()), type({}.items())), _pack_as_list),
}


def packing_of(value: Any, kind: type) -> Packing | None:
    """Give how a value of this type is packed; None where it cannot cross."""
    if (found := _EXACT.get(kind) or tables.packing_of(kind)) is not None:
        return found
    if is_a(value, enum.Enum):
        return lambda packer, member, depth: packer.pack(object.__getattribute__(member, "_value_"), depth)
    for base in mro_of(kind):
        if base in _BASES:
            return _BASES[base]
    return plain.packing_of(kind) or texts.packing_of(kind)


def _unpack_dict(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    flat = exactly(tree[1], list)
    keys = spread(unpacker, flat[::2], depth)
    return dict(zip(keys, unpacker.unpack_items(flat[1::2], depth), strict=True))


def _unpack_text(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    if not unpacker.surrogates:
        raise ProtocolError("a value holds a text that UTF-8 cannot say")
    return exactly(tree[1], bytes).decode("utf-8", "surrogatepass")


UNPACKING: dict[str, Unpacking] = {
    "dict": _unpack_dict,
    "text": _unpack_text,
    "tuple": lambda unpacker, tree, depth: tuple(unpacker.unpack_items(tree[1], depth)),
    "set": lambda unpacker, tree, depth: set(spread(unpacker, exactly(tree[1], list), depth)),
    "frozenset": lambda unpacker, tree, depth: frozenset(spread(unpacker, exactly(tree[1], list), depth)),
    "bytearray": lambda unpacker, tree, depth: bytearray(exactly(tree[1], bytes)),
    **scalars.UNPACKING,
    **texts.UNPACKING,
}
