"""Parts of libraries by the names they have in CPython, and what is said of those that are not there."""

from __future__ import annotations

import importlib.util

import pytest

from codeact import Policy, Session
from tests.fidelity.comparing import in_cpython
from tests.snippet.running import Step

PROGRAMS = {
    "complex results": "import numpy as np, numpy.lib.scimath as sm\nprint(np.emath.sqrt(-4), sm.log(-1), np.lib.scimath.power(-1, 0.5))",
    "blocks of an array": "import numpy as np\nprint([*np.lib.Arrayterator(np.arange(6).reshape(2, 3), 2)])\n"
    "print(np.lib.NumpyVersion('1.2.3') < '1.10.0')",
    "operators of a class of one's own": """
import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
class A(NDArrayOperatorsMixin):
    def __init__(self, held): self.held = np.asarray(held)
    def __array_ufunc__(self, ufunc, method, *given, **named):
        return A(getattr(ufunc, method)(*[x.held if isinstance(x, A) else x for x in given], **named))
    def __repr__(self): return f"A({self.held})"
print(A([1, 2]) + 1, np.sqrt(A([4])), 2 * A([1]), -A([1]))
""",
    "assertions about arrays": """
from numpy.testing import assert_array_max_ulp, assert_array_almost_equal_nulp, assert_string_equal
print(assert_array_max_ulp([1.0], [1.0]), assert_array_almost_equal_nulp(1.0, 1.0))
for act in (lambda: assert_array_max_ulp([1.0], [1.1]), lambda: assert_string_equal("a", "b")):
    try: act()
    except AssertionError as error: print(error)
""",
    "names that are gone": """
import numpy as np
for name in ("float_", "int", "Inf", "in1d_", "cast", "product"):
    try: getattr(np, name)
    except AttributeError as error: print(error)
print(hasattr(np, "float_"), hasattr(np, "nope"), getattr(np, "bool8", None))
""",
    "all names of a package": "from numpy import *\nprint(linalg.det(eye(2)), fft.fft([1, 2]), random.default_rng(3).random(), array([1]))",
    "days that are free": """
import pandas as pd
from pandas.tseries.holiday import AbstractHolidayCalendar, Holiday, MO, USFederalHolidayCalendar, USLaborDay, nearest_workday
calendar = USFederalHolidayCalendar()
class Own(AbstractHolidayCalendar):
    rules = [Holiday("A", month=7, day=4, observance=nearest_workday), Holiday("B", month=5, day=31, offset=pd.DateOffset(weekday=MO(-1)))]
    rules += [USLaborDay]
print(Own().holidays("2020-01-01", "2022-01-01"), isinstance(calendar, AbstractHolidayCalendar), AbstractHolidayCalendar.rules)
print(pd.Timestamp("2024-07-03") + pd.offsets.CustomBusinessDay(calendar=calendar), calendar.holidays("2024-01-01", "2024-06-30"))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_part_of_a_library_does_what_it_does_in_cpython(name: str) -> None:
    library = "pandas" if "pandas" in PROGRAMS[name] else "numpy"
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    step = Step(check_first=False, imports=(library,))
    assert step.run(PROGRAMS[name]).failure is None
    assert step.printed == in_cpython(PROGRAMS[name]).printed


def test_the_calendars_of_a_session_are_its_own() -> None:
    holiday = pytest.importorskip("pandas.tseries.holiday")
    before = [*holiday.USFederalHolidayCalendar.rules], dict(holiday.holiday_calendars)
    source = "from pandas.tseries.holiday import AbstractHolidayCalendar, USFederalHolidayCalendar\nUSFederalHolidayCalendar.rules.clear()\nAbstractHolidayCalendar.rules.append(1)\n"
    outcome = Step(check_first=False, imports=("pandas",)).run(
        source + "class Own(AbstractHolidayCalendar): pass\nOwn.rules"
    )
    assert outcome.value == [1]
    assert ([*holiday.USFederalHolidayCalendar.rules], holiday.holiday_calendars) == before
    assert holiday.AbstractHolidayCalendar.rules == []


SAID = {
    "from __main__ import x": "its names are those of the snippet",
    "import logging.config": "use basicConfig",
    "from urllib import request": "it reaches the network",
    "from concurrent.futures import process": "use ThreadPoolExecutor",
    "import concurrent.futures.process": "use ThreadPoolExecutor",
    "import urllib\nurllib.request": "it reaches the network",
    "import xml.etree.ElementTree as ET\nET.XMLParser()": "leave it out",
}


@pytest.mark.parametrize("source", SAID)
def test_what_is_not_there_is_told_with_what_to_do_instead(source: str) -> None:
    failure = Step(check_first=False).run(source).failure
    assert failure is not None
    assert SAID[source] in f"{failure.message} {failure.hint}"


def test_the_executor_is_found_where_it_is_defined() -> None:
    step = Step()
    source = "from concurrent.futures.thread import ThreadPoolExecutor\nimport concurrent.futures as futures\n"
    outcome = step.run(
        source + "ThreadPoolExecutor is futures.ThreadPoolExecutor and [*ThreadPoolExecutor().map(abs, [-1])]"
    )
    assert outcome.value == [1]


def test_what_a_librarys_method_is_to_change_is_told_where_it_is_called() -> None:
    if not hasattr(pytest.importorskip("pandas").errors, "Pandas4Warning"):
        pytest.skip("an older pandas warns of nothing here")
    source = "import pandas as pd\nframe = pd.DataFrame({'d': pd.date_range('2024-01-01', periods=2)})\n"
    with Session(policy=Policy(imports=["pandas"])) as session:
        told = session.run(source + "text = frame.to_json()").stdout
        assert told.startswith("<snippet>:3: Pandas4Warning: The default formatting")
        assert told.endswith("\n  text = frame.to_json()\n")
        recorded = session.run(
            "import warnings\nwith warnings.catch_warnings(record=True) as seen:\n    text = frame.to_json()\nseen[0].lineno"
        )
        assert recorded.value == 3
