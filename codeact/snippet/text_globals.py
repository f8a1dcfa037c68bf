"""Functions of a text that bind what they declare `global`: the dictionary the text was given is told at once.

global x; x = 1        →  global x; x = 1; fresh()
for x in y: …          →  for x in y: fresh(); …  and once more after it
yield x                →  yield x; fresh()        what has changed meanwhile is taken over
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codeact.snippet.bindings import bound_by, children, parts_of_scope, walk

#: Where a function waits, and others work.
_LEAVING = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)

#: What a text has where something must be told.
KINDS = frozenset({ast.Global, *_LEAVING})

_NAMED_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Told(ast.Pass):
    """Stands where the dictionary is told."""


def note(tree: ast.AST) -> None:
    """Put the places into a tree that was not rewritten yet."""
    for scope in [node for node in walk(tree) if isinstance(node, _NAMED_SCOPES)]:
        parts = [part for node in scope.body for part in parts_of_scope(node)]
        declared = {name for part in parts if isinstance(part, ast.Global) for name in part.names}
        if declared or any(isinstance(part, _LEAVING) for part in parts):
            scope.body = _noted(scope.body, declared)


def _noted(body: list[Any], declared: set[str]) -> list[Any]:
    done: list[Any] = []
    for node in body:
        done.append(node)
        told = [ast.copy_location(Told(), node)] if _tells(node, declared) else []
        for owner, field in _blocks(node):
            setattr(owner, field, [*told, *_noted(getattr(owner, field), declared)])
        done += told
    return done


def _tells(node: ast.AST, declared: set[str]) -> bool:
    """Whether a statement binds one of these names outside of its blocks, or lets others work before it goes on."""
    if isinstance(node, ast.Global):
        return False
    said = list(_said_first(node))
    return any(isinstance(part, _LEAVING) or not declared.isdisjoint(bound_by(part)) for part in said)


def _blocks(node: Any) -> Iterator[tuple[Any, str]]:
    """The blocks of statements right inside a statement, where they belong to the same scope."""
    if isinstance(node, _NAMED_SCOPES):
        return
    for owner in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        for field in ("body", "orelse", "finalbody"):
            if getattr(owner, field, None):
                yield owner, field


def _said_first(node: Any) -> Iterator[ast.AST]:
    """What a statement says outside of its blocks."""
    if isinstance(node, _NAMED_SCOPES):
        yield from parts_of_scope(node)
        return
    waiting = [node]
    while waiting:
        part = waiting.pop()
        inner = [child for child in children(part) if not isinstance(child, ast.stmt)]
        yield part
        held = [child for child in inner if isinstance(child, ast.ExceptHandler | ast.match_case)]
        waiting += held
        for child in inner:
            if child not in held:
                yield from parts_of_scope(child)
