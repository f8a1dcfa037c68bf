"""A journal has one writer: two that go on from the same line would each make the calls that come next."""

from __future__ import annotations

import fcntl
import glob
import os
import secrets
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from codeact.errors import JournalError


class _Written(Protocol):
    def leave(self) -> None: ...


_NOT_WHOLE = ".part"
_LEFT_SECONDS = 60.0  # what has just been made is not locked yet
_WHO = "another process, or elsewhere in this one"

_written: weakref.WeakSet[_Written] = weakref.WeakSet()


def take(descriptor: int, path: Path, journal: _Written) -> None:
    """Lock the file for as long as it is open; JournalError where somebody else writes it, or put another in its place.

    A file system without locks goes without. A process forked meanwhile leaves the file to this one.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalError(f"{path} is being written by {_WHO}: wait until that has ended, or end it") from error
    except OSError:
        return
    if not _is_still_at(path, descriptor):
        raise JournalError(f"{path} was just written anew by {_WHO}: try again")
    _written.add(journal)


def refuse_written(path: Path) -> None:
    """Raise JournalError where somebody writes the file: one in its place would not get what is written next."""
    if _is_written(path):
        raise JournalError(f"{path} is being written by {_WHO}: name another place")


def new_beside(path: Path) -> Path:
    """A name for a file that is to take the place of this one once it is whole.

    Those that were left half-way are removed: nobody writes them any more.
    """
    with suppress(OSError):  # whoever writes there says what is wrong with the place
        for left in path.parent.glob(f".{glob.escape(path.name)}.*{_NOT_WHOLE}"):
            with suppress(OSError):
                if time.time() - left.lstat().st_mtime > _LEFT_SECONDS and _is_written(left) is False:
                    left.unlink()
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{_NOT_WHOLE}")


def _is_written(path: Path) -> bool | None:
    """Whether somebody writes the file; None where that cannot be told, or there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:  # whoever replaces it says what is there
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # there are no locks here
        return None
    finally:
        os.close(descriptor)
    return False


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
