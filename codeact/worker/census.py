"""What runs in a zygote's process namespace, and how much memory it takes, as `/proc` says.

The sessions see no `/proc`: the zygote holds one that is mounted nowhere, by a descriptor no session inherits.
"""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

from codeact.worker import kernel

_TICKS = os.sysconf("SC_CLK_TCK")
_FSCONFIG_CREATE = 6


def open_proc() -> int:
    """A descriptor of this namespace's `/proc`; -1 where none is to be had."""
    for opened in (_detached, _mounted):
        with suppress(OSError):
            return opened()
    return -1


def _detached() -> int:
    made = kernel.call("fsopen", b"proc", 1)
    try:
        kernel.call("fsconfig", made, _FSCONFIG_CREATE, None, None, 0)
        place = kernel.call("fsmount", made, 1, 0)
    finally:
        os.close(made)
    try:
        return os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=place)
    finally:
        os.close(place)


def _mounted() -> int:
    """The one at its usual place, where it counts the processes as this one does."""
    if os.readlink("/proc/self") != str(os.getpid()):
        raise ProcessLookupError
    return os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def groups(proc: int) -> dict[int, list[int]]:
    """All processes by their process group, youngest last as long as the numbers do not start anew."""
    found: dict[int, list[int]] = defaultdict(list)
    for pid in sorted(int(name) for name in os.listdir(proc) if name.isdigit()):
        with suppress(ProcessLookupError):
            found[os.getpgid(pid)].append(pid)
    return found


def own_bytes(proc: int, pid: int) -> int:
    """Memory of a process that no file stands behind, also where it is shared since a fork; 0 of a dead one.

    With it go the tables its pages are found by: where pages lie far apart, each takes two more, which no limit counts.
    Of one whose first thread has ended, the others tell: code without the language can go on in one of these.
    """
    for name in itertools.chain([f"{pid}/status"], _others(proc, pid)):
        with suppress(OSError, LookupError):
            status = _read(proc, name)
            return _bytes(status, "RssAnon") + _bytes(status, "VmPTE")
    return 0


def _others(proc: int, pid: int) -> Iterator[str]:
    """What tells of each thread of a process, looked up only where it is asked for."""
    with suppress(OSError):
        threads = os.open(f"{pid}/task", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=proc)
        try:
            names = os.listdir(threads)
        finally:
            os.close(threads)
        yield from (f"{pid}/task/{name}/status" for name in names)


def weigh(proc: int, pid: int) -> tuple[int, int]:
    """The same, but what is shared counts in parts; and what nobody else shares. Where this is not told, all of it."""
    with suppress(OSError, LookupError):
        rollup, tables = _read(proc, f"{pid}/smaps_rollup"), _bytes(_read(proc, f"{pid}/status"), "VmPTE")
        return _bytes(rollup, "Pss_Anon") + tables, _bytes(rollup, "Private_Dirty") + tables
    return (own_bytes(proc, pid),) * 2


def stirring(proc: int, pid: int) -> tuple[bool, float]:
    """Whether a process is awake, is waiting to be, or was stopped, as far as is told; and its processor time."""
    with suppress(OSError):
        fields = _read(proc, f"{pid}/stat").rpartition(")")[2].split()
        return fields[0] not in "SZX", (int(fields[11]) + int(fields[12])) / _TICKS
    return True, 0.0


def parent(proc: int, pid: int) -> int:
    """Who has forked a process, or has it now; 0 where that is not told."""
    with suppress(OSError):
        return int(_read(proc, f"{pid}/stat").rpartition(")")[2].split()[1])
    return 0


def born(proc: int, pid: int) -> tuple[int, int]:
    """When a process was forked, to be compared: within a tick of the clock the numbers do not start anew."""
    with suppress(OSError):
        return int(_read(proc, f"{pid}/stat").rpartition(")")[2].split()[19]), pid
    return 0, pid


def _bytes(text: str, label: str) -> int:
    """What a line of a file of `/proc` tells in kilobytes; what a process calls itself may stand within a line."""
    return int(text.partition(f"\n{label}:")[2].split(maxsplit=1)[0]) << 10


def _read(proc: int, name: str) -> str:
    descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
    try:
        return os.read(descriptor, 1 << 14).decode("latin-1")  # what a process calls itself need not be text
    finally:
        os.close(descriptor)
