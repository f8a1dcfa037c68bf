"""What holds of the names after a statement."""

from __future__ import annotations

import ast

from codeact.skills import purity
from codeact.skills.changes import changed_names
from codeact.skills.known import Behaviour, Known, dotted, names_used, nested_globals, surely
from codeact.skills.scope import (
    COMPREHENSIONS,
    bound_names,
    copied,
    free_names,
    imported,
    later_names,
)
from codeact.skills.sharing import holders, loop_sources, share, share_parts, stored_into, stored_targets
from codeact.snippet.bindings import FUNCTIONS, last_name
from codeact.snippet.words import word_set


def learn_from(node: ast.stmt, around: Known, binds: set[str]) -> None:
    """Brings what is known of the names up to what holds after the statement."""
    value = getattr(node, "value", None)
    held: set[str] = set()
    if isinstance(node, ast.Assign | ast.AnnAssign) and value is not None:
        held = around.sharing(holders(value, around))  # before the names bound here stand for something else
    elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
        held = {name for found in loop_sources(node, around).values() for name in found} | stored_into(node, around)
    later = _later(node) | {more for name in held for more in around.later.get(name, set())}
    iterates = _iterates(value, around) or bool(held & around.iterators)
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)) and _makes_live(node, around):
        iterates = True
        around.iterators |= stored_targets(node, around)
    decorators = _own_decorators(node, around)
    function = None if decorators else _function(node, around)
    around.scalars |= _scalars(node, around)
    around.scalars -= binds - _scalars(node, around)
    for name in binds:
        if name in surely(node) and not isinstance(node, ast.AugAssign):
            _forget(name, around)
        around.later.setdefault(name, set()).update(later - {name} if function is None else later)
        if iterates:
            around.iterators.add(name)
        if function is not None:
            around.functions[name] = function
            around.bodies[name] = list(ast.walk(node))
        if decorators:
            around.bodies[name] = list(ast.walk(node))
            share(around, {name}, around.reach(decorators))
    share_parts(node, around, binds, held)
    _learn_imports(node, around)


def _own_decorators(node: ast.stmt, around: Known) -> set[str]:
    """The functions of the run that decorate one: calling it does what they make of it."""
    return {name for item in getattr(node, "decorator_list", []) for name in free_names(item)} & set(around.functions)


def _makes_live(node: ast.stmt, around: Known) -> bool:
    """True where a statement, or a function it calls, may make an object that changes by being used."""
    return bool(around.own.live) and bool(around.reach(names_used(node)) & around.own.live)


