"""Numbers, ranges, dates and times: what they are packed as, and how that is read.

A subclass is read with the methods of its base, never its own.
"""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.wire.parts import TAG, Packing, TooMuch, Unpacking, exactly
from codeact.wire.zones import pack_zone, unpack_zone

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

DIGITS = 4300  # what CPython itself turns into text and back
_LONG_BITS = 14_284  # every number of so many has no more digits
_REDUCED = 300_000  # bits, multiplied, that a fraction is reduced by in the time of one part
_EXPONENT = 10_000  # int(Decimal("1e999999999")) would take all memory there is


def length(steps: range) -> int:
    """Give how many numbers a range stands for; `len` knows only 63 bits."""
    return (steps[-1] - steps[0]) // steps.step + 1 if steps else 0


# --- packing -----------------------------------------------------------------------------------------------------


def pack_long(value: int) -> Any:
    """Give the tree for an integer of more than 64 bits."""
    if value.bit_length() > _LONG_BITS:
        raise TooMuch(f"an int of about {int(value.bit_length() * math.log10(2)):,} digits; {DIGITS:,} cross")
    return {TAG: "int", 1: value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)}


def _pack_decimal(packer: Packer, value: Decimal, depth: int) -> Any:
    _, digits, exponent = Decimal.as_tuple(value)
    if isinstance(exponent, int) and (len(digits) > DIGITS or abs(exponent) > _EXPONENT):
        raise TooMuch(f"a Decimal of {len(digits):,} digits with exponent {exponent:,}")
    return {TAG: "decimal", 1: Decimal.__str__(value)}


def _pack_fraction(packer: Packer, value: Fraction, depth: int) -> Any:
    above, below = (vars(Fraction)[name].__get__(value) for name in ("_numerator", "_denominator"))
    packer.come_to(_reducing(above, below))
    return {TAG: "fraction", 1: packer.pack(above, depth), 2: packer.pack(below, depth)}


def _reducing(above: int, below: int) -> int:
    """How many parts a fraction counts for: to reduce it takes as long as both of its numbers are."""
    return above.bit_length() * below.bit_length() // _REDUCED


def _pack_complex(packer: Packer, value: complex, depth: int) -> Any:
    exact = complex.__pos__(value)
    return {TAG: "complex", 1: [exact.real, exact.imag]}


def _pack_range(packer: Packer, value: range, depth: int) -> Any:
    return {TAG: "range", 1: packer.pack_items([value.start, value.stop, value.step], depth)}


def _pack_datetime(packer: Packer, value: datetime.datetime, depth: int) -> Any:
    date, time = datetime.datetime.date(value), datetime.datetime.time(value)
    naive = datetime.datetime.combine(date, time)
    zone = pack_zone(vars(datetime.datetime)["tzinfo"].__get__(value), naive)
    return {TAG: "datetime", 1: naive.isoformat(), 2: zone, 3: time.fold}


def _pack_date(packer: Packer, value: datetime.date, depth: int) -> Any:
    return {TAG: "date", 1: datetime.date.isoformat(value)}


def _pack_time(packer: Packer, value: datetime.time, depth: int) -> Any:
    names = ("hour", "minute", "second", "microsecond", "tzinfo", "fold")
    *parts, zone, fold = (vars(datetime.time)[name].__get__(value) for name in names)
    return {TAG: "time", 1: datetime.time(*parts).isoformat(), 2: pack_zone(zone), 3: fold}


def _pack_timedelta(packer: Packer, value: datetime.timedelta, depth: int) -> Any:
    exact = datetime.timedelta.__add__(value, datetime.timedelta())
    return {TAG: "timedelta", 1: [exact.days, exact.seconds, exact.microseconds]}


PACKING: dict[type, Packing] = {
    complex: _pack_complex,
    range: _pack_range,
    Decimal: _pack_decimal,
    Fraction: _pack_fraction,
    datetime.datetime: _pack_datetime,  # before the class it descends from
    datetime.date: _pack_date,
    datetime.time: _pack_time,
    datetime.timedelta: _pack_timedelta,
}


# --- unpacking ---------------------------------------------------------------------------------------------------


def _unpack_long(unpacker: Unpacker, tree: Any, depth: int) -> int:
    content = exactly(tree[1], bytes)
    if len(content) <= _LONG_BITS // 8 + 1:
        value = int.from_bytes(content, "little", signed=True)
        if value.bit_length() <= _LONG_BITS:
            return value
    raise ProtocolError("an int has too many digits")


def _whole(unpacker: Unpacker, tree: Any) -> int:
    return _unpack_long(unpacker, tree, 0) if type(tree) is dict else exactly(tree, int)


def _unpack_decimal(unpacker: Unpacker, tree: Any, depth: int) -> Decimal:
    text = exactly(tree[1], str)
    if len(text) > DIGITS + 20:
        raise ProtocolError("a Decimal has too many digits")
    value = Decimal(text)
    _, digits, exponent = value.as_tuple()
    if isinstance(exponent, int) and (len(digits) > DIGITS or abs(exponent) > _EXPONENT):
        raise ProtocolError("a Decimal has too many digits, or too large an exponent")
    return value


def _unpack_fraction(unpacker: Unpacker, tree: Any, depth: int) -> Fraction:
    above, below = _whole(unpacker, tree[1]), _whole(unpacker, tree[2])
    unpacker.come_to(_reducing(above, below))
    return Fraction(above, below)


def _unpack_datetime(unpacker: Unpacker, tree: Any, depth: int) -> datetime.datetime:
    naive = datetime.datetime.fromisoformat(exactly(tree[1], str))
    return naive.replace(tzinfo=unpack_zone(tree[2]), fold=exactly(tree[3], int))


def _unpack_time(unpacker: Unpacker, tree: Any, depth: int) -> datetime.time:
    naive = datetime.time.fromisoformat(exactly(tree[1], str))
    return naive.replace(tzinfo=unpack_zone(tree[2]), fold=exactly(tree[3], int))


def _unpack_timedelta(unpacker: Unpacker, tree: Any, depth: int) -> datetime.timedelta:
    days, seconds, microseconds = (exactly(part, int) for part in exactly(tree[1], list))
    return datetime.timedelta(days, seconds, microseconds)


def _unpack_complex(unpacker: Unpacker, tree: Any, depth: int) -> complex:
    real, imaginary = (exactly(part, float) for part in exactly(tree[1], list))
    return complex(real, imaginary)


def _unpack_range(unpacker: Unpacker, tree: Any, depth: int) -> range:
    start, stop, step = (exactly(part, int) for part in unpacker.unpack_items(tree[1], depth))
    steps = range(start, stop, step)
    unpacker.unlisted += length(steps)
    return steps


UNPACKING: dict[str, Unpacking] = {
    "int": _unpack_long,
    "complex": _unpack_complex,
    "range": _unpack_range,
    "decimal": _unpack_decimal,
    "fraction": _unpack_fraction,
    "datetime": _unpack_datetime,
    "date": lambda unpacker, tree, depth: datetime.date.fromisoformat(exactly(tree[1], str)),
    "time": _unpack_time,
    "timedelta": _unpack_timedelta,
}
