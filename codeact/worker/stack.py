"""The depth of calls a snippet has, and what becomes of exceptions that nobody can be told of."""

from __future__ import annotations

import sys
import threading
import types
from typing import Any

_lock = threading.Lock()
_kept: list[tuple[int, Any]] = []  # what was there before the first of the steps that run now, once for each


def enter(frames: int) -> None:
    """Give a snippet the depth of calls CPython gives a program, however deep we are when it starts."""
    with _lock:
        limit = sys.getrecursionlimit()
        _kept.append(_kept[0] if _kept else (limit, sys.unraisablehook))
        sys.setrecursionlimit(max(limit, frames + _depth()))
        sys.unraisablehook = _dropped


def leave() -> None:
    """Put back what was there, after the last of the steps that run now."""
    with _lock:
        limit, hook = _kept.pop()
        if not _kept:
            sys.unraisablehook = hook
            sys.setrecursionlimit(limit)


def _depth() -> int:
    frame: types.FrameType | None = sys._getframe()
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


def _dropped(unraisable: object) -> None:
    """Lose an exception from a finalizer, as Python does. A step's end is not lost: every further draw raises it."""
