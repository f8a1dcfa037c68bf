"""States of a session kept as frozen forks of its process: a backup before each step, and older ones for rewinding.

    running ──fork──▶ newest state ⋯ older state ⋯ oldest state        each sleeps on a pipe

The writing end of a state's pipe is held by all younger processes and by no other. So its end of file means that
they are all dead, and the state takes over; a byte on it means what that byte says.
"""

from __future__ import annotations

import enum
import errno
import mmap
import os
import random
import select
import struct
from contextlib import suppress
from dataclasses import dataclass

_LEAVE, _REWIND = b"x", b"r"
_FORK_ATTEMPTS = 400
_PAUSE_SECONDS = 0.0025


class Woken(enum.Enum):
    """As whom a process comes out of `before_step`."""

    GO = "it runs the step"
    ROLLED_BACK = "it was the backup, and the process that ran the step is dead"
    REWOUND = "it was an older state, and the session went back to it"


@dataclass(frozen=True, slots=True)
class _State:
    pid: int
    pipe: int
    is_child: bool


class Checkpoints:
    """The frozen states of this session, newest last; at most `limit` are kept."""

    def __init__(self, limit: int, page: mmap.mmap) -> None:
        self._limit, self._page = limit, page
        self._states: list[_State] = []
        self._announce()

    def __len__(self) -> int:
        return len(self._states)

    def before_step(self) -> Woken:
        """Freeze a copy of this process; returns in this one at once, and in the copy when it has to take over."""
        if self._limit == 0:
            return Woken.GO
        while len(self._states) >= self._limit:
            self._dismiss(self._states.pop(0))
        chance = random.getstate()
        reading, writing = os.pipe2(os.O_CLOEXEC)
        parent = os.getpid()
        pid = _fork()
        if pid:
            os.close(reading)
            self._states.append(_State(pid, writing, is_child=True))
            return Woken.GO
        os.close(writing)
        woken = self._sleep(reading, parent)
        random.setstate(chance)  # forking reseeds it; a step run again draws the same numbers
        return woken

    def rewind(self, steps: int) -> None:
        """End this process in favour of the state before the last `steps` steps; returns only to raise `LookupError`."""
        if not 1 <= steps <= len(self._states):
            kept = len(self._states)
            raise LookupError(f"cannot go back {steps} steps: {kept} earlier states are kept (Limits.checkpoints)")
        chosen = self._states[-steps]
        for state in self._states[len(self._states) - steps + 1 :]:
            os.write(state.pipe, _LEAVE)
        os.write(chosen.pipe, _REWIND)
        os._exit(0)

    def _dismiss(self, state: _State) -> None:
        with suppress(BrokenPipeError):
            os.write(state.pipe, _LEAVE)
        os.close(state.pipe)
        if state.is_child:
            os.waitpid(state.pid, 0)

    def _sleep(self, reading: int, parent: int) -> Woken:
        woken = Woken.ROLLED_BACK
        while said := os.read(reading, 1):
            if said == _LEAVE:
                os._exit(0)
            woken = Woken.REWOUND
        while os.getppid() == parent:
            select.select([], [], [], _PAUSE_SECONDS)  # it closed the pipe and lives: the host will end it
        os.close(reading)
        self._states = [_State(state.pid, state.pipe, is_child=False) for state in self._states]
        self._announce()
        return woken

    def _announce(self) -> None:
        self._page[:4] = struct.pack("I", os.getpid())


def _fork() -> int:
    """Fork, waiting a moment where the places of processes that just died are not free yet."""
    for _ in range(_FORK_ATTEMPTS):
        try:
            return os.fork()
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
            select.select([], [], [], _PAUSE_SECONDS)
    return os.fork()


