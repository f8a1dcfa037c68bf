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
from codeact.session.raw import RawSession
from codeact.wire import frames
from codeact.wire.orders import Stir
from tests.sandbox.conftest import descendants
from tests.session.parts import FINDS_ITS_SERVER, until


class DrivenTime:
    """A host's time that goes on where it sleeps, and does something after a second of it."""

    def __init__(self, do: Callable[[], object]) -> None:
        self._do, self._now = do, 0.0

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        if self._now < 1 <= self._now + 0.01:
            self._do()
        self._now += 0.01
        time.sleep(0)


def interrupted(session: Session, source: str) -> str | None:
    """How a step failed that was interrupted as soon as it was sent."""

    def interrupt() -> None:
        until(lambda: session._life._serving)
        session.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        failure = session.run(source).failure
    finally:
        thread.join()
    return failure and failure.type


@pytest.mark.usefixtures("nothing_in_reserve")
def test_an_interrupt_of_a_step_the_worker_has_not_come_to_yet_loses_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    with Session(limits=Limits(operations=10**12)) as session:
        session.run("import time\nkept = time.time_ns()\nkept")  # a state that was built again would have another
        seen = session.run("kept").value
        workers = descendants(zygotes.for_policy(Policy(), frozenset()).pid)

        def tell(number: int) -> None:
            for pid in workers:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)

        def goes_on() -> None:
            tell(signal.SIGCONT)
            serving, worker = session._life._serving, session._life._link.worker
            assert serving is not None
            until(lambda: worker.zygote.ask(Stir(worker._session)).step == serving.first_call)

        monkeypatch.setattr(patience, "time", DrivenTime(goes_on))
        tell(signal.SIGSTOP)
        try:
            assert interrupted(session, "kept = 2\nwhile True: pass") == "Interrupted"
        finally:
            tell(signal.SIGCONT)
        assert session.run("kept").value == seen


FREEZES_LATE = """
import time
def before_step(note, *, freezes, before=server.checkpoints.before_step):
    until = time.process_time() + 0.1
    while time.process_time() < until: pass
    return before(note, freezes=freezes)
server.checkpoints.before_step = before_step
kept = time.time_ns()
"""


def test_an_interrupt_of_a_step_that_is_read_and_not_frozen_yet_loses_no_state() -> None:
    with RawSession() as session:
        session.run(FINDS_ITS_SERVER + FREEZES_LATE)  # a state that was built again would have another
        seen = session.run("kept").value
        assert interrupted(session, "kept = 2\nwhile True: pass") == "Interrupted"
        assert session.run("kept").value == seen


def test_a_host_that_gets_no_processor_has_long_answers_none_the_less(monkeypatch: pytest.MonkeyPatch) -> None:
    with Session() as session:
        session.run("with open('long', 'w') as file: file.write('x' * (16 << 20))")
        monkeypatch.setattr(patience, "_LOOK_SECONDS", 0)
        monkeypatch.setattr(
            frames, "_ASKED_SECONDS", 0
        )  # for one packet at a time: the worker waits for room meanwhile
        monkeypatch.setattr(frames, "_REST_SECONDS", 0)
        assert len(session.read_file("long")) == 16 << 20
