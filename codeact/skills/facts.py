"""What one statement of a run needs, binds and changes, found by reading it: in doubt it changes what it touches."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from codeact.skills import purity
from codeact.skills.scope import (
    COMPREHENSIONS,
    FUNCTIONS,
    bound_names,
    exposed_names,
    free_names,
    later_names,
    own_nodes,
)


@dataclass(slots=True)
class Surroundings:
    """What is known where a statement stands: of the names bound before it."""

    tools: Mapping[str, bool]  # tool → whether a call of it has an effect
    modules: dict[str, str] = field(default_factory=dict)  # a name → the module, or module.function, it stands for
    later: dict[str, set[str]] = field(default_factory=dict)  # a name → the names its value looks up when it is used
    alike: dict[str, set[str]] = field(default_factory=dict)  # a name → the names its value may share parts with
    functions: dict[str, Function] = field(default_factory=dict)
    bodies: dict[str, list[ast.AST]] = field(default_factory=dict)  # a function → what runs when it is called
    iterators: set[str] = field(default_factory=set)
    scalars: set[str] = field(default_factory=set)  # names of numbers and texts: nothing can change those in place

    def reach(self, names: set[str]) -> set[str]:
        """The names, and all that their values look up when they are used."""
        seen: set[str] = set()
        waiting = set(names)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting |= self.later.get(name, set())
        return seen

    def sharing(self, names: set[str]) -> set[str]:
        """The names whose values may be, or hold, the same objects."""
        seen: set[str] = set()
        waiting = set(names)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting |= self.alike.get(name, set())
        return seen


@dataclass(frozen=True, slots=True)
class Function:
    """What calling a function of the run may do: `changes` are names of the run, `arguments` whether it changes those."""

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


def facts_of(node: ast.stmt, around: Surroundings) -> Facts:
    """The facts of one statement; the surroundings are brought up to what holds after it."""
    binds = bound_names(node)
    used = _used(node)
    reach = around.reach(used)
    changes = around.sharing(_changed(node, around))
    changes |= {name for name in reach if name in around.iterators and not isinstance(node, ast.FunctionDef)}
    calls = _calls_names(node, reach)
    touched = _pseudo(node, around)
    effect = bool(touched.effect)
    if calls:
        effect = effect or any(around.tools.get(name, False) for name in reach)
    facts = Facts(
        needs=frozenset(reach | touched.reads | touched.writes),
        binds=frozenset(binds),
        surely=frozenset(_surely(node) & binds),
        changes=frozenset((changes | touched.writes) - _surely_fresh(node)),
        effect=effect,
    )
    _learn(node, around, binds)
    return facts


def _used(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        annotations = [item.annotation for item in ast.walk(node.args) if isinstance(item, ast.arg) and item.annotation]
        parts = [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults, *annotations, node.returns]
        return {name for part in parts if part is not None for name in free_names(part)}
    return exposed_names(node) | _nested_globals(node)


def _nested_globals(node: ast.stmt) -> set[str]:
    return {name for item in ast.walk(node) if isinstance(item, ast.Global | ast.Nonlocal) for name in item.names}


def _surely(node: ast.stmt) -> set[str]:
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


def _surely_fresh(node: ast.stmt) -> set[str]:
    """A name that is bound anew is not changed by the same statement, unless by augmenting it."""
    return set() if isinstance(node, ast.AugAssign) else _surely(node)


def _names_of_target(target: ast.expr) -> Iterator[ast.Name]:
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from _names_of_target(item)
    elif isinstance(target, ast.Starred):
        yield from _names_of_target(target.value)


def root_of(node: ast.AST) -> str | None:
    """The name an attribute or subscript chain starts from."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def dotted(node: ast.AST, around: Surroundings) -> str | None:
    """The full name of a module's function, `numpy.random.seed`; None where it is not one."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name) and node.id in around.modules:
        return ".".join([around.modules[node.id], *reversed(parts)])
    return None


def _running(node: ast.stmt) -> Iterator[ast.AST]:
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


def _calls_names(node: ast.stmt, reach: set[str]) -> bool:
    return bool(reach) and any(
        isinstance(item, ast.Call | ast.With | ast.For | ast.ClassDef | ast.AsyncWith | ast.AsyncFor | ast.Await)
        or (isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.decorator_list)
        for item in [node, *_running(node)]
    )


def _changed(node: ast.stmt, around: Surroundings) -> set[str]:
    """The names whose values the statement may change in place."""
    names: set[str] = set()
    local = _loop_sources(node, around)
    for item in _running(node):
        if isinstance(item, ast.Attribute | ast.Subscript) and isinstance(item.ctx, ast.Store | ast.Del):
            names |= holders(item.value, around)
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


def _loop_sources(node: ast.AST, around: Surroundings) -> dict[str, set[str]]:
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
            for target, value in pairs:
                found = holders(value, around)
                found |= {more for name in found for more in sources.get(name, set())}
                for bound in ast.walk(target):
                    if isinstance(bound, ast.Name):
                        sources.setdefault(bound.id, set()).update(found)
    return sources


def _changed_by_call(call: ast.Call, around: Surroundings) -> set[str]:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    held = {name for argument in arguments for name in holders(argument, around)}
    inplace = any(word.arg == "inplace" for word in call.keywords)
    match call.func:
        case ast.Name(id=name):
            return _changed_by_name(name, held, around)
        case ast.Attribute(value=value, attr=method):
            module = dotted(call.func, around)
            if module is not None:
                return held if method in purity.CHANGING_FUNCTIONS else _changed_by_functions(arguments, held, around)
            own_class = any(name in around.functions and around.functions[name].closes for name in free_names(value))
            if root_of(value) in around.tools or (method in purity.PURE_METHODS and not inplace and not own_class):
                return _changed_by_functions(arguments, held, around)
            if method in ("append", "add", "insert", "extend", "setdefault", "appendleft") and not own_class:
                return holders(value, around)
            return holders(value, around) | held
    return held | holders(call.func, around)


def _changed_by_name(name: str, held: set[str], around: Surroundings) -> set[str]:
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


def _changed_by_functions(arguments: list[ast.expr], held: set[str], around: Surroundings) -> set[str]:
    """What functions of the run that are handed over may change when they are called back."""
    called = {name for argument in arguments for name in free_names(argument) if name in around.functions}
    return set().union(*(_changed_by_name(name, held - called, around) for name in called)) if called else set()


def holders(node: ast.AST, around: Surroundings) -> set[str]:
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


def _of_comprehension(node: ast.AST, elements: list[ast.expr], around: Surroundings) -> set[str]:
    names = {name for element in elements for name in holders(element, around)}
    sources = _loop_sources(node, around)
    targets = {item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
    return {found for name in names for found in (sources.get(name, {name}) if name in targets else {name})}


def _holders_of_call(call: ast.Call, around: Surroundings) -> set[str]:
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


_TEXT_METHODS = frozenset("strip split lower upper join replace format strftime isoformat startswith endswith".split())
_SCALAR_MODULES = frozenset("math statistics json re datetime decimal fractions hashlib base64 textwrap string".split())


@dataclass(frozen=True, slots=True)
class _Touched:
    reads: set[str]
    writes: set[str]
    effect: bool


def _pseudo(node: ast.stmt, around: Surroundings) -> _Touched:
    """Files, and modules that remember: names of their own, read and changed as variables are."""
    bodies = [item for name in around.reach(_used(node)) for item in around.bodies.get(name, ())]
    reads: set[str] = set()
    writes: set[str] = set()
    effect = False
    for item in [*_running(node), *bodies]:
        if not isinstance(item, ast.Call):
            continue
        name = item.func.attr if isinstance(item.func, ast.Attribute) else getattr(item.func, "id", "")
        module = dotted(item.func, around)
        if module is not None and _remembers(module):
            writes.add(root_of(item.func) or "")
        if name in purity.FILE_WRITERS or (name == "open" and _opens_to_write(item)):
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


def _learn(node: ast.stmt, around: Surroundings, binds: set[str]) -> None:
    """Brings what is known of the names up to what holds after the statement."""
    value = getattr(node, "value", None)
    held: set[str] = set()
    if isinstance(node, ast.Assign | ast.AnnAssign) and value is not None:
        held = holders(value, around)
    elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
        held = {name for found in _loop_sources(node, around).values() for name in found} | _stored_into(node, around)
    later = _later(node) | {more for name in held for more in around.later.get(name, set())}
    iterates = _iterates(value, around) or bool(held & around.iterators)
    function = _function(node, around)
    around.scalars |= _scalars(node, around)
    around.scalars -= binds - _scalars(node, around)
    for name in binds:
        if name in _surely(node) and not isinstance(node, ast.AugAssign):
            _forget(name, around)
        around.later.setdefault(name, set()).update(later - {name} if function is None else later)
        if iterates:
            around.iterators.add(name)
        if function is not None:
            around.functions[name] = function
            around.bodies[name] = list(ast.walk(node))
    _share(node, around, binds, held)
    _learn_imports(node, around)


def _scalars(node: ast.stmt, around: Surroundings) -> set[str]:
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


def _is_scalar(node: ast.expr, around: Surroundings) -> bool:
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
    import copy

    tree = copy.deepcopy(node)
    for item in ast.walk(tree):
        if isinstance(item, ast.Call):
            name = item.func.attr if isinstance(item.func, ast.Attribute) else getattr(item.func, "id", "")
            if name in purity.EAGER:
                lazy = (ast.Lambda, ast.GeneratorExp)
                item.args = [argument for argument in item.args if not isinstance(argument, lazy)]
                item.keywords = [word for word in item.keywords if not isinstance(word.value, lazy)]
    return tree


def _function(node: ast.stmt, around: Surroundings) -> Function | None:
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
    own -= _nested_globals(node)
    fresh = _fresh_locals(body)
    statements = body.body if isinstance(body, ast.FunctionDef | ast.AsyncFunctionDef) else [ast.Expr(body)]  # type: ignore[arg-type]  # only read
    inner = ast.Module(body=list(statements), type_ignores=[])
    changed = _changed(inner, around) if not isinstance(body, ast.ClassDef) else _changed_in_class(body, around)  # type: ignore[arg-type]  # only read
    closes = isinstance(body, ast.ClassDef) or any(
        isinstance(item, (*FUNCTIONS, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.GeneratorExp)) and item is not body
        for item in ast.walk(_without_eager(node))
    )
    yields = any(isinstance(item, ast.Yield | ast.YieldFrom) for item in ast.walk(body))
    return Function(
        changes=frozenset(changed - own) | frozenset(_nested_globals(node)),
        arguments=bool((changed & own) - fresh),
        iterates=yields,
        closes=closes,
    )


def _changed_in_class(node: ast.ClassDef, around: Surroundings) -> set[str]:
    names: set[str] = set()
    for item in node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            names |= _changed(ast.Module(body=list(item.body), type_ignores=[]), around) - {"self"}  # type: ignore[arg-type]  # only read
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
                    isinstance(value, ast.Call)
                    and getattr(value.func, "id", getattr(value.func, "attr", "")) in _MAKERS
                )
                (fresh if made else stale).add(name)
            case ast.For(target=target) | ast.comprehension(target=target):
                stale |= {found.id for found in ast.walk(target) if isinstance(found, ast.Name)}
    return fresh - stale


_MAKERS = frozenset(
    "list dict set defaultdict Counter deque OrderedDict sorted str int float sum len copy deepcopy".split()
)


def _stored_into(node: ast.stmt, around: Surroundings) -> set[str]:
    """What a statement such as `kept[key] = row` or `kept.append(row)` puts into something else."""
    names: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, ast.Assign) and any(not isinstance(target, ast.Name) for target in item.targets):
            names |= holders(item.value, around)
        elif isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute):
            if item.func.attr not in purity.PURE_METHODS and dotted(item.func, around) is None:
                names |= {name for argument in item.args for name in holders(argument, around)}
    return names


def _stored_targets(node: ast.stmt) -> set[str]:
    names: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, ast.Subscript | ast.Attribute) and isinstance(item.ctx, ast.Store):
            names.add(root_of(item) or "")
        elif isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute):
            if item.func.attr not in purity.PURE_METHODS:
                names.add(root_of(item.func.value) or "")
    return names - {""}


def _share(node: ast.stmt, around: Surroundings, binds: set[str], held: set[str]) -> None:
    """Notes which names now hold parts of the same values."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        _join(around, binds | _stored_targets(node), held)
        return
    sources = _loop_sources(node, around)
    for name in binds & set(sources):
        _join(around, {name}, sources[name])
    stored = _stored_into(node, around)
    stored |= {more for name in stored for more in sources.get(name, set())}
    targets = _stored_targets(node)
    _join(around, targets | {more for name in targets for more in sources.get(name, set())}, stored)


