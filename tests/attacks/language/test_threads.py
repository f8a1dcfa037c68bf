"""A snippet's threads are objects of its session: none runs beside it, and nothing of ours hangs off them."""

from __future__ import annotations

import threading

import pytest

from codeact.snippet.running import is_in_a_step, our_own_work
from tests.snippet.running import Step

WITHHELD = {
    "what keeps the names of threads": "threading.local()._kept",
    "the same of a class of its own": "class Own(threading.local): pass\nOwn()._kept",
    "what says that a pool is gone": "import concurrent.futures as f\nclass E(f.ThreadPoolExecutor): pass\nE(1)._pool.gone",
    "what a method is made of": "threading.Thread.start.__closure__",
    "its names": "threading.Thread.run.__globals__",
    "the function behind it": "threading.Thread().start.__func__",
    "an attribute of a method": "threading.Thread.start.x = 1",
    "what an event waits with": "threading.Event()._cond",
    "what a condition holds": "threading.Condition()._waiters",
    "a condition of something else": "import math\nthreading.Condition.__init__(math)",
    "a queue of something else": "import math, queue\nqueue.Queue.__init__(math)",
    "the class below": "threading.Event.__bases__",
    **{
        f"the {name} below a class of its own": f"import queue, concurrent.futures as f\nclass E({name}): pass\n"
        "for c in E.__mro__: c.__module__ != '__main__' and c is not object and c()"
        for name in ("threading.Event", "threading.Condition", "queue.Queue", "queue.SimpleQueue", "f.Future")
    },
    "its modules": "threading._os",
    "an event for all": "threading.Event.wait = print",
    "a hook": "threading.excepthook = print",
    "a raw thread": "import _thread",
}


@pytest.mark.parametrize("source", WITHHELD.values(), ids=WITHHELD)
def test_nothing_of_ours_hangs_off_a_thread(run, source):
    failure = run(f"import threading\n{source}").failure
    assert failure is not None
    assert failure.type in ("AttributeError", "RuntimeError", "TypeError", "ImportError", "Refused"), failure


def test_no_thread_of_the_host_is_started(run):
    before = threading.enumerate()
    source = (
        "import threading\nt = threading.Thread(target=threading.Event().wait, daemon=True)\nt.start()\nt.is_alive()"
    )
    assert run(source).value is True
    assert threading.enumerate() == before
    assert run("[one.name for one in threading.enumerate()]").value == ["MainThread", "Thread-1 (wait)"]


def test_what_a_thread_does_when_a_step_is_cut_off_is_over(run):
    endless = "import threading\nthreading.Thread(target=lambda: [1 for _ in iter(int, 1)]).start()"
    assert run(endless).failure.kind == "limit"
    assert run("threading.Event().set()").failure is None
    assert run("threading.current_thread() is threading.main_thread(), threading.active_count()").value == (True, 1)


def test_an_answer_is_given_from_a_thread_too(run):
    outcome = run("import threading\nthreading.Thread(target=final_answer, args=(5,)).start()\nprint('not reached')")
    assert (outcome.answered, outcome.answer) == (True, 5)


def test_our_own_work_that_waits_in_one_thread_does_not_go_on_in_another():
    def within(act):
        with our_own_work():
            act()

    step = Step(check_first=False)
    step.namespace.assign({"within": within, "is_in_a_step": is_in_a_step})
    source = (
        "import threading\ne, out = threading.Event(), []\ndef ask():\n    out.append(is_in_a_step())\n    e.set()\n"
        "threads = [threading.Thread(target=within, args=(e.wait,)), threading.Thread(target=ask)]\n"
        "for t in threads: t.start()\nfor t in threads: t.join()\nout, is_in_a_step()"
    )
    assert step.run(source).value == ([True], True)


_NOTING = """
import concurrent.futures, queue, threading
noted = []
class Noting:
    def __set__(self, of, value): vars(of)[self.name] = note(value)
    def __get__(self, of, cls): return vars(of)[self.name]
    def __set_name__(self, cls, name): self.name = name.strip('_') + ' '
class Heard(list):
    def append(self, one): list.append(self, note(one))
def note(one):
    noted.append(one)
    return one
"""

#: A class that is told what those above it keep in its objects → how many of that a thread could wait for.
TOLD = {
    "a condition": (
        "class Own(threading.Condition): _waiters = property(lambda self: heard, lambda self, given: None)\n"
        "heard, own = Heard(), Own()\nwith own: own.wait(0.01)",
        1,
    ),
    "an event": ("class Own(threading.Event): _cond = Noting()\nOwn()", 1),
    "a bounded semaphore": ("class Own(threading.BoundedSemaphore): _cond = Noting()\nOwn()", 1),
    "a queue": ("class Own(queue.LifoQueue): mutex, not_empty = Noting(), Noting()\nOwn()", 2),
    "a future": ("class Own(concurrent.futures.Future): _condition = Noting()\nOwn()", 1),
}


@pytest.mark.parametrize(("source", "count"), TOLD.values(), ids=TOLD)
def test_what_is_told_of_how_threads_wait_is_told_of_the_sessions_own(run, source, count):
    kinds = "[type(one) in (threading.Lock, threading.Condition) for one in noted]"
    assert run(f"{_NOTING}{source}\n{kinds}").value == [True] * count


def test_what_waits_for_futures_gives_them_nothing_that_holds_a_thread(run):
    source = (
        "class Own(concurrent.futures.Future): _waiters = Noting()\nown = Own()\nvars(own)['waiters '] = Heard()\n"
        "concurrent.futures.wait([own], timeout=0.01)\nlen(noted)"
    )
    assert run(_NOTING + source).value == 1  # its own first list
