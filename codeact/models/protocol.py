"""What the agent asks of a model, and how the run tells it to stop waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from codeact.clock import Clock
from codeact.errors import ModelError
from codeact.records import Message, Reply

OnToken = Callable[[str], object]


class Stopped(ModelError):
    """The run ended while it waited for the model: it was stopped, or its wall time was spent."""


class Stop:
    """The end of a run as everything that waits sees it: a deadline, and a flag that any thread may set."""

    def __init__(self, wall_seconds: float | None = None) -> None:
        self.clock = Clock()
        self._deadline: float | None = None
        if wall_seconds is not None:
            self.limit(wall_seconds)
        self._flag = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], object]] = []

    def limit(self, wall_seconds: float) -> None:
        """Put the deadline this long from now."""
        self._deadline = self.clock.now() + wall_seconds

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the deadline, at least 0.0; None where there is no deadline."""
        return None if self._deadline is None else max(0.0, self._deadline - self.clock.now())

    @property
    def is_set(self) -> bool:
        """True once the run was told to stop; a passed deadline alone does not set it."""
        return self._flag.is_set()

    def set(self) -> None:
        """Stop the run: who waits for something is let go."""
        with self._lock:
            self._flag.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def when_set(self, callback: Callable[[], object]) -> Callable[[], None]:
        """Call back once when stopped, at once if that is so already; gives what takes the callback back."""
        with self._lock:
            if not self._flag.is_set():
                self._callbacks.append(callback)
                return lambda: self._forget(callback)
        callback()
        return lambda: None

    def _forget(self, callback: Callable[[], object]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

    def wait(self, seconds: float) -> None:
        """Wait this long; raises Stopped where the run is stopped, or has less time left than that."""
        left = self.seconds_left
        if self._flag.wait(min(seconds, seconds if left is None else left, threading.TIMEOUT_MAX)):
            raise Stopped("the run was stopped")
        if left is not None and left < seconds:
            raise Stopped("the run's wall time is spent")


@runtime_checkable
class Model(Protocol):
    """Anything that answers messages. `name` is what recordings and events call it."""

    name: str

    def reply(self, messages: Sequence[Message], *, on_token: OnToken | None = None, stop: Stop | None = None) -> Reply:
        """Give one reply; raises a `ModelError` where there is none, `Stopped` where `stop` ended the waiting."""
        ...
