"""Knows which local variables a function may store on without asking again.

`self.a = 1` asks whether the snippet may store on `self`; `self.b = 2` behind it need not: the same object is under
that name, and what is the snippet's own stays so. A proof holds for a local variable that nothing else binds, neither
an inner function nor a generator expression, until the name is bound again, on the straight way from where it was made:
the blocks of a compound statement start with the proofs made before it, those of a loop with those of parameters that
stay what they are, and none made inside is kept.

Proofs are of stores alone: targets are visited in the order in which they are stored on, and much else is not visited
in the order in which it happens.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from codeact.snippet.bindings import has_other_spelling
from codeact.snippet.check import LEAVES, Checker, Scope

_HOLDS_NOTHING = LEAVES | {str, int, type(None)}
_BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})


class Proofs(Checker):
    """Follows the visit of a snippet with the names proven at each place."""

    inside_comprehension = 0

    def __init__(self) -> None:
        super().__init__()
        self._ways: list[set[str]] = [set()]  # one for each block around the visit, the innermost last
        self._locals: set[str] = set()
        self.arguments: set[str] = set()
        self.fixed: set[str] = set()  # parameters that nothing binds anew
        self._rest: dict[str, str] = {}  # the parameters for all other arguments, each with its stars
        self._rest_here: dict[str, str] = {}
        self.rebound_inside: set[str] = set()  # names that some inner function or generator expression binds

    def proven(self, name: str, what: str) -> bool:
        """True where storing `what` (a private name, or any public one) on a variable needs no question."""
        return not self.inside_comprehension and name + what in self._ways[-1]

    def prove(self, name: str, what: str) -> None:
        """Note that the question is asked here."""
        if self.is_settled(name):
            self._ways[-1].add(name + what)

    def is_settled(self, name: str) -> bool:
        """True for a local variable that the function alone binds, so that it may be read twice for one use.

        What is looked up elsewhere may be another object the second time: in the namespace of a class body, or where
        something binds it that runs at any time, like what is called when an object is gone.
        """
        if self.scopes[-1] != "function" or self.inside_comprehension or has_other_spelling(name):
            return False
        return name in self._locals and name not in self.rebound_inside

    def hands_on(self, node: ast.expr, stars: str) -> bool:
        """True for the parameter that takes all other arguments, by place or by name, as the call has made it."""
        if not isinstance(node, ast.Name) or node.id not in self.fixed or not self.is_settled(node.id):
            return False
        return self._rest_here.get(node.id) == stars

    def bind(self, node: Any, name: str | None) -> None:
        """Forget what was known of a name that is bound or deleted."""
        super().bind(node, name)
        if name is None or self.scopes[-1] == "class":
            return
        if not self.inside_comprehension:
            self._locals.add(name)
        for way in self._ways:
            if way:
                way.difference_update([known for known in way if known.partition(".")[0] == name])

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> Any:
        """Names of an outer scope are anybody's to bind."""
        node = super().visit_Global(node)
        self._locals.difference_update(node.names)
        self.rebound_inside |= set(node.names)
        return node

    visit_Nonlocal = visit_Global

    def around(self, node: Any) -> None:
        """Note the parameters of the function whose body comes next."""
        super().around(node)
        self.arguments, self._rest = set(), {}
        if not isinstance(node, ast.ClassDef):
            self.arguments = _parameters(node.args)
            rest = (node.args.vararg, "*"), (node.args.kwarg, "**")
            self._rest = {one.arg: stars for one, stars in rest if one is not None}

    def in_scope(self, scope: Scope, nodes: list[Any]) -> list[Any]:
        """A function starts with its parameters, and with nothing proven."""
        kept = self._ways, self._locals, self.inside_comprehension, self._rest_here
        self._ways, self._locals, self.inside_comprehension = [set()], self.arguments, 0
        self._rest_here = self._rest
        try:
            return super().in_scope(scope, nodes)
        finally:
            self._ways, self._locals, self.inside_comprehension, self._rest_here = kept

    @contextmanager
    def branch(self, *, loop: bool = False) -> Iterator[None]:
        """What is proven inside may not have happened for what comes after; a loop's body comes after itself."""
        way = self._ways[-1]
        self._ways.append({known for known in way if known.partition(".")[0] in self.fixed} if loop else set(way))
        yield
        self._ways.pop()

    def block(self, nodes: list[Any]) -> list[Any]:
        """Visit the statements of a block that may or may not run."""
        self._ways.append(set(self._ways[-1]))
        done = self.visited(nodes)
        self._ways.pop()
        return done

    def node_contents_visit(self, node: Any) -> Any:
        """Visit all parts of a node."""
        for field in node._fields:
            value = getattr(node, field, None)
            if type(value) in _HOLDS_NOTHING:
                continue
            if isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
            elif type(value) is list and value:
                if field in _BLOCKS:
                    setattr(node, field, self.block(value))
                else:
                    setattr(node, field, [self.visit(part) if isinstance(part, ast.AST) else part for part in value])
        return node


def _parameters(given: ast.arguments) -> set[str]:
    found = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {one.arg for one in found if one is not None}
