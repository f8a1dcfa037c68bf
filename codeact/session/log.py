"""What a session did, in order, so that it can be built again: kept in memory, and in a file where one is named.

assign  names bound           step  a snippet that ran to its end, with what came of it
begin   a snippet starts      call  a tool's answer, written before the snippet sees it
calling a call begins whose effect must not happen twice
held    a call waits for an answer that is given later
clock   what clocks said since the line before it
reseed  chance begins anew    rewind  back so many steps
copied  it was made by `fork`
lost    the state is gone, the next step begins with nothing
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from codeact.alarms import is_of_the_system
from codeact.errors import JournalError, UsageError
from codeact.journal import AS_IT_WAS, SESSION, Entry, Journal, lock
from codeact.limits import Limits, Policy
from codeact.paths import led_to
from codeact.records import Observation, SkillSource, ToolCall
from codeact.session.alike import without_addresses
from codeact.session.hosting import AnsweredCall
from codeact.session.past import Assigned, Copied, Event, Lived, Past, Reseeded, past_of
from codeact.session.settings import Settings, changed_as, content_of
from codeact.session.spool import Spool


class Log:
    """The entries of one session."""

    def __init__(self, path: Path | None, settings: Settings) -> None:
        self._settings = settings
        self._entries = Spool()
        self._stamps = self._stamps_now()
        self._journal = Journal.create(path, **self._written_header()) if path is not None else None
        if self._journal is not None:
            self._journal.owes_all = True

    def add(self, kind: str, **fields: Any) -> None:
        """Add an entry; where there is a file, it is written when this returns."""
        entry, journal = Entry(kind, fields), self._journal
        before = journal.lines if journal is not None else 0
        try:
            self._entries.add(entry)
            if journal is not None:
                journal.append(kind, **fields)
        except JournalError:  # it is written before the next one
            raise
        except BaseException:  # Ctrl-C: what the file says is to be what the session is built again from
            if not self._entries.ends_with(entry):
                self._entries.add(entry)
            if journal is not None and journal.lines == before:
                journal.append(kind, **fields)
            raise

    def owe(self, kind: str, **fields: Any) -> None:
        """Add an entry of what is so already: where there is no room in the file, it is written when there is."""
        with suppress(JournalError):
            self.add(kind, **fields)

    def settle(self) -> None:
        """See to it that the file holds all that happened so far; JournalError where it cannot, before more happens."""
        if self._journal is not None:
            self._journal.settle()

    def calling(self, number: int, tool: str, arguments: Mapping[str, Any]) -> None:
        """Write to the file, where there is one, that a call begins: it matters only where this process ends in it."""
        if self._journal is not None:
            self._journal.append("calling", number=number, tool=tool, arguments=arguments)

    def answered(self, number: int, answer: AnsweredCall) -> None:
        """Add the answer of a tool."""
        call = answer.call
        error = answer.error if call.error is not None else None
        self.add(
            "call", number=number, tool=call.tool, seconds=call.seconds, arguments=call.arguments, result=call.result,
            error=error, message=answer.message, begun=answer.begun,
        )  # fmt: skip

    def lost(self) -> None:
        """Add that the state is gone; the next one begins with the files as they are now."""
        self._stamps = self._stamps_now()
        self.owe("lost")

    def _stamps_now(self) -> dict[str, tuple[int, int] | None]:
        return {name: changed_as(given) for name, given in self._settings.files.items()}

    @property
    def changed_files(self) -> str:
        """The names of the files that are others than those handed in: with these, steps come to something else."""
        now = self._stamps_now()
        return ", ".join(sorted(name for name, stamp in self._stamps.items() if now[name] not in (stamp, None)))

    def read(self, readings: Sequence[int]) -> None:
        """Add what clocks have said in the step, if anything."""
        if readings:
            self.owe("clock", readings=readings)

    def finished(self, source: str, seen: Observation, carried_bytes: int) -> None:
        """Add the end of a step, which has carried so much across the wall."""
        self.add("step", code=source, outcome=outcome_of(seen), rolled_back=seen.rolled_back)
        self._entries.relieve(carried_bytes)

    def lived(self, event: Event) -> None:
        """Add what was lived through before, elsewhere."""
        if isinstance(event, Assigned):
            self.add("assign", variables=event.variables)
        elif isinstance(event, Reseeded):
            self.add("reseed", seed=event.seed)
        elif isinstance(event, Copied):
            self.add("copied")
        else:
            self.unfinished(event)
            self.add("step", code=event.source, outcome=event.outcome, rolled_back=False)

    def unfinished(self, step: Lived) -> None:
        """Add a step as far as it is known: all of it, also where there is no room in the file."""
        self.owe("begin", code=step.source)
        self.read(step.readings)
        for number, answer in step.answers.items():
            with suppress(JournalError):
                self.answered(number, answer)
        for number, call in step.held.items():
            with suppress(JournalError):
                self.held(number, call)
        self.settle()  # which says where there is none

    def cut_off(self, steps: Iterable[Lived]) -> None:
        """Add the steps that were cut off, whether or not there is room in the file."""
        for step in steps:
            with suppress(JournalError):
                self.unfinished(step)

    def held(self, number: int, call: ToolCall) -> None:
        """Add that a call waits for its answer, and what for."""
        self.add("held", number=number, tool=call.tool, arguments=call.arguments, reason=call.error)

    def past(self) -> Past:
        """Give what the session has lived through so far."""
        return past_of(header_of(self._settings), self._entries)

    def write_to(self, path: Path) -> None:
        """Write the whole log to a file, which appears whole or not at all; UsageError where a file has changed."""
        if os.path.isdir(path):
            raise JournalError(f"{path} is a folder: name a file")
        if os.path.exists(path) and not path.is_file():  # a device, for one, which the file would take the place of
            raise JournalError(f"{path} is there, and is no file: name another place")
        if _is_anothers(path):
            raise JournalError(f"{path} is there already, and is no saved session: name another file")
        if changed := self.changed_files:
            raise UsageError(f"{changed}: changed since the session was handed it. Hand in bytes, which are kept")
        header, target = self._written_header(), led_to(path)  # where it is a link, that stays one
        new = lock.new_beside(target)  # another session may write to the same path
        try:
            with Journal.create(new, **header) as journal:
                for entry in self._entries:
                    journal.append(entry.kind, **entry.fields)
            lock.refuse_written(target)
            new.replace(target)
        except BaseException as error:  # also Ctrl-C: nothing is left
            with suppress(OSError):
                new.unlink(missing_ok=True)
            cause = error.__cause__ if isinstance(error, JournalError) else error
            if cause is None or not is_of_the_system(cause):
                raise
            raise JournalError(f"{path} cannot be written ({cause.strerror}): name another place") from error

    def _written_header(self) -> dict[str, Any]:
        """The header with the files' contents: they have to be there on another machine as well."""
        header = header_of(self._settings)
        files = header["files"]
        contents = {name: content_of(name, given) for name, given in files.items()}
        return {**header, "files": contents}

    def copied(self) -> Log:
        """Give a log with the same entries, in memory."""
        copy = Log(None, self._settings)
        copy._entries, copy._stamps = self._entries.copied(), self._stamps
        return copy

    def discard(self) -> None:
        """Close the files, and remove the one that was begun here: it holds nothing that is not elsewhere."""
        self.close()
        if self._journal is not None:
            with suppress(OSError):
                self._journal.path.unlink()

    def close(self) -> None:
        """Close the files."""
        self._entries.close()
        if self._journal is not None:
            self._journal.close()


