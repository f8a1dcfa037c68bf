"""Categories and the levels of an index: labels in their order, those nothing is of as well, and which each row has.

pandas' own tables of hashes are easily filled with what collides in them, whole numbers among it. So what is read here
is never looked up: neither are the labels compared, nor are rows found among them.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.wire.arrays import pack_array
from codeact.wire.collisions import collide, compared
from codeact.wire.parts import KEY

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

_LABEL = 3  # parts, besides those of a key
#: What stands in a column of each type, besides what is missing: of anything else pandas would make that itself.
_HELD: dict[str, type] = {
    **{f"{sign}Int{bits}": int for sign in ("", "U") for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("Float32", "Float64"), float),
    **dict.fromkeys(("string", "str"), str),
    "boolean": bool,
}


def fits(name: Any, trees: list[Any]) -> bool:
    """Whether a column of the type of this name may hold these."""
    if name == "object":
        return True
    kind = _HELD.get(name) if type(name) is str else None
    others = set(map(type, trees)) - {kind, type(None)}
    if kind is str and others == {dict}:
        return all(type(tree) is not dict or tree.get(0) == "text" for tree in trees)
    return kind is not None and not others


def pack_labels(packer: Packer, items: list[Any], depth: int) -> list[Any]:
    """Give the trees of labels, each of them once; Uncrossable where they would not arrive as so many."""
    packer.come_to(_LABEL * len(items))
    return packer.pack_keys(items, depth)


def unpack_labels(unpacker: Unpacker, trees: list[Any], depth: int) -> list[Any]:
    """Give the labels, which whoever works with the table looks up."""
    unpacker.come_to((_LABEL + KEY) * len(trees))
    items = unpacker.unpack_keys(trees, depth)
    hash(tuple(items))  # TypeError where one of them has none
    if collide(items):
        raise ProtocolError("the labels of a table were chosen to collide")
    unpacker.come_to(compared(items, trees))
    return items


def pack_codes(packer: Packer, codes: Any, depth: int) -> Any:
    """Give the tree for what says of each row which of the labels it has."""
    return pack_array(packer, sys.modules["numpy"].asarray(codes), depth)


def unpack_codes(unpacker: Unpacker, tree: Any, labels: Any, depth: int) -> Any:
    """Give what says of each row which of these labels it has, or -1 for none: pandas believes it."""
    codes = unpacker.unpack(tree, depth + 1)
    if type(codes).__module__ != "numpy" or codes.ndim != 1 or codes.dtype.kind != "i":
        raise ProtocolError("a table has no proper codes of its labels")
    if codes.size and not -1 <= codes.min() <= codes.max() < len(labels):
        raise ProtocolError("a table has codes of labels that are not there")
    return codes
