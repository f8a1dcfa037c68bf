"""The words about a tool: its stub for the prompt, and what is said of a call that does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codeact.records import ToolSpec
from codeact.snippet.describe import describe
from codeact.snippet.toolcalls import signature
from codeact.wire.parts import PARTS

if TYPE_CHECKING:
    from pydantic_core import ValidationError

_LONGEST_MESSAGE = 2_000
Bound = tuple[tuple[Any, ...], dict[str, Any]]  # the arguments of a call, by position and by name


class BadCall(Exception):
    """A call does not fit the tool's signature; `type` is the built-in exception a Python call would raise."""

    def __init__(self, type_: type[Exception], message: str) -> None:
        super().__init__(message)
        self.type = type_


def stub(spec: ToolSpec) -> str:
    """Write a tool as a Python stub: `def name(…) -> …:` and its docstring."""
    doc = spec.doc.strip() or "No description."
    lines = doc.replace("\\", "\\\\").replace('"""', "'''").splitlines()
    body = "\n".join(f"    {line}" if line else "" for line in lines)
    closing = '"""' if len(lines) == 1 else '\n    """'
    return f'def {signature(spec)}:\n    """{body[4:]}{closing}'


def bad_call(spec: ToolSpec, error: ValidationError) -> BadCall:
    """Give the error for arguments that do not fit: where, why, and the signature."""
    problems = error.errors(include_url=False, include_context=False)
    kind: type[Exception] = TypeError
    said = []
    for problem in problems[:3]:
        fits, text = _problem(spec, problem)
        said.append(text)
        if not fits:
            kind = ValueError
    return _bad_call(spec, kind, "; ".join(said))


def endless(spec: ToolSpec, place: int | str, items: int) -> BadCall:
    """Give the error for ranges or arrays that would be a list of more items than a tool is handed."""
    name = _name_of(spec, positional(spec), place)
    return _bad_call(spec, TypeError, f"the argument {name!r} comes to {items:,} items, and {PARTS:,} are the most")


def _bad_call(spec: ToolSpec, kind: type[Exception], why: str) -> BadCall:
    return BadCall(kind, f"{spec.name}(): {why}. Its signature: {signature(spec)}"[:_LONGEST_MESSAGE])


def positional(spec: ToolSpec) -> list[str]:
    """Give the parameters that can be given by position."""
    return [parameter.name for parameter in spec.parameters if parameter.kind.startswith("POSITIONAL")]


def _name_of(spec: ToolSpec, names: list[str], place: int | str) -> str:
    """Give the name of the parameter that an argument is of, by its place or name; of `*more`, which of them it is."""
    if isinstance(place, str):
        return place
    if place < len(names):
        return names[place]
    more = next((parameter.name for parameter in spec.parameters if parameter.kind == "VAR_POSITIONAL"), "")
    return f"{more}[{place - len(names)}]"


def _problem(spec: ToolSpec, problem: Any) -> tuple[bool, str]:
    """Whether it is a matter of types rather than values, and the words for it."""
    first, *rest = problem["loc"] or ("",)
    names = positional(spec)
    name = _name_of(spec, names, first)
    kind = problem["type"]
    if kind.startswith("missing_"):
        return True, f"the argument {name!r} is missing"
    if kind == "unexpected_keyword_argument":
        return True, f"there is no parameter {name!r}"
    if kind == "unexpected_positional_argument":
        taken = f"at most {len(names)}" if names else "no"
        return True, f"{taken} positional argument{' is' if len(names) == 1 else 's are'} taken"
    if kind == "multiple_argument_values":
        return True, f"the argument {name!r} is given twice"
    where = "".join(f"[{part!r}]" for part in rest)
    given = describe(problem["input"], 80)
    said = problem["msg"]
    if not said[:2].isupper():  # JSON and UUID are no words that begin a sentence
        said = said[:1].lower() + said[1:]
    text = f"the argument {name!r}{where}: {said}, not {given}"
    return kind.endswith("_type") or kind == "is_instance_of", text
