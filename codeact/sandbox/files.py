"""The files a session is handed in: opened by the host, copied into the working folder by the session."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from codeact.errors import UsageError

_MOST_FILES = 240  # as many as one packet carries, with room for the socket


def open_files(files: Mapping[str, Path | bytes]) -> dict[str, int]:
    """Give a descriptor for each file by its name in the working folder; UsageError where one cannot be handed in."""
    if len(files) > _MOST_FILES:
        raise UsageError(f"files=…: {len(files)} files, and {_MOST_FILES} are the most. Hand in an archive or a table")
    opened: dict[str, int] = {}
    try:
        for name, content in files.items():
            opened[name] = _descriptor_of(name, content)
    except BaseException:
        for descriptor in opened.values():
            os.close(descriptor)
        raise
    return opened


def _descriptor_of(name: str, content: Path | bytes) -> int:
    if isinstance(content, bytes):
        with open(os.memfd_create("codeact-file"), "w+b") as file:
            file.write(content)
            file.seek(0)
            return os.dup(file.fileno())
    return open_file(name, content)


def open_file(name: str, path: Path) -> int:
    """Give a descriptor of a file that is handed in; UsageError where it is none that can be read."""
    problem = "this is not a file. Hand folders in file by file"
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe is not waited for
    except OSError as error:
        problem = f"{error.strerror}. Name a file that can be read"
    else:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        os.close(descriptor)
    raise UsageError(f"files={{{name!r}: {str(path)!r}}}: {problem}")
