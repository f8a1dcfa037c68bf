"""What is set up anew while it works lets go of what it works with: each of these wrote or read where that was."""

from __future__ import annotations

import pytest

_KEPT = "kept = [bytearray(size) for size in [*range(30, 90), 3999] for _ in range(99)]"
_RAW = f"""
import io
class Other(io.RawIOBase):
    def readable(self): return True
    def writable(self): return True
    def readinto(self, buffer): return 0
    def write(self, content): return len(content)
class Raw(Other):
    def readinto(self, buffer):
        global kept
        stream.__init__(*others)
        {_KEPT}
        buffer[:] = b'A' * len(buffer)
        return len(buffer)
    def write(self, content): return stream.__init__(*others)
others = [Other()]
"""
_CALLS = f"""
import functools, operator
class First:
    def __sub__(self, other):
        global kept
        del self, other
        held.__init__(None)
        {_KEPT}
        return NotImplemented
class Other:
    def __init__(self): self.own = 'mine'
    def __rsub__(self, other): return self.own
"""

REFUSED = {
    "what is read": f"{_RAW}class Own(io.BufferedReader): pass\nstream = Own(Raw(), 4000)\nstream.read(3)",
    "what is written": f"{_RAW}class Own(io.BufferedWriter): pass\nstream = Own(Raw(), 4000)\nstream.write(b'x' * 5000)",
    "a pair": f"{_RAW}others *= 2\nclass Own(io.BufferedRWPair): pass\nstream = Own(Raw(), Other(), 4000)\nstream.read(3)",
    "a decoder": "import io\nclass Own(io.IncrementalNewlineDecoder): pass",
    "a property": f"{_CALLS}class Own(property): pass\nheld = Own(functools.partial(operator.sub, First()))\nOther.part = held\n"
    "Other().part",
    "a method": f"{_CALLS}class Own(staticmethod): pass\nheld = Own(functools.partial(operator.sub, First(), Other()))\nheld()",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_what_works_is_not_set_up_anew(session, source):
    assert session.run(source).failure.type in {"TypeError", "ValueError"}


def test_what_is_set_up_once_works_as_ever(session):
    source = """
import io
class Own(io.BufferedReader):
    def __init__(self, content):
        super().__init__(io.BytesIO(content))
class Kept(property):
    def __init__(self, function):
        super().__init__(function)
class Told:
    kept = Kept(lambda self: 5)
    other = property(lambda self: 6).setter(lambda self, value: None)
    @staticmethod
    def one(): return 7
    @classmethod
    def two(cls): return cls.__name__
told = Told()
told.other = 1
[Own(b'abc').read(2), told.kept, told.other, told.one(), told.two(), io.BufferedRWPair(io.BytesIO(b'x'), io.BytesIO()).read()]
"""
    assert session.run(source).value == [b"ab", 5, 6, 7, "Told", b"x"]


_NAMELESS = """
import contextvars
class Unhashable(str):
    def __eq__(self, other): return True
class Failing(str):
    def __hash__(self): raise ValueError
made = []
for kind in (Unhashable, Failing):
    for _ in range(2000):
        kept = [bytes([255]) * size for size in range(20, 60)]
        del kept
        made.append(contextvars.ContextVar(kind('own')).name)
set(made)
"""


def test_a_variable_of_contexts_is_made_of_a_name_that_has_no_hash(session):
    assert session.run(_NAMELESS).value == {"own"}
