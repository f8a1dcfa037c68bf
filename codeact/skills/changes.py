"""What a statement may change in place: in doubt, all it touches."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codeact.skills import purity
from codeact.skills.known import Known, dotted, names_used
from codeact.skills.scope import free_names, own_nodes, root_of
from codeact.skills.sharing import holders, loop_sources
from codeact.snippet.bindings import last_name


def running(node: ast.stmt) -> Iterator[ast.AST]:
    """All nodes that may run with the statement: comprehensions and lambdas included, function bodies not."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (item for item in own_nodes(node) if item is not node)
        return
    waiting: list[ast.AST] = [node]
    while waiting:
        item = waiting.pop()
        yield item
        if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) or item is node:
            waiting.extend(ast.iter_child_nodes(item))


def changed_names(node: ast.stmt, around: Known) -> set[str]:
    """The names whose values the statement may change in place."""
    names: set[str] = set()
    local = loop_sources(node, around)
    for item in running(node):
        if isinstance(item, ast.Attribute | ast.Subscript) and isinstance(item.ctx, ast.Store | ast.Del):
            names |= holders(item.value, around)
        elif isinstance(item, ast.Subscript):
            held = holders(item.value, around)
            names |= held if around.sharing(held) & around.own.filling else set()
        elif isinstance(item, ast.AugAssign):
            names |= holders(item.target, around)
        elif isinstance(item, ast.Call):
            names |= _changed_by_call(item, around)
        elif isinstance(item, ast.Global | ast.Nonlocal):
            names |= set(item.names)
    sources = {name: target for name, target in local.items() if name in names}
    for found in sources.values():
        names |= found
    return names


def _changed_by_call(call: ast.Call, around: Known) -> set[str]:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    held = {name for argument in arguments for name in holders(argument, around)}
    inplace = any(word.arg == "inplace" for word in call.keywords)
    into = {name for argument in _written_into(call, around) for name in holders(argument, around)}
    return into | _changed_by_target(call, arguments, held, inplace=inplace, around=around)


def _written_into(call: ast.Call, around: Known) -> list[ast.expr]:
    """The arguments that numpy writes its result into: `out=`, and what follows the operands of a ufunc."""
    named = [word.value for word in call.keywords if word.arg == "out"]
    return named + (call.args[2:] if (dotted(call.func, around) or "").startswith("numpy.") else [])


def _changed_by_target(
    call: ast.Call, arguments: list[ast.expr], held: set[str], *, inplace: bool, around: Known
) -> set[str]:
    match call.func:
        case ast.Name(id=name):
            return _changed_by_name(name, held, around)
        case ast.Attribute(value=value, attr=method):
            module = dotted(call.func, around)
            if module is not None:
                return held if method in purity.CHANGING_FUNCTIONS else _changed_by_functions(arguments, held, around)
            own_class = any(name in around.functions and around.functions[name].closes for name in free_names(value))
            if root_of(value) in around.tools or (around.own.pure(method) and not inplace and not own_class):
                return _changed_by_functions(arguments, held, around)
            if method in ("append", "add", "insert", "extend", "setdefault", "appendleft") and not own_class:
                return holders(value, around)
            return holders(value, around) | held
    return held | holders(call.func, around)


def _changed_by_name(name: str, held: set[str], around: Known) -> set[str]:
    if name in around.functions:
        reach = around.reach({name})
        found = [around.functions[other] for other in reach if other in around.functions]
        changes = {other for function in found for other in function.changes}
        return changes | (held if any(function.arguments for function in found) else set())
    if name in around.tools:
        return set()
    if name in around.modules:
        return held if around.modules[name].rpartition(".")[2] in purity.CHANGING_FUNCTIONS else set()
    if name in purity.SCALAR_BUILTINS or name in purity.HOLDING_BUILTINS:
        called = {other for other in held if other in around.functions}
        return set().union(*(_changed_by_name(other, held - called, around) for other in called)) if called else set()
    return held | {name}


def _changed_by_functions(arguments: list[ast.expr], held: set[str], around: Known) -> set[str]:
    """What functions of the run that are handed over may change when they are called back."""
    called = {name for argument in arguments for name in free_names(argument) if name in around.functions}
    return set().union(*(_changed_by_name(name, held - called, around) for name in called)) if called else set()


@dataclass(frozen=True, slots=True)
class _Touched:
    reads: set[str]
    writes: set[str]
    effect: bool


def touched(node: ast.stmt, around: Known) -> _Touched:
    """Files, and modules that remember: names of their own, read and changed as variables are."""
    bodies = [item for name in around.reach(names_used(node)) for item in around.bodies.get(name, ())]
    reads: set[str] = set()
    writes: set[str] = set()
    effect = False
    for item in [*running(node), *bodies]:
        if not isinstance(item, ast.Call):
            continue
        name = last_name(item.func)
        module = dotted(item.func, around)
        if module is not None and _remembers(module):
            writes.add(root_of(item.func) or "")
        moves = name == "replace" and len(item.args) == 1 and not around.own.pure(name)  # a path, not a text
        if name in purity.FILE_WRITERS or moves or (name == "open" and _opens_to_write(item)):
            writes.add(purity.FILES)
            effect = True
        if name in purity.FILE_READERS:
            reads.add(purity.FILES)
        effect = effect or (name in purity.SHOWS and module is not None)
    return _Touched(reads, writes - {""}, effect)


def _remembers(module: str) -> bool:
    parts = module.split(".")
    if parts[0] == "decimal":
        return parts[-1] in purity.STATEFUL_FUNCTIONS
    prefixes = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
    return bool(prefixes & purity.STATEFUL_MODULES) or parts[-1] in purity.STATEFUL_FUNCTIONS


def _opens_to_write(call: ast.Call) -> bool:
    modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return any(not isinstance(mode, ast.Constant) or set(str(mode.value)) & set("wax+") for mode in modes)
