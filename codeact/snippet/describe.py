"""A bounded text for any value: `describe` without running a line of the snippet's code, `readable` for the model.

Both walk the value themselves: each level gets the room its parent has left, so that a list of a list of a list … of
one thing costs no more than the text it yields. What is read is read through the built-in types' own slots
(`list.__iter__(value)`, never `iter(value)`), so that a subclass cannot answer in their place.
"""

from __future__ import annotations

import dataclasses
import functools
import gc
import itertools
import types
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import frames
from codeact.snippet.classes import class_attribute, class_name, dataclass_fields, kept_fields, told_fields, trusted
from codeact.snippet.endings import Ending
from codeact.snippet.leaves import LEAVES, NOTE, cut, member, shortened, special
from codeact.snippet.ownership import is_own_class, is_own_function, mro_of

#: Deeper levels are shown as `…`: nobody reads them, and each costs a frame of Python's stack.
MAX_DEPTH = 12

#: Structures with more nodes than this, each counted as often as it is reached, are not handed to a foreign repr.
COUNTED_NODES = 20_000

#: Values with a table among them, up to which each is written out as it would be alone.
TABLES = 10

_maxlen = vars(deque)["maxlen"].__get__
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
    return shortened(text, limit_chars)


def readable(value: object, limit_chars: int = 4_000) -> str:
    """A text of at most `limit_chars` as the model should see the value; the value's own `__repr__` may run."""
    if (leaf := _leaf(value, _room(limit_chars))) is not None:
        return shortened(leaf, limit_chars)
    try:
        walk, room = _Walk(own_repr=True), _room(limit_chars)
        text = frames.as_table(value) or _with_tables(value, walk.show, room) or walk.show(value, room)
    except Ending:
        raise
    except BaseException:  # noqa: BLE001, RUF100  # whatever a snippet's __repr__ raises, the step itself went well
        return describe(value, limit_chars)
    return shortened(text, limit_chars)


def _with_tables(value: Any, show: Callable[[object, int], str], room: int) -> str | None:
    """A tuple, list or dict that holds a few values with tables among them, each on lines of its own; or None."""
    cls = type(value)
    if cls not in (tuple, list, dict) or not 0 < len(value) <= TABLES:
        return None
    held = [*value.values()] if cls is dict else [*value]
    if not any(map(frames.is_tabular, held)):
        return None
    each = room // len(held)
    pieces = [cut(frames.as_table(one) or "", each) if frames.is_tabular(one) else show(one, each) for one in held]
    if cls is dict:
        pieces = [f"{show(key, 80)}:{_beside(piece)}" for key, piece in zip(value, pieces, strict=True)]
    opening, closing = ("{", "}") if cls is dict else ("[", "]") if cls is list else ("(", ")")
    return "\n".join([opening, ",\n".join(pieces), closing])


def _beside(piece: str) -> str:
    return f"\n{piece}" if "\n" in piece else f" {piece}"


def is_short(value: object) -> bool:
    """True where a full repr of the value visits few enough nodes to be let loose."""
    return _nodes(value, COUNTED_NODES) <= COUNTED_NODES


def _leaf(value: object, room: int) -> str | None:
    cls = type(value)
    for base, show in LEAVES:
        if cls is base:
            return show(value, room)
    return None


def _room(limit_chars: int) -> int:
    return limit_chars - NOTE if limit_chars > 1.5 * NOTE else limit_chars


