"""Which names a piece of code binds, loads, and leaves to be looked up later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

from codeact.snippet.bindings import FUNCTIONS, bound_by

Node = TypeVar("Node", bound=ast.AST)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def copied(node: Node) -> Node:
    """A tree of its own, to be changed: what `copy.deepcopy` gives, for a fraction of its time."""
    new = type(node).__new__(type(node))  # without its fields, which follow
    for name, value in vars(node).items():
        many = isinstance(value, list)
        parts = [copied(item) if isinstance(item, ast.AST) else item for item in (value if many else [value])]
        setattr(new, name, parts if many else parts[0])
    return new


def bound_names(node: ast.AST, *, deep: bool = False) -> set[str]:
    """The names a statement binds in its own scope; with `deep`, those of the scopes within it too."""
    nodes = ast.walk(node) if deep else own_nodes(node)
    declared = (ast.Global, ast.Nonlocal)  # says where a name is bound, and does not bind it
    return {name for item in nodes if not isinstance(item, declared) for name in bound_by(item)}


def imported(node: ast.AST) -> dict[str, str]:
    """The names an import binds, each with the module, or module.function, it stands for."""
    match node:
        case ast.Import(names=names):
            tops = [(item, item.name.partition(".")[0]) for item in names]
            return {item.asname or top: item.name if item.asname else top for item, top in tops}
        case ast.ImportFrom(module=module, names=names):
            return {item.asname or item.name: f"{module}.{item.name}" for item in names}
    return {}


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the statement runs, in its own scope: not the bodies of functions within it.

    The targets of a comprehension belong to the comprehension, save what a walrus binds.
    """
    yield node
    if isinstance(node, FUNCTIONS):
        defaults = [*node.args.defaults, *(item for item in node.args.kw_defaults if item is not None)]
        outside: list[ast.expr] = []
        if not isinstance(node, ast.Lambda):
            notes = [item.annotation for item in ast.walk(node.args) if isinstance(item, ast.arg)]
            outside = [*node.decorator_list, *(note for note in (*notes, node.returns) if note is not None)]
        for item in (*outside, *defaults):
            yield from own_nodes(item)
        return
    if isinstance(node, ast.ClassDef):
        for item in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            yield from own_nodes(item)
        return
    if isinstance(node, COMPREHENSIONS):
        for found in ast.walk(node):
            if isinstance(found, ast.NamedExpr):
                yield found.target
        return
    for child in ast.iter_child_nodes(node):
        yield from own_nodes(child)


def root_of(node: ast.AST) -> str | None:
    """The name an attribute or subscript chain starts from."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def free_names(node: ast.AST) -> set[str]:
    """The names a piece of code looks up outside itself when it runs, the bodies of its functions included."""
    loads: set[str] = set()
    _collect(node, frozenset(), loads)
    return loads


def exposed_names(node: ast.stmt) -> set[str]:
    """The names a statement looks up before it has surely bound them itself."""
    return _exposed([node], set())


def _exposed(body: list[ast.stmt], bound: set[str]) -> set[str]:
    """The same for statements in a row; `bound` grows by what they surely bind."""
    found: set[str] = set()
    for node in body:
        found |= _exposed_by(node, bound)
    return found


def _exposed_by(node: ast.stmt, bound: set[str]) -> set[str]:
    match node:
        case ast.For() | ast.AsyncFor():
            inner = bound | _targets(node.target)
            used = _looked_up([node.target, node.iter], bound) | _exposed(node.body, inner)
            return used | _exposed(node.orelse, set(bound))
        case ast.While():
            return (
                _looked_up([node.test], bound) | _exposed([*node.body], set(bound)) | _exposed(node.orelse, set(bound))
            )
        case ast.If():
            left, right = set(bound), set(bound)
            used = _looked_up([node.test], bound) | _exposed(node.body, left) | _exposed(node.orelse, right)
            bound |= left & right
            return used
        case ast.With() | ast.AsyncWith():
            used = set()
            for item in node.items:
                used |= _looked_up([item.context_expr], bound)
                bound |= _targets(item.optional_vars) if item.optional_vars is not None else set()
            return used | _exposed(node.body, bound)
        case ast.Assign():
            used = _looked_up([node.value, *node.targets], bound)
            bound |= {name for target in node.targets for name in _targets(target)}
            return used
    return free_names(node) - bound


def _looked_up(nodes: list[ast.expr], bound: set[str]) -> set[str]:
    return {name for node in nodes for name in free_names(node)} - bound


def later_names(node: ast.AST) -> set[str]:
    """The names that only the functions, lambdas and generators within a statement look up: when they are called."""
    names: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, FUNCTIONS):
            names |= _function_free(item)
        elif isinstance(item, ast.GeneratorExp | ast.ClassDef):
            names |= free_names(item)
    return names


def _function_free(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    loads: set[str] = set()
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    local = {item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)}
    outer: set[str] = set()
    for statement in body:
        local |= bound_names(statement)
        outer |= {name for item in ast.walk(statement) if isinstance(item, ast.Global) for name in item.names}
    for statement in body:
        _collect(statement, frozenset(local - outer), loads)
    return loads | outer


def _collect(node: ast.AST, local: frozenset[str], loads: set[str]) -> None:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load | ast.Del) and node.id not in local:
            loads.add(node.id)
        return
    if isinstance(node, FUNCTIONS):
        loads |= _function_free(node) - local
        for item in own_nodes(node):
            if item is not node:
                _collect(item, local, loads)
        return
    if isinstance(node, COMPREHENSIONS):
        inner = {name for part in node.generators for name in _targets(part.target)}
        for child in ast.iter_child_nodes(node):
            _collect(child, local | inner, loads)
        # the first iterable is looked up outside, even where a target has the same name
        _collect(node.generators[0].iter, local, loads)
        return
    if isinstance(node, ast.ClassDef):
        inner = {name for statement in node.body for name in bound_names(statement)}
        for child in ast.iter_child_nodes(node):
            found: set[str] = set()
            _collect(child, local, found)
            loads |= found - inner if child in node.body else found
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id not in local:
        loads.add(node.target.id)
    for child in ast.iter_child_nodes(node):
        _collect(child, local, loads)


def _targets(node: ast.AST) -> set[str]:
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
