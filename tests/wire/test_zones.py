"""A time zone that somebody wrote crosses where it is one offset, and is refused where its offset changes."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from codeact.wire.parts import Uncrossable
from codeact.wire.values import pack, unpack

WINTERS, SUMMERS = dt.timedelta(hours=-5), dt.timedelta(hours=-4)


class Eastern(dt.tzinfo):
    """As in Python's own documentation: asked for no moment, it gives the winter's offset."""

    def utcoffset(self, moment: dt.datetime | None) -> dt.timedelta:
        return SUMMERS if moment is not None and moment.tzinfo is self and 4 <= moment.month <= 10 else WINTERS

    def dst(self, moment: dt.datetime | None) -> dt.timedelta:
        return self.utcoffset(moment) - WINTERS

    def tzname(self, moment: dt.datetime | None) -> str:
        return "EDT" if self.dst(moment) else "EST"


class Changed(Eastern):
    """One whose offset was another long ago."""

    def utcoffset(self, moment: dt.datetime | None) -> dt.timedelta:
        return SUMMERS if moment is not None and moment.year < 1990 else WINTERS


class Fixed(Eastern):
    def utcoffset(self, moment: dt.datetime | None) -> dt.timedelta:
        return WINTERS


@pytest.mark.parametrize("month", [1, 7])
def test_a_time_in_a_zone_with_rules_of_somebodys_own_does_not_arrive_as_another(month: int) -> None:
    with pytest.raises(Uncrossable, match="Eastern cannot cross"):
        pack(dt.datetime(2024, month, 1, 12, tzinfo=Eastern()))


def test_the_offset_that_crosses_is_that_of_the_time() -> None:
    assert unpack(pack(dt.datetime(2000, 1, 1, tzinfo=Changed()))).utcoffset() == WINTERS
    with pytest.raises(Uncrossable, match="Changed"):
        pack(dt.datetime(1980, 1, 1, tzinfo=Changed()))


def test_a_zone_of_one_offset_crosses_whoever_wrote_it() -> None:
    value = dt.datetime(2024, 7, 1, 12, tzinfo=Fixed())
    arrived = unpack(pack(value))
    assert (arrived, arrived.utcoffset()) == (value, WINTERS)


def test_times_of_pandas_in_a_zone_with_rules_of_somebodys_own_are_refused() -> None:
    pandas: Any = pytest.importorskip("pandas", reason="tables are an extra")
    moment = pandas.Timestamp("2024-07-01 12:00", tz=Eastern())
    for value in (moment, pandas.Series([moment]), pandas.DatetimeIndex([moment])):
        with pytest.raises(Uncrossable, match="Eastern cannot cross"):
            pack(value)
