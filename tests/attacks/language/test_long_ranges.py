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
