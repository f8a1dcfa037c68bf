"""What a skill means, apart from how it is written: the syntax tree with its names counted instead of spelt.

def total(rows): …          def sum_up(orders): …        the same meaning where the bodies do the same
"""

from __future__ import annotations

import ast
import hashlib
import sys

from codeact.skills.scope import bound_names

_WITH_WHAT_IS_EMPTY = {"show_empty": True} if sys.version_info >= (3, 13) else {}


def meaning_of(code: str) -> str:
    """The hash of what the code does: its own names, annotations, words and the order of imports do not count."""
    return _hash(code, constants=True)


def shape_of(code: str) -> str:
    """The same without its constants and parameters: programs of one shape may be one skill with other arguments."""
    return _hash(code, constants=False)


def parsed(code: str) -> ast.Module:
    """The syntax tree of a code, without the empty text Python 3.12.1 has behind the format of `{value:{form}}`."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            node.values = [part for part in node.values if not (isinstance(part, ast.Constant) and part.value == "")]
    return tree


def _hash(code: str, *, constants: bool) -> str:
    try:
        normal = _normal(parsed(code), constants=constants)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # it has no tree, so nothing means the same
        return ""
    return hashlib.sha256(normal.encode()).hexdigest()


def _normal(tree: ast.Module, *, constants: bool) -> str:
    body = [node for node in tree.body if not _is_words(node)]
    imports = sorted(ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom))
    rest = [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom)]
    own: set[str] = set()
    for node in rest:
        own |= bound_names(node, deep=True)
    parameters: set[str] = set()
    for node in rest:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            parameters |= {item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)}
            node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]  # what is usual does not count
            if not constants:
                node.args.args, node.args.defaults = [], []
    normal = _Normal(own, {}, constants=constants, parameters=set() if constants else parameters)
    out = [normal.text(node) for node in rest]
    return "\n".join([*imports, *out])


def _dumped(node: ast.AST) -> str:
    """What Python 3.11 dumps: later ones say more or less where nothing was written. A skill outlives its Python."""
    for part in ast.walk(node):
        given = vars(part)
        if given.get("type_params") == []:
            del given["type_params"]
        if isinstance(part, ast.Name):
            given.pop("ctx", None)
    return ast.dump(node, **_WITH_WHAT_IS_EMPTY)


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class _Normal(ast.NodeTransformer):
    """Renames own names to v0, v1, … in the order they are met; drops words and annotations."""

    def __init__(self, own: set[str], numbers: dict[str, str], *, constants: bool, parameters: set[str]) -> None:
        self.own, self.numbers, self.constants, self.parameters = own, numbers, constants, parameters

    def text(self, node: ast.AST) -> str:
        return _dumped(self.visit(node))

    def _name(self, name: str) -> str:
        if name not in self.own:
            return name
        return self.numbers.setdefault(name, f"v{len(self.numbers)}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.parameters and isinstance(node.ctx, ast.Load):
            return ast.Constant("…")
        return ast.Name(self._name(node.id))

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        plain = isinstance(node.value, ast.Name) and node.conversion == -1 and node.format_spec is None
        if plain and isinstance(found := self.visit(node.value), ast.Constant):
            return found  # a parameter that may have been a part of the text
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._name(node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.name = self._name(node.name)
        node.returns = None
        node.body = [item for item in node.body if not _is_words(item)] or [ast.Pass()]
        self.generic_visit(node)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._name(node.name)
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self._name(node.name) if node.name else None
        self.generic_visit(node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(node.value) if self.constants else ast.Constant("…")
