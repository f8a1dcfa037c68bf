"""Whether a literal is certain to be refused by a tool's annotation.

A tool's arguments are validated by pydantic, which converts where nothing is lost (`"5"` for an `int`). Only what no
conversion helps is reported; an annotation not understood here accepts everything.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from codeact import alone
from codeact.snippet.bindings import last_name

#: What a node is worth that is no literal.
MISSING = object()


def literal(node: ast.expr) -> Any:
    """The value of a literal of plain data; `MISSING` where the value is not known before running."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return MISSING


def refuses(annotation: str, value: Any) -> bool:
    """True where no value like this can be given for a parameter annotated so."""
    try:
        with alone.compiling():
            parsed = ast.parse(annotation.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return False
    return _refused(parsed, value)


def _refused(annotation: ast.expr, value: Any) -> bool:
    match annotation:
        case ast.Constant(value=None):
            return value is not None
        case ast.Constant(value=str(text)):
            return refuses(text, value)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _refused(left, value) and _refused(right, value)
        case ast.Subscript(value=outer, slice=inner):
            return _refused_generic(last_name(outer), inner, value)
    rule = _RULES.get(last_name(annotation))
    return rule is not None and rule(value)


def _refused_generic(name: str, inner: ast.expr, value: Any) -> bool:
    several = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name in ("Optional", "Union"):
        options = [_refused(option, value) for option in several]
        return all(options) and (name == "Union" or value is not None)
    if name == "Annotated":
        return _refused(several[0], value)
    if name == "Literal":
        allowed = [literal(option) for option in several]
        return MISSING not in allowed and not any(type(value) is type(option) and value == option for option in allowed)
    rule = _RULES.get(name)
    if rule is None:
        return False
    return rule(value) or _refused_item(name, several, value)


def _refused_item(name: str, several: list[ast.expr], value: Any) -> bool:
    if name in ("list", "List", "Sequence", "set", "Set", "frozenset") and len(several) == 1:
        return any(_refused(several[0], item) for item in value)
    if name in ("dict", "Dict", "Mapping") and len(several) == 2:
        return any(_refused(several[1], item) for item in value.values())
    return False


def _not_number(value: Any, kind: Callable[[str], Any]) -> bool:
    if isinstance(value, str | bytes):
        try:
            kind(value if isinstance(value, str) else value.decode())
        except ValueError:
            return True
        return False
    return not isinstance(value, int | float)


def _not_bool(value: Any) -> bool:
    if isinstance(value, str):
        return value.lower() not in ("0", "1", "t", "f", "y", "n", "true", "false", "yes", "no", "on", "off")
    return not isinstance(value, bytes) and value not in (0, 1)


def _not_collection(value: Any) -> bool:
    return not isinstance(value, list | tuple | set | frozenset)


_RULES: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: not isinstance(value, str | bytes),
    "int": lambda value: _not_number(value, float) or (isinstance(value, float) and not value.is_integer()),
    "float": lambda value: _not_number(value, float),
    "bool": _not_bool,
    "bytes": lambda value: not isinstance(value, str | bytes),
    "None": lambda value: value is not None,
    **dict.fromkeys(("list", "List", "set", "Set", "frozenset", "tuple", "Tuple"), _not_collection),
    "Sequence": lambda value: not isinstance(value, list | tuple | str | bytes),
    **dict.fromkeys(("dict", "Dict", "Mapping"), lambda value: not isinstance(value, dict)),
}
