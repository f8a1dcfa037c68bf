"""An agent as a tool of another: its budget is part of the caller's, its events are nested in the caller's."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from codeact.agent.ledger import Ledger
from codeact.events import Event
from codeact.models import Stop


@dataclass(frozen=True, slots=True)
class Caller:
    """The run a tool is called from, as an inner run needs it."""

    ledger: Ledger
    stop: Stop
    emit: Callable[[Event], object]


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


def answer_of(run: Any, name: str) -> Any:
    """Give the answer of an inner run, or raise what the outer snippet sees."""
    if not run.ok:
        raise NoAnswer(f"the agent {name} gave no answer: {run.reason}")
    return run.answer
