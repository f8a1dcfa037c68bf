"""A worker that sleeps is not waited for as one that a busy machine gives no processor."""

from __future__ import annotations

import os
import signal
import socket

import pytest

from codeact.limits import Policy
from codeact.sandbox import patience, zygotes
from codeact.session.link import unless_coming
from codeact.wire import messages
from codeact.wire.frames import PACKET_BYTES, host_channel
from codeact.worker import census
from tests.sandbox.conftest import STEP, descendants, until

pytestmark = pytest.mark.slow


class CountedTime:
    """A host's time that goes on where it sleeps, and nowhere else."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += 0.01


@pytest.mark.parametrize("asleep", [True, False])
def test_a_worker_that_does_not_read_is_waited_for_only_where_it_is_kept_from_it(speak, monkeypatch, asleep):
    session = speak()
    session.run_on("import time\ntime.sleep(3600)" if asleep else "while True: pass")
    if asleep:
        until(session.worker.patience().is_over)
    else:
        for pid in descendants(zygotes.for_policy(Policy(), frozenset()).pid):
            os.kill(pid, signal.SIGSTOP)
    session.channel.send(messages.Step("1", STEP, backup=True))
    monkeypatch.setattr(patience, "time", time := CountedTime())
    session.worker.patience().until_begun(session.worker.socket, 1)

    assert (time.now < 1) == asleep


def test_a_worker_that_computes_something_else_than_it_was_asked_for_is_not_waited_for(speak, monkeypatch):
    session = speak()
    session.run_on("while True: pass")
    session.channel.send(messages.Step("1", STEP, backup=True))
    monkeypatch.setattr(patience, "_BEGINNING_SECONDS", 60)
    (waited := session.worker.patience()).until_begun(session.worker.socket, 1)

    assert 0.2 < waited.busy_seconds < 20


# A step that says it is another one, and sleeps most of its time.
SAYS_IT_HAS_NOT_BEGUN = """
import gc, time
next(it for it in gc.get_objects() if type(it).__name__ == '_Server').checkpoints._page.note_step(7)
while True:
    time.sleep(0.001)
    until = time.perf_counter() + 0.0003
    while time.perf_counter() < until: pass
"""


def test_a_step_that_says_it_has_not_begun_and_sleeps_now_and_then_is_not_waited_for(speak, monkeypatch):
    session = speak()
    session.run_on(SAYS_IT_HAS_NOT_BEGUN)
    monkeypatch.setattr(patience, "_BEGINNING_SECONDS", 3600)
    monkeypatch.setattr(patience, "_LOOKS", 40)  # it is not found asleep so often one time after the other
    monkeypatch.setattr(patience, "time", time := CountedTime())
    session.worker.patience().until_begun(session.worker.socket, 1)

    assert time.now < 600  # of an hour: beside other work it is found awake more often than not


NEVER_MAKES_A_COPY = """
held = []
def fork_session(self):
    held.append(socket.recv_fds(self._around.sock, 4096, 3))
    return False
Checkpoints.fork_session = fork_session
"""
NAMES_NONE = """
import gc, os
from codeact.worker.page import Page
Page.write = Page.note_step = lambda self, said: None
next(it for it in gc.get_objects() if type(it).__name__ == '_Server').checkpoints._page._numbers[1] = 0
"""


def test_a_session_that_names_none_of_its_processes_is_seen_to_sleep_all_the_same(speak):
    session = speak()
    assert session.run(NAMES_NONE) is None
    assert session.run("os._exit(0)") == "RolledBack"
    session.worker.note_takeover()  # by its own account it is nobody
    session.run_on("import time\ntime.sleep(3600)")

    until(session.worker.patience().is_over)


def test_a_copy_that_was_never_made_is_not_waited_for(speak):
    session = speak()
    session.run("from codeact.worker.checkpoint import Checkpoints\nimport socket, os")
    session.run(NEVER_MAKES_A_COPY)
    copy = session.fork()

    until(copy.worker.patience().is_over)


# What is frozen from here on computes for ever when it is woken, and says that there is no process.
COMPUTES_WHEN_WOKEN = """
import os
from codeact.worker.checkpoint import Checkpoints
def sleep(self, reading, parent):
    os.read(reading, 1)
    self._page.write([])
    while True: pass
Checkpoints._sleep = sleep
"""


def test_a_state_that_computes_instead_of_taking_over_is_not_waited_for(speak):
    session = speak()
    session.run(COMPUTES_WHEN_WOKEN)
    session.run_on("while True: pass")

    assert session.worker.kill_step()
    until(session.worker.patience(0.5).is_over)


# The same, but it sleeps most of the time, and never for long.
COMPUTES_NOW_AND_THEN_WHEN_WOKEN = """
import os, time
from codeact.worker.checkpoint import Checkpoints
def sleep(self, reading, parent):
    os.read(reading, 1)
    while True:
        time.sleep(0.001)
        until = time.perf_counter() + 0.0003
        while time.perf_counter() < until: pass
Checkpoints._sleep = sleep
"""


def test_a_state_that_sleeps_now_and_then_instead_of_taking_over_is_not_waited_for(speak, monkeypatch):
    monkeypatch.setattr(patience, "_LOOKS", 3600)  # it is not found asleep so often one time after the other
    session = speak()
    session.run(COMPUTES_NOW_AND_THEN_WHEN_WOKEN)
    session.run_on("while True: pass")

    assert session.worker.kill_step()
    until(session.worker.patience(takes_over=True).is_over)


def test_a_state_that_is_gone_back_to_and_sleeps_is_not_waited_for(speak):
    session = speak()
    session.run("from codeact.worker.checkpoint import Checkpoints\nimport time")
    session.run("sleep = Checkpoints._sleep\nCheckpoints._sleep = lambda *args: (sleep(*args), time.sleep(3600))")
    session.run("None")
    session.channel.send(messages.Rewind(1))

    until(session.worker.patience().is_over)


def test_what_is_awaited_in_vain_is_not_waited_for():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asked = iter([False, False, True])
    with ours, theirs:
        awaited = host_channel(ours).receive_within(60, lambda: next(asked))
        with pytest.raises(TimeoutError):
            next(awaited)

    assert next(asked, None) is None


@pytest.mark.parametrize("left", [0, 1])
def test_who_sleeps_is_waited_for_only_while_there_is_something_of_its_answer_to_be_read(left):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        channel = host_channel(ours)
        is_over = unless_coming(channel, lambda: True)
        for _ in range(1 + left):
            theirs.send(b"\x01" + bytes(PACKET_BYTES - 1))
        channel.receive_packet()

        assert is_over() is not bool(left)


def test_of_a_process_nobody_tells_of_it_is_not_said_that_it_sleeps():
    assert census.stirring(-1, os.getpid()) == (True, 0.0)
