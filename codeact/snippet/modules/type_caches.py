"""The caches of typing: what a snippet's object is compared with there belongs to the whole process.

`Optional[x]` looks `x` up among all that was ever asked for, and an object of the snippet's own, which chooses its
hash, would be handed any of it by `==`. What holds such an object is worked out each time.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import ownership, running
from codeact.snippet.patches import guarded

_PLAIN = frozenset({str, int, bool, bytes, type(None), type(...), typing.TypeVar, typing.ParamSpec})
_ALIASES = (types.GenericAlias, types.UnionType)


def guard() -> None:
    """Put the guards in place: between each function of typing and its cache."""
    for cell in _cells():
        cell.cell_contents = guarded(cell.cell_contents, _plain_alone)
    kept: dict[Any, Any] = getattr(typing, "_caches", {})  # from Python 3.12 on
    for function, cached in kept.items():
        kept[function] = guarded(cached, _plain_alone)


@functools.cache  # what typing holds is there once it is imported
def _cells() -> tuple[types.CellType, ...]:
    return tuple(_found())


def _found() -> Iterator[types.CellType]:
    values = list(vars(typing).values())
    values += [value for owner in values if isinstance(owner, type) for value in vars(owner).values()]
    values += [value._getitem for value in values if type(value).__name__.endswith("SpecialForm")]
    for value in values:
        function = getattr(value, "__func__", value)
        if type(function) is types.FunctionType and "cached" in function.__code__.co_freevars:
            yield (function.__closure__ or ())[function.__code__.co_freevars.index("cached")]


def _plain_alone(cached: Callable[..., Any]) -> Callable[..., Any]:
    def look_up(*arguments: Any, **keywords: Any) -> Any:
        if running.in_a_snippet() and not all(map(_is_plain, (*arguments, *keywords.values()))):
            raise TypeError("it is not kept")  # typing works it out then, as of what has no hash
        return cached(*arguments, **keywords)

    return look_up


def _is_plain(part: Any) -> bool:
    kind = type(part)
    if kind in _PLAIN or ownership.is_class(part):
        return True
    if kind is tuple:
        return all(map(_is_plain, part))
    if kind in _ALIASES:
        return _is_plain(part.__args__)
    if ownership.module_of(kind) != "typing":
        return False
    held = getattr(part, "__dict__", {})
    return _is_plain(held.get("__args__", ())) and _is_plain(held.get("__metadata__", ()))
