"""What travels between the rooms: frozen records, nothing that runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Effect = Literal["read", "idempotent", "write", "irreversible"]
REPEATABLE: tuple[Effect, ...] = ("read", "idempotent")  # a second call of such a tool does no harm
Ending = Literal["answered", "budget", "failed", "interrupted", "paused"]
FailureKind = Literal["syntax", "refused", "raised", "limit", "crash", "tool"]
Isolation = Literal["caged", "inline"]
FINAL_ANSWER = "final_answer"  # what a snippet calls to end the run


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
class Cost:
    """What a step used. `operations` is the sum of `loops`, `calls` and `elements`."""

    operations: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0
    tool_calls: int = 0
    loops: int = 0
    calls: int = 0
    elements: int = 0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool: `error` is None where it returned `result`; one that was not approved is `refused`."""

    tool: str
    arguments: dict[str, Any]
    result: Any = None
    error: str | None = None
    seconds: float = 0.0
    refused: bool = False


# What a picture is, by the end of its name.
MEDIA_TYPES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
    ".svg": "image/svg+xml",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Image:
    """A picture a step made; `data` is the file's bytes."""

    name: str
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class File:
    """A file a step wrote in the working folder; `name` is its path below that folder."""

    name: str
    size_bytes: int


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
class Observation:
    """What one step did. `paused` is the call that is held open, where the step stopped at one to go on later."""

    ok: bool
    value: Any = None
    text: str = ""
    stdout: str = ""
    failure: Failure | None = None
    cost: Cost = Cost()
    calls: tuple[ToolCall, ...] = ()
    files: tuple[File, ...] = ()
    images: tuple[Image, ...] = ()
    rolled_back: bool = False
    answered: bool = False
    answer: Any = None
    paused: ToolCall | None = None


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
    """One parameter of a tool; `kind` is the name of an `inspect.Parameter` kind, `annotation` its source text."""

    name: str
    kind: str = "POSITIONAL_OR_KEYWORD"
    required: bool = True
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the other side of the wall needs it: how it is called, never what it does."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    doc: str = ""
    effect: Effect = "write"


@dataclass(frozen=True, slots=True)
class Message:
    """One message to or from a model; `message["content"]` reads as it does in the chat APIs."""

    role: Literal["system", "user", "assistant"]
    content: str
    images: tuple[Image, ...] = ()

    def __getitem__(self, key: Literal["role", "content"]) -> str:
        """Give the field by the name the chat APIs use for it."""
        return {"role": self.role, "content": self.content}[key]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model sent: its text, the code of its native `run_python` calls, and what it used.

    `truncated` is True where the reply was cut by the length limit; `cost_usd` is 0.0 where the price is not known.
    """

    text: str
    calls: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    truncated: bool = False
    model: str = ""

    def __post_init__(self) -> None:
        """Make whole text of what came in halves of characters."""
        if isinstance(self.text, str):
            object.__setattr__(self, "text", whole(self.text))
        object.__setattr__(self, "calls", tuple(whole(call) for call in self.calls))


def whole(text: str) -> str:
    """Give the text with halves of characters joined where two meet, and replaced by `�` where one is alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of a run: what the model replied, the code found in it, and what that did."""

    index: int
    reply: str
    code: str
    observation: Observation | None


@dataclass(frozen=True, slots=True)
class RunCost:
    """What a run used in all; `cost_usd` is 0.0 where the model's price is not known."""

    steps: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    wall_seconds: float = 0.0
    operations: int = 0
    tool_calls: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """One task from question to answer. `ok` is True where it ended with an answer; `reason` says why where not.

    `tools` are those the run could call, as they were then: what a skill is built and checked with. `withheld` are the
    calls a dry run did not make. `checked` is True where a check of the caller's took the answer.
    """

    id: str
    task: str
    inputs: Mapping[str, Any]
    ended: Ending
    answer: Any = None
    reason: str = ""
    steps: tuple[Step, ...] = ()
    cost: RunCost = RunCost()
    model: str = ""
    journal: Path | None = None
    tools: tuple[ToolSpec, ...] = ()
    withheld: tuple[ToolCall, ...] = ()
    checked: bool = False

    @property
    def ok(self) -> bool:
        """True where the run ended with an answer."""
        return self.ended == "answered"
