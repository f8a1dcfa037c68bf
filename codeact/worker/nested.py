"""Removing what code left in a folder: it may be nested beyond any path, closed, and still be added to."""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from itertools import islice

_AT_A_TIME = 1_000
_now = time.monotonic  # before a session may fix its clocks


def new_name() -> str:
    """A name nobody can guess."""
    return os.urandom(16).hex()


def take_away(folder: str, *, seconds: float = 60.0) -> bool:
    """Remove a folder with all that is in it, for at most so long; whether it is gone.

    What lies below the folders in it is moved up before they are removed. What cannot be removed stays.
    """
    until = _now() + seconds
    with suppress(OSError):
        while _now() < until and ((found := _some_of(folder)) or not _rmdir(folder)):
            for entry in found:
                _remove(entry, folder)
                if _now() > until:
                    break
    return not os.path.lexists(folder)


def _some_of(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(islice(entries, _AT_A_TIME))


def _remove(entry: os.DirEntry[str], folder: str) -> None:
    """Remove a file, or a folder whose contents are moved up; another one may be about the same."""
    with suppress(FileNotFoundError):
        if not entry.is_dir(follow_symlinks=False):
            os.unlink(entry.path)
            return
        for name in _names(entry.path):
            _move(f"{entry.path}/{name}", f"{folder}/{new_name()}")
        _rmdir(entry.path)


def _move(path: str, elsewhere: str) -> None:
    try:
        os.rename(path, elsewhere)
    except PermissionError:  # a folder that its owner may not write to stays where it is
        os.chmod(path, 0o700)
        os.rename(path, elsewhere)


def _rmdir(folder: str) -> bool:
    """Remove a folder, unless something has come into it; whether it is gone."""
    try:
        os.rmdir(folder)
    except OSError as error:
        if error.errno != errno.ENOTEMPTY:
            raise
        return False
    return True


def _names(folder: str) -> list[str]:
    """What is in a folder, which is opened where it is closed: changing modes by name is not allowed everywhere."""
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        os.chmod(folder, 0o700)
    return os.listdir(folder)
