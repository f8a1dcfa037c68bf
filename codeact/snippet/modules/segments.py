"""pathlib, from Python 3.12 on: a path sets its parts on whatever its class's `with_segments` gives."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

from codeact.snippet import attributes, ownership, running


class _Asked:
    """Stands for a path of the snippet's own while pathlib asks it for another one."""

    def __init__(self, path: Any) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Any:
        """What the path has."""
        return getattr(self._path, name)

    def with_segments(self, *segments: Any) -> Any:
        """What the path gives: a path, or what a snippet may store on."""
        made = self._path.with_segments(*segments)
        return made if pathlib.PurePath in ownership.mro_of(type(made)) else attributes.store(made)


def _storing(real: Callable[..., Any]) -> Callable[..., Any]:
    def made(self: Any, *parts: Any) -> Any:
        own = running.in_a_snippet() and ownership.is_own_class(type(self))
        return real(_Asked(self) if own else self, *parts)

    return made


_CHOSEN = ("_from_parsed_parts", "_from_parsed_string") if hasattr(pathlib.PurePath, "with_segments") else ()

#: What of pathlib stores on another object, and its guard.
PLACES = tuple((pathlib.PurePath, name, _storing) for name in _CHOSEN if name in vars(pathlib.PurePath))
