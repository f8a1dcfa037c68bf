"""Checks a snippet's syntax tree against the policy: what is not known to be harmless is a violation.

The base is RestrictedPython's transformer, which refuses every node it has no method for. Where its run-time guards
cost speed or forbid ordinary Python, the tables of `rules.py` and the attribute rules stand in for them.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Callable
from typing import Any, ClassVar, Literal

from RestrictedPython.transformer import RestrictingNodeTransformer

from codeact.records import Violation
from codeact.snippet import rules
from codeact.snippet.attribute_rules import attribute_kind, refused_definition, refused_pattern
from codeact.snippet.bindings import EMPTY_KINDS, normal, walk
from codeact.snippet.places import violation

Scope = Literal["module", "class", "function"]

#: Reviewed kinds of nodes that hold no others and are let through: a visit would find nothing in them.
LEAVES = frozenset(
    kind
    for name, kind in vars(ast).items()
    if isinstance(kind, type)
    and (issubclass(kind, EMPTY_KINDS) or kind is ast.Constant)
    and hasattr(RestrictingNodeTransformer, f"visit_{name}")
)


class Checker(RestrictingNodeTransformer):
    """Collects violations; `scopes` says in what kind of block the visit is."""

    _visits: ClassVar[dict[type, Callable[[Any, Any], Any]]] = {}  # kind of node → its method, as they are met

    def __init_subclass__(cls) -> None:
        cls._visits = {}

    def __init__(self) -> None:
        super().__init__()
        self.violations: list[Violation] = []
        self.scopes: list[Scope] = ["module"]
        self.classes: list[str] = []
        self.annotations_are_texts = False

    def violation(self, node: Any, rule: str, message: str, hint: str = "") -> None:
        """Note something the snippet may not say."""
        self.violations.append(violation(rule, message, node, hint))

    def error(self, node: ast.AST, info: str) -> None:
        """Receive what RestrictedPython itself refuses: nodes nobody has reviewed."""
        self.violation(node, "syntax", f"this Python's {type(node).__name__} syntax is not part of the language yet")

    def visit(self, node: Any) -> Any:
        """Visit a node by the method for its kind; nodes without one are refused."""
        kind = type(node)
        if kind in LEAVES:
            return node
        method = self._visits.get(kind)
        if method is None:
            cls = type(self)
            method = self._visits[kind] = getattr(cls, f"visit_{kind.__name__}", cls.generic_visit)
        return method(self, node)

    def _parts(self, node: Any) -> Any:
        return self.node_contents_visit(node)

    # ------------------------------------------------------------------------------------------------ names

    def bind(self, node: Any, name: str | None) -> None:
        """Check a name that is bound or deleted, in whatever form."""
        if name is None:
            return
        name = normal(name)
        if self.scopes[-1] == "class":
            if (why := refused_definition(name)) is not None:
                self.violation(node, "definition", f"a class may not define {name}: {why}")
            return
        if not _is_harmless(name) or name in rules.FIXED_NAMES:
            self.violation(node, "name", f"the special name {name} cannot be bound here")

    def bind_argument(self, node: Any, name: str) -> None:
        """Check a parameter: it lives in its function alone, so that it may be called like a tool."""
        name = normal(name)
        if not _is_harmless(name) or name in rules.FIXED_NAMES:
            self.violation(node, "name", f"the special name {name} cannot be a parameter")

    def visit_Name(self, node: ast.Name) -> Any:
        """Check what is bound, and special names where they are read."""
        if not isinstance(node.ctx, ast.Load):
            self.bind(node, node.id)
        elif not _is_harmless(node.id):
            why = rules.NAMES_WITH_A_WAY.get(normal(node.id), "it leads into the interpreter")
            self.violation(node, "name", f"the special name {node.id} is refused: {why}")
        return node

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> Any:
        """Check the names a function binds outside itself."""
        scopes, self.scopes = self.scopes, ["module"]
        for name in node.names:
            self.bind(node, name)
        self.scopes = scopes
        return node

    visit_Nonlocal = visit_Global

    def visit_keyword(self, node: ast.keyword) -> Any:
        """Check the name of an argument: it becomes a key of `**keywords`."""
        if node.arg is not None and _is_special(name := normal(node.arg)) and attribute_kind(name) != "free":
            self.violation(node, "name", f"the special name {name} cannot be the name of an argument")
        return self._parts(node)

    def visit_arg(self, node: ast.arg) -> Any:
        """Check a parameter."""
        self.bind_argument(node, node.arg)
        node.annotation = node.annotation and self._annotation(node.annotation)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Check an assignment with its annotation, in the order in which it happens."""
        node.value = node.value and self.visit(node.value)
        node.target = self.visit(node.target)
        node.annotation = self._annotation(node.annotation)
        return node

    def _annotation(self, annotation: Any) -> Any:
        """Visit an annotation; one that stays text is checked, and stays as it was written."""
        written = copy.deepcopy(annotation) if self.annotations_are_texts else None
        visited = self.visit(annotation)
        return written or visited

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """Check the name an exception is bound to."""
        self.bind(node, node.name)
        return self._parts(node)

    def visit_MatchAs(self, node: Any) -> Any:
        """Check a captured name."""
        self.bind(node, node.name)
        return self._parts(node)

    visit_MatchStar = visit_MatchAs
    visit_TypeVar = visit_MatchAs
    visit_ParamSpec = visit_MatchAs
    visit_TypeVarTuple = visit_MatchAs

    def visit_MatchMapping(self, node: ast.MatchMapping) -> Any:
        """Check the name that takes the rest of a mapping."""
        self.bind(node, node.rest)
        return self._parts(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> Any:
        """Check the attributes a class pattern reads; `__match_args__` is checked where a class is made."""
        for name in node.kwd_attrs:
            if (why := refused_pattern(normal(name))) is not None:
                self.violation(node, "attribute", f"a pattern may not read .{name}: {why}")
        return self._parts(node)

    # ------------------------------------------------------------------------------------------------ imports

    def visit_Import(self, node: ast.Import) -> Any:
        """Check the names an import binds; what may be imported is decided by the facades while running."""
        for alias in node.names:
            self._imported(node, alias.name)
            self.bind(node, alias.asname or alias.name.partition(".")[0])
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        """Check the names an import reads and binds."""
        if node.level:
            self.violation(node, "import", "there is no package to import from", "name the module in full")
        self._imported(node, node.module or "")
        for alias in node.names:
            if alias.name != "*":
                self._imported(node, alias.name)
                if node.module != "__future__":
                    self.bind(node, alias.asname or alias.name)
        return node

    def _imported(self, node: Any, name: str) -> None:
        for part in name.split("."):
            if _is_special(normal(part)) and part not in ("__future__", "__version__", "__all__", "__main__"):
                self.violation(node, "import", f"the special name {part} cannot be imported")

    # ------------------------------------------------------------------------------------------------ blocks

    def in_scope(self, scope: Scope, nodes: list[Any]) -> list[Any]:
        """Visit the statements of an inner block."""
        self.scopes.append(scope)
        try:
            return self.visited(nodes)
        finally:
            self.scopes.pop()

    def visited(self, nodes: list[Any]) -> list[Any]:
        """What visiting each of these makes of them: a statement may become several, a refused one is none."""
        done: list[Any] = []
        for node in nodes:
            new = self.visit(node)
            done.extend(new if isinstance(new, list) else [] if new is None else [new])
        return done

    def visit_FunctionDef(self, node: Any) -> Any:
        """Check a function: its name, its parameters, its body."""
        self.bind(node, node.name)
        self.around(node)
        node.body = self.in_scope("function", node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def around(self, node: Any) -> None:
        """Visit what belongs to a definition but is evaluated outside its body."""
        for field, value in ast.iter_fields(node):
            if field == "body":
                continue
            if isinstance(value, list):
                setattr(node, field, [self.visit(part) if isinstance(part, ast.AST) else part for part in value])
            elif isinstance(value, ast.AST):
                setattr(node, field, self._annotation(value) if field == "returns" else self.visit(value))

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """Check a lambda: its parameters and its expression."""
        self.around(node)
        node.body = self.in_scope("function", [node.body])[0]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """Check a class: what its body defines, and its name; metaclasses are checked where the class is made."""
        self.bind(node, node.name)
        if parameters := getattr(node, "type_params", None):
            self._no_private_names([*parameters, *node.bases, *node.keywords])
        self.around(node)
        self.classes.append(node.name)
        node.body = self.in_scope("class", node.body)
        self.classes.pop()
        return node

    def _no_private_names(self, nodes: list[Any]) -> None:
        """Refuse `x.__name` in the head of a generic class: in 3.12 it is a name of that class, later it is not."""
        for node in walk(*nodes):
            if isinstance(node, ast.Attribute) and node.attr.startswith("__") and not node.attr.endswith("__"):
                self.violation(node, "attribute", f"the head of a generic class may not read .{node.attr}")

    def mangled(self, name: str) -> str:
        """The name the compiler makes of a private name inside a class."""
        if not name.startswith("__") or name.endswith("__") or not self.classes:
            return name
        owner = self.classes[-1].lstrip("_")
        return f"_{owner}{name}" if owner else name


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


@functools.lru_cache(maxsize=4096)
def _is_harmless(name: str) -> bool:
    name = normal(name)
    # what a class body may define is an ordinary name: `__radd__ = __add__`, `def __repr__(self)` for a later class
    return not _is_special(name) or name in rules.READABLE_NAMES or refused_definition(name) is None


def _open(name: str) -> Callable[[Checker, ast.AST], Any]:
    own: Callable[[Checker, ast.AST], Any] | None = vars(Checker).get(f"visit_{name}")
    return own or Checker._parts


for _name in rules.OPENED:
    setattr(Checker, f"visit_{_name}", _open(_name))
