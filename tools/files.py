"""Find files and text below one folder.

The folder is the one named by the environment variable TOOLS_FOLDER, else the current folder. Links are not followed
while searching, hidden files and folders are left out, and neither `..` nor a link leads out. Text is searched for as
it stands: a regular expression could keep the machine busy for ever.
"""

from __future__ import annotations

import datetime
import fnmatch
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _tools_folder import BEGINNING, encoding_of, inside, is_text, open_file, root

_MOST_FILES = 50_000
_SEARCHED_BYTES = 5_000_000
_SHOWN_CHARS = 300


def find_files(pattern: str = "*", folder: str = ".", limit: int = 200) -> list[dict[str, Any]]:
    """Find files by name, as `{file, size_bytes, modified}` in the order of their names.

    In `pattern`, `*` stands for any characters, folders included, and `?` for one: `*.csv`, `reports/*2024*`.
    """
    found = []
    for path in _files(folder):
        name = path.relative_to(root()).as_posix()
        if fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(path.name, pattern):
            status = path.lstat()
            moment = datetime.datetime.fromtimestamp(int(status.st_mtime), datetime.UTC)
            found.append({"file": name, "size_bytes": status.st_size, "modified": moment.isoformat()})
            if len(found) >= limit:
                break
    return found


def search_text(text: str, pattern: str = "*", folder: str = ".", limit: int = 100) -> list[dict[str, Any]]:
    """Find the lines that hold `text`, upper and lower case alike, as `{file, line, text}`.

    `pattern` says in which files, as for find_files. Files that are not text and those over 5 MB are passed over.
    """
    wanted = text.casefold()
    if not wanted.strip():
        raise ValueError("search_text needs a text to look for; find_files lists the files themselves")
    found: list[dict[str, Any]] = []
    for entry in find_files(pattern, folder, _MOST_FILES):
        if entry["size_bytes"] > _SEARCHED_BYTES:
            continue
        for number, line in enumerate(_lines(entry["file"]), 1):
            at = line.casefold().find(wanted)
            if at >= 0:
                start = max(0, at - _SHOWN_CHARS // 2)
                found.append(
                    {"file": entry["file"], "line": number, "text": line[start : start + _SHOWN_CHARS].strip()}
                )
                if len(found) >= limit:
                    return found
    return found


def read_text(file: str, first_line: int = 1, lines: int = 500) -> str:
    """Read lines of a text file, beginning with `first_line` (counted from 1), with a note where more follow."""
    if first_line < 1 or lines < 1:
        raise ValueError("first_line and lines count from 1")
    every = _lines(file, refuse_others=True)
    chosen = every[first_line - 1 : first_line - 1 + lines]
    if not chosen and every:
        raise ValueError(f"{file!r} has {len(every):,} lines: first_line={first_line} lies behind its end")
    left = len(every) - (first_line - 1 + len(chosen))
    note = f"\n… {left:,} more lines: read_text({file!r}, first_line={first_line + len(chosen)})" if left > 0 else ""
    return "\n".join(chosen) + note


def _files(folder: str) -> Iterator[Path]:
    """The files below a folder, at most _MOST_FILES, in the order of their names."""
    start = inside(folder)
    if not start.is_dir():
        raise NotADirectoryError(f"there is no folder {folder!r}")
    count = 0
    for here, folders, names in os.walk(start, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            if name.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > _MOST_FILES:
                return
            yield path


def _lines(file: str, *, refuse_others: bool = False) -> list[str]:
    """The lines of a text file; of a file that is not text none, or an error."""
    with os.fdopen(open_file(file), "rb") as source:
        content = source.read(_SEARCHED_BYTES + 1)
    if not is_text(content[:BEGINNING]) or len(content) > _SEARCHED_BYTES:
        if refuse_others:
            reason = "holds more than 5 MB" if len(content) > _SEARCHED_BYTES else "is not text"
            raise ValueError(f"{file!r} {reason}")
        return []
    return content.decode(encoding_of(content[:BEGINNING]), "replace").splitlines()


for _tool in (find_files, search_text, read_text):
    _tool.__dict__["effect"] = "read"  # what a call changes: nothing
