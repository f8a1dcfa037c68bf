"""The files a task is given, as paths or as bytes, and how the journal says which they were.

Pictures among them, and those a step makes, are shown to models that see, and named with their size to all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from codeact.errors import JournalError, UsageError
from codeact.paths import as_path
from codeact.records import MEDIA_TYPES, Image

_TAKEN = {ending: kind for ending, kind in MEDIA_TYPES.items() if ending != ".svg"}  # by the large providers
_LARGEST_BYTES = 5 << 20  # of one picture, by them
_MOST = 20

Files = Mapping[str, str | Path | bytes] | Sequence[str | Path]


def given(files: Files) -> dict[str, Path | bytes]:
    """Give the files by their names, paths as they stay; UsageError says what cannot be read."""
    if not isinstance(files, Mapping | Sequence) or isinstance(files, str | bytes):
        told = "a list of paths, or a mapping of name to path or bytes, is needed"
        raise UsageError(f"run(files={str(files)!r:.80}): {told}")
    pairs = files.items() if isinstance(files, Mapping) else [(_name_of(path), path) for path in files]
    found: dict[str, Path | bytes] = {}
    for name, content in pairs:
        if name in found:
            raise UsageError(f"run(files=…): two files are named {name!r}; give a mapping of different names to paths")
        found[name] = content if isinstance(content, bytes) else _there(content)
    return found


def _name_of(path: str | Path) -> str:
    if isinstance(path, bytes):
        raise UsageError(f"run(files=[{path!r:.80}]): bytes need a name, as in files={{'orders.csv': b'…'}}")
    return as_path("run(files=[{}])", path).name


def _there(given: str | Path) -> Path:
    path = as_path("run(files={{…: {}}})", given)
    if not path.is_file():
        raise UsageError(f"run(files=…): there is no file {str(path)!r}")
    return path.resolve()


def size_of(content: Path | bytes) -> int:
    """Give the bytes a file has."""
    return len(content) if isinstance(content, bytes) else content.stat().st_size


def content_of(content: Path | bytes) -> bytes:
    """Give the bytes of a file."""
    return content if isinstance(content, bytes) else content.read_bytes()


def written(files: Mapping[str, Path | bytes]) -> list[dict[str, Any]]:
    """Give what the journal says of the files: bytes as they are, a path with what is there now."""
    return [
        {"name": name, "content": content}
        if isinstance(content, bytes)
        else {"name": name, "path": str(content), "sha256": _digest(content)}
        for name, content in files.items()
    ]


def read_again(said: Iterable[Mapping[str, Any]]) -> dict[str, Path | bytes]:
    """Give the files a journal tells of; JournalError where one is gone or changed."""
    files: dict[str, Path | bytes] = {}
    for file in said:
        if "content" in file:
            files[file["name"]] = file["content"]
            continue
        path = Path(file["path"])
        if not path.is_file():
            raise JournalError(f"the run read {file['name']} from {path}, and that file is gone")
        if _digest(path) != file["sha256"]:
            raise JournalError(f"the run read {file['name']} from {path}, and that file has changed since")
        files[file["name"]] = path
    return files


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def pictures_in(files: Mapping[str, Path | bytes]) -> tuple[Image, ...]:
    """Give the pictures that can be sent to a model; the others are files like any other."""
    found = [name for name in sorted(files) if Path(name).suffix.lower() in _TAKEN]
    fitting = [name for name in found if size_of(files[name]) <= _LARGEST_BYTES]
    return tuple(Image(name, _TAKEN[Path(name).suffix.lower()], content_of(files[name])) for name in fitting[:_MOST])


def sendable(images: Iterable[Image]) -> tuple[Image, ...]:
    """Give those of a step's pictures that can be sent to a model."""
    return tuple(one for one in images if one.media_type in _TAKEN.values() and len(one.data) <= _LARGEST_BYTES)
