"""Every operation is counted, the count is the same everywhere, and the end of a budget is the end of the step."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.snippet.running import Step, failure_of, value_of

COUNTS = {
    "for i in range(10): pass": (10, 0, 0),
    "i = 0\nwhile i < 10: i += 1": (11, 0, 0),  # the test that ends it counts too
    "def f(i):\n    while i < 10: i += 1\nf(0)": (11, 1, 0),
    "for x in (1, 2, 3): pass": (3, 0, 0),
    "def f(it): return 3 in it\nf(iter(range(9)))": (0, 1, 4),
    "def f(a, b): return a * b\nf([0], 5000)": (0, 1, 5000),
    "'{:>{}}'.format(1, 8000)": (0, 0, 1000),
    "'{:>8000}'.format(1)": (0, 0, 1000),
    "[i for i in range(10)]": (10, 0, 0),
    "sum(i for i in range(10))": (10, 0, 0),
    "{i: j for i in range(3) for j in range(4)}": (15, 0, 0),
    "def f(): pass\nf()\nf()": (0, 2, 0),
    "f = lambda: 1\nf()": (0, 1, 0),
    "def g():\n    yield 1\n    yield 2\nlist(g())": (0, 1, 0),
    "sum([1, 2, 3])": (0, 0, 3),
    "sum(range(100))": (0, 0, 100),
    "sorted({3, 1})": (0, 0, 2),
    "list(map(str, range(7)))": (0, 0, 7),
    "','.join(map(str, [1, 2]))": (0, 0, 2),
    "x = []\nx.extend(range(5))": (0, 0, 5),
    "x = {}\nx.update(zip('ab', 'cd'))": (0, 0, 2),
    "dict.fromkeys(range(5))": (0, 0, 5),
    "from collections import Counter, deque\nCounter('abc')\ndeque(range(4))": (0, 0, 7),
    "print(*range(4))": (0, 0, 4),
    "a, *b = range(6)": (0, 0, 6),
    "[0] * 5000": (0, 0, 5000),
    "min(1, 2)\nmax([4, 5])": (0, 0, 2),
    "from functools import reduce\nreduce(lambda a, b: a + b, [1, 2, 3])": (0, 2, 3),
    "def g(): yield from range(5)\nsum(g())": (0, 1, 5),
    "class A:\n    def __iter__(self): return iter([1, 2, 3])\nlist(A())": (0, 1, 3),
    "class L(list): pass\nx = L()\nx.extend(range(4))\nsum(x)": (0, 0, 8),
    "x = []\nlist.extend(x, range(4))": (0, 0, 4),
    "class U:\n    def update(self, it): pass\nU().update(range(9))": (0, 1, 0),
    "class C:\n    def sum(self): pass\nsum(range(9))": (0, 0, 9),
    "from array import array\nlist(array('i', [1, 2, 3]))": (0, 0, 7),
    "import csv\nlist(csv.reader(['a,b', 'c,d']))": (0, 0, 2),
    "import statistics\nmean = statistics.mean\nmean([1, 2, 3])": (0, 0, 3),
    "import random\nrandom.choices('ab', k=50)": (0, 0, 100),
    "import copy\ncopy.deepcopy([1, 2, 3])": (0, 0, 6),
    "import heapq\nheapq.nlargest(1, iter([1, 2, 3]))": (0, 0, 4),
    "import json, io\njson.dump([1, 2, 3], io.StringIO())": (0, 0, 3),
    "def f(n):\n    while n:\n        n -= 1\n        if n == 5: break\nf(9)": (4, 1, 0),
}


@pytest.mark.parametrize("source", COUNTS)
def test_each_kind_of_operation_is_counted_once(source: str) -> None:
    outcome = Step().run(source)
    assert outcome.failure is None
    assert (outcome.loops, outcome.calls, outcome.elements) == COUNTS[source]


@pytest.mark.parametrize("operations", [1, 2, 3, 50, 4095, 4096, 4097, 10_000])
def test_a_budget_ends_exactly_where_it_says(operations: int) -> None:
    source = f"n = 0\nfor i in range({operations}): n += 1\n"
    assert Step().run(source, operations=operations).failure is None
    over = Step()
    outcome = over.run(source + "for i in range(1): n += 1", operations=operations)
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.operations) == ("limit", operations)
    assert over.namespace.variables()["n"].text == f"{operations}"


def test_kinds_share_one_budget() -> None:
    source = "def f(): pass\nfor i in range(2000):\n    f()\n    sum([i])"
    assert Step().run(source, operations=6000).failure is None
    assert failure_of(source, operations=5999) == ("limit", "LimitReached")


def test_each_step_has_its_own_budget() -> None:
    step = Step()
    for _ in range(5):
        assert step.run("for i in range(90): pass", operations=100).operations == 90


def test_a_generator_draws_from_the_step_that_resumes_it() -> None:
    step = Step()
    step.run(
        "def count():\n    n = 0\n    while True:\n        yield n\n        n += 1\ng = count()\nnext(g)",
        operations=10**6,
    )
    outcome = step.run("for i in g: pass", operations=1000)
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.operations) == ("limit", 1000)


PROGRAM = """
import collections, itertools
words = [chr(97 + i * i % 26) * (i % 5) for i in range(500)]
class Node:
    def __init__(self, value): self.value = value
    def __lt__(self, other): return self.value < other.value
