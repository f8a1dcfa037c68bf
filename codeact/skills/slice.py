"""The smallest program of a run that still gives its answer: from the answer backwards, through all steps.

    step 1  rows = load('a.csv')            kept: the answer needs it
            print(rows[:3])                 gone: it was for the model to look at
    step 2  total = sum(r.price for …)      gone: it failed
    step 3  final_answer(sum(…))            kept: the answer

Reading the code proposes, running it decides: `slices` yields the smallest program first and larger ones after it,
and whoever verifies takes the first that gives the answer.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from codeact.records import FINAL_ANSWER, Failure, Run, Step
from codeact.skills import purity
from codeact.skills.answering import answers as answers_in
from codeact.skills.answering import is_answer, returned, unguarded
from codeact.skills.encoding import same
from codeact.skills.facts import facts_of
from codeact.skills.known import Facts, Known
from codeact.skills.methods import Own, own_of
from codeact.skills.scope import copied, free_names


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement at the top of a step, as it ran."""

    step: int
    node: ast.stmt


@dataclass(frozen=True, slots=True)
class Sliced:
    """A program of a run, and the steps it was taken from."""

    nodes: tuple[ast.stmt, ...]
    steps: frozenset[int]


def slices(run: Run, tools: Mapping[str, bool]) -> Iterator[Sliced]:
    """Programs that should give the run's answer, the smallest first; `tools` says which have an effect."""
    seen: set[str] = set()
    for stopped in (("syntax", "refused"), ("syntax",)):  # some refusals come as late as the line they are about
        ran, answers = trace(run, stopped)
        own = own_of(statement.node for statement in ran)
        for chosen in (_needed(ran, answers, Known(tools, own)), list(range(len(ran)))) if answers else ():
            program = [(ran[at].step, _pruned(ran[at].node, tools, own)) for at in chosen]
            nodes = tuple(node for _, node in program if node is not None)
            text = "\n".join(map(ast.dump, nodes))
            if text not in seen:
                seen.add(text)
                yield Sliced(nodes, frozenset(step for step, node in program if node is not None))


def trace(run: Run, stopped: Collection[str]) -> tuple[list[Statement], list[int]]:
    """The statements that ran, in order, ending with those that gave the answer, and where those are.

    Of a step whose failure is of a kind in `stopped` none ran.
    """
    ran: list[Statement] = []
    for step in run.steps:
        if step is run.steps[-1] and step.observation is not None and step.observation.answered:
            return _answered(ran, step)
        ran += _gone_on(step, stopped)
    return _valued(run, stopped)


def names_of(run: Run) -> set[str]:
    """All names the steps of a run look up."""
    return {name for step in run.steps for node in _parsed(step) for name in free_names(node)}


def _parsed(step: Step) -> list[ast.stmt]:
    try:
        return ast.parse(step.code).body
    except (SyntaxError, ValueError):  # such a step never ran
        return []


def _answered(ran: list[Statement], step: Step) -> tuple[list[Statement], list[int]]:
    nodes = unguarded(_parsed(step))
    told = returned([*(statement.node for statement in ran), *nodes])
    ran = [replace(statement, node=node) for statement, node in zip(ran, told, strict=False)]
    answers = []
    for node in told[len(ran) :]:
        if answers_in(node):
            answers.append(len(ran))
        ran.append(Statement(step.index, node))
        if _is_answer(node):
            break
    return ran[: answers[-1] + 1] if answers else ran, answers


def _gone_on(step: Step, stopped: Collection[str]) -> list[Statement]:
    """What ran of a step the run went on after, and stayed; an answer given there was refused: what is before it."""
    seen, nodes = step.observation, _parsed(step)
    if seen is None:
        return []
    if not seen.ok:
        nodes = before(nodes, seen.failure, stopped) if seen.failure is not None and not seen.rolled_back else []
    elif seen.answered:
        nodes = [*itertools.takewhile(lambda node: not answers_in(node), nodes)]
    return [Statement(step.index, node) for node in nodes]


