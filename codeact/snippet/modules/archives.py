"""Archives of files: opened and packed in the working folder, and what is in one is put nowhere else."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from codeact.snippet import library_files, library_texts, running, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.paths import here
from codeact.snippet.modules.row import Room
from codeact.snippet.modules.walking import quietly
from codeact.snippet.patches import patch
from codeact.snippet.words import words

#: Mode of an archive → how its file is opened.
_MODES = {"r": "rb", "w": "w+b", "x": "x+b", "a": "r+b"}

#: Methods of an archive that are Python's own: they work on what the archive was opened on, and on nothing else.
_OF_ARCHIVES = words("namelist infolist testzip getinfo setpassword read open writestr mkdir close")


def archives(room: Room) -> dict[str, Any]:
    """The replaced names of zipfile."""
    import zipfile  # a worker does without it until it is asked for

    patch(zipfile.ZipInfo, "from_file", _facts)

    def is_zipfile(filename: Any) -> bool:
        if not isinstance(filename, str | bytes | os.PathLike):
            target = library_files.given(filename)
            return hasattr(target, "read") and zipfile.is_zipfile(target)
        try:
            with room.folder.open(filename, "rb") as file:
                return zipfile.is_zipfile(file)
        except OSError:
            return False

    return {"ZipFile": _archive_class(room, zipfile.ZipFile), "is_zipfile": is_zipfile}


def folder_archives(room: Room) -> dict[str, Any]:
    """The names of shutil that pack and unpack folders; those of tapes (`tar`) are not among the kinds."""
    import shutil

    calls = vars(room.facades.import_module("os"))

    def make_archive(base_name: Any, format: Any, root_dir: Any = None, base_dir: Any = ".", **settings: Any) -> str:
        if format != "zip":
            raise CallRefused("make_archive makes archives of the kind 'zip' inside a snippet")
        name, root = f"{os.fspath(base_name)}.zip", os.fspath(root_dir or ".")
        calls["listdir"](root)  # which says what is wrong with it
        calls["makedirs"](os.path.dirname(name) or ".", exist_ok=True)
        start = os.path.normpath(base_dir or ".")
        with _zipfile(room)["ZipFile"](name, "w", _zipfile(room)["ZIP_DEFLATED"]) as archive:
            if start != ".":
                archive.write(os.path.join(root, start), start)
            for folder, below, files in calls["walk"](os.path.normpath(os.path.join(root, start))):
                for path in (os.path.join(folder, one) for one in (*below, *files)):
                    archive.write(path, os.path.relpath(path, root))
        return name if root_dir is None else os.path.join(here(room), name)

    def unpack_archive(filename: Any, extract_dir: Any = None, format: Any = None, **settings: Any) -> None:
        name = os.fsdecode(library_texts.exact_path(filename))
        if format != "zip" and not (format is None and name.endswith(".zip")):
            raise CallRefused("unpack_archive takes archives of the kind 'zip' inside a snippet")
        if not _zipfile(room)["is_zipfile"](name):
            raise shutil.ReadError(f"{name} is not a zip file")
        with _zipfile(room)["ZipFile"](name) as archive:
            inside = [one for one in archive.namelist() if not one.startswith("/") and ".." not in one]
            archive.extractall(extract_dir, inside)

    return {"make_archive": make_archive, "unpack_archive": unpack_archive}


def _zipfile(room: Room) -> dict[str, Any]:
    return vars(room.facades.import_module("zipfile"))


def _facts(real: Callable[..., Any]) -> Callable[..., Any]:
    """`ZipInfo.from_file`, a method of each entry of an archive, tells of files of the working folder alone."""

    def from_file(cls: Any, filename: Any, arcname: Any = None, **settings: Any) -> Any:
        if not running.in_a_snippet():
            return real(cls, filename, arcname, **settings)
        name, path = _found(running.folder(), filename)
        return real(cls, path, name if arcname is None else arcname, **settings)

    return from_file


def _found(folder: Any, filename: Any) -> tuple[str, str]:
    """The name of a file that is there, and its path."""
    name = os.fsdecode(library_texts.exact_path(filename))
    path = folder.path(name)
    quietly(lambda: os.stat(path), name)
    return name, path


def _archive_class(room: Room, real: Any) -> type:
    """What stands for `zipfile.ZipFile`. No class is built on it, so that each method it calls is its own."""

    class ZipFile(real):  # type: ignore[misc]  # the class is an argument
        def __init__(self, file: Any, mode: str = "r", *arguments: Any, **settings: Any) -> None:
            if not isinstance(file, str | os.PathLike):
                super().__init__(library_files.given(file), mode, *arguments, **settings)
                return
            name = os.fsdecode(library_texts.exact_path(file))
            opened = _opened(room, name, mode)
            try:
                super().__init__(opened, mode, *arguments, **settings)
            except BaseException:
                opened.close()
                raise
            self.filename, self._filePassed = name, 0  # the file is closed with the archive

        def __init_subclass__(cls, **settings: Any) -> None:
            raise TypeError(f"class {cls.__name__!r} may not inherit from ZipFile: let it have one")

        def printdir(self, file: Any = None) -> None:
            super().printdir(room.current("stdout") if file is None else file)

        def write(self, filename: Any, arcname: Any = None, *arguments: Any, **settings: Any) -> None:
            name, path = _found(room.folder, filename)
            super().write(path, name if arcname is None else arcname, *arguments, **settings)

        def extract(self, member: Any, path: Any = None, pwd: Any = None) -> str:
            return str(super().extract(member, here(room) if path is None else path, pwd))

        def extractall(self, path: Any = None, members: Any = None, pwd: Any = None) -> None:
            super().extractall(here(room) if path is None else path, members, pwd)

        def _extract_member(self, member: Any, targetpath: Any, pwd: Any) -> str:
            return _extracted(room, self, member, targetpath, pwd)

    _keep_to_archives(room, ZipFile, real)
    types_.hide(ZipFile, real)
    return ZipFile


def _opened(room: Room, name: str, mode: Any) -> Any:
    if type(mode) is not str or mode not in _MODES:
        raise ValueError("ZipFile requires mode 'r', 'w', 'x', or 'a'")
    try:
        return room.folder.open(name, _MODES[mode])
    except FileNotFoundError:
        if mode != "a":
            raise
        return room.folder.open(name, "w+b")


def _extracted(room: Room, archive: Any, member: Any, targetpath: Any, pwd: Any) -> str:
    """Put one file of an archive below a folder; its name may say anything."""
    import shutil
    import zipfile

    makedirs = vars(room.facades.import_module("os"))["makedirs"]
    info = member if isinstance(member, zipfile.ZipInfo) else archive.getinfo(member)
    name = library_texts.exact(info.filename, "the name of a file in an archive")
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    target = os.path.normpath(os.path.join(os.fsdecode(library_texts.exact_path(targetpath)), *parts))
    is_folder = info.is_dir()
    makedirs(target if is_folder else os.path.dirname(target) or ".", exist_ok=True)
    if not is_folder:
        with archive.open(info, pwd=pwd) as source, room.folder.open(target, "wb") as written:
            shutil.copyfileobj(source, written)
    return target


def _keep_to_archives(room: Room, cls: Any, real: Any) -> None:
    """Let Python's own methods take an archive of this class alone: they store on what they are given."""

    def checked(subject: Any) -> Any:
        if type(subject) is not cls:
            raise TypeError(f"an archive is needed, not {type(subject).__name__!r}")
        return subject

    def of_archives(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: Any, *arguments: Any, **settings: Any) -> Any:
            return method(checked(self), *arguments, **settings)

        call.__name__, call.__qualname__, call.__doc__ = method.__name__, method.__qualname__, method.__doc__
        return call

    methods = {name: of_archives(getattr(real, name)) for name in _OF_ARCHIVES}
    room.count("zipfile.ZipFile", methods)
    for name, method in methods.items():
        setattr(cls, name, method)

    def comment(self: Any, value: bytes) -> None:
        real.comment.__set__(checked(self), value)

    cls.comment = property(real.comment.__get__, comment)
