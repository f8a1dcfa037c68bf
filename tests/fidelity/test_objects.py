"""Objects that are asked and changed by their special names, in plain CPython and in ours: the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "an attribute whose name is a member of an enum": """
import enum
class Column(enum.StrEnum):
    PRICE = "price"
class Field(str, enum.Enum):
    NAME = "name"
class Text(str):
    pass
class Row:
    price, name = 3, "tea"
row = Row()
setattr(row, Text("count"), 2)
print([getattr(row, Column.PRICE), getattr(row, Field.NAME), hasattr(row, Text("absent")), vars(row)])
delattr(row, Text("count"))
print(vars(row), getattr(row, Text("count"), "gone"))
""",
    "what all instances share": """
class Borg:
    _state = {}
    def __init__(self): self.__dict__ = self._state
a = Borg(); b = Borg(); a.x = 5; print(b.x, a.__dict__ is b.__dict__)
""",
    "a dictionary that is its own attributes": """
class AttrDict(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k); self.__dict__ = self
d = AttrDict(a=1); d.b = 2; print(d, d.a, d['b']); d['c'] = 3; print(d.c)
""",
    "an object that becomes another kind": """
class Open:
    def close(self): self.__class__ = Closed
    def state(self): return "open"
class Closed:
    def open(self): self.__class__ = Open
    def state(self): return "closed"
d = Open(); d.close(); print(d.state(), type(d).__name__, isinstance(d, Open)); d.open(); print(d.state())
""",
    "what no object becomes": """
class A: pass
class B: __slots__ = ('x',)
a = A()
for v in (int, 5, object, B, None):
    try: a.__class__ = v; print("set", v)
    except TypeError as e: print(e)
try: del a.__class__
except TypeError as e: print(e)
setattr(a, "__class__", type("C", (), {})); print(type(a))
""",
    "what holds no attributes": """
class A: pass
a = A(); a.x = 1
try: a.__dict__ = 5
except TypeError as e: print(e)
del a.__dict__; print(a.__dict__)
""",
    "defaults of a function that are changed": """
def f(a, b=2, *, c=3): return a, b, c
f.__defaults__ = (7, 8); print(f()); f.__kwdefaults__ = {'c': 9}; print(f())
f.__defaults__ = None
try: f()
except TypeError as e: print(e)
try: f.__defaults__ = 5
except TypeError as e: print(e)
f.__kwdefaults__['c'] = 10; print(f(1, 2)); del f.__kwdefaults__
""",
    "annotations of a function that are changed": """
def f(a: int): pass
f.__annotations__ = {'b': str}; print(f.__annotations__)
f.__annotations__['c'] = 1; print(f.__annotations__)
del f.__annotations__; print(f.__annotations__)
try: f.__annotations__ = 5
except TypeError as e: print(e)
""",
    "annotations of a class that are changed": """
class A: x: int
A.__annotations__ = {'y': str}; print(A.__annotations__)
A.__annotations__['z'] = int; print(A.__annotations__)
import dataclasses
@dataclasses.dataclass
class B(A): w: int = 1
A.__annotations__.update(q=float); print(A.__annotations__)
print(dataclasses.dataclass(A)(1, 2, 3))
""",
    "an error that becomes another one": """
class E(Exception): pass
class F(Exception): pass
e = E(1); e.__class__ = F
try: raise e
except E: print("E")
except F as x: print("F", x)
""",
    "special names that mean nothing of an instance": """
class A: pass
a = A(); a.__annotations__ = 1; a.__defaults__ = 2; a.__traceback__ = 3; print(vars(a))
""",
    "what an error came of": """
e = Exception(); print(e.__traceback__, e.__cause__, e.__context__)
try: raise e
except Exception as x: x.__traceback__ = None; print(x.__traceback__)
e.__cause__ = ValueError(); print(e.__suppress_context__); e.__cause__ = None; e.__suppress_context__ = False
""",
    "what a proxy says its class is": """
class Proxy:
    def __init__(self, o): object.__setattr__(self, '_o', o)
    def __getattribute__(self, n): return getattr(object.__getattribute__(self, '_o'), n)
class C: pass
p = Proxy(C()); print(isinstance(p, C), isinstance(p, Proxy), p.__class__ is C, p.__class__.__name__, p.__class__ == C, type(p) is Proxy, p.__class__)
""",
    "what type is not given": """
for a in (('A', ()), ('A', (), {}, 1), ('A', [], {})):
    try: type(*a)
    except TypeError as e: print(e)
""",
    "defaults of named tuples": """
from collections import namedtuple
import typing
P = namedtuple('P', 'x y', defaults=[1, 2])
class Q(typing.NamedTuple):
    a: int
    b: str = 'd'
print(P.__new__.__defaults__, Q.__new__.__defaults__, namedtuple('R', 'x').__new__.__defaults__)
""",
    "names of a module": """
