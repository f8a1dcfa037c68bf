"""What is said to a model and by it, and what comes of a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from codeact.records import Ending
from codeact.records.shared import ToolSpec
from codeact.records.steps import Image, Observation, ToolCall


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
    calls a dry run did not make. `checked` is True where a check of the caller's took the answer. `str()` of it is that
    of the answer, or how it ended without one and why.
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

    def __str__(self) -> str:
        return str(self.answer) if self.ok else f"{self.ended}: {self.reason}"
