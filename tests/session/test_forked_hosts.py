"""A process forked from a host in the midst of a step: it is told whose the session is, and leaves it alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BEGINNING = """
import os, signal, threading, warnings
from codeact import Limits, Session
from codeact.errors import SessionClosed, SessionError
warnings.simplefilter("ignore")
started, go = threading.Event(), threading.Event()
def hold(n: int) -> int:
    '''Says that the step runs, and waits.'''
    started.set()
    go.wait()
    return n
async def later(n: int) -> int:
    '''Gives the number.'''
    return n
def raises(kind, use, *given):
    try:
        use(*given)
    except kind as error:
        return kind is SessionClosed or "start another one here" in str(error)
def in_child(work):
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # one that waits for ever leaves nothing behind
        os._exit(0 if work() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""
BUSY = """
session = Session(tools=[hold], isolation=ISOLATION, journal=JOURNAL)
session.run("x = 41")
values = []
step = threading.Thread(target=lambda: values.append(session.run("x = hold(x) + 1\\nx").value))
step.start()
started.wait()
def use():
    uses = [(session.run, "1"), (session.variables,), (session.assign, {"x": 0}), (session.fork,), (session.finish,)]
    told = all([raises(SessionError, *one) for one in uses])
    session.close()
    session.close()
    return told and raises(SessionClosed, session.run, "1")
print(in_child(use), end=" ")
go.set()
step.join()
session.run("x += 1")
print(*values, session.run("x").value, session._life._steps)
"""
ASYNC = """
def ask():
    with Session(tools=[later], limits=Limits(wall_seconds=30)) as session:
        return session.run("later(1)").value == 1
print(ask(), in_child(ask), ask())
"""


def run(program: str, **names: object) -> str:
    """What a program prints that this Python runs."""
    given = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    command = [sys.executable, "-c", BEGINNING + given + program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_a_process_forked_during_a_step_neither_waits_for_it_nor_ends_it(isolation: str, tmp_path: Path) -> None:
    steps = 4  # none of them was run again
    assert run(BUSY, ISOLATION=isolation, JOURNAL=str(tmp_path / "journal")) == f"0 42 43 {steps}\n"


def test_async_tools_run_in_a_process_forked_after_others_ran() -> None:
    assert run(ASYNC) == "True 0 True\n"


FORKS_AND_COMES_BACK = """
children = []
def fork():
    child = os.fork()
    if child:
        children.append(child)
    return child
def returns(n: int) -> int:
    '''Comes back twice.'''
    fork()
    return n
def raises(n: int) -> int:
    '''Fails in a process of its own.'''
    if not fork():
        raise SystemExit(3)
    return n
def gives(n: int) -> list[int]:
    '''Comes back twice when it is asked for its items.'''
    fork()
    yield n
async def waits(n: int) -> int:
    '''Comes back twice from a loop.'''
    fork()
    return n
def hears(*said):
    if len(children) < 8:
        fork()
from codeact.session.settings import Listener
listener = Listener(output=hears, call_started=hears, call_ended=hears)
signal.alarm(100)  # also of what is forked: whatever waits for ever leaves nothing behind
session = Session(tools=[returns, raises, gives, waits], isolation=ISOLATION, journal=JOURNAL, listener=listener)
for name in ("returns", "raises", "gives", "waits"):
    seen = session.run(f"print('output')\\n{name}({len(children)})\\nsum(n for n in range(10_000))")
    print(name, seen.value, end=" ", flush=True)
ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
print(len(ends), sorted(ends))
session.close()
"""


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_a_process_that_a_tool_has_forked_and_that_comes_back_from_it_is_not_the_host(
    isolation: str, tmp_path: Path
) -> None:
    told = run(FORKS_AND_COMES_BACK, ISOLATION=isolation, JOURNAL=str(tmp_path / "journal"))
    calls = "".join(f"{name} 49995000 " for name in ("returns", "raises", "gives", "waits"))
    assert told == f"{calls}10 {[0] * 9 + [3]}\n"
