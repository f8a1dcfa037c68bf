"""What modules of Python's set attributes of, wherever they found it: no class and no function that everybody shares.

The nodes of a document know one another by lists and attributes that a snippet fills as well, and what a method gives
that a snippet overrides is set up. So these functions look at each thing they store on, but for what they are a method
of and what they are handed, which `borrowed.py` looks at.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

from codeact.snippet import build, ownership, running
from codeact.snippet.modules import borrowed

#: Module → its classes whose methods set up what they come upon; none are named where all its functions do.
_MODULES: dict[str, tuple[str, ...]] = {
    "contextlib": ("_BaseExitStack", "AsyncExitStack"),
    "xml.dom.minidom": (),
    "zipfile": ("_ZipWriteFile",),
}

_LOOKED_AT = " looked at"  # among the names of a module; nobody can say it
_done: set[str] = set()


def guard(name: str) -> None:
    """Let the functions of a module look, where it is one of these; more calls do nothing."""
    if name in _MODULES and name not in _done:
        _done.add(name)
        module, classes = sys.modules[name], _MODULES[name]
        vars(module)[_LOOKED_AT] = _looked_at
        functions = [each for each in _functions(vars(module), classes) if _is_storing(each.__code__)]
        lines = {each.__code__.co_firstlineno for each in functions}
        looking = {(code.co_qualname, code.co_firstlineno): code for code in _looking(module, classes, lines)}
        for function in functions:
            code = looking.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is not None:
                function.__code__ = code


def guard_loaded() -> None:
    """Do so for those that are loaded already, before the first session needs them."""
    for name in sys.modules.keys() & _MODULES:
        guard(name)


def _looked_at(subject: Any) -> Any:
    if running.is_in_a_step() and not _is_made_there(subject):
        borrowed.no_shared(subject)
    return subject


def _is_made_there(subject: Any) -> bool:
    """True for what a stack keeps of a function, which is a function of the library's, and nobody else's."""
    return (
        type(subject) is types.FunctionType
        and subject.__code__.co_name == "_exit_wrapper"
        and subject.__globals__ is vars(contextlib)
    )


def _functions(names: dict[str, Any], classes: tuple[str, ...]) -> Iterator[types.FunctionType]:
    """The functions that are written in a module, or in these classes of it."""
    for owner in [names[each] for each in classes] or list(names.values()):
        for part in list(ownership.class_dict(owner).values()) if ownership.is_class(owner) else [owner]:
            for each in [getattr(part, name, None) for name in ("__func__", "fget", "fset")] + [part]:
                found = inspect.unwrap(each) if callable(each) else None
                if type(found) is types.FunctionType and found.__globals__ is names:
                    yield found


def _is_storing(code: types.CodeType) -> bool:
    """True where the code of a function, or of one within it, sets an attribute."""
    within = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return not borrowed.STORES.isdisjoint(code.co_code[::2]) or any(map(_is_storing, within))


def _looking(module: types.ModuleType, classes: tuple[str, ...], lines: set[int]) -> Iterator[types.CodeType]:
    """The code of the functions that begin at these lines of a module, where that looks first."""
    tree = _Looks(lines).visit(ast.parse(_text(module, classes)))
    codes = [compile(tree, str(module.__file__), "exec", dont_inherit=True)]
    for code in codes:
        codes += [part for part in code.co_consts if isinstance(part, types.CodeType)]
        if _LOOKED_AT in code.co_names:
            yield code


def _text(module: types.ModuleType, classes: tuple[str, ...]) -> str:
    """The text of a module; where classes are named, the lines of others are empty: to read them takes as long."""
    lines, wanted = inspect.getsource(module).splitlines(), not classes
    begins = re.compile(rf"class ({'|'.join(classes)})\b")
    for at, line in enumerate(lines):
        if classes and line[:1].strip(" #"):
            wanted = begins.match(line) is not None
        lines[at] = line if wanted else ""
    return "\n".join(lines)


class _Looks(ast.NodeTransformer):
    """`x.name = v` → `looked_at(x).name = v`."""

    def __init__(self, lines: set[int]) -> None:
        self._lines = lines  # at which the functions begin that are wanted
        self._self: str | None = None  # what a method is of

    def visit_Module(self, node: ast.Module | ast.ClassDef) -> Any:
        node.body = [part for part in node.body if self._is_wanted(part)] or [ast.Pass(lineno=1, col_offset=0)]
        for part in node.body:
            if isinstance(node, ast.ClassDef) and isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                self._self = part.args.args[0].arg if part.args.args else None
            self.visit(part)
            self._self = None
        return node

    visit_ClassDef = visit_Module

    def _is_wanted(self, part: ast.stmt) -> bool:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            return min(each.lineno for each in (part, *part.decorator_list)) in self._lines
        return isinstance(part, ast.ClassDef)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) and not (
            isinstance(node.value, ast.Name) and node.value.id == self._self
        ):
            node.value = build.call(_LOOKED_AT, node.value, at=node.value)
        return node
