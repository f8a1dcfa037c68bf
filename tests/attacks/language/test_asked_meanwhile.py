"""C code that asks a snippet's objects in the middle of its work goes on with what is still there.

Each of these led, in CPython 3.11 to 3.13 and with the cage off, to memory that is somebody else's: the first three to
any object by its address, and so to the builtins of the interpreter. Run in a cage, as they would end the process.
"""

from __future__ import annotations

import pytest

_OVER_LIST = """
class Own:
    def __iter__(self):
        yield 1
        del places[4:]
places = [None] * 60
places[13:60:50] = Own()
"""
_SEQUENCE = """
class Own:
    def __getitem__(self, place):
        global again
        if again:
            again = False
            next(items, None)
        raise IndexError
own, again = Own(), True
items = iter(own)
next(items, None)
"""
_TIME = """
import datetime
class Zone(datetime.tzinfo):
    def utcoffset(self, moment): return datetime.timedelta(hours=1)
    dst = utcoffset
class Other(Zone):
    def fromutc(self, moment): return 'it went on'
class Own(datetime.datetime):
    def __new__(cls, *given, **named): return other or super().__new__(cls, *given, **named)
other = None
moment = Own(2020, 1, 1, tzinfo=Zone())
other = bytearray(100)
"""
_BY_METACLASS = """
class Meta(type):
    def __call__(cls, *given, **named): return other or super().__call__(*given, **named)
class Mine(datetime.datetime, metaclass=Meta): pass
other = None
moment = Mine(2020, 1, 1, tzinfo=Zone())
other = bytearray(100)
moment.astimezone(Other())
"""
_FRACTION = """
import array
from fractions import Fraction
class Number:
    def __int__(self):
        del a[1:]
        return 7
class Own:
    __class__, numerator, denominator = Fraction, Number(), 1
a = array.array('d', [0.0] * 60)
a[10] = Fraction(Own())
"""
_STRUCT = (
    "import struct\nclass Own(struct.Struct): pass\nown = Own('b')\nitems = own.iter_unpack(b'abcd')\nnext(items)\n"
)
_ITERATOR = """
import itertools
class Own:
    entered = 0
    def __iter__(self): return self
    def __next__(self):
        global kept
        self.entered += 1
        if self.entered > 1: raise StopIteration
        for _ in all: pass
        kept = [bytearray(size) for size in range(20, 600) for _ in range(9)]
        return 'first'
all = {}
next(all)
"""
_IN_STEP = """
import itertools
class Own:
    entered = 0
    def __iter__(self): return self
    def __next__(self):
        self.entered += 1
        if self.entered < 9:
            for _ in all: pass
        raise StopIteration
all = itertools.zip_longest(Own(), Own())
for _ in range(9): next(all)
"""
_GENERATOR = """
import itertools
def given():
    global kept
    try: next(all)
    except ValueError: pass
    kept = [bytearray(size) for size in range(20, 600) for _ in range(9)]
    yield 'first'
all = itertools.islice(given(), 9)
next(all)
"""
_GROUPS = """
import itertools
class Own:
    def __eq__(self, other):
        global on
        if on:
            on = False
            next(all)
        return False
on, all = False, itertools.groupby([Own() for _ in range(9)])
next(all)
on = True
next(all)
"""

#: Source → the type of the error it ends with.
REFUSED = {
    "places of a list": (_OVER_LIST, "ValueError"),
    "places of a list of a library": (
        _OVER_LIST.replace("[None] * 60", "type(dom.parseString('<a/>').childNodes)([None] * 60)").replace(
            "class", "import xml.dom.minidom as dom\nclass"
        ),
        "ValueError",
    ),
    "a sequence that is gone through": (_SEQUENCE, "ValueError"),
    "a time that is none": (f"{_TIME}moment.tzinfo.fromutc(moment)", "TypeError"),
    "a time in another zone": (f"{_TIME}moment.astimezone(Other())", "TypeError"),
    "a time by its metaclass": (_TIME + _BY_METACLASS, "TypeError"),
    "a fraction for a float": (_FRACTION, "IndexError"),
    "another format": (_STRUCT + "own.__init__('2000s')\nnext(items)", "TypeError"),
    "no number": (
        "import itertools\nclass Own:\n    def __float__(self): return 1.0\nitertools.count(Own())",
        "TypeError",
    ),
    "groups": (_GROUPS, "ValueError"),
    "a chain": (_ITERATOR.format("itertools.chain(map(str, Own()))"), "ValueError"),
    "iterators in step": (_IN_STEP, "ValueError"),
    "links of a chain": (_ITERATOR.format("itertools.chain.from_iterable(map(str, Own()))"), "ValueError"),
    "lines": (_ITERATOR.format("csv.reader(Own())").replace("itertools", "csv"), "ValueError"),
}

