"""The files a session holds open: the kernel lets forked processes share them, where they stand included.

So a state notes before it is frozen which there are and where each stands. One that takes over, or a copy that settles
in, opens them anew under the same numbers: as they were, and shared with nobody.
"""

from __future__ import annotations

import fcntl
import os
import resource
import select
import stat
from contextlib import suppress
from typing import NamedTuple

from codeact.worker.kept import look

_FIRST = 4  # after the standard ones and the session's socket
_MOST = 1 << 10
_OPENED_HOW = os.O_ACCMODE | os.O_APPEND


class _Handle(NamedTuple):
    number: int
    name: str | None  # below the folder; None where it has none there
    flags: int
    position: int
    is_nowhere: bool


class Handles:
    """The open files of a session as they were noted last."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._noted: list[_Handle] = []
        self._numbers = range(_FIRST, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], _MOST))
        self._asked = select.poll()
        for number in self._numbers:
            self._asked.register(number, 0)

    def note(self, own: int) -> None:
        """Remember which files are open, and where each stands; so many descriptors are the session's `own`."""
        closed = {number for number, said in self._asked.poll(0) if said & select.POLLNVAL}
        all_closed = len(closed) == len(self._numbers) - own
        self._noted = [] if all_closed else self._look([number for number in self._numbers if number not in closed])

    def _look(self, numbers: list[int]) -> list[_Handle]:
        files = {number: status for number in numbers if stat.S_ISREG((status := os.fstat(number)).st_mode)}
        if not files:
            return []
        names = {(status.st_dev, status.st_ino): name for name, status in look(self._folder).items()}
        found = []
        for number, status in files.items():
            with suppress(OSError):  # one that stands nowhere
                at = os.lseek(number, 0, os.SEEK_CUR)
                flags = fcntl.fcntl(number, fcntl.F_GETFL) & _OPENED_HOW
                name = names.get((status.st_dev, status.st_ino))
                found.append(_Handle(number, name, flags, at, status.st_nlink == 0))
        return found

    def let_go(self) -> None:
        """Hold the files of the folder no longer, whose room may be needed to put back what was in it."""
        for handle in self._noted:
            if handle.name is not None:
                _close(handle.number)

    def reopen(self, *, in_copy: bool = False) -> None:
        """Have the files as they were noted; a copy cannot have those without a name, and using them is an error."""
        for handle in self._noted:
            if handle.name is not None:
                self._open(handle)
            elif not in_copy:
                os.lseek(handle.number, handle.position, os.SEEK_SET)
            elif handle.is_nowhere:
                _close(handle.number)

    def _open(self, handle: _Handle) -> None:
        path = os.path.join(self._folder, handle.name or "")
        try:
            opened = os.open(path, handle.flags | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:  # it may not be written to any more
            _close(handle.number)
            return
        os.lseek(opened, handle.position, os.SEEK_SET)
        os.dup2(opened, handle.number, inheritable=False)
        os.close(opened)


def _close(number: int) -> None:
    """See to it that whatever is done with a descriptor fails, and that no other file gets its number."""
    opened = os.open(".", os.O_PATH | os.O_CLOEXEC)
    os.dup2(opened, number, inheritable=False)
    os.close(opened)
