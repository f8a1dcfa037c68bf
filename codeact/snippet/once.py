"""Asks once for a whole call what a function asks again and again of a parameter that stays what it is.

def f(self): … self._a … self._b …  →  def f(self): own = type(self) in plain; … (self if own or … else …)._a …

What an object is does not change. So the question is asked where the function begins, if it stands in its body twice or
in a loop, and again wherever the answer was no.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

from codeact.snippet import build
from codeact.snippet.bindings import has_other_spelling
from codeact.snippet.check import Scope
from codeact.snippet.proofs import Proofs
from codeact.snippet.rules import HELD


class Once(Proofs):
    """Follows what is asked of parameters."""

    loop_depth = 0
    _temporaries = 0

    def __init__(self) -> None:
        super().__init__()
        self._asked: dict[tuple[str, str], list[ast.IfExp]] = {}  # by the parameter and the set of types
        self._repeated: set[tuple[str, str]] = set()  # those that a loop asks
        self.stable: set[str] = set()  # parameters nothing binds anew, of this function and those around it
        self.opening: list[ast.stmt] = []  # what the function that was visited last begins with

    def temporary(self) -> str:
        """A new name no snippet can say."""
        self._temporaries += 1
        return f"{HELD}{self._temporaries}"

    def may_be_read_twice(self, node: ast.expr) -> TypeGuard[ast.Name]:
        """True for a variable that is the same object each time it is read for one use."""
        return isinstance(node, ast.Name) and (self._is_stable(node.id) or self.is_settled(node.id))

    def _is_stable(self, name: str) -> bool:
        return name in self.stable and not has_other_spelling(name)

    def unless(self, subject: ast.Name, known: str, checked: ast.expr) -> ast.expr:
        """`subject if type(subject) in known else checked`: nearly always without a call of Python."""
        again = build.name(subject.id, subject)
        found = ast.IfExp(build.type_among(again, known), again, checked, **build.place(subject))
        if self._is_stable(subject.id):
            question = subject.id, known
            self._asked.setdefault(question, []).append(found)
            if self.loop_depth:
                self._repeated.add(question)
        return found

    def in_scope(self, scope: Scope, nodes: list[ast.AST]) -> list[ast.AST]:
        """A function has its own parameters."""
        kept = self._asked, self._repeated
        self._asked, self._repeated = {}, set()
        try:
            done = super().in_scope(scope, nodes)
            self.opening = [] if isinstance(nodes[0], ast.expr) else self._answers(nodes[0])
            return done
        finally:
            self._asked, self._repeated = kept

    def _answers(self, at: ast.AST) -> list[ast.stmt]:
        answers: list[ast.stmt] = []
        for question, places in self._asked.items():
            if len(places) == 1 and question not in self._repeated:
                continue
            answer, test = self.temporary(), build.type_among(build.name(question[0], at), question[1])
            answers.append(build.assign(build.name(answer, at, build.STORE), test, at))
            for place in places:
                either: list[ast.expr] = [build.name(answer, place), place.test]
                place.test = ast.BoolOp(ast.Or(), either, **build.place(place))
        return answers