_COMPARED = """
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
held = [More()]
"""
_ORDERED = """
import collections
class Own:
    def __hash__(self): return 1
    def __eq__(self, other):
        global calls, kept
        calls += 1
        if calls == 4:
            first.clear()
            kept = [bytearray(39) for _ in range(999)]
        return True
calls = 0
first, second = ({Own(): 1, 5: 2, 6: 3} for _ in range(2))
first, second = map(collections.OrderedDict, (first, second))
"""
_SEPARATOR = """
class Own(bytes):
    def __len__(self):
        global kept
        given.clear()
        kept = bytearray(b'x' * 4000)
        return 1
given = bytearray(4000)
"""
_SURROUNDINGS = """
import contextvars
class Own:
    def __eq__(self, other):
        for each in (one, two): each.run(own.set, object())
        return True
own, one, two = contextvars.ContextVar('own'), contextvars.Context(), contextvars.Context()
for each in (one, two): each.run(own.set, Own())
"""
_SUMS = """
import itertools
class Own:
    entered = 0
    def __init__(self): self.own = 'mine'
    def __add__(self, other):
        global kept
        Own.entered += 1
        if Own.entered > 1: return 5
        del self
        next(all)
        kept = [bytearray(47) for _ in range(999)]
        return NotImplemented
class Other:
    def __radd__(self, other): return other.own
all = itertools.accumulate([Own(), Other(), Other()])
next(all)
next(all)
"""
_WRITTEN = """
import array
class Own:
    sizes, zeros = [], True
    def write(self, content):
        del numbers[1:]
        self.sizes.append(len(content))
        self.zeros = self.zeros and not any(content)
numbers, own = array.array('b', bytes(200_000)), Own()
numbers.tofile(own)
(own.sizes, own.zeros)
"""

#: Source → its value.
GOES_ON = {
    "lists": (f"{_COMPARED}[Less()] < held", "mine"),
    "proxies": (
        f"{_COMPARED.replace('held.clear()', 'held[0] = None')}import weakref\nless = Less()\nweakref.proxy(less) < weakref.proxy(held[0])",
        "mine",
    ),
    "bytes in hexadecimals": (f"{_SEPARATOR}set(given.hex(Own(b':')).split(':'))", {"00"}),
    "a view in hexadecimals": (
        f"{_SEPARATOR.replace('given.clear()', 'view.release()' + chr(10) + '        given.clear()')}"
        "view = memoryview(given)\nset(memoryview.hex(view, Own(b':')).split(':'))",
        {"00"},
    ),
    "the surroundings": (f"{_SURROUNDINGS}one == two", True),
    "sums": (_SUMS, "mine"),
    "an array that is written": (_WRITTEN, [[65536, 65536, 65536, 3392], True]),
    "a generator": (_GENERATOR, "first"),
    "islice": (_ITERATOR.format("itertools.islice(map(str, Own()), 9)"), "first"),
    "cycle": (_ITERATOR.format("itertools.cycle(map(str, Own()))"), "first"),
}


@pytest.mark.parametrize(("source", "error"), REFUSED.values(), ids=REFUSED)
def test_what_would_go_on_with_what_is_gone_is_an_error(session, source, error):
    assert session.run(source).failure.type == error


