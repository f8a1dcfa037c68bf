"""What says what it is asks a snippet's objects, which let go of it in the middle of that. Run in a cage."""

from __future__ import annotations

import pytest

_SAYS = """
import collections, datetime, io, time, types
def let_go():
    global kept
    held.clear()
    kept = [bytearray(b'A' * size) for size in range(30, 300) for _ in range(30)]
class First:
    def __repr__(self):
        let_go()
        return 'first'
class Other:
    def __init__(self): self.own = 'mine'
    def __repr__(self): return self.own
class Delta(datetime.timedelta): __repr__ = First.__repr__
class Called:
    def __call__(self): pass
    def __getattr__(self, name):
        let_go()
        raise AttributeError(name)
class Raw(io.RawIOBase):
    name = property(lambda self: let_go() or 'raw')
    def readable(self): return True
    writable = seekable = readable
    def tell(self): return 0
held = []
"""

#: What is held by a list alone → what that says then.
SAYS = {
    "a row": (
        "time.struct_time([First(), Other(), *'1234567'])",
        "time.struct_time(tm_year=first, tm_mon=mine, tm_mday",
    ),
    "a dictionary with defaults": (
        "collections.defaultdict(str, {1: First()})",
        "defaultdict(<class 'str'>, {1: first})",
    ),
    "a zone": ("datetime.timezone(Delta(hours=1), ' one'.join('abc'))", "datetime.timezone(first, 'a oneb onec')"),
    "a method": (
        "types.MethodType(Called(), slice('a' * 3, 'b' * 5))",
        "<bound method ? of slice('aaa', 'bbbbb', None)>",
    ),
    "a stream that is read": ("io.BufferedReader(Raw())", "<_io.BufferedReader name='raw'>"),
    "a stream that is written": ("io.BufferedWriter(Raw())", "<_io.BufferedWriter name='raw'>"),
    "a stream for both": ("io.BufferedRandom(Raw())", "<_io.BufferedRandom name='raw'>"),
}


@pytest.mark.parametrize(("made", "said"), SAYS.values(), ids=SAYS)
def test_what_says_what_it_is_is_held_meanwhile(session, made, said):
    assert session.run(f"{_SAYS}held.append({made})\nrepr(held)[:{len(said) + 1}]").value == f"[{said}"
