"""Programs that ask what functions take and what things are, in plain CPython and in ours: the answers are the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import difference, in_ours

_BEFORE = """
import collections, dataclasses, datetime, functools, inspect
from typing import Optional
NOTHING = object()
def f(a, b: int = 2, *args, c: 'str' = "x", **kw) -> list[int]:
    '''Doc.

        more
    '''
def g(x=NOTHING, y: Optional[datetime.date] = None, /): return x
@functools.wraps(f)
def w(*a, **k): return f(*a, **k)
@functools.lru_cache
def l(n: int) -> int: return n
class A:
    '''A class.'''
    def __init__(self, p, q=1): self.p = p
    def m(self, z, *, k=0): return z
    @classmethod
    def c(cls, v): return v
    @staticmethod
    def s(v, u=3): return v
    async def co(self): pass
    def gen(self): yield 1
class B(A): pass
class N: pass
@dataclasses.dataclass
class D:
    x: int
    y: Optional[datetime.date] = None
    z: list[int] = dataclasses.field(default_factory=list)
class C:
    def __call__(self, one, two=2): return one
def outer():
    k = 1
    def inner(q, r=k): return q + k
    return inner
def fail(act):
    try: return act()
    except Exception as e: return f"{type(e).__name__}: {e}"
"""

PROGRAMS = {
    "builtins": "import os\n"
    "for o in (print, open, input, hasattr, setattr, eval, exec, len, os.listdir): print(inspect.signature(o))\n"
    "for o in (getattr, vars): print(fail(lambda: inspect.signature(o)).replace('function', 'built-in function')[:20])",
    "classes whose metaclass is called": "import enum\nclass M(type):\n"
    "    def __call__(cls, a, *b): return super().__call__(a)\n"
    "class K(metaclass=M):\n    def __init__(self, z): pass\nclass E(enum.Enum): X = 1\n"
    "print(inspect.signature(K), list(inspect.signature(E).parameters))",
    "functions": "for o in (f, w, l, outer(), functools.partial(f, 1, c=3), lambda q, *, r=1: q): print(inspect.signature(o))\n"
    "print(inspect.signature(w, follow_wrapped=False), inspect.signature(g).parameters['x'].default is NOTHING)",
    "classes": "for o in (A, B, N, D, A(1).m, A.m, A.c, A.s, C(), collections.namedtuple('P', 'a b', defaults=[3])): print(inspect.signature(o))\n"
    "print(inspect.signature(D).parameters['y'].annotation is Optional[datetime.date])\n"
    "print(inspect.signature(D.__init__), inspect.getfullargspec(D.__init__))",
    "lines of classes and annotations": "print(inspect.getmro(B) == (B, A, object), fail(lambda: inspect.getmro(5)))\n"
    "for o in (D, N, B, f, A.m, len, print, lambda: 1): print(inspect.get_annotations(o))\n"
    "inspect.get_annotations(D)['x'] = str\nprint(inspect.get_annotations(D), fail(lambda: inspect.get_annotations(5)))",
    "how far something is": "def gen():\n    yield inspect.getgeneratorstate(it)\n"
    "async def co(): pass\nit, c, told = gen(), co(), inspect.getgeneratorstate\n"
    "print(told(it) == inspect.GEN_CREATED, [told(it), next(it), told(it), [*it], told(it)])\n"
    "print(inspect.getcoroutinestate(c), c.close(), inspect.getcoroutinestate(c) == inspect.CORO_CLOSED)",
    "of Python itself": "for o in (len, sorted, ''.split, str.split, list.append, int.__add__, dict.fromkeys): print(inspect.signature(o))\n"
    "for o in (5, dict): print(fail(lambda: inspect.signature(o)))",
    "a signature": "s = inspect.signature(f)\n"
    "print(s, repr(s), list(s.parameters), s.return_annotation, repr(s.parameters['c']), s.parameters['b'].kind.name)\n"
    "print(s.parameters['a'].default is inspect.Parameter.empty, type(s) is inspect.Signature, s == inspect.signature(w), hash(s) == hash(inspect.signature(f)))\n"
    "b = s.bind(1, 2, 3, c=4, d=5)\nb.apply_defaults()\n"
    "print(b, b.arguments, b.args, b.kwargs, fail(lambda: s.bind()), s.bind_partial(b=1), s.replace(return_annotation=int))\n"
    "print(inspect.Signature([inspect.Parameter('q', inspect.Parameter.KEYWORD_ONLY, default=1)]), inspect.Signature.from_callable(A))\n"
    "print([n for n, p in s.parameters.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is p.empty])",
    "texts": "print(inspect.getdoc(f), inspect.getdoc(A), inspect.getdoc(B), inspect.getdoc(N), inspect.cleandoc(' a\\n   b'), inspect.getdoc(len))",
    "what sets an instance up": "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: str = 'a'\n"
    "print(P.__init__.__annotations__, P.__init__.__module__, P.__init__.__qualname__)",
    "the older form": "for o in (f, A(1).m, A.__init__, w): print(inspect.getfullargspec(o))\nprint(inspect.getfullargspec(f).args)",
    "questions": "async def ag(): yield 1\nc = A(1).co()\n"
    "print([inspect.isfunction(f), inspect.isclass(A), inspect.ismethod(A(1).m), inspect.isgeneratorfunction(A.gen), inspect.iscoroutinefunction(A.co),\n"
    "    inspect.isbuiltin(len), inspect.isgenerator(A(1).gen()), inspect.isabstract(A), inspect.isroutine(len), inspect.ismodule(inspect),\n"
    "    inspect.iscoroutine(c), inspect.isawaitable(c), inspect.isasyncgenfunction(ag), inspect.isasyncgen(ag()), inspect.isfunction(len)])\nc.close()",
    "members": "print([n for n, _ in inspect.getmembers(A, inspect.isfunction)], [n for n, _ in inspect.getmembers(A(1), inspect.ismethod)])\n"
    "print([(n, v) for n, v in inspect.getmembers(D(1)) if not n.startswith('__')])",
    "a decorator that checks": "def checked(function):\n    told = inspect.signature(function)\n    @functools.wraps(function)\n"
    "    def call(*args, **kwargs):\n        for name, value in told.bind(*args, **kwargs).arguments.items():\n"
    "            kind = told.parameters[name].annotation\n"
    "            if kind is not inspect.Parameter.empty and not isinstance(value, kind): raise TypeError(f'{name} is no {kind.__name__}')\n"
    "        return function(*args, **kwargs)\n    return call\n@checked\ndef area(w: int, h: float = 1.0) -> float: return w * h\n"
    "print(area(2, h=3.0), fail(lambda: area('2')), fail(lambda: area()), inspect.signature(area))",
    "methods with some of their arguments, and signatures of one's own": """
