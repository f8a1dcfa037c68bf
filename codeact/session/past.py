"""A session that was recorded, as it has to be lived again: read from the entries of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from codeact.errors import JournalError
from codeact.journal import Entry, read
from codeact.records import ToolCall
from codeact.session.hosting import AnsweredCall, unknown_answer
from codeact.session.shapes import wrong_in


class Lived(msgspec.Struct):
    """A step of a recorded session that is part of its state."""

    source: str
    answers: dict[int, AnsweredCall] = {}
    outcome: str | None = ""  # None where it is not recorded
    held: dict[int, ToolCall] = {}  # calls that wait for an answer, whatever they had before
    left_out: frozenset[str] = frozenset()  # secrets that are not recorded
    readings: list[int] = []  # what its clocks said

    @property
    def waiting(self) -> list[tuple[int, ToolCall]]:
        """The calls that are held open, by their numbers, the first one first."""
        return sorted(self.held.items(), key=lambda item: item[0])

    @property
    def known(self) -> dict[int, AnsweredCall]:
        """The answers its calls are given when it is run again."""
        return {number: answer for number, answer in self.answers.items() if number not in self.held}


class Assigned(msgspec.Struct, frozen=True):
    """Names that were bound from outside."""

    variables: Mapping[str, Any]
    left_out: frozenset[str] = frozenset()


class Reseeded(msgspec.Struct, frozen=True):
    """From here on, random numbers were drawn from this seed."""

    seed: int


class Copied(msgspec.Struct, frozen=True):
    """From here on, it was a copy, in whose folder what was handed in can be replaced."""


Event = Lived | Assigned | Reseeded | Copied


class Past(msgspec.Struct, frozen=True):
    """A recorded session as it has to be lived again: steps and bindings in order, and the steps that never ended."""

    header: Mapping[str, Any]
    events: tuple[Event, ...]
    cut_off: tuple[Lived, ...]  # the last one at the end, which alone may be paused

    @property
    def unfinished(self) -> Lived | None:
        """The step that was cut off last, or is paused."""
        return self.cut_off[-1] if self.cut_off else None

    @property
    def steps(self) -> int:
        """How many steps are part of the state."""
        return sum(isinstance(event, Lived) for event in self.events)

    def since(self, steps: int) -> tuple[Event, ...]:
        """What happened after the step before the last so many; all of it where there is none.

        As a state that was frozen needs it: in a copy each is one.
        """
        places = [place for place, event in enumerate(self.events) if isinstance(event, Lived)]
        since = self.events[places[-steps - 1] + 1 :] if steps < len(places) else self.events
        return tuple(event for event in since if not isinstance(event, Copied))


def read_past(path: str | Path) -> Past:
    """Read a saved session; JournalError says what is off with the file."""
    recording = read(path)
    if not recording.holds_session:
        raise JournalError(f"{path} is a recording of a run, not of a session: `codeact resume` goes on with it")
    if wrong := wrong_in(recording):
        raise JournalError(wrong)
    past = past_of(recording.header, recording.entries)
    _refuse_gaps(path, past)
    return past


def _refuse_gaps(path: str | Path, past: Past) -> None:
    """Raise JournalError where what was left out as a secret would be missing in the session."""
    gaps = {"what it was started with": past.header["not_recorded"]}
    for event in (*past.events, *past.cut_off):
        if isinstance(event, Assigned):
            gaps.setdefault(f"what {', '.join(map(str, event.variables))} was bound to", event.left_out)
        elif isinstance(event, Lived):
            gaps.setdefault(f"a step or its calls ({event.source.strip()[:60]!r})", event.left_out)
    for where, names in gaps.items():
        if names:
            raise JournalError(
                f"{path} cannot be built again: {where} held the value of {', '.join(sorted(names))}, which is "
                "not recorded, for its name is that of a secret. Save it where that variable is not set"
            )


def past_of(header: Mapping[str, Any], entries: Iterable[Entry]) -> Past:
    """Read what was lived through from entries."""
    reading = _Reading()
    for entry in entries:
        reading.take(entry)
    return Past(header, tuple(reading.events), tuple(reading.cut_off()))


def joined(answers: Mapping[int, AnsweredCall], before: Mapping[int, AnsweredCall]) -> dict[int, AnsweredCall]:
    """Give the answers of a step with those it had when it was tried before and has not asked for again."""
    return {**answers, **{number: answer for number, answer in before.items() if number not in answers}}


def taken_up(source: str, cut_off: Iterable[Lived]) -> tuple[Lived | None, list[Lived]]:
    """Give the one of these steps that goes on with this source, and those that outlive that: none that is paused."""
    steps = list(cut_off)
    again = next((step for step in steps if step.source == source), None)
    return again, [step for step in steps if step is not again and not step.held]


class _Reading:
    """What entries come to, one after the other."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._step: Lived | None = None  # that has begun
        self._before: Mapping[int, AnsweredCall] = {}  # its answers when it was tried before
        self._open: dict[int, AnsweredCall] = {}  # the calls that have begun, as if nobody knew more of them
        self._others: list[Lived] = []  # that were cut off before it

    def cut_off(self) -> list[Lived]:
        """Give the steps that have begun and not ended, the last one at the end."""
        if (step := self._step) is None:
            return self._others
        return [*self._others, replace(step, answers=joined(joined(step.answers, self._before), self._open))]

    def take(self, entry: Entry) -> None:
        """Take in one entry."""
        if entry.kind == "begin":
            self._begin(entry)
        elif entry.kind == "step" and self._step is not None:
            self._step.outcome = None if entry.not_recorded else entry["outcome"]
            if not entry["rolled_back"]:
                self.events.append(self._step)
            self._step = None
        elif entry.kind in ("calling", "call", "held") and self._step is not None:
            self._live(self._step, entry)
        elif entry.kind == "clock" and self._step is not None:
            self._step.readings = [*self._step.readings, *entry["readings"]]
        elif entry.kind == "assign":
            self.events.append(Assigned(entry["variables"], frozenset(entry.not_recorded)))
        elif entry.kind == "reseed":
            self.events.append(Reseeded(entry["seed"]))
        elif entry.kind == "copied":
            self.events.append(Copied())
        elif entry.kind == "rewind":
            _forget(self.events, entry["steps"])
            self._step, self._others = None, []
        elif entry.kind == "lost":
            self.events.clear()

    def _begin(self, entry: Entry) -> None:
        """Begin a step, or try one again that was cut off or paused: what is known of it stays known."""
        again, self._others = taken_up(entry["code"], self.cut_off())
        if again is None:
            again = Lived(entry["code"], left_out=frozenset(entry.not_recorded))
        self._step, self._before, self._open = replace(again, answers={}), again.answers, {}

    def _live(self, step: Lived, entry: Entry) -> None:
        """Take in what happened during a step."""
        number = entry["number"]
        step.left_out |= frozenset(entry.not_recorded)
        if entry.kind == "calling":
            self._open[number] = unknown_answer(entry["tool"], entry["arguments"])
            return
        self._open.pop(number, None)
        if entry.kind == "call":
            step.answers[number] = _answer(entry)
            step.held.pop(number, None)
        else:
            step.held[number] = ToolCall(entry["tool"], entry["arguments"], error=entry["reason"])


def _answer(entry: Any) -> AnsweredCall:
    error, message = entry["error"], entry["message"]
    said = None if error is None else f"{error}: {message}" if error else message
    call = ToolCall(entry["tool"], entry["arguments"], entry["result"], said, entry["seconds"])
    return AnsweredCall(call, error or "", message, entry.fields.get("begun", 0))  # earlier versions had none


def _forget(events: list[Event], steps: int) -> None:
    """Drop the last steps, and what was bound after them; a copy stays one, and draws other numbers."""
    kept: list[Event] = []
    while events and steps > 0:
        event = events.pop()
        steps -= isinstance(event, Lived)
        kept += [event] if isinstance(event, Reseeded | Copied) else []
    events.extend(reversed(kept))
