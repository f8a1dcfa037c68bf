"""A session that was recorded, as it has to be lived again: read from the entries of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeact.errors import JournalError
from codeact.journal import Entry, Recording, read
from codeact.records import ToolCall
from codeact.session.hosting import Answered, unknown_answer

SESSION = "session"


@dataclass(slots=True)
class Lived:
    """A step of a recorded session that is part of its state."""

    source: str
    answers: dict[int, Answered] = field(default_factory=dict)
    outcome: str = ""
    held: dict[int, ToolCall] = field(default_factory=dict)  # calls that wait for an answer


@dataclass(frozen=True, slots=True)
class Assigned:
    """Names that were bound from outside."""

    variables: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reseeded:
    """From here on, random numbers were drawn from this seed."""

    seed: int


Event = Lived | Assigned | Reseeded


@dataclass(frozen=True, slots=True)
class Past:
    """A recorded session as it has to be lived again: steps and bindings in order, and the step that never ended."""

    header: Mapping[str, Any]
    events: tuple[Event, ...]
    unfinished: Lived | None

    @property
    def steps(self) -> int:
        """How many steps are part of the state."""
        return sum(isinstance(event, Lived) for event in self.events)


def read_past(path: str | Path) -> Past:
    """Read a saved session; JournalError says what is off with the file."""
    recording: Recording = read(path)
    if recording.header.get("holds") != SESSION:
        raise JournalError(f"{path} is a recording of a run, not of a session: `codeact resume` goes on with it")
    return past_of(recording.header, recording.entries)


def past_of(header: Mapping[str, Any], entries: Iterable[Entry]) -> Past:
    """Read what was lived through from entries."""
    events: list[Event] = []
    current: Lived | None = None
    for entry in entries:
        if entry.kind == "begin":
            current = Lived(entry["code"])
        elif entry.kind == "step" and current is not None:
            current.outcome = entry["outcome"]
            if not entry["rolled_back"]:
                events.append(current)
            current = None
        elif entry.kind in ("calling", "call", "held") and current is not None:
            _live(current, entry)
        elif entry.kind == "assign":
            events.append(Assigned(entry["variables"]))
        elif entry.kind == "reseed":
            events.append(Reseeded(entry["seed"]))
        elif entry.kind == "rewind":
            _forget(events, entry["steps"])
            current = None
        if entry.kind == "lost":
            events.clear()
    return Past(header, tuple(events), current)


def _live(step: Lived, entry: Entry) -> None:
    """Take in what happened during a step."""
    if entry.kind == "calling":
        step.answers[entry["number"]] = unknown_answer(entry["tool"], entry["arguments"])
    elif entry.kind == "call":
        step.answers[entry["number"]] = _answer(entry)
    else:
        step.answers.pop(entry["number"], None)
        step.held[entry["number"]] = ToolCall(entry["tool"], entry["arguments"], error=entry["reason"])


def _answer(entry: Any) -> Answered:
    error, message = entry["error"], entry["message"]
    said = None if error is None else f"{error or 'ToolFailed'}: {message}"
    call = ToolCall(entry["tool"], entry["arguments"], entry["result"], said, entry["seconds"])
    return Answered(call, error or "", message)


def _forget(events: list[Event], steps: int) -> None:
    """Drop the last steps, and what was bound after them; a copy goes on to draw other numbers than its original."""
    reseeded: list[Event] = []
    while events and steps > 0:
        event = events.pop()
        steps -= isinstance(event, Lived)
        reseeded += [event] if isinstance(event, Reseeded) else []
    events.extend(reversed(reseeded))