def _is_answer(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and is_answer(node.value)


def _valued(run: Run, stopped: Collection[str]) -> tuple[list[Statement], list[int]]:
    """The answer was written as text: the program of the step whose value it says gives that value."""
    last = _said(run)
    if last is None:
        return [], []
    ran: list[Statement] = []
    for step in run.steps[: run.steps.index(last) + 1]:
        ran += _gone_on(step, stopped)
    shown = ran[-1].node
    assert isinstance(shown, ast.Expr)  # noqa: S101  # `_said` looked
    call = ast.Call(ast.Name(FINAL_ANSWER, ast.Load()), [shown.value], [])
    ran[-1] = Statement(last.index, ast.copy_location(ast.Expr(call), shown))
    return ran, [len(ran) - 1]


def _said(run: Run) -> Step | None:
    """The last step with a value, where the answer is that value or a text that says it."""
    for step in reversed(run.steps):
        seen = step.observation
        if seen is None or not seen.ok or seen.value is None:
            continue
        nodes = _parsed(step)
        text = str(seen.value)
        said = isinstance(run.answer, str) and re.search(rf"(?<![\w.]){re.escape(text)}(?!\w|\.\d)", run.answer)
        if nodes and isinstance(nodes[-1], ast.Expr) and (same(seen.value, run.answer) or (said and text.strip())):
            return step
    return None


def answer_of(run: Run) -> object:
    """The answer as a program can give it: the value itself, where the model only said it in a sentence."""
    last = run.steps[-1].observation if run.steps else None
    if last is not None and last.answered:
        return last.answer  # as the program gave it: `output_type` and the checks are the agent's
    step = _said(run)
    return run.answer if step is None or step.observation is None else step.observation.value


def before(nodes: list[ast.stmt], failure: Failure, stopped: Collection[str]) -> list[ast.stmt]:
    """The statements of a failed step that ended before the one that failed: what they assigned stayed."""
    if failure.kind in stopped or failure.line <= 0:
        return []
    for at, node in enumerate(nodes):
        if node.lineno <= failure.line <= (node.end_lineno or node.lineno):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                return nodes[:at]
            return nodes[: _first_call(nodes, at, node.name)]
    return []


def _first_call(nodes: list[ast.stmt], at: int, name: str) -> int:
    """Where a function that failed within its body was first called, directly or by another function."""
    names = {name}
    for place, node in enumerate(nodes[at + 1 :], at + 1):
        if names & free_names(node):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                return place
            names.add(node.name)
    return at + 1


def _needed(ran: list[Statement], answers: list[int], around: Known) -> list[int]:
    """The places of the statements the answer needs, and of those that have an effect, with all they need."""
    bound: dict[str, list[int]] = {}  # a name → the statements that made its value what it is here
    needs: list[set[int]] = []
    effects: list[int] = []
    for at, statement in enumerate(ran):
        facts = facts_of(statement.node, around)
        needs.append({place for name in facts.needs for place in bound.get(name, ())})
        if facts.effect:
            effects.append(at)
        _bind(bound, facts, at)
    chosen: set[int] = set()
    waiting = [*answers, *effects]
    while waiting:
        at = waiting.pop()
        if at not in chosen:
            chosen.add(at)
            waiting.extend(needs[at])
    return sorted(chosen)


def _bind(bound: dict[str, list[int]], facts: Facts, at: int) -> None:
    for name in facts.changes | facts.binds:
        bound.setdefault(name, []).append(at)
    for name in facts.surely:
        bound[name] = [at]


def _pruned(node: ast.stmt, tools: Mapping[str, bool], own: Own) -> ast.stmt | None:
    """The statement without what only showed something to the model."""
    found = _Prune(tools, own).visit(copied(node))
    return found if isinstance(found, ast.stmt) else None


def _may_raise(node: ast.expr) -> bool:
    """True but for names, texts and prints of them."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
        return any(_may_raise(part) for part in (*node.args, *(word.value for word in node.keywords)))
    return not isinstance(node, ast.Name | ast.Constant)


class _Prune(ast.NodeTransformer):
    """Takes out prints and expressions whose value nobody takes, where running them changes nothing."""

    def __init__(self, tools: Mapping[str, bool], own: Own) -> None:
        self.tools, self.own = tools, own
        self.caught = False  # whether what is raised here may be caught: then raising is what an expression does

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if self._idle(node.value) and not (self.caught and _may_raise(node.value)) else node

    def _within(self, node: ast.AST) -> ast.AST:
        before, self.caught = self.caught, True
        self.generic_visit(node)
        self.caught = before
        return node

    visit_Try = visit_TryStar = visit_With = _within  # suppress() catches as well

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        words = ast.get_docstring(node, clean=False)
        self._within(node)  # its caller may catch what it raises
        node.body = ([ast.Expr(ast.Constant(words))] if words is not None else []) + node.body
        return self._filled(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        return self._filled(node)

    def _filled(self, node: ast.AST) -> ast.AST:
        body = getattr(node, "body", None)
        if isinstance(body, list) and not body and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]  # type: ignore[attr-defined]  # it has a body
        return node

    def _idle(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            parts: list[ast.AST] = [*node.args, *(word.value for word in node.keywords)]
            return all(not any(word.arg == "file" for word in node.keywords) and self._quiet(part) for part in parts)
        return self._quiet(node)

    def _quiet(self, node: ast.AST) -> bool:
        return all(self._is_quiet(item) for item in ast.walk(node))

    def _is_quiet(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
            return False
        if not isinstance(node, ast.Call):
            return self.own.quiet(node)
        match node.func:
            case ast.Name(id=name):
                known = name in purity.SCALAR_BUILTINS or name in purity.HOLDING_BUILTINS
                return (known and name not in ("filter", "map")) or self.tools.get(name) is False
            case ast.Attribute(value=ast.Name(id=name), attr="map" | "submit" | "aio") if name in self.tools:
                return self.tools[name] is False
            case ast.Attribute(attr=method):
                inplace = any(word.arg in ("inplace", "out") for word in node.keywords)
                return self.own.pure(method) and not inplace
        return False
