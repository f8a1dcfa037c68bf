"""Names that are certain to be undefined when the snippet comes to them, and imports certain to be refused.

The walk follows the one path every run takes: statement after statement, the test of an `if` but not its branches, the
first operand of an `and` but not the second. What may be skipped, repeated or caught is only asked which names it
binds. So a finding means: this snippet fails here, or before.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import keyword
import sys
from collections.abc import Callable, Collection, Iterable, Sequence

from codeact.records import FINAL_ANSWER, Violation
from codeact.snippet import habits
from codeact.snippet.bindings import (
    ANY_NAME,
    DYNAMIC,
    Survey,
    bound_in,
    bound_when_called,
    children,
    locals_of,
    mentions,
    opens_a_file,
    run_here,
    walk,
)
from codeact.snippet.places import violation

_ALWAYS = frozenset(dir(builtins)) | {"__name__", "__file__", "__builtins__", "__annotations__", "__doc__"}
_CLASS_NAMES = frozenset({"__module__", "__qualname__", "__class__", "__firstlineno__", "__static_attributes__"})
_YIELDS = frozenset({ast.Yield, ast.YieldFrom})
_LEAVING = _YIELDS | {ast.Return, ast.Raise}
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Import, ast.ImportFrom, ast.Pass, ast.Delete)

_HINTED = 10  # comparing takes time for each name, and no more are shown

#: Why a module's import is refused; None where it is allowed.
ImportRule = Callable[[str, Sequence[str]], str | None]


class CertainPath:
    """One walk along the path that every run of a snippet takes; `found` collects what fails on it.

    Where nothing is to be reported, names that are not among `names` are gathered in `undefined` all the same.
    """

    def __init__(
        self,
        tree: ast.Module,
        survey: Survey,
        *,
        names: Collection[str],
        refused_import: ImportRule,
        reports: bool = True,
    ) -> None:
        self.found: list[Violation] = []
        self._reports = reports
        self._refused_import = refused_import
        self._known = set(names)  # besides those in `_ALWAYS`
        self.undefined: set[str] = set()
        self._deleted: set[str] = set()  # and bound by nobody since: what is called may bind them
        self._anything = ANY_NAME in self._known  # after a star import, or a text that was executed, any may be there
        self._ending = {FINAL_ANSWER}  # names whose call may end the run
        self._scopes: list[set[str]] = []  # names local to the class bodies and functions we are in
        self._called: set[str] = set()
        self._functions: dict[str, ast.FunctionDef] = {}
        self._survey = survey
        self._watched = survey.read & (DYNAMIC | self._ending)
        self._lazy_annotations = sys.version_info >= (3, 14) or any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "annotations" for alias in node.names)
            for node in tree.body
        )
        self._block(tree.body)

    def _block(self, statements: Sequence[ast.stmt]) -> bool:
        """Walk statements until one may leave the path; False where one does."""
        for statement in statements:
            self._statement(statement)
            self._anything = self._anything or (bool(self._watched) and mentions(statement, DYNAMIC))
            if self._may_leave(statement):
                return False
        return True

    def _may_leave(self, statement: ast.stmt) -> bool:
        ending = self._ending if self._watched else frozenset()
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if ending and mentions(statement, ending):
                self._ending.add(statement.name)
            return isinstance(statement, ast.ClassDef) and any(self._may_leave(inner) for inner in statement.body)
        if not ending and not self._survey.kinds & _LEAVING:
            return False
        if isinstance(statement, _SIMPLE) and not ending and not self._survey.kinds & _YIELDS:
            return False
        return any(type(part) in _LEAVING for part in walk(statement)) or mentions(statement, ending)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._definition(statement)
            case ast.ClassDef():
                self._class(statement)
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign():
                self._assignment(statement)
            case ast.Delete():
                self._delete(statement)
            case ast.Expr(value=value):
                self._expression(value)
            case ast.Raise() | ast.Return():
                self._expressions(statement.exc if isinstance(statement, ast.Raise) else statement.value)
            case _:
                self._compound(statement)

    def _compound(self, statement: ast.stmt) -> None:
        match statement:
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
                self._expression(test)
            case ast.For(iter=first) | ast.AsyncFor(iter=first) | ast.Match(subject=first):
                self._expression(first)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                self._expression(items[0].context_expr)
                if len(items) == 1 and opens_a_file(items[0].context_expr):  # a file does not swallow exceptions
                    self._bind(bound_in([items[0]]))
                    self._block(body)
            case ast.Try(body=body, handlers=[], finalbody=last):
                if self._block(body):
                    self._block(last)
        self._bind(bound_in([statement]))
        if ast.ImportFrom in self._survey.kinds:
            self._anything = self._anything or any(_is_star(part) for part in walk(statement))

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._expressions(*run_here(node))
        if not self._lazy_annotations and not getattr(node, "type_params", None):
            self._expressions(*(part.annotation for part in walk(node.args) if isinstance(part, ast.arg)), node.returns)
        plain = isinstance(node, ast.FunctionDef) and not node.decorator_list and not self._is_generator(node)
        if plain and not self._scopes and self._survey.bound.get(node.name) == 1:
            self._functions[node.name] = node  # type: ignore[assignment]  # `plain` says it is a FunctionDef
        self._bind({node.name})
        if self._watched or ast.Global in self._survey.kinds:
            self._known |= bound_when_called(node)

    def _is_generator(self, node: ast.FunctionDef) -> bool:
        return bool(self._survey.kinds & _YIELDS) and any(type(part) in _YIELDS for part in walk(node))

    def _class(self, node: ast.ClassDef) -> None:
        if not getattr(node, "type_params", None):
            self._expressions(*run_here(node))
            self._scopes.append(set(_CLASS_NAMES))
            prepared = any(pair.arg == "metaclass" for pair in node.keywords) or node.bases
            if not prepared or all(isinstance(base, ast.Name) and base.id in _PLAIN_BASES for base in node.bases):
                self._block(node.body)
            self._scopes.pop()
        if self._watched or ast.Global in self._survey.kinds:
            self._known |= bound_when_called(node)
        self._bind({node.name})

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            modules = [node.module] if node.module and not node.level else []  # the check of the syntax refuses dots
        wanted = [] if isinstance(node, ast.Import) else [alias.name for alias in node.names]
        for module in modules:
            reason = self._refused_import(module, wanted)
            if reason is not None:
                self.found.append(violation("import", reason, node))
        self._anything = self._anything or _is_star(node)
        self._bind(bound_in([node]))

    def _assignment(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> None:
        if isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                self._load(node.target)
            else:
                self._expression(node.target)
        self._expressions(node.value)
        if isinstance(node, ast.AnnAssign):
            in_function = any("" in scope for scope in self._scopes)
            if not self._lazy_annotations and not in_function:
                self._expression(node.annotation)
            if node.value is None:
                return
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._expression(target)
            self._bind(bound_in([target]))

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._expression(target)
            if isinstance(target, ast.Name):
                self._load(target)
                if not self._scopes and target.id in self._known:
                    self._known.remove(target.id)
                    self._deleted.add(target.id)

    def _expressions(self, *nodes: ast.AST | None) -> None:
        for node in nodes:
            if node is not None:
                self._expression(node)

    def _expression(self, node: ast.AST) -> None:
        """Walk what is certain to be evaluated, in the order CPython evaluates it."""
        match node:
            case ast.Name(ctx=ast.Load()):
                self._load(node)
            case ast.NamedExpr(target=target, value=value):
                self._expression(value)
                self._bind({target.id})
            case ast.BoolOp(values=[first, *rest]):
                self._expression(first)
                self._bind(bound_in(rest))
            case ast.IfExp(test=test):
                self._expression(test)
                self._bind(bound_in([node]))
            case ast.Compare(left=left, comparators=[second, *rest]):
                self._expressions(left, second)
                self._bind(bound_in(rest))
            case ast.Lambda():
                self._expressions(*run_here(node))
            case ast.Call(func=function):
                self._expressions(*children(node))
                if isinstance(function, ast.Name):
                    self._follow(function.id)
                self._known |= self._deleted
                self._deleted.clear()
            case ast.DictComp() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                self._expression(node.generators[0].iter)
                if ast.NamedExpr in self._survey.kinds:
                    self._bind(walrus_targets(node))
            case _:
                self._expressions(*children(node))

    def _follow(self, name: str) -> None:
        """Walk the body of a function of this snippet that is certain to be called."""
        function = self._functions.get(name)
        if function is None or name in self._called or (self._watched and mentions(function, self._ending)):
            return
        self._called.add(name)
        around, self._scopes = self._scopes, [locals_of(function) | {""}]  # "" marks a function's scope
        self._block(function.body)
        self._scopes = around

    def _load(self, node: ast.Name) -> None:
        name = node.id
        mangled = name.startswith("__") and self._scopes
        if self._anything or mangled or name in self._known or name in _ALWAYS:
            return
        if any(name in scope for scope in self._scopes):
            return
        if self._reports:
            self.found.append(violation("undefined-name", f"name '{name}' is not defined", node, self._hint(name)))
        self._known.add(name)  # one report for each name
        self.undefined.add(name)

    def _hint(self, name: str) -> str:
        near = _speakable((self._known | _ALWAYS) - self.undefined) if len(self.found) < _HINTED else []
        close = difflib.get_close_matches(name[:80], near, n=1, cutoff=0.75)
        if close:
            return f"Did you mean `{close[0]}`?"
        return habits.about_name(name)

    def _bind(self, names: Iterable[str]) -> None:
        (self._scopes[-1] if self._scopes else self._known).update(names)


#: Bases whose class body holds no names but those it binds; an Enum's or a TypedDict's may hold more.
_PLAIN_BASES = frozenset({"object", "Exception", "ValueError", "dict", "list", "str", "int", "tuple", "set"})


def walrus_targets(node: ast.AST) -> set[str]:
    """The names a comprehension binds outside of itself."""
    return {part.target.id for part in walk(node) if isinstance(part, ast.NamedExpr)}


def _is_star(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)


def _speakable(names: Collection[str]) -> list[str]:
    fine = [name for name in names if len(name) <= 80 and not name.startswith("__") and not keyword.iskeyword(name)]
    return sorted(name for name in fine if name.isidentifier())[:2000]  # our hooks are no identifiers
