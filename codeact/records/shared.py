"""What both sides of the wall know."""

from __future__ import annotations

from dataclasses import dataclass

from codeact.records import Effect, FailureKind


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing a snippet says that it may not, or that is certain to fail."""

    rule: str
    message: str
    line: int
    column: int
    hint: str = ""
    end_column: int = 0  # on the same line; 0 where it is not known


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a step did not end well. `line` counts from 1, `column` from 0; both are 0 where there is no place."""

    kind: FailureKind
    type: str
    message: str
    line: int = 0
    column: int = 0
    excerpt: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """Stands for a value that could not cross the wall: the name of its type, and what it looked like."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A name in a session: the type of its value and a short repr made without running user code."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall of the cage, as it stands: `remedy` says what would put it up where it does not hold."""

    name: str
    holds: bool
    detail: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class SkillSource:
    """A skill as the sandbox needs it: its code, and exactly the tools, skills and imports it may use."""

    name: str
    code: str
    imports: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool; `kind` is the name of an `inspect.Parameter` kind, `annotation` its source text.

    `default` is what one would write of a default that is short and plain; empty where it is not, or is none.
    """

    name: str
    kind: str = "POSITIONAL_OR_KEYWORD"
    required: bool = True
    annotation: str = ""
    default: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the other side of the wall needs it: how it is called, never what it does."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    doc: str = ""
    effect: Effect = "write"
