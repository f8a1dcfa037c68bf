"""More C code that asks a snippet's objects in the middle of its work: trees, texts, callables, what was never set up.

Each of these ended the process in CPython 3.11, or went on with memory that is somebody else's. Run in a cage.
"""

from __future__ import annotations

import sys

import pytest

_REUSED = "kept = [bytearray(b'A' * size) for size in range(30, 90) for _ in range(99)]"
_TREE = """
import copy, xml.etree.ElementTree as E
class Index:
    def __init__(self, value): self.value = value
    def __index__(self):
        e.clear()
        return self.value
e = E.Element('a')
for _ in range(50): e.append(E.Element('b'))
"""
_NAMED = f"""
import xml.etree.ElementTree as E
class Tag(str):
    __hash__ = str.__hash__
    def __eq__(self, other):
        global kept
        del self
        child.tag = None
        {_REUSED}
        return NotImplemented
class Path(str):
    __hash__ = str.__hash__
    def __eq__(self, other): return type(other)
e = E.Element('a')
child = E.SubElement(e, Tag('a long one'))
"""
_SAYS = f"""
class First:
    def __repr__(self):
        global kept
        del self
        held.clear()
        error.args = ()
        error.filename = error.strerror = None
        {_REUSED}
        return 'first'
class Other:
    def __init__(self): self.own = 'mine'
    def __repr__(self): return self.own
error, held = OSError(), []
"""
_FACTORY = f"""
import collections, functools, operator
class First:
    def __sub__(self, other):
        global kept
        del self, other
        given.default_factory = None
        {_REUSED}
        return NotImplemented
class Other:
    def __init__(self): self.own = 'mine'
    def __rsub__(self, other): return self.own
given = collections.defaultdict(functools.partial(operator.sub, First(), Other()))
"""

#: Source → the type of the error it ends with.
REFUSED = {
    "an element that is removed": (
        f"{_TREE}class Own(E.Element):\n    def __eq__(self, other):\n        e.clear()\n        return True\n"
        "e.remove(Own('y'))",
        "RuntimeError",
    ),
    "a cache of zones": (
        "import zoneinfo\nclass Cache:\n    def get(self, key, default=None): pass\n"
        "    def setdefault(self, key, zone): return zone\nclass Given:\n    def __get__(self, of, cls): return Cache()\n"
        "class Without:\n    _weak_cache = Given()\n    def __init_subclass__(cls): pass\n"
        "class Zone(Without, zoneinfo.ZoneInfo): pass\nZone('UTC')",
        "TypeError",
    ),
    "places of an element": (f"{_TREE}e[Index(0):20:2] = [E.Element('b')] * 10", "ValueError"),
    "places that are given": (
        f"{_TREE}def given():\n    e.clear()\n    yield from [E.Element('c')] * 15\ne[10:40:2] = given()",
        "ValueError",
    ),
    "a builder of own elements": (
        f"{_TREE}class Own(E.Element): pass\nE.TreeBuilder(element_factory=Own).start('a', {{}})",
        "TypeError",
    ),
    "a method that was never one": ("staticmethod.__new__(staticmethod)()", "TypeError"),
    "a class method that was never one": (
        "class Own(classmethod):\n    def __init__(self): pass\nOwn().__get__(5, int)()",
        "TypeError",
    ),
    "a stream that is set up anew": (
        "import io\nclass Own(io.BytesIO):\n    def read1(self, size=-1):\n        stream.__init__(5)\n"
        "class Stream(io.TextIOWrapper): pass\nstream = Stream(Own(b'abc'))\nstream.read(3)",
        "ValueError",
    ),
    "an error before its text": (
        "import codecs\ncodecs.backslashreplace_errors(UnicodeEncodeError('u', '', 0, 1, ''))",
        "ValueError",
    ),
    "a state of a decoder": (
        "import codecs\ndecoder = codecs.getincrementaldecoder('iso2022_jp')()\ndecoder.setstate((b'', 0x51))\n"
        "decoder.decode(b'abc')",
        "UnicodeError",
    ),
    "groups in a Scanner": ("import re\nre.Scanner([('(a)(b)', None)]).scan('ab')", "ValueError"),
    "a phrase that is read twice": (
        "import re\nclass Phrase:\n    __class__ = property(lambda self: str)\n"
        "    def __getitem__(self, at): return '(a)(b)'[at]\nre.Scanner([(Phrase(), None)])",
        "TypeError",
    ),
    "a place in a text": (
        "import io\ntext = io.TextIOWrapper(io.BytesIO(b'abc'), 'iso2022_jp')\ntext.seek(0x51 << 64)\ntext.read()",
        "UnicodeError",
    ),
    "a place before a text": (
        "import io\ntext = io.TextIOWrapper(io.BytesIO(b'abc'), 'utf-8')\ntext.seek(1 << 159 | 3 << 96)\ntext.readline()",
        "OSError",
    ),
    "a date of the year 0": ("import datetime\ndatetime.date(b'\\0\\0\\1\\1').ctime()", "ValueError"),
    "a moment of the year 0": ("import datetime\ndatetime.datetime(b'\\0\\0\\1\\1' + bytes(6)).ctime()", "ValueError"),
    "a view that is hashed": (
        "class Own(bytearray):\n    def __hash__(self):\n        view.release()\n        self.clear()\n        return 1\n"
        "view = memoryview(Own(b'a' * 100_000)).toreadonly()\nhash(view)",
        "BufferError",
    ),
}
if sys.version_info < (3, 12, 4):  # from then on C counts rightly what is added meanwhile
    REFUSED["a text that is written again"] = (
        "import io\nclass Below(io.BufferedIOBase):\n    def writable(self): return True\n    def write(self, content):\n"
        "        text.write('c' * 3000)\n        return len(content)\n"
        "text = io.TextIOWrapper(Below(), 'utf-8')\nfor each in 'ab': text.write(each * 5000)",
        "RuntimeError",
    )

