"""Writes out targets that take as many items as there are, so that what they take is charged for.

(a, *b), c = it   →  h1, h2 = it; a, *b = each(h1); c = h2; del h1, h2
"""

from __future__ import annotations

import ast

from codeact.snippet import build, rules
from codeact.snippet.products import Products


class Unpacking(Products):
    """Adds what starred targets become."""

    @staticmethod
    def has_star(target: ast.expr) -> bool:
        """True where a target takes as many items as there are."""
        return isinstance(target, ast.Tuple | ast.List) and any(
            isinstance(part, ast.Starred) or Unpacking.has_star(part) for part in target.elts
        )

    def unpacked(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        """`target = value` as statements in which a star stands in outermost targets alone, over `each(…)`."""
        if not self.has_star(target):
            return [build.assign(target, value, target)]
        parts: list[ast.expr] = target.elts  # type: ignore[attr-defined]  # a tuple or a list
        if any(isinstance(part, ast.Starred) for part in parts):
            value = build.call(rules.EACH, value, at=value)
        inner = [part.value if isinstance(part, ast.Starred) else part for part in parts]
        if not any(self.has_star(part) for part in inner):
            return [build.assign(target, value, target)]
        names = [self.temporary() for _ in parts]
        takers: list[ast.expr] = []
        for held, part in zip(names, parts, strict=True):
            taker: ast.expr = build.name(held, part, build.STORE)
            if isinstance(part, ast.Starred):
                taker = ast.Starred(taker, build.STORE, **build.place(part))
            takers.append(taker)
        statements: list[ast.stmt] = [
            build.assign(ast.Tuple(takers, build.STORE, **build.place(target)), value, target)
        ]
        for held, part in zip(names, inner, strict=True):
            statements += self.unpacked(part, build.name(held, part))
        return [*statements, build.drop(names, target)]
