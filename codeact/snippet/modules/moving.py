"""shutil inside the working folder: files and folders are copied, moved and removed by the names a snippet gives."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.archives import folder_archives
from codeact.snippet.modules.row import Room, named

Calls = dict[str, Callable[..., Any]]


def folder_moves(room: Room) -> dict[str, Any]:
    """The replaced names of shutil."""
    real = importlib.import_module("shutil")  # not with this module: a worker does without it until it is asked for
    folder, at = vars(room.facades.import_module("os")), room.folder.path
    files = _files(room, real, folder)

    def move(src: Any, dst: Any, copy_function: Any = None) -> Any:
        folder["stat"](src)
        target = _into(room, src, dst)
        if target is not dst and os.path.exists(at(target)):
            raise real.Error(f"Destination path '{target}' already exists")
        if os.path.isdir(at(src)) and at(target).startswith(at(src) + os.sep):
            raise real.Error(f"Cannot move a directory '{src}' into itself '{target}'.")
        folder["rename"](src, target)
        return target

    def rmtree(path: Any, ignore_errors: bool = False, onerror: None = None, *, onexc: None = None) -> None:
        if onerror is not None or onexc is not None:
            raise CallRefused("rmtree takes ignore_errors alone inside a snippet; put the call into a try statement")
        try:
            for name in folder["listdir"](path):
                one = os.path.join(path, name)
                if os.path.isdir(at(one)):
                    rmtree(one, ignore_errors)
                else:
                    folder["remove"](one)
            folder["rmdir"](path)
        except OSError:
            if not ignore_errors:
                raise

    def get_terminal_size(fallback: tuple[int, int] = (80, 24)) -> os.terminal_size:
        return os.terminal_size(fallback)

    made = named(move, rmtree, get_terminal_size, _trees(room, folder, files["copy2"]))
    return {**files, **folder_archives(room), **made}


def _into(room: Room, src: Any, dst: Any) -> Any:
    """Where a file goes that is put into a folder, or to a name."""
    is_folder = os.path.isdir(room.folder.path(dst))
    return os.path.join(dst, os.path.basename(os.fspath(src).rstrip("/"))) if is_folder else dst


def _files(room: Room, real: Any, folder: Calls) -> Calls:
    """What copies a file."""

    def copyfile(src: Any, dst: Any, *, follow_symlinks: bool = True) -> Any:
        if room.folder.path(src) == room.folder.path(dst):
            raise real.SameFileError(f"{src!r} and {dst!r} are the same file")
        with room.folder.open(src, "rb") as read:
            try:
                with room.folder.open(dst, "wb") as written:
                    real.copyfileobj(read, written)
            except IsADirectoryError as error:
                if os.path.exists(room.folder.path(dst)):
                    raise
                raise FileNotFoundError(f"Directory does not exist: {dst}") from error
        return dst

    def copy(src: Any, dst: Any, *, follow_symlinks: bool = True) -> Any:
        return copyfile(src, _into(room, src, dst))

    def copy2(src: Any, dst: Any, *, follow_symlinks: bool = True) -> Any:
        found, target = folder["stat"](src), copy(src, dst)
        folder["utime"](target, ns=(found.st_atime_ns, found.st_mtime_ns))
        return target

    return {"copyfile": copyfile, "copy": copy, "copy2": copy2}


def _trees(room: Room, folder: Calls, copy2: Callable[..., Any]) -> Callable[..., Any]:
    """What copies a folder with all that is in it."""

    def copytree(
        src: Any,
        dst: Any,
        symlinks: bool = False,
        ignore: Callable[..., Any] | None = None,
        copy_function: Callable[..., Any] = copy2,
        **settings: Any,  # of links, of which the folder has none, and `dirs_exist_ok`
    ) -> Any:
        names = folder["listdir"](src)
        left_out = set(ignore(os.fspath(src), names)) if ignore is not None else ()
        folder["makedirs"](dst, exist_ok=bool(settings.get("dirs_exist_ok")))
        for name in names:
            one, other = os.path.join(src, name), os.path.join(dst, name)
            if name in left_out:
                continue
            if os.path.isdir(room.folder.path(one)):
                copytree(one, other, symlinks, ignore, copy_function, **settings)
            else:
                copy_function(one, other)
        return dst

    return copytree