@pytest.mark.parametrize(("source", "value"), GOES_ON.values(), ids=GOES_ON)
def test_what_is_asked_meanwhile_is_held(session, source, value):
    found = session.run(source).value
    assert (list(found) if isinstance(found, tuple) else found) == value


def test_an_ordered_dictionary_that_is_emptied_while_it_is_compared(session):
    assert session.run(f"{_ORDERED}first == second").failure is None


AS_EVER = """
import array, collections, contextvars, csv, datetime, io, itertools, struct, weakref
class Places:
    def __getitem__(self, place): return 'abc'[place]
class Moment(datetime.datetime): pass
class Ordered(collections.OrderedDict): pass
def tried(*functions):
    for function in functions:
        try: print(function())
        except Exception as error: print(type(error).__name__, error)
rows, places, groups = list(range(9)), Places(), itertools.groupby('aabbc')
rows[::3] = (x * 10 for x in range(3))
rows[1:3] = 'xyz'
rows[-1], rows[::4] = 'last', ['four'] * 3
del rows[::5], rows[0]
print(rows, [*places], 'b' in places, [(key, [*items]) for key, items in groups], [*iter(iter('ab').__next__, 'b')])
tried(lambda: rows.__setitem__(slice(None, None, 2), 5), lambda: rows.__setitem__(slice(None, None, 2), 'abcdefgh'), lambda: rows.__setitem__(99, 1),
      lambda: rows.__setitem__('a', 1), lambda: rows.__setitem__(slice(0, 2), 5), lambda: [1, [2]] < [1, [3]], lambda: [1] < (1,), lambda: [1] >= [1], lambda: [] == [])
one, two = collections.OrderedDict(a=1, b=2), collections.OrderedDict(b=2, a=1)
print(one == two, one != two, one == dict(two), one == 5, dict(one) == two, one.copy(), Ordered(two).copy(), type(Ordered(two).copy()).__name__)
print(contextvars.Context() == contextvars.Context(), contextvars.Context() != 5, struct.Struct('<ih').pack(1, 2), [*struct.iter_unpack('b', b'ab')])
print(b'abc'.hex(':'), bytearray(b'abcd').hex('-', 2), memoryview(b'ab').hex(), bytearray(b'abc').hex(sep=b'.'), [*csv.reader(['a,b', 'c'])])
tried(lambda: bytearray(b'ab').hex('ab'), lambda: bytearray(b'ab').hex(5), lambda: array.array('b', [1, 2]).tofile(io.StringIO()), lambda: struct.Struct())
proxied = weakref.proxy(places)
print(proxied == places, proxied != proxied, Moment(2020, 1, 1, tzinfo=datetime.timezone.utc).astimezone(datetime.timezone(datetime.timedelta(hours=1))))
print([*itertools.chain([1], 'ab', map(str, [2]))], [*itertools.chain.from_iterable(map(str, [12, 3]))], [*itertools.islice((x for x in range(9)), 1, 7, 2)])
print([*itertools.zip_longest((x for x in 'ab'), 'xyz', fillvalue=0)], [*itertools.accumulate([1, 2, 3])], [*itertools.accumulate('abc', max, initial='b')])
print([*itertools.islice(itertools.cycle(map(str, [1, 2])), 5)], [*itertools.pairwise(map(str, [1, 2, 3]))], type(itertools.islice(iter(places), 2)), itertools.count(2.5, 2))
tried(lambda: itertools.islice(5, 2), lambda: itertools.islice(), lambda: [*itertools.chain(5)], lambda: itertools.chain(a=1), lambda: itertools.zip_longest(5),
      lambda: itertools.islice(iter(places), -1), lambda: itertools.zip_longest(iter(places), fill=1), lambda: itertools.accumulate([], lambda a, b: a, initial=1).__next__())
"""


def test_what_is_asked_in_order_comes_to_what_it_comes_to_in_cpython(tmp_path):
    from tests.fidelity.comparing import printed_in_folders

    ours, plain = printed_in_folders(tmp_path, AS_EVER)
    assert ours.splitlines() == plain.splitlines()