def _iterates(value: ast.AST | None, around: Surroundings) -> bool:
    match value:
        case ast.GeneratorExp():
            return True
        case ast.Call(func=func):
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            module = dotted(func, around) or ""
            own = around.functions.get(name)
            return (
                name in purity.ITERATORS
                or module.partition(".")[0] in purity.ITERATOR_MODULES
                or (own is not None and own.iterates)
            )
    return False


def _forget(name: str, around: Surroundings) -> None:
    for other in around.alike.pop(name, set()):
        around.alike.get(other, set()).discard(name)
    around.later.pop(name, None)
    around.functions.pop(name, None)
    around.bodies.pop(name, None)
    around.modules.pop(name, None)
    around.iterators.discard(name)


def _join(around: Surroundings, targets: set[str], held: set[str]) -> None:
    shared = held - set(around.modules) - set(around.tools) - set(around.functions) - around.scalars
    for target in targets - set(around.modules) - set(around.tools):
        for other in shared - {target}:
            around.alike.setdefault(target, set()).add(other)
            around.alike.setdefault(other, set()).add(target)


def _learn_imports(node: ast.stmt, around: Surroundings) -> None:
    for item in ast.walk(node):
        if isinstance(item, ast.Import):
            for name in item.names:
                around.modules[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0]
                )
        elif isinstance(item, ast.ImportFrom):
            for name in item.names:
                around.modules[name.asname or name.name] = f"{item.module}.{name.name}"
