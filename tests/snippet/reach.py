"""Walks everything a snippet can reach by public names, from the builtins and the modules it may import."""

from __future__ import annotations

import builtins
import bz2
import ctypes
import gzip
import io
import lzma
import os
import socket
import subprocess
import sys
import types
import zipfile
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

from codeact.snippet import attribute_rules, class_lines, names, types_

#: What no path may lead to, by identity.
FORBIDDEN = {
    id(value): label
    for label, value in {
        "builtins.exec": builtins.exec,
        "builtins.eval": builtins.eval,
        "builtins.compile": builtins.compile,
        "builtins.open": builtins.open,
        "builtins.__import__": builtins.__import__,
        "builtins.input": builtins.input,
        "type": type,
        "FunctionType": types.FunctionType,
        "CodeType": types.CodeType,
        "FrameType": types.FrameType,
        "TracebackType": types.TracebackType,
        "FileIO": io.FileIO,
        "GzipFile": gzip.GzipFile,
        "BZ2File": bz2.BZ2File,
        "LZMAFile": lzma.LZMAFile,
        "ZipFile": zipfile.ZipFile,
        "sys.modules": sys.modules,
        "sys.path": sys.path,
        "os.environ": os.environ,
        "os.system": os.system,
        "os.mkdir": os.mkdir,
        "os.remove": os.remove,
        "os.open": os.open,
        "subprocess.Popen": subprocess.Popen,
        "socket.socket": socket.socket,
        "ctypes.CDLL": ctypes.CDLL,
        "sys._getframe": sys._getframe,
        "sys.settrace": sys.settrace,
    }.items()
}

#: Classes whose constructor opens any file, by module and name: their libraries may not be installed.
OPENERS = {
    ("pandas.io.parsers.readers", "TextFileReader"),
    ("pandas.io.json._json", "JsonReader"),
    ("pandas.io.stata", "StataReader"),
    ("numpy.lib._npyio_impl", "NpzFile"),
    ("numpy", "memmap"),
}

_INSIDE = (types.FrameType, types.CodeType)
_BOUND = (types.BuiltinMethodType, types.MethodType, types.MethodWrapperType)
_EACH = 8  # instances of one type whose attributes are followed
_LEAVES = (str, bytes, int, float, complex, bool, type(None))


class Reached:
    """What was found on the walk."""

    def __init__(self, facades: set[int]) -> None:
        self.facades = facades
        self.seen: set[Any] = set()
        self.instances: Counter[type] = Counter()
        self.kept: list[Any] = []
        self.problems: list[str] = []

    def walk(self, starts: dict[str, Any], depth: int = 6, breadth: int = 400) -> None:
        """Follow public names from each start."""
        todo = deque((path, value, 0) for path, value in starts.items())
        while todo:
            path, value, level = todo.popleft()
            if (key := self._key(value)) in self.seen or isinstance(value, _LEAVES):
                continue
            self.seen.add(key)
            if (problem := self._problem(value)) is not None:
                self.problems.append(f"{path}: {problem}")
                continue
            if level < depth and self._is_new(value):
                self.kept.append(value)  # so that its identity is not given to another
                todo.extend((f"{path}{step}", found, level + 1) for step, found in self._steps(value, breadth))

    def _key(self, value: Any) -> Any:
        if isinstance(value, _BOUND) and not isinstance(value.__self__, types.ModuleType | type):
            return type(value.__self__), value.__name__
        return id(value)

    def _is_new(self, value: Any) -> bool:
        if isinstance(value, type | types.ModuleType | types.FunctionType | dict | list | tuple):
            return True
        self.instances[type(value)] += 1
        return self.instances[type(value)] <= _EACH

    def _problem(self, value: Any) -> str | None:
        if id(value) in FORBIDDEN:
            return FORBIDDEN[id(value)]
        if isinstance(value, types.ModuleType) and id(value) not in self.facades:
            return f"the module {value.__name__}"
        if isinstance(value, _INSIDE):
            return f"a {type(value).__name__}"
        if isinstance(value, type) and value in class_lines.hidden:
            return f"the hidden class {value.__name__}"
        if (
            isinstance(value, type)
            and (value.__module__, value.__name__) in OPENERS
            and value not in types_.STAND_INS.values()
        ):
            return f"the class {value.__name__}, which opens files"
        return None

    def _steps(self, value: Any, breadth: int) -> Iterator[tuple[str, Any]]:
        for name in dir(value):
            kind = attribute_rules.attribute_kind(name)
            if kind in ("refused", "private") or (name.startswith("__") and name not in names.FREE_DUNDERS):
                continue
            if kind != "free":
                continue
            try:
                yield f".{name}", getattr(value, name)
            except Exception:  # a property that does not answer leads nowhere
                continue
        if type(value) in (list, tuple, set, frozenset):
            yield from ((f"[{index}]", item) for index, item in zip(range(breadth), value, strict=False))
        if type(value) in (dict, types.MappingProxyType):
            yield from ((f"[{key!r}]", item) for key, item in list(value.items())[:breadth])
        yield "→type", types_.type_of(value)
