"""Rewrites `*` and `<<`, whose results may be far larger than what they are given.

a * b      →  a * b if type(a) is type(b) or type(a) is float or type(b) is float
                       or type(a) in factors or type(b) in factors else times(a, b)     in functions
x.y * 1e6  →  h * 1_000_000 if type(h := x.y) is int or type(h) is float or type(h) in factors
                       else times(h, 1_000_000, h := None)
a << b     →  a << (b if type(b) is int and b <= 4096 else places(b, a))
a * b      →  times(a, b)                                          elsewhere, and where one is seen to be a sequence

A product of two other expressions inside a function is left alone: each draw of a loop would pay for it, and each
factor is at most what memory holds.
"""

from __future__ import annotations

import ast
from typing import Any

from codeact.snippet import build, rules
from codeact.snippet.amounts import is_text, number_of
from codeact.snippet.counters import Counters

_SMALL = 64  # factors up to this grow a sequence no faster than adding it to itself
_LARGE = 10_000  # a constant past this is looked at whatever the other factor is
_FREE_PLACES = 4096
_SEQUENCES = (ast.List, ast.Tuple, ast.JoinedStr, ast.ListComp)


class Products(Counters):
    """Charges products and shifts."""

    inside_iterable = 0  # of a comprehension, where no expression may bind a name, be it one of a lambda

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
        unsure = [side for side in (left, right) if not self.counts(side)]
        if not unsure:
            return False
        if self.is_cold() or any(isinstance(factor, int) and factor > _LARGE for factor in factors):
            return True
        names = [side.id for side in unsure if isinstance(side, ast.Name)]
        return len(names) == len(unsure) and (len(names) == 1 or names[0] != names[1])

    def shift_is_large(self, right: ast.expr) -> bool:
        """True where the number of places is not seen to be small."""
        places = number_of(right)
        return not (isinstance(places, int) and places <= _FREE_PLACES)

    def multiplied(self, node: ast.BinOp) -> ast.expr:
        """A product of visited factors, charged where it is one of a sequence."""
        left, right = node.left, node.right
        if isinstance(left, _SEQUENCES) or is_text(left) or isinstance(right, _SEQUENCES) or is_text(right):
            return build.call(rules.TIMES, left, right, at=node)
        unsure = [side for side in (left, right) if not self.counts(side)]
        charged = build.call(rules.TIMES, left, right, at=node)
        if all(isinstance(side, ast.Name) and not rules.is_hook(side.id) for side in unsure) and not self.is_cold():
            return ast.IfExp(_harmless(unsure, node), node, charged, **build.place(node))
        if len(unsure) == 1 and self.may_hold():
            return self._held_product(node)
        return charged

    def _held_product(self, node: ast.BinOp) -> ast.expr:
        """The constant factor is a number; the other one is held, and let go again where it is none."""
        other = node.right if self.counts(node.left) else node.left
        kept, again, dropped = self.held(other)
        plain = ast.BinOp(again, node.op, node.right, **build.place(node))
        if other is node.right:
            plain = ast.BinOp(node.left, node.op, again, **build.place(node))
        charged = build.call(rules.TIMES, plain.left, plain.right, dropped, at=node)
        known: list[ast.expr] = [
            build.has_type(kept, rules.INT),
            build.has_type(again, rules.FLOAT),
            build.type_among(again, rules.FACTORS),
        ]
        asked = ast.BoolOp(ast.Or(), known, **build.place(node))
        return ast.IfExp(asked, plain, charged, **build.place(node))

    def held(self, value: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr]:
        """`h := value`, `h`, and `h := None`, of a variable of ours."""
        word = self.temporary()
        nothing = ast.Constant(None, None, **build.place(value))
        kept, dropped = (
            ast.NamedExpr(build.name(word, value, build.STORE), part, **build.place(value)) for part in (value, nothing)
        )
        return kept, build.name(word, value), dropped

    def may_hold(self) -> bool:
        """True where a variable of ours is one of a function, and no expression around rebinds it."""
        return self.scopes[-1] == "function" and not self.inside_comprehension and not self.inside_iterable

    def multiplied_in_place(self, node: ast.AugAssign, charged: list[ast.stmt]) -> list[ast.stmt]:
        """`a *= b` likewise: `charged` is how it is written out with a hook."""
        target, value = node.target, node.value
        known = isinstance(value, ast.Name) or number_of(value) is not None
        if not isinstance(target, ast.Name) or not known or self.is_cold():
            return charged
        names = [side for side in (target, value) if isinstance(side, ast.Name)]
        return [ast.If(_harmless(names, node), [node], charged, **build.place(node))]

    def shifted(self, node: ast.BinOp) -> ast.expr:
        """`a << (n if type(n := b) is int and n <= 4096 else places(n, a))`: the usual case without a call."""
        places, number = node.right, node.left
        known = isinstance(number, ast.Constant) or (
            isinstance(number, ast.Name) and (isinstance(places, ast.Name) or self.is_settled(number.id))
        )
        if not known or any(isinstance(part, ast.NamedExpr) for part in ast.walk(places)):
            return build.call(rules.SHIFT, number, places, at=node)
        held, kept = places, places
        if not isinstance(places, ast.Name) or rules.is_hook(places.id):
            if not self.may_hold():
                return build.call(rules.SHIFT, number, places, at=node)
            word = self.temporary()
            kept = ast.NamedExpr(build.name(word, places, build.STORE), places, **build.place(places))
            held = build.name(word, places)
        free = ast.Constant(_FREE_PLACES, None, **build.place(places))
        small = ast.Compare(held, [ast.LtE()], [free], **build.place(places))
        exact = build.has_type(kept, rules.INT)
        again = build.name(number.id, number) if isinstance(number, ast.Name) else number
        charged = build.call(rules.PLACES, held, again, at=places)
        node.right = ast.IfExp(build.both(exact, small, places), held, charged, **build.place(places))
        return node


def _harmless(sides: list[Any], at: Any) -> ast.expr:
    """True of two factors of one type, of which none repeats the other, and where one is no sequence and no number.

    Of a factor beside a number it is asked whether it is a number too. The set of classes is asked last: a set takes
    twice as long as `is`.
    """
    sides = [build.name(side.id, side) for side in sides]
    floats = [build.has_type(side, rules.FLOAT) for side in sides]
    floats += [build.type_among(side, rules.FACTORS) for side in sides]
    if len(sides) == 1:
        return ast.BoolOp(ast.Or(), [build.has_type(sides[0], rules.INT), *floats], **build.place(at))
    alike = ast.Compare(build.type_of(sides[0]), [ast.Is()], [build.type_of(sides[1])], **build.place(at))
    return ast.BoolOp(ast.Or(), [alike, *floats], **build.place(at))
