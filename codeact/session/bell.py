"""What a thread waits on: a socket, and any other thread that rings.

Each thread has one bell for as long as it lives. It may have been rung for something that is over, so whoever waits
looks at what it waits for again.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable

from codeact.errors import SessionError


class Bell:
    """Rung from any thread, heard by the one it belongs to."""

    _descriptor = -1

    def __init__(self) -> None:
        try:
            self._descriptor = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        except OSError as error:
            problem = f"a thread that waits for a step got no descriptor ({error.strerror})"
            raise SessionError(f"{problem}: close some files or sessions, or raise `ulimit -n`") from error

    def ring(self) -> None:
        """Let the thread look again."""
        os.eventfd_write(self._descriptor, 1)

    def wait(self, seconds: float, *sockets: int) -> bool:
        """Wait for a ring, or for something on these sockets, at most so long; whether one of them has something."""
        waiting = select.poll()  # anew each time: what Ctrl-C ends leaves nothing behind that a later wait looks at
        for descriptor in (self._descriptor, *sockets):
            waiting.register(descriptor, select.POLLIN)
        found = waiting.poll(min(max(0.0, seconds), _MOST_SECONDS) * 1000)
        rung = [descriptor for descriptor, _ in found if descriptor == self._descriptor]
        if rung:
            os.eventfd_read(self._descriptor)
        return len(found) > len(rung)

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        """Let go of the descriptor with the thread, also where the names of this module are gone already."""
        if self._descriptor >= 0:
            close(self._descriptor)


_MOST_SECONDS = 86_400.0
_PAUSE_SECONDS = 0.0005
_of_thread = threading.local()


def mine() -> Bell:
    """Give the bell of this thread."""
    try:
        bell: Bell = _of_thread.bell
    except AttributeError:
        bell = _of_thread.bell = Bell()
    return bell


def comes_about(attempt: Callable[[], bool], seconds: float, in_vain: Callable[[], bool] | None) -> bool:
    """Try again and again what nobody rings for, at most so long, unless that is seen to be vain; whether it went."""
    until = time.monotonic() + seconds
    while not attempt():
        if time.monotonic() > until or (in_vain is not None and in_vain()):
            return False
        time.sleep(_PAUSE_SECONDS)
    return True


def _begin_anew() -> None:
    _of_thread.__dict__.clear()  # a forked child would hear, and silence, its parent's


os.register_at_fork(after_in_child=_begin_anew)
