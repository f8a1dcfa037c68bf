"""Builds the nodes a rewritten snippet consists of, each with the place of the user's code it stands for."""

from __future__ import annotations

import ast
from typing import Any

from codeact.snippet import rules

LOAD, STORE, DEL = ast.Load(), ast.Store(), ast.Del()


def place(node: Any) -> dict[str, int]:
    """Where a node stands in the source."""
    return {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno,
        "end_col_offset": node.end_col_offset,
    }


def name(identifier: str, at: Any, ctx: ast.expr_context = LOAD) -> ast.Name:
    """A name, or one of our hooks."""
    return ast.Name(identifier, ctx, **place(at))


def text(value: str, at: Any) -> ast.Constant:
    """A string."""
    return ast.Constant(value, None, **place(at))


def call(hook: str, *arguments: ast.expr, at: Any) -> ast.Call:
    """A call of one of our hooks."""
    return ast.Call(name(hook, at), list(arguments), [], **place(at))


def called(function: ast.expr, *arguments: ast.expr, at: Any) -> ast.Call:
    """A call of any expression."""
    return ast.Call(function, list(arguments), [], **place(at))


def line(expression: ast.expr) -> ast.Expr:
    """An expression as a statement."""
    return ast.Expr(expression, **place(expression))


def type_of(subject: ast.expr) -> ast.Call:
    """`type(x)`, whatever the snippet calls `type`."""
    return called(name(rules.TYPE, subject), subject, at=subject)


def has_type(subject: ast.expr, hook: str) -> ast.Compare:
    """`type(x) is …`, a type among our hooks."""
    return ast.Compare(type_of(subject), [ast.Is()], [name(hook, subject)], **place(subject))


def type_among(subject: ast.expr, hook: str) -> ast.Compare:
    """`type(x) in …`, a set of types among our hooks."""
    return ast.Compare(type_of(subject), [ast.In()], [name(hook, subject)], **place(subject))


def both(first: ast.expr, second: ast.expr, at: Any) -> ast.BoolOp:
    """`first and second`."""
    return ast.BoolOp(ast.And(), [first, second], **place(at))


def drop(names: list[str], at: Any) -> ast.Delete:
    """`del` of some names."""
    return ast.Delete([name(word, at, DEL) for word in names], **place(at))


def assign(target: ast.expr, value: ast.expr, at: Any) -> ast.Assign:
    """`target = value`."""
    return ast.Assign([target], value, None, **place(at))
