"""Libraries that another one imports in the middle of a step: what sets them up is none of the snippet's.

`nx.draw(G)` imports parts of matplotlib that were not asked for before. They make and change their own classes, and
look for their settings, as they do where a snippet imports them: under `our_own_work`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from codeact.snippet import running
from codeact.snippet.modules.by_name import LIBRARIES


class _Finder:
    """Finds what the finders behind it find, and has it loaded so."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the import system asks."""
        if not running.is_in_a_step() or name.partition(".")[0] not in LIBRARIES:
            return None
        for finder in sys.meta_path:
            found = None if finder is self else finder.find_spec(name, path, target)
            if found is not None:
                loader: Any = found.loader
                if hasattr(loader, "__dict__") and not isinstance(loader, type):
                    loader.create_module, loader.exec_module = map(_own, (loader.create_module, loader.exec_module))
                return found
        return None


def _own(load: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def loaded(given: Any) -> Any:
        with running.our_own_work():
            return load(given)

    return loaded


def guard() -> None:
    """Have them loaded so, in the whole process; more calls do nothing."""
    if not any(type(finder) is _Finder for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
