"""What is large is charged by whatever number it is asked for, and by whatever way the number gets there."""

from __future__ import annotations

import pytest

from codeact.snippet import ownership
from tests.fidelity.comparing import in_cpython, in_ours
from tests.snippet.running import Step, failure_of

OWN = """
class N(int): pass
class S(str): pass
class Bytes(bytes): pass
class X:
    def __init__(self, *numbers): self.numbers = [*numbers]
    def __index__(self): return self.numbers.pop(0)
class R(X):
    def __rmul__(self, other): return NotImplemented
x, many = X(10**10, 10**10), N(10**10)
"""

LARGE = [
    "'a' * many", "many * [0]", "b'a' * x", "'a' * R(10**10)", "'a' * X(1, 10**10) * X(10**10)", "t = (0,)\nt *= many", "t = [0]\nt *= x",
    "def f(a, n): return a * n\nf('a', many)", "import collections\ncollections.UserList([0]) * 10**10",
    "import collections\n10**11 * collections.UserString(S('a'))", "N(7) ** 10**9", "7 ** N(10**9)", "y = N(7)\ny **= 10**9",
    "pow(7, exp=10**9)", "pow(base=7, exp=10**9)", "pow(7, 10**9, None)", "import fractions\nfractions.Fraction(7, 3) ** 10**9",
    "pow(3, N(10**100000), N(10**100000 + 1))", "a = 1\ndef n():\n    global a\n    a = 0\n    return 10**11\ndef f(): return a << n()\nf()",
    "'a'.ljust(many)", "'a'.center(x)", "Bytes(b'a').ljust(10**10)", "str.ljust('a', 10**10)", "'a'.ljust(*[10**10])",
    "'\\t'.expandtabs(tabsize=10**10)", "N(5).to_bytes(length=10**10, byteorder='big')", "bytes(many)", "bytes(x)", "bytes(*[10**10])",
    "bytearray(source=10**10)", "import math\nmath.factorial(N(10**8))", "import math\nmath.factorial(*[10**8])",
    "import math\nmath.comb(X(10**9), N(10**8))", "import random\nrandom.choices([1], k=N(10**9))", "import random\nrandom.randbytes(many)",
    "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'a', b'b', N(10**9))",
    "import hashlib\nhashlib.pbkdf2_hmac(hash_name='sha256', password=b'a', salt=b'b', iterations=10**9)",
    "import itertools\nitertools.product('ab', repeat=10**10)", "import itertools\nitertools.combinations('ab', 10**10)",
    "import itertools\nitertools.permutations(iterable='ab', r=x)", "import collections\ncollections.deque(iterable=iter(int, 1))",
    "import collections\ncollections.deque(*[iter(int, 1)])", "import itertools, math\nmath.dist(itertools.count(), (1,))",
    "import math\ndef f(p): return math.dist(*[p, p])\nf(iter(int, 1))", "import math\ndef f(p): return math.dist(p, (1,))\nf(iter(int, 1))",
    "sum(*[iter(int, 1)])", "max(iter(int, 1), *[])", "list(*[iter(int, 1)])", "sorted(*[range(10**11)], reverse=True)",
    "set().union(*[range(10**11)])", "f'{1:{many}}'", "f'{1:{600}{600}{600}{600}}'", "f'{1:{S(10**10)}}'", "f'{1:٩٩٩٩٩٩٩٩٩٩}'", "f'{1:{chr(48) * 40}{10**10}}'",
    "format(1, '٩٩٩٩٩٩٩٩٩٩')", "format(*[1, '9999999999'])", "format(1, f'{10**10}')", "format(1, S(10**10))",
    "('%' + '0' * 40 + '9999999999d') % 1", "'%*d' % (many, 1)", "t = '%9999999999d'\nt % 1", "def f(t): return t % (many, 1)\nf('%*d')",
    "'{:{}}'.format(1, '9999999999')", "'{:{}}'.format(1, many)", "'{0:{1[0]}}'.format(1, [10**10])", "'{:{}{}{}{}}'.format(1, 600, 600, 600, 600)",
    "'{:٩٩٩٩٩٩٩٩٩٩}'.format(1)", "'{a:{b}}'.format_map({'a': 1, 'b': 10**10})", "'{a:9999999999}'.format_map({'a': 1})",
    "str.format('{:{}}', 1, 10**10)", "import itertools\ns = set()\ns.union((s := 5) and (), itertools.count())",
    "import math\nmath.perm(10**7)", "import math\nmath.prod(range(1, 10**6))", "import math\nmath.prod([10**100000] * 200)",
    "import math\nmath.prod(iterable := list(range(1, 10**6)), start=1)", "import math\nmath.prod(range(10**30))", "import math\nmath.prod(range(10**12))", "import math\nmath.lcm(*range(1, 300_000))",
    "sum([[0] * 9000] * 10_000, [])", "sum([(0,)] * 300_000, start=())", "def f(rows, start): return sum(rows, start)\nf([[0]] * 300_000, [1])",
    "f = pow\nf(7, 10**9)", "[*map(pow, [7], [10**9])]", "import operator\noperator.pow(7, 10**9)", "import operator\nops = {'**': operator.pow}\nops['**'](9, 9**9)",
    "import operator\noperator.ipow(N(7), 10**9)", "import operator\n[*map(operator.lshift, [1], [10**10])]", "from operator import ilshift as f\nf(1, many)",
    "from math import factorial as f\nf(10**7)", "import math\n[*map(math.factorial, [10**7])]", "import math\nf = math.comb\nf(10**9, 10**8)",
    "import math\nf = math.lcm\nf(*range(1, 300_000))", "import functools, math\nfunctools.reduce(math.perm, [10**7, 10**7])",
    "import functools, operator\nf = functools.reduce\nf(operator.pow, [7, 10**8, 10])", "from hashlib import pbkdf2_hmac as f\nf('sha256', b'a', b'b', 10**9)",
    "import functools, operator\nfunctools.reduce(operator.add, [[0] * 90_000] * 3_000)", "import functools, operator\nfunctools.reduce(operator.mul, range(1, 200_000))",
    "import functools\nfunctools.reduce(set.union, [set(range(90_000))] * 10_000, set())",
    "1.5 in range(10**11)", "n = 10**11\nprint(n / 7 in range(n))", "r = range(10**11)\n'a' in r", "def f(x, n): return x not in range(1, n)\nf('a', 10**11)",
    "def f(r): return 0 < 1.5 in r\nf(range(10**30))", "N(5) in range(10, 10**11)", "import operator\n[*map(operator.contains, [range(10**11)], [1.5])]",
    "import operator\nf = operator.countOf\nf(range(10**11), 1)", "class A: r = range(0, -10**11, -1)\n1.5 in A.r",
    "l = []\nl += range(10**8)", "l = []\nl[:] = range(10**8)", "def f(l): l[1:1] = map(abs, range(10**8))\nf([0])", "import itertools as i\nl = []\nl += i.product('ab', repeat=30)",
    "import collections\nd = collections.deque(maxlen=1)\nd += zip(range(10**8))", "class A:\n    __l = []\n    __l += reversed(range(10**8))",
    "class V:\n    def __mul__(s, o): return o\ndef f(a, n): return a * n\nf(V(), 3), f(1j, 3), f(3, 1j)\nf(V() * 'a', 10**10)",
    "import hashlib\nhashlib.shake_128(b'a').digest(10**9)", "import hashlib\nhashlib.shake_256(b'a').hexdigest(length=10**9)",
    "import statistics\nstatistics.covariance(range(10**9), range(10**9))", "import statistics\nstatistics.linear_regression(y=range(10**9), x=[1])",
    "import random\nr = random.Random(1)\nr.sample(range(10**12), 10**9)", "import random\nrandom.Random(1).sample(range(10**12), k=N(10**9))",
    "l = [0]\nl += iter(l)", "from itertools import accumulate\nl = []\nl[:] = accumulate(range(10**9))", "import itertools as i\nl = []\nl += i.takewhile(bool, range(1, 10**9))",
    "import hashlib\nhashlib.pbkdf2_hmac('sha1', b'a', b'b', 100, 10**8)", "import hashlib\nhashlib.pbkdf2_hmac('md5', b'a', b'b', 1000, dklen=N(10**7))",
    "import json\njson.dumps([[]], indent=10**9)", "import json, io\njson.dump([0] * 5_000, io.StringIO(), indent=N(90_000))", "import pprint\npprint.pformat([[]] * 99, indent=10**8)",
    "import os\nos.urandom(10**9)", "import os\nf = os.urandom\nf(x)",
    "def g(*a): pass\ndef f(*a):\n    for n in range(10_000): g(*a)\nf(*range(1_000))",
    "import itertools\nitertools.tee([1], 10**9)", "from itertools import tee\n[*map(tee, [()], [x])]",
    "class A:\n    def f(self):\n        for _A__i in range(1):\n            __i = 'a'\n            return _A__i * 10**11\nA().f()",
]  # fmt: skip


