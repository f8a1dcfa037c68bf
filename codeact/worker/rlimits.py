"""The kernel's own bounds on one session, set hard: they can never be raised again."""

from __future__ import annotations

import resource
from dataclasses import dataclass

OPEN_FILES = 64
_STACK_BYTES = 16 << 20
_CPU_SECONDS = 86_400  # the last backstop; the host's deadline is what ends a step
_ADDRESS_SLACK_BYTES = 512 << 20  # files mapped for reading and the memory allocator's reserves count as address space


@dataclass(frozen=True, slots=True)
class Usage:
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


def bounds(before: Usage, *, memory_bytes: int, folder_bytes: int, processes: int) -> dict[int, int]:
    """Each limit and its value, for a session of this many processes."""
    return {
        resource.RLIMIT_DATA: before.data_bytes + memory_bytes,
        resource.RLIMIT_AS: before.address_bytes + memory_bytes + _ADDRESS_SLACK_BYTES,
        resource.RLIMIT_CPU: _CPU_SECONDS,
        resource.RLIMIT_FSIZE: folder_bytes,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: processes,
        resource.RLIMIT_STACK: _STACK_BYTES,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_SIGPENDING: 16,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
    }


def put_on(wanted: dict[int, int]) -> None:
    """Set each limit, soft and hard, to the value wanted or to what is left of a stricter one set outside."""
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def hold(wanted: dict[int, int]) -> bool:
    """Whether no limit of this process is laxer than wanted."""
    return all(max(_finite(part) for part in resource.getrlimit(kind)) <= value for kind, value in wanted.items())


def _finite(value: int) -> int:
    return value if value != resource.RLIM_INFINITY else 1 << 64