tree = sorted(Node(w) for w in words)
def walk(n):
    if n: yield from walk(n - 1)
    yield n
total = sum(walk(30)) + len(list(itertools.chain(words, range(10))))
while total % 1000: total += 1
{w: len(w) for w in sorted(collections.Counter(words))}
"""


def test_the_count_is_the_same_in_every_process() -> None:
    code = (
        "from tests.snippet.running import Step; import sys; from tests.snippet.test_meter import PROGRAM\n"
        "o = Step().run(PROGRAM); print(o.failure, o.loops, o.calls, o.elements)"
    )
    seen = set()
    for seed in ("0", "1", "4242"):
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
        seen.add(run.stdout)
    assert len(seen) == 1
    assert seen.pop().startswith("None ")


ENDLESS = "while True: pass"
SWALLOWERS = {
    "except BaseException": f"try:\n    {ENDLESS}\nexcept BaseException:\n    print('on')",
    "bare except": f"try:\n    {ENDLESS}\nexcept:\n    print('on')",
    "computed class": f"try:\n    {ENDLESS}\nexcept (lambda: (ValueError, BaseException))():\n    print('on')",
    "except star": f"try:\n    {ENDLESS}\nexcept* BaseException:\n    print('on')",
    "finally": f"try:\n    {ENDLESS}\nfinally:\n    print('on')",
    "finally break": f"for i in [1]:\n    try:\n        {ENDLESS}\n    finally:\n        break\nprint('on')",
    "finally continue": f"for i in [1]:\n    try:\n        {ENDLESS}\n    finally:\n        continue\nprint('on')",
    "finally return": f"def f():\n    try:\n        {ENDLESS}\n    finally:\n        return 1\nf()\nprint('on')",
    "exit true": f"class C:\n    def __enter__(s): pass\n    def __exit__(s, *a): return True\nwith C():\n    {ENDLESS}\nprint('on')",
    "exit in C": (
        f"class C:\n    __exit__ = staticmethod(max)\n    def __enter__(s): pass\nwith C():\n    {ENDLESS}\nprint('on')"
    ),
    "suppress": f"import contextlib\nwith contextlib.suppress(BaseException):\n    {ENDLESS}\nprint('on')",
    "exit stack": (
        f"import contextlib\nwith contextlib.ExitStack() as s:\n    s.push(lambda *a: True)\n    {ENDLESS}\nprint('on')"
    ),
    "contextmanager": (
        "import contextlib\n@contextlib.contextmanager\ndef c():\n    try: yield\n    except BaseException: print('on')\n"
        f"with c():\n    {ENDLESS}\nprint('on')"
    ),
    "generator closed": (
        "def g():\n    try: yield\n    finally:\n        while True: pass\nx = g()\nnext(x)\nx = None\nprint('on')"
    ),
    "generator": f"def g():\n    try:\n        {ENDLESS}\n        yield\n    except BaseException: pass\nfor i in g(): pass\nprint('on')",
    "key function": (
        "def key(x):\n    try:\n        while True: pass\n    except BaseException: return 1\n"
        "sorted([1, 2], key=key)\nprint('on')"
    ),
    "comparison": (
        "class K:\n    def __hash__(s): return 1\n    def __eq__(s, o):\n        while True: pass\n"
        "try: {K(), K()}\nexcept BaseException: pass\nprint('on')"
    ),
    "class body": f"class A:\n    try:\n        {ENDLESS}\n    except BaseException: pass\nprint('on')",
    "coroutine": (
        "import asyncio\nasync def work():\n    while True: pass\n"
        "async def main(): return await asyncio.gather(work(), return_exceptions=True)\n"
        "await main()\nprint('on')"
    ),
    "task left behind": (
        "import asyncio\nasync def work():\n    while True: pass\n"
        "async def main():\n    task = asyncio.create_task(work())\n    await asyncio.sleep(3600)\n"
        "asyncio.run(main())\nprint('on')"
    ),
    "own iterator": "class I:\n    def __iter__(s): return s\n    def __next__(s): return 1\nfor i in I(): pass\nprint('on')",
    "recursion": "def f(n):\n    while True:\n        try: return f(n + 1)\n        except BaseException: pass\nf(0)\nprint('on')",
    "evaluated": "try: exec('while True: pass')\nexcept BaseException: print('on')",
    "chained": "try:\n    try:\n        while True: pass\n    except ValueError: pass\n    else: print('on')\nexcept: print('on')",
    "getattr hook": (
        "class A:\n    def __getattr__(s, n):\n        while True: pass\n"
        "try: hasattr(A(), 'x')\nexcept BaseException: pass\nprint('on')"
    ),
    "endless map": "try: list(map(str, iter(int, 1)))\nexcept BaseException: print('on')",
    "endless count": "import itertools\ntry: max(itertools.count())\nexcept BaseException: print('on')",
    "endless filter": "import itertools\ntry: next(filter(None, itertools.repeat(0)))\nexcept BaseException: print('on')",
    "endless unpacking": "import itertools\ntry: [*itertools.count()]\nexcept BaseException: print('on')",
    "endless join": "import itertools\ntry: ''.join(itertools.repeat('a'))\nexcept BaseException: print('on')",
    "endless deque": "import itertools, collections\ncollections.deque(itertools.repeat(1), maxlen=0)\nprint('on')",
    "endless membership of an attribute": (
        "import itertools\nclass A: it = itertools.repeat(0)\ndef f(a): return 1 in a.it\nf(A())\nprint('on')"
    ),
    "endless update": "import collections, itertools\ncollections.Counter().update(itertools.repeat(1))\nprint('on')",
    "endless array": "import array, itertools\narray.array('b', itertools.repeat(1))\nprint('on')",
    "next in C": (
        "import itertools\nclass A:\n    def __iter__(s): return s\n    __next__ = itertools.repeat(0).__next__\n"
        "set(A())\nprint('on')"
    ),
    "items in C": "class A:\n    __getitem__ = staticmethod(abs)\nset(A())\nprint('on')",
    "weak reference": (
        "import weakref\nclass A: pass\ndef gone(r):\n    while True: pass\na = A()\nr = weakref.ref(a, gone)\n"
        "a = None\nfor i in range(9): print('on')"
    ),
    "task group": (
        "import asyncio\nasync def work():\n    while True: pass\nasync def main():\n    try:\n"
        "        async with asyncio.TaskGroup() as group: group.create_task(work())\n    except* BaseException: print('on')\n"
        "asyncio.run(main())\nprint('on')"
    ),
    "shielded": (
        "import asyncio\nasync def work():\n    while True: pass\n"
        "try: await asyncio.shield(work())\nexcept BaseException: print('on')"
    ),
    "endless lines": "import io, itertools\nio.StringIO().writelines(itertools.repeat(''))\nprint('on')",
    "endless rows": "import csv, io, itertools\ncsv.writer(io.StringIO()).writerows(itertools.repeat([]))\nprint('on')",
    "endless records": "import csv, io, itertools\nw = csv.DictWriter(io.StringIO(), ['a'])\n"
    "w.writerows(itertools.repeat({}))\nprint('on')",
    "endless group": "import itertools\nfor key, items in itertools.groupby(itertools.repeat(1)): pass\nprint('on')",
    "endless search": "import itertools, operator\noperator.contains(itertools.repeat(0), 1)\nprint('on')",
    "endless numbers": "import array, itertools\narray.array('b').extend(itertools.repeat(1))\nprint('on')",
    "endless membership": "import itertools\n1 in itertools.repeat(0)\nprint('on')",
    "endless skip": "import itertools\nnext(itertools.islice(itertools.count(), 10**13, None))\nprint('on')",
}


@pytest.mark.parametrize("how", SWALLOWERS)
def test_nothing_goes_on_after_the_budget(how: str) -> None:
    step = Step(check_first=False)
    outcome = step.run(SWALLOWERS[how], operations=20_000)
    assert outcome.failure is not None
    told = re.sub(r"<snippet>:.*: SyntaxWarning: .*\n.*\n", "", step.printed)  # of what leaves a finally, from 3.14 on
    assert (outcome.failure.kind, told) == ("limit", "")
    assert outcome.operations <= 20_000
    assert step.run("1 + 1").value == 2


LARGE = [
    "10 ** 10 ** 9", "x = 7\ny = 10**8\nx ** y", "1 << 10**11", "x = 1\nx <<= 10**11", "x = 10\nx **= 10**9", "pow(10, 10**9)",
    "'a' * 10**11", "[0] * 10**10", "(1,) * 10**10", "b'a' * 10**11", "n = 10**10\nn * 'ab'", "x = 'a'\nx *= 10**11",
    "d = {'k': [0]}\nd['k'] *= 10**10", "f'{1:>{10**10}}'", "f'{1:9999999999}'", "'%9999999999d' % 1", "'%*d' % (10**10, 1)",
    "sum(range(10**11))", "list(range(10**10))", "sorted(range(10**10))", "'x'.ljust(10**10)", "'x'.center(10**10)",
    "bytes(10**10)", "bytearray(10**10)", "import math\nmath.factorial(10**8)", "import math\nmath.comb(10**9, 10**8)",
    "pow(3, 10**100000, 10**100000 + 1)", "import itertools\nitertools.permutations(range(10**10))", "'\\t'.expandtabs(10**10)",
    "def f(n): return 1 << n\nf(10**11)", "(5).to_bytes(10**10, 'big')", "class S(str): pass\nS('a') * 10**11", "format(1, '9999999999')",
    "for n in [10**10]: x = 'a'\nfor i in [1]: x = x * n",
    "def f(s):\n    for i in range(10**9, 10**9 + 2):\n        s = s[:9] and s * i\nf('abc')",
    "def f():\n    for i in range(10**8, 10**8 + 3):\n        for j in range(3):\n            i * j\n            i = 'abc'\n    for j in range(10**9, 10**9 + 1): i * j\nf()",
    "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'a', b'b', 10**9)", "import random\nrandom.choices([1], k=10**9)",
    "x = 1\n(x + 1) << 10**11", "class N(int): __bool__ = lambda self: False\nN(1) << 10**11", "class N(int): pass\n1 << N(10**11)",
    "def f(a, n): return a << [a := 0, n][1]\nf(1, 10**11)", "('b' * 10**6).join('a' * 1000)", "import array\narray.array('d', [0.0]) * 10**10",
]  # fmt: skip


@pytest.mark.parametrize("source", LARGE)
def test_large_results_are_refused_before_they_are_made(source: str) -> None:
    assert failure_of(source, operations=10_000_000) == ("limit", "LimitReached")


@pytest.mark.parametrize("left", ["A()", "0", "False"])
@pytest.mark.parametrize(
    "shift", ["{} << 10**18", "f({}, 10**18)", "x = {}\nx <<= 10**18\nx", "x = {}\nn = 10**18\nx << n"]
)
def test_a_shift_that_makes_no_large_number_is_not_charged(shift: str, left: str) -> None:
    source = "class A:\n    def __lshift__(self, n): return 0\ndef f(a, n): return a << n\n"
    assert value_of(source + shift.format(left), operations=10) == 0


def test_ordinary_arithmetic_is_not_charged() -> None:
    source = "x = 2 ** 10 + 10 ** 20 + (1 << 62) + 3 ** -2\ny = '-' * 40 + 'ab' * 3\n[0] * 10\nf'{x:>12,}' % ()"
    assert Step().run(source).operations == 0


def test_final_answer_ends_the_step_and_cannot_be_caught() -> None:
    step = Step()
    outcome = step.run("try:\n    final_answer(6 * 7)\nexcept BaseException:\n    final_answer(1)\nprint('on')")
    assert (outcome.answered, outcome.answer, outcome.failure, step.printed) == (True, 42, None, "")


def test_a_tap_survives_an_error_while_it_is_refilled() -> None:
    source = (
        "def deep(n):\n    for i in range(50): pass\n    return deep(n + 1)\n"
        "for turn in range(40):\n    try: deep(0)\n    except RecursionError: pass\n"
        "n = 0\nfor i in range(20_000): n += 1\nn"
    )
    assert value_of(source) == 20_000


def test_a_range_of_the_snippets_own_is_not_taken_for_numbers() -> None:
    source = (
        "def range(n): return ['ab', 10**9]\ndef f():\n    for i in range(2):\n        for j in range(2): i * j\nf()"
    )
    assert failure_of(source) == ("refused", "RuntimeError")


def test_no_sequence_is_a_number_too() -> None:
    assert failure_of("class L(list):\n    def __index__(self): return 10**9") == ("raised", "TypeError")
    assert failure_of("class I:\n    def __index__(self): return 10**9\nclass L(I, list): pass") == (
        "raised",
        "TypeError",
    )
    assert failure_of("class L(list): pass\nL.__index__ = lambda self: 10**9")[0] == "refused"
