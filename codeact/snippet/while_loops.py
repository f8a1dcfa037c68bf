"""What is seen of a `while` loop, before it is rewritten: if it ends by itself, or jumps out of another."""

from __future__ import annotations

import ast

from codeact.snippet.bindings import bound_by, walk

_COMPUTED = (ast.Name, ast.Constant, ast.Compare, ast.BinOp)


def ends_itself(loop: ast.While) -> bool:
    """True where the test computes with what the loop binds; any other loop may wait for what another thread does."""
    asked = [part for part in walk(loop.test) if isinstance(part, ast.expr)]
    names = {part.id for part in asked if isinstance(part, ast.Name)}
    if not names or not all(isinstance(part, _COMPUTED) for part in asked):
        return False
    return any(not names.isdisjoint(bound_by(part)) for part in walk(*loop.body))


def jumps(nodes: list[ast.stmt]) -> bool:
    """True where a `break` or `continue` in these statements would leave the loop around them."""
    for node in nodes:
        if isinstance(node, ast.Break | ast.Continue):
            return True
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            if jumps(node.orelse):
                return True
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
            blocks = [
                part.body for part in ast.iter_child_nodes(node) if isinstance(part, ast.ExceptHandler | ast.match_case)
            ]
            if jumps(inner) or any(jumps(block) for block in blocks):
                return True
    return False
