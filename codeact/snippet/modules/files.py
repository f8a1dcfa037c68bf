"""Files of the working folder that libraries open: compressed ones, and what they open by a name."""

from __future__ import annotations

import builtins
import importlib
import io
import os
from typing import Any

from codeact.snippet import library_files, running, set_up_once, types_
from codeact.snippet.modules.row import Room

_FILE_KINDS = {"gzip": "str or bytes object, or a file"}


def open_for_who_asks(file: Any, *arguments: Any, **settings: Any) -> Any:
    """Stands for `open` in a module of Python's own: what a snippet has it open is in the working folder."""
    opened = running.folder().open if running.in_a_snippet() else builtins.open
    return opened(file, *arguments, **settings)


def _compressed(room: Room, module: str, class_name: str) -> dict[str, Any]:
    real = importlib.import_module(module)
    file_class = getattr(real, class_name)
    types_.shield(file_class)
    set_up_once.guard_compressors(real)

    def opened(target: Any, mode: str) -> Any:
        if isinstance(target, str | bytes | os.PathLike):
            return room.folder.open(target, mode.replace("t", "").replace("b", "") + "b")
        if not hasattr(target, "read") and not hasattr(target, "write"):
            raise TypeError(f"filename must be a {_FILE_KINDS.get(module, 'str, bytes, file or PathLike object')}")
        return library_files.given(target)

    def make(filename: Any = None, mode: str = "rb", *arguments: Any, **keywords: Any) -> Any:
        target = keywords.pop("fileobj", None)
        if module == "gzip":
            return file_class(None, mode, *arguments, fileobj=target or opened(filename, mode), **keywords)
        return file_class(opened(filename, mode), mode, *arguments, **keywords)

    def open_file(filename: Any, mode: str = "rb", *arguments: Any, **keywords: Any) -> Any:
        text = {key: keywords.pop(key) for key in ("encoding", "errors", "newline") if key in keywords}
        if "t" in mode and "b" in mode:
            raise ValueError(f"Invalid mode: {mode!r}")
        if "t" not in mode and (unfit := [key for key in text if text[key] is not None]):
            raise ValueError(f"Argument {unfit[0]!r} not supported in binary mode")
        binary = make(filename, mode.replace("t", ""), *arguments, **keywords)
        return io.TextIOWrapper(binary, **text) if "t" in mode else binary

    make.__name__ = make.__qualname__ = class_name
    open_file.__name__ = open_file.__qualname__ = "open"
    return {class_name: make, "open": open_file}


def gzip_files(room: Room) -> dict[str, Any]:
    """`gzip.open` and `gzip.GzipFile` inside the working folder."""
    return _compressed(room, "gzip", "GzipFile")


def bz2_files(room: Room) -> dict[str, Any]:
    """`bz2.open` and `bz2.BZ2File` inside the working folder."""
    return _compressed(room, "bz2", "BZ2File")


def lzma_files(room: Room) -> dict[str, Any]:
    """`lzma.open` and `lzma.LZMAFile` inside the working folder."""
    return _compressed(room, "lzma", "LZMAFile")
