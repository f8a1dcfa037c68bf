"""Iterators given to functions that do not go through them: those copy, show or complain about the object itself."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import difference, in_ours

_MADE = """
import itertools
MADE = {
    "a map": lambda: map(str, [1, 2, 3]), "a zip": lambda: zip("abc", "def"), "pairs": lambda: enumerate("abc"),
    "of a list": lambda: iter([1, 2, 3]), "of a tuple": lambda: iter((1, 2, 3)), "of a text": lambda: iter("abc"),
    "of a dict": lambda: iter({1: 2, 3: 4}), "of a range": lambda: iter(range(5)), "back": lambda: reversed([1, 2, 3]),
    "sums": lambda: itertools.accumulate([1, 2, 3]), "a chain": lambda: itertools.chain([1, 2], [3]),
    "a count": lambda: itertools.count(-3),
}
def tell(act, *arguments):
    try: print(act(*arguments))
    except Exception as e: print(type(e).__name__, e)
"""

PROGRAMS = {
    "copies, which go their own way": "import copy\nfor how in (copy.copy, copy.deepcopy):\n"
    "    for name, make in MADE.items():\n        first = make()\n        next(first)\n"
    "        try: second = how(first)\n        except TypeError as e: second = iter([str(e).replace('itertools.', '')])  # from 3.14 on\n"
    "        print(name, type(second), *[[*itertools.islice(it, 2)] for it in (second, first, second)])",
    "what is no JSON": "import json\nfor make in MADE.values(): tell(json.dumps, {'rows': make()}), tell(json.dumps, make())",
    "what is printed nicely": "import pprint\nfor make in MADE.values(): tell(pprint.pformat, make()), pprint.pprint([make()])",
    "what has no length": "import random\nfor make in MADE.values(): tell(random.choices, make()), tell(random.shuffle, make())",
    "what is no text": "import ast, base64, gzip, html, re, shlex, textwrap\nfor make in MADE.values():\n"
    "    for act in (ast.literal_eval, base64.b64encode, gzip.compress, html.escape, shlex.split, textwrap.dedent):\n"
    "        tell(act, make())\n    tell(re.findall, 'a', make()), tell(re.sub, 'a', 'b', make())",
    "what messages call them": """
import queue, threading, types
more = (
    itertools.cycle("a"), itertools.repeat(1), itertools.islice((c for c in "a"), 1), itertools.pairwise(c for c in "a"),
    types.SimpleNamespace(a=1), queue.SimpleQueue(), threading.local(),
)
for made in (*[make() for make in MADE.values()], *more):
    print(type(made).__name__, type(made).__qualname__, type(made).__module__, type(made))
    for act in (len, int, lambda x: x[0], lambda x: x + 1, lambda x: x < x, lambda x: x(), lambda x: "a" + x, lambda x: x.b):
        tell(act, made)
""",
    "what is no list": "import heapq\nfor make in MADE.values(): tell(lambda: heapq.heapify(make()))\nrows = [3, 1, 2]\n"
    "print(heapq.heapify(rows), rows)",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_an_iterator_is_copied_and_told_as_in_cpython(source):
    assert in_ours(_MADE + source)[1] is None
    assert difference(_MADE + source) is None


_COPIED = """
import copy, itertools
rows = [1, 0, 2] * 3000
for made in (filter(None, itertools.chain(rows)), itertools.islice(iter(rows), 8000), itertools.takewhile(lambda n: n < 2, iter(rows))):
    next(made)
    try: second = copy.deepcopy(made)
    except TypeError as e: second = iter([str(e)])  # from Python 3.14 on
    print(len([*second]), len([*made]))
"""


def test_a_deep_copy_of_what_draws_from_an_iterator_gives_all_that_is_left():
    assert in_ours(_COPIED)[1] is None
    assert difference(_COPIED) is None
