"""Guards that begin with the first class that could be asked hold for what was picked up before, and what goes on.

Each of these wrote or read where memory was: the first by the length of another bytearray, that is anywhere.
"""

from __future__ import annotations

import pytest

from codeact import Session

_STORED = """
class Own:
    def __index__(self):
        global other
        b.clear()
        other = bytearray()
        b.extend(bytes(56))
        return 23
"""
_LESS = """
class Less:
    def __lt__(self, other):
        global kept
        del other
        held.clear()
        kept = [bytearray(47) for _ in range(999)]
        return NotImplemented
class More:
    def __init__(self): self.own = 'mine'
    def __gt__(self, other): return self.own
"""
_TAGS = """
class Tag(str):
    __hash__ = str.__hash__
    def __eq__(self, other):
        global kept
        del self
        child.tag = None
        kept = [bytearray(b'A' * size) for size in range(30, 90) for _ in range(99)]
        return NotImplemented
class Path(str):
    __hash__ = str.__hash__
    def __eq__(self, other): return type(other)
child = E.SubElement(e, Tag('a long one'))
"""
_COUNTED = """
class Own:
    def __init__(self): self.own = 'mine'
    def __add__(self, other):
        global kept
        del self
        counts.clear()
        kept = [bytearray(b'A' * size) for size in range(30, 90) for _ in range(99)]
        return NotImplemented
counts['a'] = Own()
"""
_IN_FLIGHT = f"""
held = [5]
class Equal:
    def __eq__(self, other):
        {_LESS.strip().replace(chr(10), chr(10) + "        ")}
        first[0], held[0] = Less(), More()
        return False
first = [Equal()]
"""

#: Source → its value.
PICKED_UP = {
    "a store": (f"b = bytearray(56)\nput = b.__setitem__\n{_STORED}put(23, Own())\nlen(other)", 0),
    "a store of the class": (
        f"b = bytearray(56)\nput = bytearray.__setitem__\n{_STORED}put(b, 23, Own())\nlen(other)",
        0,
    ),
    "a search": (f"b = bytearray(b'q' * 5000)\nfind = b.find\n{_STORED}find(b'q', Own())", -1),
    "a comparison": (f"held, less = [], list.__lt__\n{_LESS}held.append(More())\nless([Less()], held)", "mine"),
    "a comparison of a list": (
        f"held = []\n{_LESS}less, kept = [Less()].__lt__, held.append(More())\nless(held)",
        "mine",
    ),
    "a search of a tree": (
        f"import xml.etree.ElementTree as E\ne = E.Element('a')\nfind = e.find\n{_TAGS}find(Path('b'))",
        None,
    ),
    "a text": (
        "import io\nmemory = io.BytesIO()\nwrite = io.TextIOWrapper(memory, 'utf-8', newline='\\r\\n', write_through=True).write\n"
        "class Own(str):\n    def replace(self, *given): return (1, 2, 3)\nwrite(Own('a\\n'))\nmemory.getvalue()",
        b"a\r\n",
    ),
    "an array": (
        "import array\na = array.array('q', [0] * 1000)\ninsert = a.insert\nclass Own:\n    asked = 0\n    def __index__(self):\n"
        "        Own.asked += 1\n        if Own.asked > 1: del a[1:]\n        return 7\ninsert(500, Own())\nOwn.asked",
        1,
    ),
}


@pytest.mark.parametrize(("source", "value"), PICKED_UP.values(), ids=PICKED_UP)
def test_what_was_picked_up_before_is_guarded(source, value):
    with Session() as session:
        assert session.run(source).value == value


#: Source → the type of the error it ends with.
IN_FLIGHT = {
    "lists": (f"{_IN_FLIGHT}first < held", "TypeError"),
    "numbers": (
        "import array\na = array.array('q', [1])\ndef given():\n    yield from range(300)\n    class Own:\n        asked = 0\n"
        "        def __index__(self):\n            Own.asked += 1\n            if Own.asked > 1: 1 / 0\n            return 5\n"
        "    yield Own()\n    yield 'end'\na.extend(given())",
        "TypeError",
    ),
    "counts": (
        "import collections\ncounts = collections.Counter()\ndef given():\n    yield 'b'\n"
        f"    global Own\n    {_COUNTED.strip().replace(chr(10), chr(10) + '    ')}\n    yield 'a'\ncounts.update(given())",
        "TypeError",
    ),
    "counts that were picked up": (
        f"from collections import _count_elements as count\ncounts = {{}}\n{_COUNTED}count(counts, 'a')",
        "TypeError",
    ),
}


@pytest.mark.parametrize(("source", "error"), IN_FLIGHT.values(), ids=IN_FLIGHT)
def test_what_goes_on_when_the_class_is_made_is_guarded(source, error):
    with Session() as session:
        assert session.run(source).failure.type == error
