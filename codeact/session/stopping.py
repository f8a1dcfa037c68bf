"""Asking a thread to stop one step, and nothing else it does: an exception is raised in it from outside."""

from __future__ import annotations

import ctypes
import threading
import time

from codeact.snippet.endings import LimitReached

_AGAIN_SECONDS = 0.1


class Stop:
    """What the thread of one inline worker is asked to stop by; around the part of a step that the snippet runs in.

    The exception comes in there at the latest call or turn of a loop, or not at all: what has not come when that part
    is left never does. Anywhere else it would end the thread, or leave the answer to a message half sent. It may come
    where it is dropped, as in a finalizer: whoever waits for the step goes on asking.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._step = -1  # the one the worker was told to run; before the first, it defines the skills
        self._unwanted: int | None = None  # the one that is to stop
        self._thread = 0  # in which the snippet runs now
        self._asked = False  # it was asked to stop while it did
        self._again_at = 0.0  # when the same step is asked once more

    def begin(self, step: int) -> None:
        """Say which step the next part is of; called, like what follows, in the worker's thread."""
        self._step = step

    def __enter__(self) -> None:
        with self._lock:
            self._thread = threading.get_ident()
            stopped = self._unwanted == self._step
        if stopped:
            raise LimitReached("the step was stopped from outside")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            asked, self._thread, self._asked = self._asked, 0, False
        if asked:
            _let_come()

    def ask(self, step: int) -> None:
        """Stop this step, whether it runs or is about to; one that is over is left alone.

        Asked soon again, nothing is done: what stops it may be on its way.
        """
        with self._lock:
            now = time.monotonic()
            if step == self._unwanted and now < self._again_at:
                return
            self._unwanted, self._again_at = step, now + _AGAIN_SECONDS
            if self._thread and self._step == step:
                self._asked = True
                _raise_in(self._thread)


def _raise_in(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(LimitReached))


def _let_come() -> None:
    """Let what has not come yet come here, where it ends nothing.

    Taken back, it would leave the interpreter looking for it at each call, for ever; and under a profiler or debugger
    CPython 3.11 then looks at the same place again and again.
    """
    try:
        _raise_in(threading.get_ident())
        while True:
            pass
    except LimitReached:
        return
