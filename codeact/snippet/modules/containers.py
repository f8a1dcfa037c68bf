"""Modules for containers, dates and order."""

from __future__ import annotations

from codeact.snippet.modules.clocks import dates, zones
from codeact.snippet.modules.printing import calendars
from codeact.snippet.modules.row import Module
from codeact.snippet.modules.timing import schedulers
from codeact.snippet.modules.waits import queues

_COLLECTIONS = """
ChainMap Counter OrderedDict UserDict UserList UserString _count_elements defaultdict deque namedtuple
"""

_COLLECTIONS_ABC = """
AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer ByteString Callable Collection Container Coroutine
Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence
MutableSet Reversible Sequence Set Sized ValuesView
"""

_CALENDAR = """
APRIL AUGUST Calendar DECEMBER Day FEBRUARY FRIDAY HTMLCalendar IllegalMonthError IllegalWeekdayError JANUARY JULY
JUNE MARCH MAY MONDAY Month NOVEMBER OCTOBER SATURDAY SEPTEMBER SUNDAY THURSDAY TUESDAY WEDNESDAY calendar day_abbr
day_name isleap leapdays month month_abbr month_name monthrange timegm weekday weekheader
"""

ROWS = (
    Module("collections", "containers", names=_COLLECTIONS, parts=("abc",)),
    Module("collections.abc", "abstract classes of containers", names=_COLLECTIONS_ABC),
    Module("array", "numbers in memory", names="ArrayType array typecodes"),
    Module(
        "heapq",
        "works on lists",
        names="heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest "
        "heapify_max heappop_max heappush_max heappushpop_max heapreplace_max",
    ),
    Module("bisect", "works on lists", names="bisect bisect_left bisect_right insort insort_left insort_right"),
    Module("graphlib", "sorts graphs", names="CycleError TopologicalSorter"),
    Module(
        "queue",
        "queues in memory",
        names="Empty Full ShutDown",
        replaced=dict.fromkeys(
            ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue"), "a wait that nothing could end is refused"
        ),
        build=queues,
    ),
    Module(
        "sched",
        "calls in the order of their time",
        names="Event",
        replaced={"scheduler": "with the clock of the session"},
        build=schedulers,
    ),
    Module("datetime", "dates", names="MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo", build=dates),
    Module(
        "zoneinfo",
        "time zones",
        names="InvalidTZPathWarning ZoneInfoNotFoundError available_timezones",
        withheld={
            "reset_tzpath": "it would change time zones for the whole process",
            "TZPATH": "it tells paths of this machine",
        },
        replaced={"ZoneInfo": "takes the name of a zone as a text"},
        build=zones,
    ),
    Module(
        "calendar",
        "dates as text",
        names=_CALENDAR,
        withheld={
            "LocaleTextCalendar": "it changes the locale of the whole process",
            "LocaleHTMLCalendar": "it changes the locale of the whole process",
        },
        replaced={
            **dict.fromkeys(("prmonth", "prcal", "prweek", "TextCalendar"), "prints to the output of the step"),
            **dict.fromkeys(("setfirstweekday", "firstweekday", "monthcalendar"), "of this session alone"),
        },
        build=calendars,
    ),
)
