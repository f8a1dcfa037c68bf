"""Sessions opened, used and closed from many threads and tasks at once."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from codeact import Policy, Session
from codeact.sandbox import zygotes

THREADS, TASKS = 16, 40


def worked(number: int) -> bool:
    with Session() as session:
        session.assign({"n": number})
        return session.run("n * 2").value == number * 2 and session.run("n + 1").value == number + 1


def test_threads_open_use_and_close_sessions_at_once() -> None:
    with ThreadPoolExecutor(THREADS) as threads:
        assert all(threads.map(worked, range(THREADS * 2)))


def test_tasks_open_use_and_close_sessions_at_once() -> None:
    async def use(number: int) -> bool:
        session = await asyncio.to_thread(Session)
        try:
            first = await session.arun(f"n = {number}\nn * 2")
            second = await session.arun("n + 1")
            return (first.value, second.value) == (number * 2, number + 1)
        finally:
            await asyncio.to_thread(session.close)

    async def all_of_them() -> list[bool]:
        return await asyncio.gather(*(use(number) for number in range(TASKS)))

    assert all(asyncio.run(all_of_them()))


def test_more_sessions_than_there_are_descriptors_are_refused_and_the_others_go_on() -> None:
    code = """
import resource
from codeact import Session
from codeact.errors import SessionError
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
held = []
try:
    while len(held) < 100:
        held.append(Session())
except SessionError as error:
    assert "ulimit -n" in str(error), error
assert 20 < len(held) < 40, len(held)
assert [session.run("n = 1").ok for session in held[:3]] == [True] * 3
for session in held[3:]:
    session.close()
with held[0].fork() as copy, Session() as another:
    print(copy.run("n + 1").value, another.run("4").value)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert (ran.stdout, ran.stderr) == ("2 4\n", "")


@pytest.mark.slow
def test_zygotes_that_are_killed_while_many_open_sessions_are_replaced_unnoticed() -> None:
    over = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while len(killed) < 2 and not over.wait(0.05):
            zygote = zygotes.running(Policy(), frozenset())
            if zygote is not None and zygote.pid not in killed:
                killed.append(zygote.pid)
                os.kill(zygote.pid, 9)

    def opened(_: int) -> bool:
        with Session() as session:
            return len(session.walls) > 0

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with ThreadPoolExecutor(4) as threads:
            while len(killed) < 2:
                assert all(threads.map(opened, range(24)))
    finally:
        over.set()
        killer.join()


def test_cancelling_a_step_that_waits_its_turn_stops_that_one_alone() -> None:
    async def scenario() -> tuple[Any, Any]:
        started, go = asyncio.Event(), asyncio.Event()

        async def hold() -> int:
            """Says that the step runs, and waits."""
            started.set()
            await go.wait()
            return 1

        with Session(tools=[hold]) as session:
            running = asyncio.create_task(session.arun("kept = hold()\nkept"))
            await started.wait()
            waiting = asyncio.create_task(session.arun("kept = 2"))
            await asyncio.sleep(0)  # to where it waits for the other to end
            waiting.cancel()
            await asyncio.sleep(0)
            go.set()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            return (await running).value, (await session.arun("kept")).value

    assert asyncio.run(scenario()) == (1, 1)
