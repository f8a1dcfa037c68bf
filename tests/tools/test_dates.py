"""Dates are read as people write them, or refused where they can be read in two ways."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.loading import load_tools

TOOLS = Path(__file__).parents[2] / "tools"

DATES = {function.__name__: function for function in load_tools([TOOLS / "dates.py"])}
Call = Callable[..., Any]
days = st.dates(date(1900, 1, 1), date(2100, 1, 1))

READ = [
    *("2024-03-12", "2024-03-12T23:59:00+02:00", "20240312", "2024/3/12", "12.3.2024", "12. 3. 2024", "12 March 2024"),
    *("March 12, 2024", "Mar 12th, 2024", "12th of march 2024", "Tuesday, 12 Mar 2024", "13 Mar 2024"),
]


@pytest.mark.parametrize("text", READ)
def test_a_date_is_read_as_people_write_it(text: str) -> None:
    assert DATES["parse_date"](text) in (date(2024, 3, 12), date(2024, 3, 13))


def test_slashes_are_read_as_told() -> None:
    read = DATES["parse_date"]
    assert read("03/12/2024", day_first=True) == date(2024, 12, 3)
    assert read("03/12/2024", day_first=False) == date(2024, 3, 12)
    assert read("25/12/2024") == read("12/25/2024") == date(2024, 12, 25)
    with pytest.raises(ValueError, match="two ways"):
        read("03/12/2024")


@pytest.mark.parametrize(
    "text", ["", "soon", "2024", "12 March", "31.2.2024", "1/2/24", "March April 2024", "9" * 5000]
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"date|year|day"):
        DATES["parse_date"](text)


def test_business_days_skip_weekends_and_holidays() -> None:
    add, between = DATES["add_business_days"], DATES["business_days_between"]
    friday = date(2024, 3, 1)
    assert add(friday, 1) == date(2024, 3, 4)
    assert add(friday, 1, [date(2024, 3, 4)]) == date(2024, 3, 5)
    assert add(date(2024, 3, 4), -1) == friday
    assert add(date(2024, 3, 3), 0) == date(2024, 3, 3)
    assert between(friday, date(2024, 3, 8), [date(2024, 3, 4), date(2024, 3, 3)]) == 4
    with pytest.raises(ValueError, match=r"1,000,000"):
        add(friday, 10**9)


@given(days, st.integers(0, 800), st.lists(days, max_size=5))
@settings(deadline=None)
def test_counting_business_days_undoes_adding_them(start: date, count: int, holidays: list[date]) -> None:
    end = DATES["add_business_days"](start, count, holidays)
    assert DATES["business_days_between"](start, end, holidays) == count
    assert DATES["business_days_between"](end, start, holidays) == -count


def test_adding_months_keeps_within_the_month() -> None:
    add = DATES["add_months"]
    assert add(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add(date(2024, 1, 31), -2) == date(2023, 11, 30)
    with pytest.raises(ValueError, match="1 to 9999"):
        add(date(2024, 1, 1), 10**6)


@given(days, days)
@settings(deadline=None)
def test_a_difference_leads_from_one_date_to_the_other(start: date, end: date) -> None:
    start, end = sorted([start, end])
    found = DATES["date_difference"](start, end)
    later = DATES["add_months"](start, found["years"] * 12 + found["months"])
    assert later + datetime.timedelta(found["days"]) == end
    assert 0 <= found["months"] < 12
    assert 0 <= found["days"] < 31


def test_a_moment_is_shown_on_another_clock() -> None:
    convert = DATES["convert_time"]
    moment = datetime.datetime(2024, 7, 1, 12, 0)
    there = convert(moment, "America/New_York", from_zone="Europe/Rome")
    assert there.isoformat() == "2024-07-01T06:00:00-04:00"
    assert convert(there, "UTC").isoformat() == "2024-07-01T10:00:00+00:00"


def test_a_moment_without_or_with_two_offsets_is_refused() -> None:
    convert = DATES["convert_time"]
    moment = datetime.datetime(2024, 7, 1, 12, 0)
    with pytest.raises(ValueError, match="say with from_zone"):
        convert(moment, "UTC")
    with pytest.raises(ValueError, match="has an offset"):
        convert(moment.replace(tzinfo=datetime.UTC), "UTC", from_zone="UTC")


def test_a_local_time_the_clock_skips_is_refused() -> None:
    with pytest.raises(ValueError, match="does not exist"):
        DATES["convert_time"](datetime.datetime(2024, 3, 31, 2, 30), "UTC", from_zone="Europe/Rome")


@pytest.mark.parametrize("name", ["rome", "", "../../etc/passwd", "/etc/localtime", "Europe/Romee\0"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        DATES["convert_time"](datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC), name)
