"""A program of one run as a function for others: what came from the task and the inputs becomes its parameters.

rate = exchange_rate("EUR", "USD")             def convert_orders(orders, base="EUR", quote="USD"):
final_answer(sum(orders) * rate)          →        rate = exchange_rate(base, quote)
                                                   return sum(orders) * rate
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from codeact.records import ToolSpec
from codeact.skills import hints, literals, naming
from codeact.skills.join import Program
from codeact.skills.quotes import readable
from codeact.skills.scope import bound_names, copied, free_names, imported
from codeact.skills.swapping import Swap, read

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class FilledParameter:
    """A parameter with the value it had in the recorded run; a required one has no default."""

    name: str
    value: Any
    annotation: str
    required: bool


@dataclass(frozen=True, slots=True)
class Function:
    """A skill's code with what it takes: `arguments` are those of the recorded run."""

    name: str
    code: str
    signature: str
    description: str
    parameters: tuple[FilledParameter, ...]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that give the recorded answer."""
        return {parameter.name: parameter.value for parameter in self.parameters}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a program comes from: its task, inputs and answer, and the tools it calls."""

    task: str
    inputs: Mapping[str, Any]
    answer: Any
    tools: Mapping[str, ToolSpec]


def generalise(program: Program, origin: Origin) -> Function:
    """The program as a function; its name, signature and words follow from the run alone."""
    program = _copied(program)
    inputs = [name for name in origin.inputs if name in program.looks_up() or name in _bound(program)]
    modules = _modules(program)
    parameters = [
        FilledParameter(name, origin.inputs[name], naming.type_of(origin.inputs[name], modules), required=True)
        for name in inputs
    ]
    program, found = _lifted(program, origin, set(inputs))
    return render(program, [*parameters, *found], origin)


def _copied(program: Program) -> Program:
    imports, body, helpers = (tuple(map(copied, part)) for part in (program.imports, program.body, program.helpers))
    return Program(imports, body, helpers, program.outside)


def render(
    program: Program, parameters: list[FilledParameter], origin: Origin, *, name: str = "", words: str = ""
) -> Function:
    """The function's code, with a name and a sentence of its own unless given."""
    values = [parameter.value for parameter in parameters if not parameter.required]
    name = name or naming.function_name(origin.task, values, {*names_of(program), *origin.tools})
    defaults = {parameter.name: parameter.value for parameter in parameters if not parameter.required}
    words = words or naming.describe(origin.task, defaults)
    result = naming.type_of(origin.answer, _modules(program))
    head = [_parameter(parameter) for parameter in parameters]
    returns = f" -> {result}" if result != "object" else ""
    signature = f"{name}({', '.join(head)}){returns}"
    opening = "async def" if program.asynchronous else "def"
    line = f"{opening} {signature}:"
    if len(line) > _WIDTH:
        line = f"{opening} {name}(\n" + "".join(f"    {item},\n" for item in head) + f"){returns}:"
    body = "\n".join(_indented(ast.unparse(node)) for node in program.body)
    imports = "\n".join(map(ast.unparse, program.imports))
    parts = [imports, f'{line}\n    """{words}"""\n{body}', *(ast.unparse(node) for node in program.helpers)]
    code = readable("\n\n\n".join(part for part in parts if part) + "\n")
    return Function(name, code, signature, words, tuple(parameters))


def _indented(text: str) -> str:
    """Indents a statement without touching the lines of a text within it."""
    inside = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant | ast.JoinedStr) and (node.end_lineno or 0) > node.lineno
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    lines = text.split("\n")
    return "\n".join(line if at in inside or not line else f"    {line}" for at, line in enumerate(lines, 1))


def _parameter(parameter: FilledParameter) -> str:
    note = f": {parameter.annotation}" if parameter.annotation != "object" else ""
    if parameter.required:
        return f"{parameter.name}{note}"
    return f"{parameter.name}{note}{' = ' if note else '='}{parameter.value!r}"


def _bound(program: Program) -> set[str]:
    return {name for node in program.body for name in bound_names(node)}


def names_of(program: Program) -> set[str]:
    """All names a program binds or looks up."""
    inner = {name for node in program.body for name in bound_names(node, deep=True) | free_names(node)}
    outer = {name for node in (*program.imports, *program.helpers) for name in bound_names(node) | free_names(node)}
    return inner | outer


def _modules(program: Program) -> dict[str, str]:
    return {name: module for node in program.imports for name, module in imported(node).items()}


