"""Rewrites `*` and `<<`, whose results may be far larger than what they are given.

a * b      →  a * b if type(a) in numbers and type(b) in numbers else times(a, b)     of variables, in functions
x.y * 1e6  →  h * 1_000_000 if type(h := x.y) in numbers else times(h, 1_000_000, h := None)
a << b     →  a << (b if type(b) is int and b <= 4096 else places(b))
a * b      →  times(a, b)                                          elsewhere, and where one is seen to be a sequence

A product of two other expressions inside a function is left alone: each draw of a loop would pay for it, and each
factor is at most what memory holds.
"""

from __future__ import annotations

import ast
from typing import Any

from codeact.snippet import build, rules
from codeact.snippet.amounts import is_text, number_of
from codeact.snippet.guards import Guards

_SMALL = 64  # factors up to this grow a sequence no faster than adding it to itself
_LARGE = 10_000  # a constant past this is looked at whatever the other factor is
_FREE_PLACES = 4096
_SEQUENCES = (ast.List, ast.Tuple, ast.JoinedStr, ast.ListComp)


class Products(Guards):
    """Charges products and shifts."""

    loop_depth = 0

    def __init__(self) -> None:
        super().__init__()
        self._counters: set[str] = set()  # variables of loops over a range

    def in_scope(self, scope: str, nodes: list[Any]) -> list[Any]:
        """Variables of another scope may be others of the same name."""
        kept, self._counters = self._counters, set()
        try:
            return super().in_scope(scope, nodes)
        finally:
            self._counters = kept

    def bind(self, node: Any, name: str | None) -> None:
        """A name that is bound anew counts nothing any more."""
        super().bind(node, name)
        self._counters.discard(name or "")

    def count_with(self, target: ast.expr, iterable: ast.expr) -> None:
        """Note the variable of a loop over a range, once its target was visited."""
        function = getattr(iterable, "func", None)
        if isinstance(target, ast.Name) and isinstance(function, ast.Name) and function.id == "range":
            self._counters.add(target.id)

    def is_cold(self) -> bool:
        """True for code that runs once: what a hook costs there is not felt, and what it is given is not known."""
        return self.scopes[-1] != "function" and not self.loop_depth

    def product_is_large(self, left: ast.expr, right: ast.expr) -> bool:
        """True where the product may be one to charge."""
        factors = [number_of(left), number_of(right)]
        if all(factor is not None for factor in factors):
            return False
        if any(isinstance(one, float | complex) or (isinstance(one, int) and one <= _SMALL) for one in factors):
            return False
        if any(isinstance(side, _SEQUENCES) or is_text(side) for side in (left, right)):
            return True
        if self.is_cold() or any(isinstance(factor, int) and factor > _LARGE for factor in factors):
            return True
        if self.scopes[-1] != "function":
            return False
        names = [side.id for side in (left, right) if isinstance(side, ast.Name)]
        known = len(names) + sum(factor is not None for factor in factors) == 2
        return known and not (len(names) == 2 and (names[0] == names[1] or self._counters.issuperset(names)))

    def shift_is_large(self, right: ast.expr) -> bool:
        """True where the number of places is not seen to be small."""
        places = number_of(right)
        return not (isinstance(places, int) and places <= _FREE_PLACES)

    def multiplied(self, node: ast.BinOp) -> ast.expr:
        """A product of visited factors, charged where it is one of a sequence."""
        left, right = node.left, node.right
        if isinstance(left, _SEQUENCES) or is_text(left) or isinstance(right, _SEQUENCES) or is_text(right):
            return build.call(rules.TIMES, left, right, at=node)
        names = [side for side in (left, right) if isinstance(side, ast.Name) and not rules.is_hook(side.id)]
        sure = sum(number_of(side) is not None for side in (left, right))
        if len(names) + sure == 2:
            asked = self._numbers([side for side in names if side.id not in self._counters] or names, node)
            return ast.IfExp(asked, node, build.call(rules.TIMES, left, right, at=node), **build.place(node))
        if sure and self._may_hold():
            return self._held_product(node)
        return build.call(rules.TIMES, left, right, at=node)

    def _held_product(self, node: ast.BinOp) -> ast.expr:
        """The constant factor is a number; the other one is held, and let go again where it is none."""
        held = self.temporary()
        other = node.left if number_of(node.left) is None else node.right
        again = build.name(held, other)
        kept = ast.NamedExpr(build.name(held, other, build.STORE), other, **build.place(other))
        plain = ast.BinOp(again, node.op, node.right, **build.place(node))
        if other is node.right:
            plain = ast.BinOp(node.left, node.op, again, **build.place(node))
        dropped = ast.NamedExpr(
            build.name(held, other, build.STORE), ast.Constant(None, None, **build.place(other)), **build.place(other)
        )
        charged = build.call(rules.TIMES, plain.left, plain.right, dropped, at=node)
        kind = build.called(build.name(rules.TYPE, other), kept, at=other)
        asked = ast.Compare(kind, [ast.In()], [build.name(rules.NUMBERS, other)], **build.place(other))
        return ast.IfExp(asked, plain, charged, **build.place(node))

    def _numbers(self, names: list[ast.Name], at: Any) -> ast.expr:
        tests: list[ast.expr] = []
        for side in names:
            kind = build.called(build.name(rules.TYPE, side), build.name(side.id, side), at=side)
            tests.append(ast.Compare(kind, [ast.In()], [build.name(rules.NUMBERS, side)], **build.place(side)))
        return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests, **build.place(at))

    def _may_hold(self) -> bool:
        return self.scopes[-1] == "function" and not self.inside_comprehension

    def multiplied_in_place(self, node: ast.AugAssign, charged: list[ast.stmt]) -> list[ast.stmt]:
        """`a *= b` likewise: `charged` is how it is written out with a hook."""
        target, value = node.target, node.value
        known = isinstance(value, ast.Name) or number_of(value) is not None
        if not isinstance(target, ast.Name) or not known or self.is_cold():
            return charged
        names = [side for side in (target, value) if isinstance(side, ast.Name)]
        asked = self._numbers([build.name(side.id, side) for side in names], node)
        return [ast.If(asked, [node], charged, **build.place(node))]

    def shifted(self, node: ast.BinOp) -> ast.expr:
        """`a << (n if type(n := b) is int and n <= 4096 else places(n))`: the usual case without a call."""
        places = node.right
        held, kept = places, places
        if not isinstance(places, ast.Name) or rules.is_hook(places.id):
            if not self._may_hold():
                return build.call(rules.SHIFT, node.left, places, at=node)
            word = self.temporary()
            kept = ast.NamedExpr(build.name(word, places, build.STORE), places, **build.place(places))
            held = build.name(word, places)
        free = ast.Constant(_FREE_PLACES, None, **build.place(places))
        small = ast.Compare(held, [ast.LtE()], [free], **build.place(places))
        kind = build.called(build.name(rules.TYPE, places), kept, at=places)
        exact = ast.Compare(kind, [ast.Is()], [build.name(rules.INT, places)], **build.place(places))
        charged = build.call(rules.PLACES, held, at=places)
        node.right = ast.IfExp(build.both(exact, small, places), held, charged, **build.place(places))
        return node
