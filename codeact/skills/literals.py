"""Which constants of a program came from the task, and what each is for where it stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from codeact.records import ToolSpec
from codeact.skills.hints import bounded, called, plural, singular
from codeact.skills.naming import LETTER, NUMBER_WORDS
from codeact.skills.terms import STOP
from codeact.snippet.bindings import last_name
from codeact.snippet.words import word_set

Scalar = str | int | float
# a role where a constant belongs to the method, not to the task, unless the task writes it just so
STRUCTURE = frozenset(["key", "method", "element"])
NEVER = frozenset(["exponent", "default", "words"])
# where one number stands in several roles, the first of these is what the task meant
RANK = ("assigned", "keyword", "argument", "compare", "count", "slice", "item", "round", "operand", "other")

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])(\d[\d,_ ]*\d|\d)(\.\d+)?\s*(%|percent\b|k\b|[Mm]illion\b|[Tt]housand\b)?")
DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_DECIMAL = re.compile(r"\d+\.\d+")
_SCALES = {"k": 1_000, "thousand": 1_000, "million": 1_000_000}
_DATE = ("year", "month", "day", "hour", "minute")
_COUNTING = word_set("head tail nlargest nsmallest most_common sample")
_HINTS = {
    "startswith": "prefix",
    "endswith": "suffix",
    "open": "path",
    "read_csv": "path",
    "strptime": "day",
    "fromisoformat": "day",
    "round": "digits",
    "seed": "seed",
    "Random": "seed",
}


@dataclass(frozen=True, slots=True)
class Site:
    """A constant where it stands: `role` is what it does there, `hint` what it might be called."""

    node: ast.expr
    value: Scalar | tuple[Scalar, ...]
    role: str
    hint: str = ""
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """The words and numbers of a task."""

    text: str
    numbers: frozenset[float] = field(default_factory=frozenset)

    @classmethod
    def of(cls, text: str) -> Task:
        """The task with its numbers read, those in words and percents too."""
        found: set[float] = set()
        for match in _NUMBER.finditer(DAY.sub(" ", text)):
            number = float(re.sub(r"[,_ ]", "", match[1]) + (match[2] or ""))
            found.add(number)
            if match[3] in ("%", "percent"):
                found.add(number / 100)
            elif match[3]:
                found.add(number * _SCALES[match[3].lower()])
        words = set(re.findall(r"[a-z]+", text.lower()))
        found |= {float(value) for value, word in enumerate(NUMBER_WORDS) if word in words and value > 1}
        return cls(text, frozenset(found))

    def holds(self, site: Site) -> bool:
        """True where a constant stems from the task."""
        if site.role in NEVER:
            return False
        if isinstance(site.value, tuple):
            return len(site.value) > 1 and all(self._says(value, "argument") for value in site.value)
        return self._says(site.value, site.role)

    def _says(self, value: Scalar, role: str) -> bool:
        if isinstance(value, str):
            return self._says_text(value, role)
        if value in (0, 1, -1):
            return role in ("argument", "keyword", "assigned") and value == 1 and 1.0 in self.numbers
        return float(abs(value)) in self.numbers and role not in ("element", "key")

    def _says_text(self, value: str, role: str) -> bool:
        if len(value) < 2 and not value.isupper():
            return False
        if not any(letter.isalnum() for letter in value) or value.lower() in STOP:
            return False
        if role in STRUCTURE:
            own = any(letter.isupper() or letter.isdigit() for letter in value)
            return self.quotes(value) or (own and role != "element" and _within(value, self.text))
        if role == "argument" and _DECIMAL.fullmatch(value) and float(value) in self.numbers:  # Decimal("0.19")
            return True
        return _within(value.casefold(), self.text.casefold())

    def quotes(self, value: str) -> bool:
        """True where the task writes a text between quotes."""
        return any(f"{left}{value}{right}" in self.text for left, right in ("''", '""', "``", "“”", "\u2018\u2019"))


def _within(value: str, text: str) -> bool:
    return re.search(rf"(?<!{LETTER}){re.escape(value)}(?!{LETTER})", text) is not None


def apart(body: Iterable[ast.stmt], task: Task) -> Iterator[ast.stmt]:
    """The statements, with `low, high = 50, 200` as two where the task says one of the values."""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(
                {name.id for name in names if isinstance(name, ast.Name)}
            ) == len(names) == len(values) and all(isinstance(value, ast.Constant) for value in values):
                parts: list[ast.stmt] = [
                    ast.Assign([name], value, lineno=node.lineno) for name, value in zip(names, values, strict=True)
                ]
                yield from parts if any(map(task.holds, sites(parts, {}, {}))) else [node]
            case _:
                yield node


def sites(nodes: list[ast.stmt], tools: Mapping[str, ToolSpec], helpers: Mapping[str, list[str]]) -> list[Site]:
    """The constants of the statements in the order they stand."""
    finder = _Finder(tools, helpers)
    for node in nodes:
        finder.statement(node)
    return finder.found


class _Finder(ast.NodeVisitor):
    def __init__(self, tools: Mapping[str, ToolSpec], helpers: Mapping[str, list[str]]) -> None:
        self.tools, self.helpers = tools, helpers
        self.found: list[Site] = []
        self.context: tuple[str, str, str] = ("other", "", "")

    def statement(self, node: ast.stmt) -> None:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                self._in(value, "assigned", name)
            case _:
                self.visit(node)

    def _in(self, node: ast.AST | None, role: str, hint: str = "", annotation: str = "") -> None:
        if node is None:
            return
        before, self.context = self.context, (role, hint, annotation)
        self.visit(node)
        self.context = before

    def _add(self, node: ast.expr, value: Scalar | tuple[Scalar, ...]) -> None:
        self.found.append(Site(node, value, *self.context))

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) in (str, int, float):
            self._add(node, node.value)  # type: ignore[arg-type]  # one of the three

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                self._add(node, -value)
            case _:
                self._in(node.operand, "operand")

    def generic_visit(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self._in(child, "other")

    def visit_For(self, node: ast.For) -> None:
        self._loop(node)
        for item in (*node.body, *node.orelse):
            self.visit(item)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._loop(node)
        for item in node.ifs:
            self._in(item, "other")

    def _loop(self, node: ast.For | ast.comprehension) -> None:
        self._in(node.iter, "other", plural(node.target.id) if isinstance(node.target, ast.Name) else "")

    def visit_match_case(self, node: ast.match_case) -> None:
        for item in (node.guard, *node.body):  # in the pattern a name would take any value
            self._in(item, "other")

    def visit_Expr(self, node: ast.Expr) -> None:
        self._in(node.value, "words" if isinstance(node.value, ast.Constant) else "other")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            self._in(default, "default")
        for item in node.body:
            self.visit(item)

    def visit_Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        self._in(node.value, "other", target.id if isinstance(target, ast.Name) else "")
        for item in node.targets:
            self.visit(item)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._in(node.left, "operand")
        self._in(node.right, "exponent" if isinstance(node.op, ast.Pow) else "operand")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._in(node.value, "operand")
        self.visit(node.target)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self._in(node.value, "other")
        if isinstance(node.slice, ast.Slice):
            self._in(node.slice.lower, "slice", "start")
            self._in(node.slice.upper, "slice", "count")
            self._in(node.slice.step, "slice", "step")
        else:
            self._in(node.slice, "key", singular(called(node.value)))

    def visit_Compare(self, node: ast.Compare) -> None:
        parts = [node.left, *node.comparators]
        for at, part in enumerate(parts):
            other = parts[at - 1] if at else parts[1]
            operator = node.ops[at - 1] if at else node.ops[0]
            hint = called(other)
            if at == 0 and isinstance(operator, ast.In | ast.NotIn):
                hint = singular(hint) or "wanted"
            self._in(part, "compare", bounded(hint, operator, left=at == 0, value=part))

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            self._in(key, "key")
            name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
            table = len(node.keys) > 2 and all(isinstance(item, ast.Constant) for item in node.values)
            self._in(value, "element" if table else "item", name)

    def _display(self, node: ast.List | ast.Tuple | ast.Set) -> None:
        constants = [item.value for item in node.elts if isinstance(item, ast.Constant)]
        if (
            node.elts
            and len(constants) == len(node.elts)
            and all(type(value) in (str, int, float) for value in constants)
        ):
            self._add(node, tuple(constants))  # type: ignore[arg-type]  # checked right above
            for item in node.elts:
                self._in(item, "element", singular(self.context[1]))
        else:
            for item in node.elts:
                self._in(item, "other")

    visit_List = visit_Tuple = visit_Set = _display

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self._in(part.value, "other")

    def visit_Call(self, node: ast.Call) -> None:
        name = last_name(node.func)
        owner = (
            node.func.value.id
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
            else name
        )
        self.visit(node.func)
        parts = [item.value for item in node.args if isinstance(item, ast.Constant) and type(item.value) is int]
        if name in {"date", "datetime"} - set(self.helpers) and len(parts) == len(node.args) == 3 and not node.keywords:
            self._add(node, "{:04}-{:02}-{:02}".format(*parts))
        for at, argument in enumerate(node.args):
            self._in(argument, *self._argument(name, owner, at))
        for word in node.keywords:
            self._in(word.value, "keyword", word.arg or "", self._annotation(owner, word.arg or ""))

    def _argument(self, name: str, owner: str, at: int) -> tuple[str, str, str]:
        spec = self.tools.get(owner)
        if spec is not None and at < len(spec.parameters):
            return "argument", spec.parameters[at].name, spec.parameters[at].annotation
        if name in self.helpers and at < len(self.helpers[name]):
            return "argument", self.helpers[name][at], ""
        if name in _COUNTING:
            return "count", "count", ""
        if name == "round":
            return "round", "digits", ""
        if name in _HINTS:
            return "argument", _HINTS[name], ""
        parts = _DATE if name in ("date", "datetime") else ()
        role = "argument" if parts or name in ("Decimal", "float", "int", "str") else "method"
        return role, parts[at] if at < len(parts) else "", ""

    def _annotation(self, tool: str, name: str) -> str:
        spec = self.tools.get(tool)
        found = [item.annotation for item in spec.parameters if item.name == name] if spec is not None else []
        return found[0] if found else ""
