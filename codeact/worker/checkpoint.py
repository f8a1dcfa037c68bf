"""States of a session kept as frozen forks of its process: a backup before each step, and older ones for rewinding.

    running ──fork──▶ newest state ⋯ older state ⋯ oldest state        each sleeps on a pipe

The writing end of a state's pipe is held by all younger processes and by no other. So its end of file means that
they are all dead, and the state takes over; a byte on it means what that byte says. The ring is kept full from the
first step on, and one place taken by a process just dead: with the number of processes limited to that, no place is
left to fork into.
"""

from __future__ import annotations

import enum
import errno
import os
import random
import select
import shutil
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass, replace

from codeact.worker import kernel, landlock
from codeact.worker.page import Page

_LEAVE, _TAKE_OVER, _COPIED = b"x", b"t", b"c"
_FORK_ATTEMPTS = 400
_PAUSE_SECONDS = 0.0025
_PATH_BYTES = 4096


def processes_needed(limit: int) -> int:
    """How many processes a session with this many states may have: itself, the states, and one just dead."""
    return limit + 2 if limit else 1


class Woken(enum.Enum):
    """As whom a process comes out of `before_step`."""

    GO = "it runs the step"
    ROLLED_BACK = "it was the backup, and the process that ran the step is dead"
    REWOUND = "it was an older state, and the session went back to it"


@dataclass(frozen=True, slots=True)
class _State:
    steps_done: int
    pid: int
    pipe: int
    is_child: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a session's states share: its socket, what its cage lets it read, and the process that started it."""

    sock: socket.socket
    readable: tuple[str, ...]
    landlock_version: int
    zygote_pid: int


