"""Tools from a file or a folder: each public function defined there; every complaint names the file and the line."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import stat
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from codeact.errors import ToolError
from codeact.paths import as_path, led_to

ToolFunction = Callable[..., Any]


def load_tools(paths: Iterable[str | Path]) -> list[ToolFunction]:
    """The public functions of the files and folders named, in the order they are written.

    Raises `ToolError` where a file cannot be read or run or, named itself, holds none, and where two have one name.
    """
    if isinstance(paths, str | os.PathLike) or not isinstance(paths, Iterable):
        raise ToolError(f"load_tools({paths!r:.80}): a list of files and folders is needed, such as ['tools']")
    found: dict[str, ToolFunction] = {}
    loaded: set[Path] = set()
    for path in paths:
        for file in _python_files(as_path("load_tools([{}])", path)):
            if (place := led_to(file)) in loaded:
                continue
            loaded.add(place)
            functions = _public_functions(_run_file(file))
            if not functions and file == Path(path):  # in a folder it may be there for the others
                raise ToolError(f"{path}: holds no tool: a tool is a public function written in the file itself")
            for function in functions:
                name = function.__name__
                if found.get(name) is function:
                    continue  # the same by another name
                if name in found:
                    raise ToolError(
                        f"two tools are named {name!r}: {place_of(found[name])} and {place_of(function)}. "
                        "Rename one, or begin its name with _ to keep it out"
                    )
                found[name] = function
    return list(found.values())


def place_of(function: ToolFunction) -> str:
    """Where a function is written, as file:line."""
    code = inspect.unwrap(function).__code__
    return f"{_short(Path(code.co_filename))}:{code.co_firstlineno}"


def _python_files(path: Path) -> list[Path]:
    try:
        # is_dir() says no, from Python 3.14 on, and glob() finds nothing, where a folder may not be read
        if stat.S_ISDIR(path.stat().st_mode):
            files = sorted(file for file in path.iterdir() if file.suffix == ".py")
            return [file for file in files if not file.name.startswith("_")]
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ToolError(f"{path}: there is no such file or folder to load tools from") from error
    except OSError as error:
        raise ToolError(f"{path}: cannot be read: {error.strerror}") from error
    if path.suffix != ".py":
        raise ToolError(f"{path}: tools are loaded from a .py file or a folder of them")
    return [path]


def _run_file(file: Path) -> ModuleType:
    """The module a file makes, under a name of its own, so that files of one name in two folders do not meet."""
    code = _compile(file)
    name = f"codeact_tools_{file.stem}_{hashlib.sha256(os.fsencode(file.resolve())).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None:
        raise ToolError(f"{file}: cannot be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # annotations are resolved, and dataclasses made, through this table
    try:
        with _importable(file.parent):
            exec(code, module.__dict__)  # noqa: S102  # the user's own file, run on the user's side of the wall
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ToolError(f"{file}:{_line_in(file, error)}: {type(error).__name__}: {error}") from error
    return module


def _compile(file: Path) -> CodeType:
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # to read from a pipe may never end
            raise ToolError(f"{file}: this is not a file of Python. Rename it, or begin its name with _ to keep it out")
        return compile(file.read_bytes(), str(file), "exec")
    except OSError as error:
        raise ToolError(f"{file}: cannot be read: {error.strerror}") from error
    except SyntaxError as error:
        raise ToolError(f"{file}:{error.lineno or 1}: {error.msg}") from error
    except ValueError as error:
        raise ToolError(f"{file}: is not a text of Python: {error}") from error


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """A tools file may import its neighbours: before all else while it is loaded, after all else when it is called."""
    entry = str(folder.resolve())
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        sys.path.remove(entry)
        if entry not in sys.path:
            sys.path.append(entry)


def _public_functions(module: ModuleType) -> list[ToolFunction]:
    chosen = getattr(module, "__all__", None)
    if not (chosen is None or isinstance(chosen, list | tuple | set | frozenset)):
        raise ToolError(f"{_short(Path(module.__file__ or ''))}: __all__ is {chosen!r}: a list of names is needed")
    if missing := [name for name in chosen or () if not hasattr(module, str(name))]:
        file = _short(Path(module.__file__ or ""))
        raise ToolError(f"{file}: __all__ names {', '.join(map(repr, missing))}, and there is no such name in the file")
    return [
        value
        for name, value in vars(module).items()
        if inspect.isroutine(value)
        and getattr(value, "__module__", None) == module.__name__
        and (name in chosen if chosen is not None else not name.startswith("_") and value.__name__ != "<lambda>")
    ]


def _line_in(file: Path, error: BaseException) -> int:
    """The line of this file an error came through last, 1 where it came through none."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(file) and frame.lineno]
    return lines[-1] if lines else 1


def _short(path: Path) -> str:
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
