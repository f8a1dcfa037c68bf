"""Time zones cross by the name they have everywhere, or as a fixed offset; a name of one side's own would mislead."""

from __future__ import annotations

import datetime
from typing import Any

from codeact.errors import ProtocolError
from codeact.snippet.classes import class_name
from codeact.wire.parts import Uncrossable

_LONGEST = 100
_REMEMBERED = 8  # zones, by those who convert to them
_SEASONS = (datetime.datetime(2024, 1, 1), datetime.datetime(2024, 7, 1))
_CONVERTED, _READ = 50, 800  # parts, by the time it takes


def pack_zone(zone: Any, moment: datetime.datetime | None = None) -> str | float | None:
    """Give what a time zone crosses as: its key where the other side finds it by that, else its offset in seconds.

    `moment` is the time on its clocks that crosses with it.
    """
    if zone is None:
        return None
    key = getattr(zone, "key", None)
    if type(zone).__name__ == "ZoneInfo" and type(key) is str and is_known(key):
        return key
    offset = zone.utcoffset(None)
    if offset is None or _has_rules(zone, offset, moment):
        told = f"a time zone of type {class_name(type(zone))} cannot cross; those ZoneInfo knows and fixed offsets do"
        raise Uncrossable(told)
    seconds: float = offset.total_seconds()
    return seconds


def _has_rules(zone: Any, offset: datetime.timedelta, moment: datetime.datetime | None) -> bool:
    """Whether a zone has another offset now and then: those that people write give their winter's for no moment."""
    if type(zone) is datetime.timezone:
        return False
    asked = (*_SEASONS, moment) if moment is not None else _SEASONS
    return any(each.replace(tzinfo=zone).utcoffset() != offset for each in asked)


def unpack_zone(tree: Any) -> datetime.tzinfo | None:
    """Give the time zone for what one crossed as."""
    if tree is None:
        return None
    if type(tree) is float:
        return datetime.timezone(datetime.timedelta(seconds=tree))
    from zoneinfo import ZoneInfo

    if type(tree) is not str or len(tree) > _LONGEST or not all(map(_is_word, tree.split("/"))):
        raise ProtocolError("a time zone has no proper name")
    return ZoneInfo(tree)


def name_of(zone: Any) -> str:
    """Give the name pandas finds a time zone by: its key, or an offset of whole minutes."""
    named = zone.zone if type(zone).__module__.partition(".")[0] == "pytz" else None
    tree = named if type(named) is str and is_known(named) else pack_zone(zone)
    if isinstance(tree, str):
        return tree
    offset = datetime.timedelta(seconds=tree or 0)
    if offset % datetime.timedelta(minutes=1):
        raise Uncrossable("a time zone whose offset has seconds cannot cross in a table or a Timestamp")
    return str(datetime.timezone(offset))


def is_known(key: str) -> bool:
    """Whether the other side finds a time zone by this key."""
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(key)
    except (KeyError, ValueError, OSError):  # not known, no name at all, or that of a folder
        return False
    return True


def _is_word(part: str) -> bool:
    return bool(part) and part.replace("_", "a").replace("-", "a").replace("+", "a").isalnum()


def converting(name: str, last: list[str]) -> int:
    """How many parts a time of pandas in a zone counts for: one that is not among the `last` is read anew each time."""
    if known := name in last:
        last.remove(name)
    last.append(name)
    del last[:-_REMEMBERED]
    return _CONVERTED if known else _READ
