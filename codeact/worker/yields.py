"""What a step leaves behind: its value, the files it wrote, and its pictures."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable
from typing import Any

from codeact.records import MEDIA_TYPES
from codeact.snippet.describe import describe
from codeact.wire.messages import Picture, WrittenFile
from codeact.wire.values import Allowance, described, pack
from codeact.worker.folder import KNOWN_AS, moved
from codeact.worker.kept import Found, look

_PYPLOT = "matplotlib.pyplot"
_MOST_FILES = 1000
_MOST_PICTURES = 20
_PICTURE_BYTES = 8 << 20
_TEXT_CHARS = 500
_ALL_PICTURES_BYTES = 32 << 20

Seen = dict[str, tuple[int, int]]


class Yields:
    """Compares the working folder with how it was when the step began, and draws the figures it opened."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._files: Seen | None = None
        self._drawn: list[Picture] = []

    def begin(self) -> None:
        """Take note of what is there; between two steps nothing is written."""
        if self._files is None:
            self._files = _shown(look(self._folder))
        self._drawn = []

    def collect(self, found: Found) -> tuple[list[WrittenFile], list[Picture]]:
        """Give what is new or changed since, as `look` found the folder, and what was drawn."""
        if not found and not self._files and not self._drawn:
            return [], []
        before, now = self._files or {}, _shown(found)
        changed = [name for name in sorted(now) if before.get(name) != now[name]]
        self._files = now
        saved = [picture for name in changed if (picture := self._picture(name)) is not None]
        written = [WrittenFile(os.fsencode(name), now[name][0]) for name in changed[:_MOST_FILES]]
        return written, _not_too_many([*saved, *self._drawn])

    def read(self, name: str, most_bytes: int) -> bytes:
        """Give a file's bytes; OSError or ValueError where it cannot be had."""
        root = os.path.realpath(self._folder)
        path = os.path.realpath(os.path.join(root, moved(name, KNOWN_AS, root)))
        if path != root and not path.startswith(root + os.sep):
            raise ValueError(f"{name!r} lies outside the working folder")
        with open(path, "rb", opener=_without_links_or_waiting) as file:  # which closes what is a folder
            content = file.read(min(os.fstat(file.fileno()).st_size, most_bytes) + 1)  # all of it is taken first
        if len(content) > most_bytes:
            raise ValueError(f"{name!r} is larger than {most_bytes:,} bytes")
        return content

    def _picture(self, name: str) -> Picture | None:
        media_type = MEDIA_TYPES.get(os.path.splitext(name)[1].lower())
        if media_type is None:
            return None
        try:
            return Picture(name, media_type, self.read(name, _PICTURE_BYTES))
        except (OSError, ValueError):  # too large to show, or gone again; it is still in the list of files
            return None

    def draw(self, tell: Callable[[str], object]) -> None:
        """Draw the figures still open and close them; where as many pictures were saved, they are taken to be the same.

        It belongs to the step: figures may call functions of the snippet, and without a cage the host has others.
        """
        pyplot: Any = sys.modules.get(_PYPLOT)
        numbers = pyplot.get_fignums() if pyplot is not None else []
        try:
            if numbers and len(numbers) > self._saved():
                for number in numbers[:_MOST_PICTURES]:
                    self._draw(pyplot, number, tell)
        finally:
            for number in numbers:
                pyplot.close(number)

    def _saved(self) -> int:
        before, now = self._files or {}, _shown(look(self._folder))
        changed = (name for name in now if before.get(name) != now[name])
        return sum(os.path.splitext(name)[1].lower() in MEDIA_TYPES for name in changed)

    def _draw(self, pyplot: Any, number: int, tell: Callable[[str], object]) -> None:
        drawn = io.BytesIO()
        try:
            pyplot.figure(number).savefig(drawn, format="png")
        except Exception as error:  # it is told as it would be in a notebook
            tell(f"figure {number} could not be drawn: {type(error).__name__}: {error}\n")
            return
        if drawn.tell() <= _PICTURE_BYTES:
            self._drawn.append(Picture(f"figure-{number}.png", "image/png", drawn.getvalue()))


def _without_links_or_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _shown(found: Found) -> Seen:
    """The files to tell of: not what libraries keep for themselves, such as font caches, in places with a dot."""
    seen: Seen = {}
    for name, status in found.items():
        if len(seen) < _MOST_FILES and stat.S_ISREG(status.st_mode) and not name.startswith(".") and "/." not in name:
            seen[name] = status.st_size, status.st_mtime_ns
    return seen


def _not_too_many(pictures: list[Picture]) -> list[Picture]:
    left = _ALL_PICTURES_BYTES
    kept = []
    for picture in pictures[:_MOST_PICTURES]:
        left -= len(picture.content)
        if left >= 0:
            kept.append(picture)
    return kept


def crossing(value: Any, allowance: Allowance) -> Any:
    """A value as it crosses: whatever goes wrong with it, a description does cross."""
    try:
        return pack(value, allowance, lossy=True)
    except BaseException as error:  # also a limit reached in a value's own code
        return described(value, f"{describe(value, _TEXT_CHARS)} ({type(error).__name__} while it was copied)")
