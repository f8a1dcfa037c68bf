"""A thread is asked to stop a step: that step and no other, and it goes on to the next one."""

from __future__ import annotations

import ctypes
import functools
import gc
import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from codeact import Limits, Session
from codeact.session.stopping import Stop
from codeact.snippet.endings import LimitReached
from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

CALLS = "for n in range(20):\n    y = look(n)"


@contextmanager
def interrupting(session: Session, pokes: threading.Semaphore) -> Iterator[None]:
    """Interrupt a session from another thread whenever it is poked, and no more afterwards."""
    over = threading.Event()

    def poke() -> None:
        while not over.is_set():
            pokes.acquire()
            session.interrupt()

    poking = threading.Thread(target=poke)
    poking.start()
    try:
        yield
    finally:
        over.set()
        pokes.release()
        poking.join()


def test_an_inline_session_is_kept_however_often_it_is_interrupted() -> None:
    pokes = threading.Semaphore(0)

    def look(n: int) -> int:
        """Give the number."""
        if n % 7 == 3:
            pokes.release()
        return n

    with Session(tools=[look], isolation="inline") as session:
        session.run("kept = 41")
        with interrupting(session, pokes):
            seen = [session.run(CALLS) for _ in range(40)]
        assert {one.failure.type for one in seen if one.failure is not None} == {"Interrupted"}
        assert session.run("kept + 1").value == 42


def stopped(stop: Stop, step: int, *, meanwhile: int = -1) -> bool:
    """Run a step, ask for one to be stopped meanwhile, and say whether the first was."""
    stop.begin(step)
    try:
        with stop:
            stop.ask(meanwhile)
            threading.get_ident()  # a call, at which the exception comes in
    except LimitReached:
        return True
    return False


def test_what_comes_before_the_first_step_is_not_stopped() -> None:
    with Stop():
        went_on = True

    assert went_on


def test_a_step_is_stopped_where_it_runs() -> None:
    assert stopped(Stop(), 1, meanwhile=1)


def test_a_step_is_stopped_where_it_has_not_begun() -> None:
    stop = Stop()
    stop.ask(1)

    assert stopped(stop, 1)


def test_a_step_that_is_over_leaves_the_next_one_alone() -> None:
    stop = Stop()
    assert not stopped(stop, 1)
    stop.ask(1)

    assert not stopped(stop, 2)
    assert not stopped(stop, 3, meanwhile=2)


LEAVES = """
def g():
    try: yield
    finally: told()
x = g()
next(x)
del x
for n in range(9): went_on = n
"""
COLLECTS = "told()\nfor n in range(9): went_on = n"


def _asked_and(*more: Callable[[], object]) -> Callable[[], object]:
    """Ask this thread to stop, and go on in C."""
    number, kind = ctypes.c_ulong(threading.get_ident()), ctypes.py_object(LimitReached)
    ask = functools.partial(ctypes.pythonapi.PyThreadState_SetAsyncExc, number, kind)
    return functools.partial(list, map(operator.call, [ask, *more]))


@pytest.mark.parametrize(("source", "more"), [(LEAVES, ()), (COLLECTS, (gc.collect,))], ids=["the end of", "garbage"])
def test_a_step_is_stopped_also_where_what_told_it_so_is_dropped(
    source: str, more: tuple[Callable[[], object]]
) -> None:
    step = Step(check_first=False)
    step.namespace.protect("told", _asked_and(*more))
    failure = step.run(source).failure
    assert failure is not None
    assert failure.kind == "limit"
    assert "went_on" not in step.namespace.variables()
    assert step.run("def g():\n    try: yield\n    finally: print('ended')\nx = g()\nnext(x)\ndel x").failure is None
    assert step.printed == "ended\n"


def test_a_step_that_goes_on_is_asked_again() -> None:
    stop = Stop()
    stop.begin(1)
    with suppress(LimitReached), stop:
        with suppress(LimitReached):
            stop.ask(1)
            threading.get_ident()
        while True:
            stop.ask(1)

    assert not stopped(stop, 2)


WAITS = [
    "import time\ntime.sleep(20)", "import threading\nthreading.Event().wait(20)", "import queue\nqueue.Queue().get(timeout=20)",
    "import threading\nc = threading.Condition()\nwith c: c.wait_for(lambda: False, 20)",
]  # fmt: skip


@pytest.mark.parametrize("source", WAITS)
def test_a_step_that_waits_is_stopped_and_leaves_no_thread_behind(source: str) -> None:
    with Session(isolation="inline", limits=Limits(wall_seconds=0.2)) as session:
        session.run("kept = 41")
        thread = session._life._link.worker._thread
        failure = session.run(source).failure
        assert failure is not None
        assert failure.kind == "limit"
        assert session.run("kept + 1").value == 42
    thread.join(10)
    assert not thread.is_alive()
