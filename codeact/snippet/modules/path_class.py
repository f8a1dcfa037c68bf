"""`pathlib.Path` in a snippet: a pure path with the file methods of the working folder.

The methods know the room they work in by their closure, which nobody can ask them for, and not by an attribute.
"""

from __future__ import annotations

import errno
import pathlib
from collections.abc import Callable, Iterator
from stat import S_ISBLK, S_ISCHR, S_ISFIFO, S_ISSOCK
from typing import Any

from codeact.snippet import types_
from codeact.snippet.modules.paths import file_names, folder_calls, here
from codeact.snippet.modules.row import Methods, Room, named
from codeact.snippet.modules.walking import found

Calls = dict[str, Callable[..., Any]]

types_.shield(type(pathlib.PurePath().parents))  # it keeps the real class of whatever it is made of


def folder_paths(room: Room) -> dict[str, Any]:
    """The replaced names of pathlib."""
    calls, asked = folder_calls(room), file_names(room)
    methods = {**_contents(room), **_changes(calls), **_facts(calls, asked), **_searches(room, calls)}
    if hasattr(pathlib.Path, "copy"):  # from Python 3.14 on
        methods |= {**_copies(room, calls), "info": property(_Info)}
    Path = type("Path", (pathlib.PurePosixPath,), {"__slots__": (), **methods, **_places(room, asked)})
    types_.present(Path, pathlib.PosixPath)
    return {"Path": Path, "PosixPath": Path}


def _contents(room: Room) -> Methods:
    def open(self: Any, mode: str = "r", *arguments: Any, **settings: Any) -> Any:
        return room.folder.open(self, mode, *arguments, **settings)

    def read_text(self: Any, encoding: Any = None, errors: Any = None, newline: Any = None) -> str:
        with self.open("r", -1, encoding, errors, newline) as file:
            return str(file.read())

    def read_bytes(self: Any) -> bytes:
        with self.open("rb") as file:
            return bytes(file.read())

    def write_text(self: Any, data: str, encoding: Any = None, errors: Any = None, newline: Any = None) -> int:
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        with self.open("w", -1, encoding, errors, newline) as file:
            return int(file.write(data))

    def write_bytes(self: Any, data: bytes) -> int:
        view = memoryview(data)  # says what is none before there is a file
        with self.open("wb") as file:
            return int(file.write(view))

    def touch(self: Any, mode: int = 0o666, exist_ok: bool = True) -> None:
        self.open("a" if exist_ok else "x").close()

    return named(open, read_text, read_bytes, write_text, write_bytes, touch)


