"""What logs and warnings tell, in plain CPython and in ours: the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours
from tests.snippet.running import Step

PROGRAMS = {
    "the lines warnings are from": """
import warnings
def old():
    warnings.warn("old", DeprecationWarning, stacklevel=2)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    old()
    [warnings.warn("here") for _ in range(2)]
    warnings.warn_explicit("told", UserWarning, "file.py", 33)
    warnings.warn_explicit(RuntimeWarning("own"), None, "file.py", 34)
[(str(one.message), one.category.__name__, one.lineno) for one in seen]
""",
    "what the compiler warns of in texts": """
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    for _ in range(2): eval("0 is 1")
    exec("x = 2\\nassert (x, 'told')")
    code = compile("x is 3", "<formula>", "eval")
    for _ in range(2): exec(code)
[(str(one.message), one.category.__name__, one.lineno) for one in seen]
""",
    "what the compiler warns of, where that is an error": """
import warnings
warnings.simplefilter("error")
for text in ("x is 1", "assert (1, 'told')", "1()"):
    try: compile(text, "f.py", "exec")
    except SyntaxError as error: print(type(error).__name__, error)
""",
    "exceptions with what the traceback module takes": """
import sys, traceback
def told(*given, **named):
    try: print(traceback.format_exception(*given, **named))
    except Exception as error: print(type(error).__name__, error)
try: 1 / 0
except ZeroDivisionError as error: e, triple = error, sys.exc_info()
told(e, limit=0), told(type(e), e, None), told(None, ValueError("none"), None), told(None), told(None, None, None)
told(*triple, chain=False, limit=0), told(ValueError, e), told(42), told(None, e, tb=None)
class Silent:
    def __repr__(self): 1 / 0
for notes in (5, "ab", ["one", 7], Silent(), [Silent(), "two"], None):
    e.__notes__ = notes
    print(traceback.format_exception_only(e), traceback.format_exception_only(type(e), e))
print(traceback.format_exception_only(None), traceback.format_exception_only(None, None))
""",
    "warnings of functions in C, each time and once": """
import warnings
class One:
    def __index__(self): return True
def made(action):
    for again in range(2):
        with warnings.catch_warnings(record=True) as seen:
            warnings.resetwarnings()
            warnings.simplefilter(action)
            for _ in range(3): int(One())
            int(One())
        print(action, again, len(seen))
for action in ("always", "default", "module", "once", "ignore"): made(action)
for again in range(2):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            try: int(One())
            except DeprecationWarning as warning: print(again, warning)
""",
    "warnings that filters choose by what they are": """
import warnings
def warn(text, category=UserWarning): warnings.warn(text, category, 2)
with warnings.catch_warnings(record=True) as seen:
    warnings.resetwarnings()
    for _ in range(2): warn("from one line")
    warn("from one line")
    warnings.filterwarnings("ignore", module="pandas")
    warnings.filterwarnings("ignore", "of no", UserWarning, "__main__")
    warnings.filterwarnings("ignore", lineno=12)
    warn("of line 12")
    warn("of No interest"), warn("of no interest", RuntimeWarning)
    for _ in range(2): warn("from one line")
    warnings.simplefilter("default", append=True)
    warnings.warn_explicit("elsewhere", UserWarning, "pandas/io.py", 3)
    warnings.warn_explicit("elsewhere", UserWarning, "numpy/io.py", 3)
[(str(one.message), one.category.__name__, one.lineno) for one in seen]
""",
    "copies of what holds a logger": """
import copy, logging
class Job:
    def __init__(self): self.log, self.rows = logging.getLogger("jobs.one"), [1]
job, root = Job(), logging.getLogger()
copied = copy.deepcopy(job)
print(copied.log is job.log, copied.rows is job.rows, copy.copy(job.log) is job.log, copy.deepcopy([root])[0] is root)
""",
    "levels of a program's own": """
import io, logging
logging.addLevelName(5, "TRACE")
class Traced(logging.LoggerAdapter):
    def trace(self, text, *values): self.log(5, text, *values)
text = io.StringIO()
handler = logging.StreamHandler(text)
handler.setFormatter(logging.Formatter("%(levelname)s:%(levelno)d:%(message)s"))
log = logging.getLogger("levels of its own")
log.addHandler(handler)
log.propagate = False
log.setLevel("TRACE")
Traced(log, {}).trace("hi %d", 1), log.log(7, "odd"), print(log.level, log.getEffectiveLevel(), text.getvalue())
print(logging.getLevelName(5), logging.getLevelName("TRACE"), logging.getLevelNamesMapping()["TRACE"], log)
""",
    "a class of loggers": """
import io, logging
class Own(logging.Logger):
    def shout(self, text): self.warning(text.upper())
