"""Killed at any moment: what was reported as done is there, and no effect happens twice."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from codeact import Limits, Pause, Session
from codeact.errors import UsageError
from codeact.journal import read

_NOBODY = 1 << 22  # no process has this number

HOSTS = """
import os
import sys
from pathlib import Path
import codeact.sandbox.launch
from codeact import Session

def live(folder: Path) -> None:
    told = open(folder / "told", "w")

    def note(n: int) -> int:
        "Leaves a mark that cannot be taken back."
        with open(folder / "marks", "a") as marks:
            marks.write(f"{n}\\n")
        return n

    session = Session(tools=[note], journal=folder / "live.jsonl")
    print(os.getpid(), file=told, flush=True)
    for step in range(10_000):
        session.run(f"last = note({3 * step}) + sum(note.map([{3 * step + 1}, {3 * step + 2}]))")
        print(step, file=told, flush=True)

for folder in sys.stdin:
    host = os.fork()
    if host == 0:
        try:
            live(Path(folder.rstrip()))
        finally:
            os._exit(1)
    os.waitpid(host, 0)
"""


@pytest.fixture
def hosts() -> Iterator[IO[str]]:
    """Takes names of folders, one a line, and has a host in each, one after the other: imported once, forked each time."""
    with subprocess.Popen([sys.executable, "-c", HOSTS], stdin=subprocess.PIPE, text=True) as forking:
        assert forking.stdin is not None
        with forking.stdin:
            yield forking.stdin


def killed_host(hosts: IO[str], folder: Path, after_seconds: float) -> None:
    """Kill a host so long after it has started, and go on with what it left behind."""
    journal, marks = folder / "live.jsonl", folder / "marks"
    os.mkfifo(folder / "told")
    print(folder, file=hosts, flush=True)
    with open(folder / "told") as telling:
        host = int(telling.readline())
        time.sleep(after_seconds)  # the moment is what is drawn
        os.kill(host, signal.SIGKILL)
        told = telling.read().split()
    reported = int(told[-1]) if told else -1
    steps = [entry for entry in read(journal).entries if entry.kind in ("begin", "step")]

    def note(n: int) -> int:
        """Leaves a mark that cannot be taken back."""
        with marks.open("a") as file:
            file.write(f"{n}\n")
        return n

    with Session.resume(journal, tools=[note]) as again:
        if reported >= 0:
            assert again.run("last").value >= 9 * reported + 3
        if steps and steps[-1].kind == "begin":
            again.run(steps[-1]["code"])  # was cut off: what its tools had said is not asked again
        assert again.run("1").ok
    made = marks.read_text().split() if marks.exists() else []
    assert len(made) == len(set(made))
    assert len(made) >= 3 * (reported + 1)


def test_a_host_killed_at_five_moments(hosts: IO[str], tmp_path: Path) -> None:
    chance = random.Random(4)
    for number in range(5):
        (folder := tmp_path / str(number)).mkdir()
        killed_host(hosts, folder, chance.random() * 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5, 15, 25, 35])  # a hundred in all: on a busy machine too long for one test
def test_a_host_killed_at_many_moments(hosts: IO[str], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(25):
        (folder := tmp_path / str(number)).mkdir()
        killed_host(hosts, folder, chance.random() * 0.2)


def victims() -> list[int]:
    """The zygotes of this process and what they have forked."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", errors="replace") as stat:
            state, parent = stat.read().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(name)] = int(parent)
    family = {pid for pid, parent in parents.items() if parent == os.getpid()}
    found: set[int] = set()
    while family := {pid for pid, parent in parents.items() if parent in family}:
        found |= family
    return sorted(found)


