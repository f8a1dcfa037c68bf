"""Tells whether the code of a session runs in this thread, and which working folder is its own.

Kept by thread and not in a context variable: a snippet can run a function in a context that is empty.
"""

from __future__ import annotations

import gc
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet.rules import COMPRESS


class _Running(threading.local):
    """The folder of the running step, as `modules.row.Folder`, and the session's `Room`; None between steps.

    `own`: the frame in which our own work goes on, while it does.
    """

    folder: Any = None
    room: Any = None
    own: types.FrameType | None = None


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


class our_own_work:  # it is used as a function
    """Let what runs now, such as the import of a library, not count as the snippet's; gives the step's folder.

    What the snippet left behind is not collected meanwhile: a file closes what it was made on, whatever that calls.
    """

    __slots__ = ("_before", "_collects")

    def __enter__(self) -> Any:
        self._before, self._collects = (_running.folder, _running.own), gc.isenabled()
        gc.disable()
        _running.folder, _running.own = None, sys._getframe(1)
        return self._before[0]

    def __exit__(self, *_: object) -> None:
        _running.folder, _running.own = self._before
        if self._collects:
            gc.enable()


def in_a_snippet() -> bool:
    """True while the code of a session runs in this thread, also where our own work or a collection called it."""
    return _running.folder is not None or _is_called()


def is_in_a_step() -> bool:
    """True while a step runs in this thread and our own work does not go on: it looks at no frame."""
    return _running.folder is not None


def _is_called() -> bool:
    """Whether a frame of a snippet's stands above our own work: a callback, or the end of a generator."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame is not _running.own:
        if COMPRESS in frame.f_builtins or frame.f_code is _CALL:
            return True
        frame = frame.f_back
    return False


def is_importing(frame: types.FrameType | None) -> bool:
    """True where what runs in this frame belongs to a library that is being imported."""
    while frame is not None and COMPRESS not in frame.f_builtins:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return True
        frame = frame.f_back
    return False


def mine() -> tuple[Any, types.FrameType | None]:
    """What is so for the thread of a snippet that runs now; `go_on` puts it back once others did."""
    return _running.folder, _running.own


def go_on(kept: tuple[Any, types.FrameType | None]) -> None:
    """Let be what was so for this thread of a snippet before others ran."""
    _running.folder, _running.own = kept


def begin() -> None:
    """Let a thread of a snippet begin: our own work that goes on where it was started is none of its."""
    _running.folder, _running.own = _running.room.folder, None


def as_a_snippet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose calls count as the snippet's whoever makes them: a library's has no frame that says so.

    Between steps nothing is called.
    """

    def call(*arguments: Any) -> Any:
        return None if _running.room is None else function(*arguments)

    return call


_CALL = as_a_snippet(print).__code__


def folder() -> Any:
    """The working folder of the running step."""
    if _running.folder is None:
        raise PermissionError("there is no working folder outside a step")
    return _running.folder


def room() -> Any:
    """The room of the running step; None between steps."""
    return _running.room
