"""Attributes that lead into the interpreter, said in every way a snippet can say a name."""

from __future__ import annotations

import pytest

WAYS_TO_A_CLASS = {
    "said": "found = (1).__class__",
    "by getattr": "found = getattr(1, '__cl' + 'ass__')",
    "by getattr with a default": "found = getattr(1, '__class__', 5)",
    "by attrgetter": "import operator\nfound = operator.attrgetter('__class__')(1)",
    "by a dotted attrgetter": "import operator\nfound = operator.attrgetter('real.__class__')(1)",
    "by methodcaller": "import operator\nfound = operator.methodcaller('__getattribute__', '__class__')(1)",
    "by map": "found = list(map(getattr, [1], ['__class__']))[0]",
    "by reduce": "import functools\nfound = functools.reduce(getattr, ['__class__'], 1)",
    "by partial": "import functools\nfound = functools.partial(getattr, 1)('__class__')",
    "by object's own method": "found = object.__getattribute__(1, '__class__')",
    "by a format text": "found = '{0.__class__}'.format(1)",
    "by an unbound format": "found = str.format('{0.__class__}', 1)",
    "by a format map": "found = '{x.__class__}'.format_map({'x': 1})",
    "by a nested format text": "found = '{0:{1.__class__}}'.format(1, 2)",
    "by a bound format": "f = '{0.__class__}'.format\nfound = f(1)",
    "by a subclass of str": "class S(str): pass\nfound = S('{0.__class__}').format(1)",
    "by super's format": "class S(str):\n    def go(self): return super().format(1)\nfound = S('{0.__class__}').go()",
    "by a Formatter": "import string\nfound = string.Formatter().format('{0.__class__}', 1)",
    "by a Formatter's field": "import string\nfound = string.Formatter().get_field('0.__class__', (1,), {})",
    "past a Formatter": "import string\nfound = super(string.Formatter, string.Formatter()).get_field('0.__class__', (1,), {})",
    "by a pattern": "match 1:\n    case object(__class__=found): pass",
    "by positional patterns": "class A: __match_args__ = ('__class__',)\nmatch A():\n    case A(found): pass",
    "by full-width letters": "found = (1).__ｃｌａｓｓ__",
    "by a proxy": "import weakref\nclass A: pass\na = A()\nfound = weakref.proxy(a).__class__",
    "by wraps": "import functools\nclass W:\n    def __setattr__(self, name, value):\n        global found\n        found = value\n"
    "functools.update_wrapper(W(), print, assigned=('__self__',), updated=())",
    "by a subclass of str as name": "class N(str): pass\nfound = getattr(1, N('__class__'))",
}


@pytest.mark.parametrize("source", WAYS_TO_A_CLASS.values(), ids=WAYS_TO_A_CLASS)
def test_a_snippet_cannot_reach_a_class_through_an_instance(run, source):
    assert run(source).failure is not None
    assert run("found").failure is not None


WAYS_TO_GLOBALS = {
    "of a function": "import json\nx = json.dumps.__globals__",
    "of a function, by getattr": "import json\nx = getattr(json.dumps, '__globals__')",
    "by getattr of several that are not seen": "import json\nx = getattr(*[json.dumps, '__globals__'], 'name')",
    "by getattr of all that a function is given": "import json\ndef f(*a): return getattr(*a, 'name')\n"
    "x = f(json.dumps, '__globals__')",
    "by getattr of a name that comes later": "import json\nx = getattr(*[json.dumps], *['__globals__'], 'name')",
    "of a method": "import json\nx = json.JSONEncoder.default.__globals__",
    "of a namedtuple": "import collections\nx = collections.namedtuple('P', 'x')._make.__func__.__globals__",
    "of its own function": "def f(): pass\nx = f.__globals__",
    "builtins of its own function": "def f(): pass\nx = f.__builtins__",
    "of what globals() gives": "x = globals()['__builtins__']",
    "of what vars() gives": "x = vars()['__builtins__']",
    "of what locals() gives": "x = locals()['__builtins__']",
    "of a builtin": "x = print.__self__",
    "of a bound method": "x = [].append.__self__",
    "of an enum": "import enum\nx = enum.Enum.__class__.__call__.__globals__",
    "of a dispatcher": "import functools\nx = functools.singledispatch(lambda v: 1).dispatch.__globals__",
    "by annotations": "import typing\ndef f(v: 'f.__globals__'): pass\nx = typing.get_type_hints(f)",
    "by a registered annotation": "import functools\nf = functools.singledispatch(lambda v: 1)\n"
    "def g(v: '().__class__'): pass\nx = f.register(g)",
    "by fields of a syntax tree": "import ast\ndef f(): pass\nf._fields = ('__globals__',)\nx = dict(ast.iter_fields(f))",
}


