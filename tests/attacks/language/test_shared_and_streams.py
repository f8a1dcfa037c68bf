"""What libraries share with everyone stays as it is, and streams hand out neither memory nor files of the host."""

from __future__ import annotations

import calendar
import uuid

import pytest

REFUSED = {
    "a property, set up anew": "import uuid\nuuid.UUID.hex.__init__(str)",
    "a descriptor, set up anew": "import calendar\ncalendar.month_name.__init__('%d')",
    "an instance, set up anew": "import uuid\nuuid.NAMESPACE_DNS.__init__(int=5)",
    "an instance, by its class": "import uuid\nuuid.UUID.__init__(uuid.NAMESPACE_DNS, int=5)",
    "an instance, by an own class": "import uuid\nclass U(uuid.UUID): pass\nU.__init__(uuid.NAMESPACE_DNS, int=5)",
    "an instance, by super": "import uuid\nclass U(uuid.UUID):\n    @classmethod\n    def go(cls): return super().__init__\n"
    "U.go()(uuid.NAMESPACE_DNS, int=5)",
    "an instance, by a computed name": "import uuid, operator\n"
    "operator.methodcaller('__init__', int=5)(uuid.NAMESPACE_DNS)",
    "an open archive, set up anew": "import gzip\ng = gzip.open('a.gz', 'wb')\ng.__init__(secret, 'rb')",
    "a property, named anew": "import uuid\nclass A: pass\nuuid.UUID.hex.__set_name__(A, 'evil')",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_what_a_library_shares_stays_as_it_is(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("AttributeError", "TypeError", "PermissionError"), failure
    assert uuid.NAMESPACE_DNS.hex == "6ba7b8109dad11d180b400c04fd430c8"
    assert calendar.month_name[1] == "January"


SET_UP = """
import collections, functools, json, logging
class A(dict):
    def __init__(self, *given): dict.__init__(self, *given)
class B(A):
    def __init__(self, *given):
        super().__init__(*given)
        A.__init__(self, *given)
        super(B, self).__init__(*given)
class H(logging.Handler):
    def __init__(self): logging.Handler.__init__(self)
class M(type):
    def __init__(cls, name, bases, names): type.__init__(cls, name, bases, names)
class X(metaclass=M): pass
class J(json.JSONEncoder):
    __init__ = json.JSONEncoder.__init__
class E(Exception):
    def __init__(self, text): Exception.__init__(self, text)
class C:
    def f(self): return 5
kept = functools.cached_property(C.f)
kept.__set_name__(C, 'g')
C.g = kept
H()
b = B({1: 2})
b.__init__({3: 4})
type(b).__init__(b, {5: 6})
items = []
items.__init__([1])
dict(b), J().encode(1), str(E('x')), C().g, items, C.__init__ is object.__init__
"""


def test_the_own_is_set_up_as_ever(run):
    outcome = run(SET_UP)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == ({1: 2, 3: 4, 5: 6}, "1", "x", 5, [1], True)
