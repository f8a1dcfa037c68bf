"""Exact numbers: what takes as long as their digits say is charged by them, and past a bound refused."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours
from tests.snippet.running import Step, failure_of

IMPORTS = "from decimal import *\nfrom fractions import Fraction\n"

REFUSED = [
    "Context(prec=10**9).divide(1, 3)", "Context(10**9)", "getcontext().prec = 10**8", "c = getcontext()\nc.prec = 9\nc.prec = 10**8",
    "getcontext().prec *= 10**8", "setattr(getcontext(), 'prec', MAX_PREC)", "localcontext(prec=10**9)", "localcontext(None, prec=10**9)",
    "def f(n):\n    with localcontext() as c: c.prec = n\nf(10**8)",
    "class C(Context): pass\nc = C()\nc.prec = 10**8", "class C(Context): pass\nC(prec=10**8)", "class C(Context): pass\nC(10**8)",
    "class C(Context): pass\nC().__init__(prec=10**8)", "class C(Context):\n    def __init__(self): super().__init__(10**8)\nC()",
    "list(map(Context, [10**8]))", "for f in (Context, localcontext): f(prec=10**9)", "[localcontext][0](prec=10**9)",
    "int(Decimal('1e999999999'))", "x = '-1E+999999999'\nformat(Decimal(x), 'f')",
    "import decimal as d\nd.Decimal((0, (1,), -10**9)).as_integer_ratio()", "Decimal('1e-999999999')", "D = Decimal\nD('1e999999999')",
]  # fmt: skip


def test_a_precision_is_set_by_no_descriptor():
    failure = Step(check_first=False).run(f"{IMPORTS}Context.prec.__set__(getcontext(), 10**8)").failure
    assert failure is not None
    assert failure.type == "AttributeError"


@pytest.mark.parametrize("source", REFUSED)
def test_numbers_and_contexts_past_the_bounds_are_refused_before_they_cost(source: str) -> None:
    failure = Step(check_first=False).run(IMPORTS + source).failure
    assert failure is not None
    assert failure.kind == "refused", failure
    assert "1,000,000 digits at most" in failure.message or "2,000,000 zeros at most" in failure.message


CHARGED = [
    "getcontext().prec = 10**5\nDecimal(2).ln()", "getcontext().prec = 10**5\nDecimal(2).exp()", "getcontext().prec = 10**6\nDecimal(2).sqrt()",
    "getcontext().prec = 10**5\nDecimal.log10(Decimal(2))", "Decimal(2).ln(Context(10**5))", "Decimal(2).ln(context=Context(prec=10**5))",
    "Context(prec=10**5).ln(2)", "getcontext().prec = 10**5\nDecimal(2) ** Decimal('0.5')", "getcontext().prec = 10**5\npow(Decimal(2), Decimal('0.5'))",
    "getcontext().prec = 10**5\nx = Decimal(2)\nx **= Decimal('0.5')", "int(Decimal('1e999999'))", "int(Decimal(10) ** 999999)",
    "int(pow(Decimal(10), 999999))", "x = Decimal(10)\nx **= 999999\nint(x)", "Fraction('1e999999999')", "F = Fraction\nF('1e99999999')", "Fraction('3e-99999999')",
]  # fmt: skip


@pytest.mark.parametrize("source", CHARGED)
def test_what_grows_with_the_digits_is_charged(source: str) -> None:
    assert failure_of(IMPORTS + source, operations=1_000_000) == ("limit", "LimitReached")


ORDINARY = """
from decimal import *
from fractions import Fraction
import decimal
c = getcontext()
c.clear_flags()  # those of the tests before it, in CPython
c.prec = 50
c.prec += 2
print(c.prec, c, Decimal(2).sqrt(), Decimal(2).ln(), Decimal(2).exp(c), c.log10(Decimal(2)), Decimal(2) ** Decimal("0.5"))
with localcontext() as d:
    d.prec = 100
    d.Emax = 10**9
    print(Decimal("1e5"), Decimal("-Infinity"), Decimal("NaN"), Decimal("1e4000"), Decimal(str(2.5)), Decimal(7) ** 9, Decimal("0.5") ** 3000)
with localcontext(Context(prec=5)):
    print(Decimal(1) / 3, decimal.Decimal("0e-3000000"), Decimal(7) ** -2, pow(Decimal(7), 2, 5))
setattr(c, "prec", 7)
print(c, hasattr(c, "prec"), Fraction("3.5e-3"), Fraction("1_0e1"), Fraction(1, 3), Fraction(2.5), Fraction(" 7 "))
for x in (0, -1, "a"):
    try: c.prec = x
    except (ValueError, TypeError) as e: print(type(e).__name__)
try: del c.prec
except (AttributeError, TypeError) as e: print(type(e).__name__)
class A:
    def __init__(self, prec): self.prec = prec
a = A(10**12)
a.prec += 1
a.prec -= 2
setattr(a, "prec", a.prec + 5)
print(a.prec)
del a.prec
print(hasattr(a, "prec"))
class Decimal:
    def __init__(self, x): self.x = x
    def ln(self, *x): return x
print(Decimal(5).x, Decimal(6).ln(7))
"""


def test_exact_numbers_mean_what_they_mean_in_cpython() -> None:
    assert in_ours(ORDINARY)[0] == in_cpython(ORDINARY)


def test_a_hundred_thousand_digits_of_pi_fit_an_ordinary_step() -> None:
    roots = "getcontext().prec = 100_010\nx = [Decimal(2).sqrt()]\nDecimal(1) / x[0]"
    outcome = Step().run(IMPORTS + roots, operations=100_000_000 // 18)
    assert outcome.failure is None, outcome.failure
