"""What is in the modules of libraries and can be changed in place: each session has copies."""

from __future__ import annotations

import functools
from typing import Any

from codeact.snippet.modules import drawn
from codeact.snippet.types_ import stand_in_of

#: What a library keeps one of for all and what its own methods change: a session has a copy.
_COPIED = frozenset(
    [("numpy", "ndarray"), *(("matplotlib.colors", f"{kind}Colormap") for kind in ("", "Bivar", "Multivar"))]
)


#: Tables within tables that are copied, and how many parts of one are looked at.
_DEEP, _LONG = 4, 1_000


def own_copy(value: Any, depth: int = _DEEP) -> Any:
    """What a session gets for a value of a library's module: tables within tables, and colour maps, are its own."""
    cls = type(value)
    if cls in (dict, list, tuple) and 0 < len(value) <= _LONG and depth:
        if cls is dict:
            return {name: own_copy(part, depth - 1) for name, part in value.items()}
        if cls is list or any(isinstance(part, type) for part in value):
            return cls(own_copy(part, depth - 1) for part in value)
    if cls in (dict, list, set):
        return value.copy()
    if isinstance(value, type):
        return stand_in_of(value)
    if cls is functools.partial:
        return functools.partial(value.func, *value.args, **value.keywords)
    kinds = {(base.__module__, base.__name__) for base in cls.__mro__[:2]}
    return value if kinds.isdisjoint(_COPIED) else drawn.with_own_colours(value.copy())
