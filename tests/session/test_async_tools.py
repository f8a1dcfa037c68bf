"""Async tools: whatever one of them does, the loop they run on serves the others on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from codeact import Limits, Session

LIMITS = Limits(wall_seconds=5)


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
