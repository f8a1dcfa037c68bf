"""Functions in C that pass numbers of a long range by are charged for each, as no loop of the snippet's sees them."""

from __future__ import annotations

import pytest

LONG = {
    "a filter": "next(filter((-1).__eq__, range(10**8)))",
    "a filter in a loop": "for x in filter((-1).__eq__, range(10**8)): pass",
    "a filter turned round": "import itertools\nnext(itertools.filterfalse((-1).__ne__, range(10**8)))",
    "what is dropped": "import itertools\nnext(itertools.dropwhile((-1).__ne__, range(10**8)))",
    "what is skipped": "import itertools\nnext(itertools.islice(range(10**9), 10**8, None))",
    "a group": "import itertools\ng = itertools.groupby(range(10**8), (0).__mul__)\nnext(g)\nnext(g)",
    "empty parts": "import itertools\nnext(itertools.chain.from_iterable(map(().__mul__, range(10**8))))",
    "empty parts by another name": "from itertools import chain\nnext(chain.from_iterable(map(().__mul__, range(10**8))))",
}


@pytest.mark.parametrize("source", LONG.values(), ids=LONG)
def test_a_long_range_that_is_passed_by_in_c_ends_with_the_operations(run, source):
    assert run(source).failure.kind == "limit"


def test_what_is_asked_of_a_long_range_is_what_it_costs(run):
    source = (
        "import itertools\n[list(itertools.islice(range(10**11), 3)), next(filter(None, range(10**11))),\n"
        " list(itertools.chain.from_iterable(['ab', 'c'])), list(filter(None, range(3)))]"
    )
    seen = run(source)
    assert seen.value == [[0, 1, 2], 1, ["a", "b", "c"], [1, 2]]


#: Each looks for what is no int among more numbers than anybody waits for.
ASKED = {
    "how often": "range(10**11).count(1.5)",
    "how often, of none": "range(10**11).count('a')",
    "how often, by the class": "f = range.count\nf(range(10**11), None)",
    "how often, of one's own": "class F(float): pass\nrange(10**11).count(F(1.5))",
    "where": "try: range(10**11).index(0.5)\nexcept ValueError: 0",
    "whether": "int(range(10**11).__contains__(object()))",
    "a number of many zeros": "import decimal\nrange(10**11).count(decimal.Decimal('1e90000'))",
}


@pytest.mark.parametrize("source", ASKED.values(), ids=ASKED)
def test_methods_of_a_long_range_do_not_go_through_it(run, source):
    seen = run(source)
    assert seen.failure is None, seen.failure
    assert seen.value in (0, None)


def test_methods_of_ranges_find_what_they_found(run):
    source = """
from decimal import Decimal
from fractions import Fraction
class Three:
    def __eq__(self, other): return other == 3
class Whole(int): pass
class Other: pass
numbers, down = range(0, 10, 3), range(10, 0, -2)
sought = [3, 4, 3.0, 3.5, True, False, 3 + 0j, 3j, Decimal(3), Decimal("NaN"), Fraction(3), "3", None, Three(), Whole(9), Other(), float("inf")]
def where(line, each):
    try: return line.index(each)
    except ValueError as error: return str(error)
def same(line):
    listed = list(line)
    return [line.count(each) == listed.count(each) and line.__contains__(each) == (each in listed)
            and (where(line, each) == listed.index(each) if each in listed else type(where(line, each)) is str) for each in sought]
[all(same(numbers)), all(same(down)), all(same(range(0))), where(numbers, 4), where(numbers, 3.5), range(3).count.__name__]
"""
    seen = run(source)
    assert seen.failure is None, seen.failure
    assert seen.value[:3] == [True, True, True]
    with pytest.raises(ValueError, match="not in range") as found:
        range(0, 10, 3).index(4)
    assert seen.value[3:] == [str(found.value), "sequence.index(x): x not in sequence", "count"]
