"""A session and its copies share a user, whose processes are counted together: each of them knows how many there may be."""

from __future__ import annotations

import errno
import os
import signal
import socket
from pathlib import Path

import pytest

from codeact.errors import WorkerDied
from codeact.testing import raw_session
from codeact.wire import messages
from tests.sandbox.conftest import SECONDS, until
from tests.session.parts import FORKS

NAMES_NONE_AND_STAYS = """
import gc
from codeact.wire.messages import Output
server = next(it for it in gc.get_objects() if type(it).__name__ == '_Server')
server.checkpoints._page.write([])
server.channel.send(Output('it names none'))
while True:
    pass
"""


NAMES_AS_ITS_OWN = """
import gc, os
from codeact.worker.page import Page
server = next(it for it in gc.get_objects() if type(it).__name__ == '_Server')
server.checkpoints._page.write([{pid}, os.getpid()])
Page.write = lambda self, pids: None
"""
STAYS = """
import gc
from codeact.wire.messages import Output
next(it for it in gc.get_objects() if type(it).__name__ == '_Server').channel.send(Output('it stays'))
while True:
    pass
"""
FORKS_WHAT_IT_CAN = """
import os, time
forked = 0
for attempt in range(20):
    try:
        if not os.fork():
            time.sleep(20)
            os._exit(0)
        forked += 1
    except BlockingIOError:
        time.sleep(0.01)
forked
"""


def test_copies_made_right_after_one_another_may_all_have_the_same_number_of_processes(speak, zygote_pid, below):
    others = set(below(zygote_pid()))
    session = speak()
    copies = [session.fork() for _ in range(6)]
    copies += [copy.fork() for copy in copies[:3]]
    family = set(below(zygote_pid())) - others

    assert len(family) >= 10
    assert len({processes_allowed(pid) for pid in family}) == 1
    assert [copy.run("1") for copy in [*copies, session]] == [1] * 10


def test_killing_the_step_of_a_dead_copy_leaves_the_others_alone(speak, zygote_pid, below):
    session = speak()
    pid = session.run("import os; os.getpid()")
    others = set(below(zygote_pid()))
    copy = session.fork()
    (own,) = set(below(zygote_pid())) - others
    os.kill(own, signal.SIGKILL)
    until(lambda: not Path(f"/proc/{own}").exists())  # it is buried

    assert not copy.worker.kill_step()
    assert session.run("import os; os.getpid()") == pid


def test_a_copy_that_names_none_of_its_processes_ends_with_its_session_all_the_same(
    speak, zygote_pid, below, has_ended
):
    session = speak()
    others = set(below(zygote_pid()))
    copy = session.fork()
    (own,) = set(below(zygote_pid())) - others
    copy.begin(NAMES_NONE_AND_STAYS)
    while copy.channel.receive(SECONDS) != messages.Output("it names none"):
        pass
    copy.worker.close()

    assert has_ended(own)
    assert session.run("1") == 1


@pytest.mark.parametrize("liar", ["the original", "the copy"])
def test_a_session_that_names_a_process_of_its_kin_as_its_own_ends_with_that_process_neither_step_nor_session(
    speak, liar
):
    session = speak()
    copy = session.fork()
    hostile, victim = (session, copy) if liar == "the original" else (copy, session)
    pid = victim.run("import os; os.getpid()")
    assert hostile.run(NAMES_AS_ITS_OWN.format(pid=pid)) is None
    hostile.worker.kill_step()
    assert victim.run("os.getpid()") == pid
    hostile.worker.close()
    assert victim.run("os.getpid()") == pid


def test_a_session_that_names_a_process_of_its_copy_as_its_own_does_not_keep_it_alive(
    speak, zygote_pid, below, has_ended
):
    session = speak()
    others = set(below(zygote_pid()))
    copy = session.fork()
    (own,) = set(below(zygote_pid())) - others
    pid = copy.run("import os; os.getpid()")
    assert session.run(NAMES_AS_ITS_OWN.format(pid=pid)) is None
    copy.begin(STAYS)
    while copy.channel.receive(SECONDS) != messages.Output("it stays"):
        pass
    copy.worker.close()

    assert has_ended(own)


def test_a_session_does_not_find_the_places_its_copy_needs_for_its_first_step(speak):
    session = speak(checkpoints=3)
    session.run("None")
    copy = session.fork()

    assert session.run(FORKS_WHAT_IT_CAN) == 0
    assert copy.run("1") == 1


def processes_allowed(pid: int) -> int:
    (line,) = (line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if "Max processes" in line)
    return int(line.split()[2])


def test_room_for_a_copy_that_is_never_made_is_given_up(monkeypatch):
    send = socket.send_fds

    def full(*_: object) -> int:
        raise BrokenPipeError(errno.EPIPE, "nobody reads")

    def folders() -> int:
        mounts = Path(f"/proc/{zygote.pid}/mountinfo").read_text(encoding="utf-8")
        return sum(" /forks/" in line for line in mounts.splitlines())

    with raw_session() as session, session.fork():
        worker = session._life._link.worker
        zygote = worker.zygote
        before = folders()
        monkeypatch.setattr(socket, "send_fds", lambda *sent: send(*sent) if sent[0] is zygote._channel else full())
        with pytest.raises(WorkerDied):
            worker.fork(lambda: None)
        until(lambda: folders() <= before)


# A process that is gone by the time it was found: its child goes on in its place, and so forth.
FORKS_ON_AND_ON = (
    FORKS
    + """
if not forked:
    os.closerange(0, 300)
    while True:
        if libc.fork() > 0: libc._exit(0)
"""
)


def test_what_a_closed_session_has_left_ends_also_where_it_forks_on_and_on():
    with raw_session() as session:
        session.run("x = 1")
        session.run("x = 2")
        copy = session.fork()
        assert session.run(FORKS_ON_AND_ON).ok
    with copy:
        worker = copy._life._link.worker
        assert [copy.run("x").value for _ in range(3)] == [2, 2, 2]
        assert copy._life._link.worker is worker, "its own state had to be built again"