class P:
    def m(self, a, b, *, c=1): pass
    def any(*given, k): pass
    one, two = functools.partialmethod(m, 1), functools.partialmethod(m, c=2)
    rest = functools.partialmethod(any, 1)
class Told(inspect.Signature): pass
for method in (P.one, P().one, P.two, P().two, P.rest, P().rest): print(inspect.signature(method))
for kind in (property, memoryview, type):
    try: print(inspect.signature(kind))
    except ValueError as error: print(error)
type(Told.from_callable(f)), Told.from_callable(f)
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_is_told_what_cpython_tells(source):
    assert in_ours(_BEFORE + source)[1] is None
    assert difference(_BEFORE + source) is None


def test_the_source_of_a_function_and_of_a_class_is_the_snippets_text():
    source = (
        "import inspect, functools\n@functools.lru_cache\ndef f(x):\n    # a note\n    return x\n\nclass A:\n    x = 1\n"
        "    def m(self):\n        return 2\n\nclass N: pass\n"
        "print(inspect.getsource(f.__wrapped__) + inspect.getsource(A) + inspect.getsource(A().m))\n"
        "print(inspect.getsourcelines(A.m)[1] - inspect.getsourcelines(A)[1], len(inspect.getsourcelines(A.m)[0]))"
    )
    method = "    def m(self):\n        return 2\n"
    of_function = "@functools.lru_cache\ndef f(x):\n    # a note\n    return x\n"
    assert in_ours(source)[0].printed == f"{of_function}class A:\n    x = 1\n{method}{method}\n2 2\n"
    assert in_ours(source + "\ninspect.getsource(N)")[0].type == "OSError"
