"""Answers that are given within a function: it returns them, and its caller gives them.

def main(): … final_answer(x)                 def main(): … return x
main()                                   →    final_answer(main())
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from codeact.records import FINAL_ANSWER
from codeact.skills.scope import copied, own_nodes

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def answers(node: ast.AST) -> bool:
    """True where a call of `final_answer` stands in the code."""
    return any(isinstance(item, ast.Call) and is_answer(item) for item in ast.walk(node))


def is_answer(call: ast.Call) -> bool:
    """True for a call of `final_answer`."""
    return isinstance(call.func, ast.Name) and call.func.id == FINAL_ANSWER


def unguarded(nodes: Iterable[ast.stmt]) -> list[ast.stmt]:
    """The statements, with what stands below `if __name__ == "__main__"` in its place."""
    found: list[ast.stmt] = []
    for node in nodes:
        match node:
            case ast.If(
                test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant("__main__")]),
                body=body,
                orelse=[],
            ):
                found += body
            case _:
                found.append(node)
    return found


def returned(nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements, those of a function that answers and of its only call written so that it returns the answer."""
    found = [*nodes]
    for at, node in enumerate(nodes):
        if not isinstance(node, _FUNCTIONS) or not answers(node):
            continue
        calls = [place for place, other in enumerate(nodes) if _names(other, node.name)]
        if len(calls) == 1 and calls[0] > at and _only_answers(node) and _calls(nodes[calls[0]], node.name):
            found[at] = copied(node)
            Returning().generic_visit(found[at])
            made = copied(nodes[calls[0]])
            assert isinstance(made, ast.Expr)  # noqa: S101  # `_calls` looked
            call = ast.Call(ast.Name(FINAL_ANSWER, ast.Load()), [made.value], [])
            made.value = ast.fix_missing_locations(ast.copy_location(call, made.value))
            found[calls[0]] = made
    return found


def _names(node: ast.AST, name: str) -> bool:
    return any(isinstance(item, ast.Name) and item.id == name for item in ast.walk(node))


def _calls(node: ast.stmt, name: str) -> bool:
    """True for `name(…)`, `await name(…)` and `asyncio.run(name(…))` as a statement."""
    value = node.value if isinstance(node, ast.Expr) else None
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("asyncio.run", "run") and len(value.args) == 1:
        value = value.args[0]
    call = value.value if isinstance(value, ast.Await) else value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name


def _only_answers(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """True where all a function gives is an answer, each as a statement of its own."""
    own = [item for part in node.body for item in own_nodes(part)]
    made = [item.value for item in own if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call)]
    plain = [call for call in made if is_answer(call)]
    every = [item for item in ast.walk(node) if isinstance(item, ast.Call) and is_answer(item)]
    other = (ast.Yield, ast.YieldFrom)
    gives = any(isinstance(item, other) or (isinstance(item, ast.Return) and item.value is not None) for item in own)
    return len(plain) == len(every) and not gives and not node.decorator_list


class Returning(ast.NodeTransformer):
    """`final_answer(x)` where it stands as a statement becomes `return x`; functions within are left alone."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not isinstance(node.value, ast.Call) or not is_answer(node.value):
            return node
        values = [*node.value.args, *(word.value for word in node.value.keywords)]
        value = values[0] if values else ast.copy_location(ast.Constant(None), node)
        return ast.copy_location(ast.Return(value), node)

    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        return node

    visit_AsyncFunctionDef = visit_FunctionDef
