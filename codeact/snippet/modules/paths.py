"""Names of files, and the files of the working folder: os and os.path inside it.

Files are listed in the order of their names: that of a file system is another in a copy of a session, or elsewhere.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

from codeact.snippet.modules.entries import DirEntry, entries
from codeact.snippet.modules.row import Room, named
from codeact.snippet.modules.surroundings import Environment, put_into
from codeact.snippet.modules.walking import folders, quietly
from codeact.snippet.words import words

#: Functions of os that take one path and change or read what is there.
_OF_ONE_PATH = words("listdir stat lstat scandir access mkdir remove unlink makedirs truncate utime")
WORKED = (*_OF_ONE_PATH, "rmdir", "removedirs", "rename", "replace", "walk")
_CALLED = {"makedirs": "name", "isdir": "s", **dict.fromkeys(words("getsize getmtime getatime getctime"), "filename")}
_ASKING = words("exists lexists isfile isdir islink getsize getmtime getatime getctime ismount")


def folder_calls(room: Room) -> dict[str, Any]:
    """The replaced names of os."""
    one_path = {name: _at(room, getattr(os, name)) for name in _OF_ONE_PATH}

    def listdir(path: Any = ".") -> Any:
        return quietly(lambda: sorted(os.listdir(room.folder.path(path))), path)

    def rename(src: Any, dst: Any) -> None:
        quietly(lambda: room.folder.move(src, dst), src, dst)

    environ = Environment()

    def getenv(key: str, default: Any = None) -> Any:
        return environ.get(key, default)

    def getcwd() -> str:
        return here(room)

    def getcwdb() -> bytes:
        return os.fsencode(here(room))

    def get_terminal_size(fd: int = 1, /) -> Any:
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))

    def cpu_count() -> int:
        return 1

    def times() -> Any:
        clock = vars(room.facades.import_module("time"))
        return os.times_result((clock["process_time"](), 0.0, 0.0, 0.0, clock["monotonic"]()))

    def scandir(path: Any = ".") -> Any:
        return quietly(lambda: entries(path), path)

    def access(path: Any, mode: int, **settings: Any) -> bool:
        try:
            return bool(one_path["access"](path, mode, **settings))
        except (FileNotFoundError, NotADirectoryError):  # the former of the empty name, too
            return False

    return {
        **one_path,
        **named(listdir, rename, getenv, getcwd, getcwdb, get_terminal_size, cpu_count, times, scandir, access),
        "replace": rename,
        **folders(room),
        "environ": environ,
        "DirEntry": DirEntry,
    }


def _at(room: Room, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(*given: Any, **settings: Any) -> Any:
        settings.pop("dir_fd", None)
        path, *arguments = _path_first(real, given, settings)
        if isinstance(path, int):
            raise PermissionError(f"{real.__name__}() takes the name of a file, not a descriptor")
        return quietly(lambda: real(room.folder.path(path), *arguments, **settings), path)

    call.__name__ = call.__qualname__ = real.__name__
    return call


def _path_first(real: Callable[..., Any], given: tuple[Any, ...], settings: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments with the path, which may be given by the name it has there."""
    word = _CALLED.get(real.__name__, "path")
    if not given and word not in settings:
        raise TypeError(f"{real.__name__}() missing required argument {word!r} (pos 1)")
    return given or (settings.pop(word),)


def _asking(room: Room, real: Callable[..., Any]) -> Callable[..., Any]:
    def ask(*given: Any, **settings: Any) -> Any:
        path, *arguments = _path_first(real, given, settings)
        try:
            return quietly(lambda: real(room.folder.path(path), *arguments, **settings), path)
        except (OSError, ValueError):  # the last is of a name that no file can have
            if real.__name__.startswith("get"):
                raise
            return False

    ask.__name__ = ask.__qualname__ = real.__name__
    return ask


def file_names(room: Room) -> dict[str, Any]:
    """The replaced names of os.path."""

    def abspath(path: Any) -> Any:
        given = os.fspath(path)
        if isinstance(given, bytes):
            return os.fsencode(abspath(os.fsdecode(given)))
        return os.path.normpath(os.path.join(here(room), given))

    def relpath(path: Any, start: Any = None) -> Any:
        given = os.fspath(path)
        return os.path.relpath(abspath(given), abspath(start or (b"." if isinstance(given, bytes) else ".")))

    def realpath(filename: Any, *, strict: bool = False) -> Any:
        found = abspath(filename)
        if strict:
            quietly(lambda: os.stat(room.folder.path(found)), os.fspath(filename))
        return found

    def samefile(f1: Any, f2: Any) -> bool:
        return bool(quietly(lambda: os.path.samefile(room.folder.path(f1), room.folder.path(f2)), f1))

    def expanduser(path: Any) -> Any:
        """Put the working folder in place of `~`: there is nobody else's home."""
        given = os.fspath(path)
        if isinstance(given, bytes):
            return os.fsencode(expanduser(os.fsdecode(given)))
        return here(room) + given[1:] if given == "~" or given.startswith("~/") else given

    def expandvars(path: Any) -> Any:
        given = os.fspath(path)
        if isinstance(given, bytes):
            return os.fsencode(expandvars(os.fsdecode(given)))
        return put_into(given, vars(room.facades.import_module("os"))["environ"])

    found: dict[str, Any] = {name: _asking(room, getattr(os.path, name)) for name in _ASKING}
    return {
        **found,
        "abspath": abspath,
        "realpath": realpath,
        "relpath": relpath,
        "samefile": samefile,
        "expanduser": expanduser,
        "expandvars": expandvars,
    }


def here(room: Room) -> str:
    """The working folder, by the path the snippet knows."""
    return room.folder.told(room.folder.path("."))
