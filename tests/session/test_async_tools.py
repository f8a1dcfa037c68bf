"""Async tools: the loop they run on serves the others on whatever one of them does, and they end with their step."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any

import pytest

from codeact import Limits, Session
from codeact.session import Isolation
from codeact.session.hosting import AsyncTools
from tests.session.parts import an_hour_passes

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

LIMITS = Limits(wall_seconds=20)


async def same(n: int) -> int:
    """Gives the number."""
    return n


async def leave() -> None:
    """Ends the program."""
    raise SystemExit(3)


async def interrupt() -> None:
    """Ends the program as Ctrl-C does."""
    raise KeyboardInterrupt


async def stop_the_loop() -> None:
    """Stops the loop it runs on."""
    asyncio.get_running_loop().stop()


async def leave_later() -> None:
    """Ends the program from a callback."""

    def leave() -> None:
        raise SystemExit(3)

    asyncio.get_running_loop().call_soon(leave)


EXITS = pytest.mark.parametrize("tool", [leave, interrupt], ids=lambda tool: tool.__name__)


@EXITS
def test_an_async_tool_that_ends_the_program_is_an_error_in_the_snippet_alone(tool: Any) -> None:
    with Session(tools=[tool, same], limits=LIMITS) as session, Session(tools=[same], limits=LIMITS) as other:
        failure = session.run(f"{tool.__name__}()").failure
        assert failure is not None
        assert "tried to end the program" in failure.message
        assert session.run("same(1)").value == 1
        assert other.run("same(2)").value == 2


@EXITS
def test_an_async_tool_that_ends_the_program_does_not_end_the_callers_loop(tool: Any) -> None:
    async def scenario() -> tuple[str, Any]:
        failure = (await session.arun(f"{tool.__name__}()")).failure
        assert failure is not None
        return failure.message, (await session.arun("same(1)")).value

    with Session(tools=[tool, same], limits=LIMITS) as session:
        message, value = asyncio.run(scenario())
    assert "tried to end the program" in message
    assert value == 1


@pytest.mark.parametrize("tool", [stop_the_loop, leave_later], ids=lambda tool: tool.__name__)
def test_the_loop_of_async_tools_goes_on_where_one_of_them_ends_it(tool: Any) -> None:
    with Session(tools=[tool, same], limits=LIMITS) as session:
        session.run(f"{tool.__name__}()")
        assert session.run("same(1)").value == 1


# --- tools that outlast their step -------------------------------------------------------------------------------


class Endless:
    """A tool that waits for ever, and what became of it."""

    def __init__(self) -> None:
        self.begun, self.cancelled = threading.Semaphore(0), threading.Semaphore(0)

    async def wait(self, n: int) -> int:
        """Waits for ever."""
        self.begun.release()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.release()
            raise
        return n


KINDS = pytest.mark.parametrize("isolation", ["caged", "inline"])
ONE = "wait(1)"
SEVERAL = "import asyncio\nawait asyncio.gather(*[wait.aio(n) for n in range(3)])"


@KINDS
def test_a_step_that_runs_out_of_time_cancels_its_async_tools(isolation: Isolation) -> None:
    tool = Endless()

    async def wait(n: int) -> int:
        """Waits for ever, past the time of the step."""
        an_hour_passes(session)
        return await tool.wait(n)

    with Session([wait], isolation=isolation) as session:
        failure = session.run(ONE).failure
        assert failure is not None
        assert failure.kind == "limit"
        assert tool.cancelled.acquire(timeout=20)
        assert session.run("1 + 1").value == 2


@KINDS
@pytest.mark.parametrize(("code", "calls"), [(ONE, 1), (SEVERAL, 3)], ids=["one", "several"])
def test_an_interrupted_step_cancels_its_async_tools(isolation: Isolation, code: str, calls: int) -> None:
    tool = Endless()
    with Session([tool.wait], isolation=isolation) as session, ThreadPoolExecutor(1) as thread:
        step = thread.submit(session.run, code)
        assert all(tool.begun.acquire(timeout=10) for _ in range(calls))
        session.interrupt()
        failure = step.result().failure
        assert failure is not None
        assert failure.type == "Interrupted"
        assert all(tool.cancelled.acquire(timeout=10) for _ in range(calls))


def test_a_cancelled_task_cancels_the_tool_of_its_step_on_the_callers_loop() -> None:
    tool = Endless()

    async def scenario() -> None:
        step = asyncio.create_task(session.arun(ONE))
        await asyncio.to_thread(tool.begun.acquire)
        step.cancel()
        await asyncio.wait([step])
        assert await asyncio.to_thread(tool.cancelled.acquire, timeout=10)

    with Session([tool.wait], limits=Limits(wall_seconds=20)) as session:
        asyncio.run(scenario())


def test_a_tool_that_is_called_off_before_its_loop_comes_to_it_never_begins() -> None:
    tool, tools, loop = Endless(), AsyncTools(), asyncio.new_event_loop()

    async def turns() -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as thread:
        result = thread.submit(tools.result_of, tool.wait(1), loop)
        tools.cancel()
        with pytest.raises(CancelledError):
            result.result()
    loop.run_until_complete(turns())
    loop.close()
    assert not tool.begun.acquire(blocking=False)
