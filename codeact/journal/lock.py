"""A journal has one writer: two that go on from the same line would each make the calls that come next."""

from __future__ import annotations

import fcntl
import os
import weakref
from pathlib import Path
from typing import Protocol

from codeact.errors import JournalError


class _Written(Protocol):
    def leave(self) -> None: ...


_written: weakref.WeakSet[_Written] = weakref.WeakSet()


def take(descriptor: int, path: Path, journal: _Written) -> None:
    """Lock the file for as long as it is open; JournalError where somebody else writes it.

    A file system without locks goes without. A process forked meanwhile leaves the file to this one.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        who = "another process, or elsewhere in this one"
        raise JournalError(f"{path} is being written by {who}: wait until that has ended, or end it") from error
    except OSError:
        return
    _written.add(journal)


def give_back(descriptor: int) -> None:
    """Unlock the file, also for a process that has inherited it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    except OSError:
        return  # there are no locks here


def _leave_to_parent() -> None:
    for journal in list(_written):
        journal.leave()


os.register_at_fork(after_in_child=_leave_to_parent)
