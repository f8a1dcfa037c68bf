"""What a run's own classes do: which methods change something, whatever a method of that name does elsewhere.

class Cache:
    def get(self, key): self.used += 1; …      changes, though `dict.get` does not
    def mean(self): return sum(self.rows) / 2  does not
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from codeact.skills import purity
from codeact.skills.scope import root_of
from codeact.snippet.bindings import last_name
from codeact.snippet.words import word_set

# called where a value is made or shown, or by methods that are looked at themselves
_OUTRIGHT = word_set("__init__ __new__ __post_init__ __repr__ __str__ __format__ __hash__ __eq__ __set_name__")
# methods that change their object where these modules are in play, of names that are harmless elsewhere
_OF_MODULES = {
    "queue": word_set("get"),
    "asyncio": word_set("get"),
    "threading": word_set("start join run"),
    "multiprocessing": word_set("get start join run"),
    "pathlib": word_set("rename replace"),
    "concurrent": word_set("submit map result"),
}
_DESCRIPTORS = word_set("property cached_property partialmethod")


@dataclass(frozen=True, slots=True)
class Own:
    """What is known of a run's classes and containers before its statements are read one by one."""

    methods: Mapping[str, bool] = field(default_factory=dict)  # a method → whether a call may change something
    live: frozenset[str] = frozenset()  # classes whose objects may change by being used at all: operators, properties
    filling: frozenset[str] = frozenset()  # names of what grows by being looked into: a defaultdict

    def pure(self, method: str) -> bool:
        """True where calling a method of this name changes nothing in this run."""
        return method in purity.PURE_METHODS and not self.methods.get(method, False)

    def quiet(self, node: ast.AST) -> bool:
        """True where evaluating this node, and no call within it, changes nothing."""
        match node:
            case ast.Attribute(attr=name):
                return not (self.live and self.methods.get(name, False))
            case ast.Subscript(value=value):
                return not self.live and root_of(value) not in self.filling
            case ast.BinOp() | ast.Compare() | ast.UnaryOp() | ast.comprehension():
                return not self.live
        return True


def own_of(nodes: Iterable[ast.stmt]) -> Own:
    """What these statements define."""
    nodes = [*nodes]
    filling = frozenset(_filling(nodes))
    methods = own_methods(nodes, filling)
    classes = [item for node in nodes for item in ast.walk(node) if isinstance(item, ast.ClassDef)]
    live: set[str] = set()
    while True:
        more = {node.name for node in classes if _is_live(node, methods, live)} - live
        if not more:
            return Own(methods, frozenset(live), filling)
        live |= more


def own_methods(nodes: Iterable[ast.stmt], filling: Collection[str]) -> dict[str, bool]:
    """The methods of the classes in these statements, each with whether a call of it may change something."""
    bodies: dict[str, list[ast.stmt]] = {}
    found: dict[str, bool] = {}
    for item in (item for node in nodes for item in ast.walk(node)):
        if isinstance(item, ast.ClassDef):
            for part in item.body:
                for name in _names(part):
                    bodies.setdefault(name, []).append(part)
        elif isinstance(item, ast.Import | ast.ImportFrom):
            found |= dict.fromkeys(_of_import(item), True)
    found |= dict.fromkeys(bodies, True)
    while True:  # what calls only what changes nothing changes nothing
        changing = {name for name in bodies if any(_changes(part, found, filling) for part in bodies[name])}
        still = {name for name in bodies if found[name]} - changing
        if not still:
            return found
        found |= dict.fromkeys(still, False)


def _is_live(node: ast.ClassDef, methods: Mapping[str, bool], live: Collection[str]) -> bool:
    bases = {last_name(base) for base in node.bases}
    if bases & {"defaultdict", *live}:
        return True
    for part in node.body:
        for name in _names(part):
            dunder = name.startswith("__") and name.endswith("__") and name not in _OUTRIGHT
            implicit = dunder or bool(getattr(part, "decorator_list", [])) or _describes(part)
            if implicit and methods.get(name, False):
                return True
    return False


def _filling(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    for item in (item for node in nodes for item in ast.walk(node)):
        if isinstance(item, ast.Assign | ast.AnnAssign) and item.value is not None:
            made = [part.func for part in ast.walk(item.value) if isinstance(part, ast.Call)]
            if any(last_name(func) == "defaultdict" for func in made):
                targets = item.targets if isinstance(item, ast.Assign) else [item.target]
                yield from (name for target in targets if (name := root_of(target)))


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [item.id for item in targets if isinstance(item, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _of_import(node: ast.Import | ast.ImportFrom) -> set[str]:
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return {method for name in modules for method in _OF_MODULES.get(name.partition(".")[0], ())}


def _changes(part: ast.stmt, methods: Mapping[str, bool], filling: Collection[str]) -> bool:
    if isinstance(part, ast.Assign | ast.AnnAssign) and not isinstance(part.value, ast.Lambda):
        return _describes(part)  # nobody looked at what it calls
    return any(_change(item, methods, filling) for item in ast.walk(part))


def _describes(part: ast.stmt) -> bool:
    value = getattr(part, "value", None)
    return isinstance(value, ast.Call) and last_name(value.func) in _DESCRIPTORS


def _change(node: ast.AST, methods: Mapping[str, bool], filling: Collection[str]) -> bool:
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            return True
        case ast.Subscript(value=value):
            return root_of(value) in filling
        case ast.Global() | ast.Nonlocal() | ast.Yield() | ast.YieldFrom() | ast.Await():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name not in purity.SCALAR_BUILTINS | purity.HOLDING_BUILTINS | {"print"}
        case ast.Call(func=ast.Attribute(attr=name)):
            return methods.get(name, name not in purity.PURE_METHODS)
    return isinstance(node, ast.Call)
