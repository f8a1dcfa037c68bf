"""What gives items without end is charged whatever takes them, and is otherwise what it is in CPython."""

from __future__ import annotations

import sys

import pytest

from tests.fidelity.comparing import difference, in_ours
from tests.snippet.running import Step, failure_of

_BEFORE = """
import collections, csv, functools, io, json, operator
from itertools import *
x = []
class A: pass
a = A()
a.held = [count()]
"""

TAKERS = [
    "x += count()", "x[0:0] = count()", "dict([count()])", "d = {}\nd |= [count()]", "list.__init__(x, count())",
    "d = collections.deque()\nd += repeat(1)", "csv.writer(io.StringIO()).writerow(count())", "collections.namedtuple('P', count())",
    "list(map(sum, [count()]))", "functools.partial(list, count())()", "json.dumps(count(), default=list)", "min(*count())",
    "next(chain.from_iterable(repeat([])))", "f = filter\nnext(f(None, repeat(0)))", "f = filter\nnext(f(None, repeat(0, 10**12)))",
    "def f(): return 1.5 in a.held[0]\nf()", "f = ''.join\nf(cycle('a'))", "f = functools.reduce\nf(max, count())",
    "x += iter(int, 1)", "f = iter\nx += f(int, 1)", "x += [*map(iter, [int], [1])][0]", "first, second = tee(count())\nx += first",
    "def g(): yield from count()\nx += g()", "x += starmap(max, repeat((1, 2)))", "x += accumulate(count())", "x += zip(count(), cycle('ab'))",
    "class C(count): pass\nx += C()", "f = iter(count(5))\nx += f", "x += chain(*[[1], repeat(2)])", "x += iter(count().__next__, -1)",
    "import copy\nx += copy.copy(zip(count()))",
]  # fmt: skip
if sys.version_info < (3, 14):  # from then on nothing copies an iterator of itertools
    TAKERS.append("import copy\nx += copy.deepcopy(zip(count()))")


@pytest.mark.parametrize("source", TAKERS)
def test_what_has_no_end_is_charged_whatever_takes_it(source: str) -> None:
    assert failure_of(_BEFORE + source, operations=10_000) == ("limit", "LimitReached")


#: What goes through a list that grows by the function of C it calls, and gives nothing meanwhile.
GROWING = [
    "for _ in filter(x.append, x): pass", "list(filterfalse(x.__iadd__, x))", "list(dropwhile(x.__iadd__, x))",
    "sum(1 for _ in groupby(x, x.append))", "next(groupby(x, key=x.__iadd__))\nlist(groupby(x, key=x.append))",
    "list(filter(functools.partial(x.append), x))", "b = bytearray(b'a')\nlist(filter(functools.partial(bytearray.append, b), b))",
    "list(filter(functools.lru_cache(maxsize=0)(x.append), x))", "class P(functools.partial): pass\nlist(filter(P(x.append), x))",
    "class L:\n    __call__ = x.append\nlist(filter(L(), x))", "list(filter(functools.partial(x.append).__call__, x))",
    "max(x, key=x.__iadd__)", "min(x, **{'key': x.__iadd__})", "list(chain.from_iterable(filter(x.append, x)))",
]  # fmt: skip


@pytest.mark.parametrize("source", GROWING)
def test_a_list_that_grows_while_c_goes_through_it_is_charged_for_what_it_gives(source: str) -> None:
    assert failure_of(f"{_BEFORE}x.append('a')\n{source}", operations=10_000) == ("limit", "LimitReached")


