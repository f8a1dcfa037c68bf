"""Long lists of one kind: many numbers cross as one block of bytes, many rows of one shape by column."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.wire.parts import CONTAINER, Unpacking, sayable

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

_ROW = 2  # parts, besides one for each name
_CHARS = 40  # of names for one more: whoever writes out a row writes its names as well
_TEXT = {str}


def pack_alike(packer: Packer, value: list[Any], depth: int) -> Any:
    """Give the tree for a list of numbers or of rows; None where its items are no such, or not alike."""
    kinds_inside = set(map(type, value))
    kind = kinds_inside.pop()
    if kinds_inside:
        return None
    if kind is dict and (names := _shared_names(value)):
        packer.enter(len(names) + len(value), depth)
        packer.come_to(len(value) * _per_row(names))
        columns = [packer.pack_list([row[name] for row in value], depth + 1) for name in names]
        return {0: "rows", 1: names, 2: columns}
    block = _block(value, kind)
    if block is not None:
        packer.spend_bytes(8 * len(value))
        packer.come_to(CONTAINER + len(value))
    return block


def _per_row(names: list[str]) -> int:
    return _ROW + len(names) + sum(map(len, names)) // _CHARS


def _block(value: list[Any], kind: type) -> Any:
    if kind is float:
        return {0: "floats", 1: array("d", value).tobytes()}
    if kind is int:
        try:
            return {0: "ints", 1: array("q", value).tobytes()}
        except OverflowError:
            return None
    return None


def _shared_names(rows: list[dict[Any, Any]]) -> list[str]:
    """The keys all these dicts have, in one order; none where they differ or are no strings."""
    first = tuple(rows[0])
    if set(map(type, first)) == _TEXT and all(tuple(row) == first for row in rows) and sayable(first):
        return list(first)
    return []


def _unpack_block(code: str) -> Unpacking:
    def unpack_block(unpacker: Unpacker, tree: Any, depth: int) -> Any:
        numbers = array(code)
        unpacker.come_to(len(tree[1]) // numbers.itemsize)
        numbers.frombytes(tree[1])
        return numbers.tolist()

    return unpack_block


def _unpack_rows(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    names, columns = unpacker.unpack_items(tree[1], depth), unpacker.unpack_items(tree[2], depth)
    if not names or set(map(type, names)) != _TEXT or len(set(names)) != len(names) or len(names) != len(columns):
        raise ProtocolError("rows have no proper names")
    if set(map(type, columns)) != {list}:
        raise ProtocolError("rows have no proper columns")
    unpacker.come_to(len(columns[0]) * _per_row(names))
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


UNPACKING: dict[str, Unpacking] = {
    "rows": _unpack_rows,
    "floats": _unpack_block("d"),
    "ints": _unpack_block("q"),
}