import math
print(math.__dict__['pi'], [n for n in math.__dict__ if n == 'tau'])
""",
    "sequence by a flag": """
from collections.abc import Collection, Sequence
class Line(Collection):
    __abc_tpflags__ = Sequence.__flags__ & 32
    def __init__(self, *p): self.p = p
    def __len__(self): return len(self.p)
    def __getitem__(self, i): return self.p[i]
    def __iter__(self): return iter(self.p)
    def __contains__(self, x): return x in self.p
match Line(1, 2, 3):
    case [a, *b]: print(a, b)
""",
    "special names of instances that look like a descriptor": """
import enum, inspect
class A: pass
a = A(); a.__get__ = a.__set__ = lambda *g: 5
print(enum._is_descriptor(a), inspect.isdatadescriptor(a), sorted(vars(a)))
class B: x = a
print(B.x is a, B().x is a)
""",
    "the class of a class": """
import enum, abc
class M(type): pass
class A(metaclass=M): pass
class E(enum.Enum): X = 1
class B(abc.ABC): pass
class C: pass
print(A.__class__, E.__class__, B.__class__, C.__class__, A.__class__ is M, E.X.__class__.__class__ is enum.EnumMeta, C().__class__.__class__ is type)
""",
    "a metaclass with a mixin": """
class Counted:
    made = 0
    def tally(cls): return f"{cls.__name__} {cls.made}"
    def __len__(cls): return 7
class M(Counted, type):
    def __init__(cls, *given):
        super().__init__(*given); M.made += 1
class N(M): pass
class A(metaclass=M): pass
class B(A, metaclass=N): pass
print(A.tally(), len(B), type(B), isinstance(B, Counted), M.mro(M)[1:3])
Counted.extra = lambda cls: 'extra'
print(B.extra())
class Plain:
    def __setattr__(cls, name, value): super().__setattr__(name, value)
class P(Plain, type): pass
p = P('p', (), {}); p.x = 1; print(p.x)
class S(type):
    def __setattr__(cls, name, value): object.__setattr__(cls, name, value)
class Q(Plain, S): pass
try: Q('q', (object,), {}).x = 1
except TypeError as e: print(e)
""",
    "a name of enum that is not used": """
from enum import KEEP, Flag, _simple_enum, _test_simple_enum
class F(Flag, boundary=KEEP): A = 1
print(F(9))
""",
    "what typing remembers": """
import typing
for f in typing._cleanups: f()
print(typing.List[int])
""",
    "an abstract class that is given what it lacks": """
import abc
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
try: Shape()
except TypeError as e: print(e)
Shape.__abstractmethods__ = frozenset()
print(Shape().area(), Shape.__abstractmethods__)
class Other: pass
try: del Other.__abstractmethods__
except AttributeError as e: print(type(e).__name__)
Other.__abstractmethods__ = {'x'}
try: Other()
except TypeError as e: print(e)
""",
    "an object that has no class": """
class Nobody:
    __class__ = property(lambda self: None)
class Some:
    __bases__ = property(lambda self: ())
print(isinstance(Nobody(), Some()), isinstance(Nobody(), int), isinstance(Nobody(), Nobody), Nobody().__class__, type(Nobody()).__name__)
""",
    "what typing works out anew": """
import typing
a = typing.Union[int, str]
for f in typing._cleanups: f()
print(typing.Union[str, int].__args__, (str | typing.Union[int, list]).__args__, a)
""",
    "a class that is given another way to make its objects": """
def singleton(cls):
    first, made = cls.__new__, {}
    def new(kind, *given, **named):
        if kind not in made: made[kind] = first(kind)
        return made[kind]
    cls.__new__ = new
    return cls
@singleton
class Settings:
    def __init__(self, value=0): self.value = value
a, b = Settings(1), Settings(2)
print(a is b, a.value, type(a).__name__)
class Point: pass
def put(self, name, value): print('set', name); object.__setattr__(self, name, value)
Point.__setattr__ = put
p = Point(); p.x = 1; print(p.x)
Point.__delattr__ = lambda self, name: print('del', name)
del p.x
del Point.__setattr__, Point.__delattr__
p.y = 2; del p.y; print(vars(p))
Point.__new__ = staticmethod(lambda cls: object.__new__(cls)); print(type(Point()).__name__)
del Point.__new__; print(type(Point()).__name__)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_object_answers_as_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])


@pytest.mark.parametrize("asked", ["__hash__", "__eq__"])
@pytest.mark.parametrize("use", ["getattr({})", "hasattr({})", "setattr({}, 1)", "delattr({})"])
def test_an_attribute_name_that_answers_for_itself_is_none(asked: str, use: str) -> None:
    source = f"""
class Name(str):
    __hash__ = str.__hash__
    def {asked}(self, *others): return hash("__globals__")
def f(): pass
{use.format("f, Name('x')")}
"""
    failure = in_ours(source)[1]
    assert failure is not None
    assert "must be exactly a string" in failure.message
