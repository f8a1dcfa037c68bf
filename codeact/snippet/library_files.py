"""The files a library is given: paths of the working folder, files as they are, and what only looks like a file."""

from __future__ import annotations

import contextlib
import io
import os
import weakref
from collections.abc import Iterator
from typing import Any, Self

from codeact.snippet import ownership, running


def inside(target: Any) -> Any:
    """A path as that of a file in the working folder; open files and None as they are, others without `fileno`."""
    if isinstance(target, str | bytes | os.PathLike):
        path = os.fspath(target)
        text = bytes.decode(path, "utf-8", "surrogateescape") if isinstance(path, bytes) else str.__str__(path)
        if "://" in text:
            raise PermissionError(f"{text!r} is an address: ask for a tool that fetches it")
        return running.folder().path(text)
    return given(target)


class Sheets:
    """What stands for a file of sheets; libraries are given their own in its place."""

    __slots__ = ("_real",)
    _real: Any

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, which writes what is to be written."""
        self._real.close()


def given(target: Any) -> Any:
    """A file as it is, and what may only look like one by what it reads and writes: it passes for no path later on."""
    cls = type(target)
    if Sheets in ownership.mro_of(cls):
        return target._real
    if int in ownership.mro_of(cls):
        raise PermissionError("the name of a file in the working folder is needed, not a descriptor")
    if cls in ownership.BARE_TYPES or _is_file(target):
        return target
    if ownership.is_own_class(cls) or cls in weakref.ProxyTypes or _is_like_a_file(target):
        return _Object(target)
    return target


@contextlib.contextmanager
def told_as_named(*given: Any) -> Iterator[None]:
    """Let an error tell of the file by the name the snippet gave, where that is not the whole path."""
    try:
        yield
    except OSError as error:
        here = running.folder().path(".")
        root, known = (os.path.join(path, "") for path in (here, running.folder().told(here)))
        put = known if any(isinstance(name, str) and known in name for name in given) else ""
        error.args = tuple(part.replace(root, put) if type(part) is str else part for part in error.args)
        if type(error.filename) is str and error.filename.startswith(root):
            error.filename = put + error.filename.removeprefix(root)
        raise


def all_inside(target: Any) -> Any:
    """The same of each in a list, where a library reads all the files of one."""
    kind = next((kind for kind in (list, tuple) if kind in ownership.mro_of(type(target))), None)
    return inside(target) if kind is None else kind(inside(part) for part in kind.__iter__(target))


def _is_file(target: Any) -> bool:
    """True for what the interpreter opened: its descriptor, where it has one, is no object's answer."""
    cls = type(target)
    if cls is io.TextIOWrapper:
        return _is_file(target.buffer)
    if cls in (io.BufferedReader, io.BufferedWriter, io.BufferedRandom):
        return _is_file(target.raw)
    return cls in (io.FileIO, io.BytesIO, io.StringIO)


def _is_like_a_file(target: Any) -> bool:
    return any(hasattr(target, name) for name in ("fileno", "read", "write"))


class _Object:
    """What a library reads and writes in place of an object, which could name any descriptor as its own."""

    def __init__(self, target: Any) -> None:
        self._target = target
        if issubclass(type(target), io.BufferedIOBase | io.RawIOBase):
            self.mode = "w+b"

    def __getattr__(self, name: str) -> Any:
        if name == "fileno" or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._target, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._target)

    def __next__(self) -> Any:
        return next(self._target)

    def __enter__(self) -> _Object:
        return self

    def __exit__(self, *details: object) -> None:
        return None
