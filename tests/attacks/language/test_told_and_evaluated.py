"""What an object tells of itself is evaluated by no library, and a copy tells nobody what it went through."""

from __future__ import annotations

import sys

import pytest

DUCK = """from dataclasses import dataclass, Field, MISSING
class T:
    def __eq__(self, other): return True
    def __hash__(self): return 1
class Name:
    asked = 0
    def __format__(self, spec):
        Name.asked += 1
        return "open(canary, 'w')" if Name.asked == 4 else 'x'
class F:
    name = Name(); init = True; kw_only = repr = compare = False; default = default_factory = MISSING
    _field_type = T(); type = int; hash = None; metadata = {}
class P: frozen = False
"""
MADE = "@dataclass(repr=False, eq=False, match_args=False)\nclass D(B): pass\nD(1)"

TOLD = {
    "a name of the interpreter in an annotation": "import typing\ndef f(x: '__builtins__'): pass\ntyping.get_type_hints(f)",
    "one in an annotation's part": "import typing\ndef f(x: list['__builtins__']): pass\ntyping.get_type_hints(f)",
    "one in names that were given": "import typing\ndef f(x: '__builtins__'): pass\n"
    "typing.get_type_hints(f, globals(), {'__builtins__': int})",
    "a union that is none": "import functools, typing\nclass G:\n    asked = 0\n"
    "    __class__ = property(lambda self: typing.ParamSpecArgs)\n    def __getattr__(self, name):\n"
    "        if name == '__origin__':\n            G.asked += 1\n            return typing.Union if G.asked == 1 else 5\n"
    "        if name == '__annotations__': return {'x': \"open(canary, 'w')\"}\n"
    "        if name == '__globals__': return {'canary': canary}\n        raise AttributeError(name)\n"
    "functools.singledispatch(len).register(G())",
    "a class that is none": "import functools\nclass G:\n    __class__ = property(lambda self: type)\n"
    "functools.singledispatch(len).register(G(), len)",
    "fields of a class": f"{DUCK}class B: __dataclass_fields__ = {{'a': F}}; __dataclass_params__ = P\n{MADE}",
    "fields of a metaclass": f"{DUCK}class M(type): __dataclass_fields__ = {{'a': F}}; __dataclass_params__ = P\n"
    f"class B(metaclass=M): pass\n{MADE}",
    "fields of type()": f"{DUCK}B = type('B', (), {{'__dataclass_fields__': {{'a': F}}, '__dataclass_params__': P}})\n{MADE}",
    "fields by a metaclass": f"{DUCK}class M(type): pass\n"
    f"B = M.__new__(M, 'B', (), {{'__dataclass_fields__': {{'a': F}}, '__dataclass_params__': P}})\n{MADE}",
    "annotations worked out by hand": "from dataclasses import dataclass\n@dataclass(repr=False, eq=False)\nclass B:\n"
    "    def __annotate__(format): return {\"x, z=open(canary, 'w')\": int}",
    "annotations worked out by a function that was handed in": "from dataclasses import dataclass\n"
    "B = type('B', (), {'__annotate_func__': lambda format: {\"x, z=open(canary, 'w')\": int}})\n"
    "dataclass(repr=False, eq=False)(B)",
    "annotations that are said to be known": "from dataclasses import dataclass\nclass D(dict):\n"
    "    def items(self): return [(\"x, z=open(canary, 'w')\", int)]\n"
    "B = type('B', (), {'__annotations_cache__': D()})\ndataclass(repr=False, eq=False)(B)",
    "a name that comes late": f"{DUCK}late = {{'a': int, 'pad': int}}\nclass Default:\n    def __get__(self, *_):\n"
    "        late.pop('pad', 0)\n        late[\"x, z=open(canary, 'w')\"] = int\n        raise AttributeError\n"
    "class B:\n    __annotations__ = late\n    a = Default()\ndataclass(repr=False, eq=False)(B)\nnobody_asked",
}
"""Snippets that bring a library to evaluate, read or store what a snippet may not."""

if sys.version_info >= (3, 14):
    TOLD["a reference that is read in a way nobody knows"] = (
        "import typing\nclass Format:\n    asked = 0\n"
        "    def __eq__(self, other):\n        Format.asked += 1\n        return Format.asked in (1, 3)\n"
        "typing.ForwardRef(\"open(canary, 'w')\").evaluate(globals={'canary': canary}, format=Format())"
    )

