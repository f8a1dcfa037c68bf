"""Which names a piece of syntax binds, and where: every binding form of the language in one place."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DYNAMIC = frozenset({"exec", "eval", "globals", "locals", "vars"})
"""Builtins after whose use any name may be bound."""

ANY_NAME = "*"
"""Among the names that are known, this one says that there may be others."""

SCOPES = (*FUNCTIONS, ast.ClassDef)


def normal(name: str) -> str:
    """The name as CPython compares it: identifiers are NFKC-normalised by the parser."""
    return unicodedata.normalize("NFKC", name)


def bound_by(node: ast.AST) -> Iterator[str]:
    """The names this one node binds, not those bound by what is inside it."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.alias():
            yield (node.asname or node.name).partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case _ if type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):  # from 3.12 on
            yield node.name  # type: ignore[attr-defined]  # these three nodes have a name


def parts_of_scope(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and what belongs to the same scope inside it: nested functions and classes stop the walk.

    Of a nested function only what runs in this scope is walked: decorators, defaults and annotations.
    """
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(run_here(current) if isinstance(current, SCOPES) else ast.iter_child_nodes(current))


def run_here(scope: ast.AST) -> list[ast.AST]:
    """The parts of a nested function or class that run in the scope around it."""
    if isinstance(scope, ast.ClassDef):
        return [*scope.decorator_list, *scope.bases, *scope.keywords]
    if not isinstance(scope, FUNCTIONS):
        return []
    found: list[ast.AST] = [*scope.args.defaults, *(default for default in scope.args.kw_defaults if default)]
    if isinstance(scope, ast.Lambda):
        return found
    return [*scope.decorator_list, *found]


def bound_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The names bound in one scope by these nodes; comprehension variables count too, as they may be walrus targets."""
    return {name for node in nodes for part in parts_of_scope(node) for name in bound_by(part)}


def locals_of(function: ast.FunctionDef) -> set[str]:
    """The names local to a function."""
    names = bound_in(function.body) | {
        argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)
    }
    return names - declared_globals(function)


def declared_globals(tree: ast.AST) -> set[str]:
    """The names declared `global` inside `tree`."""
    return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}


def bound_when_called(tree: ast.AST) -> set[str]:
    """The names that functions defined in `tree` may bind in the session when they are called, now or later."""
    names = declared_globals(tree)
    return names | {ANY_NAME} if mentions(tree, DYNAMIC) else names


def mentions(node: ast.AST, names: set[str] | frozenset[str]) -> bool:
    """True where one of `names` is read anywhere inside `node`."""
    return any(
        isinstance(part, ast.Name) and part.id in names and isinstance(part.ctx, ast.Load) for part in ast.walk(node)
    )
