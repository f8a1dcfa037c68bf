"""Loops that ask for nothing but a variable, until another thread sets it, in plain CPython and in ours."""

from __future__ import annotations

import pytest

from codeact import Limits, Session
from tests.fidelity.comparing import difference, in_ours
from tests.fidelity.test_threads import BEFORE

PROGRAMS = {
    "a flag that is set after a while": "done = False\ndef work():\n    global done\n    time.sleep(0.02)\n    done = True\n"
    "t = Thread(target=work)\nt.start()\nwhile not done: pass\nt.join()\nprint(done)",
    "work until a flag is gone": "working, n = True, 0\ndef work():\n    global n\n    while working: n += 1\nt = Thread(target=work)\n"
    "t.start(), time.sleep(0.02)\nworking = False\nt.join()\nprint(n > 0)",
    "two that work until then": "working, n = True, {'a': 0, 'b': 0}\ndef work(name):\n    while working: n[name] += 1\n"
    "threads = [Thread(target=work, args=[name]) for name in n]\nfor t in threads: t.start()\ntime.sleep(0.02)\nworking = False\n"
    "for t in threads: t.join()\nprint(n['a'] > 0)",
    "a list that is filled by another": "out = []\ndef work():\n    for i in range(3): time.sleep(0.001), out.append(i)\nt = Thread(target=work)\n"
    "t.start()\nwhile len(out) < 3: pass\nprint(out)",
    "an attribute in a class": "class Job:\n    done = False\n    def work(self):\n        time.sleep(0.02)\n        self.done = True\n"
    "    def wait(self):\n        while True:\n            if self.done: return 'done'\njob = Job()\nThread(target=job.work).start()\nprint(job.wait())",
    "a function that polls in a thread": "ready, out = [], []\ndef work():\n    while not ready: pass\n    out.append(ready[0])\n"
    "t = Thread(target=work)\nt.start()\nready.append(1)\nt.join()\nprint(out)",
    "one that works to the end": "over = []\ndef work():\n    while not over: pass\nThread(target=work, daemon=True).start()\n"
    "print(sum(range(1000)))\nover.append(True)",
    "a loop in what a library calls": "done = False\ndef key(x):\n    while not done: pass\n    return -x\ndef work():\n    global done\n"
    "    time.sleep(0.02)\n    done = True\nThread(target=work).start()\nprint(sorted([1, 2], key=key))",
    "a task that is asked whether it is done": "import asyncio\nasync def main():\n    done = []\n    t = Thread(target=lambda: (time.sleep(0.02), done.append(1)))\n"
    "    t.start()\n    while not done: await asyncio.sleep(0)\n    return done\nprint(asyncio.run(main()))",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_loop_lets_the_thread_it_waits_for_go_on(source: str) -> None:
    assert in_ours(BEFORE + source)[1] is None
    assert difference(BEFORE + source) is None


def test_one_that_works_for_ever_holds_nobody_up() -> None:  # in plain CPython it would, all tests that follow
    source = "def work():\n    while True: pass\nThread(target=work, daemon=True).start()\nprint(sum(range(1000)))"
    ours, failure = in_ours(BEFORE + source)
    assert (failure, ours.printed) == (None, "499500\n")


POLLED = {
    "a variable": "while not out: pass",
    "a variable, with more to do": "n = 0\nwhile not out: n += sum([i for i in range(1000)])",
    "the thread": "while t.is_alive(): pass",
    "a task": "import asyncio\nwhile not out: await asyncio.sleep(0)",
}


@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.parametrize("polls", POLLED.values(), ids=POLLED)
@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
def test_a_loop_lets_a_thread_wait_for_its_tool(polls: str, isolation: str) -> None:
    def answer() -> int:
        """Answer."""
        return 42

    source = f"import threading\nout = []\nt = threading.Thread(target=lambda: out.append(answer()))\nt.start()\n{polls}\nout"
    with Session(tools=[answer], isolation=isolation, limits=Limits(wall_seconds=20)) as session:
        assert session.run(source).value == [42]


def test_a_loop_takes_turns_the_same_each_time() -> None:
    source = (
        "import threading, time\nworking, out = True, []\ndef work(name):\n    n = 0\n    while working: n += 1\n    out.append((name, n))\n"
        "threads = [threading.Thread(target=work, args=[name]) for name in 'ab']\nfor t in threads: t.start()\ntime.sleep(0.01)\nworking = False\n"
        "for t in threads: t.join()\nout"
    )
    with Session() as one, Session() as other:
        seen = one.run(source).value
        assert len(seen) == 2
        assert other.run(source).value == seen


def test_a_loop_that_goes_on_in_a_later_step_still_looks_after_the_others() -> None:
    works = "import threading\nn = 0\ndef work():\n    global n\n    while True: n += 1\nthreading.Thread(target=work, daemon=True).start()\nn"
    with Session(limits=Limits(operations=1_000_000)) as session:
        before = session.run(works).value
        assert session.run(f"for _ in range(3):\n    asked = n\n    while n == asked: pass\nn > {before}").value is True
