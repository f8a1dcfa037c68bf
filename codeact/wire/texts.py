"""Identifiers, addresses and paths cross as the text they are written as, time zones as dates name them.

Which class a text stands for is a name from a table, looked up in the modules of the side it arrives at. The addresses
of pydantic arrive as texts.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.snippet.classes import class_name, holds_plain_parts
from codeact.snippet.ownership import is_own_class, mro_of
from codeact.wire.parts import TAG, Packing, Uncrossable, Unpacking, exactly, sayable
from codeact.wire.zones import pack_zone, unpack_zone

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

_LONGEST = 4096
_MODULES = {
    "UUID": "uuid",
    **dict.fromkeys(("IPv4Address", "IPv4Network", "IPv4Interface"), "ipaddress"),
    **dict.fromkeys(("IPv6Address", "IPv6Network", "IPv6Interface"), "ipaddress"),
    **dict.fromkeys(("PurePosixPath", "PureWindowsPath", "Path"), "pathlib"),
}
_ADDRESSES = ("_BaseUrl", "_BaseMultiHostUrl")  # of pydantic's, and what all of them are built on
# Parts, by the time it takes to read the text; a path takes one more for each of its names.
_IDENTIFIER, _WRITTEN = 4, 40


def packing_of(kind: type) -> Packing | None:
    """Give how an identifier, an address, a path or a time zone is packed; None for any other class."""
    if datetime.tzinfo in mro_of(kind) and not _is_own(kind):
        return lambda packer, value, depth: {TAG: "zone", 1: pack_zone(value)}
    if _class_written(kind) is None:
        return (lambda packer, value, depth: packer.pack(str(value), depth)) if _is_address(kind) else None

    def pack_written(packer: Packer, value: Any, depth: int) -> Any:
        name, text = written(value) or ("", "")
        if not name or len(text) > _LONGEST or (packer.lossy and not sayable((text,))):
            raise Uncrossable("it is more than a text of at most 4,096 characters")
        packer.come_to(_cost(name, text))
        return {TAG: "written", 1: name, 2: packer.pack(text, depth)}

    return pack_written


def written(value: object) -> tuple[str, str] | None:
    """Give a value as the name of its class and its text; None where it is more than that."""
    found = _class_written(type(value))
    if found is None or not holds_plain_parts(value, _MODULES[found], found):
        return None
    # a snippet's pathlib.Path is a pure one here, and arrives as one with the files of the other side behind it
    posix = found == "PurePosixPath" and class_name(type(value)) != found
    return "Path" if posix else found, str(value)


def _class_written(kind: type) -> str | None:
    for base in mro_of(kind):
        name = class_name(base)
        home = sys.modules.get(_MODULES.get(name, ""))
        if home is not None and vars(home).get(name) is base:
            return None if _is_own(kind) else name
    return None


def read_written(name: str, text: str, module: Callable[[str], Any] = import_module) -> Any:
    """Give what a text stands for, by the name of its class; KeyError or ValueError where it is none of these."""
    return getattr(module(_MODULES[name]), name)(text)


def _is_address(kind: type) -> bool:
    """Whether it is one of pydantic's addresses, which are texts to whoever has no pydantic."""
    home = sys.modules.get("pydantic.networks")
    return home is not None and any(vars(home).get(name) in mro_of(kind) for name in _ADDRESSES) and not _is_own(kind)


def _is_own(kind: type) -> bool:
    """Whether a snippet made something of these classes: it would be asked for its text."""
    return any(map(is_own_class, mro_of(kind)))


def _cost(name: str, text: str) -> int:
    return _IDENTIFIER if name == "UUID" else _WRITTEN + text.count("/")


def _unpack_written(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    name, text = exactly(tree[1], str), exactly(unpacker.unpack(tree[2], depth), str)
    if len(text) > _LONGEST:
        raise ProtocolError("what a value is written as is too long")
    unpacker.come_to(_cost(name, text))
    return read_written(name, text, unpacker.module)


def _unpack_zone(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    return unpack_zone(tree[1])


UNPACKING: dict[str, Unpacking] = {"written": _unpack_written, "zone": _unpack_zone}
