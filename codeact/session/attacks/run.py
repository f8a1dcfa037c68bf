"""Runs the attacks, each in a step of its own, and says what got through."""

from __future__ import annotations

import platform
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codeact.errors import CodeactError
from codeact.limits import Limits
from codeact.session.attacks.calls import CALLS
from codeact.session.attacks.programs import ENDINGS, FILES, MEMORY, PROCESSES
from codeact.session.raw import RawSession
from codeact.toolbox import tool

_PROGRAMS = {"files": FILES, "processes": PROCESSES, "memory": MEMORY, "endings": ENDINGS}
KINDS = ("calls", *_PROGRAMS)
LIMITS = Limits(memory_bytes=128 << 20, folder_bytes=16 << 20, wall_seconds=0.5, tool_calls=20)
_GRACE_SECONDS = 20.0  # beyond the limit of a step, for a session that has to be built again on a busy machine
_SHOWN_CHARS = 200
_STEPS_AFTER = 2  # one that said it was over and went on takes the next step's time
_MOST_STEPS_AFTER = 12  # a busy machine takes that of more

_PRELUDE = """
import ctypes, os, resource, signal, socket, stat, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
HOST_NAME, COLUMN, FIRST = {host!r}, {column}, {first}

def call(x86_64, aarch64, *arguments):
    number = (x86_64, aarch64)[COLUMN]
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    return result if result >= 0 else -ctypes.get_errno()

def refused(result):
    return result in (-1, -13, -38, -95)

def through(attempt):
    try:
        attempt()
    except (OSError, RuntimeError, MemoryError, ValueError, ImportError):
        return False
    return True

def fork():
    pid = os.fork()
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    return pid

def kind(descriptor):
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return ''
    return {{stat.S_IFSOCK: 'socket', stat.S_IFREG: 'file', stat.S_IFDIR: 'folder', stat.S_IFIFO: 'pipe'}}.get(
        stat.S_IFMT(mode), '')

def capabilities():
    sets = (ctypes.c_uint32 * 6)()
    libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), sets)
    return any(sets)

def say(*message):
    import msgspec
    content = msgspec.msgpack.encode(message)
    for start in range(0, len(content), 65_535):
        flags = (start == 0) + 2 * (start + 65_535 >= len(content))
        os.write(3, bytes([flags]) + content[start : start + 65_535])

def answer(value, first=FIRST):
    say('finished', value, '', None, [0, 0, 0, 0.0, 0], False, None, [], [], first)

def colliding(count):
    return [{{0: 'int', 1: ((n << 61) - n).to_bytes(12, 'little', signed=True)}} for n in range(count)]

"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attack and what came of it; `through` is empty where it was held."""

    kind: str
    what: str
    through: str


@tool
def note(n: int) -> int:
    """Gives the number back."""
    return n


def attack(without: Iterable[str] = (), kinds: Iterable[str] = KINDS) -> Iterator[Attempt]:
    """Run every attack, or those of some kinds, each on a session of its own that leaves out these walls."""
    prelude = _PRELUDE.format(host=socket.gethostname(), column=_column(), first=1 << 32)
    for kind in kinds:
        for what, source in sources(kind).items():
            with RawSession([note], limits=LIMITS, without=without) as session:
                yield Attempt(kind, what, _came_of(session, prelude + source, ends=kind == "endings")[:_SHOWN_CHARS])


def sources(kind: str) -> dict[str, str]:
    """Give the attacks of a kind for this machine: what each tries, and its program."""
    return _PROGRAMS[kind] if kind in _PROGRAMS else _calls()


def _calls() -> dict[str, str]:
    found = {}
    for what, row in CALLS.items():
        if (number := row[_column()]) is not None:
            called = f"call({', '.join(filter(None, (str(number), str(number), row[2])))})"
            found[what] = f"found = {called}\n[] if refused(found) else [found]"
    return found


def _column() -> int:
    """Which column of the table of calls has this machine's numbers."""
    return 1 if platform.machine() in ("aarch64", "arm64") else 0


def _came_of(session: RawSession, source: str, *, ends: bool) -> str:
    """What got through; where a step only has to end, it may say anything."""
    began = time.monotonic()
    try:
        seen = session.run(source)
        if time.monotonic() - began > LIMITS.wall_seconds + _GRACE_SECONDS:
            return "it did not end in time"
        if seen.ok and seen.value and not ends:
            return f"it gives {seen.value!r}"
        after = [session.run("1 + 1") for _ in range(_STEPS_AFTER)]
        while after[-1].value != 2 and len(after) < _MOST_STEPS_AFTER:
            after.append(session.run("1 + 1"))
        return "" if after[-1].value == 2 else f"later steps come to {after[-1].failure or after[-1].value!r}"
    except CodeactError:  # the session has ended, and says so
        return ""
