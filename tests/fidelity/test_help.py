"""`help(x)` writes what it writes in CPython."""

from __future__ import annotations

import importlib.util
import inspect

import pytest

from codeact import Session
from tests.fidelity.comparing import printed_in_folders
from tests.snippet.running import Step

_CLASSES = '''
class Base:
    "Says what it is."
    kind = "b"
    def go(self, x, y=2):
        "Goes."
    @classmethod
    def make(cls): "Makes."
    @staticmethod
    def still(a): return a
    @property
    def size(self): "Size."; return 1
    @size.setter
    def size(self, value): pass
class Box(Base):
    """A box.

        More of it.
    """
    data: dict = {"a": [1, 2]}
    def __init__(self, n: int = 1): self.n = n
    def go(self, x, y=3): pass
    async def later(self): "Later."
    def __len__(self): return 1
    def _hidden(self): pass
class Own:
    def __get__(self, subject, cls=None): return 3
class Holder: own = Own()
'''
PROGRAMS = {
    "a function": 'def area(r: float, *, pi=3.14) -> float:\n    """Area.\n\n    r: radius\n    """\nhelp(area)',
    "functions without a text": "def f(a, b=None, *c, d, **e): pass\nhelp(f)\nhelp(lambda x: x)\nasync def g(): pass\nhelp(g)",
    "a function that is wrapped": "import functools\ndef f(a): 'Doc.'\n@functools.wraps(f)\ndef g(*a): return f(*a)\nhelp(g)",
    "classes": f"{_CLASSES}help(Base)\nhelp(Box)\nhelp(Holder)",
    "an object": f"{_CLASSES}help(Box())\nhelp([1])\nhelp(3)\nhelp(None)\nhelp('a'.join)",
    "methods": f"{_CLASSES}help(Box.go)\nhelp(Box().later)\nhelp(Base.make)\nhelp(Base.size)\nhelp(Base.still)",
    "methods of Python": "import datetime\nhelp(datetime.date.ctime)\nhelp(list.__lt__)\nhelp(''.join)",
    "functions of Python": "import math, json, re\nhelp(math.sqrt)\nhelp(json.dumps)\nhelp(re.sub)\nhelp(math.pi)",
    "builtins": "help(len)\nhelp(print)\nhelp(sorted)\nhelp(str.split)\nhelp([].append)\nhelp(int)\nhelp(sum)\nhelp(dict.get)",
    "classes of Python": "import collections, datetime\nhelp(collections.Counter)\nhelp(datetime.date)",
    "a dataclass, a tuple, an exception": "from dataclasses import dataclass, field\nfrom typing import NamedTuple\n"
    "@dataclass\nclass P:\n    'pt'\n    x: int\n    y: list = field(default_factory=list)\nhelp(P)\n"
    "class T(NamedTuple):\n    a: int\n    b: str = 'x'\nhelp(T)\nclass E(Exception): 'err'\nhelp(E)",
    "an enum": "from enum import Enum\nclass C(Enum):\n    'colors'\n    RED = 1\n    def nice(self): 'N'\nhelp(C)\nhelp(C.RED)",
    "an abstract class": "from abc import ABC, abstractmethod\nclass S(ABC):\n    @abstractmethod\n    def area(self): 'A.'\n"
    "class Q(S):\n    def area(self): return 1\nhelp(S)\nhelp(Q)",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_help_writes_what_it_writes_in_cpython(tmp_path, source):
    ours, plain = printed_in_folders(tmp_path, source)
    assert ours == plain


def test_help_goes_to_where_the_output_is_redirected():
    source = "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as to: help(len)\nto.getvalue()"
    assert Step().run(source).value.startswith("Help on built-in function len in module builtins:\n\nlen(obj, /)\n")


def test_help_tells_of_modules_without_the_paths_of_this_machine():
    step = Step()
    assert step.run("import textwrap\nhelp(textwrap)").failure is None
    assert "dedent(text)\n        Remove any common" in step.printed
    assert inspect.__file__.removesuffix("inspect.py") not in step.printed


def test_help_takes_no_text_that_it_would_look_up():
    failure = Step().run("help('antigravity')").failure
    assert failure is not None
    assert failure.message == "help() takes the object itself here, as in help(str.split)"


LIES = {
    "a module": "class A:\n    __class__ = property(lambda self: type(math))\n    __name__ = 'math'\n",
    "a text": "class A:\n    __class__ = property(lambda self: str)\n    split = lambda self, *a: ['antigravity']\n",
    "a class": "class A:\n    __class__ = property(lambda self: type)\n    __name__ = 'A'\n    __bases__ = ()\n",
}


@pytest.mark.parametrize("source", LIES.values(), ids=LIES)
def test_help_takes_no_object_for_what_it_says_it_is(source):
    step = Step()
    assert step.run(f"import math\n{source}class B: a = A()\nhelp(A())\nhelp(B)").failure is None
    assert step.printed.startswith("Help on A in module __main__ object:\n\nclass A(builtins.object)")


def test_help_finds_the_class_of_a_method_among_the_names_of_the_snippet_alone():
    step = Step()
    source = "def f(): pass\nf.__qualname__, f.__module__ = 'PurePath.joinpath', 'pathlib'\nhelp(f)"
    assert step.run(source).failure is None
    assert "Combine this path" not in step.printed


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
def test_help_tells_what_functions_of_numpy_take():
    step = Step(imports=("numpy",))
    assert step.run("import numpy as np, inspect\nhelp(np.mean)\nstr(inspect.signature(np.cumsum))").value.startswith(
        "(a, "
    )
    written = "".join(step.printed.split())  # one line for each, where there are many, from Python 3.13 on
    assert written.startswith("Helpon_ArrayFunctionDispatcherinmodulenumpy:mean(a,axis=None")


def rate(base: str, days: int = 3) -> float:
    """Today's rate.

    base: a currency
    """
    return 1.0


@pytest.mark.filterwarnings("ignore:isolation")
def test_help_tells_of_a_tool_as_of_a_function():
    with Session(tools=[rate], isolation="inline") as session:
        printed = session.run("help(rate)").stdout
    assert printed.startswith("Help on function rate in module tools:\n\nrate(base: str, days: int = 3) -> float\n")
    assert "    Today's rate." in printed
