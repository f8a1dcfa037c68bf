"""What checking and counting cost: CPU kernels in a session beside the same text in plain CPython, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from benchmarks.rows import Row

ROUNDS = 5
KERNELS = {
    "while loop": "n = 0\nwhile n < 2_000_000:\n    n += 1\n",
    "for loop": "total = 0\nfor i in range(2_000_000):\n    total += i & 7\n",
    "nested loops": (
        "hits = 0\nfor a in range(1200):\n    for b in range(1200):\n"
        "        if (a ^ b) % 7 == 0:\n            hits += 1\n"
    ),
    "calls": "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(25)\n",
    "comprehensions": "rows = [[x * y for x in range(300)] for y in range(2000)]\ntotal = sum(map(sum, rows))\n",
    "words": (
        "counts = {}\nwords = ('the quick brown fox jumps over the lazy dog ' * 20_000).split()\n"
        "for word in words:\n    counts[word] = counts.get(word, 0) + 1\n"
    ),
    "objects": (
        "class Point:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n"
        "    def moved(self, d):\n        return Point(self.x + d, self.y - d)\n"
        "p = Point(0, 0)\nfor i in range(300_000):\n    p = p.moved(1)\n"
    ),
}


def measure() -> Iterator[Row]:
    """The ratio of each kernel, and their geometric mean."""
    from codeact import Limits, Session

    ratios = {}
    with Session(limits=Limits(operations=2_000_000_000, wall_seconds=120, checkpoints=0)) as session:
        for name, kernel in KERNELS.items():
            pairs = [(_session_seconds(session, kernel), _plain_seconds(kernel)) for _ in range(ROUNDS)]
            ratios[name] = min(ours for ours, _ in pairs) / min(plain for _, plain in pairs)
    yield Row(f"CPU, mean of {len(ratios)} kernels", statistics.geometric_mean(ratios.values()), "x CPython", 1.25)
    for name, ratio in ratios.items():
        yield Row(f"CPU, {name}", ratio, "x CPython", 1.5 if name.endswith("loop") else 2.0)


def _session_seconds(session: object, kernel: str) -> float:
    seen = session.run(kernel)  # type: ignore[attr-defined]  # a Session; imported late so that --help stays quick
    if not seen.ok:
        raise AssertionError(f"a kernel failed in the session: {seen.failure}")
    return float(seen.cost.cpu_seconds)


def _plain_seconds(kernel: str) -> float:
    code = compile(kernel, "<kernel>", "exec")
    begun = time.process_time()
    exec(code, {"__name__": "__main__"})
    return time.process_time() - begun
