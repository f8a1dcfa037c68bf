"""Lists whose last items are let go of while C compares them: whoever is asked, and however late that is known.

Each of these took both items out of their lists in the middle of `<`, in CPython 3.11 and with the cage off, and C
went on with what was there by then. Run in a cage, as they would end the process.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

_KEYS = """
import functools
def compare(one, other):
    let_go()
    return -1
key = functools.cmp_to_key(compare)
def made(): return [(key([1]),)], [(key([2]),)]
"""
_VIEWS = """
class Own:
    def __hash__(self):
        let_go()
        return 1
one, other = Own(), Own()
few, more = {one: 1, 2: 1}, {other: 1, one: 1, 2: 1}
def made(): return [few.keys()], [more.keys()]
"""
_SETS = """
class Own(set):
    def __contains__(self, member):
        let_go()
        return True
def made(): return [{1: 1, 2: 2}.keys()], [Own((1, 2, 3))]
"""
_ZONES = """
import datetime
class Zone(datetime.tzinfo): pass
def offset(zone, moment):
    let_go()
    return datetime.timedelta(minutes=asked)
Zone.utcoffset = offset
def moment(day): return datetime.datetime(2020, 1, day, tzinfo=Zone())
def made(): return [moment(1)], [moment(2)]
"""
_FIELDS = """
import dataclasses
@dataclasses.dataclass(order=True)
class Own:
    x: int
    @property
    def x(self):
        let_go()
        return asked
    @x.setter
    def x(self, value): pass
def made(): return [(Own(1),)], [(Own(2),)]
"""
_FIELDS_SET_LATER = """
import dataclasses
class Above: pass
@dataclasses.dataclass(order=True)
class Own(Above):
    x: int
def made(): return [(Own(1),)], [(Own(2),)]
def asked_for(self):
    let_go()
    return asked
held = [Own(1), Own(2)]
made = lambda: ([(held[0],)], [(held[1],)])
Above.x = property(asked_for)
"""
_NUMBERS = """
import decimal, numbers
class Own: pass
numbers.Rational.register(Own)
def numerator(self):
    let_go()
    return asked
Own.numerator, Own.denominator = property(numerator), 7
own, number = Own(), decimal.Decimal(1) / 3
def made(): return [(number,)], [(own,)]
"""

ASKED = {
    "keys of a function": _KEYS,
    "what views of dictionaries hold": _VIEWS,
    "what is looked for in": _SETS,
    "zones that are given the method later": _ZONES,
    "fields of a dataclass": _FIELDS,
    "fields that a class above is given later": _FIELDS_SET_LATER,
    "numbers by registration": _NUMBERS,
}

_ONE_AFTER_ANOTHER = """
def let_go():
    global asked
    asked += 1
    if asked == at:
        first.clear()
        second.clear()
        kept.append([bytearray(size) for size in range(9, 99) for _ in range(9)])
kept, asked, at = [], 0, -1
{made}
for at in range(1, 9):
    asked = -9
    first, second = made()
    asked = 0
    try: first < second
    except TypeError: pass
at
"""


@pytest.mark.parametrize("made", ASKED.values(), ids=ASKED)
def test_what_is_asked_meanwhile_holds_what_is_compared(made):
    source = _ONE_AFTER_ANOTHER.format(made=made)
    line = "import sys; from tests.attacks.language.uncaged import uncaged; print(uncaged().run(sys.stdin.read()))"
    command = [sys.executable, "-X", "dev", "-c", line]  # which writes over what is let go of
    ran = subprocess.run(command, input=source, capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout == "Value: 8\n", ran.stderr
