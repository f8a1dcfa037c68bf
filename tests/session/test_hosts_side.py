"""What sessions and tools do to the host they run in: nothing, whatever happens in them."""

from __future__ import annotations

import asyncio
import decimal
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from codeact import Limits, Session
from codeact.session import Isolation
from tests.session.parts import with_hours

KINDS = pytest.mark.parametrize("isolation", ["caged", "inline"])

BUSY = """
import random, decimal, sys, os, warnings, logging, locale, asyncio, time
random.seed(1)
sys.setrecursionlimit(5000)
decimal.getcontext().prec = 5
warnings.simplefilter("error")
logging.basicConfig(level="DEBUG")
open("written.txt", "w").write("x")
async def nap():
    await asyncio.sleep(0)
await nap()
print("printed")
os.environ if hasattr(os, "environ") else None
"""
ENDS = {
    "well": "1",
    "with an error": "1 / 0",
    "at a limit": "while True: pass",
    "in deep recursion": "def f(n): return f(n + 1)\nf(0)",
    "with an exit": "import sys\nsys.exit(3)",
}


def of_this_process() -> dict[str, Any]:
    """What a snippet must leave as it is."""
    return {
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "recursion": sys.getrecursionlimit(),
        "signals": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)],
        "path": list(sys.path),
        "streams": [id(sys.stdout), id(sys.stderr), id(sys.stdin)],
        "hooks": [id(sys.excepthook), id(sys.unraisablehook), id(sys.displayhook), sys.gettrace(), sys.getprofile()],
        "decimal": (decimal.getcontext().prec, decimal.getcontext().rounding),
        "mask": os.umask(os.umask(0o022)),
        "switch": sys.getswitchinterval(),
    }


@KINDS
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_step_leaves_the_host_process_as_it_was(isolation: Isolation, end: str) -> None:
    with Session(isolation=isolation, limits=Limits(operations=200_000, wall_seconds=10)) as session:
        before = of_this_process()
        session.run(BUSY)
        session.run(end)
        assert of_this_process() == before
    assert of_this_process() == before


# --- tools that do not behave ------------------------------------------------------------------------------------


def huge() -> bytes:
    """Returns a gigabyte."""
    return b"x" * (1 << 30)


def leave() -> int:
    """Ends the program."""
    raise SystemExit(3)


@KINDS
@pytest.mark.parametrize(("tool", "told"), [(huge, "too large"), (leave, "tried to end the program")])
def test_a_tool_that_does_not_behave_is_an_error_in_the_snippet(isolation: Isolation, tool: Any, told: str) -> None:
    with Session(tools=[tool], isolation=isolation) as session:
        failure = session.run(f"kept = 1\n{tool.__name__}()").failure
        assert failure is not None
        assert told in failure.message
        assert session.run("kept").value == 1


# --- several at a time -------------------------------------------------------------------------------------------


def test_steps_of_one_session_from_many_threads_come_one_after_the_other() -> None:
    with Session() as session, ThreadPoolExecutor(8) as pool:
        session.run("seen = []")
        list(pool.map(lambda n: session.run(f"seen.append({n})\nseen.append({n})"), range(24)))
        seen = session.run("seen").value
    assert sorted(seen) == sorted([*range(24), *range(24)])
    assert seen[::2] == seen[1::2]


def test_steps_of_one_session_from_many_tasks_come_one_after_the_other() -> None:
    async def scenario() -> list[int]:
        async def note(n: int) -> int:
            """Waits a moment."""
            await asyncio.sleep(0)
            return n

        with Session(tools=[note]) as session:
            await session.arun("seen = []")
            await asyncio.gather(*(session.arun(f"seen.append(note({n}))\nseen.append({n})") for n in range(8)))
            seen: list[int] = (await session.arun("seen")).value
            return seen

    seen = asyncio.run(scenario())
    assert seen[::2] == seen[1::2]
    assert sorted(seen[::2]) == list(range(8))


# --- stopping ----------------------------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("busy", ["while True: pass", "import time\nfor _ in range(600): time.sleep(0.1)"])
def test_an_interrupt_keeps_the_session(isolation: Isolation, busy: str) -> None:
    started = threading.Event()

    def start() -> None:
        """Says that the step runs."""
        started.set()

    with Session(tools=[start], isolation=isolation, limits=Limits(operations=10**12, wall_seconds=60)) as session:
        session.run("kept = 1")

        def stop() -> None:
            started.wait()
            session.interrupt()

        threading.Thread(target=stop).start()
        seen = session.run(f"start()\n{busy}")
        assert seen.failure is not None
        assert seen.failure.type == "Interrupted"
        assert session.run("kept").value == 1


def test_a_cancelled_step_leaves_no_exception_unread(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        started = asyncio.Event()

        async def start() -> None:
            """Says that the step runs."""
            started.set()

        session = Session(tools=[start], limits=Limits(operations=10**12))
        running = asyncio.create_task(session.arun("start()\nwhile True: pass"))
        await started.wait()
        threading.Thread(target=session.close).start()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        closed = asyncio.create_task(session.arun("1"))
        await asyncio.sleep(0)
        closed.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closed

    asyncio.run(scenario())
    assert [record.getMessage() for record in caplog.records] == []


BOMBS = (
    "while True: pass",
    "x = 10 ** 10 ** 9",
    "x = 'a' * 10 ** 11",
    "sum(range(10 ** 11))",
    "def f(n): return f(n + 1)\nf(0)",
    "import re\nhour()\nre.match('(a+)+$', 'a' * 40 + 'b')",
    "hour()\nfor i in range(10 ** 9): print('x' * 1000)",
    "x = [0] * 10 ** 9",
)


def bombed(times: int) -> None:
    """A session hit so often answers the next step with all it had, and the host is as it was."""
    with with_hours(limits=Limits(operations=500_000, memory_bytes=256 << 20)) as session:
        session.run("kept = 1")
        session.run(BOMBS[0])
        before = host_size()
        for number in range(times):
            seen = session.run(BOMBS[number % len(BOMBS)])
            assert seen.failure is not None
            assert session.run("kept").value == 1
        after = host_size()
    assert after[0] <= before[0] + 2
    assert after[1] <= before[1] + (16 << 20)


def host_size() -> tuple[int, int]:
    """The open descriptors of this process, and its memory."""
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[1])
    return len(os.listdir("/proc/self/fd")), pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.usefixtures("nothing_in_reserve")
def test_twenty_bombs_in_a_row_on_one_session() -> None:
    bombed(20)


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_in_reserve")
def test_two_hundred_bombs_in_a_row_on_one_session() -> None:
    bombed(200)
