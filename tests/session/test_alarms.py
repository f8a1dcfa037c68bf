"""What a handler of a signal raises in the host, as alarms do, goes to whoever set it; no session is lost over it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from ctypes import ArgumentError
from pathlib import Path
from typing import Any

import pytest

from codeact import Session
from codeact.session import Isolation

SOON_SECONDS = 0.05


@pytest.fixture
def alarm() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Sets an alarm that does something, and raises what most of them do."""

    def set_alarm(do: Callable[[], None]) -> None:
        def ring(*_: object) -> None:
            do()
            raise TimeoutError("the alarm")

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, SOON_SECONDS)

    before = signal.getsignal(signal.SIGALRM)
    yield set_alarm
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def rings_after(target: Any, name: str, error: Exception) -> None:
    """Have an alarm come right after the next call of a method has done its work."""
    method = getattr(target, name)

    def ring(*arguments: Any, **options: Any) -> Any:
        setattr(target, name, method)
        method(*arguments, **options)
        raise error

    setattr(target, name, ring)


@pytest.mark.usefixtures("nothing_in_reserve")
@pytest.mark.parametrize("wait", [lambda session: Session(), Session.fork], ids=["start", "fork"])
def test_an_alarm_while_a_zygote_is_waited_for_ends_neither_it_nor_its_sessions(
    wait: Callable[[Session], Session], alarm: Callable[[Callable[[], None]], None]
) -> None:
    with Session() as session, Session() as other:
        session.run("x = 1")
        other.run("x = 2")
        zygote = other._life._link.worker.zygote
        os.kill(zygote.pid, signal.SIGSTOP)
        alarm(lambda: os.kill(zygote.pid, signal.SIGCONT))
        with pytest.raises(TimeoutError, match="the alarm"):
            wait(session)
        assert zygote.alive
        assert (session.run("x").value, other.run("x").value) == (1, 2)


@pytest.mark.parametrize("error", [TimeoutError("the alarm"), ValueError("the alarm"), RuntimeError("the alarm")])
@pytest.mark.parametrize("moment", ["send", "receive"])
def test_an_alarm_while_a_worker_is_asked_something_leaves_no_reply_for_the_next_step(
    error: Exception, moment: str
) -> None:
    with Session() as session:
        session.run("x = 1")
        rings_after(session._life._link.channel, moment, error)
        with pytest.raises(type(error), match="the alarm"):
            session.variables()
        assert session.run("x").value == 1


def test_an_alarm_while_a_session_is_saved_is_no_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def rings(*_: object) -> None:
        raise TimeoutError("the alarm")

    with Session() as session:
        session.run("x = 1")
        monkeypatch.setattr(Path, "replace", rings)
        with pytest.raises(TimeoutError, match="the alarm"):
            session.save(tmp_path / "saved")
        assert list(tmp_path.iterdir()) == []


def deep(levels: int, do: Callable[[], object]) -> object:
    return do() if levels <= 0 else deep(levels - 1, do)


def depth() -> int:
    frame, count = sys._getframe(), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1  # type: ignore[assignment]  # the last one has none
    return count


@pytest.mark.filterwarnings("ignore:isolation=")
@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_a_host_that_has_no_room_for_deeper_calls_is_told_so_and_loses_no_session(isolation: Isolation) -> None:
    value = "x = []\nfor _ in range(60): x = [x]\nx"
    with Session(isolation=isolation) as session:
        whole = session.run(value).value
        session.run("kept = []")
        kept, room = 0, sys.getrecursionlimit() - depth()
        for left in range(10, 250, 3):
            try:
                kept += bool(deep(room - left, lambda: session.run(f"kept.append(1)\n{value}").ok))
            except (RecursionError, ArgumentError):  # as ctypes passes it on
                assert session.run("len(kept)").value == kept
        assert kept > 0
        assert session.run("(len(kept), x)").value == (kept, whole)
