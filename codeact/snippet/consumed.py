"""What a function written in C may be given to consume: containers that know their length, and iterators in C."""

from __future__ import annotations

import collections
import itertools
import types
from collections.abc import Iterable
from typing import Any

SIZED: frozenset[type] = frozenset(
    [
        *(list, tuple, dict, set, frozenset, str, bytes, bytearray, range, types.MappingProxyType),
        *(collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter),
        *(type({}.keys()), type({}.values()), type({}.items())),
    ]
)
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
)
