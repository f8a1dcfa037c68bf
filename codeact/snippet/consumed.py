"""What a function written in C may be given to consume: containers that know their length, and iterators in C.

`SIZED` and `IN_C` say it of the types that are met most; `consumed_how` works it out for any other.
"""

from __future__ import annotations

import array
import collections
import functools
import itertools
import operator
import types
from collections.abc import Callable, Iterable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.endless import Endless
from codeact.snippet.held_iterators import KINDS

SIZED: frozenset[type] = frozenset(
    [
        *(list, tuple, dict, set, frozenset, str, bytes, bytearray, range, types.MappingProxyType),
        *(collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter),
        *(type({}.keys()), type({}.values()), type({}.items()), array.array),
    ]
)

#: Those of them whose length can always be said; a `range` may have more numbers than that.
COUNTABLE: frozenset[type] = SIZED - {range}

_EMPTY: list[Iterable[Any]] = [
    [],
    (),
    "",
    "\u2030",
    b"",
    bytearray(),
    set(),
    {},
    {}.values(),
    {}.items(),
    range(0),
    range(1 << 70),
]
_REVERSIBLE: list[Any] = [[], {}, {}.values(), {}.items(), range(0), range(1 << 70), collections.deque()]

#: Iterators that run in C alone. A generator of the snippet counts itself, and so does an iterator it wrote.
IN_C: frozenset[type] = frozenset(
    [type(iter(empty)) for empty in _EMPTY]
    + [type(reversed(empty)) for empty in _REVERSIBLE]
    + [type(iter(collections.deque())), type(iter(int, 1)), map, filter, zip, enumerate, reversed]
    + [kind for kind in vars(itertools).values() if isinstance(kind, type)]
    + [*KINDS]
)

_RUN_THEMSELVES = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)

Length = Callable[[Any], int]


def taken(subject: Any) -> int:
    """Stands for the length of what is counted item by item."""
    raise TypeError(f"{type(subject).__name__} has no length")


def iterated(subject: Any) -> int:
    """Stands for the length of what a method of the snippet gives an iterator of."""
    raise TypeError(f"{type(subject).__name__} has no length")


@functools.lru_cache(maxsize=1024)
def consumed_how(kind: Any) -> Length | None:
    """How many items an object of this type gives; `taken` or `iterated` where that is not known before."""
    if kind in IN_C:
        return taken
    if kind in _RUN_THEMSELVES:
        return None
    line = ownership.mro_of(kind)
    if Endless in line and not ownership.is_own_class(kind):
        return None
    if (following := _found(line, "__next__")) is not None:
        return None if ownership.is_own_function(following) else taken
    if any(ownership.is_own_class(base) and "__iter__" in ownership.class_dict(base) for base in line):
        return iterated
    return _length_of(line)


def _length_of(line: tuple[type, ...]) -> Length | None:
    sized = next((base for base in line if base in SIZED), None)
    if sized is not None:
        length: Length = sized.__len__  # type: ignore[attr-defined]  # all of them have one
        return length
    if any(ownership.is_own_class(base) for base in line):
        by_place = _found(line, "__getitem__") if _found(line, "__iter__") is None else None
        return None if by_place is None or ownership.is_own_function(by_place) else taken
    if _found(line, "__len__") is None:
        return None
    return operator.length_hint if _found(line, "columns") is None else _columns


def _columns(table: Any) -> int:
    """A table has as many items as columns; its length is that of each of them."""
    return len(table.columns)


def consumes(owner: Any, word: str) -> bool:
    """True where `owner.word` is a method of a builtin container: of a class of them, or inherited from one."""
    kind = owner if type(owner) is type else type(owner)
    return is_container(kind) and not ownership.is_own_function(_found(ownership.mro_of(kind), word))


@functools.lru_cache(maxsize=1024)
def is_container(kind: Any) -> bool:
    """True for a builtin container or text, and for what is built on one."""
    return any(base in SIZED for base in ownership.mro_of(kind))


def _found(line: tuple[type, ...], name: str) -> Any:
    return next((held[name] for base in line if name in (held := ownership.class_dict(base))), None)
