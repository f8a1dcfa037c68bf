"""Those who wait for their turn with a session: closing it, or calling one of them off, does not wait for the others."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from codeact import Limits, Session
from codeact.errors import SessionClosed
from codeact.session import Isolation


class Counted:
    """A lock that counts who comes for it."""

    def __init__(self) -> None:
        self._lock, self.came = threading.Lock(), threading.Semaphore(0)

    def __enter__(self) -> None:
        self.came.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_closing_a_session_interrupts_the_step_that_runs_and_runs_none_of_those_that_wait(isolation: Isolation) -> None:
    started = threading.Event()

    def start() -> None:
        """Says that a step runs."""
        started.set()

    session = Session([start], limits=Limits(operations=10**12, wall_seconds=2), isolation=isolation)
    session._lock = lock = Counted()  # type: ignore[assignment]  # to know when all of them wait

    def use(_: int) -> str:
        try:
            failure = session.run("start()\nwhile True: pass").failure
        except SessionClosed:
            return "closed"
        return failure.type if failure is not None else "finished"

    with ThreadPoolExecutor(5) as threads:
        ended = threads.map(use, range(5))
        for _ in range(5):
            lock.came.acquire()
        started.wait()
        session.close()
        assert sorted(ended) == ["Interrupted", *["closed"] * 4]
