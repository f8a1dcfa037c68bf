"""Two functions of one shape as one: where they differ are the parameters.

def a(rows): … row["open"] …  return x[:3]
def b(rows): … row["open"] …  return x[:5]      →    def a(rows, count=3): … return x[:count]
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from codeact.skills import literals, naming
from codeact.skills.generalise import FilledParameter, Function, names_of
from codeact.skills.join import Program
from codeact.skills.meaning import parsed


@dataclass(frozen=True, slots=True)
class Unified:
    """The older function with what it lacked as further parameters, and the arguments that give each run's answer."""

    program: Program
    words: str
    parameters: tuple[FilledParameter, ...]
    arguments: dict[str, Any]


@dataclass(slots=True)
class _Match:
    """What was found while two trees were walked side by side."""

    older: Mapping[str, Any]
    newer: Mapping[str, Any]
    names: dict[str, str] = field(default_factory=dict)
    back: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)  # a parameter of the older → its value in the newer run
    lifted: dict[tuple[Any, Any], list[ast.Constant]] = field(default_factory=dict)


def parse(code: str, name: str) -> tuple[Program, str, ast.arguments]:
    """A skill's code in parts: the program, its sentence, its parameters."""
    tree = parsed(code)
    imports = tuple(node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    function = next(node for node in tree.body if isinstance(node, kinds) and node.name == name)
    helpers = tuple(node for node in tree.body if node is not function and node not in imports and not _is_words(node))
    words = ast.get_docstring(function) or ""
    body = tuple(function.body[1:] if words else function.body)
    return Program(imports, body, helpers, frozenset()), words, function.args


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def unify(older: Function, newer: Function) -> Unified | None:
    """The two as one, or None where they differ in more than constants."""
    first, words, _ = parse(older.code, older.name)
    second, _, _ = parse(newer.code, newer.name)
    match = _Match(older.arguments, newer.arguments)
    if sorted(map(ast.unparse, first.imports)) != sorted(map(ast.unparse, second.imports)):
        return None
    left, right = [*first.body, *first.helpers], [*second.body, *second.helpers]
    if not _same(left, right, match):
        return None
    for parameter in older.parameters:
        if parameter.name not in match.given:
            return None
    seen = {item for node in first.body for item in ast.walk(node)}
    if not all(seen.issuperset(nodes) for nodes in match.lifted.values()):
        return None  # a helper function does not see the parameters
    program, added = _lift(first, match, older)
    arguments = dict(match.given)
    for parameter, (_, value) in zip(added, match.lifted, strict=True):
        arguments[parameter.name] = value[1]
    return Unified(program, words, (*older.parameters, *added), arguments)


def _lift(program: Program, match: _Match, older: Function) -> tuple[Program, list[FilledParameter]]:
    taken = names_of(program) | {parameter.name for parameter in older.parameters}
    sites = {site.node: site for site in literals.sites([*program.body, *program.helpers], {}, {})}
    added: list[FilledParameter] = []
    replaced: dict[ast.AST, str] = {}
    for (_, value), nodes in match.lifted.items():
        old = nodes[0].value
        hints = [sites[node].hint for node in nodes if node in sites and sites[node].hint]
        kind = "text" if isinstance(old, str) else "number"
        name = naming.free_name([*hints, *(f"wanted_{hint}" for hint in hints), kind], taken)
        taken.add(name)
        both = {type(old), type(value[1])}
        annotation = "float" if both == {int, float} else naming.type_of(old, {}) if len(both) == 1 else "object"
        added.append(FilledParameter(name, old, annotation, required=False))
        replaced |= dict.fromkeys(nodes, name)
    swap = _Put(replaced)
    body = tuple(ast.fix_missing_locations(swap.visit(node)) for node in program.body)
    return replace(program, body=body), added


class _Put(ast.NodeTransformer):
    def __init__(self, replaced: Mapping[ast.AST, str]) -> None:
        self.replaced = replaced

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(self.replaced[node], ast.Load()) if node in self.replaced else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        parts = map(self.visit, node.values)
        node.values = [ast.FormattedValue(part, -1) if isinstance(part, ast.Name) else part for part in parts]
        return node


def _same(left: Any, right: Any, match: _Match) -> bool:  # noqa: PLR0911  # one row for each kind
    if isinstance(left, list):
        return (
            isinstance(right, list)
            and len(left) == len(right)
            and all(_same(a, b, match) for a, b in zip(left, right, strict=True))
        )
    if isinstance(left, ast.expr) and isinstance(right, ast.expr):
        left = _within_text(left, match.older) if isinstance(right, ast.Constant) else left
        a, b = _value(left, match.older), _value(right, match.newer)
        if a is not None or b is not None:
            return a is not None and b is not None and _pair(left, a, b, match)
    if not isinstance(left, ast.AST):
        return bool(left == right)
    if type(left) is not type(right):
        return False
    for name in left._fields:
        a, b = getattr(left, name, None), getattr(right, name, None)
        if (
            name in ("id", "arg", "name")
            and isinstance(a, str)
            and isinstance(b, str)
            and not isinstance(left, ast.keyword | ast.alias)
        ):
            if not _renames(a, b, match):
                return False
        elif isinstance(left, ast.MatchValue) or (isinstance(left, ast.MatchMapping) and name == "keys"):
            if ast.unparse(left) != ast.unparse(right):  # a name in its place would take any value
                return False
        elif name in ("annotation", "returns", "type_comment", "kind", "ctx"):
            continue
        elif not _same(a, b, match):
            return False
    return True


def _within_text(node: ast.expr, arguments: Mapping[str, Any]) -> ast.expr:
    """`text` for the `{text}` of an f-string, where that is a parameter: it may have been a part of the text."""
    match node:
        case ast.FormattedValue(ast.Name(id=name) as inner, conversion=-1, format_spec=None):
            return inner if type(arguments.get(name)) is str else node
    return node


def _value(node: ast.expr, arguments: Mapping[str, Any]) -> tuple[str, Any] | None:
    """A parameter's or a constant's value, with which of the two it is."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name in arguments:
            return name, arguments[name]
        case ast.Constant(value=value) if type(value) in (str, int, float):
            return "", value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return "", -value
    return None


def _pair(node: ast.expr, a: tuple[str, Any], b: tuple[str, Any], match: _Match) -> bool:
    if a[0]:
        known = a[0] in match.given
        if known and match.given[a[0]] != b[1]:
            return False
        match.given[a[0]] = b[1]
        return True
    if type(a[1]) is type(b[1]) and a[1] == b[1]:
        return True
    if (
        not isinstance(node, ast.Constant)
        or type(b[1]) not in (str, int, float)
        or isinstance(a[1], str) != isinstance(b[1], str)
    ):
        return False
    match.lifted.setdefault(((type(a[1]), a[1]), (type(b[1]), b[1])), []).append(node)
    return True


def _renames(a: str, b: str, match: _Match) -> bool:
    if a in match.older or b in match.newer:
        return a in match.older and b in match.newer
    return match.names.setdefault(a, b) == b and match.back.setdefault(b, a) == a
