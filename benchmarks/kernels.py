"""CPU kernels: plain Python that does nothing but compute, each with a size and a smaller one for slow interpreters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kernel:
    """A text that works on `N`, and what `N` is."""

    text: str
    size: int
    small: int

    def source(self, *, small: bool = False) -> str:
        """The text with its size put in front."""
        return f"N = {self.small if small else self.size}\n{self.text}"


KERNELS = {
    "while loop": Kernel("n = 0\nwhile n < N:\n    n += 1\n", 2_000_000, 200_000),
    "for loop": Kernel("total = 0\nfor i in range(N):\n    total += i & 7\n", 2_000_000, 200_000),
    "nested loops": Kernel(
        "hits = 0\nfor a in range(N):\n    for b in range(N):\n        if (a ^ b) % 7 == 0:\n            hits += 1\n",
        1_200,
        380,
    ),
    "calls": Kernel("def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(N)\n", 25, 20),
    "comprehensions": Kernel(
        "rows = [[x * y for x in range(300)] for y in range(N)]\ntotal = sum(map(sum, rows))\n", 2_000, 200
    ),
    "words": Kernel(
        "counts = {}\nwords = ('the quick brown fox jumps over the lazy dog ' * N).split()\n"
        "for word in words:\n    counts[word] = counts.get(word, 0) + 1\n",
        20_000,
        2_000,
    ),
    "objects": Kernel(
        "class Point:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n"
        "    def moved(self, d):\n        return Point(self.x + d, self.y - d)\n"
        "p = Point(0, 0)\nfor i in range(N):\n    p = p.moved(1)\n",
        300_000,
        30_000,
    ),
}