_SEARCHED = f"""
import collections
class First:
    def __eq__(self, other):
        global kept
        del self
        queue[0] = None
        {_REUSED}
        return NotImplemented
class Other:
    def __eq__(self, other): return type(other) is First
queue = collections.deque([First()])
"""

#: Source → its value.
GOES_ON = {
    "a text that is written": (
        "import io\nclass Own(str):\n    def replace(self, *given): return (1, 2, 3)\nmemory = io.BytesIO()\n"
        "text = io.TextIOWrapper(memory, 'utf-8', newline='\\r\\n')\ntext.write(Own('a\\n'))\ntext.flush()\nmemory.getvalue()",
        b"a\r\n",
    ),
    "a number that exchanges the context": (
        """
import decimal, numbers
class Own: denominator = 1
numbers.Rational.register(Own)
def told(self):
    global kept
    decimal.setcontext(decimal.Context())
    kept = [bytes(size - 33) for size in range(60, 200) for _ in range(99)]
    return 1
Own.numerator = property(told)
decimal.setcontext(decimal.Context(traps=[]))
decimal.Decimal('snan') == Own()
sum(map(any, kept))""",
        0,
    ),
    "a queue that is searched": (f"{_SEARCHED}queue.index(Other())", 0),
    "a queue from which is removed": (f"{_SEARCHED}queue.remove(Other())\nlen(queue)", 0),
    "places that are taken": (f"{_TREE}e[Index(0):20:2]", []),
    "a copy": (
        f"{_TREE}class Own(E.Element):\n    def __deepcopy__(self, memo):\n        e.clear()\n        return E.Element('c')\n"
        "e.insert(0, Own('x'))\nlen(copy.deepcopy(e))",
        51,
    ),
    "a tag": (f"{_NAMED}e.find(Path('b'))", None),
    "all with a tag": (f"{_NAMED}[*e.iter(Path('b'))] == [e, child] or len([*e.iter(Path('b'))])", 1),
    "an attribute": (
        "import xml.etree.ElementTree as E\nclass Key:\n    def __hash__(self):\n        e.attrib = {}\n        return 5\n"
        "e = E.Element('a', {'b': 'c'})\ne.get(Key(), 'none')",
        "none",
    ),
    "a slice": (f"{_SAYS}held.append(slice(First(), Other(), Other()))\nrepr(held)", "[slice(first, mine, mine)]"),
    "an alias": (f"{_SAYS}held.append(list[First(), Other()])\nrepr(held)", "[list[first, mine]]"),
    "an error": (f"{_SAYS}error = Exception(slice(First(), 5, Other()))\nstr(error)", "slice(first, 5, mine)"),
    "an error of files": (
        f"{_SAYS}error = OSError(1, 'x', 'y')\nerror.errno, error.strerror, error.filename = First(), Other(), Other()\n"
        "str(error)",
        "[Errno first] mine: mine",
    ),
    "a dictionary that is written": (
        """
import json
def default(found):
    global kept
    outer.clear()
    kept = [{str(name): name for name in range(size)} for size in range(1, 12) for _ in range(99)]
    return 5
outer = {'a': {'x': object(), 'y': [1], 'z': 'q'}}
json.dumps(outer, default=default, check_circular=False)[:20]""",
        '{"a": {"x": 5, "y": ',
    ),
    "bytes that are said to be none": (
        "class Own:\n    def __iter__(self): yield from b'own'\n    def __length_hint__(self): return 0\n"
        "given = bytearray()\ngiven.extend(Own())\nbytes(given)",
        b"own",
    ),
    "a factory": (f"{_FACTORY}given[5]", "mine"),
    "a compressor": ("import bz2\nbz2.BZ2Compressor.__new__(bz2.BZ2Compressor).compress(b'x')", b""),
    "a decompressor": (
        "import lzma\nlzma.LZMADecompressor.__new__(lzma.LZMADecompressor).decompress(lzma.compress(b'x'))",
        b"x",
    ),
    "a future": (
        f"""
import asyncio
class Own:
    own = True
    def __call__(self, *given): pass
    def __eq__(self, other):
        global kept
        if Own.own:
            Own.own = False
            del self
            future.remove_done_callback(Own())
            {_REUSED}
            return NotImplemented
        return True
class Other(Own):
    def __eq__(self, other): return type(other) is not Own
async def main():
    global future
    future = asyncio.Future()
    future.add_done_callback(Own())
    return future.remove_done_callback(Other())
asyncio.run(main())""",
        0,
    ),
}


