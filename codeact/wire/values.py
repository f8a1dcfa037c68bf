"""Values as they cross the wall: exact types from a table, copied, never code.

`pack` makes a tree that msgpack can say; `unpack` makes the value again on the other side, from a tree nobody trusts.

    None, bool, float, str, bytes, ints of 64 bits, lists, dicts with str keys    →  themselves
    a str with lone surrogates, which UTF-8 cannot say                            →  {0: "text", 1: its bytes}
    everything else the table knows                                             →  {0: tag, 1: …}

A subclass crosses as the type of the table it descends from, read without its own methods. What the table does not
know is refused with `Uncrossable`, or becomes a `Described` where the packing is `lossy`, and so does a text with lone
surrogates: whoever is handed a value may encode it, and would fail there.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from codeact.alarms import is_an_alarms
from codeact.errors import ProtocolError
from codeact.records import Described
from codeact.snippet.classes import class_name
from codeact.snippet.describe import describe
from codeact.wire import bulk, kinds, plain, scalars, tables
from codeact.wire.parts import CONTAINER, PARTS, TAG, TooMuch, Uncrossable, Unpacking, exactly, sayable

DEPTH, NODES, VALUE_BYTES = 100, 1_000_000, 64 << 20
_DESCRIPTION_CHARS = 500
_IN_ONE = 32  # from so many numbers on, a list crosses as one block of bytes

ATOMS = frozenset((type(None), bool, float, int, str, bytes))
_FIXED, _TEXT, _INT = frozenset((type(None), bool, float)), frozenset((str,)), range(-(1 << 63), 1 << 64)

Known = dict[int, tuple[list[Any], list[Any]]]  # lists of trees by their identity, each with the values they stand for
Module = Callable[[str], Any]  # the module of this name


class Allowance(NamedTuple):
    """How much one value may hold."""

    nodes: int = NODES
    value_bytes: int = VALUE_BYTES
    depth: int = DEPTH
    parts: int = PARTS


_WHOLE = Allowance()
UNBOUNDED = Allowance(nodes=1 << 62, value_bytes=1 << 62)  # for what has crossed before


def pack(value: object, allowance: Allowance = _WHOLE, *, lossy: bool = False) -> Any:
    """Give the tree for a value. Raises Uncrossable, unless `lossy`: then what cannot cross is described."""
    kind = type(value)
    if kind in _FIXED or (type(value) is int and value in _INT):
        return value
    if type(value) is str and len(value) < 1000 and value.isascii():
        return value
    try:
        return Packer(allowance, lossy=lossy).pack(value, 0)
    except TooMuch as error:
        if not lossy:
            raise
        return described(value, f"{describe(value, _DESCRIPTION_CHARS)} ({error})")


def described(value: object, text: str) -> Any:
    """Give the tree for a value that stays on its side of the wall."""
    return {TAG: "described", 1: class_name(type(value)), 2: text}


class Packer:
    """One value being packed; what it may still hold is counted down over all its parts."""

    __slots__ = (
        "_arrived", "_depth", "_most_bytes", "bytes_left", "lossy", "nodes_left", "parts_left", "records", "zones",
    )  # fmt: skip

    def __init__(self, allowance: Allowance, *, lossy: bool) -> None:
        self.nodes_left, self.bytes_left, self._depth = allowance.nodes, allowance.value_bytes, allowance.depth
        self.parts_left, self._most_bytes = allowance.parts, allowance.value_bytes
        self.lossy = lossy
        self.records: set[tuple[str, ...]] = set()
        self.zones: list[str] = []  # that came up last
        self._arrived: Known = {}

    def pack(self, value: Any, depth: int) -> Any:
        """Give the tree for one part."""
        kind = type(value)
        if kind is int and value not in _INT:
            self._count_leaf()
            return scalars.pack_long(value)
        if kind in ATOMS:
            if kind is bytes or (kind is str and value.isascii()):
                self.spend_bytes(len(value))
            elif kind is str:
                self.spend_bytes(3 * len(value))
                return value if sayable((value,)) else self._pack_unsayable(value)
            return value
        if kind is list:
            return self.pack_list(value, depth)
        if kind is dict:
            return self.pack_dict(value, depth)
        return self._pack_other(value, kind, depth)

    def _pack_unsayable(self, value: str) -> Any:
        self._count_leaf()
        if self.lossy:
            return described(value, describe(value, _DESCRIPTION_CHARS))
        return {TAG: "text", 1: value.encode("utf-8", "surrogatepass")}

    def _pack_other(self, value: Any, kind: type, depth: int) -> Any:
        try:
            packing, before = kinds.packing_of(value, kind), self.nodes_left
            if packing is not None:
                tree = packing(self, value, depth)
                if self.nodes_left == before:
                    self._count_leaf()
                return tree
        except TooMuch:
            raise
        except Uncrossable:
            if not self.lossy:
                raise
        except Exception as error:  # a value may be broken in any way; that it cannot cross is the answer
            if not self.lossy:
                raise Uncrossable(f"the {class_name(kind)} could not be read: {type(error).__name__}") from error
        if self.lossy:
            self._count_leaf()
            return described(value, describe(value, _DESCRIPTION_CHARS))
        raise Uncrossable(f"a value of type {class_name(kind)} cannot cross: {describe(value, 80)}")

    def enter_record(self, shape: tuple[str, ...]) -> None:
        """Count a kind of records, known by its name and its fields."""
        self.records.add(shape)
        if len(self.records) > plain.CLASSES_PER_VALUE:
            raise Uncrossable(f"it holds more than {plain.CLASSES_PER_VALUE} kinds of records")

    def pack_items(self, items: Any, depth: int) -> list[Any]:
        """Give the trees of the parts of a container; `items` is a list or tuple."""
        self.enter(len(items), depth)
        kinds_inside = set(map(type, items))
        if kinds_inside <= _FIXED:
            return items if type(items) is list else list(items)
        if kinds_inside == _TEXT and all(map(str.isascii, items)):
            self.spend_bytes(sum(map(len, items)))
            return items if type(items) is list else list(items)
        return [self.pack(item, depth + 1) for item in items]

    def pack_list(self, value: list[Any], depth: int) -> Any:
        """Give the tree for a list; many numbers of one type go as one block, many rows of one shape by column."""
        packed = bulk.pack_alike(self, value, depth) if len(value) >= _IN_ONE else None
        return self.pack_items(value, depth) if packed is None else packed

    def pack_dict(self, value: dict[Any, Any], depth: int) -> Any:
        """Give the tree for a dict."""
        if set(map(type, value)) <= {str} and sayable(value):
            self.enter(2 * len(value), depth)
            return {key: self.pack(item, depth + 1) for key, item in value.items()}
        return self._pack_other(value, dict, depth)

    def pack_keys(self, keys: list[Any], depth: int) -> list[Any]:
        """Give the trees of a dict's keys, or of a set's items; Uncrossable where they would not arrive as so many."""
        trees = self.pack_items(kinds.sendable(self, keys), depth)
        if not set(map(type, keys)) <= ATOMS:
            kinds.refuse_unfit(self, keys, trees, Unpacker(known=self._arrived))
        return trees

    def enter(self, count: int, depth: int) -> None:
        """Count the parts of a container, and how deep it lies."""
        self.come_to(CONTAINER)
        self.nodes_left -= count + 1
        if self.nodes_left < 0:
            raise TooMuch("it holds too many values to cross")
        if depth >= self._depth:
            raise TooMuch(f"it is nested deeper than {self._depth} levels, or holds itself")

    def _count_leaf(self) -> None:
        """Count what is no container and yet takes several nodes of the message: four million are read of it."""
        self.enter(1, 0)

    def come_to(self, parts: int) -> None:
        """Count what the other side makes, as it does."""
        self.parts_left -= parts
        if self.parts_left < 0:
            raise TooMuch(f"it comes to more than {PARTS:,} items")

    def spend_bytes(self, count: int) -> None:
        """Count the bytes of text or binary content."""
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise TooMuch(f"it is too large to cross: {self._most_bytes:,} bytes are the most")


def unpack(tree: Any, *, as_dicts: bool = False, surrogates: bool = True, module: Module = import_module) -> Any:
    """Give the value for a tree; ProtocolError where it is none that `pack` makes.

    `as_dicts`: dataclasses and models arrive as dicts of their fields, which is what a tool's annotations are checked
    against. `surrogates`: texts that UTF-8 cannot say are taken. `module`: what gives a module here.
    """
    if type(tree) in ATOMS:
        return tree
    return Unpacker(as_dicts=as_dicts, surrogates=surrogates, module=module).unpack_whole(tree)


class Unpacker:
    """One value being unpacked, or all that a call is given."""

    __slots__ = ("_depth", "as_dicts", "in_keys", "items", "known", "module",
        "parts_left", "records", "surrogates", "unlisted", "zones")  # fmt: skip

    def __init__(
        self,
        allowance: Allowance = _WHOLE,
        *,
        as_dicts: bool = False,
        surrogates: bool = True,
        module: Module = import_module,
        known: Known | None = None,
    ) -> None:
        self.as_dicts, self.surrogates, self.module = as_dicts, surrogates, module
        self.known = {} if known is None else known
        self.parts_left, self._depth = allowance.parts, allowance.depth
        self.in_keys, self.records, self.items = False, 0, 0  # where no dict may be; classes asked for; what it holds
        self.zones: list[str] = []  # that came up last
        self.unlisted = 0  # how many items its ranges and arrays come to as lists

    def unpack_whole(self, tree: Any) -> Any:
        """Give the value for a tree; ProtocolError where it is none that `pack` makes."""
        try:
            return self.unpack(tree, 0)
        except (ProtocolError, MemoryError, RecursionError):  # values are not deep: who unpacks them is
            raise
        except Exception as error:  # numpy and pandas have errors of their own; that it is no value is the answer
            if is_an_alarms(error):
                raise
            raise ProtocolError(f"what was sent is no value: {type(error).__name__}") from error

    def unpack(self, tree: Any, depth: int) -> Any:
        """Give the value for one part."""
        kind = type(tree)
        if kind in ATOMS:
            return tree
        if depth > self._depth + 1:  # where a time of pandas is, there is an array in it
            raise ProtocolError("a value is nested too deeply")
        self.come_to(CONTAINER)
        if kind is list:
            return self.unpack_items(tree, depth)
        if kind is not dict:
            raise ProtocolError("a value holds what is no value")
        if TAG not in tree:
            if not set(map(type, tree)) <= {str}:
                raise ProtocolError("a dict in a value has a key that is no string")
            self.items += len(tree)
            plain = set(map(type, tree.values())) <= ATOMS
            return tree if plain else {key: self.unpack(item, depth + 1) for key, item in tree.items()}
        tag = tree[TAG]
        if type(tag) is not str or tag not in _UNPACKING:
            raise ProtocolError("a value has a tag that does not exist")
        return _UNPACKING[tag](self, tree, depth)

    def unpack_keys(self, trees: list[Any], depth: int) -> list[Any]:
        """Give the values of the keys of a dict, or of the items of a set."""
        if id(trees) in self.known:
            return self.known[id(trees)][1]
        outer, self.in_keys = self.in_keys, True
        try:
            return self.unpack_items(trees, depth)
        finally:
            self.in_keys = outer

    def come_to(self, parts: int) -> None:
        """Count what is made, before it is."""
        self.parts_left -= parts
        if self.parts_left < 0:
            raise ProtocolError(f"a value comes to more than {PARTS:,} items")

    def unpack_items(self, items: Any, depth: int) -> list[Any]:
        """Give the values of the parts of a container."""
        if type(items) is not list:
            raise ProtocolError("a value lacks the list of its parts")
        self.items += len(items)
        if set(map(type, items)) <= ATOMS:
            return items
        return [self.unpack(item, depth + 1) for item in items]


def _unpack_described(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    if unpacker.as_dicts:
        raise ProtocolError("an argument of a tool call is a description")
    return Described(exactly(tree[1], str)[:200], exactly(tree[2], str)[:4000])


_UNPACKING: dict[str, Unpacking] = {
    "described": _unpack_described,
    **bulk.UNPACKING,
    **kinds.UNPACKING,
    **plain.UNPACKING,
    **tables.UNPACKING,
}
