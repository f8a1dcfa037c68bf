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
    "private attributes": Kernel(
        "class Account:\n    def __init__(self):\n        self._sum = 0\n"
        "    def put(self, amount):\n        if amount > 3:\n            self._sum += amount\n"
        "a = Account()\nfor i in range(N):\n    a.put(i & 7)\n",
        500_000,
        50_000,
    ),
    "closures": Kernel(
        "def counter(step):\n    n = 0\n    def more():\n        nonlocal n\n        n += step\n        return n\n"
        "    return more\ndouble = lambda x: x + x\nmore = counter(3)\nfor i in range(N):\n    double(more())\n",
        300_000,
        30_000,
    ),
    "products of pairs": Kernel(
        "a = [[i * j % 10 for j in range(N)] for i in range(N)]\n"
        "c = [[sum(x * y for x, y in zip(row, column)) for column in zip(*a)] for row in a]\n",
        100,
        40,
    ),
    "generators": Kernel(
        "def odd(it):\n    for x in it:\n        if x & 1:\n            yield x\n"
        "def squares(it):\n    for x in it:\n        yield x * x\ntotal = sum(squares(odd(range(N))))\n",
        900_000,
        90_000,
    ),
    "edit distance": Kernel(
        "a, b = 'kitten sitting' * N, 'sitting kitten' * N\ndef distance(a, b):\n    row = list(range(len(b) + 1))\n"
        "    for i, x in enumerate(a, 1):\n        last, row[0] = i - 1, i\n        for j, y in enumerate(b, 1):\n"
        "            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))\n    return row[-1]\n"
        "distance(a, b)\n",
        40,
        12,
    ),
    "sorting": Kernel(
        "rows = [{'name': f'n{i * 7919 % 1009}', 'price': i * 31 % 977} for i in range(N)]\n"
        "rows.sort(key=lambda row: (row['price'], row['name']))\n",
        80_000,
        8_000,
    ),
    "json": Kernel(
        "import json\nrows = json.loads(json.dumps([{'user': i % 50, 'amount': i % 97} for i in range(N)]))\n"
        "totals = {}\nfor row in rows:\n    totals[row['user']] = totals.get(row['user'], 0) + row['amount']\n",
        80_000,
        8_000,
    ),
    "text": Kernel(
        "out = []\nfor i in range(N):\n    parts = [p.strip() for p in f' a{i} , b ,c'.split(',')]\n"
        "    out.append('-'.join(parts).replace('a', 'x'))\n",
        80_000,
        8_000,
    ),
}
