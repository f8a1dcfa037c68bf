"""What is known of the names where a statement stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from codeact.skills.methods import Own
from codeact.skills.scope import bound_names, exposed_names, free_names


@dataclass(slots=True)
class Known:
    """What is known where a statement stands: of the names bound before it."""

    tools: Mapping[str, bool]  # tool → whether a call of it has an effect
    own: Own = field(default_factory=Own)
    modules: dict[str, str] = field(default_factory=dict)  # a name → the module, or module.function, it stands for
    later: dict[str, set[str]] = field(default_factory=dict)  # a name → the names its value looks up when it is used
    alike: dict[str, set[str]] = field(default_factory=dict)  # a name → the names its value may share parts with
    functions: dict[str, Behaviour] = field(default_factory=dict)
    bodies: dict[str, list[ast.AST]] = field(default_factory=dict)  # a function → what runs when it is called
    iterators: set[str] = field(default_factory=set)
    scalars: set[str] = field(default_factory=set)  # names of numbers and texts: nothing can change those in place

    def reach(self, names: set[str]) -> set[str]:
        """The names, and all that their values look up when they are used."""
        return _followed(names, self.later)

    def sharing(self, names: set[str]) -> set[str]:
        """The names whose values may be, or hold, the same objects."""
        return _followed(names, self.alike)


def _followed(names: set[str], table: Mapping[str, set[str]]) -> set[str]:
    """The names, those the table leads to from them, and so on."""
    seen: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting |= table.get(name, set())
    return seen


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What calling a function of the run may do: the names of the run it changes, and whether its arguments too."""

    changes: frozenset[str]
    arguments: bool
    iterates: bool
    closes: bool  # what it returns may look names up later


@dataclass(frozen=True, slots=True)
class Facts:
    """What one statement does to the names around it."""

    needs: frozenset[str]
    binds: frozenset[str]
    surely: frozenset[str]  # of the bound ones, those that are bound whatever happens
    changes: frozenset[str]
    effect: bool


def nested_globals(node: ast.stmt) -> set[str]:
    """The names a statement declares global or nonlocal, however deep within it."""
    return {name for item in ast.walk(node) if isinstance(item, ast.Global | ast.Nonlocal) for name in item.names}


def _names_of_target(target: ast.expr) -> Iterator[ast.Name]:
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from _names_of_target(item)
    elif isinstance(target, ast.Starred):
        yield from _names_of_target(target.value)


def surely(node: ast.stmt) -> set[str]:
    """The names a statement binds, or unbinds, whatever happens."""
    match node:
        case ast.Assign(targets=targets):
            return {item.id for target in targets for item in _names_of_target(target)}
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()) | ast.AugAssign(target=ast.Name(id=name)):
            return {name}
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom():
            return bound_names(node)
        case ast.Delete(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
    return set()


def dotted(node: ast.AST, around: Known) -> str | None:
    """The full name of a module's function, `numpy.random.seed`; None where it is not one."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name) and node.id in around.modules:
        return ".".join([around.modules[node.id], *reversed(parts)])
    return None


def names_used(node: ast.stmt) -> set[str]:
    """The names a statement looks up when it runs: of a function that is defined, not those of its body."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        annotations = [item.annotation for item in ast.walk(node.args) if isinstance(item, ast.arg) and item.annotation]
        parts = [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults, *annotations, node.returns]
        return {name for part in parts if part is not None for name in free_names(part)}
    return exposed_names(node) | nested_globals(node)
