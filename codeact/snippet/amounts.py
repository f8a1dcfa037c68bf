"""What the text of an expression says of its value: a number, a string, the size of a power or of a format."""

from __future__ import annotations

import ast
import re

_TEXTS = (str, bytes)

#: A width written with fewer digits is not worth a charge.
DIGITS = 5


#: Levels of operators that are looked into: what is deeper is asked about while running. Each level looks anew.
LEVELS = 8

_BITS = 4096
_MANY_ZEROS = re.compile(r"\d\.?[eE][-+]?[\d_]{6,}\s*$")

#: Methods by which a list or an array grows.
_ADDING = frozenset({"append", "extend", "insert", "__iadd__", "__imul__", "__setitem__"})

#: What makes or works on exact numbers, by name; other modules have some of the names, too.
EXACT = frozenset({"Fraction", "sqrt", "exp", "ln", "log10"})


def number_of(node: ast.expr, levels: int = LEVELS) -> int | float | complex | None:
    """The number an expression of constants is, where that is plain to see."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
        return node.value
    if not levels:
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number_of(node.operand, levels - 1)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add | ast.Sub | ast.Pow):
        left, right = number_of(node.left, levels - 1), number_of(node.right, levels - 1)
        if isinstance(left, int) and isinstance(right, int):
            return _computed(left, node.op, right)
    return None


def _computed(left: int, operator: ast.operator, right: int) -> int | None:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right if left.bit_length() + right.bit_length() <= _BITS else None
    return int(left**right) if right >= 0 and left.bit_length() * right <= _BITS else None


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
        return base.bit_length() * exponent > _BITS
    return base not in (0, 1, -1)


def costs_nothing(node: ast.expr) -> bool:
    """True for a constant that asks for no more than some thousand characters, whatever it is given to."""
    return isinstance(node, ast.Constant) and sum(letter.isdigit() for letter in str(node.value)) < DIGITS


def has_no_exponent(node: ast.expr) -> bool:
    """True for a constant that says each of its digits, zeros too."""
    return isinstance(node, ast.Constant) and not (isinstance(node.value, str) and "e" in node.value.lower())


def says_many_zeros(node: ast.expr) -> bool:
    """True for a text such as "1e999999", of which only exact numbers are made."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_MANY_ZEROS.search(node.value[-30:]))


def may_be_exact(node: ast.Call, word: str) -> bool:
    """False where a call is seen not to be one of `decimal` or `fractions`, or to be a small one."""
    if word == "Fraction":
        return len(node.args) == 1 and not has_no_exponent(node.args[0])
    owner = node.func.value if isinstance(node.func, ast.Attribute) else node
    is_module = isinstance(owner, ast.Name) and bool(node.args) and owner.id[:1].islower()
    return word == "ln" or not (owner is node or is_module)


def key_may_add(node: ast.Call) -> bool:
    """True for `max(x, key=…)` where the key may be a method of the list itself that adds to it."""
    named = {part.arg: part.value for part in node.keywords}
    key = named.get("key")
    return None in named or (isinstance(key, ast.Attribute) and key.attr in _ADDING)


def may_join(node: ast.Call) -> bool:
    """True where `sum` starts with what may be a list: it is copied anew for each that is added."""
    starts = [*node.args[1:2], *(pair.value for pair in node.keywords)]
    return (
        bool(node.args) and bool(starts) and not is_number(starts[0]) and not isinstance(node.args[0], ast.GeneratorExp)
    )


def format_is_wide(node: ast.expr) -> bool:
    if not is_text(node):
        return False
    text = str(node.value)  # type: ignore[attr-defined]  # a constant
    return "*" in text or sum(letter.isdigit() for letter in text) >= DIGITS


def says_its_names(given: ast.expr) -> bool:
    """True for `**{"a": 1}`, whose names stand there."""
    keys = given.keys if isinstance(given, ast.Dict) else [None]
    return all(isinstance(key, ast.Constant) for key in keys)


def is_written_out(node: ast.expr) -> bool:
    """True for a list or tuple whose items stand there, each by itself."""
    return isinstance(node, ast.List | ast.Tuple) and not any(isinstance(part, ast.Starred) for part in node.elts)


def owner_of_slice(targets: list[ast.expr]) -> ast.Name | None:
    """The variable of which a slice is all that is assigned to."""
    match targets:
        case [ast.Subscript(ast.Name() as owner, ast.Slice())]:
            return owner
    return None
