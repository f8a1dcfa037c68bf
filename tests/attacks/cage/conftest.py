"""Sessions without the language: every specimen here runs as if all its rules were broken already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from codeact import Limits
from codeact.testing import raw_session
from codeact.worker.syscalls import numbers

_CALLS = ("clone", "mmap", "mprotect", "pipe2")
PRELUDE = """
import ctypes, errno, os, resource, signal, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def syscall(number, *arguments):
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    return result if result >= 0 else -ctypes.get_errno()

def refused(attempt):
    try:
        attempt()
    except (OSError, RuntimeError, MemoryError, ValueError) as error:
        return type(error).__name__
    return None
""" + "".join(f"{name} = {numbers()[name]}\n" for name in _CALLS)

# A step that buries what keeps its place finds one to fork into.
STEAL = """
for _ in range(40):
    try:
        if os.fork() == 0:
            {child}
        break
    except OSError:
        try: os.waitpid(-1, os.WNOHANG)
        except OSError: pass
"""

Attack = Callable[[str], Any]


@pytest.fixture
def attack() -> Iterator[Attack]:
    """Run a specimen in a raw session and give the observation; not in its first step, which may do less."""
    limits = Limits(memory_bytes=128 << 20, folder_bytes=16 << 20, wall_seconds=20)
    with raw_session(limits=limits) as session:
        session.run("None")
        yield lambda code: session.run(PRELUDE + code)