def _scalars(node: ast.stmt, around: Known) -> set[str]:
    """The names a statement binds to numbers or texts, whatever happens."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_scalar(value, around):
            return {name}
        case ast.AugAssign(target=ast.Name(id=name), value=value) if name in around.scalars and _is_scalar(
            value, around
        ):
            return {name}
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            pairs = zip(names, values, strict=True)
            return {name.id for name, value in pairs if isinstance(name, ast.Name) and _is_scalar(value, around)}
    return set()


def _is_scalar(node: ast.expr, around: Known) -> bool:
    match node:
        case ast.Constant() | ast.JoinedStr() | ast.Compare():
            return True
        case ast.Name(id=name):
            return name in around.scalars
        case ast.BinOp(left=left, right=right):
            return _is_scalar(left, around) and _is_scalar(right, around)
        case ast.UnaryOp(operand=operand):
            return _is_scalar(operand, around)
        case ast.Call(func=ast.Name(id=name)):
            return name in _SCALAR_CALLS and name not in around.functions
    return False


_SCALAR_CALLS = frozenset(["len", "int", "float", "str", "bool", "round", "abs", "ord", "chr", "repr", "hash"])


def _later(node: ast.stmt) -> set[str]:
    return later_names(_without_eager(node))


def _without_eager(node: ast.stmt) -> ast.stmt:
    """The statement without the lambdas and generators that are used up before it ends."""
    if not any(isinstance(item, ast.Lambda | ast.GeneratorExp) for item in ast.walk(node)):
        return node
    tree = copied(node)
    for item in ast.walk(tree):
        if isinstance(item, ast.Call) and last_name(item.func) in purity.EAGER:
            lazy = (ast.Lambda, ast.GeneratorExp)
            item.args = [argument for argument in item.args if not isinstance(argument, lazy)]
            item.keywords = [word for word in item.keywords if not isinstance(word.value, lazy)]
    return tree


def _function(node: ast.stmt, around: Known) -> Behaviour | None:
    body: ast.AST
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            body = node
        case ast.Assign(value=ast.Lambda() as value) | ast.AnnAssign(value=ast.Lambda() as value):
            body = value
        case _:
            return None
    own = {item.arg for item in ast.walk(body) if isinstance(item, ast.arg)}
    for item in getattr(body, "body", []) if not isinstance(body, ast.Lambda) else []:
        own |= bound_names(item, deep=True)
    own -= nested_globals(node)
    fresh = _fresh_locals(body)
    statements = body.body if isinstance(body, ast.FunctionDef | ast.AsyncFunctionDef) else [ast.Expr(body)]  # type: ignore[arg-type]  # only read
    inner = ast.Module(body=list(statements), type_ignores=[])
    changed = changed_names(inner, around) if not isinstance(body, ast.ClassDef) else _changed_in_class(body, around)  # type: ignore[arg-type]  # only read
    closes = isinstance(body, ast.ClassDef) or any(
        isinstance(item, (*FUNCTIONS, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.GeneratorExp)) and item is not body
        for item in ast.walk(_without_eager(node))
    )
    yields = any(isinstance(item, ast.Yield | ast.YieldFrom) for item in ast.walk(body))
    return Behaviour(
        changes=frozenset(changed - own) | frozenset(nested_globals(node)),
        arguments=bool((changed & own) - fresh),
        iterates=yields,
        closes=closes,
    )


def _changed_in_class(node: ast.ClassDef, around: Known) -> set[str]:
    names: set[str] = set()
    for item in node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            names |= changed_names(ast.Module(body=list(item.body), type_ignores=[]), around) - {"self"}  # type: ignore[arg-type]  # only read
    return names


def _fresh_locals(body: ast.AST) -> set[str]:
    """Local names that only ever hold what the function itself made."""
    fresh: set[str] = set()
    stale: set[str] = set()
    for item in ast.walk(body):
        match item:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ):
                made = isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Constant, *COMPREHENSIONS)) or (
                    isinstance(value, ast.Call) and last_name(value.func) in _MAKERS
                )
                (fresh if made else stale).add(name)
            case ast.For(target=target) | ast.comprehension(target=target):
                stale |= {found.id for found in ast.walk(target) if isinstance(found, ast.Name)}
    return fresh - stale


_MAKERS = word_set("list dict set defaultdict Counter deque OrderedDict sorted str int float sum len copy deepcopy")


def _iterates(value: ast.AST | None, around: Known) -> bool:
    match value:
        case ast.GeneratorExp():
            return True
        case ast.Call(func=func):
            name = last_name(func)
            module = dotted(func, around) or ""
            own = around.functions.get(name)
            return (
                name in purity.ITERATORS
                or module.partition(".")[0] in purity.ITERATOR_MODULES
                or (own is not None and own.iterates)
            )
    return False


def _forget(name: str, around: Known) -> None:
    for other in around.alike.pop(name, set()):
        around.alike.get(other, set()).discard(name)
    around.later.pop(name, None)
    around.functions.pop(name, None)
    around.bodies.pop(name, None)
    around.modules.pop(name, None)
    around.iterators.discard(name)


def _learn_imports(node: ast.stmt, around: Known) -> None:
    for item in ast.walk(node):
        around.modules |= imported(item)
