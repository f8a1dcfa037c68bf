"""What libraries share with everyone stays as it is, and streams hand out neither memory nor files of the host."""

from __future__ import annotations

import calendar
import decimal
import json
import os
import types
import typing
import uuid

import pytest

from codeact.session import apart
from codeact.snippet import running, sinks
from codeact.snippet.endings import CallRefused
from codeact.worker.folder import Folder

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
    "a logger, through what adapts it": "import logging, uuid\nlogging.LoggerAdapter(uuid.NAMESPACE_DNS).manager = 5",
    "the fields of all nodes": "import ast\nast.Name._fields = ()",
    "the fields of a node": "import ast\nast.Name('a')._fields = ('b',)",
    "a place for what is no node": "import ast, uuid\nast.copy_location(uuid.NAMESPACE_DNS, ast.parse('1'))",
    "a function, marked as abstract": "import abc, json\nabc.abstractmethod(json.dumps)",
    "a class, marked as abstract": "import abc, json\nabc.abstractclassmethod(json.JSONEncoder)",
    "a static method, marked as abstract": "import abc, uuid\nabc.abstractstaticmethod(uuid.UUID)",
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


DOORS = {
    "a descriptor, as a tree": "import xml.etree.ElementTree as ET\nET.ElementTree(ET.Element('a')).write(2)",
    "a descriptor, as what can be written to": "import xml.etree.ElementTree as ET\nclass I(int):\n    write = 5\n"
    "ET.ElementTree(ET.Element('a')).write(I(2))",
    "a descriptor, read as a tree": "import xml.etree.ElementTree as ET\nET.parse(0)",
    "a number that is asked": "class B:\n    def __index__(self): final_answer('asked')\nopen('x', 'w', B())",
    "a mode that is asked": "class S(str):\n    def __iter__(self): final_answer('asked')\nopen(secret, S('w'))",
}


