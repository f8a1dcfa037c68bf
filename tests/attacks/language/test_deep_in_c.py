"""C goes into what is nested, and calls itself by the snippet's functions: on a stack that bears it."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SORTS = (
    "import sys\nsys.setrecursionlimit(10_000)\ncalls = 0\ndef sort(*given):\n    global calls\n    calls += 1\n    "
)

#: What sorts while it is asked how to sort, until there are no more frames.
SORTING = {
    "by a key": f"{_SORTS}[2, 1].sort(key=sort)\n",
    "by a key of two": f"{_SORTS}sorted([2, 1], key=functools.cmp_to_key(sort))\nimport functools\n",
    "by what is compared": f"{_SORTS}[Own(), Own()].sort()\nclass Own: __lt__ = sort\n",
}
#: CPython 3.12 counts how deep C is, and from 3.14 on looks itself how much is left of the stack that there was at first.
_LEAST = 400 if sys.version_info[:2] == (3, 12) or sys.version_info >= (3, 14) else 2000
_TRIED = f"try: sort()\nexcept RecursionError: pass\ncalls > {_LEAST}"

_NESTED = "nested = {}\nfor _ in range({}): nested = {}\n"

#: What is as deep as many a million steps can make it, and gone into by C without counting how deep that is.
NESTED = {
    "a hash": _NESTED.format("()", 1_000_000, "(nested,)") + "hash(nested)",
    "a map": _NESTED.format("iter([5])", 500_000, "map(int, nested)") + "next(nested)",
    "a filter": _NESTED.format("iter([5])", 500_000, "filter(None, nested)") + "next(nested)",
    "a slice that is let go of": _NESTED.format("5", 1_000_000, "slice(nested)") + "del nested",
    "a queue that is let go of": "import collections\n"
    + _NESTED.format("5", 300_000, "collections.deque([nested])")
    + "del nested",
    "an alias that is hashed": _NESTED.format("int", 300_000, "list[nested]") + "hash(nested)",
}

_PROGRAM = """
import sys, warnings
from codeact import Session
warnings.simplefilter("ignore")
with Session(isolation="inline") as session:
    for source in sys.argv[1:]:
        print(session.run(source).failure)
"""


@pytest.mark.parametrize("source", SORTING.values(), ids=SORTING)
def test_sorts_within_sorts_run_out_of_frames_and_not_of_stack(session, source):
    assert session.run(source + _TRIED).value is True


def test_a_process_survives_what_is_nested_deep_in_a_session_without_a_cage():
    sources = [*(source + _TRIED for source in SORTING.values()), *NESTED.values()]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *sources], capture_output=True, check=True, timeout=120, text=True
    )
    assert done.stdout.split() == ["None"] * len(sources)


def test_threads_of_the_host_have_the_stacks_they_had():
    program = (
        "import threading, warnings\nfrom codeact import Session\nwarnings.simplefilter('ignore')\n"
        "threading.stack_size(1 << 20)\nwith Session(isolation='inline'): print(threading.stack_size() == 1 << 20)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60, text=True)
    assert done.stdout == "True\n"
