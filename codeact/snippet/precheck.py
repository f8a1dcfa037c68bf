"""What is certain to fail or is protected, reported before the first side effect.

Undefined names, refused imports and calls of tools that do not fit; and any binding of a protected name. A snippet that
passes may still fail; one that is refused here would have.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

import msgspec

from codeact.records import ToolSpec, Violation
from codeact.snippet.bindings import DYNAMIC, FUNCTIONS, Survey, bound_by, children, normal
from codeact.snippet.certain import CertainPath, ImportRule
from codeact.snippet.places import violation
from codeact.snippet.toolcalls import check_calls

#: Past this many a reader corrects what was reported and runs again.
MOST_REPORTED = 10

#: Behind these it matters which names are known, or what is known in later steps changes.
_UNSURE = {ast.Delete, ast.Global}

#: What has a scope of its own, where a class body around it counts no more.
_SCOPES = (*FUNCTIONS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Needs(msgspec.Struct, frozen=True):
    """What a snippet takes for granted: where all of it is there, nothing in it is certain to fail."""

    names: frozenset[str]  # known to the session
    modules: frozenset[str]  # allowed
    protected: frozenset[str]  # names of the session's that it mentions: calls of those that are tools must fit


def needs_of(tree: ast.Module, survey: Survey, protected: frozenset[str]) -> Needs | None:
    """What a snippet takes for granted; None where only a look with the session's names can tell."""
    if not survey.read.isdisjoint(DYNAMIC) or not survey.kinds.isdisjoint(_UNSURE):
        return None
    modules: set[str] = set()
    path = CertainPath(tree, survey, names=(), refused_import=lambda module, _: modules.add(module), reports=False)
    return Needs(frozenset(path.undefined), frozenset(modules), protected & survey.read)


def precheck(
    tree: ast.Module,
    *,
    names: Collection[str],
    tools: Mapping[str, ToolSpec],
    refused_import: ImportRule = lambda module, wanted: None,
) -> list[Violation]:
    """Report, in the order of the lines, what is certain to fail.

    `names` are the live session's variables; builtins and tools are known besides. `refused_import` says why a module's
    import, for the names it is to give, is refused, or None.
    """
    survey = Survey(tree)
    path = CertainPath(tree, survey, names={*names, *tools}, refused_import=refused_import)
    found = [*path.found, *check_calls(tree, survey, tools)]
    return sorted(found, key=lambda one: (one.line, one.column))[:MOST_REPORTED]


def rebound(tree: ast.Module, protected: Collection[str], survey: Survey) -> Iterator[Violation]:
    """Every binding of a protected name, in whatever form; attributes and methods of classes are not bindings of it."""
    guarded = {normal(name) for name in protected}
    if not any(normal(name) in guarded for name in survey.bound):
        return
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_class_body = waiting.pop()
        for name in bound_by(node):
            harmless = in_class_body and not isinstance(node, ast.Global | ast.Nonlocal | ast.NamedExpr)
            if normal(name) in guarded and not harmless:
                yield violation(
                    "protected",
                    f"'{name}' is a name of the session and cannot be rebound",
                    node,
                    "Use another name.",
                )
        inside = isinstance(node, ast.ClassDef) or (in_class_body and not isinstance(node, _SCOPES))
        waiting.extend((child, inside) for child in children(node))
