"""Those who wait for their turn with a session: closing it, or calling one of them off, does not wait for the others."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codeact import Limits, Session
from codeact.errors import SessionClosed, SessionError
from codeact.session import Isolation, lanes
from codeact.session import turns as turns_module
from codeact.session.onestep import OneStep
from codeact.session.turns import Turn

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


class Counted:
    """A lock that counts who comes for it."""

    def __init__(self) -> None:
        self._lock, self.came = threading.Lock(), threading.Semaphore(0)
        self.locked = self._lock.locked

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

    session = Session([start], limits=Limits(operations=10**12), isolation=isolation)
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


@pytest.mark.parametrize("times", [1, 2])
def test_a_task_that_is_cancelled_while_it_waits_its_turn_ends_at_once(
    times: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> object:
        started, go = asyncio.Event(), asyncio.Event()

        async def hold() -> int:
            """Says that the step runs, and waits."""
            started.set()
            await go.wait()
            return 1

        with Session([hold]) as session:
            running = asyncio.create_task(session.arun("kept = hold()"))
            await started.wait()
            waiting = asyncio.create_task(session.arun("kept = 2"))
            await asyncio.sleep(0)  # to where it waits for the other to end
            for _ in range(times):
                waiting.cancel()
                await asyncio.sleep(0)
            await asyncio.wait([waiting])
            assert waiting.cancelled()
            assert not running.done()
            go.set()
            await running
            return (await session.arun("kept")).value

    assert asyncio.run(scenario()) == 1
    gc.collect()  # what was raised and not read is logged now
    assert [record.getMessage() for record in caplog.records] == []


def test_an_interrupt_that_comes_as_a_step_begins_stops_that_step(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = turns_module._inside

    class Interrupting:
        """The turns under way; the next one is interrupted as it begins."""

        get, reset = turns.get, turns.reset

        def set(self, now: frozenset[Turn]) -> object:
            monkeypatch.undo()
            session.interrupt()
            return turns.set(now)

    with Session(limits=Limits(operations=10**12)) as session:
        session.run("kept = 1")
        for run in (session.run, lambda code: asyncio.run(session.arun(code))):
            monkeypatch.setattr(turns_module, "_inside", Interrupting())
            failure = run("kept = 2\nwhile True: pass").failure
            assert failure is not None
            assert failure.type == "Interrupted"
        monkeypatch.setattr(turns_module, "_inside", Interrupting())
        assert list(session.variables()) == ["kept"]
        assert session.run("kept").value == 1


def test_a_step_that_is_called_off_before_it_begins_does_not_run() -> None:
    with Session() as session:
        step = OneStep(session, "kept = 1")
        step.call_off()
        with pytest.raises(SessionError, match="nothing of it has run"):
            step.run()
        with pytest.raises(SessionError, match="nothing of it has run"):
            asyncio.run(step.arun())
        assert session.variables() == {}
        assert OneStep(session, "2").run().value == asyncio.run(OneStep(session, "1 + 1").arun()).value == 2


def test_a_task_that_is_cancelled_while_its_step_runs_ends_after_the_step() -> None:
    async def scenario() -> object:
        started = asyncio.Event()

        async def start() -> None:
            """Says that the step runs."""
            started.set()

        with Session([start], limits=Limits(operations=10**12)) as session:
            running = asyncio.create_task(session.arun("kept = 1\nstart()\nwhile True: pass"))
            await started.wait()
            running.cancel()
            await asyncio.wait([running])
            return session._lock.locked()

    assert asyncio.run(scenario()) is False


def test_a_turn_that_ctrl_c_kept_from_beginning_ends_no_later_one() -> None:
    with Session(isolation="inline") as session:
        never_begun = [session._turn()]
        never_begun[0].__enter__()  # Ctrl-C comes before the `with` has it
        with session._turn():
            running = session._life.turn
            never_begun.clear()  # as the collector would, at any time
            assert session._life.turn is running


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_steps_that_tasks_of_one_loop_ask_for_run_in_the_order_they_were_asked_for(isolation: Isolation) -> None:
    async def scenario() -> object:
        with Session(isolation=isolation) as session:
            session.run("order = []")
            for _ in range(5):
                steps = [asyncio.create_task(session.arun(f"order.append({number})")) for number in range(6)]
                await asyncio.sleep(0)
                steps[3].cancel()
                await asyncio.wait(steps)
            return session.run("order").value

    assert asyncio.run(scenario()) == [0, 1, 2, 4, 5] * 5


def test_a_step_for_which_there_is_no_thread_holds_up_none_of_those_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> list[object]:
        with Session() as session:
            run = lanes.run

            def none_once(job: lanes.Job) -> None:
                monkeypatch.setattr(lanes, "run", run)
                raise SessionError("no thread can be started")

            monkeypatch.setattr(lanes, "run", none_once)
            seen = await asyncio.gather(session.arun("1"), session.arun("2"), return_exceptions=True)
            return [type(seen[0]), getattr(seen[1], "value", None)]

    assert asyncio.run(scenario()) == [SessionError, 2]


_CLOSES_ON_A_SIGNAL = """
import os, signal, sys
from codeact import Session

def stopped(number, frame):
    session.close()
    session.close()
    print("closed", flush=True)

def stop() -> int:
    \"\"\"Is stopped.\"\"\"
    os.kill(os.getpid(), signal.SIGTERM)
    pause.wait(20)
    return 1

import threading
pause = threading.Event()
signal.signal(signal.SIGTERM, stopped)
session = Session([stop], isolation=sys.argv[1], journal=sys.argv[2])
session.run("kept = 1")
print(session.run("stop()").failure.type)
print(session._life._link.open)
"""


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_a_signals_handler_closes_the_session_whose_step_it_came_in(isolation: str, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _CLOSES_ON_A_SIGNAL, isolation, tmp_path / "live"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.stdout.splitlines() == ["closed", "Interrupted", "False"], told.stderr

    def stop() -> int:
        """Is not called."""
        return 0

    with Session.resume(tmp_path / "live", [stop]) as again:
        assert again.run("kept").value == 1
