"""The live copies of a session, as their original knows them: children of its own that it has to bury."""

from __future__ import annotations

import os
import select
import signal
import socket
from contextlib import suppress

from codeact.worker.page import Page


class Copies:
    """The copies that were made of this process and may still live."""

    def __init__(self) -> None:
        self._pids: set[int] = set()
        self._ends: tuple[int, int] | None = None  # a pipe that the end of any child writes to, once there are copies

    @property
    def descriptors(self) -> int:
        """How many it takes to hear of ends."""
        return len(self._ends or ())

    def expect(self) -> None:
        """Begin to hear of ends, before the first copy is made."""
        if self._ends is None:
            self._ends = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            signal.set_wakeup_fd(self._ends[1], warn_on_full_buffer=False)

    def add(self, pid: int) -> None:
        """Note a copy just made."""
        self._pids.add(pid)

    def forget(self) -> None:
        """Know of none any more: this process has become a copy itself."""
        self._pids.clear()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for descriptor in self._ends or ():
            os.close(descriptor)
        self._ends = None

    def bury(self) -> None:
        """Bury those that have ended."""
        for pid in list(self._pids):
            with suppress(ChildProcessError):
                if not os.waitpid(pid, os.WNOHANG)[0]:
                    continue
            self._pids.discard(pid)

    def bury_until_ready(self, sock: socket.socket) -> None:
        """Where there are copies, wait for a message and bury those that end before: it may be long until then."""
        while self._pids and self._ends is not None:
            waiting = select.poll()
            waiting.register(sock, select.POLLIN)
            waiting.register(self._ends[0], select.POLLIN)
            ready = {descriptor for descriptor, _ in waiting.poll()}
            if self._ends[0] in ready:
                with suppress(BlockingIOError):
                    os.read(self._ends[0], select.PIPE_BUF)
                self.bury()
            if sock.fileno() in ready:
                return


def buried(pid: int, options: int = 0) -> int:
    """Bury a child, or any for -1; its number, or 0 where there is none: code without the language may have done it."""
    try:
        return os.waitpid(pid, options)[0]
    except ChildProcessError:
        return 0


def introduce(copy: int, page_descriptor: int) -> None:
    """Say on the page of a copy which process it is; so the zygote knows it as soon as the host may ask for another."""
    page = Page(page_descriptor)
    page.write([copy])
    page.unmap()