@pytest.mark.parametrize("source", WAYS_TO_GLOBALS.values(), ids=WAYS_TO_GLOBALS)
def test_a_snippet_cannot_reach_what_a_function_closes_over(run, source):
    assert run(source).failure is not None
    assert run("x").failure is not None


WAYS_TO_A_FRAME = {
    "of a generator": "x = (i for i in [1]).gi_frame",
    "of a generator, by getattr": "x = getattr((i for i in [1]), 'gi_' + 'frame')",
    "of a coroutine": "async def f(): pass\nc = f()\nx = c.cr_frame",
    "of an exception": "try: 1/0\nexcept Exception as e: x = e.__traceback__.tb_frame",
    "of what __exit__ gets": "class C:\n    def __enter__(self): return self\n    def __exit__(self, a, b, tb):\n"
    "        global x\n        x = tb.tb_frame\n        return True\nwith C(): 1/0\nx",
    "of exc_info": "import sys\ntry: 1/0\nexcept Exception: x = sys.exc_info()[2].tb_frame",
    "by a pattern": "try: 1/0\nexcept Exception as e:\n    match e:\n        case Exception(__traceback__=object(tb_frame=x)): pass",
    "by sys": "import sys\nx = sys._getframe()",
    "by traceback": "import traceback\nx = list(traceback.walk_stack(None))",
    "by extracting": "import traceback\nx = traceback.extract_stack()",
    "by inspect": "import inspect\nx = inspect.currentframe()",
}


@pytest.mark.parametrize("source", WAYS_TO_A_FRAME.values(), ids=WAYS_TO_A_FRAME)
def test_a_snippet_cannot_reach_a_frame(run, source):
    assert run(source).failure is not None


WAYS_TO_SPOIL = {
    "a function of a module": "import math\nmath.sqrt = abs",
    "by setattr": "import math\nsetattr(math, 'sqrt', abs)",
    "by a loop": "import math\nfor math.sqrt in [1]: pass",
    "by a with statement": "import math, contextlib\nwith contextlib.nullcontext(1) as math.sqrt: pass",
    "by unpacking": "import math\n(math.sqrt, y) = 1, 2",
    "by deletion": "import math\ndel math.sqrt",
    "by augmented assignment": "import math\nmath.pi += 1",
    "by what vars gives": "import math\nvars(math)['sqrt'] = abs\nassert math.sqrt is not abs\nmath.sqrt = abs",
    "a library's object, by a proxy": "import json, weakref\ne = json.JSONEncoder()\nweakref.proxy(e).indent = 3",
    "a library's class, by a proxy": "import json, weakref\nweakref.proxy(json.JSONEncoder).default = print",
    "a library's function, by a proxy": "import json, weakref\nweakref.proxy(json.dumps).x = print",
    "a private name of a library's, by a proxy": "import string, weakref\nclass P: pass\nclass F(string.Formatter):\n"
    "    __class__ = P\nf = F()\nweakref.proxy(f)._vformat = print",
    "an answer of a metaclass, by a proxy": "import weakref\nclass L(type): pass\nclass M(type, metaclass=L): pass\n"
    "weakref.proxy(M).__eq__ = lambda a, b: True",
    "a class": "import json\njson.JSONEncoder.default = lambda self, o: 'x'",
    "a class, by object": "import json\nobject.__setattr__(json.JSONEncoder, 'default', 1)",
    "a class, by type": "import json\ntype.__setattr__(json.JSONEncoder, 'default', 1)",
    "a class, by a decorator": "import json, dataclasses\ndataclasses.dataclass(json.JSONEncoder)",
    "a class, by wraps": "import json, functools\nfunctools.update_wrapper(json.JSONEncoder, print)",
    "a class, by total_ordering": "import fractions, functools\nfunctools.total_ordering(fractions.Fraction)",
    "a class, through a generic alias": "import typing\ntyping.Counter[int].update = 1",
    "a module, by a cached property": "import functools, json\np = functools.cached_property(abs)\n"
    "p.__set_name__(None, 'dumps')\np.__get__(json)",
    "a builtin class": "int.x = 1",
    "its own builtins": "__builtins__['len'] = 1",
    "globals' builtins": "globals()['__builtins__'] = {}",
    "globals' module name": "globals().update(__name__='json')",
    "a name of the session, by globals": "globals()['final_answer'] = print",
    "what globals store in": "globals()._target",
    "what an instance's names store in": "import json\nclass E(json.JSONEncoder): pass\nE().__dict__._target",
    "a private name of a library's, by the dictionary": "import string\nclass F(string.Formatter): pass\nF().__dict__['_vformat'] = print",
    "a special name, by a function's dictionary": "def f(): pass\nf.__dict__['__array_interface__'] = {}",
}


