"""A recording as a page tells it: its steps with their replies, calls and outcomes, in the order they happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeact.errors import JournalError
from codeact.journal import Entry, Recording, read
from codeact.records import Image, ToolCall

_DEEPEST = 4  # runs within runs
_BETWEEN = ("candidate", "noted", "charged", "clock", "entered", "waiting", "decided")  # what takes no time of its own


@dataclass(slots=True)
class Chapter:
    """One step; its seconds are 0.0 where the recording does not say when its lines were written."""

    index: int
    reply: Mapping[str, Any]
    code: str = ""
    seen: Mapping[str, Any] = field(default_factory=dict)
    calls: list[ToolCall] = field(default_factory=list)
    withheld: list[ToolCall] = field(default_factory=list)  # what a dry run would have changed
    asked_back: str = ""
    skills: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # replies that were tried and not run
    inner: list[Story] = field(default_factory=list)  # runs of agents that were called as tools
    reply_seconds: float = 0.0
    run_seconds: float = 0.0

    @property
    def images(self) -> list[Image]:
        """The pictures the step made, where the recording holds them."""
        kept = [image for image in self.seen.get("images", ()) if isinstance(image, Mapping)]
        return [Image(str(image["name"]), str(image["media_type"]), image["content"]) for image in kept]


@dataclass(slots=True)
class Story:
    """A run as recorded."""

    header: Mapping[str, Any]
    steps: list[Chapter] = field(default_factory=list)
    answer: Any = None
    ended: str = "not ended"
    reason: str = ""
    cost: Mapping[str, Any] = field(default_factory=dict)
    plan: str = ""
    kept: str = ""  # what was said about keeping it as a skill
    seconds: float = 0.0

    @property
    def task(self) -> str:
        """What was asked; a recording of replies only does not say."""
        return str(self.header.get("task") or "A recording without a task")


def read_story(recording: Recording, *, depth: int = 0, told: set[Path] | None = None) -> Story:
    """Give a recording as its story, with the runs of the agents it called as far as their recordings are there."""
    told = {recording.path.resolve()} if told is None else told
    story = Story(recording.header, seconds=recording.seconds_used)
    calls: dict[tuple[int, str], Entry] = {}
    before = 0.0
    tried: list[str] = []
    noted: list[str] = []
    for entry in recording.entries:
        if entry.kind == "reply":
            index = int(entry.fields.get("step", len(story.steps) + 1))
            seconds = entry.after_seconds - before
            story.steps.append(Chapter(index, entry.fields, notes=noted, others=tried, reply_seconds=seconds))
            tried, noted = [], []
        elif entry.kind in _BETWEEN:
            tried += [entry["text"]] if entry.kind == "candidate" else []
            noted += [entry["what"]] if entry.kind == "noted" else []
            continue
        elif entry.kind in ("call_started", "call"):
            calls[entry["step"], entry["number"]] = entry
            continue
        elif entry.kind == "plan":
            story.plan = entry["text"]
        elif story.steps:
            _note(story, entry, before)
        before = entry.after_seconds
    by_index = {step.index: step for step in story.steps}
    for (index, _), entry in calls.items():
        if index in by_index:
            by_index[index].calls.append(_call(entry))
            by_index[index].inner += _inner(entry, depth, told)
            by_index[index].withheld += [ToolCall(**call) for call in entry.fields.get("withheld", ())]
    return story


def _inner(entry: Entry, depth: int, told: set[Path]) -> Iterator[Story]:
    """Give the runs a call of an agent made; one whose recording is gone is left out, and each is told once."""
    for path in map(Path, entry.fields.get("inner", ()) if depth < _DEEPEST else ()):
        try:
            if path.is_file() and (place := path.resolve()) not in told:
                told.add(place)
                yield read_story(read(path), depth=depth + 1, told=told)
        except (JournalError, ValueError, OSError):  # a path that none can have
            continue


def _note(story: Story, entry: Entry, before: float) -> None:
    """Add what a line after the first reply says."""
    step = story.steps[-1]
    if entry.kind == "step":
        step.code, step.seen = entry["code"], entry.fields
        step.skills = tuple(entry.fields.get("skills", ()))
        step.run_seconds = entry.after_seconds - before
    elif entry.kind in ("asked_back", "refused"):
        step.asked_back = entry["message"]
    elif entry.kind == "answer":
        story.answer = entry["value"]
    elif entry.kind == "end":
        story.ended, story.reason, story.cost = entry["ended"], entry["reason"], entry["cost"]
    elif entry.kind == "kept":
        story.kept = entry["what"]


def _call(entry: Entry) -> ToolCall:
    if entry.kind == "call_started":
        return ToolCall(entry["tool"], entry["arguments"], error="it had begun; what became of it is not recorded")
    kind, error = entry.fields.get("error_type", ""), entry["error"]
    error = f"{kind}: {error}" if kind and error is not None else error
    return ToolCall(entry["tool"], entry["arguments"], entry["result"], error, entry["seconds"])
