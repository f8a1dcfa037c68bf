"""A paused step that is stopped as it goes on: it is still paused, and repeats no call."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from codeact import Limits, Session
from codeact.records import ToolCall
from codeact.session.settings import Listener
from tests.session.parts import STEP, World


def by_ctrl_c(session: Session) -> None:
    """Be interrupted as a user does it."""
    os.kill(os.getpid(), signal.SIGINT)


def by_interrupt(session: Session) -> None:
    """Be stopped from another thread."""
    session.interrupt()


def by_a_listener(session: Session) -> None:
    """Meet a listener that fails when the call has ended."""
    failing.append("once")


failing: list[str] = []


def fail_once(call: ToolCall) -> None:
    """Fail where it was agreed on."""
    if failing:
        failing.pop()
        raise OSError("nobody listens")


@pytest.mark.parametrize("checkpoints", [0, 1])
@pytest.mark.parametrize("stop", [by_ctrl_c, by_interrupt, by_a_listener])
def test_a_step_that_is_stopped_as_it_goes_on_is_still_paused_and_repeats_no_call(
    stop: Callable[[Session], None], checkpoints: int, tmp_path: Path
) -> None:
    world, stopped = World(), threading.Event()

    def halt() -> str:
        """Is in the middle of it when everything stops."""
        world.notes.append("halt")
        stop(session)
        assert failing or stopped.wait(20)
        return "halted"

    listener = Listener(call_ended=fail_once)
    step = f"{STEP[:-1]}, halt())"
    with Session([*world.tools(), halt], limits=Limits(checkpoints=checkpoints), listener=listener) as session:
        session.run("kept = 1")
        session.run(step)
        with suppress(KeyboardInterrupt, OSError):
            assert not session.go_on("yes").ok
        stopped.set()
        assert [call.tool for call in session.paused] == ["approve"]
        session.save(tmp_path / "stopped")
        session.go_on("yes")
        assert session.run("kept, before, said, after").value == (1, "BEFORE", "yes", "AFTER")
    with Session.resume(tmp_path / "stopped", [*world.tools(), halt]) as again:
        assert [call.tool for call in again.paused] == ["approve"]
        again.go_on("yes")
        assert again.run("kept, before, said, after").value == (1, "BEFORE", "yes", "AFTER")
    assert world.notes == ["before", "after", "halt"]


def test_a_step_that_is_cancelled_as_it_goes_on_is_still_paused() -> None:
    world = World()

    async def slow() -> str:
        """Never returns."""
        world.notes.append("slow")
        await asyncio.Event().wait()
        return "never"

    slow.effect = "read"  # type: ignore[attr-defined]  # functions take attributes

    async def cancelled() -> None:
        task = asyncio.ensure_future(session.ago_on("yes"))
        while "slow" not in world.notes:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Session([*world.tools(), slow]) as session:
        session.run(f"{STEP}\nslow()")
        asyncio.run(cancelled())
        assert [call.tool for call in session.paused] == ["approve"]
    assert world.notes == ["before", "after", "slow"]


def test_a_step_that_was_interrupted_and_never_paused_is_over(tmp_path: Path) -> None:
    world, stopped = World(), threading.Event()

    def halt() -> None:
        """Is in the middle of it when everything stops."""
        by_ctrl_c(session)
        assert stopped.wait(20)

    with Session([*world.tools(), halt]) as session:
        with pytest.raises(KeyboardInterrupt):
            session.run("note('once')\nhalt()")
        stopped.set()
        session.save(tmp_path / "stopped")
        session.run("note('once')")
    with Session.resume(tmp_path / "stopped", [*world.tools(), halt]) as again:
        assert again.finish() is None
    assert world.notes == ["once", "once"]
