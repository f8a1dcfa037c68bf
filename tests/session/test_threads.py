"""Threads of a snippet: what they call works side by side, and they stay from step to step as all else does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeact import Limits, Pause, Session

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

SIDE_BY_SIDE = {
    "a pool": "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n    out = list(pool.map(lambda n: meet(n) + 1, range(4)))\nout",
    "a pool of tools": "from concurrent.futures import *\nwith ThreadPoolExecutor(4) as pool:\n    fs = [pool.submit(meet, n + 1) for n in range(4)]\nsorted(f.result() for f in as_completed(fs))",
    "threads and the step": "import threading\nout = []\nthreads = [threading.Thread(target=lambda n=n: out.append(meet(n) + 1)) for n in range(3)]\n"
    "for t in threads: t.start()\nout.append(meet(3) + 1)\nfor t in threads: t.join()\nsorted(out)",
    "threads of a loop": "import asyncio\nawait asyncio.gather(*(asyncio.to_thread(lambda n=n: meet(n) + 1) for n in range(3)), asyncio.to_thread(meet, 4))",
    "a loop and a thread": "import asyncio, threading\nout = []\nthreads = [threading.Thread(target=lambda n=n: out.append(meet(n) + 1)) for n in range(2)]\n"
    "for t in threads: t.start()\nout += await asyncio.gather(meet.aio(3), meet.aio(4))\nfor t in threads: t.join()\nsorted(out)",
    "loops of threads": "import asyncio, threading\nout = []\nasync def ask(n):\n    await asyncio.sleep(0.001 * (n % 2))\n    out.append(await meet.aio(n) + 1)\n"
    "threads = [threading.Thread(target=lambda n=n: asyncio.run(ask(n))) for n in range(4)]\nfor t in threads: t.start()\nfor t in threads: t.join()\nsorted(out)",
    "workers": "import queue, threading\nq, out = queue.Queue(), []\ndef work():\n    while True:\n        out.append(meet(q.get()) + 1)\n        q.task_done()\n"
    "for _ in range(4): threading.Thread(target=work, daemon=True).start()\nfor n in range(4): q.put(n)\nq.join()\nsorted(out)",
}


def meet_of(parties: int):
    barrier = threading.Barrier(parties)

    def meet(n: int) -> int:
        """Give the number once as many calls are under way as are to meet."""
        barrier.wait(20)
        return n

    return meet


@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.parametrize("source", SIDE_BY_SIDE.values(), ids=SIDE_BY_SIDE)
def test_what_threads_call_works_side_by_side(source: str, isolation: str) -> None:
    with Session(tools=[meet_of(4)], isolation=isolation) as session:
        seen = session.run(source)
        assert seen.failure is None
        assert seen.value == [1, 2, 3, 4]


def test_several_threads_may_ask_for_the_answer_to_one_call() -> None:
    source = (
        "import threading\nasked, out = answer.submit(), []\nthreads = [threading.Thread(target=lambda: out.append(asked.result())) for _ in range(3)]\n"
        "for t in threads: t.start()\nfor t in threads: t.join()\nout, asked.result()"
    )

    def answer() -> int:
        """Answer."""
        return 42

    with Session(tools=[answer]) as session:
        assert session.run(source).value == ([42, 42, 42], 42)


def test_a_loop_that_only_its_step_could_end_does_not_keep_the_step_from_ending() -> None:
    source = (
        "import asyncio, threading\nloops, out = [], []\nasync def serve():\n    loops.append((asyncio.get_running_loop(), stop := asyncio.Event()))\n"
        "    await stop.wait()\n    out.append('stopped')\nthreading.Thread(target=lambda: asyncio.run(serve())).start()"
    )
    with Session(limits=Limits(wall_seconds=20)) as session:
        assert session.run(source).ok
        assert session.run("loop, stop = loops[0]\nloop.call_soon_threadsafe(stop.set)").ok
        assert session.run("out").value == ["stopped"]


WORKER = """
import queue, threading
jobs, done = queue.Queue(), []
def work():
    while True:
        job = jobs.get()
        done.append(job * 2)
        jobs.task_done()
