"""Knows which variables of a function hold nothing but the numbers of a `range`, so that nobody asks what they are.

Every binding of such a variable in its function is a loop over `range(…)`. That `range` is the builtin is asked where
such a loop begins, if a product relied on it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from codeact.snippet import build, rules
from codeact.snippet.amounts import LEVELS, number_of
from codeact.snippet.bindings import SCOPES, bound_by, children, has_other_spelling, walk
from codeact.snippet.check import Scope
from codeact.snippet.guards import Guards

_CLOSED = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.RShift)


class Counters(Guards):
    """Follows the visit of a snippet with the variables that count."""

    expressions_bind = True  # some expression of the snippet binds a name for the scope it stands in

    def __init__(self) -> None:
        super().__init__()
        self._counters: set[str] = set()
        self._relied: set[str] = set()  # those a product relied on
        self._ranges: list[tuple[str, ast.Call]] = []  # what fills them

    def in_scope(self, scope: Scope, nodes: list[Any]) -> list[Any]:
        """Variables of another scope may be others of the same name."""
        kept = self._counters, self._relied, self._ranges, self.fixed, self.stable
        self._counters, self._relied, self._ranges, self.fixed = set(), set(), [], set()
        if scope == "function":
            ranges, bound = _bindings(nodes, expressions=self.expressions_bind)
            self._ranges = [(name, call) for name, call in ranges if not bound[name]]
            self._counters = {name for name, _ in self._ranges} - self.arguments - self.rebound_inside
            self.fixed = {name for name in self.arguments if name not in bound} - self.rebound_inside
        self.stable = self.stable.difference(bound) | self.fixed if scope == "function" else set()
        try:
            done = super().in_scope(scope, nodes)
            self._ask_for(self._ranges)
            return done
        finally:
            self._counters, self._relied, self._ranges, self.fixed, self.stable = kept

    def enter_loops(self, loops: list[ast.comprehension]) -> tuple[set[str], set[str], list[tuple[str, ast.Call]]]:
        """The variables of a comprehension are its own; gives what `leave_loops` wants back."""
        around, stable = self._counters, self.stable
        bound = Counter([part.id for loop in loops for part in walk(loop.target) if isinstance(part, ast.Name)])
        ranges = [(name, loop.iter) for loop in loops if (name := _variable_of(loop)) is not None and bound[name] == 1]
        self._counters = (around - set(bound)) | {name for name, _ in ranges}
        self.stable = stable.difference(bound)
        return around, stable, ranges  # type: ignore[return-value]  # `_variable_of` says that they are calls

    def leave_loops(self, entered: tuple[set[str], set[str], list[tuple[str, ast.Call]]]) -> None:
        """The variables around the comprehension are back."""
        self._counters, self.stable, ranges = entered
        self._ask_for(ranges)

    def counts(self, node: ast.expr, levels: int = LEVELS) -> bool:
        """True for what is seen to be a number: a constant, a counter, or what is computed from them."""
        if number_of(node) is not None:
            return True
        if isinstance(node, ast.Name) and node.id in self._counters:
            self._relied.add(node.id)
            return True
        if levels and isinstance(node, ast.BinOp) and isinstance(node.op, _CLOSED):
            return self.counts(node.left, levels - 1) and self.counts(node.right, levels - 1)
        return False

    def _ask_for(self, ranges: list[tuple[str, ast.Call]]) -> None:
        for name, call in ranges:
            if name in self._relied:
                at = call.func
                same = ast.Compare(at, [ast.Is()], [build.name(rules.RANGE, at)], **build.place(at))
                call.func = ast.IfExp(same, at, build.name(rules.OTHER_RANGE, at), **build.place(at))


def _variable_of(loop: ast.For | ast.comprehension) -> str | None:
    """The variable of a loop over what is named `range`."""
    target = loop.target
    if not isinstance(target, ast.Name) or has_other_spelling(target.id) or not is_range(loop.iter):
        return None
    return target.id


def is_range(node: ast.expr) -> bool:
    """True for a call of what is named `range`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _bindings(nodes: list[ast.stmt], *, expressions: bool) -> tuple[list[tuple[str, ast.Call]], Counter[str]]:
    """The loops over a range in these statements, by their variable, and how often each name is bound otherwise."""
    ranges: list[tuple[str, Any]] = []
    bound: Counter[str] = Counter()
    for node in _inside(nodes, expressions=expressions):
        if type(node) is ast.For and (name := _variable_of(node)) is not None:
            ranges.append((name, node.iter))
            bound[name] -= 1
        elif type(node) is not ast.arg:  # those of lambdas are their own
            bound.update(bound_by(node))
    return ranges, bound


def _inside(nodes: Iterable[ast.AST], *, expressions: bool) -> Iterator[Any]:
    """All nodes of a scope, without the bodies of functions and classes, and without what comprehensions bind.

    Without `expressions`, those that are only evaluated are left out.
    """
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.comprehension):
            inside: list[ast.AST] = [node.iter, *node.ifs]
        elif isinstance(node, SCOPES):
            fields = [value for field, value in ast.iter_fields(node) if field != "body"]
            parts = [part for value in fields for part in (value if isinstance(value, list) else [value])]
            inside = [part for part in parts if isinstance(part, ast.AST)]
        else:
            inside = children(node)
        todo += inside if expressions else [part for part in inside if not _is_evaluated(part)]


def _is_evaluated(node: ast.AST) -> bool:
    return isinstance(node, ast.expr) and type(getattr(node, "ctx", build.LOAD)) is ast.Load
