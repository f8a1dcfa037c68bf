"""States of a session kept as frozen forks of its process: a backup before each step, and older ones for rewinding.

    running ──fork──▶ newest state ⋯ older state ⋯ oldest state        each sleeps on a pipe

The writing end of a state's pipe is held by all younger processes and by no other. So its end of file means that
they are all dead, and the state takes over; a byte on it means what that byte says. Several steps may follow a state
before the next one is frozen, if whoever goes back to it runs them again. The ring is kept full from the
first state on, and one place taken by a process just dead: with the number of processes limited to that, no place is
left to fork into. A session that another can take the place of until then freezes no state before its first step, and
may not fork in it either.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, NamedTuple

import msgspec

from codeact.worker import kernel, landlock
from codeact.worker.copies import Copies, buried, introduce
from codeact.worker.kept import Found, copy_all, look
from codeact.worker.page import Page

_LEAVE = 255  # any other number: take over, that many steps further back than was asked for
_FORK_ATTEMPTS = 400
_PAUSE_SECONDS, _SHORT_PAUSE_SECONDS = 0.0025, 0.0001
_PATH_BYTES = 4096


def processes_needed(limit: int) -> int:
    """How many processes a session with this many states may have: itself, the states, and one just dead."""
    return limit + 2 if limit else 1


# As whom a process comes out of `before_step`: it runs the step; it was the backup, and the process that ran the step
# is dead; it was an older state, and the session went back to it.
Woken = Literal["go", "rolled back", "rewound"]


class _State(NamedTuple):
    steps_done: int
    pid: int
    pipe: int
    is_child: bool


class Surroundings(msgspec.Struct, frozen=True):
    """What a session's states share: its socket, and the process that started it."""

    sock: socket.socket
    zygote_pid: int

    @property
    def all_end_together(self) -> bool:
        """Whether the kernel ends every process here with the zygote, whoever forked it."""
        return self.zygote_pid == 1


