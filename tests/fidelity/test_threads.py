"""Programs with threads whose answer is the same in whatever order they run, in plain CPython and in ours."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import difference, in_ours
from tests.snippet.running import Step

BEFORE = """
import contextvars, copy, functools, queue, threading, time
from threading import Thread, Lock, RLock, Condition, Event, Semaphore
def fail(act):
    try: return act()
    except Exception as e: return f"{type(e).__name__}: {e}"
def run(*targets):
    threads = [Thread(target=target) for target in targets]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""

PROGRAMS = {
    "workers": "found, lock = {}, Lock()\ndef square(n):\n    with lock: found[n] = n * n\n"
    "threads = [Thread(target=square, args=(i,), name=f'w{i}') for i in range(5)]\n"
    "for t in threads: t.start()\nfor t in threads: t.join()\n"
    "print(found, [t.name for t in threads], [t.is_alive() for t in threads], threading.current_thread().name)",
    "a class of ones own": "class Worker(Thread):\n    def __init__(self, n):\n        super().__init__(daemon=True)\n        self.n, self._state = n, 'new'\n"
    "    def run(self): self._state, self.seen = self.n + 1, threading.current_thread() is self\n"
    "w = Worker(3)\nprint(w.daemon, w.is_alive(), w.ident, w.start(), w.join(), w._state, w.seen, w.ident is None)",
    "a result": "class Giving(Thread):\n    def run(self): self._given = self._target(*self._args, **self._kwargs)\n"
    "    def join(self, *args):\n        super().join(*args)\n        return self._given\n"
    "g = Giving(target=lambda a, b=1: a + b, args=(1,), kwargs={'b': 5})\ng.start()\nprint(g.join())",
    "a queue that is worked off": "jobs, done = queue.Queue(), []\ndef work():\n    while True:\n        job = jobs.get()\n"
    "        done.append(job * 2)\n        jobs.task_done()\nfor i in range(6): jobs.put(i)\n"
    "for _ in range(3): Thread(target=work, daemon=True).start()\njobs.join()\nprint(sorted(done), jobs.empty(), jobs.qsize())",
    "a queue with an end": "jobs, done = queue.Queue(), []\ndef make():\n    for i in range(4): jobs.put(i)\n    jobs.put(None)\n"
    "def take():\n    while (job := jobs.get()) is not None: done.append(job)\nrun(make, take)\nprint(done)",
    "a simple queue": "jobs = queue.SimpleQueue()\nThread(target=lambda: jobs.put(4)).start()\nprint(jobs.get(), jobs.empty(), jobs.qsize())\n"
    "print(fail(jobs.get_nowait), fail(lambda: jobs.get(timeout=0.01)), fail(lambda: jobs.get(True, -1)), isinstance(jobs, queue.SimpleQueue))",
    "kinds of each other": "print(isinstance(queue.LifoQueue(), queue.Queue), issubclass(queue.PriorityQueue, queue.Queue))\n"
    "print(isinstance(threading.BoundedSemaphore(), Semaphore), isinstance(Semaphore(), threading.BoundedSemaphore), fail(lambda: queue.LifoQueue(1, 2)))",
    "futures of ones own": "from concurrent import futures\nf, g, h = futures.Future(), futures.Future(), futures.Future()\n"
    "Thread(target=lambda: f.set_result(3)).start()\nprint(f.result(), g.cancel(), fail(lambda: h.result(timeout=0.01)))\n"
    "print(len(futures.wait([f, h], 0.01).done), len(futures.wait([f, h], return_when='FIRST_COMPLETED').not_done))\n"
    "f.add_done_callback(lambda one: print(one is f, one.done()))\nh.set_exception(ValueError('h'))\n"
    "print(len(list(futures.as_completed([f, h, f]))), len(futures.wait([f, h], return_when='FIRST_EXCEPTION').done), fail(h.result))",
    "what a pool does first": "from concurrent import futures\nwith futures.ThreadPoolExecutor(1, 'pool', print, ('first',)) as pool:\n"
    "    print(pool.submit(max, 1, 2).result(), list(pool.map(str, [1])))\n"
    "print(fail(lambda: futures.ThreadPoolExecutor(initializer=5)))",
    "what is no future": "from concurrent import futures\nfor act in (futures.wait, futures.as_completed):\n"
    "    try: print(list(act([1])))\n    except AttributeError: print('no future')",
    "a queue that is waited at first": "jobs, done = queue.Queue(), []\ndef take():\n    while (job := jobs.get()) is not None: done.append(job)\n"
    "t = Thread(target=take)\nt.start()\nfor i in range(3): jobs.put(i)\njobs.put(None), t.join(), print(done)",
    "a loop that is told to stop": "stop, n = Event(), 0\ndef loop():\n    while not stop.is_set(): time.sleep(0.001)\n"
    "t = Thread(target=loop)\nt.start(), stop.set(), t.join(), print(t.is_alive())",
    "a condition that comes true": "c, seen = Condition(), []\ndef tell():\n    with c:\n        seen.append(1)\n        c.notify()\n"
    "with c:\n    Thread(target=tell).start()\n    print(c.wait(), seen, c.wait_for(lambda: seen))",
    "a lock that is let go": "a, seen = Lock(), []\ndef work():\n    with a: seen.append(2)\n"
    "with a:\n    t = Thread(target=work)\n    t.start()\n    seen.append(1)\nt.join()\nprint(seen)",
    "a thread that starts one": "seen = []\ndef outer():\n    t = Thread(target=lambda: seen.append(2))\n    seen.append(1), t.start(), t.join(), seen.append(3)\n"
    "run(outer)\nprint(seen)",
    "threads that sleep": "seen = []\ndef work(n):\n    time.sleep(n / 4)\n    seen.append(n)\n"
    "run(*[functools.partial(work, n) for n in range(3)])\nprint(seen)",
    "what a thread keeps": "kept, seen = threading.local(), []\nkept.x = 1\ndef look():\n    seen.append(hasattr(kept, 'x'))\n    kept.x = 2\n"
    "    seen.append(kept.x)\nrun(look, look)\nprint(seen, kept.x), print(fail(lambda: kept.y))\ndel kept.x\nprint(hasattr(kept, 'x'))\n"
    "class Own(threading.local):\n    def __init__(self, start): self.n = start\nown = Own(7)\nown.n += 1\n"
    "def look(): seen.append(own.n)\nrun(look)\nprint(seen[-1], own.n)",
    "variables of contexts": "v, seen = contextvars.ContextVar('v', default=0), []\nv.set(5)\ndef look():\n    seen.append(v.get())\n    v.set(9)\n"
    "run(look)\nprint(seen, v.get())",
    "events and conditions": "e, c, s, seen = Event(), Condition(), Semaphore(2), []\nrun(e.set)\nprint(e.wait(), e.is_set(), e.clear(), e.wait(0.01))\n"
    "with c: print(c.notify_all(), c.wait(0.01), c.wait_for(lambda: True))\nwith s, s: print(s.acquire(blocking=False))\n"
    "print(fail(c.wait), fail(c.notify), s.acquire(timeout=0.01), fail(threading.BoundedSemaphore(1).release))",
    "locks": "a, r, seen = Lock(), RLock(), []\nwith r, r: print('twice')\nprint(a.acquire(), a.locked(), a.acquire(False), a.acquire(timeout=0.01), a.release(), a.locked())\n"
    "print(fail(a.release), fail(r.release)), r.acquire(), run(lambda: seen.append(r.acquire(blocking=False))), print(seen, fail(lambda: copy.copy(a)) != '')",
    "what is wrong": "t = Thread(target=print)\nprint(fail(t.join)), t.start(), t.join(), print(fail(t.start), t.is_alive())\n"
    "print(fail(lambda: Thread(group=1)), fail(lambda: queue.Queue().get(timeout=0.01)), fail(lambda: queue.Queue().get_nowait()))\n"
    "run(lambda: threading.current_thread().name, lambda: (_ for _ in ()).throw(SystemExit(3)))\nprint('on')",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_threads_come_to_what_they_come_to_in_cpython(source):
    assert in_ours(BEFORE + source)[1] is None
    assert difference(BEFORE + source) is None


def test_what_a_thread_has_not_done_when_a_step_ends_it_does_then():
    step = Step(check_first=False)
    assert step.run(BEFORE + "seen = []\nThread(target=seen.append, args=(1,)).start()").failure is None
    assert step.run("seen").value == [1]
    assert step.run("Thread(target=seen.append, args=(2,)).start()\ntime.sleep(0)\nseen").value == [1, 2]
    assert step.run("Thread(target=seen.append, args=(3,)).start()\n1 / 0").failure is not None
    assert step.run("seen").value == [1, 2, 3]


def test_an_exception_in_a_thread_is_told_and_the_program_goes_on():
    printed = in_ours(BEFORE + "def boom(): raise ValueError('no')\nrun(boom)\nprint('on')")[0].printed
    assert printed.startswith("Exception in thread Thread-1 (boom):\nTraceback (most recent call last):\n")
    assert printed.endswith("ValueError: no\non\n")


FOR_EVER = {
    "a queue": "queue.Queue().get()",
    "a full queue": "q = queue.Queue(1)\nq.put(1)\nq.put(2)",
    "a queue that nobody works off": "q = queue.Queue()\nq.put(1)\nq.join()",
    "a simple queue": "queue.SimpleQueue().get()",
    "the lock of a queue": "q = queue.Queue()\nq.mutex.acquire()\nq.mutex.acquire()",
    "a future": "from concurrent import futures\nfutures.Future().result()",
    "futures": "from concurrent import futures\nfutures.wait([futures.Future()])",
    "a future that nobody was told is cancelled": "from concurrent import futures\nf = futures.Future()\nf.cancel()\nfutures.wait([f])",
    "futures as they come": "from concurrent import futures\nlist(futures.as_completed([futures.Future()]))",
    "an event": "Event().wait()",
    "a lock": "a = Lock()\na.acquire()\na.acquire()",
    "a semaphore": "Semaphore(0).acquire()",
    "a condition": "c = Condition()\nwith c: c.wait()",
    "a barrier": "threading.Barrier(2).wait()",
    "a thread that waits": "t = Thread(target=Event().wait)\nt.start()\nt.join()",
    "a thread that waits for a lock": "a = Lock()\nwith a:\n    t = Thread(target=a.acquire)\n    t.start()\n    t.join()",
}


@pytest.mark.parametrize("source", FOR_EVER.values(), ids=FOR_EVER)
def test_a_wait_that_nothing_could_end_is_refused_at_once(source):
    failure = in_ours(BEFORE + source)[1]
    assert failure is not None
    assert (failure.kind, failure.type) == ("refused", "RuntimeError")
    assert "start the thread that ends it" in failure.message


ENDINGS = {
    "a limit": "Thread(target=lambda: [1 for _ in iter(int, 1)]).start()",
    "a limit that is caught": "def on():\n    while True:\n        try: [1 for _ in iter(int, 1)]\n        except BaseException: pass\nrun(on)",
    "a thread in a thread": "run(lambda: run(lambda: [1 for _ in iter(int, 1)]))",
    "a wait that is caught": "while True:\n    try: Event().wait()\n    except BaseException: pass",
    "threads without end": "def on(): run(on)\nwhile True:\n    try: on()\n    except RecursionError: pass",
}


@pytest.mark.parametrize("source", ENDINGS.values(), ids=ENDINGS)
def test_no_thread_outlives_a_limit(source):
    failure = Step(check_first=False).run(BEFORE + source, operations=20_000).failure
    assert failure is not None
    assert failure.kind == "limit"
