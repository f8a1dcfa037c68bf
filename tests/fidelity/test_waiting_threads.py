"""Programs whose threads wait for each other, in plain CPython and in ours."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import difference, in_ours
from tests.fidelity.test_threads import BEFORE

PROGRAMS = {
    "a queue with a bound": "q, out = queue.Queue(maxsize=2), []\ndef make():\n    for i in range(10): q.put(i)\n    q.put(None)\n"
    "def take():\n    while (x := q.get()) is not None: out.append(x)\nrun(make, take)\nprint(out, q.empty())",
    "workers that are there first": "q, done, lock = queue.Queue(), [], Lock()\ndef work():\n    while (job := q.get()) is not None:\n"
    "        with lock: done.append(job * job)\n        q.task_done()\n    q.task_done()\n"
    "threads = [Thread(target=work) for _ in range(3)]\nfor t in threads: t.start()\nfor i in range(20): q.put(i)\n"
    "q.join()\nfor _ in threads: q.put(None)\nfor t in threads: t.join()\nprint(sorted(done), [t.is_alive() for t in threads])",
    "an event that is set after a while": "e, out = Event(), []\ndef waits():\n    e.wait()\n    out.append('woken')\n"
    "def sets():\n    time.sleep(0.05)\n    out.append('set')\n    e.set()\nrun(waits, sets)\nprint(out)",
    "one after the other": "a, b, out = Semaphore(1), Semaphore(0), []\ndef ping():\n    for _ in range(5):\n        a.acquire()\n"
    "        out.append('ping')\n        b.release()\ndef pong():\n    for _ in range(5):\n        b.acquire()\n        out.append('pong')\n"
    "        a.release()\nrun(ping, pong)\nprint(out)",
    "a barrier": "bar, out = threading.Barrier(3), []\ndef work(i):\n    out.append('before')\n    bar.wait()\n    out.append('after')\n"
    "run(*[functools.partial(work, i) for i in range(3)])\nprint(out)",
    "a broken barrier": "bar, out = threading.Barrier(2), []\ndef work():\n    try: bar.wait(0.01)\n    except threading.BrokenBarrierError: out.append('broken')\n"
    "run(work)\nprint(out, bar.broken)",
    "readers and a writer": "c, reading, out = Condition(), [0], []\ndef read():\n    with c: reading[0] += 1\n    time.sleep(0.01)\n    out.append('read')\n"
    "    with c:\n        reading[0] -= 1\n        c.notify_all()\ndef write():\n    with c:\n        while reading[0]: c.wait()\n        out.append('written')\n"
    "run(read, read, read, write)\nprint(sorted(out))",
    "a condition on a lock": "c, items, out = Condition(Lock()), [], []\ndef take():\n    with c:\n        c.wait_for(lambda: items)\n        out.append(items.pop())\n"
    "def give():\n    with c:\n        items.append(1)\n        c.notify()\nrun(take, give)\nprint(out)",
    "philosophers": "forks, meals = [Lock() for _ in range(3)], []\ndef dine(i):\n    first, second = sorted((i, (i + 1) % 3))\n    for _ in range(3):\n"
    "        with forks[first]:\n            time.sleep(0.001)\n            with forks[second]: meals.append(i)\n"
    "run(*[functools.partial(dine, i) for i in range(3)])\nprint(sorted(meals))",
    "a timer": "out = []\nt = threading.Timer(0.05, out.append, ['x'])\nt.start()\nprint(out)\nt.join()\nprint(out, t.interval, t.finished.is_set())\n"
    "t = threading.Timer(50, print, kwargs={'sep': ''})\nt.start(), t.cancel(), t.join()\nprint(t.is_alive(), isinstance(t, Thread))",
    "a beat": "stop, beats = Event(), []\ndef beat():\n    while not stop.wait(0.01): beats.append(1)\nt = Thread(target=beat, daemon=True)\n"
    "t.start(), time.sleep(0.1), stop.set(), t.join()\nprint(len(beats) > 0, t.is_alive())",
    "one that asks again and again": "done, n, q, lock = Event(), 0, queue.Queue(), Lock()\ndef work():\n    time.sleep(0.02)\n    done.set()\n    with lock: time.sleep(0.01)\n    q.put(1)\n"
    "t = Thread(target=work)\nt.start()\nwhile not done.is_set(): n += 1\nwhile not lock.acquire(blocking=False): pass\nlock.release()\n"
    "while q.empty(): pass\nwhile t.is_alive(): pass\nprint(n > 0, q.get())",
    "a thread works from its start": "out = []\ndef work():\n    out.append('thread')\n    e.wait()\n    out.append('woken')\n"
    "e, t = Event(), None\nt = Thread(target=work)\nt.start()\nout.append('main')\ne.set()\nt.join()\nprint(out)",
    "daemons of daemons": "out = []\ndef outer():\n    t = Thread(target=lambda: out.append(threading.current_thread().daemon))\n    t.start(), t.join()\n"
    "t = Thread(target=outer, daemon=True)\nt.start(), t.join(), run(outer), print(out)",
    "what an error is told as": "class T(Thread):\n    def run(self):\n        try: super().run()\n        except Exception as e: self.error = e\n"
    "def boom(): raise ValueError('x')\nt = T(target=boom)\nt.start(), t.join(), print(repr(t.error))",
    "contexts of their own": "v, out = contextvars.ContextVar('v', default=0), []\ndef work(n):\n    v.set(n)\n    time.sleep(0.001)\n    out.append(v.get() == n)\n"
    "run(*[functools.partial(work, n) for n in range(1, 4)])\nprint(out, v.get())",
    "handled errors of their own": "import sys\nout = []\ndef work(n):\n    try: raise ValueError(n)\n    except ValueError:\n        time.sleep(0.001)\n"
    "        out.append(str(sys.exc_info()[1]) == str(n))\nrun(*[functools.partial(work, n) for n in range(3)])\nprint(out, sys.exc_info())",
    "a generator that is asked by two": "within, go, out = Event(), Event(), []\ndef numbers():\n    within.set(), go.wait()\n    yield 1\ng = numbers()\n"
    "def first(): out.append(next(g))\ndef second():\n    within.wait()\n    try: next(g)\n    except ValueError as e: out.append(str(e))\n"
    "    go.set()\nrun(first, second)\nprint(out)",
    "waits that a library calls": "import json\nout = []\nclass E(json.JSONEncoder):\n    def default(self, o):\n        time.sleep(0.001)\n        return sorted(o)\n"
    "def work(n): out.append(json.dumps({'a': {n}}, cls=E))\ndef sort(): out.append(sorted([3, 1], key=lambda x: time.sleep(0.001) or x))\n"
    "run(functools.partial(work, 1), sort, functools.partial(work, 2), sort)\nprint(sorted(map(str, out)))",
    "names in records of logs": "import io, logging\ns = io.StringIO()\nh = logging.StreamHandler(s)\nh.setFormatter(logging.Formatter('%(threadName)s %(message)s'))\n"
    "log = logging.getLogger('waiting')\nlog.addHandler(h), log.setLevel(10)\ndef work():\n    log.info('hi')\n    time.sleep(0.001)\n    log.info('bye')\n"
    "threads = [Thread(target=work, name=f'n{i}') for i in range(2)]\nfor t in threads: t.start()\nfor t in threads: t.join()\n"
    "log.info('main')\nlog.removeHandler(h)\nprint(sorted(s.getvalue().split()))",
    "a pool": "from concurrent.futures import *\nwith ThreadPoolExecutor(3, thread_name_prefix='w') as ex:\n    fs = [ex.submit(pow, i, 2) for i in range(5)]\n"
    "    print(sorted(f.result() for f in as_completed(fs)), list(ex.map(max, [1, 5], [3, 4])), repr(ex.submit(lambda: 1 / 0).exception()))\n"
    "    print(ex.submit(lambda: threading.current_thread().name.startswith('w')).result(), isinstance(ex, Executor))\n"
    "print(fail(lambda: ex.submit(print)))",
    "what is not begun is cancelled": "from concurrent.futures import *\nbegun, go = Semaphore(0), Event()\ndef work(): begun.release(), go.wait()\n"
    "ex = ThreadPoolExecutor(2)\nfs = [ex.submit(work) for _ in range(5)]\nbegun.acquire(), begun.acquire()\n"
    "print([(f.running(), f.done()) for f in fs], fs[2].cancel(), fs[0].cancel(), fs[2].cancelled())\n"
    "ex.shutdown(wait=False, cancel_futures=True)\nprint([f.cancelled() for f in fs])\ngo.set(), ex.shutdown()\nprint([f.done() for f in fs])",
    "tasks that wait for each other": "from concurrent.futures import *\nq, go = queue.Queue(), Event()\nwith ThreadPoolExecutor(2) as ex:\n    g, p = ex.submit(q.get), ex.submit(q.put, 5)\n"
    "    print(g.result(timeout=9), p.result(), ex.submit(lambda: ex.submit(int, '7').result()).result())\n    s = ex.submit(go.wait)\n"
    "    print(fail(lambda: s.result(timeout=0.01)), fail(lambda: list(as_completed([s, p], timeout=0.01))))\n"
    "    print(len(wait([s, p], return_when=FIRST_COMPLETED).done), len(wait([s], timeout=0.01).not_done), go.set(), s.result())",
    "a loop beside a thread": "import asyncio\nout = []\nasync def tick():\n    for _ in range(3):\n        await asyncio.sleep(0.01)\n        out.append('tick')\n"
    "async def main():\n    return await asyncio.gather(tick(), asyncio.to_thread(time.sleep, 0.05), asyncio.to_thread(max, 1, 2))\nprint(asyncio.run(main()), out)",
    "a loop that a thread gives to": "import asyncio\nasync def main():\n    loop, q = asyncio.get_running_loop(), asyncio.Queue()\n    def make():\n"
    "        for i in range(3):\n            time.sleep(0.005)\n            loop.call_soon_threadsafe(q.put_nowait, i)\n    Thread(target=make).start()\n"
    "    async def twice(n): return n * 2\n    asked = asyncio.to_thread(lambda: asyncio.run_coroutine_threadsafe(twice(4), loop).result())\n"
    "    return [await q.get() for _ in range(3)], await asked\nprint(asyncio.run(main()))",
    "a loop in a thread": "import asyncio\nout = []\nasync def main(): return await asyncio.sleep(0.001, 'slept')\ndef work(): out.append(asyncio.run(main()))\n"
    "run(work, work)\nasync def outer():\n    t = Thread(target=work)\n    t.start(), t.join()\n    return asyncio.get_running_loop().is_running()\nprint(asyncio.run(outer()), out)",
    "two loops that wait for each other": "import asyncio\nout, mine, there = [], {}, {n: Event() for n in 'ab'}\nasync def talk(name, other):\n"
    "    mine[name] = asyncio.get_running_loop(), asyncio.Queue()\n    there[name].set()\n    there[other].wait()\n    for i in range(3):\n"
    "        mine[other][0].call_soon_threadsafe(mine[other][1].put_nowait, (name, i))\n        out.append(await mine[name][1].get())\n"
    "run(lambda: asyncio.run(talk('a', 'b')), lambda: asyncio.run(talk('b', 'a')))\nprint(sorted(out))",
    "waits in what the library hands on": "import re\nq, e, out = queue.Queue(), Event(), []\n@functools.singledispatch\ndef f(x): return e.wait()\n@f.register\ndef _(x: int): e.set()\n"
    "run(lambda: out.append(f('a')), lambda: out.append(f(1)))\nrun(lambda: out.append(re.sub('x', lambda m: q.get(), 'axa')), lambda: re.sub('y', lambda m: q.put('1') or '', 'y'))\nprint(out)",
    "a depth of calls of its own": "out = []\ndef deep(n): return n if n == 0 else deep(n - 1)\ndef start(n):\n    if n: start(n - 1)\n    else: run(lambda: out.append(deep(900)))\n"
    "start(500), start(0)\nprint(out)",
    "what ends a thread alone": "import asyncio\nclass Odd(BaseException): pass\ndef odd(): raise Odd\nasync def cancelled(): raise asyncio.CancelledError\ndef loop(): asyncio.run(cancelled())\ndef leave(): raise SystemExit(3)\n"
    "def quiet(act):\n    try: act()\n    except BaseException as e: out.append(type(e).__name__)\nout = []\nrun(lambda: quiet(odd), lambda: quiet(loop))\n"
    "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as ex: print(out, *(repr(ex.submit(act).exception()) for act in (odd, loop, leave)))",
    "two that watch the same calls": "from concurrent.futures import *\nout = []\nwith ThreadPoolExecutor(2) as ex:\n    fs = [ex.submit(time.sleep, 0.5) for _ in range(2)]\n"
    "    def all_of_them(): out.append(len(list(as_completed(fs))))\n    def not_so_long(): out.append(fail(lambda: list(as_completed(fs, timeout=0.01))))\n"
    "    run(all_of_them, not_so_long, all_of_them)\nprint(out)",
    "what a thread kept goes with it": "import gc, weakref\nclass Kept: pass\nkept, refs = threading.local(), []\ndef work(given):\n    kept.own = Kept()\n    refs.extend(map(weakref.ref, (given, kept.own)))\n"
    "t = Thread(target=work, args=(Kept(),))\nt.start(), t.join(), gc.collect()\nprint([ref() for ref in refs], fail(t.run))",
    "names that are each thread's": "class Own(threading.local):\n    n = 0\n    def __init__(self, start): self.start = start\n    @property\n    def double(self): return self.start * 2\n"
    "    @double.setter\n    def double(self, value): self.start = value // 2\nown, out = Own(3), []\ndef look(n):\n    out.append((own.n, own.start, own.double))\n    own.n, own.double = n, n * 10\n"
    "    time.sleep(0.001)\n    out.append((own.n, own.start, own.__dict__))\nrun(functools.partial(look, 4), functools.partial(look, 5))\nprint(sorted(out, key=str), own.n, own.__dict__, fail(lambda: threading.local(1)))",
    "what cannot be": "lock = Lock()\nclass Bare(Thread):\n    def __init__(self): pass\nfor act in (lambda: lock.acquire(False, 1), lambda: lock.acquire(timeout=-5), lambda: lock.acquire(True, 'x'), Bare().start,\n"
    "    threading.current_thread().join): print(fail(act))",
    "a pool of a loop": "import asyncio, contextvars\nfrom concurrent.futures import ThreadPoolExecutor\nv = contextvars.ContextVar('v')\nasync def main():\n    v.set(3)\n"
    "    loop = asyncio.get_running_loop()\n    with ThreadPoolExecutor(2) as ex: return await asyncio.gather(loop.run_in_executor(ex, int, '5'), loop.run_in_executor(None, int, '6'), asyncio.to_thread(v.get))\n"
    "print(asyncio.run(main()))\ngo = Event()\nasync def late():\n    try: await asyncio.wait_for(asyncio.to_thread(go.wait), 0.01)\n    except TimeoutError:\n        go.set()\n        return 'late'\n"
    "def boom(): raise ValueError('no')\nasync def fails(): return await asyncio.to_thread(boom)\nprint(asyncio.run(late()), fail(lambda: asyncio.run(fails())))",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_threads_that_wait_come_to_what_they_come_to_in_cpython(source):
    assert in_ours(BEFORE + source)[1] is None
    assert difference(BEFORE + source) is None


def test_who_sleeps_less_wakes_first_and_comes_first():
    source = (
        "from concurrent.futures import *\nout = []\ndef work(n):\n    time.sleep(n / 1000)\n    out.append(n)\n"
        "run(*[functools.partial(work, n) for n in (3, 1, 2)])\nwith ThreadPoolExecutor() as ex:\n"
        "    fs = {ex.submit(time.sleep, n / 1000): n for n in (3, 1, 2)}\n    print(out, [fs[f] for f in as_completed(fs)])"
    )
    assert in_ours(BEFORE + source)[0].printed == "[1, 2, 3] [1, 2, 3]\n"


def test_what_a_pool_cannot_begin_with_is_told():
    source = (
        "from concurrent.futures import ThreadPoolExecutor\ndef fails(): raise ValueError('no')\n"
        "with ThreadPoolExecutor(1, initializer=fails) as pool:\n"
        "    for _ in range(2): print(fail(lambda: pool.submit(max, 1, 2).result()))"
    )
    printed = in_ours(BEFORE + source)[0].printed
    assert printed.startswith("Exception in initializer:\nTraceback (most recent call last):\n")
    assert printed.count("BrokenThreadPool: A thread initializer failed, the thread pool is not usable anymore\n") == 2


def test_there_are_not_more_threads_than_a_process_may_have():
    source = "e, most = Event(), 0\ntry:\n    while True: Thread(target=e.wait, daemon=True).start(); most += 1\nexcept RuntimeError as error: print(most, error)\ne.set()"
    assert in_ours(BEFORE + source)[0].printed == "2000 can't start new thread\n"
