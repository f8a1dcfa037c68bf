"""Several replies for one step, each tried on a copy of the session; the best one is then run for real.

A trial reads and computes, but changes nothing outside: at the first call that would, it stops. That is as far as it
can be judged, and it counts as having worked up to there.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from codeact import events
from codeact.agent.effects import changes
from codeact.agent.stepping import run_step
from codeact.records import Observation, Reply, RunCost
from codeact.toolbox import Tool
from codeact.waiting import result_of

if TYPE_CHECKING:
    from codeact.agent.course import Course

T = TypeVar("T")
Done = TypeVar("Done")

_ANSWERED, _WORKED, _REFUSED, _FAILED, _UNCLEAR = 4, 3, 2, 1, 0  # what a trial came to, best first


class Waits(RuntimeError):
    """A call that changes something waits until its candidate is chosen."""


@dataclass(slots=True)
class Trial:
    """One trial while it runs: `waits` is True once it has come to a call that changes something."""

    waits: bool = False


_trial: ContextVar[Trial | None] = ContextVar("codeact_trial", default=None)


def is_tried(tool: Tool) -> bool:
    """Tell whether a call belongs to a trial, which leaves no trace; Waits where it would change something."""
    if (tried := _trial.get()) is None:
        return False
    if changes(tool) or tool.approve is True:
        tried.waits = True
        raise Waits(f"{tool.name}() waits until this code is chosen")
    return True


def is_in_a_trial() -> bool:
    """Tell whether what happens now leaves no trace."""
    return _trial.get() is not None


def side_by_side(course: Course, work: Callable[[T], Done], pieces: Sequence[T]) -> list[Done]:
    """Do the work on each piece, on threads; Ctrl-C stops them all."""
    with concurrent.futures.ThreadPoolExecutor(len(pieces), thread_name_prefix="codeact-candidate") as threads:
        try:
            return [result_of(one) for one in [threads.submit(work, piece) for piece in pieces]]
        except KeyboardInterrupt:
            course.stop.set()  # the threads are waited for, here and at the end of the program
            raise


def best_of(course: Course, replies: Sequence[Reply]) -> Reply:
    """Try the replies, side by side, and give the best; of equals, the first."""
    marks = side_by_side(course, lambda reply: _mark(course, reply), replies)
    chosen = marks.index(max(marks))
    course.emit(events.CandidateChosen(course.calls.step, chosen + 1, len(replies)))
    return replies[chosen]


def _mark(course: Course, reply: Reply) -> int:
    understood = course.understand(reply)
    if understood.ask_back:
        return _UNCLEAR
    if understood.answer is not None:
        return _REFUSED if course.accept(understood.answer)[1] else _ANSWERED
    with _tried() as tried:
        seen = _run(course, understood.code)
    if seen.answered:
        return _REFUSED if course.accept(seen.answer)[1] else _ANSWERED
    return _WORKED if seen.ok or tried.waits else _FAILED


def _run(course: Course, code: str) -> Observation:
    with course.session.fork() as copy:
        seen = run_step(course, copy, code)
    course.ledger.charge_besides(RunCost(operations=seen.cost.operations, tool_calls=seen.cost.tool_calls))
    return seen


@contextlib.contextmanager
def _tried() -> Iterator[Trial]:
    tried = Trial()
    token = _trial.set(tried)
    try:
        yield tried
    finally:
        _trial.reset(token)
