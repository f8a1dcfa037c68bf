"""The paths a caller names."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from codeact.errors import UsageError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What writing fails with on a full disk, and where no more may be written."""


_PATH, _NAME = 4096, 255  # bytes: what Linux takes


def as_path(call: str, given: str | os.PathLike[str]) -> Path:
    """Give what names a file or a folder as a path; UsageError, which tells of the `call`, where it names none.

    >>> as_path("save({})", "run.session")
    PosixPath('run.session')
    """
    what = "a path is needed"
    if isinstance(given, str | os.PathLike) and isinstance(path := os.fspath(given), str):
        with suppress(UnicodeEncodeError):  # what no file system can say
            said = os.fsencode(path)
            if said and b"\0" not in said and len(said) < _PATH and max(map(len, said.split(b"/"))) <= _NAME:
                return Path(path)
            what += f", and no part of one has more than {_NAME} bytes" if len(said) > _NAME else ""
    raise UsageError(f"{call.format(f'{given!r:.80}')}: {what}")


def whole_path(call: str, given: str | os.PathLike[str]) -> Path:
    """Give such a path as it stays while tools change the current folder; UsageError where that is gone."""
    path = as_path(call, given)
    try:
        return path.absolute()
    except FileNotFoundError as error:
        told = "the current folder is gone, and with it what this path begins at. Give one that begins with /"
        raise UsageError(f"{call.format(f'{os.fspath(given)!r:.80}')}: {told}") from error


def lasting_path(call: str, given: str | os.PathLike[str]) -> Path:
    """Give it so, `~` at its begin being a user's folder."""
    try:
        return whole_path(call, as_path(call, given).expanduser())
    except RuntimeError as error:
        raise UsageError(f"{call.format(f'{given!r:.80}')}: nobody knows where this home folder is") from error


def led_to(path: Path) -> Path:
    """Give the place a path leads to, links followed and `..` taken, also where nothing is there yet.

    `new/..` is no place of its own: nothing is there until `new` is made, and then all that lies beside it.
    """
    return Path(os.path.realpath(path))


@contextmanager
def whole_or_none(place: Path) -> Iterator[None]:
    """Take away what is written to a new file or folder, or into an empty one, where not all of it can be."""
    place = led_to(place)
    there = os.path.lexists(place)
    empty = there and place.is_dir() and not any(place.iterdir())
    try:
        yield
    except BaseException:
        for path in list(place.iterdir()) if empty else [] if there else [place]:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        raise