KEPT = "import asyncio\nfrom dataclasses import dataclass, make_dataclass, replace\nplain = dataclass(init=False, repr=False, eq=False)\n"

PRIVATE = {
    "by a field": f"{KEPT}@plain\nclass F(asyncio.Future): _loop: object",
    "by a field of a public name": f"{KEPT}@plain\nclass F(asyncio.Future): get_loop: object",
    "by a field from beside": f"{KEPT}@plain\nclass A: _loop: object\nclass F(A, asyncio.Future): pass",
    "by a field from below": f"{KEPT}class A: _loop: object\nclass F(A, asyncio.Future): pass\nplain(A)",
    "by a field of a slot": f"{KEPT}class Duck: init = True; name = '_loop'; _field_type = None\n"
    "class F(asyncio.Future):\n    __slots__ = iter(['__dataclass_fields__'])\n    def __init__(self, **_): super().__init__()\n"
    "    def __getattr__(self, name): return {'a': Duck}\nasync def m(): replace(F())\nawait m()",
    "by a field that is made": f"{KEPT}make_dataclass('F', [('_loop', int)], bases=(asyncio.Future,), init=False)",
    "by annotations that a library's function works out": f"{KEPT}import functools, logging\nasked = []\n"
    "def say(format):\n    if format == 1: raise NameError\n    asked.append(format)\n"
    "    return {'_style': object} if len(asked) > 1 else {}\n"
    "plain(type('F', (logging.Formatter,), {'__annotate__': functools.singledispatch(say)}))",
    "by update_wrapper": "import functools, logging\nf = logging.Formatter()\nclass W: pass\nw = W()\nw._style = 5\n"
    "functools.update_wrapper(f, w)",
    "by the copy of a user dict": "import collections, logging\nf = logging.Formatter()\n"
    "class U(collections.UserDict):\n    def __new__(cls): return f if made else super().__new__(cls)\n"
    "made = 0\nu = U()\nu._style = 5\nmade = 1\nu.__copy__()",
}


@pytest.mark.parametrize("source", TOLD.values(), ids=TOLD)
def test_what_an_object_tells_is_not_evaluated(run, canary, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "Refused", "NameError", "NotImplementedError"), failure
    assert not canary.exists()


@pytest.mark.parametrize("source", PRIVATE.values(), ids=PRIVATE)
def test_no_library_stores_or_reads_private_names_for_a_snippet(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "AttributeError"), failure


DATA = "from dataclasses import dataclass, field, fields, make_dataclass, replace, astuple\n"

