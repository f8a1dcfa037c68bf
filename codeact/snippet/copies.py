"""How large a source becomes when CPython compiles it: a `finally` is written out wherever its block is left.

Once for the way through, once for errors, and once for each `return`, `break` and `continue` inside: one `finally`
inside another is written out as often as both say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codeact.snippet.bindings import SCOPES, children, walk

#: Nodes of the syntax tree that are copies; the compiler takes some ten microseconds for each.
MOST_COPIES = 200_000

_LEAVING = (ast.Return, ast.Break, ast.Continue)
_TRIES = (ast.Try, ast.TryStar)


def too_many(tree: ast.AST) -> bool:
    """True where the copies would take the compiler's time and memory without measure."""
    return _size(children(tree))[0] - sum(1 for _ in walk(*children(tree))) > MOST_COPIES


def _size(nodes: Iterable[ast.AST]) -> tuple[int, int]:
    """How many nodes these become, and how often they leave the block they are in."""
    size = exits = 0
    for node in nodes:
        more, leaving = _size_of(node)
        size, exits = size + more, exits + leaving
    return size, exits


def _size_of(node: ast.AST) -> tuple[int, int]:
    if isinstance(node, _LEAVING):
        return sum(1 for _ in walk(node)), 1
    if isinstance(node, ast.expr):
        return sum(1 for _ in walk(node)), 0
    if isinstance(node, _TRIES) and node.finalbody:
        size, exits = _size([*node.body, *node.handlers, *node.orelse])
        copy, leaving = _size(node.finalbody)
        return size + copy * (exits + 2), exits + leaving * (exits + 2)
    if isinstance(node, SCOPES):
        return _size(children(node))[0] + 1, 0
    size, exits = _size(children(node))
    return size + 1, exits
