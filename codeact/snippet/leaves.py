"""The texts of single values: numbers, strings, members of enumerations, functions, classes, modules."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet.classes import class_name, instance_fields
from codeact.snippet.ownership import mro_of

#: Longer integers are described by their size: CPython itself converts no more than 4,300 digits.
SHOWN_DIGITS = 4_000

#: Room kept for the note that follows what was cut.
NOTE = 30


def shortened(text: str, limit_chars: int) -> str:
    """`text`, or as much of it as fits before `…`."""
    return text if len(text) <= limit_chars else text[: limit_chars - 1].rstrip("… ,") + "…"


def cut(text: str, limit_chars: int) -> str:
    """`text`, or its beginning and a note of its length where it is longer than `limit_chars`."""
    if len(text) <= limit_chars:
        return text
    note = f"… ({len(text):,} characters)"
    if limit_chars < 4 * len(note):
        note = "…"
    return text[: max(0, limit_chars - len(note))] + note


def member(value: object) -> str | None:
    """`Color.RED` for a member of an enumeration."""
    kind = sys.modules.get("enum")
    if kind is None or not any(base is vars(kind).get("Enum") for base in mro_of(type(value))):
        return None
    names = [content for name, content in instance_fields(value) if name == "_name_"]
    return f"{class_name(type(value))}.{names[0][:80]}" if names and type(names[0]) is str else None


def special(value: object, name: str) -> str | None:
    """What is neither data nor an instance of a snippet's class: classes, functions, modules, generators."""
    cls = type(value)
    if any(base is type for base in mro_of(cls)):
        return f"<class {class_name(value)}>"  # type: ignore[arg-type]  # an instance of a metaclass is a class
    if cls is types.FunctionType or cls is types.BuiltinFunctionType:
        return f"<function {cut(str.__str__(_FUNCTION_NAMES[cls](value)), 80)}>"  # it may be of a class of its own
    if cls is types.MethodType:
        return f"<method of {class_name(type(types.MethodType.__dict__['__self__'].__get__(value)))}>"
    if any(base is types.ModuleType for base in mro_of(cls)):
        held: dict[str, object] = module_namespace(value)
        named = held.get("__name__", "")
        return f"<module {cut(named, 80)}>" if type(named) is str else "<module>"
    return f"<{name}>" if any(cls is bare for bare in _BARE) else None


_FUNCTION_NAMES: dict[type, Callable[[Any], str]] = {
    types.FunctionType: types.FunctionType.__dict__["__name__"].__get__,
    types.BuiltinFunctionType: types.BuiltinFunctionType.__dict__["__name__"].__get__,
}
module_namespace: Callable[[Any], dict[str, object]] = vars(types.ModuleType)["__dict__"].__get__
_BARE = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)


def _integer(value: Any, room: int) -> str:
    digits = int(int.bit_length(value) * 0.30103) + 1
    if digits < min(max(room, 40), SHOWN_DIGITS):
        return int.__repr__(value)
    sign = "negative " if int.__lt__(value, 0) else ""
    return f"<{sign}integer of about {digits:,} digits>"


def _text(value: Any, room: int) -> str:
    length = str.__len__(value)
    if length <= max(room - 2, 20):
        return str.__repr__(value)
    beginning = str.__getitem__(value, slice(max(room - NOTE, 20)))
    return f"{str.__repr__(beginning)}… ({length:,} characters)"


def _bytes(value: Any, room: int) -> str:
    length = bytes.__len__(value)
    if length <= max(room // 4, 20):
        return bytes.__repr__(value)
    beginning = bytes.__getitem__(value, slice(max((room - NOTE) // 4, 20)))
    return f"{bytes.__repr__(beginning)}… ({length:,} bytes)"


def _bytearray(value: Any, room: int) -> str:
    return f"bytearray({_bytes(bytes(bytearray.__getitem__(value, slice(1000))), room)})"


LEAVES: tuple[tuple[type, Callable[[Any, int], str]], ...] = (
    (str, _text),
    (bool, lambda value, room: bool.__repr__(value)),
    (int, _integer),
    (float, lambda value, room: float.__repr__(value)),
    (type(None), lambda value, room: "None"),
    (complex, lambda value, room: complex.__repr__(value)),
    (bytes, _bytes),
    (bytearray, _bytearray),
    (type(Ellipsis), lambda value, room: "Ellipsis"),
    (type(NotImplemented), lambda value, room: "NotImplemented"),
)
