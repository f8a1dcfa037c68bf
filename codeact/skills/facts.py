"""What one statement of a run needs, binds and changes, found by reading it: in doubt it changes what it touches."""

from __future__ import annotations

import ast

from codeact.skills.changes import changed_names, running, touched
from codeact.skills.known import Facts, Known, names_used, surely
from codeact.skills.learning import learn_from
from codeact.skills.scope import bound_names


def facts_of(node: ast.stmt, around: Known) -> Facts:
    """The facts of one statement; what is known is brought up to what holds after it."""
    binds = bound_names(node)
    used = names_used(node)
    reach = around.reach(used)
    changes = around.sharing(changed_names(node, around))
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        changes |= around.sharing(reach & around.iterators) & around.iterators
    calls = _calls_names(node, reach)
    met = touched(node, around)
    effect = bool(met.effect)
    if calls:
        effect = effect or any(around.tools.get(name, False) for name in reach)
    facts = Facts(
        needs=frozenset(reach | met.reads | met.writes),
        binds=frozenset(binds),
        surely=frozenset(surely(node) & binds),
        changes=frozenset((changes | met.writes) - _surely_fresh(node)),
        effect=effect,
    )
    learn_from(node, around, binds)
    return facts


def _surely_fresh(node: ast.stmt) -> set[str]:
    """A name that is bound anew is not changed by the same statement, unless by augmenting it."""
    return set() if isinstance(node, ast.AugAssign) else surely(node)


def _calls_names(node: ast.stmt, reach: set[str]) -> bool:
    return bool(reach) and any(
        isinstance(item, ast.Call | ast.With | ast.For | ast.ClassDef | ast.AsyncWith | ast.AsyncFor | ast.Await)
        or (isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.decorator_list)
        for item in [node, *running(node)]
    )
