"""Which names may hold parts of the same values."""

from __future__ import annotations

import ast
from typing import TypeGuard

from codeact.skills import purity
from codeact.skills.known import Known, dotted
from codeact.skills.scope import root_of
from codeact.snippet.words import word_set


def holders(node: ast.AST, around: Known) -> set[str]:  # noqa: PLR0911  # one row for each kind
    """The names whose values an expression's value may be, be part of, or hold."""
    match node:
        case ast.Name(id=name):
            return set() if name in around.scalars else {name}
        case ast.Attribute(value=value) | ast.Starred(value=value) | ast.Await(value=value):
            return holders(value, around)
        case ast.Subscript(value=value) | ast.NamedExpr(value=value):
            return holders(value, around)
        case ast.Constant() | ast.JoinedStr() | ast.Compare() | ast.UnaryOp() | ast.Lambda():
            return set()
        case ast.Call():
            return _holders_of_call(node, around)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return _of_comprehension(node, [node.elt], around)
        case ast.DictComp():
            return _of_comprehension(node, [node.key, node.value], around)
        case ast.BinOp(op=ast.Mult(), left=ast.List() | ast.Constant() as left):
            return holders(left, around)
        case ast.BinOp(op=ast.Add() | ast.BitOr() | ast.Mult()):
            return holders(node.left, around) | holders(node.right, around)
        case ast.BinOp():
            return set()
    return {name for child in ast.iter_child_nodes(node) for name in holders(child, around)}


def _of_comprehension(node: ast.AST, elements: list[ast.expr], around: Known) -> set[str]:
    names = {name for element in elements for name in holders(element, around)}
    sources = loop_sources(node, around)
    targets = {item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
    return {found for name in names for found in (sources.get(name, {name}) if name in targets else {name})}


def _holders_of_call(call: ast.Call, around: Known) -> set[str]:  # noqa: PLR0911  # one row for each kind
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    held = {name for argument in arguments for name in holders(argument, around)}
    match call.func:
        case ast.Name(id=name):
            if name in around.tools or name in purity.SCALAR_BUILTINS:
                return set()
            if name in around.functions:
                function = around.functions[name]
                looked_up = around.reach({name}) - {name} - set(around.modules) - set(around.tools)
                return held | looked_up | ({name} if function.closes else set())
            return held - set(around.functions) if name in purity.EAGER else held
        case ast.Attribute(value=value, attr=method):
            if root_of(value) in around.tools or method in _TEXT_METHODS:
                return set()
            module = dotted(call.func, around)
            if module is not None:
                return set() if module.partition(".")[0] in _SCALAR_MODULES else held
            return holders(value, around) | held
    return held


_TEXT_METHODS = word_set("strip split lower upper join replace format strftime isoformat startswith endswith")


_SCALAR_MODULES = word_set("math statistics json re datetime decimal fractions hashlib base64 textwrap string")


def loop_sources(node: ast.AST, around: Known) -> dict[str, set[str]]:
    """Names bound within the statement, each with the names its value may come from."""
    sources: dict[str, set[str]] = {}
    for _ in range(2):  # twice, so that what comes from what comes later is found too
        for item in ast.walk(node):
            pairs: list[tuple[ast.AST, ast.AST]] = []
            match item:
                case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                    pairs.append((target, value))
                case ast.comprehension(target=target, iter=value) | ast.NamedExpr(target=target, value=value):
                    pairs.append((target, value))
                case ast.Assign(targets=targets, value=made) if item is not node:
                    pairs += [(each, made) for each in targets]
                case ast.withitem(optional_vars=ast.expr() as target, context_expr=value):
                    pairs.append((target, value))
                case ast.Call():
                    _of_lambdas(item, sources, around)
            for into, source in pairs:
                found = holders(source, around)
                found |= {more for name in found for more in sources.get(name, set())}
                for bound in ast.walk(into):
                    if isinstance(bound, ast.Name):
                        sources.setdefault(bound.id, set()).update(found)
    return sources


def _of_lambdas(call: ast.Call, sources: dict[str, set[str]], around: Known) -> None:
    """What a lambda is handed comes from the other arguments: `map(lambda row: …, rows)`."""
    arguments = [*call.args, *(word.value for word in call.keywords)]
    others = [item for item in arguments if not isinstance(item, ast.Lambda)]
    others += [call.func.value] if isinstance(call.func, ast.Attribute) else []
    for item in arguments:
        if isinstance(item, ast.Lambda):
            found = {name for other in others for name in holders(other, around)}
            for bound in item.args.args:
                sources.setdefault(bound.arg, set()).update(found)


def stored_into(node: ast.stmt, around: Known) -> set[str]:
    """What a statement such as `kept[key] = row` or `kept.append(row)` puts into something else."""
    names: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, ast.Assign) and any(not isinstance(target, ast.Name) for target in item.targets):
            names |= holders(item.value, around)
        elif _fills(item, around) and dotted(item.func, around) is None:
            names |= {name for argument in item.args for name in holders(argument, around)}
    return names


def _fills(node: ast.AST, around: Known) -> TypeGuard[ast.Call]:
    """True for a method call that may put its arguments into its object."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not around.own.pure(node.func.attr)


def stored_targets(node: ast.stmt, around: Known) -> set[str]:
    """The names whose values a statement puts something into."""
    names: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, ast.Subscript | ast.Attribute) and isinstance(item.ctx, ast.Store):
            names.add(root_of(item) or "")
        elif _fills(item, around):
            names.add(root_of(item.func) or "")
    return names - {""}


def share_parts(node: ast.stmt, around: Known, binds: set[str], held: set[str]) -> None:
    """Notes which names now hold parts of the same values."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        share(around, binds | stored_targets(node, around), held)
        return
    sources = loop_sources(node, around)
    for name in binds & set(sources):
        share(around, {name}, sources[name])
    stored = stored_into(node, around)
    stored |= {more for name in stored for more in sources.get(name, set())}
    targets = stored_targets(node, around)
    share(around, targets | {more for name in targets for more in sources.get(name, set())}, stored)


def share(around: Known, targets: set[str], held: set[str]) -> None:
    """Notes that the targets may now hold what the others hold."""
    shared = held - set(around.modules) - set(around.tools) - set(around.functions) - around.scalars
    for target in targets - set(around.modules) - set(around.tools):
        for other in shared - {target}:
            around.alike.setdefault(target, set()).add(other)
            around.alike.setdefault(other, set()).add(target)
