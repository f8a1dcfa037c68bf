"""A bounded text for any value: `describe` without running a line of the snippet's code, `readable` for the model.

Both walk the value themselves: each level gets the room its parent has left, so that a list of a list of a list … of
one thing costs no more than the text it yields. What is read is read through the built-in types' own slots
(`list.__iter__(value)`, never `iter(value)`), so that a subclass cannot answer in their place.
"""

from __future__ import annotations

import functools
import itertools
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import frames
from codeact.snippet.classes import class_attribute, class_name, instance_fields, lineage, trusted
from codeact.snippet.endings import Ending

MAX_DEPTH = 12
"""Deeper levels are shown as `…`: nobody reads them, and each costs a frame of Python's stack."""

SHOWN_DIGITS = 4_000
"""Longer integers are described by their size: CPython itself converts no more than 4,300 digits."""

_NOTE = 30
"""Room kept for the note that follows what was cut."""

COUNTED_NODES = 100_000
"""A structure with more nodes than this, each counted as often as it is reached, is never handed to a foreign repr."""

_OPENERS: tuple[tuple[type, str, str], ...] = (
    (list, "[", "]"),
    (tuple, "(", ")"),
    (set, "{", "}"),
    (frozenset, "frozenset({", "})"),
    (deque, "deque([", "])"),
)


def describe(value: object, limit_chars: int = 200) -> str:
    """A text of at most `limit_chars` for any value, made without running code of the value's class."""
    try:
        text = _Walk(own_repr=False).show(value, _room(limit_chars))
    except Exception as error:  # a value may be broken in ways no list of cases foresees; the text then says so
        text = f"<{class_name(type(value))}, not shown: {class_name(type(error))}>"
    return cut(text, limit_chars)


def readable(value: object, limit_chars: int = 4_000) -> str:
    """A text of at most `limit_chars` as the model should see the value; the value's own `__repr__` may run."""
    try:
        table = frames.as_table(value)
        text = table if table is not None else _Walk(own_repr=True).show(value, _room(limit_chars))
    except Ending:
        raise
    except BaseException:  # noqa: BLE001, RUF100  # whatever a snippet's __repr__ raises, the step itself went well
        return describe(value, limit_chars)
    return cut(text, limit_chars)


def _room(limit_chars: int) -> int:
    return limit_chars - _NOTE if limit_chars > 3 * _NOTE else limit_chars


def cut(text: str, limit_chars: int) -> str:
    """`text`, or its beginning and a note of its length where it is longer than `limit_chars`."""
    if len(text) <= limit_chars:
        return text
    note = f"… ({len(text):,} characters)"
    if limit_chars < 4 * len(note):
        note = "…"
    return text[: max(0, limit_chars - len(note))] + note


