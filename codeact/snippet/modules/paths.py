"""Names of files, and the files of the working folder: os, os.path, pathlib and glob inside it.

Files are listed in the order of their names: that of a file system is another in a copy of a session, or elsewhere.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import types_
from codeact.snippet.modules.entries import entries
from codeact.snippet.modules.row import Room
from codeact.snippet.modules.walking import folders, found, quietly
from codeact.snippet.words import words

#: Functions of os that take one path and change or read what is there.
_READING = words("listdir stat lstat scandir access")
_WRITING = words("mkdir remove unlink makedirs truncate utime")
WORKED = (*_READING, *_WRITING, "rmdir", "removedirs", "rename", "replace", "walk")
_ASKING = words("exists lexists isfile isdir islink getsize getmtime getatime getctime ismount")


def folder_calls(room: Room) -> dict[str, Any]:
    """The replaced names of os."""
    one_path = {name: _at(room, getattr(os, name), write=name in _WRITING) for name in (*_READING, *_WRITING)}

    def listdir(path: Any = ".") -> Any:
        return quietly(lambda: sorted(os.listdir(room.folder.path(path))), path)

    def rename(src: Any, dst: Any) -> None:
        quietly(lambda: room.folder.move(src, dst), src, dst)

    environ: dict[str, str] = {}

    def getenv(key: str, default: Any = None) -> Any:
        return environ.get(key, default)

    def getcwd() -> str:
        return room.folder.path(".")

    def cpu_count() -> int:
        return 1

    def scandir(path: Any = ".") -> Any:
        return quietly(lambda: entries(path), path)

    more: tuple[Callable[..., Any], ...] = (listdir, rename, getenv, getcwd, cpu_count, scandir)
    return {
        **one_path,
        **{function.__name__: function for function in more},
        "replace": rename,
        **folders(room),
        "environ": environ,
        "F_OK": 0,
        "R_OK": 4,
        "W_OK": 2,
        "X_OK": 1,
        "SEEK_SET": 0,
        "SEEK_CUR": 1,
        "SEEK_END": 2,
        "error": OSError,
    }


def _at(room: Room, real: Callable[..., Any], *, write: bool = False) -> Callable[..., Any]:
    def call(path: Any = ".", *arguments: Any, **settings: Any) -> Any:
        settings.pop("dir_fd", None)
        if isinstance(path, int):
            raise PermissionError(f"{real.__name__}() takes the name of a file, not a descriptor")
        return quietly(lambda: real(room.folder.path(path, write=write), *arguments, **settings), path)

    call.__name__ = call.__qualname__ = real.__name__
    return call


def file_names(room: Room) -> dict[str, Any]:
    """The replaced names of os.path."""

    def asking(real: Callable[..., Any]) -> Callable[..., Any]:
        def ask(path: Any) -> Any:
            try:
                return quietly(lambda: real(room.folder.path(path)), path)
            except PermissionError:
                if real.__name__.startswith("get"):
                    raise
                return False

        ask.__name__ = ask.__qualname__ = real.__name__
        return ask

    def abspath(path: Any) -> str:
        return os.path.normpath(os.path.join(room.folder.path("."), os.fspath(path)))

    def relpath(path: Any, start: Any = None) -> str:
        return os.path.relpath(abspath(path), abspath(start or "."))

    def realpath(filename: Any, *, strict: bool = False) -> str:
        found = abspath(filename)
        if strict:
            quietly(lambda: os.stat(room.folder.path(found)), os.fspath(filename))
        return found

    def samefile(f1: Any, f2: Any) -> bool:
        return bool(quietly(lambda: os.path.samefile(room.folder.path(f1), room.folder.path(f2)), f1))

    def same(path: Any) -> Any:
        return os.fspath(path)

    found: dict[str, Any] = {name: asking(getattr(os.path, name)) for name in _ASKING}
    return {
        **found,
        "abspath": abspath,
        "realpath": realpath,
        "relpath": relpath,
        "samefile": samefile,
        "expanduser": same,
        "expandvars": same,
    }


def folder_paths(room: Room) -> dict[str, Any]:
    """The replaced names of pathlib: pure paths with the file methods of the working folder."""
    calls, asked = folder_calls(room), file_names(room)

    class Path(pathlib.PurePosixPath):
        __slots__ = ()

        @classmethod
        def cwd(cls) -> Any:
            return cls(room.folder.path("."))

        @classmethod
        def home(cls) -> Any:
            return cls.cwd()

        def open(self, mode: str = "r", *arguments: Any, **settings: Any) -> Any:
            return room.folder.open(self, mode, *arguments, **settings)

        def read_text(self, encoding: Any = None, errors: Any = None, newline: Any = None) -> str:
            with self.open("r", -1, encoding, errors, newline) as file:
                return str(file.read())

        def read_bytes(self) -> bytes:
            with self.open("rb") as file:
                return bytes(file.read())

        def write_text(self, data: str, encoding: Any = None, errors: Any = None, newline: Any = None) -> int:
            if not isinstance(data, str):
                raise TypeError(f"data must be str, not {type(data).__name__}")
            with self.open("w", -1, encoding, errors, newline) as file:
                return int(file.write(data))

        def write_bytes(self, data: bytes) -> int:
            view = memoryview(data)  # says what is none before there is a file
            with self.open("wb") as file:
                return int(file.write(view))

        def touch(self, mode: int = 0o666, exist_ok: bool = True) -> None:
            self.open("a" if exist_ok else "x").close()

        def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
            if parents:
                calls["makedirs"](self, mode, exist_ok=exist_ok)
            elif not (exist_ok and self.is_dir()):
                calls["mkdir"](self, mode)

        def unlink(self, missing_ok: bool = False) -> None:
            if not missing_ok or self.exists():
                calls["unlink"](self)

        def rmdir(self) -> None:
            calls["rmdir"](self)

        def rename(self, target: Any) -> Any:
            calls["rename"](self, target)
            return type(self)(target)

        replace = rename

        def exists(self, **settings: Any) -> bool:
            return bool(asked["exists"](self))

        def is_file(self, **settings: Any) -> bool:
            return bool(asked["isfile"](self))

        def is_dir(self, **settings: Any) -> bool:
            return bool(asked["isdir"](self))

        def is_symlink(self) -> bool:
            return bool(asked["islink"](self))

        def stat(self, **settings: Any) -> Any:
            return calls["stat"](self)

        def lstat(self) -> Any:
            return calls["lstat"](self)

        def iterdir(self) -> Iterator[Any]:
            return (self / name for name in calls["listdir"](self))

        def glob(self, pattern: str, **settings: Any) -> Iterator[Any]:
            return (self / name for name in found(room, "glob", self, pattern, **settings))

        def rglob(self, pattern: str, **settings: Any) -> Iterator[Any]:
            return (self / name for name in found(room, "rglob", self, pattern, **settings))

        def absolute(self) -> Any:
            return type(self)(asked["abspath"](self))

        def resolve(self, strict: bool = False) -> Any:
            return type(self)(asked["realpath"](self, strict=strict))

        def expanduser(self) -> Any:
            return self

        def samefile(self, other_path: Any) -> bool:
            return bool(asked["samefile"](self, other_path))

    types_.present(Path, pathlib.PosixPath)
    return {"Path": Path, "PosixPath": Path}
