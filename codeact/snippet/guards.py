"""Rewrites the forms an attribute takes, so that what the name alone cannot decide is decided while running.

x._name                  →  private(x, "_name")._name
x.__class__              →  load(x, "__class__")
x.__class__.__name__     →  type_name(x, "__name__")
x.__class__ is y         →  class_of(x) is y         as `x.__class__(…)` and `isinstance(y, x.__class__)`
x.name = v, del x.name   →  store(x).name = v        in every form of a target

A store on a local variable is asked about once on each straight way through a function: see `proofs.py`; what is asked
of a parameter at several places, where the function begins: see `once.py`.
"""

from __future__ import annotations

import ast
from typing import Any

from codeact.snippet import array_forms, attribute_rules, attributes, build, rules
from codeact.snippet.formatting import is_ordinary
from codeact.snippet.once import Once

_COMPARING = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq, ast.In, ast.NotIn)
_WALKING = frozenset({"len", "enumerate", "reversed", "zip", "map", "filter", "any", "all"})
_OF_TYPES = frozenset({"__name__", "__qualname__", "__module__", "__doc__"})


class Guards(Once):
    """Adds the run-time half of the attribute rules."""

    _called_bare: ast.Name | None = None
    _walked: tuple[ast.expr, ...] = ()  # what loops go over
    _compared: tuple[ast.expr, ...] = ()  # by `is`, `==` and `in`
    _class_asked: tuple[ast.expr, ...] = ()  # what is called, and what `isinstance` and its like ask of
    _asked_before: tuple[ast.expr, ...] = ()  # what a case needs worked out before its pattern

    def walk_over(self, iterable: ast.expr) -> None:
        """Note what a loop goes over: the classes of an `__mro__` may be gone through, and not kept.

        So may those of a part of it, as in `for cls in A.__mro__[1:]`, and it may be asked how many they are, where one
        is, and for a name of one: `len(A.__mro__)`, `A.__mro__.index(B)`, `A.__mro__[1].__name__`.
        """
        while isinstance(iterable, ast.Subscript):
            iterable = iterable.value
        if isinstance(iterable, ast.Attribute) and attribute_rules.attribute_kind(iterable.attr) == "walked":
            self._walked = (*self._walked[-8:], iterable)

    def note_compared(self, node: ast.Compare) -> None:
        """Note what is compared: `a.__class__ is b.__class__` asks of anything what `type` tells, and keeps nothing.

        So does `a.__class__ in (b, c)`; of an `__mro__` it may be asked what is in it, or what it is equal to.
        """
        if all(isinstance(operator, _COMPARING) for operator in node.ops):
            self._compared = (*self._compared[-8:], node.left, *node.comparators[:8])
            for side in self._compared[-9:]:
                self.walk_over(side)

    def note_super(self, node: ast.Call) -> None:
        """Note `super()` without arguments, which the interpreter itself fills in."""
        if isinstance(node.func, ast.Name) and not node.args and not node.keywords:
            self._called_bare = node.func

    def note_class_asked(self, node: ast.Call) -> None:
        """Note where a class is used and not kept: `x.__class__(…)` makes what `type(x)(…)` does, of anything."""
        asking = isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass")
        self._class_asked = (*self._class_asked[-8:], node.func, *(node.args[:2] if asking else ()))
        if isinstance(node.func, ast.Name) and node.func.id in _WALKING:
            for given in node.args[:8]:
                self.walk_over(given)

    def visit_Name(self, node: ast.Name) -> Any:
        """Any other use of `super` is the guarded one: it starts from classes of the snippet's own."""
        if node.id == "super" and node is not self._called_bare and isinstance(node.ctx, ast.Load):
            return build.name(rules.SUPER, node)
        return super().visit_Name(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """Check the name, and guard what depends on the object."""
        word = self.mangled(node.attr)
        if isinstance(node.ctx, ast.Load):
            return self._read(node, word)
        if (why := attribute_rules.refused_store(word)) is not None:
            self.violation(node, "attribute", f".{node.attr} cannot be set or deleted: {why}")
        node.value = self.stored_on(self.visit(node.value), word)
        return node

    def stored_on(self, subject: ast.expr, word: str) -> ast.expr:
        """The object of an attribute that is set or deleted, guarded."""
        if word.startswith("_") or word in attributes.NAMED:
            checked = build.call(rules.STORE_PRIVATE, subject, build.text(word, subject), at=subject)
            if word in array_forms.NAMES and isinstance(subject, ast.Name):
                checked.args.append(ast.Constant(True, None, **build.place(subject)))
                if self.may_be_read_twice(subject):
                    return self.unless(subject, rules.PLAIN, checked)  # each time: it depends on the moment
            if word.endswith("__") or word in attributes.NAMED:
                return checked
            return self._asked_once(subject, rules.PLAIN, checked, f".{word}")
        return self._asked_once(subject, rules.STORABLE, build.call(rules.STORE, subject, at=subject), "")

    def _asked_once(self, subject: ast.expr, known: str, checked: ast.expr, what: str) -> ast.expr:
        if not self.may_be_read_twice(subject):
            return checked
        if self.proven(subject.id, what):
            return subject
        self.prove(subject.id, what)
        return self.unless(subject, known, checked)

    def _read(self, node: ast.Attribute, word: str) -> Any:
        kind = attribute_rules.attribute_kind(word)
        if kind == "refused":
            why = attribute_rules.refused_attribute(word) or ""
            self.violation(node, "attribute", f"the attribute .{node.attr} is refused: {why}")
            return node
        self.walk_over(node.value)
        if kind == "walked" and node not in self._walked:
            why = (
                f".{node.attr} is refused except in `for cls in A.{node.attr}`, `A.{node.attr}[1].name` and comparisons"
            )
            self.violation(node, "attribute", why, "A.mro() gives the classes of one of your own")
            return node
        inner = node.value
        if word in _OF_TYPES and isinstance(inner, ast.Attribute) and inner.attr == "__class__":
            subject = self.visit(inner.value)
            return build.call(rules.TYPE_NAME, subject, build.text(word, node), at=node)
        if word == "__class__" and node in (*self._compared, *self._class_asked):
            return build.call(rules.CLASS, self.visit(inner), at=node)
        if isinstance(inner, ast.Constant) and word in ("format", "format_map") and type(inner.value) is str:
            kind = "free" if is_ordinary(inner.value) else kind
        node.value = self.visit(inner)
        return self.guarded(node, word, kind)

    def guarded(self, node: ast.Attribute, word: str, kind: str) -> Any:
        """An attribute that is read, whose object was visited."""
        if kind == "private":
            node.value = self._private(node.value, word)
            return node
        if kind in ("special", "walked"):
            return build.call(rules.LOAD, node.value, build.text(word, node), at=node)
        return node

    def _private(self, subject: ast.expr, word: str) -> ast.expr:
        guarded = build.call(rules.PRIVATE, subject, build.text(word, subject), at=subject)
        return self.unless(subject, rules.PLAIN, guarded) if self.may_be_read_twice(subject) else guarded

    # ------------------------------------------------------------------------------------------------ patterns

    def visit_MatchValue(self, node: ast.MatchValue) -> Any:
        """A value in a pattern stays an attribute."""
        node.value = self._in_pattern(node.value)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> Any:
        """So do the keys of a mapping."""
        node.keys, keys = [], node.keys
        node = super().visit_MatchMapping(node)
        node.keys = [self._in_pattern(key) for key in keys]
        return node

    def _in_pattern(self, value: ast.expr) -> ast.expr:
        """`case x.zip` → `case slice(load(x, "zip")).stop`: nothing but an attribute may stand there."""
        visited: ast.expr = self.visit(value)
        if isinstance(value, ast.Attribute) and not isinstance(visited, ast.Attribute):
            return ast.Attribute(build.call(rules.SLICE, visited, at=value), "stop", build.LOAD, **build.place(value))
        return visited

    def visit_MatchClass(self, node: ast.MatchClass) -> Any:
        """A class in a pattern is a name; `visit_match_case` has worked it out."""
        node = super().visit_MatchClass(node)
        if not _is_dotted(node.cls):
            word = self.temporary()
            kept = ast.NamedExpr(build.name(word, node.cls, build.STORE), node.cls, **build.place(node.cls))
            self._asked_before += (kept,)
            node.cls = build.name(word, node.cls)
        return node

    def visit_match_case(self, node: ast.match_case) -> Any:
        """`case x._C(): …` → `case _ if (h := private(x, "_C")._C, )[1:]: pass`, which never matches, `case h(): …`."""
        around, self._asked_before = self._asked_before, ()
        node.pattern = self.visit(node.pattern)
        asked, self._asked_before = self._asked_before, around
        node.guard = node.guard and self.visit(node.guard)
        node.body = self.block(node.body)
        if not asked:
            return node
        at = asked[0]
        beyond = ast.Slice(ast.Constant(len(asked), None, **build.place(at)), None, None, **build.place(at))
        held = ast.Tuple([*asked], build.LOAD, **build.place(at))
        never = ast.Subscript(held, beyond, build.LOAD, **build.place(at))
        return [ast.match_case(ast.MatchAs(None, None, **build.place(at)), never, [ast.Pass(**build.place(at))]), node]

    # ------------------------------------------------------------------------------------------------ in place

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Check the target; where reading or computing it has a guard, write the assignment out."""
        target = node.target
        if isinstance(target, ast.Attribute):
            word = self.mangled(target.attr)
            kind = attribute_rules.attribute_kind(word)
            if kind not in ("free", "private") or attribute_rules.refused_store(word) is not None:
                return self.written_out(node, None)
            subject = self.visit(target.value)
            target.value = self.stored_on(subject, word) if kind == "free" else self._changed_on(subject, word)
            node.value = self.visit(node.value)
            return node
        return self._parts(node)

    def _changed_on(self, subject: ast.expr, word: str) -> ast.expr:
        """The object of a private attribute that is read and set again, guarded for both."""
        stored = build.call(rules.STORE_PRIVATE, subject, build.text(word, subject), at=subject)
        both = build.call(rules.PRIVATE, stored, build.text(word, subject), at=subject)
        return self._asked_once(subject, rules.PLAIN, both, f".{word}")

    def written_out(self, node: ast.AugAssign, operator: str | None) -> list[ast.stmt]:
        """`x.a += v` as `t = x; store(t).a = in_place("+", load(t, "a"), v)`, and alike for items and names."""
        before, left, target = self._opened(node.target, node)
        node.value = value = self.visit(node.value)
        symbol = build.text(operator or type(node.op).__name__, node)
        result = build.call(rules.IN_PLACE, symbol, left, value, at=node)
        after: list[ast.stmt] = [build.assign(target, result, node)]
        if before:
            targets = [target for statement in before for target in statement.targets]
            after.append(build.drop([held.id for held in targets if isinstance(held, ast.Name)], node))
        return [*before, *after]

    def _opened(self, target: Any, at: Any) -> tuple[list[ast.Assign], ast.expr, ast.expr]:
        if isinstance(target, ast.Name):
            self.visit(target)
            return [], build.name(target.id, target), target
        held = self.temporary()
        before = [build.assign(build.name(held, at, build.STORE), self.visit(target.value), at)]
        subject = build.name(held, target)
        if isinstance(target, ast.Subscript):
            index = self.temporary()
            before.append(build.assign(build.name(index, at, build.STORE), _index(self.visit(target.slice)), at))
            where = build.name(index, target)
            return (
                before,
                ast.Subscript(subject, where, build.LOAD, **build.place(target)),
                ast.Subscript(subject, where, build.STORE, **build.place(target)),
            )
        word = self.mangled(target.attr)
        for why in (attribute_rules.refused_store(word), attribute_rules.refused_attribute(word)):
            if why is not None:
                self.violation(target, "attribute", f".{target.attr} cannot be set: {why}")
                break
        read = ast.Attribute(subject, target.attr, build.LOAD, **build.place(target))
        left = self.guarded(read, word, attribute_rules.attribute_kind(word))
        stored = self.stored_on(build.call(rules.SAME, build.name(held, target), at=target), word)
        return before, left, ast.Attribute(stored, target.attr, build.STORE, **build.place(target))


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _index(node: Any) -> ast.expr:
    if isinstance(node, ast.Tuple):
        node.elts = [_index(part) for part in node.elts]
    if not isinstance(node, ast.Slice):
        return node  # type: ignore[no-any-return]  # an expression
    parts = [part or ast.Constant(None, None, **build.place(node)) for part in (node.lower, node.upper, node.step)]
    return build.call(rules.SLICE, *parts, at=node)
