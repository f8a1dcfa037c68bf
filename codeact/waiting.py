"""Waits in which Ctrl-C is heard.

An interrupt that comes between the interpreter's last look for one and the wait itself is seen only when the wait is
over, and on a busy machine that moment lasts. So whoever may wait for long looks up now and then.
"""

from __future__ import annotations

import concurrent.futures
import queue
from typing import TypeVar

T = TypeVar("T")

_LOOKS_UP_SECONDS = 0.1


def result_of(future: concurrent.futures.Future[T]) -> T:
    """Give the future's result, or raise what it ended with."""
    while not concurrent.futures.wait([future], _LOOKS_UP_SECONDS).done:
        pass
    return future.result()


def next_of(happened: queue.SimpleQueue[T]) -> T:
    """Give what comes next."""
    while True:
        try:
            return happened.get(timeout=_LOOKS_UP_SECONDS)
        except queue.Empty:
            pass