def _changes(calls: Calls) -> Methods:
    def mkdir(self: Any, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        if parents:
            calls["makedirs"](self, mode, exist_ok=exist_ok)
        elif not (exist_ok and self.is_dir()):
            calls["mkdir"](self, mode)

    def unlink(self: Any, missing_ok: bool = False) -> None:
        if not missing_ok or self.exists():
            calls["unlink"](self)

    def rmdir(self: Any) -> None:
        calls["rmdir"](self)

    def rename(self: Any, target: Any) -> Any:
        calls["rename"](self, target)
        return type(self)(target)

    return {**named(mkdir, unlink, rmdir, rename), "replace": rename}


def _copies(room: Room, calls: Calls) -> Methods:
    def copy(self: Any, target: Any, *, follow_symlinks: bool = True, preserve_metadata: bool = False) -> Any:
        made, place, other = type(self)(target), room.folder.path(self), room.folder.path(target)
        if place == other or other.startswith(f"{place}/"):
            said = "Source and target are the same path" if place == other else "Source path is a parent of target path"
            raise OSError(errno.EINVAL, said)
        files = vars(room.facades.import_module("shutil"))
        copied = files["copy2" if preserve_metadata else "copyfile"]
        if self.is_dir():
            calls["mkdir"](made)
            files["copytree"](self, made, copy_function=copied, dirs_exist_ok=True)
        elif made.is_dir():
            made.open("wb")  # it says that this is a folder
        else:
            copied(self, made)
        return made

    def copy_into(self: Any, target_dir: Any, **settings: Any) -> Any:
        return self.copy(_below(target_dir, self), **settings)

    def move(self: Any, target: Any) -> Any:
        if room.folder.path(self) == room.folder.path(target):
            raise OSError(errno.EINVAL, "Source and target are the same file")
        return self.replace(target)

    def move_into(self: Any, target_dir: Any) -> Any:
        return self.move(_below(target_dir, self))

    return named(copy, copy_into, move, move_into)


def _below(folder: Any, path: Any) -> Any:
    if not path.name:
        raise ValueError(f"{path!r} has an empty name")
    return type(path)(folder, path.name)


class _Info:
    """What `path.info` tells; it keeps nothing, and is told anew each time."""

    __slots__ = ("_path",)

    def __init__(self, path: Any) -> None:
        self._path = path

    def exists(self, *, follow_symlinks: bool = True) -> bool:
        """Whether there is something."""
        return bool(self._path.exists())

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a folder."""
        return bool(self._path.is_dir())

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a file."""
        return bool(self._path.is_file())

    def is_symlink(self) -> bool:
        """Whether it is a link."""
        return bool(self._path.is_symlink())


_Info.__module__, _Info.__name__, _Info.__qualname__ = "pathlib", "Info", "Info"


def _facts(calls: Calls, asked: Calls) -> Methods:
    def exists(self: Any, **settings: Any) -> bool:
        return bool(asked["exists"](self))

    def is_file(self: Any, **settings: Any) -> bool:
        return bool(asked["isfile"](self))

    def is_dir(self: Any, **settings: Any) -> bool:
        return bool(asked["isdir"](self))

    def is_symlink(self: Any) -> bool:
        return bool(asked["islink"](self))

    def stat(self: Any, **settings: Any) -> Any:
        return calls["stat"](self)

    def lstat(self: Any) -> Any:
        return calls["lstat"](self)

    def samefile(self: Any, other_path: Any) -> bool:
        return bool(asked["samefile"](self, other_path))

    def is_mount(self: Any) -> bool:
        return bool(asked["ismount"](self))

    kinds = {f"is_{name}": _of_kind(calls, ask) for name, ask in _KINDS.items()}
    return {**named(exists, is_file, is_dir, is_symlink, is_mount, stat, lstat, samefile), **kinds}


_KINDS = {"fifo": S_ISFIFO, "socket": S_ISSOCK, "block_device": S_ISBLK, "char_device": S_ISCHR}


def _of_kind(calls: Calls, ask: Callable[[int], bool]) -> Callable[[Any], bool]:
    def is_one(self: Any) -> bool:
        try:
            return ask(calls["stat"](self).st_mode)
        except (OSError, ValueError):
            return False

    return is_one


def _searches(room: Room, calls: Calls) -> Methods:
    def iterdir(self: Any) -> Iterator[Any]:
        return (self / name for name in calls["listdir"](self))

    def glob(self: Any, pattern: str, **settings: Any) -> Iterator[Any]:
        return (self / name for name in found(room, "glob", self, pattern, **settings))

    def rglob(self: Any, pattern: str, **settings: Any) -> Iterator[Any]:
        return (self / name for name in found(room, "rglob", self, pattern, **settings))

    def walk(self: Any, top_down: bool = True, on_error: Any = None, follow_symlinks: bool = False) -> Iterator[Any]:
        for name, below, files in calls["walk"](self, top_down, on_error, follow_symlinks):
            folder = type(self)(name)
            for link in [] if follow_symlinks else [one for one in below if (folder / one).is_symlink()]:
                below.remove(link)
                files.append(link)
            yield folder, below, files

    newer = named(walk) if hasattr(pathlib.Path, "walk") else {}  # from 3.12 on
    return {**named(iterdir, glob, rglob), **newer}


def _places(room: Room, asked: Calls) -> Methods:
    def cwd(cls: Any) -> Any:
        return cls(here(room))

    def home(cls: Any) -> Any:
        return cls.cwd()

    def absolute(self: Any) -> Any:
        return type(self)(asked["abspath"](self))

    def resolve(self: Any, strict: bool = False) -> Any:
        return type(self)(asked["realpath"](self, strict=strict))

    def expanduser(self: Any) -> Any:
        return type(self)(asked["expanduser"](self))

    def from_uri(cls: Any, uri: Any) -> Any:
        return cls(str(pathlib.Path.from_uri(uri)))  # type: ignore[attr-defined]  # from Python 3.13 on

    newer = {"from_uri": classmethod(from_uri)} if hasattr(pathlib.Path, "from_uri") else {}
    return {"cwd": classmethod(cwd), "home": classmethod(home), **newer, **named(absolute, resolve, expanduser)}
