"""A journal has one writer: two that go on from the same line would each make the calls that come next."""

from __future__ import annotations

import fcntl
import os
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from codeact.errors import JournalError


class _Written(Protocol):
    def leave(self) -> None: ...


_written: weakref.WeakSet[_Written] = weakref.WeakSet()


def take(descriptor: int, path: Path, journal: _Written) -> None:
    """Lock the file for as long as it is open; JournalError where somebody else writes it, or put another in its place.

    A file system without locks goes without. A process forked meanwhile leaves the file to this one.
    """
    who = "another process, or elsewhere in this one"
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalError(f"{path} is being written by {who}: wait until that has ended, or end it") from error
    except OSError:
        return
    if not _is_still_at(path, descriptor):
        raise JournalError(f"{path} was just written anew by {who}: try again")
    _written.add(journal)


def _is_still_at(path: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


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
