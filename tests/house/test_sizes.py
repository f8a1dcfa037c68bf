"""Small rooms: ceilings on files, functions and parameters. An exception is a row here, with its reason."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE_LINES = 300
FUNCTION_LINES = 40
ROOM_FILES = 25  # without a map
PARAMETERS = 5

# The path, or the path:function, or a folder's path → why its contents may be larger.
LONGER_FILES: dict[str, str] = {}
LONGER_FUNCTIONS: dict[str, str] = {}
MORE_PARAMETERS: dict[str, str] = {
    "codeact/toolbox/make.py:tool": "what can be declared of a tool, each on its own and all optional",
    "codeact/agent/agent.py:__init__": "the names of the public contract, all optional and by keyword",
    "codeact/session/session.py:__init__": "the names of the public contract, all optional and by keyword",
    "codeact/snippet/modules/": "stands in for functions of the standard library and takes what those take",
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _files() -> list[Path]:
    return sorted((ROOT / "codeact").rglob("*.py")) + sorted((ROOT / "tools").rglob("*.py"))


@functools.cache
def _functions() -> list[tuple[str, Function]]:
    nodes = ((path, node) for path in _files() for node in ast.walk(ast.parse(path.read_text())))
    return [(f"{path.relative_to(ROOT)}:{node.name}", node) for path, node in nodes if isinstance(node, Function)]


def _granted(name: str, table: dict[str, str]) -> bool:
    return name in table or any(name.startswith(folder) for folder in table if folder.endswith("/"))


def _own_lines(function: Function) -> int:
    """The lines of a function without those of the functions and classes written inside it: they are rooms too."""
    inner = [node for node in ast.walk(function) if isinstance(node, Function | ast.ClassDef) and node is not function]
    taken = {line for node in inner for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    return len(set(range(function.lineno, (function.end_lineno or 0) + 1)) - taken)


def _is_table(path: Path) -> bool:
    """True for a module that only states facts: assignments of literals, and no function or class."""
    return not any(isinstance(node, Function | ast.ClassDef) for node in ast.walk(ast.parse(path.read_text())))


def test_files_fit_on_a_few_screens() -> None:
    long = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in (*_files(), *sorted((ROOT / "tests").rglob("*.py")))
        if len(path.read_text().splitlines()) > FILE_LINES and not _is_table(path)
    }
    assert {name: lines for name, lines in long.items() if not _granted(name, LONGER_FILES)} == {}


def test_a_room_of_many_files_has_a_map_that_names_each_once() -> None:
    """What its `__init__` says of them: named in backticks, or in the rows of words that stand furthest in."""
    wrong = {}
    for room in sorted({path.parent for path in _files()}):
        names = {path.stem for path in room.glob("*.py")} - {"__init__"}
        if len(names) > ROOM_FILES:
            said = ast.get_docstring(ast.parse((room / "__init__.py").read_text()), clean=False) or ""
            rows = " ".join(re.findall(r"^ {8}(.+)$", said, re.MULTILINE)).split()
            told = Counter([*rows, *re.findall(r"`(\w+)`", said)])
            wrong[room.name] = sorted({name for name in names if told[name] != 1} | (set(rows) - names))
    assert {room: names for room, names in wrong.items() if names} == {}


def test_functions_fit_on_a_screen() -> None:
    long = {
        name: lines
        for name, node in _functions()
        if (lines := _own_lines(node)) > FUNCTION_LINES and not _granted(name, LONGER_FUNCTIONS)
    }
    assert long == {}


def _own_parameters(arguments: list[ast.arg]) -> list[str]:
    return [argument.arg for argument in arguments if argument.arg not in {"self", "cls"}]


def test_functions_of_the_package_take_few_parameters() -> None:
    wrong = {}
    for name, node in _functions():
        positional = _own_parameters([*node.args.posonlyargs, *node.args.args])
        every = positional + _own_parameters(node.args.kwonlyargs)
        if len(every) > PARAMETERS and not _granted(name, MORE_PARAMETERS):
            wrong[name] = every
    assert wrong == {}


def test_every_exception_still_names_something() -> None:
    names = {name for name, _ in _functions()} | {str(path.relative_to(ROOT)) for path in _files()}
    granted = {*LONGER_FILES, *LONGER_FUNCTIONS, *MORE_PARAMETERS}
    assert [entry for entry in granted if not any(name.startswith(entry) for name in names)] == []
