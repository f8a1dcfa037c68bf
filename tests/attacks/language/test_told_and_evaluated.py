"""What an object tells of itself is evaluated by no library, and a copy tells nobody what it went through."""

from __future__ import annotations

import pytest

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
}
"""Snippets that bring a library to evaluate, read or store what a snippet may not."""

PRIVATE = {
    "by update_wrapper": "import functools, logging\nf = logging.Formatter()\nclass W: pass\nw = W()\nw._style = 5\n"
    "functools.update_wrapper(f, w)",
    "by the copy of a user dict": "import collections, logging\nf = logging.Formatter()\n"
    "class U(collections.UserDict):\n    def __new__(cls): return f if made else super().__new__(cls)\n"
    "made = 0\nu = U()\nu._style = 5\nmade = 1\nu.__copy__()",
    "by the copy of a user list": "import collections, logging\nf = logging.Formatter()\nlies = 0\n"
    "class L: __new__ = lambda *_: f\nclass U(collections.UserList):\n"
    "    __class__ = property(lambda self: L if lies else U)\nu = U()\nu._style = 5\nlies = 1\nu.__copy__()",
}


@pytest.mark.parametrize("source", TOLD.values(), ids=TOLD)
def test_what_an_object_tells_is_not_evaluated(run, canary, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "Refused", "NameError"), failure
    assert not canary.exists()


@pytest.mark.parametrize("source", PRIVATE.values(), ids=PRIVATE)
def test_no_library_stores_or_reads_private_names_for_a_snippet(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "AttributeError"), failure


FINE = {
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
