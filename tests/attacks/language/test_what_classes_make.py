"""What a class of a snippet's gives in the place of an instance: libraries set up what they made."""

from __future__ import annotations

import json
import re

import pytest

from tests.snippet.running import Step

_GIVEN = (
    "    def __new__(cls, *given, **named):\n        return json.JSONEncoder if cls.ready else super().__new__(cls)\n"
)

#: Each has the standard library set an attribute of a class, or of a member, that is everybody's.
SET_UP = {
    "a member of an enum": "import enum, re\nclass E(enum.Enum):\n    def __new__(cls, value): return re.I\n    A = 1",
    "a member, by what it was said to be made by": "import enum, re\nclass B(enum.Enum):\n    @staticmethod\n"
    "    def __new_member__(cls, value): return re.I\nclass E(B): A = 1",
    "a member, by no function": "import enum, re\nclass E(enum.Enum):\n    __new__ = {}.setdefault\n    A = re.I",
    "what took over": f"import contextlib\nclass S(contextlib.ExitStack):\n    ready = False\n{_GIVEN}"
    "s = S()\nS.ready = True\ns.pop_all()",
    "a copy": f"import hmac\nclass H(hmac.HMAC):\n    ready = False\n{_GIVEN}"
    "h = H(b'k', b'm', 'sha256')\nH.ready = True\nh.copy()",
    "what a metaclass makes when it is called": "import abc, contextlib\nclass M(abc.ABCMeta):\n    ready = False\n"
    "    def __call__(cls): return json.JSONEncoder if M.ready else super().__call__()\n"
    "class S(contextlib.ExitStack, metaclass=M): pass\ns = S()\nM.ready = True\ns.pop_all()",
    "what it makes by a method given later": "import abc, contextlib\nclass M(abc.ABCMeta): pass\n"
    "class S(contextlib.ExitStack, metaclass=M): pass\ns = S()\nM.__call__ = lambda cls: json.JSONEncoder\ns.pop_all()",
    "the type of an object, by an alias": "type[int](json.JSONEncoder())",
    "a member, by an alias of its class": "import re, types\ntypes.GenericAlias(re.RegexFlag, (int,))(re.I)",
    "a dataclass with slots": "import dataclasses\nclass M(type):\n    ready = False\n"
    "    def __new__(m, *given): return json.JSONEncoder if M.ready else super().__new__(m, *given)\n"
    "class D(metaclass=M): x: int\nM.ready = True\ndataclasses.dataclass(slots=True, frozen=True)(D)",
    "what a class by call of its metaclass makes": "import abc, contextlib\nclass M(abc.ABCMeta): pass\nready = []\n"
    "def new(cls): return json.JSONEncoder if ready else contextlib.ExitStack.__new__(cls)\n"
    "S = M.__new__(M, 'S', (contextlib.ExitStack,), {'__new__': new})\ns = S()\nready.append(1)\ns.pop_all()",
}


@pytest.mark.parametrize("source", SET_UP.values(), ids=SET_UP)
def test_a_library_sets_up_nothing_that_is_everybodys(source):
    running = Step(check_first=False)
    running.run("import json, re")  # what a snippet knows is looked at
    before = {**vars(json.JSONEncoder)}, json.JSONEncoder.__qualname__, {**vars(re.I)}
    running.run("import json\n" + source)
    after = {**vars(json.JSONEncoder)}, json.JSONEncoder.__qualname__, {**vars(re.I)}
    for name in after[0].keys() - before[0].keys():
        delattr(json.JSONEncoder, name)
    vars(re.I).update(before[2])
    json.JSONEncoder.__qualname__ = before[1]
    assert after == before


def test_classes_make_what_they_made():
    source = """
import enum, functools, inspect, typing
class Point(tuple):
    def __new__(cls, x, y=2): return super().__new__(cls, (x, y))
class One:
    made = None
    def __new__(cls):
        cls.made = cls.made or object.__new__(cls)
        return cls.made
class Number(float):
    def __new__(cls, text): return int(text)
class Remembered:
    @functools.cache
    def __new__(cls, key): return object.__new__(cls)
class Planet(enum.Enum):
    def __new__(cls, mass):
        made = object.__new__(cls)
        made._value_ = mass
        return made
    EARTH = 5.9
class Pair(typing.NamedTuple):
    x: int
class Single(type):
    seen = {}
    def __call__(cls, *given):
        if cls not in cls.seen: cls.seen[cls] = super().__call__(*given)
        return cls.seen[cls]
class Shared(metaclass=Single): pass
class Box(typing.Generic[typing.TypeVar("T")]): pass
class Same(str): __new__ = str.__new__
[Point(1) == (1, 2), One() is One(), Number("3") == 3, Remembered(1) is Remembered(1), Planet(5.9).name == "EARTH",
 Pair(1).x == 1, Shared() is Shared(), Same(3) == "3", str(inspect.signature(Point)) == "(x, y=2)",
 Point.__new__(Point, 3) == (3, 2), list[int]([1]) == [1], type[int](3) is int, Box[int]().__orig_class__ == Box[int]]
"""
    outcome = Step().run(source)
    assert outcome.failure is None
    assert all(outcome.value)
