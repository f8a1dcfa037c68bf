"""Hosts in odd states, and machines that allow little: a correct result or a clear error, never a lost step."""

from __future__ import annotations

import gc
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeact import Session
from codeact.errors import CodeactError, JournalError
from codeact.sandbox import launch, zygotes
from tests.full_disk import room_for
from tests.sandbox.conftest import descendants

pytestmark = pytest.mark.slow

SHOWN = "True 1 y 5"
PROGRAM = """
from codeact import Limits, Session
def text(n: int) -> str:
    '''Gives a text.'''
    return "t" * n
def hour() -> None:
    'Takes an hour, at once.'
    session.clock._stood -= 3600
with Session(tools=[text, hour], limits=Limits(operations=10**12)) as session:
    session.run("x = 1; open('f', 'w').write('y')")
    seen = session.run("hour()\\nwhile True: pass")
    with session.fork() as copy:
        print(seen.rolled_back, session.run("x").value, copy.run("open('f').read()").value,
              session.run("len(text(5))").value)
"""


def run(program: str, *, before: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    """A program run by this Python, by a shell that first does as it is told."""
    command = ["bash", "-c", f'set -e\n{before}\nexec "$0" -c "$1"', sys.executable, program]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)


@pytest.mark.parametrize(
    ("before", "surroundings"),
    [
        ("", {"TMPDIR": "/nonexistent", "HOME": "/nonexistent", "PYTHONHASHSEED": "7"}),
        ("unset TMPDIR HOME PATH LANG", {"LD_PRELOAD": "libm.so.6"}),
        ("trap '' CHLD; trap '' PIPE", {"PYTHONMALLOC": "debug", "MALLOC_ARENA_MAX": "1"}),
        (
            "mkdir gone; cd gone; rmdir ../gone",
            # Without the safe path, Python 3.13.0 to 3.13.2 cannot even import dataclasses there (python/cpython#130932).
            {"PYTHONSAFEPATH": "1", "PYTHONSTARTUP": "/nonexistent", "PYTHONDEVMODE": "1", "LC_ALL": "C"},
        ),
        ("ulimit -n 64; ulimit -l 0; ulimit -i 0; ulimit -s 512", {}),
        ("ulimit -u 8; ulimit -f 100; ulimit -c 0; ulimit -t 5", {}),
    ],
)
def test_a_session_works_whatever_surrounds_the_host(before: str, surroundings: dict[str, str], tmp_path: Path) -> None:
    done = run(PROGRAM, before=before, env={**os.environ, **surroundings}, cwd=tmp_path)

    assert done.stdout.strip() == SHOWN, done.stderr


def test_a_host_whose_files_are_for_nobody_else_has_sessions_that_import() -> None:
    program = "from codeact import Session\nwith Session() as session:\n    print(session.run('import json, csv').ok)"

    assert run(program, before="umask 077").stdout == "True\n"


@pytest.mark.parametrize(("limit", "told"), [("-n 9", "(ulimit -n)"), ("-f 0", "(ulimit -f)"), ("-u 2", "(ulimit -u)")])
def test_a_limit_that_is_too_tight_is_named(limit: str, told: str) -> None:
    done = run(PROGRAM, before=f"ulimit {limit}")

    assert done.stdout == ""
    assert told in done.stderr.splitlines()[-1]


