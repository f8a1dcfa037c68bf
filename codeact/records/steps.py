"""What one step did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from codeact.records.shared import Failure


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step used. `operations` is the sum of `loops`, `calls` and `elements`.

    A step whose process was killed, or died, took its counts with it: then `counted` is False, `wall_seconds` and
    `tool_calls` are as they were seen from outside, and all else is 0.
    """

    operations: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0
    tool_calls: int = 0
    loops: int = 0
    calls: int = 0
    elements: int = 0
    counted: bool = True


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool: `error` is None where it returned `result`; one that was not approved is `refused`.

    What a parameter such as `*more` took stands under `"*"` in a session, and in a run of an agent under its name.
    """

    tool: str
    arguments: dict[str, Any]
    result: Any = None
    error: str | None = None
    seconds: float = 0.0
    refused: bool = False


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
class Observation:
    """What one step did. `paused` is the call that is held open, where the step stopped at one to go on later.

    `str()` of it is what a model is shown of the step: output, value or failure, and files.
    """

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

    def __str__(self) -> str:
        from codeact.records.told import told

        return told(self)
