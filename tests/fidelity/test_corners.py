"""Less common corners of Python and its library, each run in plain CPython and in ours: what they do is the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "an ordered dictionary's pop": """
from collections import OrderedDict
class Own(OrderedDict): pass
for kind in (OrderedDict, Own):
    d = kind(a=1, b=2)
    print(d.pop("c", default=5), d.pop("a", 3), d.pop(key="b"), d.pop("x", None), d, kind.pop(d, "q", default=None))
    for wrong in (lambda: d.pop("z"), lambda: d.pop([])):
        try: wrong()
        except (KeyError, TypeError) as e: print(type(e).__name__, e)
""",
    "the time a process took": """
import os
told = os.times()
print(type(told).__name__, len(told), told.user >= 0, told.elapsed > 0, isinstance(told, os.times_result))
""",
    "a representation with other limits": """
import reprlib
short = reprlib.Repr()
short.maxstring, short.maxlist = 12, 2
print(short.repr("abc" * 20), short.repr([1, 2, 3]), reprlib.repr([1, 2, 3]))
""",
    "classes looked for among others": """
class A: pass
class B(A): pass
async def wait(): pass
waiting = wait()
waiting.close()
print(B.__mro__ == (B, A, object), A in B.__mro__, int not in B.__mro__)
print((3).__class__ in (int, str), waiting.__class__ in {type(waiting)}, B().__class__ not in [A])
""",
    "a loop made, chosen and closed": """
import asyncio
async def add(a, b):
    await asyncio.sleep(0)
    return a + b, asyncio.get_running_loop().is_running()
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
print(asyncio.get_event_loop() is loop, loop.is_closed(), loop.is_running())
try:
    print(loop.run_until_complete(add(1, 2)), loop.run_until_complete(asyncio.wait_for(add(3, 4), 5)))
finally:
    loop.close()
left = add(5, 6)
try: loop.run_until_complete(left)
except RuntimeError as e: print(e, loop.is_closed())
left.close()
""",
    "generators that are awaited": """
import types
@types.coroutine
def ask(question):
    answer = yield question
    return answer.upper()
@types.coroutine
def asked_by_other(times):
    "Gives a generator of another kind."
    class Other:
        left = times
        def __iter__(self): return self
        def __next__(self): return self.send(None)
        def send(self, value):
            self.left -= 1
            if self.left < 0: raise StopIteration(value)
            return self.left
        def throw(self, error): raise error
        def close(self): print("closed")
    return Other()
async def talk(): return await ask("who?"), await asked_by_other(2)
talking = talk()
print(talking.send(None), talking.send("ann"), talking.send(1))
try: talking.send("end")
except StopIteration as e: print(e.value)
print(asked_by_other.__name__, asked_by_other.__doc__, type(asked_by_other(1)), types.coroutine(talk) is talk)
print(types.coroutine(lambda: 5)(), types.coroutine(len)("abc"))
types.coroutine(5)
""",
    "markup escaped, and what a document refuses": """
import xml.dom
from xml.dom import minidom
from xml.sax.saxutils import escape, quoteattr, unescape
print(escape("a < b & c", {"c": "&c;"}), quoteattr('say "it"'), quoteattr("plain"), unescape("&lt;&q;", {"&q;": "?"}))
tree = minidom.parseString("<a b='1'><c/></a>")
try: tree.documentElement.removeAttribute("none")
except xml.dom.NotFoundErr as e: print(e.code == xml.dom.NOT_FOUND_ERR, isinstance(e, xml.dom.DOMException))
try: tree.appendChild(tree.createElement("second"))
except xml.dom.HierarchyRequestErr as e: print(e, xml.dom.EMPTY_NAMESPACE, xml.dom.XML_NAMESPACE)
""",
    "streams that are set": """
import io, sys
class Both:
    def __init__(self, *files): self.files = files
    def write(self, text): return [file.write(text) for file in self.files]
    def flush(self): pass
class Settings: pass
before, sys.stdout = sys.stdout, io.StringIO()
try:
    print("kept")
    sys.stdout.write("too")
finally:
    kept, sys.stdout = sys.stdout.getvalue(), before
print(repr(kept), sys.stdout is before)
copy = io.StringIO()
setattr(sys, "stdout", Both(before, copy))
print("twice")
sys.stdout = before
before, sys.stderr = sys.stderr, io.StringIO()
errors = sys.stderr
print("bad", file=sys.stderr)
sys.stderr = before
print(copy.getvalue(), errors.getvalue())
own = Settings()
own.stdout = 1
own.stdout += 1
print(vars(own))
""",
    "sizes beyond all room": """
import array, sys
def tell(*makers):
    for make in makers:
        try: print(len(make()))
        except (MemoryError, OverflowError) as e: print(type(e).__name__, e)
for n in (sys.maxsize, sys.maxsize + 1, 1 << 60, 10 ** 30):
    tell(lambda: "ab" * n, lambda: n * [0], lambda: (1, 2) * n, lambda: b"ab" * n, lambda: array.array("d", [1]) * n)
    tell(lambda: bytearray(b"ab") * n, lambda: bytes(n), lambda: bytearray(n), lambda: "a".ljust(n), lambda: b"a".zfill(n))
    tell(lambda: "" * n, lambda: [] * n, lambda: (5).to_bytes(n, "big") if n > sys.maxsize else b"")
""",
    "fields that are none": """
import dataclasses
for field in [(), (1, 2, 3, 4), float, 5, ("a",), ["b", int], ("x", int, 3)]:
    try: print(dataclasses.make_dataclass("Made", [field])(1))
    except TypeError as e: print(e)
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_corners_of_the_language_are_what_they_are_in_plain_python(source: str) -> None:
    ours, _ = in_ours(source.lstrip("\n"))
    assert ours == in_cpython(source.lstrip("\n"))


def test_a_stream_is_set_back_to_the_first() -> None:
    _, failure = in_ours(
        "import io, sys\nsys.stdout, sys.stderr = io.StringIO(), io.StringIO()\n"
        "sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__\nassert sys.stdout is sys.__stdout__"
    )
    assert failure is None


_WRAPPED = """
import types
class Other:
    send = throw = close = __iter__ = __next__ = print
wrapped = types.coroutine(Other)()
"""


@pytest.mark.parametrize(
    "asked",
    [
        "wrapped._GeneratorWrapper__wrapped",
        "getattr(wrapped, 'gi_frame')",
        "wrapped.__dict__",
        "types.coroutine(len).__globals__",
        "import reprlib\nreprlib.repr.__self__.maxlist = 2",
    ],
)
def test_no_corner_leads_inside(asked: str) -> None:
    _, failure = in_ours(f"{_WRAPPED.strip()}\n{asked}")
    assert failure is not None
    assert failure.kind == "refused"