def test_modules_that_shadow_python_and_this_package_get_into_no_session(tmp_path: Path) -> None:
    for name in ("json", "re", "random", "msgspec", "codeact", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit({name!r})")
    program = f"""
import os, sys
from codeact import Policy, Session
Session().close()
os.environ["PYTHONPATH"] = {str(tmp_path)!r}
sys.path.insert(0, {str(tmp_path)!r})
with Session(policy=Policy(["json", "random", "csv"])) as session:
    print(session.run("import json, random, csv\\njson.dumps([csv.QUOTE_ALL, random.Random(1).random() < 1])").value)
"""
    done = run(program, cwd=tmp_path.parent)

    assert done.stdout == "[1, true]\n", done.stderr
    assert not (tmp_path / "ran").exists()


def test_an_environment_below_a_folder_with_an_odd_name_works(tmp_path: Path) -> None:
    place = tmp_path / "an 'odd' \"näme\" €"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    root = Path(sys.modules["codeact"].__path__[0])
    installed = next(path for path in sys.path if path.endswith("site-packages"))
    (packages / "codeact").symlink_to(root)
    (packages / "others.pth").write_text(f"{installed}\n", encoding="utf-8")
    done = subprocess.run([place / "bin/python", "-c", PROGRAM], capture_output=True, text=True, check=False)

    assert done.stdout.strip() == SHOWN, done.stderr


# --- forks of the host -------------------------------------------------------------------------------------------

FORKS = """
import os, threading
from codeact import Session
from codeact.errors import SessionError
stop = threading.Event()
def churn():
    while not stop.is_set():
        with Session() as other:
            other.run("1")
threads = [threading.Thread(target=churn) for _ in range(3)]
with Session() as session:
    session.run("x = 41")
    for thread in threads:
        thread.start()
    for number in range(6):
        child = os.fork()
        if child == 0:
            try:
                session.run("x = 0")
            except SessionError as error:
                with Session() as own:
                    os._exit(7 if "start another one here" in str(error) and own.run("1 + 1").value == 2 else 1)
            os._exit(2)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), end=" ")
    stop.set()
    for thread in threads:
        thread.join()
    print(session.run("x + 1").value)
"""


def test_a_process_forked_from_a_busy_host_gets_sessions_of_its_own_and_leaves_its_parents_alone() -> None:
    done = run(FORKS)

    assert done.stdout.split() == [*["7"] * 6, "42"], done.stderr


# --- full disks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spare", [0, 40, 200, 450, 700])
def test_a_journal_on_a_full_disk_stops_the_session_and_loses_no_step(spare: int, tmp_path: Path) -> None:
    called = []

    def note(text: str) -> int:
        """Notes something down."""
        called.append(text)
        return len(called)

    path, kept, told = tmp_path / "s.journal", ["x"], list[str]()
    with Session(tools=[note], journal=path) as session:
        session.run("x = 1")
        with room_for(path.stat().st_size + spare):
            for name in ("a", "b", "c"):
                try:
                    session.run(f"{name} = note({name!r})")
                    kept.append(name)
                except JournalError as error:
                    told.append(str(error))
            with pytest.raises(JournalError):
                session.assign({"too": "much"})
        there = sorted(session.variables())
        assert set(kept) <= set(there)
        assert session.run("last = note('last')").ok
        there.append("last")
    assert len(called) == len(set(called))
    with Session.resume(path, tools=[note]) as again:
        assert sorted(again.variables()) == sorted(there)
    assert called[-1] == "last"
    assert all("make room there" in message for message in told)


# --- tools -------------------------------------------------------------------------------------------------------


def bytes_of(mebibytes: int) -> bytes:
    """Gives so many MiB."""
    return b"x" * (mebibytes << 20)


def text_of(mebibytes: int) -> str:
    """Gives so many MiB as text."""
    return "x" * (mebibytes << 20)


def rows_of(count: int) -> list[dict[str, int]]:
    """Gives so many rows."""
    return [{"a": number} for number in range(count)]


def raises(mebibytes: int) -> str:
    """Raises so many MiB."""
    raise ValueError("x" * (mebibytes << 20))


def endless(step: int) -> list[int]:
    """Counts without end."""

    def count() -> Iterator[int]:
        number = 0
        while True:
            yield (number := number + step)

    return count()  # type: ignore[return-value]  # that is what is wrong with it


def test_what_is_far_too_much_from_a_tool_is_an_error_and_the_hosts_memory_comes_back() -> None:
    def size() -> int:
        gc.collect()
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()

    with Session(tools=[bytes_of, text_of, rows_of, raises, endless]) as session:
        session.run("kept = 1")
        session.run("bytes_of(1)")
        before = size()
        for call in ("bytes_of(300)", "text_of(300)", "rows_of(1_100_000)", "raises(300)", "endless(1)"):
            failure = session.run(call).failure
            assert failure is not None, call
            assert len(failure.message) < 5_000
            assert session.run("kept").value == 1
        assert size() < before + (64 << 20)


# --- processes that die while they start -------------------------------------------------------------------------


def started_under_fire(times: int) -> None:
    """Kill a process of ours at some moment of each start: what a session has said it did is there."""
    chance, told = random.Random(times), list[str]()

    def fire(seconds: float) -> None:
        threading.Event().wait(seconds)
        if found := descendants(os.getpid()):
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                return

    for number in range(times):
        if number % 2 == 0:
            zygotes.close_all()
        killer = threading.Thread(target=fire, args=(chance.random() * (0.15 if number % 2 == 0 else 0.02),))
        killer.start()
        try:
            with Session() as session:
                if session.run("x = 1").ok:
                    killer.join()
                    # a zygote that is killed takes its sessions' processes with it one after the other
                    assert any(session.run("x").value == 1 for _ in range(4))
        except CodeactError as error:
            told.append(str(error))
        killer.join()
    assert [message for message in told if "Start it again" not in message and "died" not in message] == []
    with Session() as session:
        assert session.run("1 + 1").value == 2


def test_workers_killed_while_they_start_are_replaced_or_told_of() -> None:
    launch.keep_ready(0)
    try:
        started_under_fire(10)
    finally:
        launch.keep_ready(launch.KEPT_READY)


def test_workers_killed_in_sixty_starts_are_replaced_or_told_of() -> None:
    started_under_fire(60)


# --- clocks ------------------------------------------------------------------------------------------------------


def test_a_clock_that_jumps_ends_no_step_and_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    jumps = iter(range(1, 1 << 30))
    monkeypatch.setattr(time, "time", lambda: (-1.0) ** next(jumps) * 1e9)
    with Session() as session:
        session.run("x = 1")
        assert session.run("x + 1").value == 2
