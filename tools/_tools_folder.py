"""The one folder the table and file tools reach, fixed by who starts the program and not by the model.

It is the folder named by the environment variable TOOLS_FOLDER, else the current folder. Names are relative to it;
neither `..` nor a link leads out of it. Tools run outside the sandbox, where no snippet can change the variable.
"""

from __future__ import annotations

import codecs
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOST_BYTES = 200_000_000
"""A larger file is refused: its rows would not fit into a snippet's memory either."""
BEGINNING = 8192
"""So many bytes of a file tell whether it is text."""


def root() -> Path:
    """The folder itself; raises where the one named does not exist."""
    folder = Path(os.environ.get("TOOLS_FOLDER") or ".").resolve()
    if not folder.is_dir():
        raise NotADirectoryError("the folder named by TOOLS_FOLDER does not exist: set it to one that does")
    return folder


def inside(name: str) -> Path:
    """The path a name stands for, links resolved; raises PermissionError where it leads out of the folder."""
    if "\0" in name or not name.strip():
        raise ValueError(f"{name!r} is not a file's name")
    base = root()
    path = Path(base, name).resolve()
    if path != base and base not in path.parents:
        raise PermissionError(f"{name!r} lies outside the folder the tools may reach: use a name relative to it")
    return path


def open_file(name: str) -> int:
    """A descriptor to read a file by; every step of its path is opened without following links."""
    path, base = inside(name), root()
    if not path.exists():
        raise FileNotFoundError(f"there is no file {name!r}{_near(path, base)}")
    if not path.is_file():
        raise IsADirectoryError(f"{name!r} is not a file")
    step = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in path.relative_to(base).parts[:-1]:
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=step)
            os.close(step)
            step = deeper
        file = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=step)
    finally:
        os.close(step)
    size = os.fstat(file).st_size
    if size > MOST_BYTES:
        os.close(file)
        raise ValueError(f"{name!r} has {size:,} bytes; the tools read files of up to {MOST_BYTES:,}")
    return file


def new_file(name: str, *, overwrite: bool) -> Path:
    """The path for a file to be written; raises where it exists and may not be replaced."""
    path = inside(name)
    if path.is_dir():
        raise IsADirectoryError(f"{name!r} is a folder")
    if path.exists() and not overwrite:
        raise FileExistsError(f"{name!r} exists already: pass overwrite=True to replace it, or use another name")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A place to write to that takes the path at the end: what was there stays where not all can be written."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        yield part
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def encoding_of(beginning: bytes) -> str:
    """How a text with these first bytes is written, as its byte order mark says; UTF-8 without one."""
    return "utf-16" if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"


def is_text(beginning: bytes) -> bool:
    """Whether the first bytes of a file may be those of a text: none is NUL, which UTF-16 alone has in text."""
    return encoding_of(beginning) == "utf-16" or b"\0" not in beginning


def _near(path: Path, base: Path) -> str:
    """What lies beside a file that is not there."""
    if not path.parent.is_dir():
        return ""
    found = sorted(entry.name for entry in path.parent.iterdir() if not entry.name.startswith("."))
    if not found:
        return "; its folder is empty"
    shown = ", ".join(found[:15]) + (f", … {len(found) - 15} more" if len(found) > 15 else "")
    place = "its folder" if path.parent != base else "the folder"
    return f"; {place} holds {shown}"
