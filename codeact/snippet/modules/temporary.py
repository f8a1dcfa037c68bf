"""tempfile inside the working folder: files and folders with names of their own, which go when they are closed."""

from __future__ import annotations

import errno
import operator
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import types_
from codeact.snippet.modules.paths import here
from codeact.snippet.modules.row import Room, named
from codeact.snippet.words import words

_NUMBER = "temporary names"
_MOST_TAKEN = 100  # names in a row: they are counted, so a snippet made these by itself


_METHODS = "read readline readlines write writelines seek tell flush truncate readable writable seekable isatty"


def temporary_files(room: Room) -> dict[str, Any]:
    """The replaced names of tempfile; names are counted, so that a session that is lived again gets the same."""
    unused, mkdir = _names(room), vars(room.facades.import_module("os"))["mkdir"]

    def gettempdir() -> str:
        return here(room)

    def gettempdirb() -> bytes:
        return os.fsencode(here(room))

    def mkdtemp(suffix: Any = None, prefix: Any = None, dir: Any = None) -> str:
        name = unused(suffix, prefix, dir)
        mkdir(name)
        return name

    opener = _opener(room, unused)
    return {
        **named(gettempdir, gettempdirb, mkdtemp, tempfile.gettempprefix, tempfile.gettempprefixb),
        "TMP_MAX": tempfile.TMP_MAX,
        "TemporaryDirectory": _directories(room, mkdtemp),
        "NamedTemporaryFile": opener,
        "TemporaryFile": opener,
    }


def _names(room: Room) -> Callable[[Any, Any, Any], str]:
    def unused(suffix: Any, prefix: Any, below: Any) -> str:
        start = room.folder.told(room.folder.path("." if below is None else below))
        first = room.settings.get(_NUMBER, 0)
        for number in range(first, first + _MOST_TAKEN):
            name = os.path.join(start, f"{prefix or 'tmp'}{number:08d}{suffix or ''}")
            if not os.path.lexists(room.folder.path(name)):
                room.settings[_NUMBER] = number + 1
                return name
        raise FileExistsError(errno.EEXIST, "No usable temporary file name found")

    return unused


def _directories(room: Room, mkdtemp: Callable[..., str]) -> type:
    rmtree = vars(room.facades.import_module("shutil"))["rmtree"]

    class TemporaryDirectory:
        """A folder that goes when the with statement ends."""

        __slots__ = ("name",)

        def __init__(self, suffix: Any = None, prefix: Any = None, dir: Any = None, **settings: Any) -> None:
            self.name = mkdtemp(suffix, prefix, dir)

        def __enter__(self) -> str:
            return self.name

        def __exit__(self, *details: object) -> None:
            self.cleanup()

        def cleanup(self) -> None:
            """Remove it with all that is in it."""
            rmtree(self.name, ignore_errors=True)

    return TemporaryDirectory


def _opener(room: Room, unused: Callable[..., str]) -> Callable[..., Any]:
    file = _files(room)

    def open_one(  # noqa: PLR0913, PLR0917  # its parameters in tempfile
        mode: Any = "w+b",
        buffering: Any = -1,
        encoding: Any = None,
        newline: Any = None,
        suffix: Any = None,
        prefix: Any = None,
        dir: Any = None,
        delete: Any = True,
        *,
        errors: Any = None,
        delete_on_close: Any = True,
    ) -> Any:
        name = unused(suffix, prefix, dir)
        opened = room.folder.open(name, mode, buffering, encoding, errors, newline)
        return file(opened, name, delete_on_close) if delete else opened

    open_one.__name__ = open_one.__qualname__ = "NamedTemporaryFile"
    return open_one


def _files(room: Room) -> Callable[..., Any]:
    remove = vars(room.facades.import_module("os"))["remove"]

    class TemporaryFile:
        """An open file that goes when it is closed, or when its with statement ends."""

        __slots__ = ("_opened", "_stays", "name")

        def __init__(self, opened: Any, name: str, delete_on_close: Any = True) -> None:
            self._opened, self.name, self._stays = opened, name, not delete_on_close

        def __enter__(self) -> Any:
            self._opened.__enter__()  # which says so where it is closed
            return self

        def __exit__(self, *details: object) -> None:
            self.close()
            if self._stays:
                self._stays = False
                self._remove()

        def __iter__(self) -> Iterator[Any]:
            return iter(self._opened)

        @property
        def closed(self) -> Any:
            """Whether it is."""
            return self._opened.closed

        def close(self) -> None:
            """Close it, and remove it if it is to go now."""
            if not self._opened.closed:
                self._opened.close()
                if not self._stays:
                    self._remove()

        def _remove(self) -> None:
            if os.path.exists(room.folder.path(self.name)):
                remove(self.name)

    for method in words(_METHODS):
        setattr(TemporaryFile, method, _passed_on(method))
    for name in words("mode encoding errors newlines line_buffering"):
        setattr(TemporaryFile, name, property(operator.attrgetter(f"_opened.{name}")))
    types_.present(TemporaryFile, tempfile._TemporaryFileWrapper)
    return TemporaryFile


def _passed_on(name: str) -> Any:
    def method(self: Any, *arguments: Any) -> Any:
        return getattr(self._opened, name)(*arguments)

    method.__name__ = method.__qualname__ = name
    return method