before = logging.getLoggerClass()
logging.setLoggerClass(Own)
log, text = logging.getLogger("of a class"), io.StringIO()
logging.setLoggerClass(before)
log.addHandler(logging.StreamHandler(text)), log.shout("hi")
log.propagate = False
logging.shutdown()
try: logging.setLoggerClass(int)
except TypeError as error: print(error)
text.getvalue(), type(log).__name__, logging.getLoggerClass() is logging.Logger
""",
    "loggers that are switched off and on": """
import io, logging
log, text = logging.getLogger("switched"), io.StringIO()
log.addHandler(logging.StreamHandler(text))
log.propagate = False
log.setLevel(logging.INFO)
for level in (logging.INFO, logging.NOTSET, logging.CRITICAL, logging.NOTSET):
    logging.disable(level), log.info("at %d", level)
text.getvalue(), type(logging.root).__name__, logging.root.name, isinstance(log, logging.RootLogger)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_told_what_it_is_told_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])


def test_warnings_that_python_keeps_to_itself_are_not_told() -> None:
    ours, failure = in_ours(KEPT)
    assert failure is None
    assert ours.value == "['Deprecated', 'Future', 'User']"


def test_a_record_that_cannot_be_written_is_told_of_and_the_program_goes_on() -> None:
    step = Step()
    outcome = step.run(BAD_RECORD)
    assert outcome.failure is None
    assert outcome.value == "on"
    first, *_, calls, called, line, message, arguments = step.printed.splitlines()
    assert (first, calls, message, arguments) == (
        "--- Logging error ---",
        "Call stack:",
        "Message: 'at %d'",
        "Arguments: ('x',)",
    )
    assert called.endswith("line 2, in <module>")
    assert line == '    logging.getLogger("a").warning("at %d", "x")'
    assert "TypeError: %d format: a real number is required, not str" in step.printed


BAD_RECORD = """import logging
logging.getLogger("a").warning("at %d", "x")
"on"
"""


def test_a_refusal_in_a_handler_is_one() -> None:
    source = (
        "import logging, os\nclass H(logging.Handler):\n    def emit(self, record):\n        try: os.system('ls')\n"
    )
    source += "        except Exception: self.handleError(record)\nlog = logging.getLogger()\nlog.addHandler(H())\nlog.error('x')"
    failure = Step(check_first=False).run(source).failure
    assert failure is not None
    assert failure.kind == "refused"


KEPT = """
import warnings
with warnings.catch_warnings(record=True) as seen:
    for category in (PendingDeprecationWarning, ImportWarning, ResourceWarning): warnings.warn("kept", category)
    warnings.warn_explicit("kept", DeprecationWarning, "library.py", 1)
    warnings.warn("Deprecated", DeprecationWarning), warnings.warn("Future", FutureWarning), warnings.warn("User")
[str(one.message) for one in seen]
"""


def test_what_a_library_records_of_warnings_is_its_own_to_decide_about() -> None:
    pytest.importorskip("pandas")
    step = Step(imports=("pandas",))
    outcome = step.run(RECORDED)
    assert outcome.failure is None
    assert step.printed == ""
    assert outcome.value == (["UserWarning"], [["str", "str"]] * 2)


RECORDED = """
import io, warnings
import pandas as pd
def read(): return [str(one) for one in pd.read_json(io.StringIO('[{"date": "x", "name": "y"}]')).dtypes]
told = [read()]
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    told.append(read())
    pd.to_datetime(["x", "y"], errors="coerce")
([one.category.__name__ for one in seen], told)
"""


def test_a_warning_is_written_with_its_line_as_python_writes_it():
    step = Step()
    step.run("import warnings\ndef f():\n    warnings.warn('one')\ndef g(): warnings.warn('two', stacklevel=2)")
    step.run(
        "x = 1\nf()\ng()\nwarnings.warn('three\\nfour', FutureWarning)\nwarnings.warn_explicit('five', UserWarning, 'a.py', 7)"
    )
    assert step.printed == (
        "<snippet>:3: UserWarning: one\n  warnings.warn('one')\n<snippet>:3: UserWarning: two\n  g()\n"
        "<snippet>:4: FutureWarning: three\nfour\n  warnings.warn('three\\nfour', FutureWarning)\na.py:7: UserWarning: five\n"
    )


CAUGHT = {
    "import subprocess": "ImportError",
    "import no_such_module": "ModuleNotFoundError",
    "import os\n    os.system('ls')": "RuntimeError",
    "getattr(1, '__globals__')": "AttributeError",
}


@pytest.mark.parametrize("source", CAUGHT)
def test_a_refusal_that_is_caught_says_it_is_what_it_is_caught_as(source: str) -> None:
    step, name = Step(check_first=False), CAUGHT[source]
    told = "print(type(e).__name__, type(e), repr(e)[: repr(e).index('(')])\n    print(traceback.format_exc())"
    assert step.run(f"import traceback\ntry:\n    {source}\nexcept {name} as e:\n    {told}").failure is None
    first, *traced = step.printed.splitlines()
    assert first == f"{name} <class '{name}'> {name}"
    assert any(line.startswith(f"{name}: ") for line in traced)
    assert "codeact" not in step.printed
