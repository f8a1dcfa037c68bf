"""The kernel's own bounds on one session, set hard: they can never be raised again."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import msgspec

from codeact.errors import CageError
from codeact.wire.orders import PROCESSES

MORE_PROCESSES = "Allow more (ulimit -u), or keep fewer states (Limits.checkpoints)"
OPEN_FILES = 64
STACK_BYTES = 32 << 20
_MARK = 10  # RLIMIT_LOCKS, which bounds nothing since Linux 2.4.25: it is inherited, and a session can set no limit
UNMARKED = resource.getrlimit(_MARK)[1]
_FIRST_MARK = 1 << 62  # each copy's is lower than its original's, as a limit can only be lowered
_UNCOUNTED = 4_096  # of a user whose processes cannot be counted, so that sessions find room beside them
_CPU_SECONDS = 86_400  # the last backstop; the host's deadline is what ends a step
_ADDRESS_SLACK_BYTES = 512 << 20  # files mapped for reading and the memory allocator's reserves count as address space


class Usage(msgspec.Struct, frozen=True):
    """What the zygote's own memory counts before a session uses any."""

    address_bytes: int
    data_bytes: int


def usage_now() -> Usage:
    """What this process counts now; zeros where `/proc` cannot be read, so that limits err on the strict side."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            fields = [int(field) for field in statm.read().split()]
    except OSError:
        return Usage(256 << 20, 128 << 20)
    page = resource.getpagesize()
    return Usage(fields[0] * page, fields[5] * page)


def bounds(before: Usage, *, memory_bytes: int, folder_bytes: int, processes: int, allowed: int) -> dict[int, int]:
    """Each limit and its value, for a session of this many processes, of which it is allowed so many at first."""
    return {
        resource.RLIMIT_DATA: before.data_bytes + memory_bytes,
        resource.RLIMIT_AS: before.address_bytes + memory_bytes + _ADDRESS_SLACK_BYTES,
        resource.RLIMIT_CPU: _CPU_SECONDS,
        resource.RLIMIT_FSIZE: folder_bytes,
        resource.RLIMIT_NOFILE: OPEN_FILES + processes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: allowed,
        resource.RLIMIT_STACK: STACK_BYTES,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_SIGPENDING: 16,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
    }


def require(processes: int) -> None:
    """Raise `CageError` where a limit set outside leaves room for fewer processes."""
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    if hard != resource.RLIM_INFINITY and hard < processes:
        reason = f"the limit of processes is {hard} here, and {processes} are needed"
        raise CageError(PROCESSES, reason, MORE_PROCESSES)


def put_on(wanted: dict[int, int], *, processes_may_grow: bool) -> None:
    """Set each limit, soft and hard, to the value wanted or to what is left of a stricter one set outside.

    The hard number of processes stays where the zygote may have to make room for a copy of the session.
    """
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        possible = value if hard == resource.RLIM_INFINITY else min(value, hard)
        grows = kind == resource.RLIMIT_NPROC and processes_may_grow
        resource.setrlimit(kind, (possible, hard if grows else possible))


def hold(wanted: dict[int, int]) -> bool:
    """Whether no limit of this process is laxer than wanted."""
    return all(0 <= resource.getrlimit(kind)[0] <= value for kind, value in wanted.items())


def make_room(pids: Iterable[int], processes: int, uid: int) -> None:
    """Let these processes of one user see this many of that user's before they may not fork."""
    with _acting_as(uid):
        for pid in pids:
            with suppress(ProcessLookupError):
                hard = resource.prlimit(pid, resource.RLIMIT_NPROC)[1]
                possible = processes if hard == resource.RLIM_INFINITY else min(processes, hard)
                resource.prlimit(pid, resource.RLIMIT_NPROC, (possible, hard))


def mark_number(session: int) -> int:
    """What tells the processes of the copy with this number from those of its kin."""
    return _FIRST_MARK - session


def marks_of(pids: Iterable[int], uid: int) -> dict[int, int]:
    """The marks of those of a user's processes that are there."""
    found = {}
    with _acting_as(uid):
        for pid in pids:
            with suppress(OSError):
                found[pid] = resource.prlimit(pid, _MARK)[1]
    return found


def mark(pids: Iterable[int], number: int, uid: int) -> bool:
    """Mark these processes of one user; whether that is possible here."""
    with _acting_as(uid):
        for pid in pids:
            try:
                resource.prlimit(pid, _MARK, (number, number))
            except ProcessLookupError:
                continue
            except (OSError, ValueError):
                return False
    return True


@contextmanager
def _acting_as(uid: int) -> Iterator[None]:
    """Bear a user's number for a moment, next to one's own rights.

    In containers root may see and change limits of that user's processes only so, for it lacks CAP_SYS_RESOURCE.
    """
    own, own_group = os.getuid(), os.getgid()
    if uid == own:
        yield
        return
    try:
        os.setresgid(uid, -1, -1)
        os.setresuid(uid, -1, -1)
        yield
    finally:
        os.setresuid(own, -1, -1)
        os.setresgid(own_group, -1, -1)


def processes_of(uid: int) -> int:
    """How many processes and threads a user has now, as far as `/proc` says; many where there is none."""
    count = 0
    if not os.path.exists("/proc/self"):
        return _UNCOUNTED
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                if os.stat(f"/proc/{entry}").st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry}/task"))
    return count
