"""What a constant might be called, from where it stands."""

from __future__ import annotations

import ast
import re
from typing import Any

from codeact.skills import naming
from codeact.skills.terms import STOP


def called(node: ast.AST) -> str:  # noqa: PLR0911  # one row for each kind
    """What an expression is about: `row["city"]` → city, `order.price` → price, `len(word)` → length."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if not singular(name):
            return "length"
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(key)), *_]):
            return key
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(value=value)) | ast.Call(args=[value, *_]):
            return called(value)
        case ast.Subscript(value=value) | ast.UnaryOp(operand=value) | ast.BinOp(left=value):
            return called(value)
    return ""


def bounded(name: str, operator: ast.cmpop, *, left: bool, value: ast.expr) -> str:
    """What a bound might be called: `amount > 100` → min_amount."""
    number = not (isinstance(value, ast.Constant) and isinstance(value.value, str))
    if not name or not number:
        return name
    match operator:
        case ast.Gt() | ast.GtE():
            return f"{'max' if left else 'min'}_{name}"
        case ast.Lt() | ast.LtE():
            return f"{'min' if left else 'max'}_{name}"
    return name


def singular(name: str) -> str:
    """One of several: cities → city; empty where there is no such word."""
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else ""


def plural(name: str) -> str:
    """Several of one: city → cities; empty where the name says too little."""
    if len(name) < 3:
        return ""
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2] not in "aeiou" else f"{name}s"


def led_to(value: Any, task: str) -> str:
    """`from` or `to` where the task has that before the value."""
    match = re.search(rf"\b(from|to)\s+{re.escape(str(value))}(?!\w)", task, flags=re.IGNORECASE)
    return match[1].lower() if match else ""


def beside(value: Any, task: str) -> list[str]:
    """What the task calls a value: `seed 7` → seed, `50 samples` → samples."""
    if isinstance(value, tuple):
        return []
    text = naming.said(value)
    before = re.search(rf"\w\s+([a-z]{{3,}})\s+(?:of\s+)?['\"`$€£]?{text}", task)
    after = re.search(rf"{text}\s+([a-z]{{3,}}s|percent)\b", task)
    words = [found[1] for found in (before, after) if found is not None]
    return [word for word in words if word not in STOP and word not in naming.LINKS]
