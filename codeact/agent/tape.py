"""A recording being played back: its replies are given again, its tool calls answered as they were.

A resumed run plays its tape to the end and goes on live from there; a replayed run is all tape.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from codeact.errors import Diverged, JournalError
from codeact.journal import Entry, Recording, read
from codeact.journal.values import as_read, encode
from codeact.models.fakes import reply_of
from codeact.records import Observation, Reply, ToolCall
from codeact.session.alike import are_alike
from codeact.snippet.describe import describe
from codeact.snippet.endings import ToolFailed
from codeact.toolbox import NotApproved
from codeact.wire.raised import CATCHABLE, arguments_of

_LONGEST_SHOWN = 200
_DONE = ("code", "ok")  # by a step; all else is what it shows
_REDACTED = ": not recorded]"
REFUSED_THEN = "final_answer was refused. The run goes on."  # earlier recordings do not say why
_Call = tuple[int, str]  # its step, and its number within the run
LEFT_OUT = object()  # an argument the snippet did not give, to a tool whose defaults are not at hand


@dataclass(frozen=True, slots=True)
class Served:
    """What a recorded call came to: `call` is None where it had begun and its end is not known."""

    call: ToolCall | None
    error_type: str = ""
    inside: str = ""  # where it is recorded what the agent it had called did until then
    withheld: tuple[ToolCall, ...] = ()  # what it would have changed in a dry run
    changed: bool = False  # the user had it made with other arguments


class Tape:
    """The recorded part of a run."""

    def __init__(self, recording: Recording | None = None, *, only: bool = False) -> None:
        self.only = only  # nothing happens beyond the tape
        self._lock = threading.Lock()
        recording = recording or Recording(Path(), {}, ())
        self._replies = _replies_of(recording, only=only)
        given = recording.of("plan", "candidate", "reply")
        self.given = tuple(reply_of(entry.fields) for entry in given)  # by the model, in order
        self.plan = next((reply_of(entry.fields) for entry in recording.of("plan")), None)
        self._steps: dict[int, Entry] = {entry["index"]: entry for entry in recording.of("step")}
        tools = recording.header.get("tools", ())
        self._parameters = {spec["name"]: {one["name"] for one in spec["parameters"]} for spec in tools}
        self._readings = [(entry["step"], entry["readings"]) for entry in recording.of("clock")]
        self._answer = next(recording.of("answer"), None)
        self._refused = {entry["step"]: entry for entry in recording.of("refused")}
        self._misfits = tuple(recording.of("misfit")) if only else ()  # else the tools themselves say what fits
        self._calls: dict[int, list[Entry]] = {}
        latest, self._inside = _latest_calls(recording)
        for entry in latest:
            self._calls.setdefault(entry["step"], []).append(entry)

    @property
    def playing(self) -> bool:
        """True while there are replies left."""
        return bool(self._replies)

    def next_reply(self) -> Reply:
        """Give the next recorded reply."""
        return reply_of(self._replies.pop(0).fields)

    def holds_step(self, index: int) -> bool:
        """Tell whether this step ended on the tape."""
        return index in self._steps

    def readings(self, step: int) -> list[int]:
        """Give what the clocks of a step said, as far as it is recorded."""
        return [reading for index, readings in self._readings if index == step for reading in readings]

    def serve(
        self,
        step: int,
        tool: str,
        arguments: Mapping[str, Any],
        defaults: Mapping[str, Any] = MappingProxyType({}),
        said: Mapping[str, Any] = MappingProxyType({}),
    ) -> Served | None:
        """Give what a call came to; None where it is not on the tape and may happen.

        The arguments are what the tool makes of what the snippet `said`, where records are no dicts yet. A parameter
        that the tool has got since, with a default, tells no call from the recorded one.
        """
        left_out = {name for name, value in arguments.items() if value is LEFT_OUT}
        if (had := self._parameters.get(tool)) is not None:
            new = defaults.keys() & arguments.keys() - had
            left_out |= {name for name in new if same(defaults[name], arguments[name])}
        given = {name: value for name, value in arguments.items() if name not in left_out}
        wanted, as_said = as_read(given), as_read(said) if self.only else {}
        with self._lock:
            calls = self._calls.get(step, [])
            for index, entry in enumerate(calls):
                asked = entry.fields.get("asked", entry["arguments"])
                if self.only:  # no annotations are at hand to make anything else of what the snippet says
                    asked = entry.fields.get("said", asked)
                made = {name: value for name, value in asked.items() if name not in left_out}
                if entry["tool"] == tool and (are_alike(made, wanted) or (as_said and are_alike(made, as_said))):
                    return self._served(calls.pop(index))
        if self.only or self.holds_step(step):
            expected = f"; recorded is {_shown(calls[0])}" if calls else "; recorded is no further call"
            raise Diverged(f"step {step} calls {tool}({_short(wanted)}){expected}")
        return None

    def misfit(self, step: int, tool: str, by_position: int, said: Mapping[str, Any]) -> Entry | None:
        """Give what refused a call with these arguments before it began; None where nothing is known to have."""
        call = step, tool, by_position
        asked = [entry for entry in self._misfits if (entry["step"], entry["tool"], entry["by_position"]) == call]
        wanted = as_read(said) if asked else None
        return next((entry for entry in asked if are_alike(entry["arguments"], wanted)), None)

    def _served(self, entry: Entry) -> Served:
        if entry.kind == "call_started":
            inside = self._inside.get((entry["step"], entry["number"]))
            return Served(None, inside=inside if inside is not None and _is_recording(inside) else "")
        kind = entry.fields.get("error_type", "")
        refused = kind == NotApproved.__name__
        call = ToolCall(entry["tool"], entry["arguments"], entry["result"], entry["error"], entry["seconds"], refused)
        withheld = tuple(ToolCall(**held) for held in entry.fields.get("withheld", ()))
        return Served(call, kind, withheld=withheld, changed="asked" in entry.fields)

    def offered(self, step: int, raw: Any) -> tuple[Any, str] | None:
        """Give the answer that was taken, or what refused it; None where what becomes of it is not on the tape."""
        entry = self._refused.get(step) or (None if self.playing else self._answer)
        if entry is None:
            return (raw, REFUSED_THEN) if self.playing else None
        then = entry.fields.get("raw", entry["value"])
        if not same(then, raw) and _REDACTED not in str(encode(then)):
            raise Diverged(f"the answer differs from the recording: {_short(raw)} now, {_short(then)} then")
        return entry["value"], str(entry.fields.get("message", ""))

    def check(self, step: int, code: str, seen: Observation) -> str:
        """Raise Diverged where a step did not do what it did when it was recorded.

        What a run that goes on shows may be something else, such as the time: how it differs, or nothing.
        """
        entry, shown = self._steps.get(step), ""
        if entry is None:
            return shown
        pairs = {"code": code, "ok": seen.ok, "stdout": seen.stdout, "text": seen.text}
        for name, now in pairs.items():
            if entry[name] != as_read(now) and not _is_redacted(entry[name]):
                then = _short(entry[name])
                told = f"step {step} differs from the recording in its {name}: {_short(now)} now, {then} then"
                if self.only or name in _DONE:
                    raise Diverged(told)
                shown = shown or told
        if left := [call for call in self._calls.get(step, []) if call.kind == "call"]:
            raise Diverged(f"step {step} did not make the recorded call {_shown(left[0])}")
        return shown


def _replies_of(recording: Recording, *, only: bool) -> list[Entry]:
    """Give the replies; to be played for themselves, only up to the last one whose step came to its end."""
    replies = list(recording.of("reply"))
    ended = {
        entry.fields.get("index", entry.fields.get("step")) for entry in recording.of("step", "asked_back", "refused")
    }
    answered = next(recording.of("answer"), None) is not None
    while only and replies and not answered and replies[-1].fields.get("step") not in ended:
        replies.pop()
    return replies


def _latest_calls(recording: Recording) -> tuple[list[Entry], dict[_Call, str]]:
    """Give one entry for each call, those that ended first, and where the runs of agents are recorded they entered.

    The entry is the call's end where that is known, else its beginning. A call that went on with the run of an agent is
    one with that which began it.
    """
    calls, inside = dict[_Call, Entry](), dict[_Call, str]()
    for entry in recording.of("call_started", "call", "entered"):
        call = entry["step"], entry["number"]
        if entry.kind != "entered":
            calls[call] = entry
            continue
        for before in [before for before, path in inside.items() if path == entry["inside"] and before != call]:
            calls.pop(before, None)
        inside[call] = entry["inside"]
    return sorted(calls.values(), key=lambda entry: entry.kind == "call_started"), inside


def waiting_in(recording: Recording) -> Entry | None:
    """Give the call a paused run waits at."""
    waiting: Entry | None = None
    for entry in recording.of("waiting", "decided"):
        if entry.kind == "waiting":
            waiting = entry
        elif waiting is not None and _part(waiting) != _part(entry):
            waiting = None  # one that waits in the same part of the run is another call, and comes next
    return waiting


def _part(entry: Entry) -> str:
    """Give what the numbers of all calls begin with that were made before the run was stopped, or after."""
    return str(entry["number"]).partition("-")[0]


def _is_recording(path: str) -> bool:
    with suppress(JournalError):
        read(path)
        return True
    return False


def served(found: Served) -> Any:
    """Give, or raise, what a recorded call came to."""
    if found.call is not None and found.call.error is not None:
        if found.call.refused:
            raise NotApproved(found.call.error)
        kind, arguments = CATCHABLE.get(found.error_type), arguments_of(found.error_type, found.call.error)
        raise (kind or type(found.error_type or "ToolFailed", (ToolFailed,), {}))(*arguments)
    return found.call.result if found.call is not None else None


def _is_redacted(recorded: Any) -> bool:
    return isinstance(recorded, str) and _REDACTED in recorded


def same(recorded: Any, now: Any) -> bool:
    """Tell whether two values are written alike."""
    return bool(encode(as_read(recorded)) == encode(as_read(now)))


def _shown(entry: Entry) -> str:
    return f"{entry['tool']}({_short(entry['arguments'])})"


def _short(value: Any) -> str:
    return describe(value, _LONGEST_SHOWN)
