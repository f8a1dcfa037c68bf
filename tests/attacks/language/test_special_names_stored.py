"""Special names that lead on are stored on nothing from outside, and no class answers for those of a metaclass."""

from __future__ import annotations

import pytest

STORED = {
    "__class__ assigned, a library's": "import json\nclass A: pass\na = A()\na.__class__ = json.JSONEncoder",
    "__class__ assigned, of a library's": "import json\nclass A: pass\njson.JSONEncoder().__class__ = A",
    "__class__ assigned, of what is built on a library's": "import json\nclass A(json.JSONEncoder): pass\n"
    "class B(json.JSONEncoder): pass\na = A()\na.__class__ = B",
    "__class__ assigned, a stand-in": "class A: pass\na = A()\na.__class__ = type(print)",
    "__class__ assigned, by name": "import json\nclass A: pass\nsetattr(A(), '__class__', json.JSONEncoder)",
    "__class__ assigned, where it is said": "class A: __class__ = int\na = A()\na.__class__ = print",
    "__class__ assigned, of a class": "class M(type): pass\nclass N(type): pass\nclass A(metaclass=M): pass\nA.__class__ = N",
    "__class__ assigned, of a module": "import math\nclass M: pass\nmath.__class__ = M",
    "__class__ assigned, what modules are": "import types\nclass M(types.ModuleType): pass\nm = M('json')\nm.dumps = print\n"
    "m.__class__ = types.ModuleType",
    "__dict__ assigned, of a library's": "import collections\ncollections.UserDict().__dict__ = {}",
    "__dict__ assigned, of what is built on a library's": "import json\nclass A(json.JSONEncoder): pass\nA().__dict__ = {}",
    "__dict__ assigned, of a class": "class A: pass\nA.__dict__ = {}",
    "__dict__ assigned, of a function": "def f(): pass\nf.__dict__ = {}",
    "__dict__ assigned, the names": "class A: pass\nA().__dict__ = globals()",
    "__defaults__ assigned, of a library's": "import json\njson.dumps.__defaults__ = (2,)",
    "__abstractmethods__ assigned, of a library's": "import collections.abc as c\nc.Sized.__abstractmethods__ = frozenset()",
    "__abstractmethods__ assigned, of an object of a library's": "import functools\n"
    "functools.partial(print).__abstractmethods__ = frozenset()",
    "__get__ assigned, of an object of a library's": "import functools\nfunctools.partial(print).__get__ = print",
    "__new__ assigned, of a library's": "import json\njson.JSONEncoder.__new__ = lambda cls: 5",
    "__new__ assigned, what makes a library's": "import json\nclass A: pass\nA.__new__ = lambda cls: json.dumps\nA()",
    "__new__ assigned, of C": "class A: pass\nA.__new__ = {}.setdefault\nA()",
    "__new__ assigned, of a metaclass": "class M(type): pass\nM.__new__ = lambda *given: type.__new__(*given)",
    "__new__ assigned, by type": "import json\nclass A: pass\ntype.__setattr__(A, '__new__', lambda cls: json.dumps)",
    "__setattr__ assigned, of a library's": "import json\njson.JSONEncoder.__setattr__ = print",
    "__kwdefaults__ assigned, of a library's": "import json\nsetattr(json.dumps, '__kwdefaults__', {})",
    "__annotations__ assigned, of a library's": "import json\njson.dumps.__annotations__ = {}",
    "__annotations__ assigned, no names": "class A: x: int\nA.__annotations__['x, y'] = 1",
    "__annotations__ assigned, no dict": "import collections\nclass A: x: int\nA.__annotations__ = collections.UserDict()",
}


@pytest.mark.parametrize("source", STORED.values(), ids=STORED)
def test_a_special_name_changes_nothing_of_a_librarys(run, source):
    failure = run(source).failure
    assert failure is not None
    assert (failure.kind, failure.type) != ("syntax", "SyntaxError")


_MIXED = "class Mix: pass\nclass M(Mix, type): pass\nclass A(metaclass=M): pass\n"

ANSWERS = {
    "an equality of what a metaclass is built on": "class Mix:\n    def __eq__(cls, other): return True\nclass M(Mix, type): pass",
    "its call": "class Mix:\n    def __call__(cls): return 5\nclass M(Mix, type): pass",
    "its slot": "class Mix: __slots__ = ('mro',)\nclass M(Mix, type): pass",
    "what it finds": "class Mix:\n    def __getattr__(cls, name): return 5\nclass M(Mix, type): pass",
    "an equality that comes later": f"{_MIXED}Mix.__eq__ = lambda cls, other: True",
    "a call that comes later": f"{_MIXED}Mix.__call__ = lambda cls: 5",
    "a line that comes later": f"{_MIXED}setattr(Mix, 'mro', lambda cls: [])",
    "a line that comes later, by type": f"{_MIXED}type.__setattr__(Mix, 'mro', lambda cls: [])",
    "an equality of a dataclass": f"import dataclasses\n{_MIXED}dataclasses.dataclass(Mix)",
    "an equality of a class above": f"class Top: pass\n{_MIXED.replace('Mix:', 'Mix(Top):')}Top.__hash__ = lambda cls: 1",
    "a descriptor that comes later": "class A: pass\nA.__get__ = lambda *given: 5",
}


@pytest.mark.parametrize("source", ANSWERS.values(), ids=ANSWERS)
def test_no_class_answers_for_the_classes_of_a_metaclass(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "AttributeError", "Refused")
