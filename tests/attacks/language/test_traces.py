"""Exceptions that answer for themselves when they are told: no file is read for them."""

from __future__ import annotations

import pytest

_FRAMES = """
import logging, traceback
class Name(str):
    def startswith(self, *a): return True
class Code:
    co_filename, co_name, co_qualname = Name(secret), "f", "f"
    def co_positions(self): return iter([(1, 1, 0, 1)] * 10)
class Frame:
    f_code, f_globals, f_lineno = Code(), {}, 1
class Steps:
    tb_frame, tb_lineno, tb_lasti, tb_next = Frame(), 1, 0, None
class Other(Exception):
    def __getattribute__(self, name):
        return {"__traceback__": Steps(), "__suppress_context__": True}.get(name)
class Alike:
    __class__ = ValueError
    def __getattr__(self, name): return Steps() if name == "__traceback__" else None
class E(Exception): pass
E.__cause__, E.__suppress_context__ = Other(), True
class G(ExceptionGroup):
    exceptions = [Other()]
class Own(E):
    def __getattribute__(self, name): return Other() if name == "__cause__" else super().__getattribute__(name)
def told(error):
    try: raise error
    except BaseException as caught: return "".join(traceback.format_exception(caught)) + traceback.format_exc()
"""

TOLD = {
    "a cause of its class": "told(E('x'))",
    "frames of its own": "told(Other('x'))",
    "a cause it answers with": "told(Own('x'))",
    "members of its own": "told(G('x', [E('y')]))",
    "without a traceback": "traceback.format_exception_only(E('x'))",
    "what says it is one": "traceback.format_exception(Alike())",
    "what says it is one, alone": "traceback.format_exception_only(Alike())",
    "steps of its own": "traceback.format_tb(Steps())",
    "steps of its own as data": "traceback.extract_tb(Steps())",
    "a list without its lines": "traceback.format_list([(Name(secret), 1, 'f', None)])",
    "a frame made by hand": "try: 1 / 0\nexcept Exception as e: F = type(traceback.extract_tb(e.__traceback__)[0])\n"
    "told = traceback.format_list([F(Name(secret), 1, 'f', None)])",
    "kept": "try: raise G('x', [Own('y')])\nexcept G as e: told = [*traceback.TracebackException.from_exception(e).format()]",
    "kept, of what says it is one": "told = [*traceback.TracebackException(E, Alike(), Steps()).format()]",
    "kept, with its variables": "try: raise E('x')\n"
    "except E as e: told = [*traceback.TracebackException.from_exception(e, capture_locals=True).format()]",
    "a log without a format": "log = logging.getLogger('x')\nlog.addHandler(logging.StreamHandler())\n"
    "try: raise E('x')\nexcept E: log.exception('no')",
    "a log that nobody handles": "try: raise E('x')\nexcept E: logging.getLogger('x').exception('no')",
    "a log": "logging.basicConfig()\ntry: raise E('x')\nexcept E: logging.exception('no')",
}


@pytest.mark.parametrize("source", TOLD.values(), ids=TOLD)
def test_no_exception_has_the_lines_of_a_file_told(run, printed, source):
    outcome = run(f"{_FRAMES}found = 0\n{source}")
    assert "the secret" not in "".join([str(outcome), *printed])


def test_a_frame_as_data_holds_nothing_else(run):
    source = "import traceback\ntry: 1 / 0\nexcept Exception as e: f = traceback.extract_tb(e.__traceback__)[0]\n"
    assert run(f"{source}f.name").value == "<module>"
    for name in ("_whole", "__dict__", "_real"):
        assert run(f"{source}f.{name}").failure is not None
