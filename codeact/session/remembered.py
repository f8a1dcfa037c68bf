"""What libraries remember of earlier calls, by what they were given: nothing that a snippet's object stands for.

`re`, `struct`, `typing` and their like keep results for the whole process. A text of a snippet's own class says itself
what it is equal to, so what was kept for it could be given for any other text. Before a snippet has made a class there
is nothing to forget.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from typing import Any

from codeact.snippet import ownership

_CACHE: type = type(functools.lru_cache(ownership.is_class))

#: The libraries whose caches snippets fill, besides the standard library.
_LIBRARIES = frozenset(("numpy", "pandas", "matplotlib", "scipy", "sklearn", "sympy", "networkx", "dateutil"))

#: Caches of classes and handlers, of which there is to be one each; what they are given is no snippet's.
_MADE_ONCE = frozenset(("_make_class_factory", "_make_norm_from_scale", "_ensure_handler"))

_caches: dict[Any, None] = {}
_looked_at: set[str] = set()  # modules, by their names


def empty(table: dict[Any, Any]) -> None:
    """Forget all a table knows: also by a plain value it may give what was kept for its like."""
    if ownership.classes_made:
        table.clear()


def purge(patterns: Any) -> None:
    """Forget what `re` knows, in whatever tables this version of Python keeps it."""
    if ownership.classes_made:
        patterns.purge()


def leave_plain(table: dict[Any, Any]) -> None:
    """Leave in a table what it knows by plain values; what is dropped is asked nothing."""
    kept = [(key, value) for key, value in list(table.items()) if type(key) in ownership.BARE_TYPES]
    if len(kept) != len(table):
        table.clear()
        table.update(kept)


def fillings() -> dict[Any, int]:
    """How often each cache was filled."""
    return {cache: cache.cache_info().misses for cache in _known()} if ownership.classes_made else {}


def empty_filled(before: dict[Any, int]) -> None:
    """Empty the caches that were filled since."""
    for cache, misses in fillings().items():
        if misses != before.get(cache, 0):
            cache.cache_clear()


def _known() -> Iterable[Any]:
    if len(_looked_at) < len(sys.modules):
        for name in sys.modules.keys() - _looked_at:
            _looked_at.add(name)
            if _is_shared(name.partition(".")[0]):
                _caches.update(dict.fromkeys(_of(name)))
    return _caches


def _is_shared(library: str) -> bool:
    return library in sys.stdlib_module_names or library in _LIBRARIES


def _of(name: str) -> list[Any]:
    """The caches of a module: its functions, the methods of its classes, and what typing keeps."""
    names = vars(sys.modules[name])
    parts = list(names.values())
    for cls in [part for part in parts if ownership.is_class(part) and ownership.module_of(part) == name]:
        parts += [getattr(part, "__func__", part) for part in ownership.class_dict(cls).values()]
    if name == "typing":
        parts += [getattr(clear, "__self__", None) for clear in names["_cleanups"]]
    caches: list[Any] = [part for part in parts if type(part) is _CACHE]
    return [cache for cache in caches if cache.__name__ not in _MADE_ONCE]