class Checkpoints:
    """The frozen states of this session, newest last; at most `limit` are kept."""

    def __init__(self, limit: int, page: Page, surroundings: Surroundings) -> None:
        self._limit, self._page, self._around = limit, page, surroundings
        self._states: list[_State] = []
        self._steps_done = 0
        self._dying = 0
        self._shared = False
        self._announce()

    def before_step(self) -> Woken:
        """Freeze a copy of this process; returns in this one at once, and in the copy when it has to take over."""
        if self._limit == 0:
            return Woken.GO
        self._page.unsettle()
        self._make_place()
        while len(self._states) < self._limit:
            woken = self._freeze()
            if woken is not Woken.GO:
                return woken
        self._announce()
        self._steps_done += 1
        return Woken.GO

    def between_steps(self) -> None:
        """Bury the process that kept its place through the step; the host has its answer and waits for nothing.

        Not where copies share the places: a step of another one might be looking for it.
        """
        if not self._shared:
            self._bury()

    def _bury(self) -> None:
        with suppress(ChildProcessError):  # code without the language may have buried it
            if self._dying:
                os.waitpid(self._dying, 0)
        self._dying = 0
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # what the zygote has killed
                pass

    def rewind(self, steps: int) -> None:
        """End this process in favour of the state before the last `steps` steps; `LookupError` where it is not kept."""
        wanted = self._steps_done - steps
        places = [place for place, state in enumerate(self._states) if state.steps_done == wanted and _lives(state)]
        if steps < 1 or not places:
            kept = len({state.steps_done for state in self._states if _lives(state)} - {self._steps_done})
            raise LookupError(f"cannot go back {steps} steps: {kept} earlier states are kept (Limits.checkpoints)")
        for state in self._states[places[-1] + 1 :]:
            self._tell(state, _LEAVE)
        self._tell(self._states[places[-1]], _TAKE_OVER)
        os._exit(0)

    def fork_session(self) -> bool:
        """Make a live copy of the session: True in the copy, False here.

        The host sends what the copy needs right after its request: a socket, a page, and the name of a folder.
        """
        place, descriptors, _, _ = socket.recv_fds(self._around.sock, _PATH_BYTES, 2)
        self._shared = True
        reading, writing = os.pipe2(os.O_CLOEXEC)
        between = _fork()
        if between == 0:
            if _fork():
                os._exit(0)  # so that the copy is the zygote's child, and this session has not to bury it
            os.close(reading)
            self._become_copy(os.fsdecode(place), *descriptors)
            os.write(writing, _COPIED)
            os.close(writing)
            return True
        os.waitpid(between, 0)
        for descriptor in (*descriptors, writing):
            os.close(descriptor)
        os.read(reading, 1)  # the folder is copied, or the copy has failed, which the host sees on its socket
        os.close(reading)
        return False

    def _become_copy(self, folder: str, new_socket: int, new_page: int) -> None:
        try:
            for state in self._states:
                os.close(state.pipe)
            self._states, self._steps_done, self._dying = [], 0, 0
            os.dup2(new_socket, self._around.sock.fileno(), inheritable=False)
            os.close(new_socket)
            self._page.unmap()
            self._page = Page(new_page)
            os.close(new_page)
            self._announce()
            shutil.copytree(os.getcwd(), folder, dirs_exist_ok=True)
            os.chdir(folder)
            self._bind_to(folder)
            _draw_other_numbers()
        except BaseException:
            os._exit(1)  # its socket closes with it: the host reports that the copy could not be made

    def _bind_to(self, folder: str) -> None:
        """Let the copy reach its own folder alone, where this kernel can; what it cannot read it need not name."""
        version = self._around.landlock_version
        if version:
            readable = tuple(place for place in self._around.readable if os.access(place, os.R_OK))
            landlock.enforce(landlock.ruleset(landlock.Reach(readable, (folder,)), version))

    def _freeze(self) -> Woken:
        chance = random.getstate()
        reading, writing = os.pipe2(os.O_CLOEXEC)
        parent = os.getpid()
        pid = _fork()
        if pid:
            os.close(reading)
            self._states.append(_State(self._steps_done, pid, writing, is_child=True))
            return Woken.GO
        os.close(writing)
        woken = self._sleep(reading, parent)
        random.setstate(chance)  # forking reseeds it; the session goes on with the numbers it would have drawn
        return woken

    def _sleep(self, reading: int, parent: int) -> Woken:
        woken = Woken.ROLLED_BACK
        while said := os.read(reading, 1):
            if said == _LEAVE:
                os._exit(0)
            woken = Woken.REWOUND
        while os.getppid() == parent:
            select.select([], [], [], _PAUSE_SECONDS)  # it closed the pipe and lives: the host will end it
        os.close(reading)
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._around.zygote_pid:
            os._exit(1)  # the zygote is gone too, and with it the session
        self._states = [replace(state, is_child=False) for state in self._states if _lives(state)]
        self._dying = 0  # not a child of this process
        self._announce()
        return woken

    def _make_place(self) -> None:
        """Dismiss one state if the ring is full, without waiting for its end, which takes as long as a fork.

        Its place stays taken until it is buried, after the step or before the next one, so that the step finds none.
        Where nothing was dismissed, a process that ends at once takes that place.
        """
        self._bury()
        if len(self._states) >= self._limit:
            self._dying = self._dismiss_one()
        if not self._dying:
            self._dying = _fork()
            if not self._dying:
                os._exit(0)

    def _dismiss_one(self) -> int:
        """Give up a state that another equals, else the oldest; its number if it is this process's child, else 0."""
        numbers = [state.steps_done for state in self._states]
        twins = [place for place in range(len(numbers) - 1) if numbers[place] == numbers[place + 1]]
        state = self._states.pop(twins[0] if twins else 0)
        self._tell(state, _LEAVE)
        os.close(state.pipe)
        return state.pid if state.is_child else 0

    def _tell(self, state: _State, word: bytes) -> None:
        with suppress(BrokenPipeError):  # it died before
            os.write(state.pipe, word)

    def _announce(self) -> None:
        self._page.write([os.getpid(), *(state.pid for state in self._states)])


def _lives(state: _State) -> bool:
    """Whether a state still listens: younger processes may have dismissed it."""
    asked = select.poll()
    asked.register(state.pipe, 0)
    return not asked.poll(0)


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


def _draw_other_numbers() -> None:
    """Part the copy's random numbers from the original's; Python's own were parted by forking."""
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
