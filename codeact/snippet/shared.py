"""What the modules of a library hold for all who import them: nothing is stored on it, and its tables are known.

A facade hands out the objects of a library itself. What hangs off them, off its classes and off its tables is
everyone's as well: a function of `scipy.stats.norm`, the markers of `Line2D`. Each step inline takes the tables and
puts them back; those of which there are thousands and that nobody changes are made read-only instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from types import FunctionType, MappingProxyType, MethodType
from typing import Any, NamedTuple

from codeact.snippet import ownership, storable
from codeact.snippet.words import words

_DEEP = 2
_LONG: dict[Any, int] = {dict: 1_000, list: 100}  # parts of a table beyond which it is one of plain values

#: What networkx notes of each of its functions, and numpy of what it has vectorized.
_NEVER_CHANGED = frozenset(
    words("graphs optional_graphs list_graphs backends edge_attrs node_attrs mutates_input excluded")
    + words("preserve_edge_attrs preserve_node_attrs preserve_graph_attrs")
)
_READ_ONLY: dict[type, Callable[[Any], Any]] = {
    set: frozenset,
    dict: lambda names: MappingProxyType({name: _read_only(part) for name, part in names.items()}),
}

#: What a snippet is given copies of.
_COPIED = frozenset({"default_assumptions"})

#: A private name by which a snippet reaches what hangs off a class.
_SAID = "__new__"


class _Table(NamedTuple):
    """A table, list, set or array of numbers that hangs off what libraries share: how it is copied and filled."""

    table: Any
    first: Any  # what it held
    copy: Callable[[], Any]
    fill: Callable[[Any], object]


_tables: dict[int, _Table] = {}  # by their ids

_seen: dict[int, Any] = {}


def share(value: Any, depth: int = _DEEP) -> None:
    """Note an object of a library's, or one of its classes, with what hangs off it by public names."""
    if id(value) in _seen:
        return
    _seen[id(value)] = value
    if not ownership.is_class(value):
        storable.SHARED[id(value)] = value
    for name, part in _parts(value):
        if name in _NEVER_CHANGED and type(part) in _READ_ONLY and not ownership.is_class(value):
            setattr(value, name, _read_only(part))
        else:
            _share_part(part, depth)


def share_tables(cls: type) -> None:
    """Note the tables of a class that no facade names: objects that it has give them, and properties private ones."""
    names = ownership.class_dict(cls)
    for name, part in list(names.items()):
        said = type(name) is str and (not name.startswith("_") or name[1:] in names) and name not in _COPIED
        if said and _is_table(part):
            _share_part(part, _DEEP)


def _share_part(part: Any, depth: int) -> None:
    if _is_table(part):
        if id(part) not in _tables:
            _tables[id(part)] = _table(part)
            storable.SHARED[id(part)] = part
            for each in _held(part) if depth else ():
                _share_part(each, depth - 1)
    elif depth and not ownership.is_class(part) and (type(part) is FunctionType or _takes_attributes(type(part))):
        share(part, depth - 1)


def _held(table: Any) -> Iterable[Any]:
    """What a table holds, where that may be tables and objects."""
    if type(table) not in _LONG or len(table) > _LONG[type(table)]:
        return ()
    return list(table.values() if type(table) is dict else table)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    held: list[Any] = [getattr(value, "__dict__", {})]
    if ownership.is_class(value):
        held = [ownership.class_dict(base) for base in ownership.mro_of(value) if base not in ownership.BARE_TYPES]
    elif (below := getattr(value, "base", None)) is not None and _is_array(below):  # what a view looks at
        yield "base", below
    for names in held:
        for name, part in list(names.items()):
            if type(name) is str and (not name.startswith("_") or name == _SAID) and name not in _COPIED:
                yield name, part.__func__ if type(part) in (staticmethod, MethodType) else part


def _is_table(part: Any) -> bool:
    cls = type(part)
    return cls in (list, set) or dict in ownership.mro_of(cls) or (_is_array(part) and cls is _numpy().ndarray)


def _numpy() -> Any:
    return sys.modules.get("numpy")


def _is_array(value: Any) -> bool:
    return _numpy() is not None and _numpy().ndarray in ownership.mro_of(type(value))


def _read_only(part: Any) -> Any:
    return _READ_ONLY[type(part)](part) if type(part) in _READ_ONLY else part


def _table(part: Any) -> _Table:
    """Which methods copy it and fill it, found once: each step asks that of hundreds."""
    if type(part) is list:
        return _Table(part, part.copy(), part.copy, partial(part.__setitem__, slice(None)))
    copy: Callable[[], Any]
    if _is_array(part):
        copy, fill = partial(_array_copied, part), partial(_fill_array, part)
    elif type(part) is set:
        copy, fill = part.copy, partial(_fill_set, part)
    else:  # by methods that neither check nor announce
        copy, fill = partial(dict.copy, part), partial(_fill_dict, part)
    return _Table(part, copy(), copy, fill)


def _array_copied(array: Any) -> Any:
    copied = array.copy()
    copied.flags.writeable = array.flags.writeable
    return copied


def _fill_array(array: Any, held: Any) -> None:
    if array.flags.writeable:
        array[...] = held
        array.flags.writeable = held.flags.writeable


def _fill_set(table: set[Any], held: set[Any]) -> None:
    table.clear()
    table.update(held)


def _fill_dict(table: dict[Any, Any], held: dict[Any, Any]) -> None:
    dict.clear(table)
    dict.update(table, held)


_takes_attributes: Callable[[type], bool] = cache(storable.of_a_kind)


def contents() -> dict[int, Any]:
    """A copy of what each table holds, by the table's id."""
    return {at: table.copy() for at, table in _tables.items()}


def put_back(kept: dict[int, Any]) -> None:
    """Let each table hold what it held, and those found since what they held first."""
    for at, table in _tables.items():
        table.fill(kept.get(at, table.first))
