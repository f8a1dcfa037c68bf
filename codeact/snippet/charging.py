"""Rewrites what does much work in one go, so that it is charged for, or refused, before the work is done.

x += range(n)                →  x += added(range(n), x)
a ** b, a << b, "text" * n   →  power(a, b), shift(a, b), times(a, b)
sum(it)                      →  sum(each(it))          where `sum` is the builtin
any(it)                      →  any_(it)               likewise, which charges for the items it has asked for
getattr(x, "name")           →  Python's own           likewise, where x.name is left as it is
f(*it), [*it], a, *b = it    →  the same over each(it)
x.join(it), deque(it)        →  charged(x.join)(it)    which looks what it is
f"{x:>{width}}"              →  f"{x:>{width(width)}}"
"""

from __future__ import annotations

import ast
import sys
from typing import Any

from codeact.snippet import build, rules
from codeact.snippet.amounts import (
    EXACT,
    costs_nothing,
    format_is_wide,
    has_no_exponent,
    is_number,
    is_text,
    is_written_out,
    key_may_add,
    may_be_exact,
    may_join,
    owner_of_slice,
    power_is_large,
    says_its_names,
    says_many_zeros,
)
from codeact.snippet.attribute_rules import attribute_kind
from codeact.snippet.bindings import last_name
from codeact.snippet.elements import FREE_SEPARATOR
from codeact.snippet.membership import Membership
from codeact.snippet.words import word_set

_LOOPS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr)
_COUNTS_ITSELF = (*_LOOPS, ast.Constant)
_CONSUMERS = {"dict": rules.EACH, "list": rules.LISTED, "tuple": rules.LISTED, "sorted": rules.LISTED}
if sys.version_info >= (3, 14):
    _CONSUMERS["tuple"] = rules.EACH  # which no longer asks how many there are
_STOPPING = {"any": rules.ANY, "all": rules.ALL}
_LAZY = word_set(
    """range iter map filter zip enumerate reversed chain from_iterable islice starmap zip_longest product permutations
    combinations combinations_with_replacement accumulate pairwise batched takewhile dropwhile filterfalse compress"""
)
_FEW = 32  # arguments, which the call itself is counted for
_HOOKED = {ast.Pow: rules.POWER, ast.Mod: rules.REMAINDER, ast.FloorDiv: rules.QUOTIENT}


