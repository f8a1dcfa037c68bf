"""tempfile inside the working folder: files and folders with names of their own, which go when they are closed."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet.modules.paths import here
from codeact.snippet.modules.row import Room

_NUMBER = "temporary names"
_MOST_TAKEN = 100  # names in a row: they are counted, so a snippet made these by itself


def temporary_files(room: Room) -> dict[str, Any]:
    """The replaced names of tempfile; names are counted, so that a session that is lived again gets the same."""
    unused, mkdir = _names(room), vars(room.facades.import_module("os"))["mkdir"]

    def gettempdir() -> str:
        return here(room)

    def mkdtemp(suffix: Any = None, prefix: Any = None, dir: Any = None) -> str:
        name = unused(suffix, prefix, dir)
        mkdir(name)
        return name

    opener = _opener(room, unused)
    return {
        "gettempdir": gettempdir,
        "mkdtemp": mkdtemp,
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

    def open_one(
        mode: Any = "w+b", buffering: Any = -1, encoding: Any = None, newline: Any = None, **settings: Any
    ) -> Any:
        name = unused(settings.get("suffix"), settings.get("prefix"), settings.get("dir"))
        opened = room.folder.open(name, mode, buffering, encoding, settings.get("errors"), newline)
        return file(opened, name) if settings.get("delete", True) else opened

    open_one.__name__ = open_one.__qualname__ = "NamedTemporaryFile"
    return open_one


def _files(room: Room) -> Callable[[Any, str], Any]:
    remove = vars(room.facades.import_module("os"))["remove"]

    class TemporaryFile:
        """An open file that goes when it is closed."""

        __slots__ = ("_opened", "name")

        def __init__(self, opened: Any, name: str) -> None:
            self._opened, self.name = opened, name

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *details: object) -> None:
            self.close()

        def __iter__(self) -> Iterator[Any]:
            return iter(self._opened)

        @property
        def closed(self) -> Any:
            """Whether it is."""
            return self._opened.closed

        def close(self) -> None:
            """Close and remove it."""
            if not self._opened.closed:
                self._opened.close()
                if os.path.exists(room.folder.path(self.name)):
                    remove(self.name)

    for method in ("read", "readline", "readlines", "write", "writelines", "seek", "tell", "flush", "truncate"):
        setattr(TemporaryFile, method, _passed_on(method))
    return TemporaryFile


def _passed_on(name: str) -> Any:
    def method(self: Any, *arguments: Any) -> Any:
        return getattr(self._opened, name)(*arguments)

    method.__name__ = method.__qualname__ = name
    return method
