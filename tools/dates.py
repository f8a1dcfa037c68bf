"""Dates as people write them, business days, calendar differences, time zones."""

from __future__ import annotations

import calendar
import datetime
import re
import zoneinfo

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_NUMBERS = re.compile(r"(\d{1,4})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{1,4})")
_MOST_DAYS = 1_000_000


def parse_date(text: str, day_first: bool | None = None) -> datetime.date:
    """Read a date: 2024-03-12, 12.3.2024, 2024/3/12, 12 March 2024, Mar 12th, 2024, 03/12/2024.

    A date such as 03/12/2024 can be read in two ways: say with `day_first` which is meant, else it is refused.
    """
    written = text.strip()
    try:
        return datetime.datetime.fromisoformat(written).date()
    except ValueError:
        pass  # not ISO 8601: the other forms follow
    year, month, day = _numeric(written, day_first) or _worded(written) or (0, 0, 0)
    if not year:
        raise ValueError(f"{text!r} is not a date I can read: write it as 2024-03-12, 12 March 2024 or 12.3.2024")
    try:
        return datetime.date(year, month, day)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a date of the calendar: {error}") from error


def add_business_days(day: datetime.date, days: int, holidays: list[datetime.date] | None = None) -> datetime.date:
    """The date so many business days (Monday to Friday, without `holidays`) after a day; before it where negative."""
    if abs(days) > _MOST_DAYS:
        raise ValueError(f"days={days}: at most {_MOST_DAYS:,} business days can be counted")
    free, step, left = set(holidays or ()), datetime.timedelta(1 if days > 0 else -1), abs(days)
    while left:
        day += step
        left -= day.weekday() < 5 and day not in free
    return day


def business_days_between(start: datetime.date, end: datetime.date, holidays: list[datetime.date] | None = None) -> int:
    """How many business days (Monday to Friday, without `holidays`) lie after `start`, up to and with `end`."""
    if start > end:
        return -business_days_between(end, start, holidays)
    weeks, rest = divmod((end - start).days, 7)
    count = weeks * 5 + sum((start.weekday() + offset) % 7 < 5 for offset in range(1, rest + 1))
    return count - sum(start < day <= end and day.weekday() < 5 for day in set(holidays or ()))


def add_months(day: datetime.date, months: int) -> datetime.date:
    """The same day so many months later, or the last of that month where it is shorter: 31 March + 1 is 30 April."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise ValueError(f"months={months} leads to the year {year}; the calendar knows 1 to 9999")
    return day.replace(year=year, month=month + 1, day=min(day.day, calendar.monthrange(year, month + 1)[1]))


def date_difference(start: datetime.date, end: datetime.date) -> dict[str, int]:
    """The time between two dates as `{years, months, days, total_days}`, as one would say an age."""
    if start > end:
        return {name: -count for name, count in date_difference(end, start).items()}
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    rest = (end - add_months(start, months)).days
    return {"years": months // 12, "months": months % 12, "days": rest, "total_days": (end - start).days}


def convert_time(moment: datetime.datetime, to_zone: str, from_zone: str | None = None) -> datetime.datetime:
    """The same moment on the clock of another time zone, such as "Europe/Rome" or "UTC".

    `from_zone` is needed where `moment` carries no offset of its own, and refused where it does. A local time that the
    clock skips in spring is refused; one that comes twice in autumn is taken as the first.
    """
    if (moment.tzinfo is None) == (from_zone is None):
        state = "carries no offset: say with from_zone where its clock stands" if from_zone is None else "has an offset"
        raise ValueError(f"{moment.isoformat()} {state}")
    if from_zone is not None:
        naive, moment = moment, moment.replace(tzinfo=_zone(from_zone))
        if moment.astimezone(datetime.UTC).astimezone(_zone(from_zone)).replace(tzinfo=None) != naive:
            raise ValueError(f"{naive.isoformat()} does not exist in {from_zone}: the clock was put forward over it")
    there = moment.astimezone(_zone(to_zone))
    offset = there.utcoffset() or datetime.timedelta()
    return there.replace(tzinfo=datetime.timezone(offset), fold=0)  # a plain offset can be handed on as plain data


def _zone(name: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        close = [zone for zone in sorted(zoneinfo.available_timezones()) if name.lower() in zone.lower()][:5]
        meant = f" Did you mean {', '.join(close)}?" if close and name else ' Names are such as "Europe/Rome" or "UTC".'
        raise ValueError(f"there is no time zone {name!r}.{meant}") from error


def _numeric(text: str, day_first: bool | None) -> tuple[int, int, int] | None:
    found = _NUMBERS.fullmatch(text)
    if found is None:
        return None
    first, sign, second, third = found[1], found[2], int(found[3]), found[4]
    if len(first) == 4:
        return int(first), second, int(third)
    if len(third) != 4:
        raise ValueError(f"{text!r}: write the year with four digits")
    one, year = int(first), int(third)
    if sign == ".":  # in every country that writes dots the day comes first
        day_first = True
    if day_first is None and one <= 12 and second <= 12 and one != second:
        raise ValueError(f"{text!r} can be read in two ways: pass day_first=True or day_first=False")
    if day_first is None:
        day_first = one > 12
    return (year, second, one) if day_first else (year, one, second)


def _worded(text: str) -> tuple[int, int, int] | None:
    words = re.findall(r"[^\W\d]+|\d+", text.lower())
    months = [_MONTHS[word] for word in words if word in _MONTHS]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) <= 4]
    others = [word for word in words if not word.isdecimal() and word not in _MONTHS]
    if len(months) != 1 or len(numbers) != 2 or any(word not in _FILLERS for word in others):
        return None
    day, year = sorted(numbers)
    return (year, months[0], day) if year > 31 else None


_WEEKDAYS = {name.lower() for name in (*calendar.day_name, *calendar.day_abbr)}
_FILLERS = {"st", "nd", "rd", "th", "of", "the", *_WEEKDAYS}

for _tool in (parse_date, add_business_days, business_days_between, add_months, date_difference, convert_time):
    _tool.__dict__["effect"] = "read"  # what a call changes: nothing