PROGRAMS = {
    "counts": """
import itertools as it, fractions
made = it.count(5)
print(made, next(made), made, type(made), isinstance(made, it.count), isinstance(it.repeat(1), it.count), it.count.__doc__)
for start, step in ((0.5, 0.25), (0.1, 0.1), (10**30, 1), (10**30, -7), (fractions.Fraction(1, 3), 2), (2**63 - 3, 1), (1j, 1), (1, True)):
    counted = it.count(start, step)
    print(counted, list(it.islice(counted, 6)), counted)
print(it.count(step=-2), [*zip(it.count(1), "abc")], [*map(pow, it.count(), [2] * 4)])
made = it.count()
print([*it.islice(made, 3)], next(made), [*it.islice(iter(made), 2)], made, made.__next__(), 9 in made, made)
for n in made:
    if n > 12: break
print(n, made, next(made))
""",
    "refusals": """
import itertools as it
for make in (lambda: it.count("a"), lambda: it.count(1, 2, 3), lambda: it.cycle(5), it.cycle, it.repeat, lambda: it.repeat(1, "a"),
             lambda: it.count(nothing=1), lambda: iter(5), lambda: iter(5, 1), iter,
             lambda: iter(1, 2, 3), lambda: iter(int, sentinel=1)):
    try: print(make())
    except (TypeError, AttributeError) as error: print(type(error).__name__, error)
""",
    "the same object": """
import itertools as it, operator
thing = object()
twice = it.repeat(thing, 2)
print(operator.length_hint(twice), next(twice) is thing, operator.length_hint(twice), len([*twice]), it.repeat(1.5, times=3), it.repeat("a"))
print(all(one is thing for one in it.islice(it.repeat(thing), 5)), [*it.repeat(1, -1)], sum(it.repeat(2, 5)), [*map(pow, range(4), it.repeat(2))])
print(max(it.repeat(3, 2)), min(*it.repeat(3, 2)), {*it.repeat(3, 2)}, "-".join(it.repeat("a", 3)), [1, *it.repeat(0, 2)], 3 in it.repeat(3))
""",
    "round and round": """
import itertools as it
def told(n):
    for i in range(n):
        print("gives", i)
        yield i
turning = it.cycle(told(3))
print("made")
print(next(turning), [*it.islice(turning, 6)], [*it.cycle([])], [*it.cycle(told(0))])
for n, one in zip(range(4), it.cycle("ab")): print(n, one)
print([*it.islice(it.cycle(iter([1])), 3)], next(it.cycle(""), "none"))
def failing():
    yield 1
    raise KeyError("lost")
try: print([*it.cycle(failing())])
except KeyError as error: print("key", error)
""",
    "to an end": """
given = [3, 1, 0, 2]
print([*iter(given.pop, 0)], given, iter.__name__, [*map(iter, ["ab"])][0].__next__(), sorted(iter(given)), [*iter([].pop, 0)] if 0 else "")
taking = iter(lambda: given.pop(), 1)
print(next(taking, "none"), next(taking, "none") if given else "all taken")
def stopping(): raise StopIteration
print([*iter(stopping, 0)])
""",
    "no items of type": """
try: iter(type)
except TypeError as error: print(error)
import collections.abc
print(isinstance(type, collections.abc.Iterable), type[int])
class M(type):
    def __iter__(cls): return iter([1])
class A(metaclass=M): pass
print([*A], *A)
""",
    "rows of some": """
import itertools as it
class Own(it.count):
    def __init__(self, *a): self.made = True
own = Own(2)
print(own, own.made, [*it.islice(own, 3)], own, type(own) is Own)
ids = it.count(1)
class Thing:
    numbers = it.count()
    def __init__(self): self.n = next(self.numbers); self.id = next(ids)
print([(thing.n, thing.id) for thing in (Thing(), Thing())])
import collections
table = collections.defaultdict(it.count().__next__)
print([table[c] for c in "abca"], dict(table))
def numbers():
    yield from it.islice(it.count(3), 2)
    yield from it.repeat(0, 2)
print([*numbers()], [*it.takewhile(lambda n: n < 4, it.count())], next(n for n in it.count() if n * n > 50))
first, second = it.tee(it.count())
print(next(first), next(first), next(second), [*zip(first, second, range(2))])
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_what_has_no_end_is_as_in_cpython(source: str) -> None:
    assert in_ours(source)[1] is None
    assert difference(source) is None


def test_what_is_kept_goes_on_with_the_next_step() -> None:
    step = Step(check_first=False)
    step.run("from itertools import count\nids = count()\npairs = zip(ids, 'abcdef')\nnext(pairs), next(ids)")
    assert step.run("next(pairs), next(ids), [*pairs]").value == ((2, "b"), 3, [(4, "c"), (5, "d"), (6, "e"), (7, "f")])


def test_what_is_charged_is_what_is_taken() -> None:
    outcome = Step(check_first=False).run(
        "from itertools import count\nx, pairs = [], zip(count(), range(700))\nx += pairs"
    )
    assert 700 <= outcome.operations <= 710
