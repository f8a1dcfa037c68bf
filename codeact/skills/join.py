"""Statements from several steps as one function: imports above it, helpers below it.

import math                            import math
def area(r): return math.pi * r**2
x = area(2)                       →    def name():
final_answer(x)                            x = _area(2)
                                           return x

                                       def _area(r): …
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from codeact.records import FINAL_ANSWER
from codeact.skills.answering import Returning
from codeact.skills.scope import bound_names, copied, free_names, own_nodes
from codeact.snippet.words import word_set

_BUILTINS = frozenset(dir(builtins))
_PLAIN = word_set(  # decorators and fields that keep nothing
    "dataclass field property setter staticmethod classmethod total_ordering contextmanager wraps abstractmethod"
)


@dataclass(frozen=True, slots=True)
class Program:
    """A function in parts; `outside` are the names it may look up that it does not make itself."""

    imports: tuple[ast.stmt, ...]
    body: tuple[ast.stmt, ...]
    helpers: tuple[ast.stmt, ...]
    outside: frozenset[str]

    @property
    def asynchronous(self) -> bool:
        """True where the body awaits."""
        waits = (ast.Await, ast.AsyncFor, ast.AsyncWith)
        nodes = [item for node in self.body for item in own_nodes(node)]
        return any(isinstance(item, waits) or getattr(item, "is_async", 0) for item in nodes)

    def looks_up(self) -> set[str]:
        """The names the function and its helpers look up outside themselves."""
        inner = ast.FunctionDef("f", _no_arguments(), list(self.body), [])
        names = free_names(inner)
        for node in self.helpers:
            names |= free_names(node)
        return names - {name for node in self.helpers for name in bound_names(node)}


def join(statements: list[ast.stmt], *, outside: Collection[str], inputs: Collection[str] = ()) -> Program:
    """One program of the statements; `outside` are the names of tools, skills and inputs.

    What looks up one of the `inputs` stays within: they are the function's parameters.
    """
    nodes = [copied(node) for node in statements]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    body = [node for node in nodes if not isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {name for node in imports for name in bound_names(node)}
    body = _unshadowed(body, (_BUILTINS | imported) - set(outside))
    helpers = _helpers(body, imported | set(outside) | _BUILTINS, inputs)
    body = [node for node in body if node not in helpers]
    program = Program(tuple(_each(imports)), tuple(map(_returning, body)), tuple(helpers), frozenset(outside))
    return _private(_nonlocals(program))


def _no_arguments() -> ast.arguments:
    return ast.arguments([], [], None, [], [], None, [])


def _each(imports: Sequence[ast.stmt]) -> list[ast.stmt]:
    """One import per line, each once, sorted as ruff sorts them: `import a` before `from a import b`."""
    lines: set[tuple[int, str]] = set()
    for node in imports:
        if isinstance(node, ast.Import):
            lines |= {(0, ast.unparse(ast.Import([name]))) for name in node.names}
    froms: dict[str, set[str]] = {}
    for node in imports:
        if isinstance(node, ast.ImportFrom):
            names = {ast.unparse(name) for name in node.names}
            froms.setdefault("." * node.level + (node.module or ""), set()).update(names)
    lines |= {(1, f"from {module} import {', '.join(sorted(names))}") for module, names in froms.items()}
    return [ast.parse(line).body[0] for _, line in sorted(lines)]


def _returning(node: ast.stmt) -> ast.stmt:
    found = Returning().visit(node)
    assert isinstance(found, ast.stmt)  # noqa: S101  # a statement stays one
    return ast.fix_missing_locations(found)


def with_return(program: Program) -> Program:
    """The program whose last expression is its value, where it has no `final_answer`."""
    if not program.body or any(isinstance(item, ast.Return) for node in program.body for item in own_nodes(node)):
        return program
    last = program.body[-1]
    if not isinstance(last, ast.Expr):
        return program
    return replace(program, body=(*program.body[:-1], ast.fix_missing_locations(ast.Return(last.value))))


def _unshadowed(body: list[ast.stmt], outer: Collection[str]) -> list[ast.stmt]:
    """`sum = sum(prices)` works at the top of a module, not in a function: such a variable gets a name of its own."""
    taken = {name for node in body for name in bound_names(node, deep=True) | free_names(node)}
    for name in sorted({name for node in body for name in bound_names(node)} & set(outer)):
        first = next(at for at, node in enumerate(body) if name in bound_names(node))
        if isinstance(body[first], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        new = f"{name}_value"
        while new in taken:
            new += "_"
        taken.add(new)
        simple = isinstance(body[first], ast.Assign | ast.AnnAssign)
        last = max(at for at, node in enumerate(body) if name in bound_names(node))
        end = last + 1 if isinstance(body[last], ast.Delete) else len(body)  # after `del sum` it is the built-in again
        for at, node in enumerate(body[first:end], first):
            _Rename({name: new}, stores_only=simple and at == first).visit(node)
    return body


class _Rename(ast.NodeTransformer):
    """Gives names of the outermost scope another name, within the functions that look them up too."""

    def __init__(self, names: dict[str, str], *, stores_only: bool = False) -> None:
        self.names, self.stores_only = names, stores_only

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.names and (not self.stores_only or isinstance(node.ctx, ast.Store | ast.Del)):
            node.id = self.names[node.id]
        return node

    def _scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> ast.AST:
        own = {item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)}
        outer: set[str] = set()
        for statement in node.body if not isinstance(node, ast.Lambda) else []:
            own |= bound_names(statement)
            outer |= {
                name
                for item in ast.walk(statement)
                if isinstance(item, ast.Global | ast.Nonlocal)
                for name in item.names
            }
        inner = {name: new for name, new in self.names.items() if name not in own - outer}
        for item in ast.walk(node):
            if isinstance(item, ast.Global | ast.Nonlocal):
                item.names = [inner.get(name, name) for name in item.names]
        if not isinstance(node, ast.Lambda):
            node.name = self.names.get(node.name, node.name) if not self.stores_only else node.name
            node.body = [_Rename(inner, stores_only=self.stores_only).visit(item) for item in node.body]
            node.decorator_list = [self.visit(item) for item in node.decorator_list]
            node.returns = self.visit(node.returns) if node.returns is not None else None
        else:
            node.body = _Rename(inner, stores_only=self.stores_only).visit(node.body)
        node.args = self.visit(node.args)
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _scope


def renamed(node: ast.stmt, names: dict[str, str]) -> ast.stmt:
    """The statement with names of the outermost scope renamed."""
    found = _Rename(names).visit(copied(node))
    assert isinstance(found, ast.stmt)  # noqa: S101  # a statement stays one
    return found


def _helpers(body: list[ast.stmt], known: Collection[str], within: Collection[str]) -> list[ast.stmt]:
    """The functions and classes that need nothing but imports, tools and each other: they can stand below.

    One that a call may leave changed stays within: it is to be as new for the next call of the skill.
    """
    counts: dict[str, int] = {}
    for node in body:
        for name in bound_names(node):
            counts[name] = counts.get(name, 0) + 1
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    marked = _marked(body)
    chosen = [node for node in body if isinstance(node, kinds) and counts[node.name] == 1]
    chosen = [node for node in chosen if node.name not in marked and not any(map(_keeps, ast.walk(node)))]
    given = set(known) - _BUILTINS
    while True:
        names = {node.name for node in chosen}
        local = (set(counts) | set(within)) - names
        kept = [
            node
            for node in chosen
            if free_names(node) - {node.name} <= (set(known) | names) - local
            and not any(isinstance(item, ast.Global) for item in ast.walk(node))
            and node.name not in given
            and not _answers(node)
        ]
        if len(kept) == len(chosen):
            return list(kept)
        chosen = kept


def _marked(body: list[ast.stmt]) -> set[str]:
    """The names of which an attribute is set: `total.calls = 0`, `Pay.mean = 3`."""
    found: set[str] = set()
    for item in (item for node in body for item in ast.walk(node)):
        match item:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[ast.Name(id=name), *_]):
                found.add(name)
    return found


def _keeps(node: ast.AST) -> bool:
    """True for what can hold something from one call to the next: a list as a default, in a class, a cache."""
    match node:
        case ast.arguments():
            values = [value for value in (*node.defaults, *node.kw_defaults) if value is not None]
        case ast.ClassDef():
            values = [item.value for item in node.body if isinstance(item, ast.Assign | ast.AnnAssign) and item.value]
        case ast.Attribute(value=ast.Name(id="cls"), ctx=ast.Store()):
            return True
        case _:
            values = []
    decorators = getattr(node, "decorator_list", [])
    return not all(isinstance(value, ast.Name) or _is_plain(value) for value in values) or not all(
        map(_is_plain, decorators)
    )


def _is_plain(node: ast.expr) -> bool:
    """True for constants and tuples of them, and for decorators and fields that keep nothing."""
    match node:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Tuple(elts=items):
            return all(map(_is_plain, items))
        case ast.Call(func=func):
            return _is_plain(func)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _PLAIN
    return False


def _answers(node: ast.AST) -> bool:
    return any(isinstance(item, ast.Name) and item.id == FINAL_ANSWER for item in ast.walk(node))


def _nonlocals(program: Program) -> Program:
    """`global x` in a function that now lies within another means that one's `x`."""
    own = {name for node in program.body for name in bound_names(node)}
    return replace(program, body=tuple(_Nonlocal(own).visit(node) for node in program.body))


class _Nonlocal(ast.NodeTransformer):
    def __init__(self, own: set[str]) -> None:
        self.own = own

    def visit_Global(self, node: ast.Global) -> ast.AST:
        return ast.Nonlocal(node.names) if set(node.names) <= self.own else node


def _private(program: Program) -> Program:
    """Helper functions get a leading underscore: a skill has one public function."""
    functions = [node for node in program.helpers if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    names = {node.name: f"_{node.name}" for node in functions if not node.name.startswith("_")}
    if not names:
        return program
    return replace(
        program,
        body=tuple(renamed(node, names) for node in program.body),
        helpers=tuple(renamed(node, names) for node in program.helpers),
    )
