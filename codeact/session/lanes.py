"""Threads that serve steps and tools: reused, never waited for, gone with the process.

A tool that blocks for ever keeps its thread; neither the session nor the end of the program waits for it.
"""

from __future__ import annotations

import contextvars
import os
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from codeact.errors import SessionError

if TYPE_CHECKING:
    import asyncio

Job = Callable[[], object]

_idle: list[SimpleQueue[Job]] = []
_MOST_IDLE = 32


def run(job: Job) -> None:
    """Run a job on a thread of its own, with the caller's context variables; the job handles its own errors.

    SessionError where no thread can be had.
    """
    context = contextvars.copy_context()
    try:
        queue = _idle.pop()
    except IndexError:
        queue = SimpleQueue()
        start(
            threading.Thread(target=_serve, args=(queue,), name="codeact lane", daemon=True),
            "a call of the user's code",
        )
    queue.put(lambda: context.run(job))


def start(thread: threading.Thread, what_for: str) -> None:
    """Start a thread; SessionError where none can be had."""
    try:
        thread.start()
    except RuntimeError as error:
        told = f"no thread can be started for {what_for}: allow more processes (ulimit -u)"
        raise SessionError(told) from error


def _serve(queue: SimpleQueue[Job]) -> None:
    while True:
        job = queue.get()
        try:
            job()
        finally:
            del job  # an idle thread keeps nothing alive
        if len(_idle) >= _MOST_IDLE:
            return
        _idle.append(queue)


def tell(
    loop: asyncio.AbstractEventLoop, done: asyncio.Future[Any], settle: Callable[[Any], object], what: Any
) -> None:
    """Settle a future of a loop from another thread; a loop that is closed waits for nothing any more."""
    try:
        loop.call_soon_threadsafe(lambda: None if done.done() else settle(what))
    except RuntimeError:
        return


class UsersCode:
    """Around code of the user's that is called in a step: a process that was forked there ends where that code does.

    It would go on as the host, answer in its place, and take from the socket what is meant for it.
    """

    def __init__(self) -> None:
        self._process = os.getpid()

    def __enter__(self) -> None:
        """Begin it."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process, where it is another one than the host's."""
        if os.getpid() != self._process:
            _end_process(error)


def _end_process(error: BaseException | None) -> NoReturn:
    code = 0 if error is None else 1
    try:
        if isinstance(error, SystemExit):
            code = error.code & 0xFF if isinstance(error.code, int) else int(error.code is not None)
        elif error is not None:
            traceback.print_exception(error)
    finally:
        os._exit(code)


os.register_at_fork(after_in_child=_idle.clear)  # a forked child has none of these threads