@pytest.mark.parametrize("source", LARGE)
def test_large_results_are_refused_whichever_way_they_are_asked_for(source: str) -> None:
    assert failure_of(OWN + source, operations=2_000_000) == ("limit", "LimitReached")


PROGRAMS = {
    "factors": """
class X:
    def __index__(self): print("asked"); return 3
class Y(X):
    def __rmul__(self, other): return "mine", other
    def __mul__(self, other): return NotImplemented
class I(X):
    def __imul__(self, other): return "imul", other
    def __mul__(self, other): return "mul", other
class L(list):
    def __mul__(self, other): return "listed", other
class M(int):
    def __rmul__(self, other): return "M", other
    def __pow__(self, other): return "power", other
x = [1]
same = x
x *= X()
i = I()
i *= "a"
for y in (X(), Y(), M(5)):
    try: y *= "b"
    except TypeError as e: print(e)
print(i, "a" * X(), X() * b"b", "a" * Y(), Y() * "c", type((L() * X())[1]), "a" * M(5), M(5) ** 70, same is x, x, "q" * True)
import math
print(math.prod(range(1, 60)), math.prod([2.5] * 40), math.prod([3], start=2), math.lcm(*[4, M(6)]), math.lcm(), math.lcm(4, 6), math.perm(5))
print(sum([[1]] * 40, []), sum([(1,)], start=(0,)), sum([[1]], L([2])), sum([1], 2), sum({'a': 1}.values(), 1.5))
print(max(*[1, 5]), max([3], *[]), max(*"ab", key=ord), sum(*[[1, 2]], start=5), sorted(*["ba"]), dict(*[[(1, 2)]], a=3), set(*()))
try: "a" * 1.5
except TypeError as e: print(e)
try: "a" * "b"
except TypeError as e: print(e)
""",
    "fields": """
class F:
    a = ["x", 6]
    def __format__(self, spec): return f"<{spec}>"
f = F()
print("{:{}}|{:{}.{}f}|{!r:>{}}".format(1, 5, 2.5, 8, 2, "a", 6), "{0:{0.a[1]}}{1}".format(f, 2), "{a:{b!s:>3}}".format(a=f, b=1))
print("{:{}{}}".format(f, "{", "}"), "{{{:{}}}}".format(f, ""), "{0.a[0]:{w}}".format_map({"0": 1, "w": 3}) if 0 else "")
class M(dict):
    def __missing__(self, key): return f"no {key}"
print("{a:{b}}|{c:>{d}}".format_map(M(a=1, b=4, d=9)))
for text in ("{:{}} {}", "{:{}} {0}", "{0:{}}", "{:{:{}}}", "{:{}", "{:{}}}", "{:{a}}", "{:{0x}}"):
    try: print(text.format(1, 2))
    except (ValueError, IndexError, KeyError) as e: print(type(e).__name__, e)
try: "{:{}}".format_map({})
except ValueError as e: print(e)
""",
    "numbers of ranges": """
n, x = 10**12, 5
r, s = range(0, n, 5), range(n)
class A:
    def __init__(self, held): self.held = held
class E:
    def __eq__(self, other): return other == 7
    __hash__ = None
def f(x, n, r): return x in range(n), x not in range(0, n, 2), x in r, x + 1 in range(n), [x][0] - 0.0 in range(n) in [True], 0 <= x in range(3, n), x in A(r).held
print(f(5, n, r), f(True, 10, r), f(4.0, n, s), E() in range(n), E() in s, E() not in A(s).held, 10**11 in r, 10**11 + 1 in r, 5 in range(10), 5.0 in range(n), "a" in range(9), "a" not in range(n // 10**9))
print(x in range(n) and x in r, [y for y in (1, 3.0, 2**70, None) if y in range(10)], x in (range(n)), x in {n: range(n)}[n])
def g():
    def range(*numbers): return numbers
    return 7 in range(7, n), "a" in range("a"), "b" in range(n, "a")
print(g())
for make in (lambda: undefined in range(n), lambda: x in range("a"), lambda: x in range(1.5), lambda: x in range()):
    try: make()
    except (NameError, TypeError) as e: print(type(e).__name__, e)
""",
    "functions by other names": """
import math, operator, functools, enum, inspect, hashlib
for f in (pow, iter, math.factorial, math.lcm, operator.pow, functools.reduce, operator.contains):
    print(f, f.__name__, f.__qualname__, f.__module__, f.__doc__, callable(f), str(f) == repr(f))
    try: print(inspect.signature(f))
    except ValueError as e: print(e)
class A:
    power, p2, it = pow, operator.pow, iter
print(A().power(2, 3), A.p2(2, 5), [*A().it("ab")])
class Ops(enum.Enum):
    POW = operator.pow
    MUL = operator.mul
print(Ops.POW.value(2, 3), [*Ops])
for act in (lambda: math.factorial(-1), lambda: math.factorial(1.5), lambda: pow(2), lambda: pow(), lambda: operator.pow(1), lambda: functools.reduce(), lambda: functools.reduce(max, []),
   lambda: functools.reduce(5, [1, 2]), lambda: functools.reduce(max, 5), lambda: math.comb(5), lambda: math.comb(5, k=2), lambda: operator.lshift(1, -1), lambda: operator.lshift(1.5, 2), lambda: pow(2, -1), lambda: pow(2, -1, 4), lambda: pow(2, 3, mod=5), lambda: pow(base=2, exp=5), lambda: math.prod(5), lambda: math.lcm(1.5),
   lambda: functools.reduce(operator.add, [[1], [2], [3]], []), lambda: functools.reduce(operator.mul, range(1, 30)), lambda: functools.reduce(lambda a, b: a + b, "abc", ""), lambda: [*map(pow, range(3), [2] * 3)],
   lambda: functools.reduce(set.union, [{1}, {2}]), lambda: functools.reduce(dict.get, ["a"], {"a": 5}), lambda: math.factorial(), lambda: math.prod([2, 3], start=4), lambda: operator.contains([1], 1), lambda: operator.countOf([1, 1], 1), lambda: operator.indexOf([1], 2), lambda: operator.contains(1, 1),
   lambda: {pow: 1}[pow], lambda: pow == pow, lambda: functools.partial(pow, 2)(5), lambda: math.factorial(True), lambda: inspect.isbuiltin(math.sin), lambda: math.pow(2, 3), lambda: isinstance(pow, type), lambda: math.factorial.__call__(3), lambda: math.factorial.x, lambda: hash(pow) == hash(pow), lambda: sorted([3, 1], key=math.factorial)):
    try: print(act())
    except Exception as e: print(type(e).__name__, e)
import copy
print(copy.deepcopy({"**": operator.pow, "f": math.factorial, "p": pow})["**"] is operator.pow)
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_small_is_as_in_cpython(program: str) -> None:
    ours, _ = in_ours(program)
    assert ours == in_cpython(program)


FACTORS = """
import collections, decimal
class V:
    def __mul__(self, other): return self
    __rmul__ = __mul__
class N:
    def __index__(self): return 2
class L(list): pass
class Whole(int): pass
def product(a, b): return a * b
for factor in (V(), 1j, decimal.Decimal(2), L("a"), Whole(2), True, "a", b"a", collections.deque("a"), collections.UserList("a")):
    product(factor, 2)
    product(2, factor)
product(V(), [1]), product(V(), 1j), product(N(), [1])
"""


def test_a_factor_that_repeats_nothing_and_is_repeated_by_nothing_is_asked_about_once() -> None:
    step = Step()
    ownership.forget_classes()  # of sessions before
    assert step.run(FACTORS).failure is None
    assert {cls.__name__ for cls in ownership.plain_factors} == {"V", "complex", "Decimal"}
