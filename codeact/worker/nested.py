"""Removing what code left in a folder: it may be nested beyond any path, closed, and still be added to."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice

_AT_A_TIME = 1_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_now = time.monotonic  # before a session may fix its clocks


def new_name() -> str:
    """A name nobody can guess."""
    return os.urandom(16).hex()


def take_away(folder: str, *, seconds: float = 60.0) -> bool:
    """Remove a folder with all that is in it, for at most so long; whether it is gone.

    What lies below the folders in it is moved up before they are removed. What cannot be removed stays. All is reached
    by descriptors: code that lives on may put a link to somewhere else in the place of a folder.
    """
    until = _now() + seconds
    with suppress(OSError), _opened(folder) as place:
        while _now() < until and ((found := _some_of(place)) or not _rmdir(folder)):
            for entry in found:
                _remove(entry, place)
                if _now() > until:
                    break
    return not os.path.lexists(folder)


def _some_of(place: int) -> list[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        return list(islice(entries, _AT_A_TIME))


def _remove(entry: os.DirEntry[str], place: int) -> None:
    """Remove a file, or a folder whose contents are moved up; another one may be about the same."""
    with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
        if not entry.is_dir(follow_symlinks=False):
            os.unlink(entry.name, dir_fd=place)
            return
        with _opened(entry.name, place) as inner:
            for name in os.listdir(inner):
                _move(name, inner, place)
        _rmdir(entry.name, place)


def _move(name: str, inner: int, place: int) -> None:
    try:
        os.rename(name, new_name(), src_dir_fd=inner, dst_dir_fd=place)
    except PermissionError:  # a folder that its owner may not write to stays where it is
        with _opened(name, inner):
            os.rename(name, new_name(), src_dir_fd=inner, dst_dir_fd=place)


def _rmdir(folder: str, place: int | None = None) -> bool:
    """Remove a folder, unless something has come into it; whether it is gone."""
    try:
        os.rmdir(folder, dir_fd=place)
    except OSError as error:
        if error.errno != errno.ENOTEMPTY:
            raise
        return False
    return True


@contextmanager
def _opened(folder: str, place: int | None = None) -> Iterator[int]:
    """A folder that may be read and changed: where it is closed to its owner, it is not any more."""
    try:
        descriptor = os.open(folder, _FOLDER, dir_fd=place)
    except PermissionError:
        _open_up(folder, place)
        descriptor = os.open(folder, _FOLDER, dir_fd=place)
    try:
        if not os.access(".", os.R_OK | os.W_OK | os.X_OK, dir_fd=descriptor):
            os.fchmod(descriptor, 0o700)  # only then: changing modes is not allowed everywhere
        yield descriptor
    finally:
        os.close(descriptor)


def _open_up(folder: str, place: int | None) -> None:
    """Let its owner read a folder, and nobody what a link in its place leads to."""
    found = os.open(folder, os.O_PATH | _FOLDER, dir_fd=place)
    try:
        os.chmod(f"/proc/self/fd/{found}", 0o700)
    except FileNotFoundError:  # a session sees no /proc: by a link it changes what it may change anyway
        os.chmod(folder, 0o700, dir_fd=place)
    finally:
        os.close(found)


def remove_empty(place: str, base: str) -> None:
    """Remove a place, such as that of a copy, and those above it that were left for it alone, below this one."""
    with suppress(OSError):  # somebody lives there
        while place != base:
            os.rmdir(place)
            place = os.path.dirname(place)
