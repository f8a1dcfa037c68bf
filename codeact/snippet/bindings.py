"""Which names a piece of syntax binds, and where: every binding form of the language in one place."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Any

#: Nodes that hold nothing, not even a value.
EMPTY_KINDS = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

#: Builtins after whose use any name may be bound.
DYNAMIC = frozenset({"exec", "eval", "globals", "locals", "vars"})

#: Among the names that are known, this one says that there may be others.
ANY_NAME = "*"

_TRIES = (ast.Try, ast.TryStar)
SCOPES = (*FUNCTIONS, ast.ClassDef)


def normal(name: str) -> str:
    """The name as CPython compares it: identifiers are NFKC-normalised by the parser."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def has_other_spelling(name: str) -> bool:
    """True for a name that may stand there in two ways: inside `class A`, `__x` and `_A__x` are one."""
    return name.startswith("_") and "__" in name


def _alias(node: Any) -> tuple[str, ...]:
    return ((node.asname or node.name).partition(".")[0],)


def _name(node: Any) -> tuple[str, ...]:
    return (node.name,) if node.name is not None else ()


_BINDERS: dict[type, Callable[[Any], Iterable[str]]] = {
    ast.Name: lambda node: () if type(node.ctx) is ast.Load else (node.id,),
    ast.arg: lambda node: (node.arg,),
    ast.alias: _alias,
    ast.MatchMapping: lambda node: () if node.rest is None else (node.rest,),
    ast.Global: lambda node: node.names,
    ast.Nonlocal: lambda node: node.names,
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), _name),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), _name),
    **{
        vars(ast)[kind]: _name for kind in ("TypeVar", "ParamSpec", "TypeVarTuple") if kind in vars(ast)
    },  # from 3.12 on
}
_KINDS = [kind for kind in vars(ast).values() if isinstance(kind, type)]
_LEAVES = frozenset((str, int, type(None), *(kind for kind in _KINDS if issubclass(kind, EMPTY_KINDS))))


def bound_by(node: ast.AST) -> Iterable[str]:
    """The names this one node binds, not those bound by what is inside it."""
    binder = _BINDERS.get(type(node))
    return binder(node) if binder is not None else ()


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly inside a node, as written; operators and the like, which hold nothing, are left out."""
    found: list[ast.AST] = []
    for field in node._fields:
        value: Any = getattr(node, field, None)
        kind = type(value)
        if kind is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif kind not in _LEAVES and isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(*nodes: ast.AST) -> Iterator[ast.AST]:
    """All nodes inside some, themselves first; twice as fast as `ast.walk`."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if type(node) is not ast.Name and type(node) is not ast.Constant:
            waiting.extend(children(node))


class Survey:
    """What one look at a whole tree tells: names read and bound, calls, the kinds of node there are, how deep it is."""

    def __init__(self, tree: ast.AST, *, deepest: int | None = None) -> None:
        self.read: set[str] = set()
        self.bound: dict[str, int] = {}  # how often
        self.rebound_inside: set[str] = set()  # names bound by what may run whenever somebody asks for it
        self._expressions: set[str] = set()
        self.finals = False  # there is some `finally`
        self.kinds: set[type] = set()
        self.calls: list[ast.Call] = []
        self.depth = 0
        level: list[ast.AST] = [tree]
        while level and (deepest is None or self.depth <= deepest):
            level = self._look_at(level)
            self.depth += 1
        if ast.GeneratorExp in self.kinds:
            self.rebound_inside |= self._expressions

    def _look_at(self, level: list[ast.AST]) -> list[ast.AST]:
        below: list[ast.AST] = []
        for node in level:
            kind = type(node)
            if kind is ast.Name:
                if type(node.ctx) is ast.Load:  # type: ignore[attr-defined]  # it is a Name
                    self.read.add(node.id)  # type: ignore[attr-defined]  # it is a Name
                    continue
            elif kind is ast.Constant:
                continue
            self.kinds.add(kind)
            if kind is ast.Call:
                self.calls.append(node)  # type: ignore[arg-type]  # it is a Call
            elif kind in _BINDERS:
                for name in _BINDERS[kind](node):
                    self.bound[name] = self.bound.get(name, 0) + 1
                if kind is ast.Nonlocal:
                    self.rebound_inside.update(node.names)  # type: ignore[attr-defined]  # it is a Nonlocal
            elif kind in _TRIES:
                self.finals = self.finals or bool(node.finalbody)  # type: ignore[attr-defined]  # it is a Try
            elif kind is ast.NamedExpr:
                self._expressions.add(node.target.id)  # type: ignore[attr-defined]  # it is a NamedExpr
            if kind is not ast.Name:
                below.extend(children(node))
        return below


def parts_of_scope(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and what belongs to the same scope inside it: nested functions and classes stop the walk.

    Of a nested function only what runs in this scope is walked: decorators, defaults and annotations.
    """
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(run_here(current) if isinstance(current, SCOPES) else children(current))


def run_here(scope: ast.AST) -> list[ast.AST]:
    """The parts of a nested function or class that run in the scope around it."""
    if isinstance(scope, ast.ClassDef):
        return [*scope.decorator_list, *scope.bases, *scope.keywords]
    if not isinstance(scope, FUNCTIONS):
        return []
    found: list[ast.AST] = [*scope.args.defaults, *(default for default in scope.args.kw_defaults if default)]
    if isinstance(scope, ast.Lambda):
        return found
    return [*scope.decorator_list, *found]


def bound_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The names bound in one scope by these nodes; comprehension variables count too, as they may be walrus targets."""
    return {name for node in nodes for part in parts_of_scope(node) for name in bound_by(part)}


def locals_of(function: ast.FunctionDef) -> set[str]:
    """The names local to a function, its type parameters among them."""
    names = bound_in([*getattr(function, "type_params", ()), *function.body]) | {
        argument.arg for argument in walk(function.args) if isinstance(argument, ast.arg)
    }
    return names - declared_globals(function)


def declared_globals(tree: ast.AST) -> set[str]:
    """The names declared `global` inside `tree`."""
    return {name for node in walk(tree) if isinstance(node, ast.Global) for name in node.names}


def bound_when_called(tree: ast.AST) -> set[str]:
    """The names that functions defined in `tree` may bind in the session when they are called, now or later."""
    names = declared_globals(tree)
    return names | {ANY_NAME} if mentions(tree, DYNAMIC) else names


def mentions(node: ast.AST, names: Set[str]) -> bool:
    """True where one of `names` is read anywhere inside `node`."""
    return any(type(part) is ast.Name and part.id in names and type(part.ctx) is ast.Load for part in walk(node))


def last_name(node: ast.expr) -> str:
    """The name an expression says last: of a function or a type, or of an attribute; empty where it says none."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def opens_a_file(node: ast.expr) -> bool:
    """True for a call of `open`, whose file, unlike other context managers, swallows nothing that is raised."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