@pytest.mark.parametrize("source", WAYS_TO_SPOIL.values(), ids=WAYS_TO_SPOIL)
def test_a_snippet_cannot_change_what_is_not_its_own(run, source):
    assert run(source).failure is not None


PRIVATE_PARTS = {
    "of a module": "import random\nrandom._os",
    "of a library's object": "import warnings\nwarnings.catch_warnings()._kept_filters",
    "of its own subclass of a library's": "import textwrap\nclass T(textwrap.TextWrapper): pass\nT()._wrap_chunks",
    "by getattr": "import textwrap\ngetattr(textwrap.TextWrapper(), '_wrap_chunks')",
    "by a pattern": "import random\nmatch random:\n    case object(_os=x): pass",
    "by super": "import textwrap\nclass T(textwrap.TextWrapper):\n    def go(self): return super()._wrap_chunks\nT().go()",
    "of a class with a metaclass of its own": "import pathlib\nclass M(type): pass\n"
    "class P(pathlib.PurePosixPath, metaclass=M): pass\nclass Q(metaclass=M): _x = 1\nQ._x\nP._flavour",
    "set on a class with a metaclass of its own": "import textwrap\nclass M(type): pass\n"
    "class T(textwrap.TextWrapper, metaclass=M): pass\nclass Q(metaclass=M): _x = 1\nQ._x\nT._wrap_chunks = 1",
    "of an enum, by its metaclass": "import enum\nclass E(enum.Enum): A = 1\nE._convert_('X', 'os', lambda n: n == 'system')",
    "of an enum, by a name that was set and deleted": "import enum\nclass E(enum.Enum): A = 1\n"
    "def f():\n    X = E\n    X._create_ = 1\n    del X._create_\n    return X._create_\nf()",
    "of an open file": "import io\nio.TextIOWrapper(io.BytesIO()).detach()",
}


@pytest.mark.parametrize("source", PRIVATE_PARTS.values(), ids=PRIVATE_PARTS)
def test_a_snippet_cannot_reach_private_parts_of_a_library(run, source):
    assert run(source).failure is not None


WAYS_TO_A_LIBRARYS_VARIABLES = {
    "locals, by a callback": "import contextlib\nwith contextlib.ExitStack() as s: s.callback(locals)",
    "vars, by an executor": "import concurrent.futures as c\nc.ThreadPoolExecutor().submit(vars).result()",
    "dir, by an executor": "import concurrent.futures as c\nc.ThreadPoolExecutor().submit(dir).result()",
    "eval, by an executor": "import concurrent.futures as c\nc.ThreadPoolExecutor().submit(eval, 'call').result()",
}


@pytest.mark.parametrize("source", WAYS_TO_A_LIBRARYS_VARIABLES.values(), ids=WAYS_TO_A_LIBRARYS_VARIABLES)
def test_a_snippet_cannot_look_at_the_variables_of_a_library(run, source):
    assert run(source).failure is not None


