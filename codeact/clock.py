"""Time as a budget counts it: it stands still while a person is asked."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator


class Clock:
    """Seconds that go on, but for those within `stopped()`; `others` stand still together with this one."""

    def __init__(self, *others: Clock) -> None:
        self.others = list(others)
        self._lock = threading.Lock()
        self._stops = 0  # who holds it: questions may be put side by side
        self._since = self._stood = 0.0

    def now(self) -> float:
        """Give the time; only differences mean something."""
        with self._lock:
            return (self._since if self._stops else time.monotonic()) - self._stood

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Let the time stand still within the block."""
        with contextlib.ExitStack() as stack:
            for other in self.others:
                stack.enter_context(other.stopped())
            self._stop()
            try:
                yield
            finally:
                self._go_on()

    def _stop(self) -> None:
        with self._lock:
            if not self._stops:
                self._since = time.monotonic()
            self._stops += 1

    def _go_on(self) -> None:
        with self._lock:
            self._stops -= 1
            if not self._stops:
                self._stood += time.monotonic() - self._since