@pytest.mark.parametrize("source", DOORS.values(), ids=DOORS)
def test_a_file_is_opened_by_its_name_alone(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("TypeError", "PermissionError"), failure


class _Lying(str):
    """A path that lies about what it begins with."""

    __slots__ = ()

    def __getitem__(self, key):
        return os.getcwd()[1:] + "/ok"


def test_the_hook_looks_at_the_path_itself(run, tmp_path):
    sinks.watch()
    held = os.open(tmp_path / "secret.txt", os.O_RDONLY)
    room = types.SimpleNamespace(folder=Folder(str(tmp_path / "work")))
    for path in (_Lying(tmp_path / "secret.txt"), held):
        with pytest.raises(CallRefused), running.StepOf(room):
            open(path, "rb").close()
    os.close(held)


def test_what_stands_in_pandas_options_is_copied_without_asking_it():
    class Asked:
        def __deepcopy__(self, memo):
            raise AssertionError

    asked = Asked()
    options = {"display": {"float_format": asked, "names": [1]}}
    copied = apart._copied(options)
    copied["display"]["names"].append(2)
    assert options == {"display": {"float_format": asked, "names": [1]}}


def test_the_name_of_a_dialect_is_a_text(run):
    source = "import csv\nclass S(str): pass\ncsv.register_dialect(S('mine'))\n"
    outcome = run(
        f"{source}found = type(next(n for n in csv.list_dialects() if n == 'mine'))\n"
        "csv.unregister_dialect('mine')\nfound is str"
    )
    assert outcome.value is True


OWN_STREAM = """
import io
got = []
class R(io.RawIOBase):
    def readable(self): return True
    def writable(self): return True
    def readinto(self, b):
        got.append(b)
        return 0
    def write(self, b):
        got.append(b)
        return len(b)
"""
LENT = {
    "a reader": "io.BufferedReader(R(), 480).read(1)",
    "a reader, by name": "io.BufferedReader(raw=R(), buffer_size=480).read(1)",
    "a writer": "io.BufferedWriter(R(), 480).write(b'x' * 500)",
    "a pair's reader": "io.BufferedRWPair(R(), R(), 480).read(1)",
    "a pair's writer": "io.BufferedRWPair(R(), R(), 480).write(b'x' * 500)",
    "an own reader": "class B(io.BufferedReader):\n    def __init__(self): super().__init__(R())\nB().read(1)",
    "an own reader, by the class": "class B(io.BufferedReader):\n"
    "    def __init__(self): io.BufferedReader.__init__(self, R())\nB().read(1)",
    "the class of an open file": "open('x', 'w').close()\ntype(open('x', 'rb'))(R(), 480).read(1)",
    "text": "io.TextIOWrapper(io.BufferedReader(R())).read()",
}


@pytest.mark.parametrize("source", LENT.values(), ids=LENT)
def test_a_stream_of_ones_own_gets_no_view_of_memory(run, source):
    outcome = run(f"{OWN_STREAM}{source}\nsorted({{type(b).__name__ for b in got}})")
    assert outcome.failure is None, outcome.failure
    assert outcome.value in (["bytearray"], ["bytes"])


BELIEVED = {
    "raw": "R().read(1)",
    "raw, by super": "class S(R):\n    def go(self): return super().read(1)\nS().go()",
    "buffered": "io.BufferedReader(R(), 10).read(1)",
}


@pytest.mark.parametrize("source", BELIEVED.values(), ids=BELIEVED)
def test_a_stream_that_claims_to_have_read_more_is_not_believed(run, source):
    outcome = run(
        f"import io\nclass R(io.RawIOBase):\n    def readable(self): return True\n"
        f"    def readinto(self, b): return 200\n{source}"
    )
    assert outcome.failure is not None
    assert outcome.failure.type == "OSError"


STREAMS = """
import io
class R(io.RawIOBase):
    def __init__(self): self.text = io.BytesIO(b'hello\\nworld\\n')
    def readable(self): return True
    def readinto(self, b): return self.text.readinto(b)
    def seekable(self): return True
    def seek(self, *place): return self.text.seek(*place)
with open('x', 'wb') as w: w.write(b'text')
f, u = open('x', 'rb'), open('x', 'rb', buffering=0)
kinds = (isinstance(f, io.BufferedReader), type(f) is io.BufferedReader, isinstance(w, io.BufferedWriter),
    isinstance(w, io.BufferedReader), isinstance(u, io.RawIOBase), isinstance(R(), io.RawIOBase),
    issubclass(io.BufferedReader, io.BufferedIOBase))
texts = (io.BufferedReader(R()).read(), R().read(), R().read(3), list(R()), f.read(), io.BufferedReader(u).read(2),
    list(io.TextIOWrapper(io.BufferedReader(R()))), io.BufferedRandom(io.BytesIO(b'q')).read())
f.close(); u.close()
kinds, texts
"""


def test_streams_are_what_they_were(run):
    kinds, texts = run(STREAMS).value
    assert kinds == (True, True, True, False, True, True, True)
    both, lines = b"hello\nworld\n", [b"hello\n", b"world\n"]
    assert texts == (both, both, b"hel", lines, b"text", b"te", ["hello\n", "world\n"], b"q")


TABLES = {
    "members, by the property": "import enum, re\nenum.EnumType.__members__.fget(re.RegexFlag)",
    "groups, by the descriptor": "import re\nre.Pattern.groupindex.__get__(re.compile('(?P<it>x)'))",
    "groups, by an own class's property": "import enum, re\nclass M(enum.EnumType): pass\nM.__members__.fget(re.RegexFlag)",
    "the reading of a syntax tree": "import ast\nast.parse('x').body[0].value.ctx.evil = 7",
    "an operator of a syntax tree": "import ast\nsetattr(ast.parse('x + 1').body[0].value.op, 'evil', 7)",
    "a style that changes": "import logging\nclass S(str):\n    n = 0\n    def __eq__(self, other):\n        S.n += 1\n"
    "        return S.n > 1\n    def __hash__(self): return hash('{')\n"
    "logging.Formatter('{msg.__init__.__globals__}', style=S('{'), validate=False)",
}


@pytest.mark.parametrize("source", TABLES.values(), ids=TABLES)
def test_no_table_of_a_library_is_handed_out(run, source):
    failure = run(source).failure
    assert failure is not None
    assert failure.type in ("AttributeError", "TypeError"), failure


def test_what_a_class_holds_for_all_is_copied(run):
    outcome = run(
        "import calendar, decimal\ncalendar.HTMLCalendar.cssclasses_weekday_head.append('evil')\n"
        "calendar.HTMLCalendar().cssclasses_weekday_head.append('evil')\n"
        "decimal.DecimalTuple._field_defaults['x'] = 1\nclass D(decimal.DecimalTuple): pass\n"
        "D._field_defaults['x'] = D(0, 0, 0)._field_defaults['x'] = 1"
    )
    assert outcome.failure is None, outcome.failure
    assert "evil" not in calendar.HTMLCalendar.cssclasses_weekday_head
    assert decimal.DecimalTuple._field_defaults == {}


def test_an_own_table_is_the_own(run):
    source = """
import collections, enum, typing
N = collections.namedtuple('N', 'a b', defaults=[1])
class T:
    _field_defaults = {}
    def note(self): self._field_defaults['a'] = 1
T().note()
class S:
    __slots__ = ('fields', 'metadata')
    groupindex = property(lambda self: 7)
class C(enum.Enum): A = 1
S.groupindex.fget(S()), S.fields is not None, T._field_defaults, N._field_defaults, list(C.__members__), S().groupindex
"""
    outcome = run(source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == (7, True, {"a": 1}, {"b": 1}, ["A"], 7)


def test_an_overload_is_noted_nowhere(run):
    source = "import typing\ndef f(): pass\nf.__module__, f.__qualname__ = 'json', 'dumps'\ntyping.overload(f)"
    assert run(source).failure is None
    assert typing.get_overloads(json.dumps) == []
