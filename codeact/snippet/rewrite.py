"""Rewrites what repeats, so that each turn of it draws from the meter in C, and what could swallow a step's end.

    for x in it: …               →  for x in compress(it, loops): …
    for x in (a, b): …           →  for x in (a, b): next(loops); …
    while test: …                →  for turn in loops: if not test: break; …
    [f(x) for x in it]           →  [f(x) for x in compress(it, loops)]
    def f(): …                   →  def f(): next(calls); …
    try: … except E: …           →  try: … except ending: raise; except E: …
    finally: …, with …: …        →  over and again()   first in the one, after the other

`ending` matches nothing but a step's end while a step runs, and everything once it is over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from codeact.snippet import build, rules
from codeact.snippet.charging import Charging
from codeact.snippet.counters import is_range
from codeact.snippet.while_loops import ends_itself, jumps

_FEW = 10


class Rewriter(Charging):
    """Checks, guards and meters a whole snippet in one visit; `outer` are the names that inner blocks of it bind."""

    def __init__(self, outer: Iterable[str] = (), *, expressions_bind: bool = True, of_text: bool = False) -> None:
        super().__init__()
        self.rebound_inside = set(outer)
        self.expressions_bind = expressions_bind
        self._of_text = of_text  # given to exec or eval: its functions look whether their dictionary has changed

    # ------------------------------------------------------------------------------------------------ loops

    def _counted(self, iterable: ast.expr) -> ast.expr:
        return build.call(rules.COMPRESS, iterable, build.name(rules.LOOPS, iterable), at=iterable)

    def _draw(self, tap: str, at: Any) -> ast.expr:
        return build.call(rules.NEXT, build.name(tap, at), at=at)

    def visit_For(self, node: ast.For) -> Any:
        """`for x in it` → `for x in compress(it, loops)`."""
        self.walk_over(node.iter)
        over = node.iter
        if is_short(over):
            node.iter = self.visit(over)
            self._loop_parts(node)
            self._spread_target(node, node.target)
            node.body.insert(0, build.line(self._draw(rules.LOOPS, node.body[0])))
            return node
        node.iter = self._counted(self.visit(over))
        self._loop_parts(node)
        self._spread_target(node, node.target)
        return node

    def visit_AsyncFor(self, node: ast.AsyncFor) -> Any:
        """`async for x in it: …` → `async for x in it: next(loops); …`."""
        node.iter = self.visit(node.iter)
        self._loop_parts(node)
        self._spread_target(node, node.target)
        node.body.insert(0, build.line(self._draw(rules.LOOPS, node.body[0])))
        return node

    def _loop_parts(self, node: Any) -> None:
        self.loop_depth += 1
        with self.branch(loop=True):
            if isinstance(node, ast.For | ast.AsyncFor):
                node.target = self.visit(node.target)
            node.body = self.block(node.body)
        self.loop_depth -= 1
        node.orelse = self.block(node.orelse)

    def _spread_target(self, node: Any, target: Any) -> None:
        if self.has_star(target):
            held = self.temporary()
            node.target = build.name(held, target, build.STORE)
            node.body[:0] = [*self.unpacked(target, build.name(held, target)), build.drop([held], target)]

    def visit_While(self, node: ast.While) -> Any:
        """`while test: …` → `for turn in loops: if not test: break; …`, or a draw in the test where that cannot be."""
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        tap = rules.LOOPS if ends_itself(node) else rules.POLLS
        self.loop_depth += 1
        test = self.visit(node.test)
        self.loop_depth -= 1
        self._loop_parts(node)
        if self.scopes[-1] == "class" or jumps(node.orelse):
            node.test = build.both(self._draw(rules.LOOPS, test), test, test)
            return node
        body = node.body
        if not endless or node.orelse:  # which is never reached, and may bind names or hold a yield all the same
            leave = [*node.orelse, ast.Break(**build.place(test))]
            denied = ast.UnaryOp(ast.Not(), test, **build.place(test))
            body = [ast.If(denied, leave, [], **build.place(test)), *body]
        turn = build.name(rules.TURN, test, build.STORE)
        return ast.For(turn, build.name(tap, test), body, [], None, **build.place(node))

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        """The loops of a comprehension count like any other."""
        self.walk_over(node.iter)
        draws = node.is_async or is_short(node.iter)
        node.target = self.visit(node.target)
        self.inside_iterable += 1
        node.iter = self.visit(node.iter)
        self.inside_iterable -= 1
        node.ifs = self.visited(node.ifs)
        if draws:
            node.ifs.insert(0, self._draw(rules.LOOPS, node.iter))
        else:
            node.iter = self._counted(node.iter)
        return node

    def _comprehended(self, node: Any) -> Any:
        self.loop_depth += 1
        self.inside_comprehension += 1
        self.scopes.append("function")
        entered = self.enter_loops(node.generators)
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        node.generators = [part for loop in node.generators for part in self._spread_loop(self.visit(loop))]
        self.leave_loops(entered)
        self.scopes.pop()
        self.inside_comprehension -= 1
        self.loop_depth -= 1
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehended

    def _spread_loop(self, loop: ast.comprehension) -> list[ast.comprehension]:
        if not self.has_star(loop.target):
            return [loop]
        ready: list[ast.comprehension] = []
        held = self.temporary()
        target, loop.target = loop.target, build.name(held, loop.target, build.STORE)
        for statement in self.unpacked(target, build.name(held, target)):
            if isinstance(statement, ast.Assign):
                once = ast.Tuple([statement.value], build.LOAD, **build.place(target))
                ready.append(ast.comprehension(statement.targets[0], once, [], 0))
        draws = loop.ifs[:1] if loop.is_async or is_short(loop.iter) else []
        loop.ifs = loop.ifs[len(draws) :]
        ready[-1].ifs, loop.ifs = loop.ifs, draws
        return [loop, *ready]

    # ------------------------------------------------------------------------------------------------ functions

    def visit_FunctionDef(self, node: Any) -> Any:
        """The body's first act, after a docstring, is a draw, and what is asked once for the call."""
        depth, self.loop_depth = self.loop_depth, 0
        node = super().visit_FunctionDef(node)
        self.loop_depth = depth
        start = _after_docstring(node.body)
        node.body[start:start] = [build.line(self._entered(node.body[0])), *self.opening]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def _entered(self, at: Any) -> ast.expr:
        draw = self._draw(rules.CALLS, at)
        return build.both(draw, build.call(rules.FRESH, at=at), at) if self._of_text else draw

    def visit_Told(self, node: ast.Pass) -> Any:
        """A text's function has bound what it declares `global`."""
        return build.line(build.call(rules.FRESH, at=node))

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """`lambda: x` → `lambda: next(calls) and x`."""
        node = super().visit_Lambda(node)
        node.body = build.both(self._entered(node.body), node.body, node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """A class body looks our hooks up past its own namespace, which may be a mapping of the snippet's."""
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id == "super":
                self.violation(base, "class", "no class is built on super inside a snippet")
        depth, self.loop_depth = self.loop_depth, 0
        node = super().visit_ClassDef(node)
        self.loop_depth = depth
        _declare(node.body, node)
        return node

    def visit_Module(self, node: ast.Module) -> Any:
        """The same for the whole snippet: `exec` may run it on such a mapping."""
        self.annotations_are_texts = any(map(_leaves_annotations, node.body))
        node = self._parts(node)
        if len(node.body) > 1 or not isinstance(node.body[0] if node.body else None, ast.Expr | None):
            _declare(node.body, node.body[0])  # a single expression is the snippet's value, compiled for itself
        return node

    # ------------------------------------------------------------------------------------------------ endings

    def _goes_on(self, at: Any) -> ast.stmt:
        return build.line(build.both(build.name(rules.OVER, at), build.call(rules.AGAIN, at=at), at))

    def visit_Try(self, node: Any) -> Any:
        """No handler sees a step's end, and no `finally` runs after it."""
        first = node.body[0]
        node = self._parts(node)
        if node.handlers:
            ending = build.name(rules.ENDING, first)
            raised = ast.Raise(None, None, **build.place(first))
            node.handlers.insert(0, ast.ExceptHandler(ending, None, [raised], **build.place(first)))
        return self._closed(node)

    def visit_TryStar(self, node: Any) -> Any:
        """The handlers of `except*` look first whether the step is over: they share no block with `except`."""
        node = self._parts(node)
        for handler in node.handlers:
            handler.body.insert(0, self._goes_on(handler.body[0]))
        return [self._closed(node), self._goes_on(node)]

    def _closed(self, node: Any) -> Any:
        if node.finalbody:
            node.finalbody.insert(0, self._goes_on(node.finalbody[0]))
        return node

    def visit_With(self, node: Any) -> Any:
        """A context manager cannot end a step's end either."""
        groups: list[tuple[list[ast.withitem], list[ast.stmt]]] = [([], [])]
        with self.branch():
            for item in node.items:
                item.context_expr = self.visit(item.context_expr)
                groups[-1][0].append(item)
                if item.optional_vars is None:
                    continue
                target = item.optional_vars = self.visit(item.optional_vars)
                if self.has_star(target):
                    held = self.temporary()
                    item.optional_vars = build.name(held, target, build.STORE)
                    groups[-1][1].extend([*self.unpacked(target, build.name(held, target)), build.drop([held], target)])
                    groups.append(([], []))  # the next manager is entered when the target is unpacked
            body = self.block(node.body)
        for items, stars in reversed(groups):
            if items:
                inner = type(node)(items, [*stars, *body], None, **build.place(node))
                body = [inner, self._goes_on(items[-1].context_expr)]
        return body

    visit_AsyncWith = visit_With

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        """A star import is followed by putting back the names it may not take."""
        node = super().visit_ImportFrom(node)
        if any(alias.name == "*" for alias in node.names):
            return [node, build.line(build.call(rules.RESTORE, at=node))]
        return node


def is_short(node: ast.expr) -> bool:
    """True for a few items written out: a draw in each turn is then cheaper than the filter over them."""
    if isinstance(node, ast.Call):
        few = [part.value for part in node.args if isinstance(part, ast.Constant)]
        return is_range(node) and len(node.args) == len(few) == 1 and type(few[0]) is int and few[0] <= _FEW
    return (
        isinstance(node, ast.Tuple | ast.List)
        and len(node.elts) <= _FEW
        and not any(isinstance(item, ast.Starred) for item in node.elts)
    )


def _after_docstring(body: list[ast.stmt]) -> int:
    first = body[0]
    text = first.value if isinstance(first, ast.Expr) else None
    return 1 if isinstance(text, ast.Constant) and isinstance(text.value, str) else 0


def _declare(body: list[ast.stmt], at: Any) -> None:
    start = _after_docstring(body)
    while start < len(body) and isinstance(at_start := body[start], ast.ImportFrom) and at_start.module == "__future__":
        start += 1
    body.insert(start, ast.Global(list(rules.GLOBAL_HOOKS), **build.place(at)))


def _leaves_annotations(node: ast.stmt) -> bool:
    """True for `from __future__ import annotations`: CPython keeps their text, and evaluates none."""
    future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return future and any(alias.name == "annotations" for alias in node.names)  # type: ignore[attr-defined]  # see `future`
