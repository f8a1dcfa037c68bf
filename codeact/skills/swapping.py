"""Parameters put where constants stood."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from codeact.skills.literals import Site
from codeact.skills.scope import copied


def read(site: Site, name: str) -> ast.expr:
    """A parameter in the place of a constant: a list is made anew from a tuple, a date from a text."""
    value = ast.Name(name, ast.Load())
    if isinstance(site.node, ast.Call):
        return ast.Call(ast.Attribute(copied(site.node.func), "fromisoformat", ast.Load()), [value], [])
    maker = {ast.List: "list", ast.Set: "set"}.get(type(site.node))
    return ast.Call(ast.Name(maker, ast.Load()), [value], []) if maker else value


class Swap(ast.NodeTransformer):
    """Puts parameters in the place of constants, and into texts where their values stand as words."""

    def __init__(self, replaced: Mapping[ast.AST, ast.expr], words: Mapping[str, str]) -> None:
        self.replaced = replaced
        self.words = {value: name for value, name in words.items() if len(value) > 1}

    def visit(self, node: ast.AST) -> Any:
        if node in self.replaced:
            return copied(self.replaced[node])
        return super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and " " in node.value:
            parts = self._parts(node.value)
            if len(parts) > 1:
                return ast.JoinedStr(parts)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        values: list[ast.expr] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                values += self._parts(str(part.value))
            elif isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
                values.append(part)
        node.values = values
        return node

    def visit_MatchValue(self, node: ast.AST) -> ast.AST:
        return node  # a pattern holds no text that is put together

    visit_MatchMapping = visit_MatchValue

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def _parts(self, text: str) -> list[ast.expr]:
        if not self.words:
            return [ast.Constant(text)]
        pattern = "|".join(re.escape(value) for value in sorted(self.words, key=len, reverse=True))
        parts: list[ast.expr] = []
        for at, piece in enumerate(re.split(rf"(?<![\w.])({pattern})(?![\w.]|,\d)", text)):
            if at % 2:
                parts.append(ast.FormattedValue(ast.Name(self.words[piece], ast.Load()), -1))
            elif piece:
                parts.append(ast.Constant(piece))
        return parts
