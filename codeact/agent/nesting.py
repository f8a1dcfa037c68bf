"""An agent as a tool of another: its budget is part of the caller's, its events are nested in the caller's.

Where the inner run pauses, the outer one pauses at the call of it; a decision goes down to the call that waits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeact.agent.effects import Decision, Effects
from codeact.agent.ledger import Ledger
from codeact.agent.tape import waiting_in
from codeact.events import Event
from codeact.journal import read
from codeact.models import Stop
from codeact.records import Run, ToolCall


def _nowhere(journal: Path) -> None:
    """No call is under way."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The run a tool is called from, as an inner run needs it."""

    ledger: Ledger
    stop: Stop
    emit: Callable[[Event], object]
    effects: Effects
    paused: PausedInside | None = None  # the inner run this very call is to go on with
    enters: Callable[[Path], object] = _nowhere  # is told where an inner run is recorded, before it begins
    inner: list[Path] = field(default_factory=list)  # where the inner runs of this very call are recorded
    withheld: list[ToolCall] = field(default_factory=list)  # what they would have changed in a dry run


@dataclass(frozen=True, slots=True)
class PausedInside:
    """An inner run that has not come to its end: where it is recorded, and what was decided about a call of it."""

    journal: Path
    decision: Decision | None = None
    at: str = ""  # the number of the call that was decided about


class Held(RuntimeError):
    """An agent that was called as a tool waits for a decision about a call of its own: `at`, in its journal."""

    def __init__(self, reason: str, journal: Path, at: str) -> None:
        super().__init__(reason)
        self.journal, self.at = journal, at

    def within(self, name: str) -> NoAnswer:
        """Give what the snippet sees where a tool of the user's called the agent: a run does not pause within one."""
        return NoAnswer(
            f"{name}() calls an agent that waits for a decision, {self}: as a tool itself the agent could wait. "
            f"What it did is recorded in {self.journal}"
        )


_caller: ContextVar[Caller | None] = ContextVar("codeact_caller", default=None)


@contextlib.contextmanager
def called_by(caller: Caller) -> Iterator[None]:
    """Let agents that are called as tools within the block know who calls."""
    token = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(token)


def caller() -> Caller | None:
    """Give the run that calls here; None outside of any."""
    return _caller.get()


DEEPEST = 3  # agents below the first; each level multiplies what a task may set off


class TooDeep(RuntimeError):
    """An agent called itself through others, further down than is allowed."""


class NoAnswer(RuntimeError):
    """An agent that was called as a tool ended without an answer."""


def answer_of(run: Run, name: str) -> Any:
    """Give the answer of an inner run; raises what the outer snippet sees, or Held where the run waits."""
    if run.ended == "paused" and run.journal is not None:
        waiting = waiting_in(read(run.journal))
        raise Held(run.reason, run.journal.resolve(), waiting["number"] if waiting is not None else "")
    if not run.ok:
        raise NoAnswer(f"the agent {name} gave no answer: {run.reason}")
    return run.answer
