"""Tells whether the code of a session runs in this thread, and which working folder is its own.

Kept by thread and not in a context variable: a snippet can run a function in a context that is empty.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Running(threading.local):
    """The folder of the running step, as `modules.row.Folder`, and the session's `Room`; None between steps."""

    folder: Any = None
    room: Any = None


_running = _Running()


class StepOf:
    """Marks this thread as running the code of the session that has this room; no generator, as each step has one."""

    __slots__ = ("_before", "_room")

    def __init__(self, room: Any) -> None:
        self._room = room

    def __enter__(self) -> None:
        self._before = _running.folder, _running.room
        _running.folder, _running.room = self._room.folder, self._room

    def __exit__(self, *_: object) -> None:
        _running.folder, _running.room = self._before


@contextmanager
def our_own_work() -> Iterator[Any]:
    """Let what runs now, such as the import of a library, not count as the snippet's; gives the step's folder."""
    folder, _running.folder = _running.folder, None
    try:
        yield folder
    finally:
        _running.folder = folder


def in_a_snippet() -> bool:
    """True while the code of a session runs in this thread."""
    return _running.folder is not None


def folder() -> Any:
    """The working folder of the running step."""
    if _running.folder is None:
        raise PermissionError("there is no working folder outside a step")
    return _running.folder


def room() -> Any:
    """The room of the running step; None between steps."""
    return _running.room