WAYS_TO_OTHER_FILES = {
    "by the class of a compressed file": "import gzip\nf = gzip.open('a.gz', 'w')\ntype(f)(canary, 'w')",
    "by the class of an open file": "type(open('a', 'w').buffer.raw)(canary, 'w')",
    "by io": "import io\nio.FileIO(canary, 'w')",
    "by a path": "import pathlib\npathlib.Path(canary).write_text('x')",
    "by renaming": "import os\nopen('a', 'w').close()\nos.rename('a', canary)",
    "by linking": "import os\nos.symlink(canary, 'link')",
    "by a folder": "import os\nos.mkdir(canary)",
    "by an XML tree": "import xml.etree.ElementTree as t\nt.ElementTree(t.Element('a')).write(canary)",
    "by the tree below": "import xml.etree.ElementTree as t\nT = t.ElementTree\nsuper(T, T(t.Element('a'))).write(canary)",
    "by a log": "import logging\nlogging.basicConfig(filename=canary)",
    "by a handler": "import logging\nlogging.FileHandler(canary)",
    "by an opener": "import os\nopen('a', 'w', opener=lambda p, f: 1)",
    "by what a path is joined with": "import pathlib\nopen('a', 'w').close()\nclass P(pathlib.Path):\n"
    "    def __truediv__(self, o): return (o.parent / canary).write_text('x')\nlist(P().glob('*'))",
    "by an entry of a folder": "import os\nopen('a', 'w').close()\ntype(next(os.scandir()))('a', canary).stat()\nraise OSError",
    "by a path that changes": "class P:\n    n = 0\n    def __fspath__(self):\n        self.n += 1\n"
    "        return 'a' if self.n < 2 else canary\nopen(P(), 'w').close()\nraise OSError",
}


@pytest.mark.parametrize("source", WAYS_TO_OTHER_FILES.values(), ids=WAYS_TO_OTHER_FILES)
def test_a_snippet_cannot_write_outside_its_folder(run, canary, source):
    assert run(source).failure is not None
    assert not canary.exists()


ORDINARY = {
    "private names of its own": "class A:\n    def __init__(self): self._x = 1\nA()._x == 1",
    "its own class": "class A:\n    def same(self): return self.__class__()\ntype(A().same()) is A",
    "the name of any class": "(1).__class__.__name__ == 'int'",
    "its own attributes": "class A: pass\na = A()\na.__dict__['x'] = 1\na.x == 1 and vars(a) == {'x': 1}",
    "namedtuple methods": "import collections\nP = collections.namedtuple('P', 'x')\nP(1)._replace(x=2)._asdict() == {'x': 2}",
    "enum names": "import enum\nclass E(enum.Enum):\n    A = 1\nE.A._value_ == 1 and E['A'] is E.A",
    "object's own setter": "class A:\n    def __setattr__(self, n, v): object.__setattr__(self, n, v * 2)\na = A()\na.x = 2\na.x == 4",
    "one instance alone": "class A:\n    _one = None\n    def __new__(cls):\n        cls._one = cls._one or super().__new__(cls)\n"
    "        return cls._one\nA() is A()",
    "metaclasses": "class M(type):\n    def __new__(m, n, b, d): return super().__new__(m, n, b, {**d, 'x': 1})\n"
    "class A(metaclass=M): pass\nA.x == 1 and type(A) is M and isinstance(A, type)",
    "three arguments of type": "type('A', (int,), {'x': 1})(5).x == 1",
    "format texts": "'{0.real:>{1}} {x[0]}'.format(1, 4, x='a') == '   1 a'",
    "decorators": "import functools\ndef d(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g\n"
    "@d\ndef f(): 'doc'\nf.__name__ == 'f' and f.__doc__ == 'doc' and f.__wrapped__ is not f",
    "classes of an mro": "class A: pass\nclass B(A): pass\n[c.__name__ for c in B.__mro__] == ['B', 'A', 'object']",
    "hasattr": "hasattr([], 'append') and not hasattr(1, 'append') and hasattr([], '__len__')",
    "the code of an error": "class E(Exception): pass\ne = E('a')\ne.code = 3\ne.code == 3",
}


@pytest.mark.parametrize("source", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_python_means_what_it_means(run, source):
    outcome = run(source)
    assert outcome.failure is None
    assert outcome.value is True
