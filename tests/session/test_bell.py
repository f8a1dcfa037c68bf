"""Waiting for a socket and for other threads at once."""

from __future__ import annotations

import os
import resource
import signal
import socket
import threading
from contextlib import suppress

import pytest

from codeact import Session
from codeact.errors import SessionError
from codeact.session import bell


def test_a_ring_is_no_message_and_is_heard_once() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        mine = bell.mine()
        mine.ring()
        assert mine.wait(60, ours.fileno()) is False
        assert mine.wait(0, ours.fileno()) is False
        theirs.send(b"x")
        assert mine.wait(60, ours.fileno()) is True


def interrupted_wait(beside: int) -> None:
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    bell.mine().wait(60, beside)


def test_a_wait_that_is_interrupted_leaves_nothing_for_later_ones_to_look_at() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        with pytest.raises(KeyboardInterrupt):
            interrupted_wait(ours.fileno())
        theirs.send(b"x")
        assert bell.mine().wait(0) is False


def bells() -> int:
    """How many bells hold a descriptor; other threads may open and close others at any time."""
    found = 0
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # closed meanwhile, as that of the listing itself is
            found += "eventfd" in os.readlink(f"/proc/self/fd/{name}")
    return found


def test_each_thread_has_a_bell_of_its_own_and_leaves_no_descriptor_behind() -> None:
    mine, others = bell.mine(), []
    before = bells()

    def look() -> None:
        others.append(bell.mine() is mine)

    for _ in range(10):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert others == [False] * 10
    assert bell.mine() is mine
    assert bells() <= before


def test_an_interrupt_that_comes_after_a_step_does_not_touch_the_next() -> None:
    with Session() as session:
        session.run("x = 1")
        bell.mine().ring()  # as an interrupt does that was about to ring when the step ended
        assert session.run("x + 1").value == 2


def test_a_thread_without_a_descriptor_left_says_so_and_the_session_lives_on() -> None:
    with Session() as session:
        session.run("x = 1")
        seen: list[BaseException] = []
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

        def run() -> None:
            try:
                session.run("x")
            except SessionError as error:
                seen.append(error)

        thread = threading.Thread(target=run)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))  # the standard three are open
        try:
            thread.start()
            thread.join()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert "ulimit -n" in str(seen[0])
        assert session.run("x + 1").value == 2


@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
def test_a_step_longer_than_a_packet_is_sent_and_ends(isolation: str) -> None:
    with Session(isolation=isolation) as session:  # type: ignore[arg-type]  # the literals above
        assert session.run(f"x = {'a' * 200_000!r}\nlen(x)").value == 200_000
