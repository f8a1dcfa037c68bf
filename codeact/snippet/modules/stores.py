"""What modules of Python's set attributes of, wherever they found it: no class and no function that everybody shares.

The nodes of a document know one another by lists and attributes that a snippet fills as well, and what a method gives
that a snippet overrides is set up. So these functions look at each thing they store on, but for what they are a method
of and what they are handed, which `borrowed.py` looks at.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
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
}

_LOOKED_AT = " looked at"  # among the names of a module; nobody can say it
_done: set[str] = set()


def guard(name: str) -> None:
    """Let the functions of a module look, where it is one of these; more calls do nothing."""
    if name in _MODULES and name not in _done:
        _done.add(name)
        module, classes = sys.modules[name], _MODULES[name]
        vars(module)[_LOOKED_AT] = _looked_at
        looking = {(code.co_qualname, code.co_firstlineno): code for code in _looking(module, classes)}
        for function in _functions(vars(module), classes):
            code = looking.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is not None:
                function.__code__ = code


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


def _looking(module: types.ModuleType, classes: tuple[str, ...]) -> Iterator[types.CodeType]:
    """The code of what is written in a module, or in these classes of it, where that looks first."""
    tree = ast.parse(inspect.getsource(module))
    if classes:
        tree.body = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in classes]
    codes = [compile(_Looks().visit(tree), str(module.__file__), "exec", dont_inherit=True)]
    for code in codes:
        codes += [part for part in code.co_consts if isinstance(part, types.CodeType)]
        if _LOOKED_AT in code.co_names:
            yield code


class _Looks(ast.NodeTransformer):
    """`x.name = v` → `looked_at(x).name = v`."""

    _self: str | None = None  # what a method is of

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        for part in node.body:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                self._self = part.args.args[0].arg if part.args.args else None
            self.visit(part)
            self._self = None
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) and not (
            isinstance(node.value, ast.Name) and node.value.id == self._self
        ):
            node.value = build.call(_LOOKED_AT, node.value, at=node.value)
        return node
