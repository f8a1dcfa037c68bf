"""A worker that gets no processor for a while, on a busy machine: what it has yet to do is not taken for done."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from codeact import Limits, Policy, Session
from codeact.sandbox import patience, zygotes
from tests.sandbox.conftest import descendants
from tests.session.parts import until


class DrivenTime:
    """A host's time that goes on where it sleeps, up to a second, and does something then; from there on it waits."""

    def __init__(self, do: Callable[[], None]) -> None:
        self._do, self._now = do, 0.0

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        if self._now < 1 <= self._now + 0.01:
            self._do()
        self._now = min(self._now + 0.01, 1.0)
        time.sleep(0)


@pytest.mark.usefixtures("nothing_in_reserve")
def test_an_interrupt_of_a_step_the_worker_has_not_come_to_yet_loses_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    with Session(limits=Limits(operations=10**12)) as session:
        session.run("import time\nkept = time.time_ns()\nkept")  # a state that was lost could not be built again
        seen = session.run("kept").value
        workers = descendants(zygotes.for_policy(Policy(), frozenset()).pid)

        def tell(number: int) -> None:
            for pid in workers:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)

        def interrupt() -> None:
            until(lambda: session._life._serving)
            session.interrupt()

        monkeypatch.setattr(patience, "time", DrivenTime(lambda: tell(signal.SIGCONT)))
        tell(signal.SIGSTOP)
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            failure = session.run("kept = 2\nwhile True: pass").failure
        finally:
            tell(signal.SIGCONT)
            thread.join()
        assert failure is not None
        assert failure.type == "Interrupted"
        assert session.run("kept").value == seen
