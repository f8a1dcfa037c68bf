"""Periods and intervals of pandas, alone and as columns: as the numbers they stand for, and what these count in."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.wire.arrays import pack_array
from codeact.wire.parts import Uncrossable, exactly

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

PERIODS, INTERVALS = "period", "interval"
_COUNTED_IN = re.compile(r"(?:[1-9]\d{0,2})?[A-Za-z]{1,3}(?:-[A-Z]{3})?")  # M, Q-DEC, 15min; pandas keeps each for good
_SPAN = 30  # parts, as one takes some 7 µs to make


def library() -> Any:
    """Give pandas; ProtocolError where it is not there."""
    try:
        import pandas  # type: ignore[import-untyped]  # it ships no types
    except ImportError as error:
        raise ProtocolError("a table came, and pandas is not installed here") from error
    return pandas


def pack_period(packer: Packer, value: Any, depth: int) -> Any:
    """Give the tree for a period."""
    packer.come_to(_SPAN)
    return {0: PERIODS, 1: value.ordinal, 2: _sent(value.freqstr)}


def pack_interval(packer: Packer, value: Any, depth: int) -> Any:
    """Give the tree for an interval."""
    packer.come_to(_SPAN)
    packer.enter(2, depth)
    left, right = (packer.pack(end, depth + 1) for end in (value.left, value.right))
    return {0: INTERVALS, 1: left, 2: right, 3: value.closed}


def pack_spans(packer: Packer, column: Any, depth: int) -> list[Any] | None:
    """Give the parts of a column of periods or intervals; None for any other."""
    pandas, values = sys.modules["pandas"], column.array
    if isinstance(column.dtype, pandas.PeriodDtype):
        return [PERIODS, pack_array(packer, values.asi8, depth), _sent(values.freqstr)]
    if isinstance(column.dtype, pandas.IntervalDtype):
        return [INTERVALS, packer.pack(values.left, depth), packer.pack(values.right, depth), values.closed]
    return None


def unpack_spans(unpacker: Unpacker, part: list[Any], depth: int) -> Any:
    """Give the periods or intervals that the parts of a column stand for."""
    pandas = library()
    name, first, *rest = part
    values = unpacker.unpack(first, depth + 1)
    if name == INTERVALS:
        right, closed = rest
        return pandas.arrays.IntervalArray.from_arrays(values, unpacker.unpack(right, depth + 1), closed=closed)
    if getattr(values, "dtype", None) != "int64" or values.ndim != 1:
        raise ProtocolError("a column of periods holds what is none")
    return pandas.arrays.PeriodArray(values, dtype=pandas.PeriodDtype(_counted_in(*rest)))


def _sent(counted_in: str) -> str:
    if not _COUNTED_IN.fullmatch(counted_in):
        raise Uncrossable(f"a period counted in {counted_in!r} cannot cross")
    return counted_in


def _counted_in(said: Any) -> str:
    if not _COUNTED_IN.fullmatch(exactly(said, str)):
        raise ProtocolError("a period is counted in nothing known")
    return str(said)


def _unpack_period(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    pandas = library()
    unpacker.come_to(_SPAN)
    return pandas.Period(ordinal=exactly(tree[1], int), freq=_counted_in(tree[2]))


def _unpack_interval(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    pandas = library()
    unpacker.come_to(_SPAN)
    left, right = (unpacker.unpack(tree[place], depth + 1) for place in (1, 2))
    return pandas.Interval(left, right, closed=exactly(tree[3], str))


UNPACKING = {PERIODS: _unpack_period, INTERVALS: _unpack_interval}
