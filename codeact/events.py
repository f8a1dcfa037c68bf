"""What a run tells the outside while it happens: typed, frozen, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codeact.records import Observation, Reply, Run, ToolCall


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all events."""


@dataclass(frozen=True, slots=True)
class StepEvent(Event):
    """The base of what happens within a step (from 1)."""

    step: int


@dataclass(frozen=True, slots=True)
class CallEvent(StepEvent):
    """The base of what is told of a tool call before its end."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunStarted(Event):
    """A run begins; `journal` is where it is written, None where it is not."""

    run_id: str
    task: str
    model: str
    journal: Path | None


@dataclass(frozen=True, slots=True)
class SkillsFound(Event):
    """These skills fit the task and are offered to the model."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepStarted(StepEvent):
    """The model is being asked for step `step` (from 1)."""


@dataclass(frozen=True, slots=True)
class Token(Event):
    """A piece of the reply, as it arrives."""

    text: str


@dataclass(frozen=True, slots=True)
class Waiting(Event):
    """The provider asked to wait, or could not be reached; the question is put again after `seconds`."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class Replied(StepEvent):
    """The reply is complete."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class Planned(Event):
    """The model's plan, where one was asked for before the first step."""

    text: str


@dataclass(frozen=True, slots=True)
class CandidateChosen(StepEvent):
    """Of `count` replies that were tried, reply number `chosen` (from 1) is run for real."""

    chosen: int
    count: int


@dataclass(frozen=True, slots=True)
class AskedBack(StepEvent):
    """The reply could not be acted on; `message` is what the model is told."""

    message: str


@dataclass(frozen=True, slots=True)
class CodeReady(StepEvent):
    """This snippet was found in the reply and runs now."""

    code: str


@dataclass(frozen=True, slots=True)
class ToolStarted(CallEvent):
    """The snippet calls a tool."""


@dataclass(frozen=True, slots=True)
class ToolEnded(StepEvent):
    """The tool returned or failed."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Paused(CallEvent):
    """The run stops at this call until somebody has decided about it."""


@dataclass(frozen=True, slots=True)
class SkillUsed(StepEvent):
    """The snippet calls a skill."""

    name: str


@dataclass(frozen=True, slots=True)
class Observed(StepEvent):
    """The snippet ended."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Shortened(Event):
    """Old observations no longer fit and were shortened by rule."""

    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BudgetNearlySpent(Event):
    """The model is told to finish: `left` says what is left."""

    left: str


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """The run has its answer."""

    answer: Any


@dataclass(frozen=True, slots=True)
class SkillPromoted(Event):
    """What worked was kept as a skill."""

    name: str


@dataclass(frozen=True, slots=True)
class Warned(Event):
    """Something beside the run did not work, or shows otherwise than it did when it was recorded; the run goes on."""

    text: str


@dataclass(frozen=True, slots=True)
class SkillDeclined(Event):
    """What worked was not kept as a skill, for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class RunEnded(Event):
    """The last event of a run."""

    run: Run


@dataclass(frozen=True, slots=True)
class Nested(Event):
    """An event of an agent that this run called as the tool `agent`."""

    agent: str
    event: Event