def killed_later(pid: int, seconds: float) -> threading.Timer:
    """Kill this process, and none that has its number later; once joined, it is dead."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:  # it has ended since it was drawn
        descriptor = -1

    def kill() -> None:
        if descriptor >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            select.select([descriptor], [], [], 20)  # dead, and with a zygote all that it has forked
            os.close(descriptor)

    timer = threading.Timer(seconds, kill)
    timer.start()
    return timer


def killed_workers(kills: int, *, checkpoints: int, seed: int) -> None:
    """Kill a process of the session, whichever, again and again while it works; its state and its tools do not see it."""
    made: list[int] = []

    def note(n: int) -> int:
        """Counts."""
        made.append(n)
        return n

    chance = random.Random(seed)
    with Session(tools=[note], limits=Limits(checkpoints=checkpoints, wall_seconds=20)) as session:
        session.run("rows = []")
        reported: list[int] = []
        for number in range(kills):
            killer = killed_later(chance.choice(victims() or [_NOBODY]), chance.random() * 0.02)
            for step in range(10 * number, 10 * number + 10):
                seen = session.run(f"rows.append(note({step}))")
                if seen.ok:
                    reported.append(step)
                else:
                    assert seen.failure is not None
                    assert seen.failure.kind == "crash", seen.failure
                    assert seen.rolled_back, seen.failure
            killer.join()
            seen = session.run("rows")
            if not seen.ok:  # killed between two steps
                seen = session.run("rows")
            assert seen.value == reported, (number, seen.failure)
    assert len(made) == len(set(made))


@pytest.mark.parametrize("imported", ["math", "time"])  # with `time`, a state is frozen before each step
@pytest.mark.parametrize("checkpoints", [0, 1, 3])
@pytest.mark.usefixtures("nothing_in_reserve")
def test_a_worker_that_dies_between_two_steps_loses_nothing_and_costs_no_step(checkpoints: int, imported: str) -> None:
    made: list[int] = []

    def note(n: int) -> int:
        """Counts."""
        made.append(n)
        return n

    Session().close()  # its zygote stays
    before = set(victims())
    with Session(tools=[note], limits=Limits(checkpoints=checkpoints)) as session:
        for step in range(6):
            seen = session.run(f"import {imported}\nlast = note({step})\nlast")
            assert seen.value == step, seen.failure
            running = runner_of(set(victims()) - before)
            descriptor = os.pidfd_open(running)
            os.kill(running, signal.SIGKILL)
            assert select.select([descriptor], [], [], 10)[0]
            os.close(descriptor)
        assert session.run("last").value == 5
    assert made == [0, 1, 2, 3, 4, 5]


def runner_of(session: set[int]) -> int:
    """Who runs the steps of a session: it has forked the youngest of its states, if there are any."""
    youngest = max(session)
    with open(f"/proc/{youngest}/stat") as stat:
        parent = int(stat.read().rpartition(")")[2].split()[1])
    return parent if parent in session else youngest


def test_workers_killed_at_fifteen_moments() -> None:
    killed_workers(8, checkpoints=1, seed=6)
    killed_workers(7, checkpoints=0, seed=7)


@pytest.mark.slow
@pytest.mark.parametrize(("checkpoints", "seed"), [(1, 8), (1, 18), (0, 9), (0, 19)])
def test_workers_killed_at_many_moments(checkpoints: int, seed: int) -> None:
    killed_workers(25, checkpoints=checkpoints, seed=seed)


def killed_between_steps(kills: int, *, seed: int) -> None:
    """Kill a process of the session while it goes back, is copied or waits for an answer; nothing reported is lost."""
    asked: list[int] = []

    def ask(n: int) -> int:
        """Asks somebody."""
        if n not in asked:
            asked.append(n)
            raise Pause("somebody has to say")
        return n

    chance = random.Random(seed)
    with Session(tools=[ask], limits=Limits(checkpoints=3, wall_seconds=20)) as session:
        session.run("rows = []")
        session.run("rows.append(-1)")
        rows = [-1]
        for number in range(kills):
            killer = killed_later(chance.choice(victims() or [_NOBODY]), chance.random() * 0.02)
            what = chance.choice(("go back", "copy", "pause"))
            if what == "go back" and session.run("rows.append(0)").ok:
                with suppress(UsageError):  # the state was not kept over a death
                    session.rewind(1)
            elif what == "copy":
                with session.fork() as copy:
                    seen = copy.run("rows")
                    assert seen.value == rows or seen.rolled_back, seen
            elif what == "pause" and session.run(f"rows.append(ask({number}))").paused:
                seen = session.go_on(number)
                if not seen.ok and session.paused:
                    seen = session.go_on(number)
                if seen.ok:
                    rows.append(number)
            killer.join()
            seen = session.run("[row for row in rows if row != 0]")
            if not seen.ok:  # killed between two steps
                seen = session.run("[row for row in rows if row != 0]")
            assert seen.value == [row for row in rows if row != 0], (number, what, seen.failure)
            seen = session.run("rows")
            assert seen.ok, (number, what, seen.failure)
            rows = seen.value


def test_workers_killed_while_going_back_copied_or_held_open() -> None:
    killed_between_steps(12, seed=10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 21, 31, 41])
def test_workers_killed_many_times_while_going_back_copied_or_held_open(seed: int) -> None:
    killed_between_steps(25, seed=seed)


def test_a_line_torn_anywhere_is_recognised(tmp_path: Path) -> None:
    def note(n: int) -> int:
        """Counts."""
        return n

    with Session(tools=[note], journal=tmp_path / "whole.jsonl") as session:
        session.run("kept = note(1)")
        session.run("kept = note(2)")
    whole = (tmp_path / "whole.jsonl").read_bytes()
    header = whole.index(b"\n") + 1
    last = whole.rindex(b"\n", 0, -1) + 1
    for cut in (*range(header, last, 97), *range(last, len(whole) + 1)):
        torn = tmp_path / "torn.jsonl"
        torn.write_bytes(whole[:cut])
        whole_lines = whole[cut - 1 : cut] == b"\n" or whole[cut : cut + 1] == b"\n"  # all but the end of the line
        assert read(torn).torn is not whole_lines
    torn.write_bytes(whole[: header + (len(whole) - header) // 2])
    with Session.resume(torn, tools=[note]) as again:
        assert again.run("1").ok
