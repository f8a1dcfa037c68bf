"""What stops where it has found what it seeks is charged for what it has asked for, not for all there is."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours
from tests.snippet.running import Step, failure_of

MANY = "import collections\na = [0] * 500 + [1] * 999_500\nt, q, d, b = tuple(a), collections.deque(a), dict.fromkeys(range(-1, 10**6)), bytes(a)"

#: What is asked → how many items it takes.
STOPPING = {
    "any(a)": 501, "all(a)": 1, "any(t)": 501, "any(q)": 501, "all(d)": 2, "any(d.values())": 1_000_001, "any(b)": 501, "all('a' * 500)": 500,
    "any(*[a])": 501, "any(s := a)": 501, "any(iter(a))": 501, "any(map(abs, a))": 501, "any(a[:9])": 9, "all(a[:9])": 9, "any(a[:500])": 500,
    "any(range(10**11))": 2, "all(range(10**40))": 1, "all(range(1, 300))": 299, "any(range(1, 9))": 1, "def f(a): return all(a)\nf(t)": 2,
}  # fmt: skip


@pytest.mark.parametrize("said", STOPPING)
def test_any_and_all_are_charged_for_the_items_they_took(said: str) -> None:
    outcome = Step(check_first=False).run(MANY, said)
    assert (outcome.failure, outcome.operations) == (None, STOPPING[said])


LONG = [
    "any([0] * 900_000)", "any(*[[0] * 900_000])", "all(range(1, 10**11))", "any(map(bool, [0] * 900_000))",
    "x = [0] * 400_000\nfor i in range(9): any(x)", "def f(x): return any(x)\nx = b'\\0' * 10**6\nfor i in range(9): f(x)",
]  # fmt: skip


@pytest.mark.parametrize("source", LONG)
def test_what_goes_through_all_is_charged_for_all(source: str) -> None:
    assert failure_of(source, operations=1_000_000) == ("limit", "LimitReached")


PROGRAM = """
class Odd:
    def __init__(self, value): self.value = value
    def __bool__(self):
        print("asked", self.value)
        if self.value is None: raise KeyError("no")
        return self.value
many = [Odd(False)] * 3 + [Odd(True)] + [Odd(None)] * 60
print(any(many), all(many), any([]), all([]), any(many[:3]))
growing = [0] * 50
class Grows:
    def __bool__(self):
        if len(growing) < 90: growing.extend([Grows(), 0])
        return False
growing[10] = Grows()
print(any(growing), len(growing))
for given in (5, None, [[0], 1]):
    try: print(any(given), all(given))
    except TypeError as error: print(error)
for wrong in (lambda: any(), lambda: all([], []), lambda: any(x=[1]), lambda: all(many[4:])):
    try: print(wrong())
    except (TypeError, KeyError) as error: print(type(error).__name__, error)
shrinking = {i: i for i in range(-1, 80)}
class Gone:
    def __bool__(self): shrinking.clear()
shrinking = {Gone() if i == 40 else i + 1: 0 for i in range(80)}
try: print(all(shrinking))
except (TypeError, RuntimeError) as error: print(type(error).__name__, error)
def deep(n): return n > 320 or any(map(deep, [n + 1]))
class Deep:
    def __init__(self, *parts): self.parts = parts
    def both(self): return any(self.parts), all(self.parts[1:]), [all(part) for part in self.parts]
print(deep(0), Deep((1, 0), (), range(3)).both(), (lambda x: all(x))([1]))
def any(x): return "mine"
print(any([0] * 50))
"""


def test_any_and_all_mean_what_they_mean_in_cpython() -> None:
    assert in_ours(PROGRAM)[0] == in_cpython(PROGRAM)
