"""What a session did, in order, so that it can be built again: kept in memory, and in a file where one is named.

assign  names bound           step  a snippet that ran to its end, with what came of it
begin   a snippet starts      call  a tool's answer, written before the snippet sees it
calling in a file alone: a call begins whose effect must not happen twice
rewind  back so many steps    lost  the state is gone, the next step begins with nothing
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeact.errors import JournalError
from codeact.journal import Journal, Recording, read
from codeact.limits import Limits, Policy
from codeact.records import Observation, SkillSource, ToolCall
from codeact.session.hosting import Answered
from codeact.session.settings import Settings

SESSION = "session"
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


@dataclass(slots=True)
class Lived:
    """A step of a recorded session that is part of its state."""

    source: str
    answers: dict[int, Answered] = field(default_factory=dict)
    outcome: str = ""


class Log:
    """The entries of one session."""

    def __init__(self, path: Path | None, header: Mapping[str, Any]) -> None:
        self.header = dict(header)
        self._entries: list[tuple[str, dict[str, Any]]] = []
        self._journal = Journal.create(path, **self._written_header()) if path is not None else None

    def add(self, kind: str, **fields: Any) -> None:
        """Add an entry; where there is a file, it is written when this returns."""
        self._entries.append((kind, fields))
        if self._journal is not None:
            self._journal.append(kind, **fields)

    def calling(self, number: int, tool: str, arguments: Mapping[str, Any]) -> None:
        """Add, where there is a file, that a call begins whose effect must not happen twice."""
        if self._journal is not None:
            self._journal.append("calling", number=number, tool=tool, arguments=arguments)

    def answered(self, number: int, answer: Answered) -> None:
        """Add the answer of a tool."""
        call = answer.call
        error = answer.error if call.error is not None else None
        told = {"arguments": call.arguments, "result": call.result, "error": error, "message": answer.message}
        self.add("call", number=number, tool=call.tool, seconds=call.seconds, **told)

    def finished(self, source: str, seen: Observation) -> None:
        """Add the end of a step."""
        self.add("step", code=source, outcome=outcome_of(seen), rolled_back=seen.rolled_back)

    def write_to(self, path: Path) -> None:
        """Write the whole log to a file, which appears whole or not at all."""
        new = path.with_name(f".{path.name}.new")
        try:
            new.unlink(missing_ok=True)
            with Journal.create(new, **self._written_header()) as journal:
                for kind, fields in self._entries:
                    journal.append(kind, **fields)
            new.replace(path)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise JournalError(f"{path} cannot be written ({error.strerror}): name another place") from error

    def _written_header(self) -> dict[str, Any]:
        """The header with the files' contents: they have to be there on another machine as well."""
        files = self.header["files"]
        contents = {name: given if isinstance(given, bytes) else given.read_bytes() for name, given in files.items()}
        return {**self.header, "files": contents}

    def copied(self) -> Log:
        """Give a log with the same entries, in memory."""
        copy = Log(None, self.header)
        copy._entries = list(self._entries)
        return copy

    def close(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()


def outcome_of(seen: Observation) -> str:
    """What a step came to, to be compared with what it comes to again; addresses in memory do not count."""
    if seen.failure is not None:
        return f"{seen.failure.type}: {seen.failure.message}"[:1000]
    return _ADDRESS.sub("0x…", seen.text)


def header_of(settings: Settings) -> dict[str, Any]:
    """Give what has to be the same for a session to be built again."""
    return {
        "holds": SESSION,
        "imports": list(settings.policy.imports),
        "check_first": settings.policy.check_first,
        "limits": dataclasses.asdict(settings.limits),
        "skills": [dataclasses.asdict(skill) for skill in settings.skills],
        "files": dict(settings.files),
        "seed": settings.seed,
        "tools": [spec.name for spec in settings.tools],
    }


@dataclass(frozen=True, slots=True)
class Past:
    """A recorded session as it has to be lived again: steps and bindings in order, and the step that never ended."""

    header: Mapping[str, Any]
    events: tuple[Lived | Mapping[str, Any], ...]
    unfinished: Lived | None


def read_past(path: str | Path) -> Past:
    """Read a saved session; JournalError says what is off with the file."""
    recording: Recording = read(path)
    if recording.header.get("holds") != SESSION:
        raise JournalError(f"{path} is a recording, but not of a session: `codeact resume` goes on with runs")
    events: list[Lived | Mapping[str, Any]] = []
    current: Lived | None = None
    for entry in recording.entries:
        if entry.kind == "begin":
            current = Lived(entry["code"])
        elif entry.kind == "calling" and current is not None:
            current.answers[entry["number"]] = _unknown(entry)
        elif entry.kind == "call" and current is not None:
            current.answers[entry["number"]] = _answer(entry)
        elif entry.kind == "step" and current is not None:
            current.outcome = entry["outcome"]
            if not entry["rolled_back"]:
                events.append(current)
            current = None
        elif entry.kind == "assign":
            events.append(entry["variables"])
        elif entry.kind == "rewind":
            _forget(events, entry["steps"])
        elif entry.kind == "lost":
            events.clear()
    return Past(recording.header, tuple(events), current)


def _answer(entry: Any) -> Answered:
    error, message = entry["error"], entry["message"]
    said = None if error is None else f"{error or 'ToolFailed'}: {message}"
    call = ToolCall(entry["tool"], entry["arguments"], entry["result"], said, entry["seconds"])
    return Answered(call, error or "", message)


def _unknown(entry: Any) -> Answered:
    """The answer to a call that had begun when all ended: done again, its effect might happen twice."""
    message = (
        f"{entry['tool']}() had begun with these arguments when the session was cut off; whether it happened is not "
        "known. Look before doing it again."
    )
    call = ToolCall(entry["tool"], entry["arguments"], None, f"RuntimeError: {message}")
    return Answered(call, "RuntimeError", message)


def _forget(events: list[Lived | Mapping[str, Any]], steps: int) -> None:
    """Drop the last steps, and what was bound after them."""
    while events and steps > 0:
        steps -= isinstance(events.pop(), Lived)


def settings_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """Give what `Session` is told to be the same again."""
    return {
        "policy": Policy(header["imports"], check_first=header["check_first"]),
        "limits": Limits(**header["limits"]),
        "skills": [SkillSource(**{name: _tuple(value) for name, value in skill.items()}) for skill in header["skills"]],
        "files": header["files"],
        "seed": header["seed"],
    }


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
