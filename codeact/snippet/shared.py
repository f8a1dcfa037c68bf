"""What the modules of a library hold for all who import them: nothing is stored on it, and its tables are known.

A facade hands out the objects of a library itself. What hangs off them and off its classes is everyone's as well: a
function of `scipy.stats.norm`, the markers of `Line2D`. Each step inline takes the tables and puts them back; those of
which there are thousands and that nobody changes are made read-only instead.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

from codeact.snippet import ownership, storable
from codeact.snippet.words import words

_DEEP = 2

#: What networkx notes of each of its functions, and numpy of what it has vectorized.
_NEVER_CHANGED = frozenset(
    words("graphs optional_graphs list_graphs backends edge_attrs node_attrs mutates_input excluded")
    + words("preserve_edge_attrs preserve_node_attrs preserve_graph_attrs")
)
_READ_ONLY: dict[type, Callable[[Any], Any]] = {set: frozenset, dict: MappingProxyType}

#: Tables, lists, sets and arrays of numbers that hang off what libraries share, by their ids, and what they held first.
_tables: dict[int, tuple[Any, Any]] = {}

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
            setattr(value, name, _READ_ONLY[type(part)](part))
        elif _is_table(part):
            _tables.setdefault(id(part), (part, _copy(part)))
        elif depth and not ownership.is_class(part) and _takes_attributes(type(part)):
            share(part, depth - 1)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    held: list[Any] = [getattr(value, "__dict__", {})]
    if ownership.is_class(value):
        held = [ownership.class_dict(base) for base in ownership.mro_of(value) if base not in ownership.BARE_TYPES]
    for names in held:
        for name, part in list(names.items()):
            if type(name) is str and not name.startswith("_"):
                yield name, part


def _is_table(part: Any) -> bool:
    numpy: Any = sys.modules.get("numpy")
    cls = type(part)
    return cls in (list, set) or dict in ownership.mro_of(cls) or (numpy is not None and cls is numpy.ndarray)


def _copy(table: Any) -> Any:
    return dict.copy(table) if dict in ownership.mro_of(type(table)) else table.copy()


_takes_attributes: Callable[[type], bool] = functools.cache(storable.of_a_kind)


def contents() -> dict[int, tuple[Any, Any]]:
    """Each table with a copy of what it holds, by its id."""
    return {at: (table, _copy(table)) for at, (table, _) in _tables.items()}


def put_back(kept: dict[int, tuple[Any, Any]]) -> None:
    """Let each table hold what it held, and those found since what they held first."""
    for table, held in {**_tables, **kept}.values():
        if type(table) is set:
            table.clear()
            table.update(held)
        elif dict in ownership.mro_of(type(table)):
            dict.clear(table)  # not a method that checks and announces
            dict.update(table, held)
        else:
            table[:] = held
