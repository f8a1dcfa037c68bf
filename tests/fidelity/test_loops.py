"""Programs that keep an event loop, and run it again and again, in plain CPython and in ours."""

from __future__ import annotations

import asyncio
import gc
import os
import sys

import pytest

from codeact import Session
from tests.fidelity.comparing import difference, in_ours
from tests.snippet.running import Step

_BEFORE = """
import asyncio
def fail(act):
    try: return act()
    except Exception as e: return f"{type(e).__name__}: {e}"
async def give(n):
    await asyncio.sleep(0.001)
    return n
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
"""

PROGRAMS = {
    "tasks that are made before it runs": "tasks = [loop.create_task(give(i)) for i in range(3)]\n"
    "loop.run_until_complete(asyncio.wait(tasks))\nprint([t.result() for t in tasks])",
    "what is gathered before it runs": "print(loop.run_until_complete(asyncio.gather(give(1), give(2))), asyncio.get_event_loop() is loop)",
    "a future": "future = loop.create_future()\nloop.call_soon(future.set_result, 3)\nprint(loop.run_until_complete(future))",
    "a task that goes on when it runs again": "out = []\nasync def work():\n    for i in range(3):\n        await asyncio.sleep(0)\n        out.append(i)\n"
    "task = loop.create_task(work())\nprint(loop.run_until_complete(give(1)), task.done(), loop.run_until_complete(task), out)",
    "one that runs until it is stopped": "out = []\nloop.call_soon(out.append, 1)\nloop.call_later(0.001, loop.stop)\nloop.run_forever()\nprint(out, loop.is_running())",
    "it knows itself": "async def same(): return asyncio.get_running_loop() is loop, loop.is_running()\nprint(loop.run_until_complete(same()), loop.is_running())",
    "what cannot be": "loop.run_until_complete(loop.shutdown_asyncgens())\nloop.close()\nleft = give(1)\nprint(loop.is_closed(), fail(lambda: loop.run_until_complete(left)), fail(loop.run_forever))\n"
    "left.close()\nasync def inner():\n    one, left = asyncio.new_event_loop(), give(1)\n    try: one.run_until_complete(left)\n    except RuntimeError as e: print(e)\n    finally: left.close(), one.close()\nasyncio.run(inner())",
    "two of them": "other = asyncio.new_event_loop()\ntask = other.create_task(give(5))\nprint(fail(lambda: loop.run_until_complete(task)), other.run_until_complete(task))\nother.close()",
    "a runner": "with asyncio.Runner() as runner: print(runner.run(give(1)), runner.run(give(2)))\nprint(fail(lambda: runner.run(5)))",
    "a runner that is cut short": "async def cut():\n    asyncio.current_task().cancel()\n    await asyncio.sleep(1)\nwith asyncio.Runner() as runner:\n"
    "    try: runner.run(cut())\n    except asyncio.CancelledError: print('cancelled', runner.run(give(3)))",
    "generators it was running": "async def numbers():\n    try:\n        for i in range(3): yield i\n    finally: print('closed')\n"
    "async def first():\n    async for n in numbers(): return n\nprint(loop.run_until_complete(first()))\nloop.run_until_complete(loop.shutdown_asyncgens())",
}


@pytest.fixture(autouse=True)
def none_is_left():
    yield
    asyncio.set_event_loop(None)  # of this process: a session has its own


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_loops_do_what_they_do_in_cpython(source):
    source = f"{_BEFORE}{source}\nloop.close()"
    assert in_ours(source)[1] is None
    assert difference(source) is None


def test_a_loop_is_there_without_being_made():
    assert (
        in_ours("import asyncio\nasync def two(): return 2\nasyncio.get_event_loop().run_until_complete(two())")[
            0
        ].value
        == "2"
    )


def test_a_loop_and_its_tasks_stay_from_step_to_step_and_are_a_copys_own():
    with Session() as session:
        assert session.run(f"{_BEFORE}task = loop.create_task(give(7))").ok
        with session.fork() as copy:
            assert copy.run(
                "loop.run_until_complete(task), loop.run_until_complete(asyncio.gather(give(1), give(2)))"
            ).value == (7, [1, 2])
        assert session.run("1 / 0").failure is not None
        assert session.run("task.done(), loop.run_until_complete(task)").value == (False, 7)


def test_loops_of_threads_leave_no_hooks_for_generators():
    step, before = Step(check_first=False), sys.get_asyncgen_hooks()
    source = (
        "import asyncio, threading\nasync def numbers():\n    for i in range(3):\n        yield i\n        await asyncio.sleep(0.001)\n"
        "async def add(n): return sum([i + n async for i in numbers()])\nasync def main(n): return [await add(n) for _ in range(n)]\n"
        "out = []\nthreads = [threading.Thread(target=lambda n=n: out.append(asyncio.run(main(n)))) for n in (1, 3, 2)]\n"
        "for t in threads: t.start()\nfor t in threads: t.join()\nsorted(out)"
    )
    assert step.run(source).value == [[6], [9, 9], [12, 12, 12]]
    assert sys.get_asyncgen_hooks() == before


def test_a_loop_that_waits_lets_tools_answer():
    async def ask(n: int) -> int:
        """Ask."""
        return n + 1

    with Session(tools=[ask]) as session:
        seen = session.run(f"{_BEFORE}loop.run_until_complete(asyncio.gather(*(ask.aio(n) for n in range(3))))")
        assert seen.value == [1, 2, 3]


def test_loops_have_no_descriptors():
    gc.collect()  # what another test has left
    step, before = Step(check_first=False), len(os.listdir("/proc/self/fd"))
    made = step.run(
        f"{_BEFORE}loops = [asyncio.new_event_loop() for _ in range(9)]\n[one.run_until_complete(give(1)) for one in loops]"
    )
    assert made.value == [1] * 9
    assert len(os.listdir("/proc/self/fd")) <= before
