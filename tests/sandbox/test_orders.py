"""Orders no host gives: the zygote refuses them and keeps its sessions."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import termios
import threading
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from codeact import Session
from codeact.errors import CageError
from codeact.limits import Policy
from codeact.sandbox import zygotes
from codeact.wire import orders
from tests.sandbox.conftest import until

NO_ORDERS = {
    "not msgpack": msgspec.Raw(b"\xc1"),
    "text that is none": msgspec.Raw(b"\xa1\xff"),
    "cut off": msgspec.Raw(orders.encode(orders.Kill(1, whole=True))[:-1]),
    "nested beyond measure": msgspec.Raw(b"\x91" * 100_000),
    "unknown": {"type": "Nothing"},
    "of another type": {"type": "Kill", "session": "one", "whole": True},
    "a second start": orders.Start((), ()),
    "a session without its socket": orders.Spawn(checked=True, memory_bytes=1, folder_bytes=1, checkpoints=1),
    "a file that is not there": orders.Spawn(checked=True, memory_bytes=1, folder_bytes=1, checkpoints=1, files=("a",)),
}


@pytest.mark.parametrize("order", NO_ORDERS.values(), ids=NO_ORDERS)
def test_what_is_no_order_is_refused_and_the_sessions_live_on(speak, order):
    session = speak()
    session.run("x = 1")
    zygote = zygotes.for_policy(Policy(), frozenset())
    with pytest.raises(CageError, match="this is no order that can be followed"):
        zygote.ask(order)

    assert session.run("x") == 1


def test_a_copy_without_a_page_is_refused(speak):
    session = speak()
    zygote = zygotes.for_policy(Policy(), frozenset())
    with pytest.raises(CageError, match="this is no order that can be followed"):
        zygote.ask(orders.Fork(session.worker._session))

    assert session.fork().run("1") == 1


def test_a_dead_session_that_is_to_be_copied_is_built_again_and_the_others_live_on(speak, zygote_pid, below):
    other = speak()
    others = set(below(zygote_pid()))
    with Session() as session:
        session.run("x = 1")
        killed = set(below(zygote_pid())) - others
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in killed))  # they are buried
        with session.fork() as copy:
            assert [copy.run("x").value, session.run("x").value] == [1, 1]
    assert other.run("1") == 1


def test_an_answer_that_nobody_waited_for_is_not_taken_for_the_next_one(speak):
    session = speak()
    session.run("x = 1")
    zygote = zygotes.for_policy(Policy(), frozenset())

    def interrupt() -> None:
        until(lambda: struct.unpack("i", fcntl.ioctl(zygote._channel, termios.TIOCOUTQ, bytes(4)))[0])
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    os.kill(zygote.pid, signal.SIGSTOP)
    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    with pytest.raises(KeyboardInterrupt):
        session.fork()
    interrupting.join()
    os.kill(zygote.pid, signal.SIGCONT)

    assert isinstance(zygote.ask(orders.Stir(session.worker._session)), orders.Stirring)
    assert session.fork().run("x") == session.run("x") == 1


class CtrlCOnceTaken:
    """A lock that Ctrl-C comes right behind, unless it is taken by a `with`: nothing comes between that and its block."""

    def __init__(self, lock: threading.Lock) -> None:
        self.lock, self.locked = lock, lock.locked

    def acquire(self, **options: object) -> bool:
        self.lock.acquire(**options)
        raise KeyboardInterrupt

    def __enter__(self) -> None:
        self.lock.__enter__()

    def __exit__(self, *error: object) -> None:
        self.lock.release()


def test_ctrl_c_as_a_zygote_is_told_to_look_leaves_it_to_others(speak):
    session = speak()
    zygote = zygotes.for_policy(Policy(), frozenset())
    lock = zygote._lock
    zygote._lock = CtrlCOnceTaken(lock)
    with suppress(KeyboardInterrupt):
        zygote.look()
    zygote._lock = lock
    if held := lock.locked():
        lock.release()

    assert not held
    assert session.run("1") == 1
