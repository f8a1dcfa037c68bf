"""What classes hold, and what their bodies bind it in, in plain CPython and in ours: the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "what a program says of itself": """
__author__, __email__ = "Ada", "ada@example.org"
__version__ = "1.2"; __license__ = "MIT"; __copyright__ = "2024"; __date__ = "today"
__maintainer__ = __author__; __status__ = "Beta"; __credits__ = [__author__]
def about(): return f"{__author__} <{__email__}> {__version__} {__license__}"
print(about(), __copyright__, __date__, __maintainer__, __status__, __credits__)
""",
    "what a class shows of its names": """
class A:
    'doc'
    x = 1
    def f(self): pass
class B(A): pass
class S:
    __slots__ = ('a', 'b')
class T(S): pass
for C in (A, B, S, T): print(list(C.__dict__), list(vars(C)))
print(A.__dict__['__dict__'], A.__dict__['__weakref__'], type(A.__dict__['__dict__']).__name__, S.__dict__['a'])
a = A(); a.x = 4
print(A.__dict__['__dict__'].__get__(a), A.__dict__['__dict__'].__get__(B()))
try: A.__dict__['__dict__'].__get__(3)
except TypeError as e: print(e)
""",
    "a class made of an ordered dictionary": """
from collections import OrderedDict
od = OrderedDict(a=1, b=2); od.move_to_end('a')
print([k for k in type('C', (), od).__dict__ if k in 'ab'])
class Up(dict):
    def keys(self): return ['k']
    def __iter__(self): return iter(['k'])
    def __getitem__(self, k): return 'got ' + k
print(type('C', (), Up(z=1)).__dict__.get('k'), hasattr(type('C', (), Up(z=1)), 'z'))
""",
    "definitions that are picked out": """
class A: x = 1; y = 2
print({k: v for k, v in A.__dict__.items() if not k.startswith('__')}, {k: v for k, v in vars(A).items() if not callable(v) and k[0] != '_'})
""",
    "what a metaclass is handed": """
class M(type):
    def __new__(m, n, b, ns):
        print(list(ns)); return super().__new__(m, n, b, ns)
class A(metaclass=M): x = 1
""",
    "a body whose names are written down": """
class Rec(dict):
    def __init__(self): self.log = []
    def __setitem__(self, k, v): self.log.append(k); super().__setitem__(k, v)
ns = Rec()
class M(type):
    def __prepare__(name, bases, **kw): return ns
class A(metaclass=M):
    x = 1
    print(sorted(k for k in locals() if k[0] != '_'), sorted(vars())[-1], 'x' in dir())
    y = [i for i in range(3)]
    for z in range(2): w = z
    while y: y.pop()
    exec("q = x + 1")
    print(eval("q"))
    class Inner: pass
    import math
    def f(self): return __class__
    try: 1/0
    except ZeroDivisionError as e: msg = str(e)
    o = Inner(); o.a = 1; o.a += 2; o.b = [1]; o.b[0] += 5
    match o.a:
        case 3: m = 'three'
    (t, *u) = [1, 2, 3]
    del u
    ann: int = 5
print(ns.log, A.m, A.o.b, A().f(), A.q)
""",
    "names that come of being said": """
class Auto(dict):
    def __missing__(self, k):
        if k.startswith('__') or k in ('print',): raise KeyError(k)
        self[k] = len([x for x in self if not x.startswith('__')]); return self[k]
class M(type):
    @classmethod
    def __prepare__(m, n, b): return Auto()
class Color(metaclass=M):
    RED; GREEN; BLUE
    print(RED)
print(Color.RED, Color.BLUE)
""",
    "a mapping that is no dictionary": """
from collections import UserDict, ChainMap
class M(type):
    @classmethod
    def __prepare__(m, n, b): return UserDict()
    def __new__(m, n, b, ns): return super().__new__(m, n, b, dict(ns))
class A(metaclass=M): x = 1
print(A.x)
class N(type):
    @classmethod
    def __prepare__(m, n, b): return ChainMap()
try:
    class B(metaclass=N): pass
except TypeError as e: print(e)
""",
    "what type prepares": """
class M(type):
    @classmethod
    def __prepare__(m, n, b, **k):
        ns = super().__prepare__(n, b); ns['who'] = n; return ns
    def __init__(cls, n, b, ns, **k): super().__init__(n, b, ns)
class A(metaclass=M): me = who
class B(A): pass
print(A.me, B.who, type.__prepare__(), type.__prepare__('x', (), a=1))
""",
    "prepared by types.new_class": """
import types
calls = []
class M(type):
    @classmethod
    def __prepare__(m, n, b, **k): calls.append(('prepare', n)); return {'p': 1}
    def __new__(m, n, b, ns, **k): calls.append(('new', sorted(ns))); return super().__new__(m, n, b, ns)
    def __init__(cls, *a, **k): super().__init__(*a)
A = types.new_class('A', (), {'metaclass': M, 'z': 1}, lambda ns: ns.update(q=2))
B = types.new_class('B', (A,))
print(A.p, A.q, B.p, calls, types.prepare_class('C', (A,)))
""",
    "what stands for a metaclass and is none": """
class NotMeta:
    def __new__(mcs, *a, **k): print('new', a[0], sorted(a[2])); return super().__new__(mcs)
    @classmethod
    def __prepare__(mcs, n, b): print('prep'); return {}
class A(metaclass=NotMeta): x = 1
print(type(A).__name__)
import types
print(type(types.new_class('B', (), {'metaclass': NotMeta})) is NotMeta)
def meta(n, b, ns, **k): return (n, b, sorted(ns), k)
class C(int, metaclass=meta, z=1): y = 1
print(C)
""",
    "slots that are told once": """
class M(type):
    def __new__(m, n, b, ns): return super().__new__(m, n, b, ns)
class A(metaclass=M): __slots__ = iter(['a', 'b'])
a = A(); a.a = 1
print(a.a, hasattr(a, '__dict__'))
""",
    "a metaclass that keeps its classes": """
class Registry(type):
    all = {}
    def __new__(m, n, b, ns, **kw):
        cls = super().__new__(m, n, b, {k: v for k, v in ns.items() if k != 'skip'})
        m.all[n] = cls; cls.fields = [k for k, v in ns.items() if not k.startswith('__')]
        return cls
class A(metaclass=Registry): x = 1; skip = 2
print(A.fields, Registry.all, hasattr(A, 'skip'))
""",
    "an abstract class with a prepared body": """
import abc
class M(abc.ABCMeta):
    @classmethod
    def __prepare__(m, n, b): return {'z': 1}
class A(metaclass=M):
    @abc.abstractmethod
    def f(self): ...
try: A()
except TypeError as e: print(e, A.z)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_class_is_made_as_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])