class Charging(Membership):
    """Adds the charges for work that no loop of the snippet's own does."""

    # ------------------------------------------------------------------------------------------------ operators

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Hook the operators whose result may be far larger than what they are given."""
        wanted = self._is_large(node.left, node.op, node.right)
        node.left, node.right = self.visit(node.left), self.visit(node.right)
        if not wanted:
            return node
        if isinstance(node.op, ast.LShift):
            return self.shifted(node)
        if isinstance(node.op, ast.Mult):
            return self.multiplied(node)
        return build.call(_HOOKED[type(node.op)], node.left, node.right, at=node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """The same for `**=` and its like, written out with our operator."""
        if not self._is_large(node.target, node.op, node.value):
            owner = node.target if isinstance(node.op, ast.Add) and _is_lazy(node.value) else None
            done = super().visit_AugAssign(node)
            if isinstance(owner, ast.Name):
                self._add(node, owner)
            return done
        charged = self.written_out(node, type(node.op).__name__)
        return self.multiplied_in_place(node, charged) if isinstance(node.op, ast.Mult) else charged

    def _is_large(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> bool:
        if isinstance(operator, ast.Pow):
            return power_is_large(left, right)
        if isinstance(operator, ast.LShift):
            return self.shift_is_large(right)
        if isinstance(operator, ast.Mult):
            return self.product_is_large(left, right)
        if isinstance(operator, ast.Mod):
            formats = isinstance(right, ast.Tuple) and not is_text(left)  # no number goes with a tuple
            return format_is_wide(left) or formats or (self.is_cold() and not is_number(left))
        return isinstance(operator, ast.FloorDiv) and self.is_cold() and not costs_nothing(right)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        """Charge a width that is computed, or written with many digits: as it is when all parts are put together."""
        node.value = self.visit(node.value)
        spec = node.format_spec
        if isinstance(spec, ast.JoinedStr) and not all(map(costs_nothing, spec.values)):
            spec.values = [self.visit(part) for part in spec.values]
            charged = build.call(rules.WIDTH, spec, at=spec)
            node.format_spec = ast.JoinedStr(
                [ast.FormattedValue(charged, -1, None, **build.place(spec))], **build.place(spec)
            )
        return node

    # ------------------------------------------------------------------------------------------------ calls

    def visit_Call(self, node: ast.Call) -> Any:
        """Charge builtins, methods and library functions for the elements they consume."""
        self.note_super(node)
        self.note_class_asked(node)
        function = node.func
        word = last_name(function)
        simple = len(node.args) >= 1 and not isinstance(node.args[0], (*_COUNTS_ITSELF, ast.Starred))
        given = self._may_be_given(node, word)
        node = self._parts(node)
        if isinstance(function, ast.Name) and word in rules.ITERATING:
            looks = (word == "sum" and may_join(node)) or (word in ("min", "max") and key_may_add(node))
            if looks or any(isinstance(part, ast.Starred) for part in node.args):
                node.func = build.called(build.name(rules.CHARGED, function), function, at=function)
            elif simple and word in _STOPPING and len(node.args) == 1 and not node.keywords:
                return self._stopping(node, function)
            elif simple and (len(node.args) == 1 or word not in ("min", "max")):
                node.args[0] = self._each_of_builtin(word, node.args[0])
        elif isinstance(function, ast.Name) and (hook := _called_as(word, node, is_cold=self.is_cold())):
            node.func = self._if_builtin(word, build.name(hook, function), node.func, function)
        elif given:
            self._give(node, word)
        elif word in rules.CHARGED_CALLS and self._may_cost(node, word):
            node.func = self._charged_function(node, word)
        elif word == "Decimal" and not all(map(has_no_exponent, node.args)):
            return build.call(rules.MADE, node, at=node)
        elif any(map(says_many_zeros, node.args)):  # an exact number by another name
            node.func = build.called(build.name(rules.CHARGED, node.func), node.func, at=node.func)
            return build.call(rules.MADE, node, at=node)
        return node

    def visit_keyword(self, node: ast.keyword) -> Any:
        """`f(**names)` → `f(**named(names))`, where the names are not written out."""
        node = super().visit_keyword(node)
        if node.arg is None and not says_its_names(node.value):
            names, asked = node.value, build.call(rules.NAMED, node.value, at=node.value)
            node.value = build.both(names, asked, names) if self.hands_on(names, "**") else asked
        return node

    def _charged_function(self, node: ast.Call, word: str) -> ast.expr:
        """`charged(f)`; `math.dist` is called as it is for what is no iterator in C."""
        charged = build.called(build.name(rules.CHARGED, node.func), node.func, at=node.func)
        names = [part for part in node.args if isinstance(part, ast.Name)]
        if word != "dist" or len(names) + sum(map(is_written_out, node.args)) != len(node.args):
            return charged
        asked = [build.type_among(part, rules.IN_C) for part in names]
        if not asked:
            return node.func
        test = asked[0] if len(asked) == 1 else ast.BoolOp(ast.Or(), [*asked], **build.place(node.func))
        return ast.IfExp(test, charged, node.func, **build.place(node.func))

    def _may_cost(self, node: ast.Call, word: str) -> bool:
        """False where all that a function is given is seen to be small, or counts itself."""
        given = [*node.args, *(pair.value for pair in node.keywords)]
        if word in EXACT:
            return may_be_exact(node, word)
        if word in ("format", "format_map") and not isinstance(node.func, ast.Name):
            # it is an attribute still where the text is seen to be ordinary
            return not isinstance(node.func, ast.Attribute) and bool(given)
        if word in ("isqrt", "gcd"):
            return self.is_cold()
        if word == "format":
            return any(isinstance(part, ast.Starred) for part in given) or not all(map(costs_nothing, given[1:]))
        return word == "Counter" or not all(isinstance(part, _LOOPS) or costs_nothing(part) for part in given)

    def _may_be_given(self, node: ast.Call, word: str) -> bool:
        """True for a method that consumes its arguments, of an object that can be asked what it is."""
        function = node.func
        if word not in rules.CONSUMING_METHODS or not isinstance(function, ast.Attribute) or node.keywords:
            return False
        if any(isinstance(part, ast.Starred) for part in node.args):
            return False
        held = isinstance(function.value, ast.Attribute | ast.Subscript) and self.may_hold()
        if len(node.args) > 1 and isinstance(function.value, ast.Name):  # which one argument may bind before the next
            return self.is_settled(function.value.id) and not self.expressions_bind
        return held or isinstance(function.value, ast.Name) or is_text(function.value)

    def _give(self, node: ast.Call, word: str) -> None:
        """`x.extend(it)` → `x.extend(given(x, "extend", it))`: cheaper than a function in the method's place."""
        function: ast.Attribute = node.func  # type: ignore[assignment]  # `_may_be_given` says that it is one
        asked = [place for place, part in enumerate(node.args) if not isinstance(part, _COUNTS_ITSELF)]
        if not asked:
            return
        owner, let_go = function.value, []
        if not isinstance(owner, ast.Name | ast.Constant):
            function.value, owner, dropped = self.held(owner)
            let_go = [dropped]
        name = build.text(word, owner)
        is_short = is_text(owner) and len(owner.value) <= FREE_SEPARATOR  # type: ignore[attr-defined]  # a constant
        for place in asked:
            last = let_go if place == asked[-1] else []
            part = node.args[place]
            named = () if is_short else (owner, name)
            node.args[place] = build.call(rules.ITEMS if is_short else rules.GIVEN_TO, *named, part, *last, at=part)

    def _if_builtin(self, word: str, ours: ast.expr, otherwise: ast.expr, at: ast.expr) -> ast.expr:
        test = ast.Compare(build.name(word, at), [ast.Is()], [build.name(f" {word}", at)], **build.place(at))
        return ast.IfExp(test, ours, otherwise, **build.place(at))

    def _each_of_builtin(self, word: str, argument: ast.expr, *dropped: ast.expr) -> ast.expr:
        each = build.name(_CONSUMERS.get(word, rules.ITEMS), argument)
        same = build.name(rules.SAME, argument)
        return build.called(self._if_builtin(word, each, same, argument), argument, *dropped, at=argument)

    def _stopping(self, node: ast.Call, function: ast.Name) -> ast.expr:
        """`any(it)`, charged for what it has asked for; in functions no call of ours stands around that of another."""
        word, argument = function.id, node.args[0]
        charged = self._if_builtin(word, build.name(_STOPPING[word], function), function, function)
        asked, dropped = argument, list[ast.expr]()
        if self.scopes[-1] != "function":
            return build.called(charged, argument, at=node)
        if not isinstance(argument, ast.Name) and self.may_hold():
            asked, argument, let_go = self.held(argument)
            dropped = [let_go]
        node.args[0] = self._each_of_builtin(word, argument, *dropped)
        if not isinstance(argument, ast.Name):
            return node
        test = build.type_among(asked, rules.SIZED)
        return ast.IfExp(test, build.called(charged, argument, *dropped, at=node), node, **build.place(node))

    def visit_Starred(self, node: ast.Starred) -> Any:
        """`*it` → `*each(it)`, where it is read, and is not a few arguments that are handed on."""
        node.value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load) and not isinstance(node.value, (*_COUNTS_ITSELF, ast.List, ast.Tuple)):
            given, listed = node.value, build.call(rules.LISTED, node.value, at=node.value)
            node.value = _where_many(given, listed) if self.hands_on(given, "*") else listed
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        """`yield from it` → `yield from h if type(h := it) is generator else yielded(h)`: what is none is counted."""
        value, held = self.visit(node.value), self.temporary()
        if not self.may_hold():
            node.value = build.call(rules.YIELDED, value, at=value)
            return node
        again = build.name(held, value)
        kept = ast.NamedExpr(build.name(held, value, build.STORE), value, **build.place(value))
        asked = build.has_type(kept, rules.GENERATOR)
        node.value = ast.IfExp(asked, again, build.call(rules.YIELDED, again, at=value), **build.place(value))
        return node

    def _add(self, node: ast.AugAssign | ast.Assign, owner: ast.Name) -> None:
        node.value = build.call(rules.ADDED, node.value, build.name(owner.id, owner), at=node.value)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Charge what a starred target takes."""
        value, owner = node.value, owner_of_slice(node.targets)
        node.value = self.visit(value)
        if owner is not None and _is_lazy(value):
            self._add(node, owner)
        node.targets = [self.visit(target) for target in node.targets]
        self._note_container(node, value)
        if not any(self.has_star(target) for target in node.targets):
            return node
        if len(node.targets) == 1:
            return self.unpacked(node.targets[0], node.value)
        held = self.temporary()
        before: list[ast.stmt] = [build.assign(build.name(held, node, build.STORE), node.value, node)]
        for target in node.targets:
            before += self.unpacked(target, build.name(held, target))
        return [*before, build.drop([held], node)]


def _is_lazy(node: ast.expr) -> bool:
    """True for a call that gives what is yet to be gone through, if its name says what it is."""
    return isinstance(node, ast.Call) and last_name(node.func) in _LAZY


def _where_many(given: ast.expr, charged: ast.expr) -> ast.IfExp:
    """`charged if given[32:] else given`, of a tuple: a few are not worth a charge."""
    after = ast.Slice(ast.Constant(_FEW, None, **build.place(given)), None, None, **build.place(given))
    more = ast.Subscript(given, after, build.LOAD, **build.place(given))
    return ast.IfExp(more, charged, given, **build.place(given))


def _called_as(word: str, node: ast.Call, *, is_cold: bool) -> str | None:
    """The hook for `pow(…)`, `type(x)`, `iter(x)`, `divmod(a, b)`, and `getattr` of a name that may be read."""
    if word == "pow":
        is_small = len(node.args) == 2 and not isinstance(node.args[1], ast.Starred) and not power_is_large(*node.args)
        return rules.SMALL_POW if is_small and not node.keywords else rules.POW
    if word not in rules.CALLED_AS or any(isinstance(part, ast.Starred) for part in node.args):
        return None  # which argument is the name, or whether there are several, is not seen
    if word in ("divmod", "round"):
        is_asked = is_cold and len(node.args) == 2 and not node.keywords and not costs_nothing(node.args[1])
        return rules.CALLED_AS[word] if is_asked else None
    name = node.args[1] if len(node.args) > 1 else None
    said = name.value if isinstance(name, ast.Constant) else None
    is_fit = len(node.args) == 1 if word in ("type", "iter") else type(said) is str and attribute_kind(said) == "free"
    return rules.CALLED_AS[word] if is_fit else None
