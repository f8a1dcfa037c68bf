"""Nothing is written or read where memory was that an object of a snippet's gave up while C worked with it."""

from __future__ import annotations

import re
import sys
from types import FrameType
from typing import Any

import pytest

from codeact import Session
from codeact.snippet import moved_memory
from tests.fidelity.comparing import printed_in_folders

_BYTES = """
class Own:
    def __index__(self):
        global other
        b.clear()
        other = bytearray()
        b.extend(bytes(56))
        return 23
b = bytearray(56)
"""
_ARRAY = """
import array
class Own:
    def __index__(self):
        del a[1:]
        return 7
    def __float__(self): return float(self.__index__())
a = array.array('{}', [0] * 1000)
"""
_TAKEN = """
class Own:
    def __bytes__(self):
        global other
        b.clear()
        other = bytearray(b'zx' * 4990)
        return b'q'
    def __index__(self): return len(self.__bytes__()) * 122
b = bytearray(b'%b' + b'a' * 9998)
"""
_LENT = """
import io
class Own:
    def __buffer__(self, flags):
        global view
        view = b.getbuffer()
        return memoryview(bytes(10**6))
b = io.BytesIO(bytes(1000))
"""

#: What would write into the length of another bytearray.
WRITTEN = {
    "a byte": f"{_BYTES}b[23] = Own()",
    "a place": f"{_BYTES}b[Own()] = 1",
    "a slice": f"{_BYTES}b[Own():24:2] = b'x'",
    "a byte, by a method": f"{_BYTES}bytearray.__setitem__(b, 23, Own())",
    "a byte, by an operator": f"{_BYTES}import operator\noperator.setitem(b, 23, Own())",
    "a byte of a class that was there before": f"class Before(bytearray): pass\n{_BYTES}b = Before(56)\nb[23] = Own()",
    "a byte that a proxy is": f"{_BYTES}import weakref\nown = Own()\nb[23] = weakref.proxy(own)",
}

#: What would write behind what is left of an array.
BEHIND = {
    "a number": f"{_ARRAY.format('q')}a[500] = Own()",
    "a float": f"{_ARRAY.format('d')}a[500] = Own()",
    "a float that is told later": "import array\nclass Own: pass\ndef told(self):\n    del a[1:]\n    return 7.0\n"
    "Own.__float__ = told\na = array.array('d', [0] * 1000)\na[500] = Own()",
}

#: What would read where bytes were, and what it comes to.
READ = {
    "a byte that is looked for": (f"{_TAKEN}Own() in b", False),
    "a text that is formatted": (f"{_TAKEN}(b % Own()).count(b'a')", 9998),
}


@pytest.fixture(params=["caged", "inline"])
def session(request):
    with Session(isolation=request.param) as session:
        yield session


pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.mark.parametrize("source", WRITTEN.values(), ids=WRITTEN)
def test_nothing_is_written_where_bytes_were(session, source):
    session.run(source)
    assert session.run("len(other)").value == 0


@pytest.mark.parametrize("source", BEHIND.values(), ids=BEHIND)
def test_nothing_is_written_behind_an_array(session, source):
    assert session.run(source).failure.type == "IndexError"


@pytest.mark.parametrize(("source", "value"), READ.values(), ids=READ)
def test_nothing_is_read_where_bytes_were(session, source, value):
    assert session.run(source).value == value


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is there from Python 3.12 on")
@pytest.mark.parametrize("write", ["b.write(Own())", "b.writelines([Own()])", "b.__init__(Own())"])
def test_no_view_is_left_on_memory_that_is_gone(session, write):
    source = _LENT.replace("b = io.BytesIO", "class Kept(io.BytesIO): pass\nb = Kept")
    assert session.run(source + write).failure.type == "BufferError"
    session.run("view.release()")


AS_EVER = """
import array, io
class Two:
    def __index__(self): return 2
class Half:
    def __float__(self): return 0.5
two, half = Two(), Half()
def tried(*functions):
    for function in functions:
        try: print(function())
        except Exception as error: print(type(error).__name__, error)
b, q, d = bytearray(b'abcabc'), array.array('q', range(6)), array.array('d', range(6))
b[two], b[two:4], q[two], d[two] = two, [two, 3], two, half
q.append(two), q.insert(two, two), q.extend(iter([two])), q.fromlist([two, 5]), d.extend([half, two, True]), d.extend(d)
print(b, q, d, two in b, b.find(two), b.rindex(b'c', two), b.count(3, None, two), b.startswith((b'x', b'ab'), 0, two), b'%d' % two)
del b[two], q[two:4], d[::two]
b.extend(iter([two, 5]))
print(b, q, d, bytearray(b'%d%%%a') % (two, 'x'), b','.join([b'a', b]), bytearray().join((b'a', b'b')), io.BytesIO(b'a').getvalue())
file = io.BytesIO()
print(file.write(b'abc'), file.writelines([b'd', b]), file.getvalue())
tried(lambda: b.__setitem__('x', 1), lambda: b.__setitem__(0, 'x'), lambda: b.__setitem__(99, two), lambda: b.__setitem__(0, 300),
      lambda: b.__delitem__(half), lambda: half in b, lambda: b.find(half), lambda: b.extend(5), lambda: b.extend([half]), lambda: b % (),
      lambda: q.__setitem__(0, half), lambda: q.append('x'), lambda: q.extend(5), lambda: q.fromlist((1,)), lambda: d.append('x'),
      lambda: q.__setitem__(slice(0, 2), [1]), lambda: b.__setitem__(slice('a', 2), b''), lambda: b','.join(5), lambda: b','.join([b'a', 5]),
      lambda: file.write('x'), lambda: file.writelines(5), lambda: file.writelines([5]), lambda: b.find(), lambda: io.BytesIO('x'),
      lambda: io.BytesIO(initial_bytes=b'x').read(), lambda: q.__setitem__(99, 1), lambda: d.__setitem__(0, '1'), lambda: b.find(b'a', 0, 5, 6))
"""


def test_what_is_stored_is_what_cpython_stores(tmp_path):
    ours, plain = printed_in_folders(tmp_path, AS_EVER)
    assert ours.splitlines() == plain.splitlines()


@pytest.mark.filterwarnings("ignore:isolation")
def test_the_guard_stands_in_no_store_of_what_compiles_patterns():
    called = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        of_lists = "_storing_slices" in frame.f_code.co_qualname
        if event == "call" and frame.f_code.co_filename == moved_memory.__file__ and not of_lists:
            called.append(frame.f_code.co_qualname)

    with Session(isolation="inline") as session:
        session.run("class Own:\n    def __index__(self): return 1\nbytearray(1)[Own():]")
    re.purge()
    sys.setprofile(note)
    try:
        re.compile("[a-z\u0100-\u2000]+", re.IGNORECASE)
        bytearray(1)[0] = 1
    finally:
        sys.setprofile(None)
    assert len(called) == 1  # the last line's: the guard is there