def _lifted(program: Program, origin: Origin, inputs: set[str]) -> tuple[Program, list[FilledParameter]]:
    """The program with the constants of the task as parameters, in the order they are met."""
    task = literals.Task.of(origin.task)
    helpers = {
        node.name: [item.arg for item in node.args.args]
        for node in (*program.helpers, *program.body)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    body = list(literals.apart(program.body, task))
    all_sites = literals.sites(body, origin.tools, helpers)
    replaced: dict[ast.AST, ast.expr] = {
        site.node: read(site, name) for site in all_sites if (name := _input_of(site, origin.inputs, inputs, task))
    }
    groups = _grouped([site for site in all_sites if site.node not in replaced and task.holds(site)])
    taken = names_of(program) | set(origin.tools) | inputs
    parameters: list[FilledParameter] = []
    dropped: set[ast.stmt] = set()
    for group in groups:
        statement = _assignment(group, body, inputs)
        hinted = [site.hint for site in group if site.hint]
        others = {parameter.name for parameter in parameters}
        wanted = _wanted(hinted, group[0], others, origin.task)
        name = _assigned_name(statement) if statement is not None else naming.free_name(wanted, taken)
        if statement is not None and not isinstance(group[0].node, ast.List | ast.Set | ast.Call):
            dropped.add(statement)
        taken.add(name)
        parameters.append(FilledParameter(name, group[0].value, _annotation(group), required=False))
        for site in group:
            replaced[site.node] = read(site, name)
    program = replace(program, body=tuple(node for node in body if node not in dropped))
    swap = Swap(replaced, {str(item.value): item.name for item in parameters if not isinstance(item.value, tuple)})
    return replace(
        program, body=tuple(ast.fix_missing_locations(swap.visit(node)) for node in program.body)
    ), parameters


def _input_of(site: literals.Site, inputs: Mapping[str, Any], used: set[str], task: literals.Task) -> str:
    """The input whose value this constant repeats, where the program reads that input by name elsewhere or not."""
    if isinstance(site.value, tuple) or site.role in literals.STRUCTURE | literals.NEVER or not task.holds(site):
        return ""
    fitting = [name for name in used if type(inputs[name]) is type(site.value) and inputs[name] == site.value]
    return fitting[0] if len(fitting) == 1 else ""


def _grouped(found: list[literals.Site]) -> list[list[literals.Site]]:
    """Constants that are one parameter: equal texts wherever they stand, equal numbers where they do the same."""
    large = [site for site in found if isinstance(site.value, tuple) or isinstance(site.node, ast.Call)]
    whole = {id(item) for site in large for item in ast.walk(site.node)}
    groups: dict[tuple[str, Any], list[literals.Site]] = {}
    for site in found:
        if id(site.node) not in whole or site in large:
            groups.setdefault((type(site.value).__name__, site.value), []).append(site)
    chosen = []
    for (kind, _), equal in groups.items():
        group = equal
        if kind in ("int", "float"):
            best = min(group, key=lambda site: literals.RANK.index(site.role) if site.role in literals.RANK else 99)
            group = [site for site in group if site.role == best.role and site.hint == best.hint]
        chosen.append(group)
    return chosen


def _assignment(group: list[literals.Site], body: list[ast.stmt], inputs: set[str]) -> ast.stmt | None:
    """The statement that only gives the constant a name, where that name can be the parameter's."""
    for site in group:
        for at, node in enumerate(body):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is site.node and site.role == "assigned":
                name = _assigned_name(node)
                before = [item for item in body[:at] if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)]
                earlier = {other for item in before for other in bound_names(item) | free_names(item)}
                earlier |= {other for item in body[:at] for other in bound_names(item)}
                usable = naming.usable(name) and name.isascii() and not name.startswith("_") and name == name.lower()
                if usable and name not in earlier | inputs:
                    return node
    return None


def _assigned_name(node: ast.stmt) -> str:
    target = (
        node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
    )
    return target.id if isinstance(target, ast.Name) else ""


def _wanted(found: list[str], site: literals.Site, others: Collection[str], task: str) -> list[str]:
    """What a parameter might be called, the best first: what it is, and what sets it apart from its likes."""
    led = hints.led_to(site.value, task)
    found = [*dict.fromkeys(hint for hint in found if len(hint) > 1 or site.role == "argument")]
    if isinstance(site.value, tuple):  # several of what the place takes one of
        found = [hints.plural(hint) or hint if not hint.endswith("s") else hint for hint in found]
    wanted = [*found]
    wanted += [f"{led}_{hint}" for hint in found if led]
    wanted += hints.beside(site.value, task)
    wanted += [f"other_{hint}" if hint in others else f"wanted_{hint}" for hint in found]
    if isinstance(site.value, tuple):
        return [*wanted, "choices"]
    name = ("column" if site.role == "key" else "text") if isinstance(site.value, str) else "number"
    name = "day" if literals.DAY.fullmatch(str(site.value)) else name
    name = "rate" if naming.percent(site.value) and str(site.value) not in task else name  # said in percent
    return [*wanted, name, f"other_{name}", f"further_{name}"]


def _annotation(group: list[literals.Site]) -> str:
    value = group[0].value
    if type(value) is int and any(site.annotation == "float" for site in group):
        return "float"
    return naming.type_of(value, {})
