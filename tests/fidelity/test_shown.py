"""What a step shows: values as their class says, however they lead to each other, and hints that are true."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeact.limits import Policy
from codeact.worker.namespace import Namespace
from tests.fidelity.comparing import in_cpython, printed_in_folders
from tests.snippet.running import Step

PROGRAMS = {
    "a tree whose nodes know their parents": """
class Node:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.children = name, parent, []
        if parent is not None:
            parent.children.append(self)
    def __repr__(self): return f"Node({self.name!r}, {len(self.children)} below)"
root = Node("root")
leaf = Node("leaf", root)
[root, leaf, {"at": root}]
""",
    "people who all know each other": """
class Person:
    def __init__(self, name): self.name, self.friends = name, []
    def __repr__(self): return f"Person({self.name})"
people = [Person(f"p{n}") for n in range(40)]
for one in people:
    one.friends.extend(other for other in people if other is not one)
people[0], people[0].friends[:2]
""",
    "a long chain": """
class Link:
    def __init__(self, value, following): self.value, self.following = value, following
class Chain:
    def __init__(self, values):
        self.first = None
        for value in values:
            self.first = Link(value, self.first)
    def __repr__(self): return f"Chain starting with {self.first.value}"
Chain(range(400))
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_objects_that_lead_back_to_each_other_are_shown_as_their_class_says(source: str) -> None:
    assert Step().run(source).text == in_cpython(source).value


INSIDE = {
    "the output": ("import sys\nsys.stdout", "<_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>"),
    "what prints to it": (
        "import logging, sys\nlogging.StreamHandler(sys.stdout)",
        "<StreamHandler <stdout> (NOTSET)>",
    ),
    "what leads to that": (
        "import logging, sys\nlog = logging.getLogger('a')\nlog.addHandler(logging.StreamHandler(sys.stdout))\nlog",
        "<Logger a (WARNING)>",
    ),
    "a lock": ("import threading\nthreading.Lock()", "<Lock object>"),
    "an iterator": ("import itertools\nitertools.cycle([1])", "<cycle object>"),
    "names": ("import types\nclass N(types.SimpleNamespace): pass\ntypes.SimpleNamespace(_a=1)", "namespace(_a=1)"),
    "a bounded deque": ("import collections\ncollections.deque([1], 2)", "deque([1], maxlen=2)"),
}


@pytest.mark.parametrize(("source", "text"), INSIDE.values(), ids=INSIDE)
def test_what_is_inside_objects_of_a_session_is_not_shown(source: str, text: str) -> None:
    step = Step(check_first=False)
    assert step.run(source).text == text
    step.run(source.rpartition("\n")[0] + "\nvalue = " + source.rpartition("\n")[2])
    shown = step.namespace.variables()["value"].text
    assert not [word for word in ("_room", "_owner", "_kept", "settings", "__dict__") if word in shown]


def test_a_list_shared_by_too_many_is_not_written_out_to_show_an_object_that_would() -> None:
    source = """
class Deep:
    def __init__(self, data): self.data = data
    def __repr__(self): return f"Deep({self.data})"
data = [1]
for _ in range(60):
    data = [data, data]
Deep(data)
"""
    assert Step().run(source).text.startswith("Deep(data=[[")


LEFT_OUT = {
    "import sys\nsys.modules": "A snippet does without `sys.modules`: it holds every module of the process; use import.",
    "import asyncio\nasyncio.get_event_loop_policy()": "`get_event_loop_policy` is not among the names of `asyncio` "
    "that a snippet has.",
    "import math\nmath.squrt(2)": "Did you mean `sqrt`?",
}


@pytest.mark.parametrize(("source", "hint"), LEFT_OUT.items(), ids=LEFT_OUT)
def test_a_failure_tells_what_a_facade_leaves_out_from_what_is_nowhere(source: str, hint: str) -> None:
    failure = Step().run(source).failure
    assert failure is not None
    assert failure.hint == hint


@pytest.mark.parametrize(
    "call", ["os.getpid()", "os.chmod('a.sh', 0o755)", "platform.node()", "class Own(zipfile.Path): pass"]
)
def test_a_function_a_facade_leaves_out_says_why(call: str) -> None:
    failure = Step().run(f"import os, platform, zipfile\n{call}").failure
    assert failure is not None
    assert failure.kind == "refused"
    assert "is not available in a snippet: " in failure.message


def test_an_archive_of_arrays_is_shown_as_numpy_shows_it(tmp_path) -> None:
    numpy = pytest.importorskip("numpy")
    namespace = Namespace(Policy(["numpy"]), folder=str(tmp_path), output=lambda text: None)
    source = "import numpy as np\nnp.savez('z.npz', a=[1], b=[2])\nnp.load('z.npz')"
    shown = namespace.run(source, operations=1_000, text_chars=100).text
    numpy.savez(tmp_path / "plain.npz", a=[1], b=[2])
    with numpy.load(tmp_path / "plain.npz") as plain:
        assert shown == repr(plain).replace(str(tmp_path / "plain.npz"), "z.npz")


_PRINTED_NICELY = """
import collections, pprint, types
rows = {f"key{i}": [i] * 5 for i in range(12)}
text = " ".join(rows)
for made in (
    rows, list(rows), tuple(rows), set(rows), frozenset(rows), text, text.encode(), bytearray(text.encode()),
    types.MappingProxyType(rows), types.SimpleNamespace(**rows), collections.OrderedDict(rows), collections.Counter(rows.keys()),
    collections.defaultdict(list, rows), collections.ChainMap(rows, {}), collections.deque(rows), collections.UserDict(rows),
    collections.UserList(rows), collections.UserString(text),
):
    pprint.pprint(made)
"""


def test_containers_are_printed_nicely_as_in_cpython(tmp_path: Path) -> None:
    ours, plain = printed_in_folders(tmp_path, _PRINTED_NICELY)
    assert ours == plain
