"""What goes from folder to folder: os.walk, os.removedirs, glob and the globs of pathlib, inside the working folder."""

from __future__ import annotations

import errno
import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet.library_texts import exact_path
from codeact.snippet.modules.row import Room


def quietly(act: Callable[[], Any], path: Any, target: Any = None) -> Any:
    """What it gives; an error tells of the paths as they were named, without that of the folder."""
    try:
        return act()
    except PermissionError:
        raise
    except OSError as error:
        named = [os.fspath(name) if isinstance(name, os.PathLike) else name for name in (path, target)]
        raise OSError(error.errno, error.strerror, named[0], None, named[1]) from None


def folders(room: Room) -> dict[str, Any]:
    """The names of os that go from folder to folder."""

    def walk(top: Any = ".", topdown: bool = True, onerror: Any = None, followlinks: bool = False) -> Iterator[Any]:
        named = os.fspath(top)
        start = room.folder.path(named) if named else ""  # which is no folder
        try:
            below, files, links = quietly(lambda: _listed(start), named)
        except OSError as error:
            if onerror is not None:
                onerror(error)
            return
        if topdown:
            yield named, below, files
        for name in list(below):  # which may be others by now
            if followlinks or name not in links:
                yield from walk(os.path.join(named, name), topdown, onerror, followlinks)
        if not topdown:
            yield named, below, files

    def rmdir(path: Any) -> None:
        where = room.folder.path(path)
        if where == room.folder.path("."):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), os.fspath(path))  # what the kernel says of a mount
        quietly(lambda: os.rmdir(where), path)

    def removedirs(name: Any) -> None:
        rmdir(name)
        above = os.path.dirname(os.path.normpath(os.fspath(name)))
        while above:
            try:
                rmdir(above)
            except OSError:  # it is not empty, or the working folder itself
                return
            above = os.path.dirname(above)

    return {"walk": walk, "rmdir": rmdir, "removedirs": removedirs}


def _listed(folder: str) -> tuple[list[str], list[str], list[str]]:
    """The names of its folders, of its files, and those among them that are links."""
    with os.scandir(folder) as entries:
        listed = sorted((entry.name, entry.is_dir(), entry.is_symlink()) for entry in entries)
    below, files = ([name for name, is_folder, _ in listed if is_folder is kind] for kind in (True, False))
    return below, files, [name for name, _, is_link in listed if is_link]


def globs(room: Room) -> dict[str, Any]:
    """The replaced names of glob."""

    def glob(pathname: Any, *, root_dir: Any = None, dir_fd: None = None, **settings: Any) -> list[Any]:
        import glob as real

        if dir_fd is not None:
            raise PermissionError("glob() takes the name of a folder, not a descriptor")
        root: Any = room.folder.path("." if root_dir is None else root_dir)
        pattern: Any = exact_path(pathname)
        if isinstance(pattern, str):
            pattern = room.folder.here(pattern)
        if not _stays(room, root, os.fsdecode(pattern)):
            return []
        if isinstance(pattern, bytes):
            root = os.fsencode(root)
        paths = real.glob(pattern, root_dir=root, **settings)
        inside = [path for path in sorted(paths) if _is_inside(room, os.path.join(root, path))]
        return [room.folder.told(path) if isinstance(path, str) else path for path in inside]

    def iglob(pathname: Any, **settings: Any) -> Iterator[Any]:
        return iter(glob(pathname, **settings))

    return {"glob": glob, "iglob": iglob}


def found(room: Room, method: str, folder: Any, pattern: Any, **settings: Any) -> Iterator[str]:
    """What `glob` or `rglob` of a path finds, by names that start at it: a real path reaches anywhere."""
    start = pathlib.Path(room.folder.path(folder))
    text: Any = exact_path(pattern)
    if _stays(room, str(start), text) or os.path.isabs(text):  # pathlib refuses those in its own words
        paths = [str(path) for path in getattr(start, method)(text, **settings)]
        for path in sorted(paths, key=lambda path: path.split(os.sep)):  # as pathlib orders them
            if _is_inside(room, path):
                yield path[len(str(start)) + 1 :] or "."


def _stays(room: Room, start: str, pattern: str) -> bool:
    """Whether a pattern is inside the working folder on all its way: `../*/../work` would tell of what is beside it."""
    top = room.folder.path(".").split(os.sep)
    way = [part for part in os.path.join(start, pattern).split(os.sep) if part != "."]
    if way[: len(top)] != top:
        return False
    depth = 0
    for part in way[len(top) :]:
        depth += -1 if part == ".." else part not in ("", "**")
        if depth < 0:
            return False
    return True


def _is_inside(room: Room, path: Any) -> bool:
    try:
        room.folder.path(path)
    except PermissionError:
        return False
    return True
