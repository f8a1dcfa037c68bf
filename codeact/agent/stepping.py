"""Running a step of a run, in its session or on a copy: it ends when the run is to stop, and none begins after that."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeact.errors import SessionError
from codeact.models import Stop, Stopped
from codeact.records import Observation
from codeact.session import Session
from codeact.session.onestep import OneStep

if TYPE_CHECKING:
    from codeact.agent.course import Course


def run_step(course: Course, session: Session, code: str, readings: Sequence[int] = ()) -> Observation:
    """Run code in a session; Stopped where the run was stopped, or its time over, before the step could begin.

    Its clocks say these `readings` first.
    """
    step = OneStep(session, code, readings)
    course.under_way.add(step)  # before its time is looked at: past that, it is called off
    forget = course.stop.when_set(step.call_off)
    try:
        if is_to_stop(course.stop):
            raise Stopped("the run was to stop before the step began")
        return step.run() if course.loop is None else _run_on_loop(step, course.stop, course.loop)
    except (SessionError, concurrent.futures.CancelledError):
        if is_to_stop(course.stop):
            raise Stopped("the run was stopped") from None
        raise
    finally:
        forget()
        course.under_way.discard(step)


def is_to_stop(stop: Stop) -> bool:
    """Whether the run was stopped, or has no time left."""
    return stop.is_set or stop.seconds_left == 0.0


def _run_on_loop(step: OneStep, stop: Stop, loop: asyncio.AbstractEventLoop) -> Observation:
    """Run a step so that async tools run on the caller's loop."""
    running = asyncio.run_coroutine_threadsafe(step.arun(), loop)
    forget = stop.when_set(running.cancel)
    try:
        return running.result()
    finally:
        forget()
