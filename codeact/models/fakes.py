"""Models without a provider: a script, and a recording."""

from __future__ import annotations

import dataclasses
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from codeact.errors import JournalError, ModelError, UsageError
from codeact.journal import read
from codeact.models.protocol import OnToken, Stop
from codeact.records import Message, Reply

Line = str | Reply | ModelError


class ScriptedModel:
    """Answers from a script: a list of replies in order, or a function from the messages to a reply.

    A reply is a text, a `Reply`, or a `ModelError` to raise. `seen` holds the messages of each question.
    """

    def __init__(
        self, replies: Sequence[Line] | Callable[[Sequence[Message]], Line], *, name: str = "scripted"
    ) -> None:
        if not callable(replies) and (isinstance(replies, str) or not isinstance(replies, Sequence)):
            raise UsageError(f"ScriptedModel({replies!r:.80}): a list of replies, or a function of messages, is needed")
        self.name = name
        self.seen: list[tuple[Message, ...]] = []
        self._replies = replies
        self._lock = threading.Lock()

    def reply(self, messages: Sequence[Message], *, on_token: OnToken | None = None, stop: Stop | None = None) -> Reply:
        """Give the next line of the script."""
        with self._lock:
            self.seen.append(tuple(messages))
            turn = len(self.seen)
        line = self._replies(messages) if callable(self._replies) else _line(self._replies, turn)
        if isinstance(line, ModelError):
            raise line
        if not isinstance(line, str | Reply):
            _refuse(self.name, line)
        reply = line if isinstance(line, Reply) else Reply(line, model=self.name)
        if on_token is not None and reply.text:
            on_token(reply.text)
        return reply


def _line(script: Sequence[Line], turn: int) -> Line:
    if turn > len(script):
        raise ModelError(f"the replies of the script ({len(script)}) are used up, and one more was asked for")
    return script[turn - 1]


def _refuse(name: str, line: Any) -> NoReturn:
    """Raise UsageError for what is no reply."""
    if inspect.iscoroutine(line):
        line.close()
        raise UsageError(f"the model {name} is an async function: a plain one that gives the reply is needed")
    raise UsageError(f"the model {name} gave {line!r:.80}: a text, a Reply or a ModelError is needed")


class ReplayModel:
    """Answers with the replies of a recording, in order; `provenance` says how those came about."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        recording = read(self._path)
        if "replies" not in recording.header:
            wanted = '"replies": "written by hand", for example, in its first line'
            raise JournalError(f"{path} does not say in its header how its replies came about: {wanted}")
        self.provenance = str(recording.header["replies"])
        self.name = f"recorded:{self._path.name}"
        self._replies = [reply_of(entry.fields) for entry in recording.of("reply")]
        self._given = 0
        self._lock = threading.Lock()

    def reply(self, messages: Sequence[Message], *, on_token: OnToken | None = None, stop: Stop | None = None) -> Reply:
        """Give the next recorded reply."""
        with self._lock:
            if self._given >= len(self._replies):
                raise JournalError(
                    f"the replies of {self._path} ({len(self._replies)}) are used up, and one more was asked for"
                )
            reply = self._replies[self._given]
            self._given += 1
        if on_token is not None and reply.text:
            on_token(reply.text)
        return reply

    def go_on_after(self, given: Sequence[Reply]) -> None:
        """Give none of these again, where the recording begins with them: a run that was cut off goes on there."""
        with self._lock:
            if list(map(_said, self._replies[: len(given)])) == list(map(_said, given)):
                self._given = max(self._given, len(given))


def _said(reply: Reply) -> tuple[str, tuple[str, ...]]:
    return reply.text, reply.calls


def reply_of(fields: Mapping[str, Any]) -> Reply:
    """Give the reply a journal's line holds; a line written by hand needs no more than its text."""
    known = {field.name: fields[field.name] for field in dataclasses.fields(Reply) if field.name in fields}
    return Reply(**{"text": "", **known, "calls": tuple(fields.get("calls", ()))})
