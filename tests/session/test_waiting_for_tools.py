"""Waits for tools that are bounded, or end in the order of the answers, and come to the same when they are lived again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeact import Limits, Policy, Session
from codeact.testing import raw_session
from tests.session.test_endings import FIND, add

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

THREADS = "import threading, time\nfrom concurrent.futures import *\nout, ex = [], ThreadPoolExecutor(3)\n"
LOOP = "import asyncio\nout = []\nasync def main():\n    t = asyncio.create_task(slow.aio())\n"

PROGRAMS = {
    "a future that is not there in time": (
        f"{THREADS}f = ex.submit(slow)\ntry: f.result(timeout=0.01)\nexcept TimeoutError: out.append('late')\nrelease()\nout.append(f.result())",
        ["late", "slow"],
    ),
    "a call that is not answered in time": (
        f"{THREADS}f = slow.submit()\nfor _ in range(3):\n    try: f.result(timeout=0.01)\n    except TimeoutError: out.append('late')\n"
        "release()\nout += [f.result(timeout=20), f.result(0)]",
        ["late", "late", "late", "slow", "slow"],
    ),
    "a call that is not answered in time, beside a thread": (
        f"{THREADS}f, e = slow.submit(), threading.Event()\nt = threading.Thread(target=e.wait)\nt.start()\ntry: f.result(timeout=0.01)\n"
        "except TimeoutError: out.append('late')\nrelease()\nout.append(f.result(20))\ne.set()",
        ["late", "slow"],
    ),
    "who is answered first": (
        f"{THREADS}fs = [ex.submit(slow), ex.submit(quick)]\nfor f in as_completed(fs):\n    out.append(f.result())\n    if len(out) == 1: release()",
        ["quick", "slow"],
    ),
    "a thread that sleeps meanwhile": (
        f"{THREADS}def rest():\n    time.sleep(0.01)\n    out.append('woken')\n    release()\nt = threading.Thread(target=rest)\nt.start()\n"
        "out.append(slow())\nt.join()",
        ["woken", "slow"],
    ),
    "a beat meanwhile": (
        f"{THREADS}done = threading.Event()\ndef beat():\n    while not done.wait(0.01):\n        out.append('beat')\n        if len(out) == 3: release()\n"
        "t = threading.Thread(target=beat)\nt.start()\nout.append(slow())\ndone.set()\nt.join()",
        ["beat", "beat", "beat", "slow"],
    ),
    "a call that is looked for": (
        f"{THREADS}f = slow.submit()\nwhile not f.done():\n    out.append('no')\n    time.sleep(0.01)\n    if len(out) == 3: release()\nout = out[:3] + [f.result()]",
        ["no", "no", "no", "slow"],
    ),
    "a call that is asked for again and again": (
        f"{THREADS}f, n = slow.submit(), 0\nwhile not f.done():\n    n += 1\n    if n == 50: release()\nout = [n >= 50, f.result()]",
        [True, "slow"],
    ),
    "a task that is not there in time": (
        f"{LOOP}    try: await asyncio.wait_for(asyncio.shield(t), 0.01)\n    except TimeoutError: out.append('late')\n    await release.aio()\n    out.append(await t)\n"
        "asyncio.run(main())",
        ["late", "slow"],
    ),
    "a task that is given up": (
        f"{LOOP}    try: await asyncio.wait_for(t, 0.01)\n    except TimeoutError: out.append('late')\n    release()\nasyncio.run(main())",
        ["late"],
    ),
    "answers that come while the loop is held up": (
        "import asyncio, time\nasync def main():\n    ts = [asyncio.create_task(quick.aio()) for _ in range(3)]\n    await asyncio.sleep(0)\n"
        "    time.sleep(0.05)\n    return await asyncio.gather(*ts)\nout = asyncio.run(main())",
        ["quick"] * 3,
    ),
    "a loop that does nothing but look, beside a thread that waits": (
        "import asyncio, threading\nout, over = [], threading.Event()\nt = threading.Thread(target=over.wait)\nt.start()\n"
        "async def main():\n    t = asyncio.create_task(quick.aio())\n    while not t.done(): await asyncio.sleep(0)\n    return [await t]\n"
        "out = asyncio.run(main())\nover.set()\nt.join()",
        ["quick"],
    ),
    "a loop that tells how it waits": (
        f"{LOOP}    while not t.done():\n        await asyncio.wait([t], timeout=0.01)\n        out.append('waits')\n        if len(out) == 3: release()\n"
        "    return out[:3] + [t.result()]\nout = asyncio.run(main())",
        ["waits", "waits", "waits", "slow"],
    ),
    "a call of a task whose loop is closed": (
        f"{LOOP}    await asyncio.sleep(0)\nloop = asyncio.new_event_loop()\nloop.run_until_complete(main())\nloop.close()\n"
        "release()\nout.append(slow())",
        ["slow"],
    ),
}  # fmt: skip


def tools() -> tuple[list[Callable[[], Any]], list[str]]:
    released, called = threading.Event(), []

    def slow() -> str:
        """Answer when it is released."""
        called.append("slow")
        assert released.wait(20)
        return "slow"

    def quick() -> str:
        """Answer at once."""
        called.append("quick")
        return "quick"

    def release() -> None:
        """Let the slow ones answer."""
        called.append("release")
        released.set()

    return [slow, quick, release], called


@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.parametrize(("source", "comes_to"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_wait_is_over_when_its_time_is_or_the_answer_is_there(source: str, comes_to: Any, isolation: str) -> None:
    with Session(tools=tools()[0], isolation=isolation, limits=Limits(wall_seconds=15)) as session:
        assert session.run(f"{source}\nout").value == comes_to


@pytest.mark.parametrize(("source", "comes_to"), PROGRAMS.values(), ids=PROGRAMS)
def test_it_comes_to_the_same_when_it_is_lived_again(source: str, comes_to: Any, tmp_path: Path) -> None:
    makes, called = tools()
    with Session(tools=makes, journal=tmp_path / "journal", limits=Limits(wall_seconds=15)) as session:
        assert session.run(source).ok
    made = list(called)
    with Session.resume(tmp_path / "journal", tools=makes) as session:
        assert session.run("out").value == comes_to
    assert called == made


@pytest.mark.parametrize(("taken", "counted"), [(0, 0), (1, 1)])
def test_a_wait_that_ended_as_an_answer_came_is_none_in_vain(taken: int, counted: int) -> None:
    def call(number: int) -> str:
        return f"tell(say.Call((1 << 32) + {number}, 'add', [1], {{}}, False)), sock.recv(99)\n"

    with raw_session(tools=[add]) as session:
        session.run(f"{FIND}{call(1)}tell(say.Waits(taken={taken})), sock.recv(99)\n{call(2)}")
        answers = session._life.log.past().events[-1].answers  # type: ignore[union-attr]  # of a step
        assert [answer.begun for answer in answers.values()] == [1, 2 + counted]


HELD_UP = """
import anyio, time
out = []
async def call():
    out.append(await quick.aio())
async def main():
    async with anyio.create_task_group() as group:
        for _ in range(3): group.start_soon(call)
        await anyio.sleep(0)
        time.sleep(0.05)
anyio.run(main)
out
"""


def test_a_loop_of_a_library_that_is_held_up_hears_of_all_that_was_answered_meanwhile() -> None:
    with Session(tools()[0], policy=Policy(["anyio"]), limits=Limits(wall_seconds=15)) as session:
        assert session.run(HELD_UP).value == ["quick"] * 3
