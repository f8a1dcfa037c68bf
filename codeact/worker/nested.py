"""Removing what code left in a folder: it may be nested beyond any path, and closed."""

from __future__ import annotations

import os
from contextlib import suppress

_MOST_LEVELS = 1 << 16  # whoever still makes folders in it does not keep anybody here for ever


def new_name() -> str:
    """A name nobody can guess."""
    return os.urandom(16).hex()


def take_away(folder: str) -> None:
    """Remove a folder with all that is in it.

    What lies below the folders in it is moved up before they are removed. What cannot be removed stays.
    """
    with suppress(OSError):
        for _ in range(_MOST_LEVELS):
            inner = [entry.path for entry in list(os.scandir(folder)) if not _unlinked(entry)]
            for place in inner:
                for name in _names(place):
                    os.rename(f"{place}/{name}", f"{folder}/{new_name()}")
                os.rmdir(place)
            if not inner:
                break
        os.rmdir(folder)


def _names(folder: str) -> list[str]:
    """What is in a folder, which is opened where it is closed: changing modes by name is not allowed everywhere."""
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        os.chmod(folder, 0o700)
    return os.listdir(folder)


def _unlinked(entry: os.DirEntry[str]) -> bool:
    """Remove a file; whether it was one."""
    if entry.is_dir(follow_symlinks=False):
        return False
    os.unlink(entry.path)
    return True
