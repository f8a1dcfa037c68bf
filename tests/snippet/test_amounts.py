"""Small work takes the fast way, and what is charged for it is the same: what is large is charged however it is written."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

ELEMENTS = {
    "bytes(80_000), ' '.ljust(80_000), (5).to_bytes(length=80_000, byteorder='big')": 30_000,
    "b = bytes(8000)\nbytes(b), bytearray(bytearray(b)), bytes(b[:9])\nbuffer = bytearray()\nbuffer.extend(b)": 4000,
    "format(1, '80000'), format(1, '>8'), 'a'.center(80), bytes(80), f'{1:>8}'": 10_000,
    "'{:>8} {}'.format(1, 2), '{a[b]}'.format_map({'a': {'b': 1}})": 0,
    "'{:>8000} {}'.format(1, 2)": 1000,
    "text = '{:>{}}'\ntext.format(1, 8000)": 1000,
    "class A: pass\na = A()\na.x = []\ndef f(): a.x.extend([1, 2])\nf()": 2,
    "def f(d): d['a'].update(d['a'].union(range(5), [6]))\nf({'a': {7}})": 13,
    "def f(d): return d['a'].join(['b'] * 5)\nf({'a': '-' * 2000})": 1250 + 250 + 5,
    "import math\nmath.dist((1, 2), (3, 4)), math.prod([1, 2, 3])": 3,
    "import random\nrandom.sample(range(10**18), 3)": 6,
    "import random\nrandom.sample([0] * 9000, 3), random.choices(population='a' * 9000, k=5)": 9000 + 1125 + 6 + 10,
    "import random\nall = [0.5] * 9000\nrandom.choices(all, cum_weights=all), random.choices(all, all)": 18_002,
    "import copy\ncopy.copy(range(10**9))": 0,
    "import re\nre.sub('a', 'b', 'a' * 8000)": 1000 * 3,
    "list(range(70)), sum(range(70)), dict.fromkeys(range(70))": 210,
    "large, small = set(range(9000)), {1, 2}\nsmall.issubset(large), large.isdisjoint(small), small & large": 9004,
    "small = {1, 2}\ndef f(x): return small.intersection(x.large, x.large)\nclass x: large = {*range(9000)}\nf(x)": 9004,
    "large = {*range(9000)}\nset.difference({1}, large), {1}.difference_update(large), {1}.union(large)": 18_002,
    "any(range(1, 1 << 70)), next(iter(range(1 << 70)))": 1,
}


@pytest.mark.parametrize("source", ELEMENTS)
def test_elements_are_charged_whichever_way_they_go(source: str) -> None:
    outcome = Step().run(source)
    assert outcome.failure is None
    assert outcome.elements == ELEMENTS[source]


TABLES = {
    "pandas": "import pandas\ntable = pandas.DataFrame({'a': range(9000), 'b': 1})",
    "pyarrow": "import pyarrow\ntable = pyarrow.table({'a': range(9000), 'b': [1] * 9000})",
}


@pytest.mark.parametrize("library", TABLES)
def test_a_table_is_gone_through_by_its_columns(library: str) -> None:
    pytest.importorskip(library)
    step = Step(imports=(library,))
    outcome = step.run(TABLES[library], "len(table), len(list(table)), len([*sorted(map(str, table))])")
    assert outcome.value == (9000, 2, 2)
    assert outcome.elements == 2 + 2 + 2
