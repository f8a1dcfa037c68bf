"""What os.scandir gives: the entries of a folder inside the working folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import Any

from codeact.snippet import running, types_


class DirEntry:
    """One entry; what it is asked is looked up inside the working folder."""

    __slots__ = ("name", "path")

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, path

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """The facts about it."""
        try:
            return os.stat(running.folder().path(self.path))
        except PermissionError:
            raise
        except OSError as error:  # without the path of the folder
            raise OSError(error.errno, error.strerror, self.path) from None

    def _mode(self) -> int:
        try:
            return self.stat().st_mode
        except OSError:  # it leads outside, or is gone
            return 0

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """True for folders."""
        return stat.S_ISDIR(self._mode())

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """True for files."""
        return stat.S_ISREG(self._mode())

    def is_symlink(self) -> bool:
        """False: the folder holds no links."""
        return False

    def is_junction(self) -> bool:
        """False: there are none here."""
        return False

    def inode(self) -> int:
        """Its number in the file system."""
        return self.stat().st_ino

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"


types_.present(DirEntry, os.DirEntry)


class Entries:
    """The iterator over them, which may stand in a with statement."""

    __slots__ = ("_found",)

    def __init__(self, found: Iterator[DirEntry]) -> None:
        self._found = found

    def __iter__(self) -> Entries:
        return self

    def __next__(self) -> DirEntry:
        return next(self._found)

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        """Give no more."""
        self._found = iter(())


def entries(path: Any) -> Entries:
    """The entries of a folder, each with the path that was asked for before its name."""
    names = sorted(os.listdir(running.folder().path(path)))
    start = os.fspath(path)
    return Entries(iter([DirEntry(name, os.path.join(start, name)) for name in names]))