class _Walk:
    """One walk through one value; `_path` holds the identities of the containers we are inside of."""

    def __init__(self, *, own_repr: bool) -> None:
        self.own_repr = own_repr
        self._path: set[int] = set()

    def show(self, value: object, room: int) -> str:
        """The text of `value` in about `room` characters."""
        leaf = self._leaf(value, room)
        if leaf is not None:
            return leaf
        if id(value) in self._path or len(self._path) >= MAX_DEPTH:
            return "…"
        self._path.add(id(value))
        try:
            return self._inner(value, room)
        finally:
            self._path.discard(id(value))

    def _leaf(self, value: object, room: int) -> str | None:
        cls = type(value)
        for base, show in _LEAVES:
            if cls is base:
                return show(value, room)
        if not trusted(value):
            return None
        try:
            return cut(repr(value), max(room, 40))
        except ValueError:  # a Fraction of integers with more digits than CPython converts
            return f"<{class_name(cls)} too long to show>"

    def _inner(self, value: object, room: int) -> str:
        cls = type(value)
        if frames.is_array_like(value):
            return frames.summary(value, lambda item: self.show(item, room // 4), room)
        if self.own_repr and not _is_builtin_container(cls):
            own = _special(value, class_name(cls)) or self._own(value, room)
            if own is not None:
                return own
        for base in lineage(cls):
            if base is dict:
                return _named(cls, dict, self._mapping(value, room))
            for opener in _OPENERS:
                if base is opener[0]:
                    return self._sequence(value, opener, room)
            for leaf, show in _LEAVES:
                if base is leaf and base is not type(None):
                    return _member(value) or f"{class_name(cls)}({show(value, room)})"
        return self._instance(value, room)

    def _own(self, value: object, room: int) -> str | None:
        """What the value's own repr says, unless it has none or its parts are too many for a repr to be let loose."""
        inherited = class_attribute(type(value), "__repr__") is object.__repr__
        if inherited or _nodes(value) > COUNTED_NODES:
            return None
        if type(class_attribute(type(value), "__dataclass_fields__")) is dict and _generated_repr(type(value)):
            return None
        return cut(str(repr(value)), max(room, 40))

    def _sequence(self, value: Any, opener: tuple[type, str, str], room: int) -> str:
        base, opening, closing = opener
        cls, size = type(value), base.__len__(value)  # type: ignore[attr-defined]  # every row of the table has a length
        names = _tuple_fields(cls)
        if names is not None and len(names) == size:
            return f"{class_name(cls)}({self._pairs(zip(names, tuple.__iter__(value), strict=True), size, room)})"
        if size == 0 and base in (set, frozenset):
            return _named(cls, base, f"{base.__name__}()")
        pieces = self._items(base.__iter__(value), size, room)  # type: ignore[attr-defined]
        comma = "," if base is tuple and size == 1 else ""
        return _named(cls, base, f"{opening}{pieces}{comma}{closing}")

    def _items(self, items: Iterator[object], size: int, room: int) -> str:
        return self._joined((functools.partial(self.show, item) for item in items), size, room)

    def _mapping(self, value: Any, room: int) -> str:
        pairs = dict.items(value)
        shown = (functools.partial(self._pair, pair) for pair in pairs)
        return "{" + self._joined(shown, len(pairs), room) + "}"

    def _pair(self, pair: tuple[object, object], room: int) -> str:
        key = self.show(pair[0], max(room // 2, 20))
        return f"{key}: {self.show(pair[1], max(room - len(key), 20))}"

    def _pairs(self, pairs: Iterator[tuple[str, object]], size: int, room: int) -> str:
        return self._joined((functools.partial(self._field, name, held) for name, held in pairs), size, room)

    def _field(self, name: str, held: object, room: int) -> str:
        return f"{name[:80]}={self.show(held, max(room - len(name), 20))}"

    def _joined(self, shown: Iterator[Callable[[int], str]], size: int, room: int) -> str:
        pieces: list[str] = []
        used = 0
        for piece in shown:
            left = room - used
            if left <= 0:
                return f"{', '.join(pieces)}, … {size - len(pieces):,} more" if pieces else f"… {size:,} items"
            pieces.append(piece(left))
            used += len(pieces[-1]) + 2
        return ", ".join(pieces)

    def _instance(self, value: object, room: int) -> str:
        cls = type(value)
        name = class_name(cls)
        special = _special(value, name)
        if special is not None:
            return special
        if any(base is BaseException for base in lineage(cls)):
            arguments = tuple.__iter__(BaseException.__dict__["args"].__get__(value))
            return f"{name}({self._items(arguments, 0, room)})"
        member = _member(value)
        if member is not None:
            return member
        fields = instance_fields(value)
        if not fields:
            return f"<{name} object>"
        return f"{name}({self._pairs(iter(fields), len(fields), room)})"


def _named(cls: type, base: type, text: str) -> str:
    return text if cls is base else f"{class_name(cls)}({text})"


def _is_builtin_container(cls: type) -> bool:
    return cls is dict or any(cls is row[0] for row in _OPENERS)


def _tuple_fields(cls: type) -> tuple[str, ...] | None:
    """The field names of a named tuple."""
    names = class_attribute(cls, "_fields")
    if type(names) is tuple and all(type(name) is str for name in names):
        return names
    return None


def _member(value: object) -> str | None:
    """`Color.RED` for a member of an enumeration."""
    kind = sys.modules.get("enum")
    if kind is None or not any(base is vars(kind).get("Enum") for base in lineage(type(value))):
        return None
    names = [content for name, content in instance_fields(value) if name == "_name_"]
    return f"{class_name(type(value))}.{names[0][:80]}" if names and type(names[0]) is str else None


def _special(value: object, name: str) -> str | None:
    """What is neither data nor an instance of a snippet's class: classes, functions, modules, generators."""
    cls = type(value)
    if any(base is type for base in lineage(cls)):
        return f"<class {class_name(value)}>"  # type: ignore[arg-type]  # an instance of a metaclass is a class
    if cls is types.FunctionType or cls is types.BuiltinFunctionType:
        return f"<function {cut(_FUNCTION_NAMES[cls](value), 80)}>"
    if cls is types.MethodType:
        return f"<method of {class_name(type(types.MethodType.__dict__['__self__'].__get__(value)))}>"
    if any(base is types.ModuleType for base in lineage(cls)):
        held: dict[str, object] = _module_namespace(value)
        named = held.get("__name__", "")
        return f"<module {cut(named, 80)}>" if type(named) is str else "<module>"
    return f"<{name}>" if any(cls is bare for bare in _BARE) else None


_FUNCTION_NAMES: dict[type, Callable[[Any], str]] = {
    types.FunctionType: types.FunctionType.__dict__["__name__"].__get__,
    types.BuiltinFunctionType: types.BuiltinFunctionType.__dict__["__name__"].__get__,
}
_module_namespace: Callable[[Any], dict[str, object]] = vars(types.ModuleType)["__dict__"].__get__
_BARE = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.MappingProxyType)


def _generated_repr(cls: type) -> bool:
    """True for the `__repr__` that `@dataclass` writes: it would print its fields without any bound."""
    own = class_attribute(cls, "__repr__")
    if type(own) is not types.FunctionType:
        return False
    return own.__code__.co_filename.endswith(("reprlib.py", "dataclasses.py", "<string>"))


def _nodes(value: object) -> int:
    """How many nodes a full repr would visit, counted up to just past COUNTED_NODES."""
    waiting: list[Iterator[object]] = [iter((value,))]
    count = 0
    while waiting and count <= COUNTED_NODES:
        item = next(waiting[-1], waiting)
        if item is waiting:
            waiting.pop()
            continue
        count += 1
        waiting.append(_parts(item))
        if len(waiting) > 200:  # a cycle, or too deep to print
            return COUNTED_NODES + 1
    return count


def _parts(value: object) -> Iterator[object]:
    for base in lineage(type(value)):
        if base is dict:
            return itertools.chain(dict.keys(value), dict.values(value))  # type: ignore[arg-type]
        if any(base is row[0] for row in _OPENERS):
            return base.__iter__(value)  # type: ignore[attr-defined, no-any-return]
    return (content for _, content in instance_fields(value))


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
    beginning = str.__getitem__(value, slice(max(room - _NOTE, 20)))
    return f"{str.__repr__(beginning)}… ({length:,} characters)"


def _bytes(value: Any, room: int) -> str:
    length = bytes.__len__(value)
    if length <= max(room // 4, 20):
        return bytes.__repr__(value)
    beginning = bytes.__getitem__(value, slice(max((room - _NOTE) // 4, 20)))
    return f"{bytes.__repr__(beginning)}… ({length:,} bytes)"


def _bytearray(value: Any, room: int) -> str:
    return f"bytearray({_bytes(bytes(bytearray.__getitem__(value, slice(1000))), room)})"


_LEAVES: tuple[tuple[type, Callable[[Any, int], str]], ...] = (
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
