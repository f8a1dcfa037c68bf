"""Recorded runs in which using a thing changes it: methods, operators, properties and iterators of a run's own classes.

What is recorded needs none of these changes; what `other` holds does. A skill without them would answer wrongly later.
"""

from __future__ import annotations

from tests.skills.playing import Played

_COUNTING = "class Tally:\n    def __init__(self):\n        self.n = 0\n"
_ROWS = [{"a": 1}, {"a": 3}]
_OTHER = [{"a": -4}, {"a": 3}]


def _run(
    name: str, task: str, steps: tuple[str, ...], inputs: dict, other: dict, imports: tuple[str, ...] = ()
) -> Played:
    return Played(name, "live", task, steps, inputs, other=other, imports=imports)


LIVE = (
    _run(
        "method-called-get", "Which keys does a cache of two hold after these operations?",
        ("class Cache:\n    def __init__(self):\n        self.d = {}\n    def put(self, k):\n        self.d[k] = len(self.d)\n    def get(self, k):\n"
         "        self.d[k] = self.d.pop(k)\n        return k",
         "c = Cache()\nfor what, k in ops:\n    if what == 'put':\n        c.put(k)\nfor what, k in ops:\n    if what == 'get':\n        c.get(k)",
         "final_answer(list(c.d))"),
        {"ops": [("put", "a"), ("put", "b"), ("get", "b")]}, {"ops": [("put", "a"), ("put", "b"), ("get", "a")]},
    ),
    _run(
        "method-called-apply", "What is the balance after these transactions, and how many are there?",
        ("class Account:\n    def __init__(self):\n        self.balance = 0\n    def apply(self, t):\n        self.balance += t['a']",
         "acc = Account()\nfor t in rows: acc.apply(t)\nprint(acc.balance)", "final_answer((acc.balance, len(rows)))"),
        {"rows": [{"a": 0}]}, {"rows": _ROWS},
    ),
    _run(
        "operator", "How many edges are there, of how many pairs?",
        ("class Graph:\n    def __init__(self):\n        self.e = []\n    def __rshift__(self, o):\n        if o:\n            self.e.append(o)\n        return self",
         "g = Graph()\nfor p in pairs:\n    g >> p", "final_answer((len(g.e), len(pairs)))"),
        {"pairs": [None]}, {"pairs": [1, 2]},
    ),
    _run(
        "property", "How many of the names are in capitals, of how many?",
        (_COUNTING + "    @property\n    def next(self):\n        self.n += 1\n        return self.n", "t = Tally()\nfor n in names:\n    if n.isupper(): t.next",
         "final_answer((t.n, len(names)))"),
        {"names": ["a"]}, {"names": ["A", "B"]},
    ),
    _run(
        "context-manager", "How many blocks were entered, of how many?",
        (_COUNTING + "    def __enter__(self):\n        self.n += 1\n    def __exit__(self, *rest):\n        return False", "t = Tally()",
         "for b in blocks:\n    if b:\n        with t: pass", "final_answer((t.n, len(blocks)))"),
        {"blocks": [0]}, {"blocks": [1, 1]},
    ),
    _run(
        "getitem", "How often was something looked up, of how many?",
        (_COUNTING + "    def __getitem__(self, i):\n        if i:\n            self.n += 1\n        return i", "t = Tally()", "found = [t[b] for b in blocks]\nfound",
         "final_answer((t.n, len(blocks)))"),
        {"blocks": [0]}, {"blocks": [1, 1]},
    ),
    _run(
        "in-a-list-and-inherited", "How often was something looked for, of how many?",
        (_COUNTING + "    def __contains__(self, i):\n        self.n += i\n        return True", "class Mine(Tally):\n    pass\nkept = []\nkept.append(Mine())",
         "t = kept[0]\nfound = [b for b in blocks if b in t]\nfound", "final_answer((kept[0].n, len(blocks)))"),
        {"blocks": [0]}, {"blocks": [1, 1]},
    ),
    _run(
        "iterator-of-its-own", "What do the numbers after the first positive one add up to?",
        ("class Numbers:\n    def __init__(self, xs):\n        self.xs, self.i = list(xs), 0\n    def __iter__(self):\n        return self\n    def __next__(self):\n"
         "        if self.i >= len(self.xs):\n            raise StopIteration\n        self.i += 1\n        return self.xs[self.i - 1]",
         "it = Numbers(xs)\nfor x in it:\n    if x > 0:\n        break", "x", "final_answer(sum(it))"),
        {"xs": [0, 0, 0]}, {"xs": [1, 2, 3]},
    ),
    _run(
        "defaultdict-looked-into", "Which long words are there, of how many?",
        ("from collections import defaultdict\nd = defaultdict(int)", "seen = [d[w] for w in words if len(w) > 3]", "seen", "final_answer((sorted(d), len(words)))"),
        {"words": ["ab"]}, {"words": ["abcd"]},
    ),
    _run(
        "counter-subtracted", "How many of each letter are in one text and not in the other?",
        ("from collections import Counter\nc = Counter(a)", "c.subtract(b)\nc", "final_answer(dict(+c))"),
        {"a": "aab", "b": ""}, {"b": "a"},
    ),
    _run(
        "queue", "How many are waiting when the negative ones in front are gone?",
        ("import queue\nq = queue.Queue()\nfor x in xs: q.put(x)", "while not q.empty() and q.queue[0] < 0: q.get()", "final_answer(q.qsize())"),
        {"xs": [1, 2]}, {"xs": [-1, 2]},
    ),
    _run(
        "lambda-changes-what-it-is-handed", "What do the rows add up to, the negative ones as nothing, and how many are there?",
        ("mine = [dict(r) for r in rows]", "list(map(lambda r: r.update(a=0) if r['a'] < 0 else None, mine))", "final_answer((sum(r['a'] for r in mine), len(rows)))"),
        {"rows": _ROWS}, {"rows": _OTHER},
    ),
    _run(
        "reduce-fills-its-start", "Which are positive, of how many?",
        ("from functools import reduce\nout = []", "reduce(lambda kept, x: (kept.append(x) if x > 0 else None, kept)[1], xs, out)", "final_answer((out, len(xs)))"),
        {"xs": [-1]}, {"xs": [4, 5]},
    ),
    _run(
        "decorator-that-notes", "How many values over 10 were handed over, of how many?",
        ("log = []\ndef noted(f):\n    def inner(v):\n        if v > 10:\n            log.append(v)\n        return f(v)\n    return inner",
         "@noted\ndef same(v):\n    return v", "out = [same(v) for v in xs]\nout", "final_answer((len(log), len(xs)))"),
        {"xs": [1]}, {"xs": [20]},
    ),
    _run(
        "numpy-writes-into-an-argument", "What do the numbers add up to, between 0 and 3?",
        ("import numpy as np\nb = np.array(xs)", "np.maximum(b, 0, out=b)", "np.minimum(b, 3, b)", "c = b.copy()\nb.clip(1, 3, out=c)", "final_answer((int(b.sum()), int(c.sum())))"),
        {"xs": [1, 2, 3]}, {"xs": [-5, 2, 30]}, ("numpy",),
    ),
    _run(
        "refused-late", "How many are over 10, of how many?",
        ("import threading\nout = []\nthreads = [threading.Thread(target=print) for x in xs]", "for x in xs:\n    if x > 10:\n        out.append(x)",
         "final_answer((out, len(xs)))"),
        {"xs": [1]}, {"xs": [20]},
    ),
    _run(
        "helpers-that-await", "What is the sum, each doubled?",
        ("import asyncio\nasync def double(x):\n    return 2 * x", "async def all_of(xs):\n    return sum(await asyncio.gather(*map(double, xs)))",
         "total = asyncio.run(all_of(xs))\ntotal", "final_answer(total)"),
        {"xs": [1]}, {"xs": [20]},
    ),
)  # fmt: skip
