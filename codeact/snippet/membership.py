"""Charges `x in it` where it takes as long as `it` is long: of iterators, and of a `range` that is asked for no int.

x in it          →  x in (searched(it) if type(it) in in_c else it)      of a variable that may be an iterator
x in range(n)    →  x in (range(n) if type(x) is int else searched(range(n)))
"""

from __future__ import annotations

import ast
from typing import Any

from codeact.snippet import build, rules
from codeact.snippet.amounts import number_of
from codeact.snippet.bindings import last_name
from codeact.snippet.check import Scope
from codeact.snippet.counters import is_range
from codeact.snippet.unpacking import Unpacking

_DISPLAYS = (
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.JoinedStr,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Dict,
    ast.Constant,
)
_CONTAINERS = frozenset({"set", "frozenset", "list", "tuple", "dict", "str", "sorted", "defaultdict", "Counter"})
_SHORT = 100_000  # numbers that are gone through in no time


class Membership(Unpacking):
    """Adds what `in` becomes."""

    def __init__(self) -> None:
        super().__init__()
        self._containers: set[str] = set()  # variables that hold no iterator

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Look at what may be searched item by item, where a hook is not felt."""
        before = [node.left, *node.comparators]
        asked = [
            isinstance(operator, ast.In | ast.NotIn) and self._may_be_long(left, side)
            for left, operator, side in zip(before, node.ops, node.comparators, strict=False)
        ]
        self.note_compared(node)
        node.left = self.visit(node.left)
        for place, side in enumerate(node.comparators):
            seen = node.comparators[place] = self.visit(side)
            if not asked[place]:
                continue
            dropped: list[ast.expr] = []
            left = node.comparators[place - 1] if place else node.left
            if is_range(seen) and left is node.left and not isinstance(left, ast.Name) and self.may_hold():
                node.left, left, *dropped = self.held(left)
            node.comparators[place] = self._searched(left, seen, *dropped)
        return node

    def _may_be_long(self, left: ast.expr, side: ast.expr) -> bool:
        if is_range(side):
            ends = map(number_of, side.args)  # type: ignore[attr-defined]  # `is_range` says that it is a call
            is_short = all(isinstance(end, int) and abs(end) < _SHORT for end in ends)
            return not is_short and not isinstance(number_of(left), int)
        return self._may_be_iterator(side)

    def _searched(self, left: ast.expr, side: ast.expr, *dropped: ast.expr) -> ast.expr:
        searched = build.call(rules.SEARCHED, side, *dropped, at=side)
        if isinstance(side, ast.Name) and not rules.is_hook(side.id):
            return ast.IfExp(build.type_among(side, rules.IN_C), searched, side, **build.place(side))
        if not is_range(side) or not isinstance(left, ast.Name) or (rules.is_hook(left.id) and not dropped):
            return searched
        return ast.IfExp(build.has_type(left, rules.INT), side, searched, **build.place(side))

    def _may_be_iterator(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return last_name(node.func) not in rules.NO_ITERATORS
        return isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and node.id not in self._containers)

    def in_scope(self, scope: Scope, nodes: list[Any]) -> list[Any]:
        """Variables of another scope may be others of the same name."""
        kept, self._containers = self._containers, set()
        try:
            return super().in_scope(scope, nodes)
        finally:
            self._containers = kept

    def bind(self, node: Any, name: str | None) -> None:
        """A name that is bound anew may hold anything."""
        super().bind(node, name)
        self._containers.discard(name or "")

    def _note_container(self, node: ast.Assign, value: ast.expr) -> None:
        made = getattr(value.func, "id", "") in _CONTAINERS if isinstance(value, ast.Call) else False
        if (made or isinstance(value, _DISPLAYS)) and isinstance(target := node.targets[-1], ast.Name):
            self._containers.add(target.id)
