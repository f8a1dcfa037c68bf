"""What divides long integers, and takes their roots, is charged by their length where a snippet does it once."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours
from tests.snippet.running import Step, failure_of

NUMBERS = "import math\nclass N(int): pass\na, b = (1 << 8_000_000) - 1, (1 << 4_000_000) - 3\n"

LONG = [
    "a // b", "a % b", "divmod(a, b)", "a //= b", "a %= b", "N(a) // b", "a // N(b)", "x = [a]\nx[0] //= b", "round(a, -1_000_000)", "round(7, -10**9)",
    "round(N(7), -10**9)", "class D:\n    def __index__(self): return -10**9\nround(7, D())", "math.isqrt(a)", "math.gcd(a, b)", "from math import gcd\ngcd(b, a)",
    "math.gcd(7, a, b)", "pow(b, -1, a)", "a * a", "x = {'a': a}\nx['a'] * b", "a *= b",
    "b ** 10", "pow(b, 10)", "b **= 10",
]  # fmt: skip


@pytest.mark.parametrize("source", LONG)
def test_long_integers_are_charged_before_they_are_worked_with(source: str) -> None:
    assert failure_of(NUMBERS + source, operations=2_000_000) == ("limit", "LimitReached")


ORDINARY = """
import math
n = 10 ** 400
print(n // 7, n % 97, divmod(n, 10 ** 20), n // 10 ** 390, round(12345, -2), round(2.675, 2), round(n, -395), divmod(7.5, 2), 7.5 // 2, -7 % 3)
n //= 10 ** 380
n %= 10 ** 7
print(n, math.isqrt(10 ** 100), math.gcd(12, 18), math.gcd(), math.gcd(0, 5, 10), "%s-%d" % ("a", 5), True // 2, round(True, 1))
class V:
    def __init__(self, v): self.v = v
    def __floordiv__(self, o): return ("floordiv", o)
    def __rfloordiv__(self, o): return ("rfloordiv", o)
    def __mod__(self, o): return ("mod", o)
    def __divmod__(self, o): return ("divmod", o)
    def __rdivmod__(self, o): return ("rdivmod", o)
    def __round__(self, digits=None): return ("round", digits)
    def __ifloordiv__(self, o): return ("ifloordiv", o)
    def __index__(self): print("asked"); return self.v
v = V(-2)
print(v // 2, 2 // v, v % 3, divmod(v, 2), divmod(2, v), round(v, 1), round(v, None), round(1234, v), math.isqrt(V(17)), math.gcd(V(4), 6), round(5, None))
v //= 4
print(v)
for wrong in ("1 // 0", "1 % 0", "divmod(1, 0)", "divmod(1, 'a')", "'a' // 2", "round(1, 'a')", "round('a', 1)", "round(1, 2.5)", "math.isqrt(-1)", "math.isqrt(2.5)",
              "math.gcd(1.5, 2)", "math.isqrt(1, 2)", "divmod(1)", "round(1, 2, 3)"):
    try: print(eval(wrong))
    except Exception as error: print(type(error).__name__, error)
def divmod(*given): return given
x = 5
print(divmod(1, x))
"""


def test_divisions_mean_what_they_mean_in_cpython() -> None:
    assert in_ours(ORDINARY)[0] == in_cpython(ORDINARY)


def test_numbers_of_a_few_thousand_digits_cost_nothing() -> None:
    outcome = Step().run(
        "import math\na, b = 7 ** 3000, 3 ** 2000\nx = a // b, a % b, divmod(a, b), math.isqrt(a), math.gcd(a, b), a * b"
    )
    assert (outcome.failure, outcome.operations < 2_500) == (None, True)