FINE = {
    "dataclasses": f"{DATA}class M(type): pass\n@dataclass(slots=True)\nclass A(metaclass=M): x: int = 1\n"
    "@dataclass\nclass B(A): y: list = field(default_factory=list); _z: int = 3\n"
    "C = type('C', (), {key: value for key, value in B.__dict__.items() if key not in ('__dict__', '__weakref__')})\n"
    "D = make_dataclass('D', ['q', '_r'], bases=(B,), kw_only=True)\n@dataclass\nclass E(Exception): code: int; _why: str = ''\n"
    "@dataclass\nclass G(C): w: int = 5\n"
    "(astuple(replace(B(2), y=[1])), len(fields(C)), [f.name for f in fields(D)], E(4).code, len(fields(G))) == "
    "((2, [1], 3), 3, ['x', 'y', '_z', 'q', '_r'], 4, 4)",
    "slots": "class A: __slots__ = ['a', '__dict__']\nclass B(A): __slots__ = (name for name in 'bc')\n"
    "class C(B): __slots__ = 'word'\nclass D(C): __slots__ = {'d': 'its doc'}\nd = D()\nd.a = d.b = d.c = d.word = d.d = 1\n"
    "(d.word, A.__slots__, D.__slots__) == (1, ['a', '__dict__'], {'d': 'its doc'})",
    "a table nobody else holds": f"{DATA}@dataclass\nclass C: a: int = 1\nd = dict(C.__dict__)\n"
    "d['__dataclass_fields__'] = kept = dict(d['__dataclass_fields__'])\nB = type('B', (), d)\nkept['a'] = 5\n"
    "type(B.__dataclass_fields__['a']) is type(fields(C)[0])",
    "a copy of one that lies": "import collections, logging\nf = logging.Formatter()\nlies = 0\n"
    "class L: __new__ = lambda *_: f\nclass U(collections.UserList):\n"
    "    __class__ = property(lambda self: L if lies else U)\nu = U()\nu._style = 5\nlies = 1\n"
    "type(u.__copy__()) is U",
    "copies": "import collections, copy\nclass U(collections.UserDict): pass\nu = U(a=[1])\nu.x = [2]\nv = copy.copy(u)\n"
    "l = copy.copy(collections.UserList([1]))\n"
    "(type(v), v, v.x is u.x, v.data is u.data, l, u.copy(), type(u | {})) == (U, u, True, False, [1], u, U)",
    "dispatch": "import functools, typing\n@functools.singledispatch\ndef f(x): return 'any'\n@f.register\n"
    "def _(x: 'int | str'): return 'int or str'\n@f.register\ndef _(x: typing.Union[list, 'dict']): return 'both'\n"
    "@f.register(float)\ndef _(x): return 'float'\nf.register(int | bytes, lambda x: 'bytes')\n"
    "[f(x) for x in ('', [], {}, 1.0, 1, b'', None)] == "
    "['int or str', 'both', 'both', 'float', 'bytes', 'bytes', 'any']",
    "wraps": "import functools\ndef f(): 'doc'\nf.x = f._y = 1\n@functools.wraps(f)\ndef g(): pass\n"
    "class W:\n    def __init__(self, f): functools.update_wrapper(self, f)\nw = W(f)\n"
    "(g.x, g._y, w.x, w._y, w.__doc__, w.__wrapped__) == (1, 1, 1, 1, 'doc', f)",
}


