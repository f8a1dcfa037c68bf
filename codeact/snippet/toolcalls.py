"""Calls of tools held against their signatures before any of them is made."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codeact.records import Parameter, ToolSpec, Violation
from codeact.snippet.bindings import Survey, children, opens_a_file, walk
from codeact.snippet.describe import describe
from codeact.snippet.literals import MISSING, literal, refuses
from codeact.snippet.places import violation

_BY_NAME = ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
_BY_PLACE = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")
_SAME_ARGUMENTS = ("submit", "aio")


def signature(spec: ToolSpec) -> str:
    """The tool's signature as one would write it: `rate(base: str, quote: str = 'USD') -> float`."""
    parts: list[str] = []
    kinds = [parameter.kind for parameter in spec.parameters]
    for index, parameter in enumerate(spec.parameters):
        if parameter.kind == "KEYWORD_ONLY" and not {"KEYWORD_ONLY", "VAR_POSITIONAL"} & set(kinds[:index]):
            parts.append("*")
        parts.append(_written(parameter))
        if parameter.kind == "POSITIONAL_ONLY" and kinds[index + 1 : index + 2] != ["POSITIONAL_ONLY"]:
            parts.append("/")
    returns = f" -> {spec.returns}" if spec.returns else ""
    return f"{spec.name}({', '.join(parts)}){returns}"


def _written(parameter: Parameter) -> str:
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind, "")
    annotation = f": {parameter.annotation}" if parameter.annotation else ""
    default = f" = {parameter.default or '…'}" if not parameter.required and not stars else ""
    return f"{stars}{parameter.name}{annotation}{default}"


def as_called(tool: str, arguments: Mapping[str, Any], chars: int, *, most: int | None = None) -> str:
    """A call that was made, as one would write it: the values in so many characters, the arguments at most so many."""
    said = [
        f"{'*' if name == '*' else f'{name}='}{describe(value, chars)}"  # what `*more` took has no name of its own
        for name, value in list(arguments.items())[:most]
    ]
    return f"{tool}({', '.join(said)})"


def check_calls(tree: ast.Module, survey: Survey, tools: Mapping[str, ToolSpec]) -> list[Violation]:
    """What is wrong with calls of tools that this snippet may come to."""
    found: dict[ast.Call, list[Violation]] = {}
    for call in survey.calls:
        spec = _called(call, tools)
        if spec is not None and (wrong := list(check_call(call, spec))):
            found[call] = wrong
    if not found:
        return []
    return [one for call in _reachable_calls(tree) for one in found.get(call, ())]


def _called(call: ast.Call, tools: Mapping[str, ToolSpec]) -> ToolSpec | None:
    """The tool a call hands its arguments to: `f(…)`, `f.submit(…)`, `f.aio(…)`."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in _SAME_ARGUMENTS:
        function = function.value
    return tools.get(function.id) if isinstance(function, ast.Name) else None


def _reachable_calls(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls outside of `try` bodies with handlers and of functions nobody in this snippet mentions."""
    mentioned = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
        if isinstance(node, ast.Try) and node.handlers:
            waiting.extend([*node.handlers, *node.finalbody])
        elif isinstance(node, ast.Lambda | ast.With | ast.AsyncWith) and not _plain_with(node):
            continue
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in mentioned:
            waiting.extend(node.decorator_list)
        else:
            waiting.extend(children(node))


def _plain_with(node: ast.AST) -> bool:
    """True for a `with open(…)`: other context managers may swallow what is raised inside."""
    if not isinstance(node, ast.With):
        return False
    return all(opens_a_file(item.context_expr) for item in node.items)


def _too_many(spec: ToolSpec, positional: list[Parameter], given: int) -> str:
    """What CPython says of a function."""
    most, least = len(positional), sum(parameter.required for parameter in positional)
    taken = f"from {least} to {most}" if least < most else str(most)
    ending, were = "" if taken == "1" else "s", "was" if given == 1 else "were"
    return f"{spec.name}() takes {taken} positional argument{ending} but {given} {were} given"


def check_call(call: ast.Call, spec: ToolSpec) -> Iterator[Violation]:
    """What is wrong with one call: unknown and missing parameters, and literals the annotation refuses."""
    positional = [parameter for parameter in spec.parameters if parameter.kind in _BY_PLACE]
    by_name = {parameter.name: parameter for parameter in spec.parameters if parameter.kind in _BY_NAME}
    kinds = {parameter.kind for parameter in spec.parameters}
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    doubled = any(keyword.arg is None for keyword in call.keywords)
    hint = f"The signature is {signature(spec)}"
    given: dict[str, ast.expr] = {}
    if not spread:
        given = {parameter.name: value for parameter, value in zip(positional, call.args, strict=False)}
        if len(call.args) > len(positional) and "VAR_POSITIONAL" not in kinds:
            yield violation("tool-call", _too_many(spec, positional, len(call.args)), call, hint)
    for keyword in call.keywords:
        if keyword.arg is None:
            continue
        if keyword.arg in given and keyword.arg in by_name:
            yield violation(
                "tool-call", f"{spec.name}() got multiple values for argument '{keyword.arg}'", keyword, hint
            )
        elif keyword.arg not in by_name and "VAR_KEYWORD" not in kinds:
            yield violation("tool-call", _unknown(spec, keyword.arg, by_name), keyword, hint)
        given[keyword.arg] = keyword.value
    if not spread and not doubled:
        missing = [p.name for p in spec.parameters if p.required and p.name not in given and "VAR" not in p.kind]
        if missing:
            yield violation("tool-call", f"{spec.name}() misses {_listed(missing)}", call, hint)
    for parameter in spec.parameters:
        if parameter.name in given and "VAR" not in parameter.kind:
            yield from _wrong_literal(spec, parameter, given[parameter.name])


def _unknown(spec: ToolSpec, name: str, by_name: Mapping[str, Parameter]) -> str:
    close = difflib.get_close_matches(name, by_name, n=1, cutoff=0.6)
    meant = f"; did you mean '{close[0]}'?" if close else ""
    return f"{spec.name}() has no parameter '{name}'{meant}"


def _listed(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return f"the argument {quoted[0]}" if len(quoted) == 1 else f"the arguments {', '.join(quoted)}"


def _wrong_literal(spec: ToolSpec, parameter: Parameter, node: ast.expr) -> Iterator[Violation]:
    value = literal(node)
    if value is MISSING or not parameter.annotation or not refuses(parameter.annotation, value):
        return
    text = f"{spec.name}({parameter.name}=…) takes {parameter.annotation}, not {describe(value, 60)}"
    yield violation("tool-call", text, node, f"The signature is {signature(spec)}")