def outcome_of(seen: Observation) -> str:
    """What a step came to, to be compared with what it comes to again; addresses in memory do not count."""
    if seen.failure is not None:
        return without_addresses(f"{seen.failure.type}: {seen.failure.message}")[:1000]
    return without_addresses(seen.text)


def _is_anothers(path: Path) -> bool:
    """Whether there is something in the file that no session has written."""
    with suppress(OSError), path.open("rb") as file:
        begun = file.read(1024)
        return bool(begun) and b'"holds": "session"' not in begun
    return False


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
        "deterministic": settings.deterministic,
        "tools": [spec.name for spec in settings.tools],
    }


def settings_of(path: Path, header: Mapping[str, Any]) -> dict[str, Any]:
    """Give what `Session` is told to be the same again as the one that was saved there."""
    try:
        limits, policy = Limits(**header["limits"]), Policy(header["imports"], check_first=header["check_first"])
        skills = [SkillSource(**{name: _tuple(part) for name, part in skill.items()}) for skill in header["skills"]]
    except (TypeError, AttributeError, UsageError) as error:
        problem = f"no limits, imports or skills of a session ({error})"
        raise JournalError(f"{path}, line 1: {problem}; {AS_IT_WAS}") from error
    return {
        "policy": policy,
        "limits": limits,
        "skills": skills,
        "files": header["files"],
        "seed": header["seed"],
        "deterministic": header["deterministic"],
    }


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
