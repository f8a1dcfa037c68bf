"""What the traceback module tells of exceptions: as CPython tells it, but for the name of the file."""

from __future__ import annotations

import contextlib
import io
import linecache
import re

import pytest

from tests.snippet.running import Step

_BEFORE = "import traceback\ndef f(n): return 1 / 0 if n == 0 else f(n - 1)\n"
PROGRAMS = {
    "the three arguments of old": "try: f(1)\nexcept Exception as e: print(*traceback.format_exception(type(e), e, e.__traceback__))",
    "causes and notes": "try:\n    try: f(1)\n    except ZeroDivisionError as e:\n        e.add_note('a note')\n        raise KeyError('k') from e\n"
    "except KeyError:\n    traceback.print_exc()\n    print(traceback.format_exc(chain=False), traceback.format_exc(limit=1))",
    "a deep recursion": "try: f(50)\nexcept ZeroDivisionError: traceback.print_exc(limit=-20)",
    "a group": "try:\n    try: f(1)\n    except ZeroDivisionError as e: raise ExceptionGroup('g', [e, ExceptionGroup('h', [OSError(2, 'no')])])\n"
    "except* ValueError: pass\nexcept* Exception as g: print(*traceback.format_exception(g))",
    "a text that does not parse": "try: eval('a b')\nexcept SyntaxError as e: print(*traceback.format_exception_only(e))",
    "what cannot be said": "class E(Exception):\n    def __str__(self): raise OSError\nprint(traceback.format_exception_only(E()))",
    "exceptions in a ring": "a, b = ValueError('a'), ValueError('b')\na.__context__, b.__context__ = b, a\n"
    "traceback.print_exception(a)",
    "steps as text": "try: f(3)\nexcept Exception as e: traceback.print_tb(e.__traceback__, 2)",
    "frames as data": "try: f(3)\nexcept Exception as e: found = traceback.extract_tb(e.__traceback__)\n"
    "print(found, *found.format(), *found[1], found[1][2:], len(found[0]), found[1].line, found[0].lineno, found[1].colno)\n"
    "traceback.print_list(found[:2])",
    "frames by hand": "print(*traceback.format_list([('x.py', 3, 'f', ' y = 1'), ('x.py', 4, 'g', None)]))",
    "a log": "import logging, sys\nlog = logging.getLogger('told')\nlog.addHandler(logging.StreamHandler(sys.stdout))\nlog.propagate = False\n"
    "log.handlers[0].setFormatter(logging.Formatter('%(message)s'))\n"
    "try: f(1)\nexcept Exception as e:\n    log.exception('it %s', 'failed')\n    log.error('given', exc_info=e)\n"
    "log.error('none', exc_info=True)",
    "what is kept of an exception": "import sys\ntry:\n    try: f(1)\n    except ZeroDivisionError as e: raise KeyError('k') from e\n"
    "except KeyError as e: kept = traceback.TracebackException.from_exception(e)\n"
    "print(*kept.format(), *kept.format(chain=False), *kept.format_exception_only(), kept, kept.exc_type, kept.__cause__)\n"
    "print([(s.name, s.line, s.lineno) for s in kept.__cause__.stack], *kept.stack.format(), kept.__context__, kept.__suppress_context__)\n"
    "a, b = ValueError('a'), ValueError('b')\na.__context__, b.__context__ = b, a\n"
    "print(*traceback.TracebackException(type(a), a, None).format(), isinstance(kept, traceback.TracebackException))\n"
    "kept.print(file=sys.stdout), kept.print(chain=False), print(kept == kept, kept == 1)\n"
    "try: f(3)\nexcept Exception: print(len(traceback.TracebackException(*sys.exc_info(), limit=2).stack))",
    "a traceback taken away": "try: f(1)\nexcept Exception as e: print(*traceback.format_exception(e.with_traceback(None)))",
}


def _told(printed: str) -> str:
    return re.sub(r"<snippet \w*>", "<snippet>", printed)


def _in_cpython(source: str) -> str:
    linecache.cache["<snippet 0>"] = (len(source), None, source.splitlines(keepends=True), "<snippet 0>")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        exec(compile(source, "<snippet 0>", "exec", dont_inherit=True), {"__name__": "__main__"})
    del linecache.cache["<snippet 0>"]
    return printed.getvalue()


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_an_exception_is_told_as_in_cpython(source: str) -> None:
    step = Step(check_first=False)
    assert step.run(_BEFORE + source).failure is None
    assert _told(step.printed) == _told(_in_cpython(_BEFORE + source))
    assert step.printed


@pytest.mark.parametrize("name", ["tb_frame", "tb_next", "tb_lasti"])
def test_the_traceback_of_an_exception_is_closed(name: str) -> None:
    source = f"try: 1 / 0\nexcept Exception as e: found = e.__traceback__\ngetattr(found, '{name}')"
    failure = Step(check_first=False).run(source).failure
    assert failure is not None
    assert failure.kind == "refused"


def test_the_traceback_of_an_exception_is_what_exc_info_gives() -> None:
    source = "import sys\ntry: 1 / 0\nexcept Exception as e: found = e.__traceback__ is sys.exc_info()[2]\nfound"
    assert Step().run(source).value is True


def test_the_calls_that_led_somewhere_are_told_as_text() -> None:
    step = Step()
    source = "import traceback\ndef f(): traceback.print_stack()\ndef g(): f()\ng()\ntraceback.format_stack(limit=1)"
    (last,) = step.run(source).value
    places = [line.rpartition(", line ")[2] for line in step.printed.splitlines()]
    assert places == [
        "4, in <module>",
        "    g()",
        "3, in g",
        "    def g(): f()",
        "2, in f",
        "    def f(): traceback.print_stack()",
    ]
    assert last.endswith("line 5, in <module>\n    traceback.format_stack(limit=1)\n")
