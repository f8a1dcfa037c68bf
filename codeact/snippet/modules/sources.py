"""inspect: the text of functions and classes of the snippet's own."""

from __future__ import annotations

import ast
import inspect
import linecache
import types
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.endings import CallRefused


def getsource(object: Any) -> str:
    """The text of a function or a class of the snippet's own."""
    return "".join(getsourcelines(object)[0])


def getsourcelines(object: Any) -> tuple[list[str], int]:
    """The lines of a function or a class of the snippet's own, and the number of the first."""
    subject: Any = object.__func__ if type(object) is types.MethodType else object
    while ownership.is_own_function(vars(subject).get("__wrapped__") if type(subject) is types.FunctionType else None):
        subject = vars(subject)["__wrapped__"]
    if ownership.is_own_function(subject):
        first = subject.__code__.co_firstlineno
        return inspect.getblock(_lines(subject)[first - 1 :]), first
    if not (ownership.is_class(subject) and ownership.is_own_class(subject)):
        raise CallRefused("inspect gives the text of your own functions and classes")
    methods = [part for part in ownership.class_dict(subject).values() if ownership.is_own_function(part)]
    lines = _lines(methods[0]) if methods else []
    named = [
        node
        for node in ast.walk(ast.parse("".join(lines)))
        if isinstance(node, ast.ClassDef) and node.name == subject.__name__
    ]
    if not named:
        raise OSError("source code not available")
    first = min([named[-1].lineno, *(decorator.lineno for decorator in named[-1].decorator_list)])
    return lines[first - 1 : named[-1].end_lineno], first


def _lines(function: types.FunctionType) -> list[str]:
    """The lines of the step that defined a function, as long as they are kept."""
    known = linecache.cache.get(function.__code__.co_filename)
    if known is None or not function.__code__.co_filename.startswith("<snippet "):
        raise OSError("could not get source code")
    return [*known[2]]  # type: ignore[misc]  # no entry of a snippet is lazy