_LENDS = """
class Own:
    def __buffer__(self, flags):
        global kept
        if view is not None: view.release()
        given.clear()
        kept = [bytearray(b'A' * 4000) for _ in range(50)]
        return memoryview(b'Z')
given, view = bytearray(4000), None
"""
if sys.version_info >= (3, 12):
    GOES_ON["parts of bytes"] = (f"{_LENDS}sum(part.count(b'A') for part in [*given.split(Own())])", 0)
    GOES_ON["parts of bytes from the end"] = (f"{_LENDS}sum(part.count(b'A') for part in [*given.rsplit(Own(), 5)])", 0)
    GOES_ON["a view that is compared"] = (
        """
class Own:
    def __buffer__(self, flags):
        view.release()
        try: given.clear()
        except BufferError: return memoryview(b'held')
        return memoryview(b'gone')
given = bytearray(b'held')
view = memoryview(given)
view == Own()""",
        True,
    )


@pytest.mark.parametrize(("source", "error"), REFUSED.values(), ids=REFUSED)
def test_what_would_go_on_with_what_is_gone_is_an_error(session, source, error):
    assert session.run(source).failure.type == error


@pytest.mark.parametrize(("source", "value"), GOES_ON.values(), ids=GOES_ON)
def test_what_is_let_go_of_meanwhile_is_held(session, source, value):
    assert session.run(source).value == value
