"""Objects that are asked by their special names, in plain CPython and in ours: the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "weak references that know more": """
import weakref
class Node:
    def f(self): return 3
class Ref(weakref.ref):
    def __init__(self, node, callback=None, value=42): self.value = value; super().__init__(node, callback)
class Bound(weakref.WeakMethod):
    def __new__(cls, method, callback=None, tag=0):
        made = super().__new__(cls, method, callback=callback); made.tag = tag; return made
    def __init__(self, method, callback=None, tag=0): super().__init__(method, callback)
def fail(*given, **named):
    try: weakref.ref(*given, **named)
    except TypeError as e: print(e)
node, gone = Node(), []
kept = [Ref(node, value=24), Ref(node, lambda ref: gone.append(ref.value))]
kept += [Bound(node.f, tag=5, callback=lambda ref: gone.append(ref.tag))]
fail(node, callback=None), print([one.value for one in kept[:2]], kept[2].tag, kept[2]()())
del node
print(gone, [one() for one in kept])
""",
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
    "functions of C among the definitions of a class": """
import abc, dataclasses, os, time, typing
class Job:
    log, wait, files, ask, run = print, time.sleep, os.listdir, getattr, eval
    def name(self): return "job"
class Heir(Job): pass
class Meta(type): pass
class Named(typing.NamedTuple): log: object = print
@dataclasses.dataclass
class Data: log: object = print
class Both(abc.ABC): log = print
class Called: __call__ = print
made = [Job(), Heir(), Meta("Made", (), {"log": print})(), Meta("Of", (Job,), {})(), Named(), Data(), Both()]
for one in made: one.log("told", one.log is print)
job = made[0]
job.wait(0), Called()("called"), print(job.ask(job, "name")(), job.run("1 + 1"), Job.log is print, type(job.files(".")))
def shown(self): return "shown"
class Shown: show = shown
Shown().show()
""",
    "what a proxy says its class is": """
class Proxy:
    def __init__(self, o): object.__setattr__(self, '_o', o)
    def __getattribute__(self, n): return getattr(object.__getattribute__(self, '_o'), n)
class C: pass
p = Proxy(C()); print(isinstance(p, C), isinstance(p, Proxy), p.__class__ is C, p.__class__.__name__, p.__class__ == C, type(p) is Proxy, p.__class__)
""",
    "a class that passes on what it is asked": """
import email.policy
class Watched:
    made = []
    def __init__(self): self.fields, self.zip, self.obj = {1: 2}, 3, 4
    @property
    def metadata(self): return self.fields
    def __getattribute__(self, name):
        if name[0] != "_": Watched.made.append(name)
        return super().__getattribute__(name)
    def __getattr__(self, name): return "no " + name
class Heir(Watched):
    def __getattribute__(self, name): return object.__getattribute__(self, name)
class Text(str):
    def __getattribute__(self, name): return str.__getattribute__(self, name)
for one in (Watched(), Heir()):
    one.__setattr__("added", 5)
    print(isinstance(one, int), isinstance(one, Watched), one.__class__, one.__dict__, vars(one) is one.__dict__, one.added)
    print(one.fields, one.zip, one.obj, one.metadata, one.other, one.__init__.__name__, getattr(one, "fields"), Watched.made)
class Policy(email.policy.EmailPolicy):
    def __setattr__(self, name, value): email.policy.EmailPolicy.__setattr__(self, name, value)
try: Policy().absent = 5
except AttributeError as error: print(error)
print(Text("{0.fields}").format(one), Text("a").__class__, isinstance(Text("a"), int))
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
    "an alias of a cached property": """
import functools, ipaddress
class Own:
    @functools.cached_property
    def kept(self): return 5
print(functools.cached_property[int], Own().kept, type(ipaddress.IPv4Interface.hostmask) is type(Own.kept) is functools.cached_property)
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
    "an object that has no class": """
class Nobody:
    __class__ = property(lambda self: None)
class Some:
    __bases__ = property(lambda self: ())
print(isinstance(Nobody(), Some()), isinstance(Nobody(), int), isinstance(Nobody(), Nobody), Nobody().__class__, type(Nobody()).__name__)
""",
    "what is left when a deep copy is made": """
import copy, gc, weakref
class Node: pass
gc.disable()
node = Node()
node.within = [Node()]
copied = copy.deepcopy(node)
seen = [weakref.ref(node), weakref.ref(node.within[0]), weakref.ref(copied), weakref.ref(copied.within[0])]
del node, copied
gc.enable()
[one() for one in seen]
""",
    "the line of a class, gone through and asked": """
class A: x = 1
class B(A): y = 2
class C(B): pass
fields = {k: v for base in reversed(C.__mro__[:-1]) for k, v in vars(base).items() if not k.startswith("_")}
print([base.__name__ for base in C.__mro__[1:]], fields, len(C.__mro__), C.__mro__.index(A), C.__mro__[1].__name__, C.__mro__[1] is B)
print([(i, c.__name__) for i, c in enumerate(C.__mro__)], [*map(lambda c: c.__name__, C.__mro__)], C().__class__.__mro__[2].x)
for letter, base in zip("abc", C.__mro__): print(letter, base.__name__, C.__mro__[:2] == (C, B), any(map(callable, C.__mro__)))
""",
    "the names that classes define": """
class A(ValueError):
    def f(self): pass
def where(cls, name): return [c.__name__ for c in cls.__mro__ if name in c.__dict__] + [c.__name__ for c in cls.mro() if name in vars(c)]
print([where(A, name) for name in ("f", "args", "__repr__", "nope")], "append" in vars(list), len(vars(bool)), [*int.__dict__])
print(isinstance(vars(int), dict), type(vars(int)), vars(int).get("nope", 3), [*reversed(vars(bool).keys())], hasattr(int, "__dict__"))
for key in ("nope", []):
    try: vars(int)[key]
    except (KeyError, TypeError) as e: print(type(e), e)
""",
    "what typing works out anew": """
import typing
a = typing.Union[int, str]
for f in typing._cleanups: f()
print(typing.Union[str, int].__args__, (str | typing.Union[int, list]).__args__, a)
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