class _Walk:
    """One walk through one value; `_path` holds the identities of the containers we are inside of."""

    def __init__(self, *, own_repr: bool) -> None:
        self.own_repr = own_repr
        self._path: set[int] = set()
        self._countable = COUNTED_NODES

    def show(self, value: object, room: int) -> str:
        """The text of `value` in about `room` characters."""
        leaf = _leaf(value, room) or self._trusted(value, room)
        if leaf is not None:
            return leaf
        if id(value) in self._path or len(self._path) >= MAX_DEPTH:
            return "…"
        self._path.add(id(value))
        try:
            if type(value) is types.MappingProxyType:
                return f"mappingproxy({', '.join(self.show(behind, room) for behind in gc.get_referents(value))})"
            return self._inner(value, room)
        finally:
            self._path.discard(id(value))

    def _trusted(self, value: object, room: int) -> str | None:
        if not trusted(value):
            return None
        try:
            return cut(repr(value), max(room, 40))
        except ValueError:  # a Fraction of integers with more digits than CPython converts
            return f"<{class_name(type(value))} too long to show>"

    def _inner(self, value: object, room: int) -> str:
        cls = type(value)
        if frames.is_array_like(value):
            return frames.summary(value, lambda item: self.show(item, room // 4), room)
        if self.own_repr and not _is_builtin_container(cls):
            own = special(value, class_name(cls)) or self._own(value, room)
            if own is not None:
                return own
        for base in mro_of(cls):
            if base is dict:
                return _named(cls, dict, self._mapping(value, room))
            for opener in _OPENERS:
                if base is opener[0]:
                    return self._sequence(value, opener, room)
            for leaf, show in LEAVES:
                if base is leaf and base is not type(None):
                    return member(value) or f"{class_name(cls)}({show(value, room)})"
        return self._instance(value, room)

    def _own(self, value: object, room: int) -> str | None:
        """What the value's own repr says, unless it has none or its parts are too many for a repr to be let loose."""
        cls = type(value)
        if class_attribute(cls, "__repr__") is object.__repr__ or _generated_repr(cls):
            return None
        self._countable -= _nodes(value, self._countable)
        if self._countable < 0:
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
        pieces = self._items(base.__iter__(value), size, room)  # type: ignore[attr-defined]  # they can be walked too
        comma = "," if base is tuple and size == 1 else ""
        if base is deque and (most := _maxlen(value)) is not None:
            closing = f"], maxlen={most})"
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
        known = special(value, name) or member(value)
        if known is not None:
            return known
        if any(base is BaseException for base in mro_of(cls)):
            arguments = tuple.__iter__(BaseException.__dict__["args"].__get__(value))
            return f"{name}({self._items(arguments, 0, room)})"
        fields = _as_told(cls, told_fields(value))
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


def _generated_repr(cls: type) -> bool:
    """True for the `__repr__` that `@dataclass` writes: it would print its fields without any bound."""
    own = class_attribute(cls, "__repr__")
    if type(own) is not types.FunctionType or type(class_attribute(cls, "__dataclass_fields__")) is not dict:
        return False
    return own.__code__.co_filename.endswith(("reprlib.py", "dataclasses.py", "<string>"))


def _as_told(cls: type, fields: list[tuple[str, object]]) -> list[tuple[str, object]]:
    """The fields in the order of the `__repr__` that `@dataclass` writes, without those it leaves out."""
    if not _generated_repr(cls):
        return fields
    held = dict(fields)
    told = [field for field in dataclass_fields(cls) if field.repr]
    shown = [(field.name, held.get(field.name, field.default)) for field in told]
    return [(name, value) for name, value in shown if value is not dataclasses.MISSING]


def _nodes(value: object, most: int) -> int:
    """How many nodes a full repr would visit, counted up to just past `most`.

    What holds itself is gone into once on each way, as a repr of Python's own does; what has a `__repr__` that the
    snippet wrote, whose calls are counted when they run, once in all.
    """
    waiting: list[tuple[int, Iterator[object]]] = [(0, iter((value,)))]
    entered: set[int] = set()
    count = 0
    while waiting and count <= most:
        item = next(waiting[-1][1], waiting)
        if item is waiting:
            entered.discard(waiting.pop()[0])
            continue
        count += 1
        if id(item) not in entered:
            entered.add(id(item))
            waiting.append((0 if _speaks(type(item)) else id(item), _parts(item)))
    return count


def _speaks(cls: type) -> bool:
    """True for a class whose `__repr__` the snippet wrote."""
    return is_own_class(cls) and is_own_function(class_attribute(cls, "__repr__")) and not _generated_repr(cls)


def _parts(value: object) -> Iterator[object]:
    for base in mro_of(type(value)):
        if base is type or base is types.FunctionType or base is types.ModuleType:
            break  # its repr is its name
        if base is types.MappingProxyType:
            return iter(gc.get_referents(value))
        if base is dict:
            return itertools.chain(dict.keys(value), dict.values(value))  # type: ignore[arg-type]  # it is a dict
        if any(base is row[0] for row in _OPENERS):
            return base.__iter__(value)  # type: ignore[attr-defined, no-any-return]  # as above
    else:
        return (content for _, content in kept_fields(value))
    return iter(())
