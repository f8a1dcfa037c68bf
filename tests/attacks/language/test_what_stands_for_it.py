"""What stands for an object or a class gives no more of it than the object and the class give themselves."""

from __future__ import annotations

import dataclasses
import importlib.util
import re

import pytest

from tests.snippet.running import Step

FILES = "import io, types, typing, weakref\nopen('x', 'w').write('text')\nf = open('x', 'rb')\n"
_PARTS = "(A, (), (None, {'__class__': json.JSONEncoder}))"
_SAID = {
    ("A()", "__reduce_ex__"): f"lambda protocol: {_PARTS}",
    ("A()", "__getstate__"): "lambda: (None, {'__class__': json.JSONEncoder})",
    ("types.SimpleNamespace()", "__reduce_ex__"): f"lambda protocol: {_PARTS}",
    ("types.SimpleNamespace()", "__reduce__"): f"lambda: {_PARTS}",
}
REFUSED = {
    "an alias of an object": "import types, sys\ntypes.GenericAlias(sys.stdout, (int,))",
    "a part of a library, by its cached property": "import email.message, ipaddress\n"
    "class Own(email.message.Message): pass\nkept = type(ipaddress.IPv4Interface.hostmask)(lambda self: 'set')\n"
    "kept.__set_name__(Own, '_unixfrom')\nOwn.kept = kept\nOwn().kept",
    "the real type, by the parents of a path": "import pathlib\nheld = []\nclass Held:\n"
    "    def __set__(self, subject, value): held.append(value)\n"
    "class Own(type(pathlib.PurePath().parents)): _pathcls = Held()\ntry: Own(int)\nexcept AttributeError: pass\n"
    "held[0].__name__",
    "an own alias": "import types, sys\nclass G(types.GenericAlias): pass\nG(sys.stdout, (int,))._room",
    "an alias of typing": "import typing, sys\ntype(typing.List[int])(sys.stdout, (int,))",
    "an own alias of typing": "import typing, sys\nclass G(type(typing.List[int])): pass\nG(sys.stdout, (int,))._room",
    "an alias of a call": "import collections.abc as c, sys\ntype(c.Callable[[int], int])(sys.stdout, ([int], int))",
    "an own super": "import sys\nclass A:\n    def m(self): return type(super())\nclass S(A().m()): pass\n"
    "S(type(sys.stdout), sys.stdout)",
    "the real super": "import io\nclass A:\n    def m(self): return type(super())\nA().m()(io.StringIO, io.StringIO())",
    "the real super, by a reference to it": "import io, weakref\nheld = []\nclass Held:\n"
    "    def __set__(self, subject, value): held.append(value)\nclass W(weakref.WeakMethod): _meth_type = Held()\n"
    "class S(staticmethod):\n    def go(self): return super()\ndef f(): pass\ns = S(f)\n"
    "try: W(s.go())\nexcept TypeError: held.append(type(s.go()))\nheld[0](io.StringIO, io.StringIO)",
    "the parts of a type, by a descriptor": "import types\ntypes.UnionType.__args__.__get__(int | None)",
    "the bound of a type variable, by a descriptor": "import typing\ntyping.TypeVar.__bound__.__get__(typing.TypeVar('T'))",
    "mro of an alias": "import typing\nclass Meta(type): pass\ntyping.Type[int].mro(Meta)",
    "mro of a method": "import types\nclass Meta(type): pass\ntypes.MethodType(type, 1).mro(Meta)",
    "a class that has a stand-in": "import dataclasses\n@dataclasses.dataclass\nclass D: x: int = 1\n"
    "class F(dataclasses.fields(D)[0].__class_getitem__(int)): pass",
    "a file, by its class": f"{FILES}io.BufferedReader.detach(f)",
    "a file, by a descriptor": f"{FILES}io.BufferedReader.raw.__get__(f)",
    "a file, by a proxy": f"{FILES}weakref.proxy(f).raw",
    "a file, by a proxy's method": f"{FILES}weakref.proxy(f).detach()",
    "a file, by a name of typing": f"{FILES}typing.Annotated[io.BufferedReader, 1].detach(f)",
    "a file, by super": f"{FILES}class B(io.BytesIO):\n    def go(self): return super().detach\nB().go()",
    "a loop, by its class": "import asyncio\nasync def m(): return asyncio.Task.get_loop(asyncio.current_task())\nawait m()",
    "frames, by the class": "import asyncio\nasync def m(): return asyncio.Task.get_stack(asyncio.current_task())\nawait m()",
    "a loop, by a proxy": "import asyncio, weakref\nasync def m(): return weakref.proxy(asyncio.current_task()).get_loop()\n"
    "await m()",
    "a loop, by super": "import asyncio\nclass F(asyncio.Future):\n    def go(self): return super().get_loop()\n"
    "async def m(): return F().go()\nawait m()",
    "an exception's object": "import json\ntry: json.JSONEncoder().nothing\n"
    "except AttributeError as e: AttributeError.obj.__get__(e)",
    "a text's format": "import json, collections\n"
    "collections.UserString('{0.__init__.__globals__}').format(json.JSONEncoder)",
    "a text's format map": "import json, collections\n"
    "collections.UserString('{x.__init__.__globals__}').format_map({'x': json.JSONEncoder})",
    "a text's unbound format": "import json, collections\nclass Q: data = '{0.__init__.__globals__}'\n"
    "collections.UserString.format(Q(), json.JSONEncoder)",
    "a copy of another class": "import copy, json\nclass A:\n"
    "    def __getstate__(self): return None, {'__class__': json.JSONEncoder}\ncopy.copy(A())",
    "a deep copy of another class": "import copy, json\nclass A:\n"
    "    def __getstate__(self): return None, {'__class__': json.JSONEncoder}\ncopy.deepcopy(A())",
    **{
        f"a copy of {subject} that says itself by {hook} that it is of another class": "import copy, json, types\n"
        f"class A: pass\nx = {subject}\nx.__dict__['{hook}'] = {said}\ncopy.copy(x)"
        for (subject, hook), said in _SAID.items()
    },
    "a copy whose class says that it is of another": "import copy, json\nclass A:\n"
    "    def __reduce__(self): return A, (), (None, {'__class__': json.JSONEncoder})\ncopy.copy(A())",
    "a copy of an exception of another class": "import copy, json\nclass A(Exception):\n"
    "    def __reduce__(self): return A, (), {'__class__': json.JSONDecodeError}\ncopy.copy(A())",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_what_stands_for_an_object_gives_no_more_than_it(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("AttributeError", "TypeError"), failure


LIBRARY = "import pandas as pd, numpy as np, typing, weakref\ndf = pd.DataFrame({'a': [1]})\nkept = np.zeros(3)\n"
OF_LIBRARIES = {
    "super's eval": "class D(pd.DataFrame):\n    def go(self, t): return super().eval(t)\nD().go('@pd')",
    "super's texts": "class D(pd.DataFrame):\n    def go(self): return super().agg('eval')\nD().go()",
    "super's dump": "class N(np.ndarray):\n    def go(self): return super().dump\nN((2,)).go()",
    "a proxy's eval": "weakref.proxy(df).eval('@df.a.map')",
    "a proxy's query": "weakref.proxy(df).query('@df.a')",
    "a proxy's addresses": "weakref.proxy(kept).ctypes",
    "a name of typing": "typing.Annotated[pd.DataFrame, 1].eval(df, '@df.a.map')",
    "a query by a name of typing": "typing.Annotated[pd.DataFrame, 1].query(df, '@df.a')",
    "private of a column": "class A: _x = 1\nclass D(pd.DataFrame): pass\nD({'_x': [1]})._x",
}


@pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="numpy and pandas are not installed")
@pytest.mark.parametrize("source", OF_LIBRARIES.values(), ids=OF_LIBRARIES)
def test_what_stands_for_a_frame_gives_no_more_than_it(source):
    failure = Step(check_first=False, imports=("numpy", "pandas")).run(LIBRARY + source).failure
    assert failure is not None
    assert failure.type in ("AttributeError", "ValueError"), failure


INJECTED = {
    "by a field of its own kind": "class F(Field):\n    name = property(lambda s: \"x, open('canary')\", lambda s, v: None)\n"
    "@dataclass\nclass D: x: int = F(MISSING, MISSING, True, True, None, True, None, False)",
    "by annotations": "class Told(dict):\n    items = lambda s: [(\"x, open('canary')\", int)]\n"
    "class Own: pass\n@dataclass\nclass D:\n    __annotations__ = Told()\n    x: int = 1",
}


@pytest.mark.parametrize("source", INJECTED.values(), ids=INJECTED)
def test_a_dataclass_is_made_of_the_names_that_were_checked(run, source):
    failure = run(f"from dataclasses import dataclass, Field, MISSING\n{source}").failure
    assert failure is not None
    assert failure.type == "TypeError", failure  # no syntax of what was put in


SHARED = {
    "of fields": ("import dataclasses\ndataclasses.field().metadata", lambda: dataclasses.field().metadata),
    "of patterns": ("import re\nre.compile('(?P<it>x)').groupindex", lambda: re.compile("(?P<it>x)").groupindex),
}


@pytest.mark.parametrize(("source", "found"), SHARED.values(), ids=SHARED)
def test_a_comparison_hands_out_no_table_that_others_share(run, source, found):
    says = "class L(dict):\n    def __eq__(self, other):\n        other['put in'] = 1\n        return True\n"
    run(f"{says}{source} == L()")
    assert "put in" not in found()


FINE = {
    "an own generic class": "import types\nclass Box:\n    __class_getitem__ = classmethod(types.GenericAlias)\n"
    "isinstance(Box[int], types.GenericAlias) and type(list[int]) is types.GenericAlias and repr(Box[int])[-8:] == 'Box[int]'",
    "a field": "from dataclasses import dataclass, field, fields, Field\n@dataclass\nclass D:\n"
    "    x: int = field(default=1, metadata={'unit': 'm'})\nf = fields(D)[0]\nisinstance(f, Field) and f.metadata['unit'] == 'm'",
    "a user string": "from collections import UserString\n"
    "(UserString('{} {x}').format(1, x=2), UserString('{a}').format_map({'a': 1})) == ('1 2', '1')",
    "an own stream": "import io\nclass Up(io.StringIO):\n    def write(self, text): return super().write(text.upper())\n"
    "up = Up()\nup.write('a')\nup.getvalue() == 'A'",
    "own attributes of these names": "class E(Exception): pass\ne = E()\ne.obj, e.raw, e.style, e.eval = [1], [2], [3], len\n"
    "(e.obj, e.raw, e.style, e.eval('ab')) == ([1], [2], [3], 2)",
    "an own state": "import copy\nclass A:\n    def __init__(self): self.x = [1]\n"
    "    def __getstate__(self): return {'x': self.x, 'copied': True}\n"
    "a = A()\nb, c = copy.copy(a), copy.deepcopy(a)\nb.copied and b.x is a.x and c.copied and c.x == [1] and c.x is not a.x",
}


@pytest.mark.parametrize("source", FINE.values(), ids=FINE)
def test_ordinary_uses_of_these_go_on(run, source):
    outcome = run(source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value is True


NAMED = {
    "a function's": "def f(): pass\nf.__name__ = '__globals__'",
    "what is called's": "class C:\n    __name__ = '__globals__'\n    def __call__(self): pass\nf = C()",
}


@pytest.mark.parametrize("source", NAMED.values(), ids=NAMED)
def test_the_copy_of_a_method_is_no_attribute_that_may_not_be_said(run, source):
    failure = run(f"import copy, json, types\n{source}\ncopy.copy(types.MethodType(f, json.dumps))").failure
    assert failure.kind == "refused"


def test_the_copy_of_a_method_is_the_method(run):
    source = "import copy\nclass A:\n    def go(self): return 3\n    def _own(self): return 4\na = A()\n"
    assert run(source + "[copy.copy(a.go)(), copy.copy(a._own)(), copy.deepcopy(a.go)()]").value == [3, 4, 3]