@pytest.mark.parametrize("source", FINE.values(), ids=FINE)
def test_ordinary_uses_go_on(run, source):
    outcome = run(source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value is True


SPY = """import copy
seen = []
class Spy:
    def __deepcopy__(self, memo):
        seen.append(memo)
        return self
known = []
def knows(value): return any(value is one for one in known)
def told(): return [v for memo in seen for v in memo.values() if not (knows(v) or type(v) is list and all(map(knows, v)))]
"""
HIDDEN = {
    "of a memo": "memo = {}\nx = [open, [1]]\nknown += [x, copy.deepcopy(x, memo)]\nseen.append(memo)",
    "of a method": "copy.deepcopy([open, [1], Spy()])",
    "of a library's object": "import collections\nu = collections.UserList([[1], Spy()])\ncopy.deepcopy(u)",
    "of a later answer": "asked = []\nclass L:\n    def __getattr__(self, name):\n        asked.append(name)\n"
    "        if name == '__deepcopy__' and len(asked) > 1: return lambda memo: seen.append(memo)\n"
    "        raise AttributeError(name)\ncopy.deepcopy([[1], L(), L()])\nassert seen",
    "of an instance's answer": "import types\ns = types.SimpleNamespace(**{'__deepcopy__': lambda memo: seen.append(memo)})\n"
    "copy.deepcopy([[1], s])\nassert seen",
    "of a forged memo": "memo = {}\nx = [1]\nknown += [x, copy.deepcopy(x, memo)]\nclass Own(dict): pass\nown = Own()\n"
    "own.told = other = {}\nother[id(other)] = type(memo[id(memo)])(own)\ncopy.deepcopy([[1]], other)\nseen.append(own)",
}


@pytest.mark.parametrize("source", HIDDEN.values(), ids=HIDDEN)
def test_a_deep_copy_tells_nothing_of_its_insides(run, source):
    outcome = run(f"{SPY}{source}\ntold()")
    assert outcome.failure is None, outcome.failure
    assert outcome.value == []


def test_what_stands_in_a_memo_cannot_be_read(run):
    failure = run("import copy\nmemo = {}\ncopy.deepcopy([1], memo)\nmemo[id(memo)]._memo").failure
    assert failure is not None
    assert failure.type == "AttributeError", failure


COPIES = {
    "a cycle of one's own": "class N:\n    def __init__(self): self.next = None\n    def __deepcopy__(self, memo):\n"
    "        made = memo[id(self)] = N()\n        made.next = copy.deepcopy(self.next, memo)\n        return made\n"
    "a, b = N(), N()\na.next, b.next = [b], [a]\nc = copy.deepcopy(a)\n"
    "c is not a and c.next[0] is not b and c.next[0].next[0] is c",
    "identity within one copy": "class N:\n    def __init__(self, x): self.x = x\n    def __deepcopy__(self, memo):\n"
    "        return N(copy.deepcopy(self.x, memo))\nx = [1]\na, b, c = copy.deepcopy([N(x), N(x), x])\n"
    "a.x is b.x is c and c is not x",
    "identity by a memo": "x, memo = [1], {}\na, b = copy.deepcopy([x], memo), copy.deepcopy([x], memo)\n"
    "a[0] is b[0] and a[0] is not x and id(memo) in memo",
    "methods": "class A:\n    def __init__(self): self.x = [1]\n    def m(self): return self.x\na = A()\n"
    "m = copy.deepcopy(a.m)\nm() == a.m() and m() is not a.m()",
    "containers": "import collections, datetime, decimal\nx = {'a': (1, [2]), 'b': {3}, 'c': collections.deque([[4]])}\n"
    "x['d'] = collections.OrderedDict(y=collections.Counter('ab'))\nx['e'] = collections.defaultdict(list, z=[5])\n"
    "x['f'] = datetime.date(2020, 1, 1), decimal.Decimal(1)\ny = copy.deepcopy(x)\n"
    "y == x and y['a'][1] is not x['a'][1] and y['c'][0] is not x['c'][0] and y['e']['z'] is not x['e']['z']",
    "as deep as CPython": "x = []\nfor _ in range(400): x = [x]\ncopy.deepcopy(x)[0] is not x[0]",
    "what is ours": "import sys\ncopy.deepcopy([sys.stdout, open])[0] is sys.stdout",
}


@pytest.mark.parametrize("source", COPIES.values(), ids=COPIES)
def test_deep_copies_go_on(run, source):
    outcome = run(f"import copy\n{source}")
    assert outcome.failure is None, outcome.failure
    assert outcome.value is True


def test_who_walks_over_fields_reads_and_sets_them_as_the_snippet_may(run):
    source = """
import ast
class Odd(ast.AST): _fields = ("__class__", "__dict__", "x")
class Keep(ast.NodeTransformer):
    def visit(self, node): return int
odd = Odd()
odd.__dict__["x"] = ast.Pass()
Keep().generic_visit(odd).x is int, type(odd) is Odd
"""
    outcome = run(source)
    assert outcome.value == (True, True), outcome.failure
    for asked in (
        "list(ast.iter_fields(f))",
        "list(ast.iter_child_nodes(f))",
        "ast.NodeTransformer().generic_visit(f)",
    ):
        failure = run(f"import ast\ndef f(): pass\nf._fields = ('__globals__',)\n{asked}").failure
        assert failure is not None
        assert "__globals__ is refused" in failure.message


def test_a_tree_is_checked_as_a_text_before_it_is_run(run):
    for tree in ("ast.Attribute(ast.Constant(()), '__class__', ast.Load())", "ast.Name('__import__', ast.Load())"):
        failure = run(
            f"import ast\neval(compile(ast.fix_missing_locations(ast.Expression({tree})), '', 'eval'))"
        ).failure
        assert failure is not None
        assert failure.kind == "refused"


MADE = {
    "by its class": "type(compile('1', '', 'eval'))('1', 'eval')",
    "with a mode that says what it is equal to": "class S(str):\n    __hash__, __eq__ = str.__hash__, lambda self, other: True\n"
    "compile('1', '', S('eval'))",
}


@pytest.mark.parametrize("source", MADE.values(), ids=MADE)
def test_nothing_is_compiled_in_a_mode_of_ones_own(run, source):
    assert run(source).failure.type in ("TypeError", "ValueError")
    kept = "import types\nmade = compile('1', '', 'eval')\n[type(made) is types.CodeType, eval(made)]"
    assert run(kept).value == [True, 1]