class Checkpoints:
    """The frozen states of this session, newest last; at most `limit` are kept."""

    def __init__(self, limit: int, page: Page, surroundings: Surroundings, *, first_step_is_safe: bool) -> None:
        self.limit, self._page, self._around = limit, page, surroundings
        self._is_safe = first_step_is_safe  # the next step needs no state to go back to
        self._states: list[_State] = []
        self._steps_done = 0
        self.beyond = 0  # by how many steps this state, which was gone back to, is older than the one asked for
        self._dying = 0
        self._copies = Copies()
        self._announce()

    @property
    def descriptors(self) -> int:
        """How many the states and the copies take of this process's."""
        return len(self._states) + self._copies.descriptors

    def before_step(self, note: Callable[[], object], *, freezes: bool) -> Woken:
        """Freeze a copy of this process if asked to; returns here at once, and in the copy when it has to take over.

        `note` is called where there will be such a copy, before it is made.
        """
        if not (freezes and self.limit) or self._is_safe:
            self._is_safe = self._is_safe and not freezes
            self._steps_done += 1
            return "go"
        note()
        self._page.unsettle()
        self._make_place()
        while len(self._states) < self.limit:
            woken = self._freeze()
            if woken != "go":
                return woken
        self._announce()
        self._steps_done += 1
        return "go"

    def note_step(self, first_call: int) -> None:
        """Say that the step begins which has this first call: from here on it can be undone."""
        self._page.note_step(first_call)

    def after_step(self, *, keeps_place: bool) -> None:
        """Bury the process that kept its place through the step, before the host has its answer.

        Whoever then looks at the processes of a session sees them all alive, and none about to vanish. Where another
        step may follow before a state is frozen again, it `keeps_place`, for that step would find it: it is dead then,
        and not buried. Nor is it where copies share the places: a step of another one might be looking for it.
        """
        if self._page.has_copies:
            return
        if not keeps_place:
            self._bury()
        elif self._dying:
            with suppress(ChildProcessError):  # code without the language may have buried it
                os.waitid(os.P_PID, self._dying, os.WEXITED | os.WNOWAIT)

    def let_go(self) -> None:
        """End the states, and bury those that are children of this process; the next step freezes one again."""
        for state in self._states:
            self._tell(state, _LEAVE)
            os.close(state.pipe)
            if state.is_child:
                buried(state.pid)
        self._states = []
        self._announce()

    def _bury(self) -> None:
        if self._dying:
            buried(self._dying)
            self._dying = 0
        while buried(-1, os.WNOHANG):  # what the zygote has killed
            pass

    def rewind(self, steps: int) -> None:
        """End this process in favour of the state before the last `steps` steps; `LookupError` where it is not kept."""
        wanted = self._steps_done - steps
        beyond = {place: wanted - state.steps_done for place, state in enumerate(self._states) if _lives(state)}
        places = [place for place, number in beyond.items() if 0 <= number < _LEAVE]
        if not 1 <= steps <= self.limit or not places:
            kept = min(self.limit, steps + max(beyond.values(), default=-steps))
            most = f"{kept} is the most, as many earlier states as are kept (Limits.checkpoints)"
            raise LookupError(f"cannot go back by {steps}: {most}")
        for state in self._states[places[-1] + 1 :]:
            self._tell(state, _LEAVE)
        self._tell(self._states[places[-1]], beyond[places[-1]])
        os._exit(0)

    def fork_session(self) -> bool:
        """Make a live copy of the session: True in the copy, False here.

        The host sends its socket right after its request. There the zygote's word waits with all else it needs: the
        name of a folder, a page, and the rules that bind it to its folder, where this kernel has such.
        """
        _, (link,), _, _ = socket.recv_fds(self._around.sock, 1, 1)
        with socket.socket(fileno=os.dup(link)) as waiting:
            place, descriptors, _, _ = socket.recv_fds(waiting, _PATH_BYTES, 2)
        self._page.tell_of_copies()
        self._copies.expect()
        found = look(os.getcwd())
        reading, writing = os.pipe2(os.O_CLOEXEC)
        child = self._fork()
        if child == 0:
            self._copies.forget()
            os.close(reading)
            self._become_copy(found, os.fsdecode(place), link, *descriptors)
            os.close(writing)
            return True
        self._copies.add(child)
        if self._around.all_end_together:
            introduce(child, descriptors[0])
        for descriptor in (link, *descriptors, writing):
            os.close(descriptor)
        if found or not self._around.all_end_together:
            os.read(reading, 1)  # it has settled in, or has failed, which the host sees on its socket
        os.close(reading)
        return False

    def await_message(self) -> None:
        """Wait for one where there are copies, which may end before."""
        self._copies.bury_until_ready(self._around.sock)

    def _become_copy(self, found: Found, folder: str, new_socket: int, new_page: int, rules: int = -1) -> None:
        try:
            if not self._around.all_end_together:
                self._become_zygotes_child()
            for state in self._states:
                os.close(state.pipe)
            self._states, self._steps_done, self._dying = [], 0, 0
            self._is_safe = False
            os.dup2(new_socket, self._around.sock.fileno(), inheritable=False)
            os.close(new_socket)
            self._page.unmap()
            self._page = Page(new_page)
            self._page.tell_of_copies()
            os.close(new_page)
            self._announce()
            copy_all(found, ".", folder)  # a closed original has none that could be named
            os.chdir(folder)
            if rules >= 0:
                landlock.enforce(rules)
        except BaseException:
            os._exit(1)  # its socket closes with it: the host reports that the copy could not be made

    def _become_zygotes_child(self) -> None:
        """Go on in a child of a child, which dies with the zygote as its original does."""
        if self._fork():
            os._exit(0)
        while os.getppid() not in (self._around.zygote_pid, 1):
            select.select([], [], [], _PAUSE_SECONDS)  # what forked it is about to end
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._around.zygote_pid:
            os._exit(1)

    def _fork(self) -> int:
        """Fork, waiting a moment where the places of processes that just died are not free yet."""
        for attempt in range(_FORK_ATTEMPTS):
            try:
                return kernel.fork()
            except OSError as error:
                if error.errno != errno.EAGAIN:
                    raise
                select.select([], [], [], min(_PAUSE_SECONDS, _SHORT_PAUSE_SECONDS * (attempt + 1)))
                self._copies.bury()
        return kernel.fork()

    def _freeze(self) -> Woken:
        reading, writing = os.pipe2(os.O_CLOEXEC)
        parent = os.getpid()
        pid = self._fork()
        if pid:
            os.close(reading)
            self._states.append(_State(self._steps_done, pid, writing, is_child=True))
            return "go"
        os.close(writing)
        return self._sleep(reading, parent)

    def _sleep(self, reading: int, parent: int) -> Woken:
        woken: Woken = "rolled back"
        while said := os.read(reading, 1):
            if said[0] == _LEAVE:
                os._exit(0)
            woken, self.beyond = "rewound", said[0]
        while os.getppid() == parent:
            select.select([], [], [], _PAUSE_SECONDS)  # it closed the pipe and lives: the host will end it
        os.close(reading)
        self._around.sock.setblocking(True)  # processes have it in common: the one that is gone may have changed it
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._around.zygote_pid:
            os._exit(1)  # the zygote is gone too, and with it the session
        self._states = [state._replace(is_child=False) for state in self._states if _lives(state)]
        self._dying = 0  # not a child of this process
        self._announce()
        return woken

    def _make_place(self) -> None:
        """Dismiss one state if the ring is full, without waiting for its end, which takes as long as a fork.

        Its place stays taken until it is buried, after the step or before the next one, so that the step finds none.
        Where nothing was dismissed, a process that ends at once takes that place.
        """
        self._bury()
        while len(self._states) >= self.limit:
            self._bury()
            self._dying = self._dismiss_one()
        if not self._dying:
            self._dying = self._fork()
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

    def _tell(self, state: _State, word: int) -> None:
        try:
            os.write(state.pipe, bytes((word,)))
        except BrokenPipeError:
            return  # it died before

    def _announce(self) -> None:
        self._page.write([os.getpid(), *[state.pid for state in self._states]])


def _lives(state: _State) -> bool:
    """Whether a state still listens: younger processes may have dismissed it."""
    asked = select.poll()
    asked.register(state.pipe, 0)
    return not asked.poll(0)
