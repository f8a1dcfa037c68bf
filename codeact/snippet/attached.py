"""Parts of libraries that are there once the library is imported, as in `sklearn.svm`: made when they are asked for."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from codeact.snippet.modules import ROWS
from codeact.snippet.running import our_own_work

if TYPE_CHECKING:
    from codeact.snippet.facade import Facades

_PARENTS = frozenset(name.rpartition(".")[0] for name, row in ROWS.items() if row.needs)


def attach(facades: Facades, facade: types.ModuleType, real: types.ModuleType | None) -> None:
    """Have a facade give the reviewed parts that the real module has by itself."""

    def part_of(name: str) -> types.ModuleType:
        if (part := f"{facade.__name__}.{name}") in ROWS and facades.allowed(part):
            with our_own_work():
                found = getattr(real, name, None)
            if type(found) is types.ModuleType:
                return facades.import_module(part)
        raise AttributeError(f"module {facade.__name__!r} has no attribute {name!r}", name=name, obj=facade)

    if real is not None and facade.__name__ in _PARENTS:
        vars(facade).setdefault("__getattr__", part_of)
