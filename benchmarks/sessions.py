"""Many sessions: how fast one is there, how fast one is copied, what a thousand take, and what ten thousand leave."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

from benchmarks.rows import Row
from codeact import Limits, Policy, Session
from codeact.sandbox import launch, zygotes
from codeact.worker import mounts

PANDAS = Policy(imports=["pandas"])
FRAME = "import pandas as pd\ndf = pd.DataFrame({'n': range(100)})\nint(df.n.sum())"
LIVE, OPENED = 1_000, 10_000
_LEAST_AVAILABLE_BYTES = 4 << 30
_GIB = 1 << 30


def measure() -> Iterator[Row]:
    """The figures of sessions in number."""
    for apart, note in ((0.0, "one after the other; closing not counted"), (0.05, "50 ms apart: both have slept")):
        yield Row("fresh session and 1+1, out of the reserve", _fresh_ms(apart), "ms", 0.5, note)
        launch.keep_ready(0)
        yield Row("fresh session and 1+1, reserve empty", _fresh_ms(apart), "ms", 5, note)
        launch.keep_ready(launch.KEPT_READY)
    launch.keep_ready(0)
    yield Row("fork of a session with pandas", _fork_ms(), "ms", 3, "until the original goes on")
    live, taken = _live_bytes(LIVE)
    note = f"proportional set size, zygote included; {live:,} answered a step with a DataFrame"
    yield Row(f"{LIVE:,} live sessions with pandas", taken / _GIB, "GiB", 8, note)
    yield from _left_behind(OPENED)
    launch.keep_ready(launch.KEPT_READY)


def _middle_ms(act: Callable[[], float], times: int) -> float:
    return statistics.median(act() for _ in range(times)) * 1000


def _fresh_ms(seconds_apart: float) -> float:
    def once() -> float:
        time.sleep(seconds_apart)
        begun = time.perf_counter()
        with Session() as session:
            if session.run("1 + 1").value != 2:
                raise AssertionError("a session that cannot add was measured")
            return time.perf_counter() - begun

    for _ in range(4):
        once()
    return _middle_ms(once, 40)


def _fork_ms() -> float:
    with Session(policy=PANDAS) as session:
        session.run(FRAME)

        def once() -> float:
            begun = time.perf_counter()
            with session.fork():
                return time.perf_counter() - begun

        once()
        return _middle_ms(once, 20)


def _live_bytes(count: int) -> tuple[int, int]:
    """Open so many sessions, have each work, and add up what they all take; how many answered, and the bytes."""
    answered = 0
    with ExitStack() as stack:
        sessions = []
        for _ in range(count):
            if _available_bytes() < _LEAST_AVAILABLE_BYTES:
                break
            session = stack.enter_context(Session(policy=PANDAS))
            answered += session.run(FRAME).value == 4950
            sessions.append(session)
        answered = min(answered, sum(session.run("len(df)").value == 100 for session in sessions))
        return answered, sum(map(_pss_bytes, _below(zygotes.for_policy(PANDAS, frozenset()).pid)))


def _available_bytes() -> int:
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:"))


def _pss_bytes(pid: int) -> int:
    with suppress(OSError), open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    return 0


def _below(pid: int) -> list[int]:
    """A process and all below it."""
    with suppress(OSError), open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [pid, *(each for child in file.read().split() for each in _below(int(child)))]
    return []


def _left_behind(count: int) -> Iterator[Row]:
    """Open and close so many sessions, a hundred of them with a step, and count what is there more than before."""
    zygote = zygotes.for_policy(Policy(), frozenset()).pid
    _open_and_close(200)
    before = _held(zygote)
    begun = time.perf_counter()
    _open_and_close(count)
    note = f"after {count:,} sessions, in {time.perf_counter() - begun:.0f} s"
    for what, now in _held(zygote).items():
        unit, goal = ("MiB", 8.0) if what.startswith("memory") else ("more", 0.0)
        yield Row(f"{what} left behind", max(0.0, now - before[what]), unit, goal, note)


def _open_and_close(count: int) -> None:
    for number in range(count):
        with Session(limits=Limits(memory_bytes=256 << 20)) as session:
            if number % 100 == 0:
                session.run("x = 1")


def _held(zygote: int) -> dict[str, float]:
    """What this process and its zygote hold; of memory, what only they hold."""
    time.sleep(1.0)  # what has just been killed is still being taken apart
    both = ("self", str(zygote))
    with open(f"/proc/{zygote}/mounts", "rb") as mounted, open(f"/proc/{zygote}/maps", "rb") as mapped:
        mount_count, mapping_count = len(mounted.readlines()), len(mapped.readlines())
    return {
        "descriptors": sum(len(os.listdir(f"/proc/{process}/fd")) for process in both),
        "threads": sum(len(os.listdir(f"/proc/{process}/task")) for process in both),
        "processes": len(_below(zygote)),
        "mounts": mount_count,
        "mappings": mapping_count,
        "temporary folders": _temporary_folders(zygote),
        "memory of the host": _anonymous_mib("self"),
        "memory of the zygote": _anonymous_mib(str(zygote)),
    }


def _temporary_folders(zygote: int) -> int:
    """Folders of sessions: those on disk, and those in the memory of a zygote that has a small root of its own."""
    places = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("codeact-")]
    with suppress(OSError):  # it has none, or no one may look
        places += os.listdir(f"/proc/{zygote}/root{mounts.FORKS}")
    return len(places)


def _anonymous_mib(process: str) -> float:
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("Anonymous:"))
