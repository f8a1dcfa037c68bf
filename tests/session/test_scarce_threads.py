"""Where no thread can be had, or no more of what a copy takes: that is said, and costs nothing but what it was for."""

from __future__ import annotations

import errno
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeact import Limits, Session
from codeact.errors import SessionError
from codeact.session import hosting, lanes
from tests.session.parts import until

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning", "ignore:.*never awaited:RuntimeWarning")


@pytest.fixture
def none_named(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes it so that the next thread of this name cannot be started."""
    start = threading.Thread.start

    def refuse(name: str) -> None:
        def started(thread: threading.Thread) -> None:
            if thread.name == name:
                monkeypatch.setattr(threading.Thread, "start", start)
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", started)

    return refuse


async def same(n: int) -> int:
    """Gives the number."""
    return n


def test_async_tools_run_as_soon_as_a_thread_can_be_had_for_them(
    none_named: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "_loop", None)
    none_named("codeact loop")
    with Session([same], limits=Limits(wall_seconds=20)) as session:
        failure = session.run("same(1)").failure
        assert failure is not None
        assert "start new thread" in failure.message
        assert session.run("same(2)").value == 2


def test_an_inline_session_that_gets_no_thread_says_so_and_leaves_nothing(
    none_named: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    none_named("codeact inline")
    with pytest.raises(SessionError, match=r"no thread can be started .*ulimit -u"):
        Session(isolation="inline")
    assert not list(tmp_path.iterdir())
    with Session(isolation="inline") as session:
        assert session.run("1 + 1").value == 2


@pytest.mark.parametrize("sent", [False, True])
def test_a_copy_that_cannot_be_handed_what_it_takes_costs_its_original_nothing(
    sent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, calls = socket.send_fds, list[int]()

    def full(*arguments: Any) -> int:
        calls.append(1)
        if len(calls) == 1:  # what the zygote is told
            return send(*arguments)
        if sent:
            send(*arguments)
        raise OSError(errno.ETOOMANYREFS, "Too many references")

    with Session() as session:
        session.run("kept = 1")
        monkeypatch.setattr(socket, "send_fds", full)
        with pytest.raises(SessionError, match="Too many references"):
            session.fork()
        monkeypatch.setattr(socket, "send_fds", send)
        assert session.run("kept").value == 1
        assert list(session.variables()) == ["kept"]
        session.fork().close()


def test_not_all_threads_that_were_needed_at_once_stay() -> None:
    def alive() -> int:
        return sum(thread.name == "codeact lane" for thread in threading.enumerate())

    go_on, many = threading.Event(), 3 * lanes._MOST_IDLE
    for _ in range(many):
        lanes.run(go_on.wait)
    assert alive() >= many
    go_on.set()
    until(lambda: alive() < many)
