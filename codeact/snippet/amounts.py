"""What the text of an expression says of its value: a number, a string, the size of a power or of a format."""

from __future__ import annotations

import ast

_TEXTS = (str, bytes)

#: A width written with fewer digits is not worth a charge.
DIGITS = 5


def number_of(node: ast.expr) -> int | float | complex | None:
    """The number an expression of constants is, where that is plain to see."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number_of(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add | ast.Sub):
        left, right = number_of(node.left), number_of(node.right)
        if isinstance(left, int) and isinstance(right, int):
            add, sub = left + right, left - right
            return left * right if isinstance(node.op, ast.Mult) else add if isinstance(node.op, ast.Add) else sub
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not power_is_large(node.left, node.right):
        left, right = number_of(node.left), number_of(node.right)
        if isinstance(left, int) and isinstance(right, int) and right >= 0:
            return int(left**right)
    return None


def is_number(node: ast.expr) -> bool:
    return number_of(node) is not None


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, _TEXTS)


def power_is_large(left: ast.expr, right: ast.expr) -> bool:
    base, exponent = number_of(left), number_of(right)
    if isinstance(base, float | complex) or isinstance(exponent, float | complex):
        return False
    if isinstance(exponent, int) and exponent <= 5:
        return False  # a product of as many factors
    if isinstance(base, int) and isinstance(exponent, int):
        return base.bit_length() * exponent > 4096
    return base not in (0, 1, -1)


def costs_nothing(node: ast.expr) -> bool:
    """True for a constant that asks for no more than some thousand characters, whatever it is given to."""
    return isinstance(node, ast.Constant) and sum(letter.isdigit() for letter in str(node.value)) < DIGITS


def format_is_wide(node: ast.expr) -> bool:
    if not is_text(node):
        return False
    text = str(node.value)  # type: ignore[attr-defined]  # a constant
    return "*" in text or sum(letter.isdigit() for letter in text) >= DIGITS
