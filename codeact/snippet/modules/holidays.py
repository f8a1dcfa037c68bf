"""The holidays of pandas: each session has calendars of its own, and none is known to the process by its name."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from codeact.snippet import running, types_
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.patches import patch

_NAMED = "it is known by its name to the whole process; make one by its class"


def _calendars(room: Room) -> dict[str, Any]:
    """The calendars, with lists of rules that a session may change."""
    real = importlib.import_module("pandas.tseries.holiday")
    patch(real, "register", _by_nobodys_name)
    make = functools.partial(type.__new__, real.HolidayCalendarMetaClass)  # past its own, which notes what is made
    abstract: type = make("AbstractHolidayCalendar", (real.AbstractHolidayCalendar,), {"rules": []})
    federal = real.USFederalHolidayCalendar
    made: type = make("USFederalHolidayCalendar", (federal, abstract), {"rules": [*federal.rules]})
    types_.hide(abstract, real.AbstractHolidayCalendar)
    types_.hide(made, federal)
    return {"AbstractHolidayCalendar": abstract, "USFederalHolidayCalendar": made}


def _by_nobodys_name(real: Callable[..., Any]) -> Callable[..., Any]:
    """What notes a calendar that is made, but for those of a session."""

    def register(cls: Any) -> Any:
        return None if running.is_in_a_step() else real(cls)

    return register


ROWS = (
    Module(
        "pandas.tseries.holiday",
        "days that are free",
        names="Day DateOffset Easter EasterMonday FR GoodFriday Holiday MO SA SU TH TU USColumbusDay USLaborDay "
        "USMartinLutherKingJr USMemorialDay USPresidentsDay USThanksgivingDay WE after_nearest_workday "
        "before_nearest_workday nearest_workday next_monday next_monday_or_tuesday next_workday previous_friday "
        "previous_workday sunday_to_monday weekend_to_monday",
        needs="pandas",
        withheld={
            **dict.fromkeys(("get_calendar", "register"), _NAMED),
            "HolidayCalendarFactory": "write a class with a list of rules",
        },
        replaced=dict.fromkeys(("AbstractHolidayCalendar", "USFederalHolidayCalendar"), "with rules of this session"),
        build=_calendars,
    ),
)