threading.Thread(target=work, daemon=True).start()
"""
NEXT = "jobs.put({})\njobs.join()\ndone"


@pytest.fixture(params=["caged", "inline"])
def working(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Session(isolation=request.param, limits=Limits(operations=100_000)) as session:
        assert session.run(WORKER).ok
        assert session.run(NEXT.format(1)).value == [2]
        yield session


def test_a_thread_goes_on_in_later_steps(working: Session) -> None:
    assert working.run(NEXT.format(2)).value == [2, 4]
    assert working.run("1 / 0").failure is not None
    assert working.run(NEXT.format(3)).value == [2, 4, 6]


def test_a_thread_is_there_after_a_step_that_was_cut_off(working: Session) -> None:
    assert working.run("while True: jobs.put(1), jobs.join()").failure.kind == "limit"
    assert working.run(NEXT.format(2)).value == [2, 4]


@pytest.mark.parametrize(
    "answers",
    [
        "threading.Thread(target=final_answer, args=(5,)).start()",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool: pool.map(final_answer, [5] * 9)",
        "import time\nfor _ in range(3): threading.Thread(target=lambda: (time.sleep(0.001), (lambda: done.append(0))())).start()\nfinal_answer(5)",
    ],
)
def test_who_waits_stays_where_another_thread_gives_the_answer(working: Session, answers: str) -> None:
    assert working.run(answers).answer == 5
    assert working.run(NEXT.format(2)).value == [2, 4]
    assert working.run("threading.active_count() < 4").value is True


def test_a_thread_that_does_not_end_ends_its_step(working: Session) -> None:
    failure = working.run(
        "jobs.put(iter(int, 1)), jobs.put('x')\ndef work():\n    while True: pass\nthreading.Thread(target=work).start()"
    ).failure
    assert failure.kind == "limit"
    assert working.run("threading.active_count(), threading.current_thread().name").value == (2, "MainThread")


def test_a_copy_of_a_session_has_threads_of_its_own() -> None:
    with Session() as session:
        session.run(WORKER)
        with session.fork() as copy:
            assert copy.run(NEXT.format(2)).value == [4]
            assert session.run(NEXT.format(3)).value == [6]
        session.rewind(1)
        assert session.run(NEXT.format(4)).value == [8]


def test_threads_of_a_pool_that_is_gone_are_over(working: Session) -> None:
    source = (
        "import gc\nfrom concurrent.futures import ThreadPoolExecutor\nclass Holder: pass\ndef use():\n    held = Holder()\n    held.itself, held.pool = held, ThreadPoolExecutor(2)\n"
        "    return held.pool.submit(int, '3').result()\nbefore = threading.active_count()\nfound = use()\ngc.collect()\nthreading.Event().wait(0.001)\nfound, threading.active_count() - before"
    )
    assert working.run(source).value == (3, 0)


def test_threads_that_call_tools_come_to_the_same_when_a_session_is_built_again(tmp_path: Path) -> None:
    called = []

    def ask(n: int) -> int:
        """Ask."""
        called.append(n)
        return n * 10

    source = (
        "import threading, time\nout = []\ndef work(n):\n    time.sleep(0.001 * (n % 3))\n    out.append((n, ask(n)))\n    out.append(ask(n + 100))\n"
        "threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]\nfor t in threads: t.start()\nfor t in threads: t.join()\nout"
    )
    with Session(tools=[ask], journal=tmp_path / "journal") as session:
        was = session.run(source).value
        session.run("threading.Thread(target=threading.Event().wait, daemon=True).start()")
        session.save(tmp_path / "saved")
    assert len(called) == 12
    with Session.resume(tmp_path / "saved", tools=[ask]) as again:
        assert again.run("out").value == was
        assert again.run("threading.active_count()").value == 2
    assert len(called) == 12


def test_a_call_of_a_thread_that_is_held_open_goes_on_elsewhere(tmp_path: Path) -> None:
    called = []

    def approve(n: int) -> bool:
        """Ask a person about the second."""
        called.append(n)
        if n == 2:
            raise Pause("asked")
        return True

    source = "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(3) as pool: said = list(pool.map(lambda n: approve(n), range(4)))\nsaid"
    with Session(tools=[approve]) as session:
        assert session.run(source).paused.arguments == {"n": 2}
        session.save(tmp_path / "paused")
    with Session.resume(tmp_path / "paused", tools=[approve]) as again:
        assert again.go_on(False).value == [True, True, False, True]
    assert sorted(called) == [0, 1, 2, 3]
