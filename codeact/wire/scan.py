"""A look at a long frame before it is decoded: what a few bytes can blow up to is refused unread.

One byte of msgpack can stand for an empty dict of 64 bytes, and a map with a million chosen integer keys takes hours
to build. So nodes are counted, nesting is bounded, and the keys of maps are strings, or the few small numbers that
tagged values use.
"""

from __future__ import annotations

from codeact.errors import ProtocolError

NODES = 4_000_000
DEPTH = 250  # values nest to 100 levels of at most two each, inside a message

_STR, _LIST, _MAP, _REFUSED = -1, -2, -3, -4


def _widths() -> list[int]:
    """For each first byte: how many bytes the node takes whole, or one of the codes above."""
    widths = [_REFUSED] * 256
    for byte in (*range(0x80), *range(0xE0, 0x100), 0xC0, 0xC2, 0xC3):
        widths[byte] = 1  # small integers, None, False, True
    for byte in range(0x80, 0x90):
        widths[byte] = _MAP
    for byte in range(0x90, 0xA0):
        widths[byte] = _LIST
    for byte in range(0xA0, 0xC0):
        widths[byte] = 1 + (byte & 0x1F)  # short strings
    for byte, width in ((0xCA, 5), (0xCB, 9), (0xCC, 2), (0xCD, 3), (0xCE, 5), (0xCF, 9)):
        widths[byte] = width
    for byte, width in ((0xD0, 2), (0xD1, 3), (0xD2, 5), (0xD3, 9)):
        widths[byte] = width
    for byte in (0xC4, 0xC5, 0xC6, 0xD9, 0xDA, 0xDB):
        widths[byte] = _STR
    widths[0xDC] = widths[0xDD] = _LIST
    widths[0xDE] = widths[0xDF] = _MAP
    return widths


_WIDTHS = _widths()
# how many bytes after the first hold the length
_LENGTH_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}
_KEYS = frozenset((*range(8), *range(0xA0, 0xC0), 0xD9, 0xDA, 0xDB))


def refuse_costly(frame: memoryview, *, nodes: int = NODES, depth: int = DEPTH) -> None:
    """Raise ProtocolError where a frame holds too many nodes, nests too deeply, or has keys no honest side sends."""
    place, left, in_map = 0, 1, False
    outer: list[tuple[int, bool]] = []
    size, widths, keys = len(frame), _WIDTHS, _KEYS
    while left or outer:
        if left == 0:
            left, in_map = outer.pop()
            continue
        if place >= size:
            return  # cut off: decoding says so
        byte = frame[place]
        if in_map and not left & 1 and byte not in keys:
            raise ProtocolError("a map in a message has a key no honest side sends")
        left -= 1
        nodes -= 1
        if nodes < 0 or len(outer) > depth:
            raise ProtocolError("a message holds too many values, or is nested too deeply")
        width = widths[byte]
        if width > 0:
            place += width
            continue
        length, place = _length(frame, byte, place)
        if width == _STR:
            place += length
            continue
        outer.append((left, in_map))
        left, in_map = (length * 2, True) if width == _MAP else (length, False)


def _length(frame: memoryview, byte: int, place: int) -> tuple[int, int]:
    """Give the length a node's header says, and the place after the header."""
    if byte < 0xA0:
        return byte & 0x0F, place + 1
    if byte not in _LENGTH_BYTES:
        raise ProtocolError("a message holds an extension type")
    width = _LENGTH_BYTES[byte]
    return int.from_bytes(frame[place + 1 : place + 1 + width], "big"), place + 1 + width
