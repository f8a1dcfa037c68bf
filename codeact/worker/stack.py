"""The depth of calls a snippet has, and where goes what a library prints or fails with while it works for one."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from codeact import alone
from codeact.snippet import collected, running
from codeact.snippet.endings import Ending, LimitReached

_CALLS_OF_C = int(sys.version_info < (3, 12))  # between us and the snippet, which count as well until then: Context.run

_kept: list[tuple[Any, ...]] = []  # what was there before the first of the steps that run now, once for each
_of_thread = threading.local()


class Stream:
    """A standard stream of the process: what a library prints in a step goes to the step's output."""

    def __init__(self, hosts: Any) -> None:
        self._hosts = hosts

    def write(self, text: str) -> int:
        """Write to the output of the step that runs in this thread, or to the host's stream."""
        room = running.room()
        if room is None:
            return int(self._hosts.write(text))
        room.write(str.__str__(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hosts, name)


def enter(frames: int, end: Callable[[Ending], object]) -> None:
    """Give a snippet the depth of calls CPython gives a program, however deep we are when it starts.

    `end` ends the step where it is to stop and what told it so is dropped on its way.
    """
    _of_thread.end = end
    with alone.lock:
        limit = sys.getrecursionlimit()
        if _kept:
            _kept.append(_kept[0])
        else:
            _kept.append((limit, sys.unraisablehook, sys.stdout, sys.stderr))
            sys.stdout, sys.stderr = Stream(sys.stdout), Stream(sys.stderr)
        sys.setrecursionlimit(max(limit, frames + _depth() + _CALLS_OF_C))
        sys.unraisablehook = _dropped


def leave() -> None:
    """Put back what was there, after the last of the steps that run now."""
    _of_thread.end = None
    with alone.lock:
        limit, hook, out, error = _kept.pop()
        if not _kept:
            sys.unraisablehook, sys.stdout, sys.stderr = hook, out, error
            sys.setrecursionlimit(limit)


def _depth() -> int:
    frame: types.FrameType | None = sys._getframe()
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


def _dropped(unraisable: Any) -> None:
    """Lose an exception from a finalizer, as Python does. A step's end is not lost: every further draw raises it."""
    end = getattr(_of_thread, "end", None)
    if unraisable.exc_type is LimitReached and end is not None:  # a thread may be asked to stop at any call
        end(LimitReached(*getattr(unraisable.exc_value, "args", ())))
        collected.put_back(unraisable.object)
