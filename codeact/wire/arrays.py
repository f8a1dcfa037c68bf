"""Arrays cross as the bytes of their numbers, those of objects as lists; numpy is loaded only where one came up."""

from __future__ import annotations

import math
import re
import sys
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.records import Described
from codeact.wire.parts import CONTAINER, Packing, Unpacking

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

_DTYPE = re.compile(
    r"[<>|=]?(?:[?]|b1|[iu][1248]|f[248]|f16|c(?:8|16|32)|[SU]\d{1,5}|[mM]8(?:\[\d{0,9}(?:Y|M|W|D|h|m|[munpfa]?s)\])?)"
)
_DIMENSIONS = 64  # of numpy 2
_SURROGATES = 0xD800 >> 11
_ARRAY = 15  # parts, as one takes some 4 µs to make


def packing_of(library: Any, kind: type) -> Packing | None:
    """Give how a value of numpy is packed; None for any other class."""
    if kind is library.ndarray:
        return pack_array
    return _pack_number if issubclass(kind, library.generic) else None


def _pack_number(packer: Packer, value: Any, depth: int) -> Any:
    import numpy

    number = value.item()
    if isinstance(value, numpy.datetime64 | numpy.timedelta64) or isinstance(number, numpy.generic):
        return {0: "number", 1: pack_array(packer, numpy.asarray(value), depth)}  # longer than Python's own
    return packer.pack(number, depth)


def pack_array(packer: Packer, value: Any, depth: int) -> Any:
    """Give the tree for an array."""
    import numpy

    packer.come_to(_ARRAY + CONTAINER)
    if value.dtype.hasobject or value.dtype.names or not _DTYPE.fullmatch(value.dtype.str):
        packer.enter(value.size, depth)
        return {0: "objects", 1: list(value.shape), 2: packer.pack_items(value.ravel().tolist(), depth + 1)}
    packer.spend_bytes(value.nbytes)
    content = numpy.ascontiguousarray(value).tobytes()
    if packer.lossy and value.dtype.kind == "U" and not _is_text(content, value.dtype, surrogates=False):
        raise ValueError("it holds a lone surrogate")
    return {0: "array", 1: value.dtype.str, 2: list(value.shape), 3: content}


def _shape(part: Any, count: int) -> list[int]:
    if type(part) is not list or len(part) > _DIMENSIONS:
        raise ProtocolError("an array has no proper shape")
    if not all(type(size) is int and size >= 0 for size in part) or math.prod(part) != count:
        raise ProtocolError("an array's shape does not fit its content")
    return part


def _unpack_array(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    unpacker.come_to(_ARRAY)
    code, content = tree[1], tree[3]
    if type(code) is not str or not _DTYPE.fullmatch(code) or type(content) is not bytes:
        raise ProtocolError("an array has no proper type")
    try:
        import numpy
    except ImportError:
        return Described("ndarray", f"array of shape {tree[2]}, {code}; numpy is not installed here")
    dtype = numpy.dtype(code)
    count = len(content) // dtype.itemsize if dtype.itemsize else 0
    if count * dtype.itemsize != len(content):
        raise ProtocolError("an array's content does not fit its type")
    if dtype.kind == "U" and not _is_text(content, dtype, surrogates=unpacker.surrogates):
        raise ProtocolError("an array of texts holds what is none")
    unpacker.unlisted += count
    return numpy.frombuffer(content, dtype).reshape(_shape(tree[2], count)).copy()


def _is_text(content: bytes, dtype: Any, *, surrogates: bool) -> bool:
    """Whether these are code points: numpy itself finds out when one is read, and then fails in its own way."""
    import numpy

    points = numpy.frombuffer(content, numpy.dtype("u4").newbyteorder(dtype.byteorder))
    if not points.size:
        return True
    return bool(points.max() <= sys.maxunicode and (surrogates or not ((points >> 11) == _SURROGATES).any()))


def _unpack_objects(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    unpacker.come_to(_ARRAY)
    items = unpacker.unpack_items(tree[2], depth)
    shape = _shape(tree[1], len(items))
    try:
        import numpy  # noqa: F401  # asked for here, used below
    except ImportError:
        return items
    return row_of(items).reshape(shape)


def row_of(items: list[Any]) -> Any:
    """Give an array of these objects; numpy by itself would look inside them, and write out a range."""
    import numpy

    made = numpy.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        made[place] = item
    return made


def _unpack_number(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    return unpacker.unpack(tree[1], depth + 1)[()]


UNPACKING: dict[str, Unpacking] = {"array": _unpack_array, "number": _unpack_number, "objects": _unpack_objects}
