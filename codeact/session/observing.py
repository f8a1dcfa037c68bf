"""What a served step comes to: an observation, made of nothing the worker says without a bound on it."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from codeact.errors import ProtocolError
from codeact.limits import Limits
from codeact.records import MEDIA_TYPES, Cost, Failure, File, Image, Observation, ToolCall, Variable
from codeact.session.serving import Serving
from codeact.snippet.failure_text import MOST_CHARS, clean
from codeact.snippet.toolcalls import as_called
from codeact.wire.messages import Finished, Picture, WrittenFile
from codeact.wire.values import unpack

UNFINISHED = "the step ended before the call did"
_TEXT_CHARS = 4_000
_SOURCE_BYTES = 10_000_000
_ARGUMENT_CHARS, _MOST_ARGUMENTS, _MORE_CHARS = 40, 8, 40
_MOST_FILES, _MOST_PICTURES = 1_000, 20
_MOST_NAMES, _NAME_CHARS = 1_000, 10_000
STATE_LOST = "variables of the session are lost with it"
STATE_OTHERWISE = "the steps before were run again to have the variables back, and not all came to the same"
STATE_LATER = "the variables of the session are not lost, the next step builds them again"


def observe(serving: Serving, limits: Limits, wall_seconds: float) -> Observation:
    """Give the observation of a step that is over."""
    finished = serving.finished if serving.end == "finished" else None
    try:
        value = unpack(finished.value, surrogates=False) if finished else None
        answer = unpack(finished.answer, surrogates=False) if finished else None
    except ProtocolError as error:
        serving.end, serving.problem = "broke the protocol", str(error)
        finished, value, answer = None, None, None
    failure = serving.stopped or (_bounded(finished.failure) if finished else _ended(serving))
    calls = tuple(
        serving.calls.get(number) or ToolCall(*made, error=UNFINISHED) for number, made in sorted(serving.begun.items())
    )
    return Observation(
        ok=failure is None,
        value=value,
        text=finished.text[: limits.text_chars + 200] if finished else "",
        stdout="".join(serving.output),
        failure=with_calls(failure, calls) if failure is not None else None,
        cost=_cost(finished, wall_seconds, len(calls)),
        calls=calls,
        files=_files(finished.files) if finished and not (serving.rolled_back or serving.left_no_state) else (),
        images=_images(finished.pictures) if finished else (),
        rolled_back=serving.rolled_back,
        answered=bool(finished and finished.answered and failure is None),
        answer=answer,
        paused=serving.held[min(serving.held)] if serving.stopped is not None and serving.held else None,
    )


def with_calls(failure: Failure, calls: Sequence[ToolCall]) -> Failure:
    """The failure with the tool calls that had happened before it, as many as its bound leaves room for."""
    if not calls:
        return failure
    room = MOST_CHARS - sum(map(len, (failure.type, failure.message, failure.excerpt, failure.hint)))
    lines = [failure.excerpt] if failure.excerpt else []
    lines.append("tool calls that had happened already (do not repeat those that change something):")
    room -= len(lines[-1]) + _MORE_CHARS
    for number, call in enumerate(calls):
        made = as_called(call.tool, call.arguments, _ARGUMENT_CHARS, most=_MOST_ARGUMENTS)
        told = clean(f"  {made} {_end_of(call)}")
        room -= len(told) + 1
        if room < 0:
            lines.append(f"  … and {len(calls) - number:,} more")
            break
        lines.append(told)
    return replace(failure, excerpt="\n".join(lines))


def _end_of(call: ToolCall) -> str:
    if call.error == UNFINISHED:
        return "had not returned by then: what it does may still happen"
    if call.refused:
        return "was not made"
    return "failed" if call.error is not None else "returned"


def unsendable(source: str) -> Observation | None:
    """What a source comes to that cannot be sent to a worker: too long, or not text that UTF-8 can hold."""
    try:
        length = len(source if source.isascii() else source.encode())
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        message = f"the source holds a lone surrogate, {source[error.start]!a}: write it as an escape"
        return Observation(ok=False, failure=Failure("syntax", "UnicodeEncodeError", message, line))
    if length <= _SOURCE_BYTES:
        return None
    message = f"the source has {len(source):,} characters; hand large data in with assign() or files="
    return Observation(ok=False, failure=Failure("syntax", "SyntaxError", message))


def wall_limit(limits: Limits) -> Failure:
    """Say that the step ran out of time."""
    return Failure(
        "limit",
        "LimitReached",
        f"the step ran longer than {limits.wall_seconds:g} s, the time of its tools included",
        hint="do less in one step; the user can allow more with Limits(wall_seconds=…)",
    )


def interruption() -> Failure:
    """Say that the step was stopped by whoever runs the session."""
    return Failure("limit", "Interrupted", "the step was interrupted from outside")


def pause(serving: Serving) -> Failure:
    """Say that the step waits for the answer to a call."""
    call = serving.held[min(serving.held)]
    told = f"{call.tool}() is held open: {call.error}. The step goes on when its answer is there"
    return Failure("limit", "Paused", told[:_TEXT_CHARS])


def _ended(serving: Serving) -> Failure:
    if serving.end == "broke the protocol":
        message = f"the worker broke the protocol and was killed: {serving.problem}"
        return Failure("crash", "ProtocolError", message[:_TEXT_CHARS])
    if serving.with_zygote:
        message = "what sessions are forked from has ended, and the step with it: it was killed, or memory ran out"
        return Failure("crash", "WorkerDied", message, hint="the step is not the cause: do what has not happened yet")
    return Failure(
        "crash",
        "WorkerDied",
        "the process that ran the step died: it crashed, took more memory than it may, or ended itself",
        hint="take less memory, or do it in smaller pieces",
    )


def hinted(seen: Observation, hint: str) -> Observation:
    """Say more of a step in which the worker died."""
    assert seen.failure is not None  # noqa: S101  # a worker does not die in a step that ends well
    hints = [*([seen.failure.hint] if seen.failure.hint else []), hint]
    return replace(seen, failure=replace(seen.failure, hint="; ".join(hints)[:_TEXT_CHARS]))


def _bounded(failure: Failure | None) -> Failure | None:
    if failure is None:
        return None
    return Failure(
        failure.kind,
        failure.type[:200],
        failure.message[:_TEXT_CHARS],
        failure.line,
        failure.column,
        failure.excerpt[:_TEXT_CHARS],
        failure.hint[:_TEXT_CHARS],
    )


def _cost(finished: Finished | None, wall_seconds: float, calls: int) -> Cost:
    if finished is None:
        return Cost(wall_seconds=wall_seconds, tool_calls=calls, counted=False)
    spent = finished.spent
    loops, entries, elements = max(0, spent.loops), max(0, spent.calls), max(0, spent.elements)
    cpu = spent.cpu_seconds
    return Cost(
        operations=loops + entries + elements,
        wall_seconds=wall_seconds,
        cpu_seconds=cpu if math.isfinite(cpu) and cpu >= 0 else 0.0,
        peak_memory_bytes=max(0, spent.peak_memory_bytes),
        tool_calls=calls,
        loops=loops,
        calls=entries,
        elements=elements,
    )


def _files(written: list[WrittenFile]) -> tuple[File, ...]:
    """The files told of; where they are more than an honest worker tells of, the rest is not looked at."""
    told = [File(os.fsdecode(file.name), file.size_bytes) for file in written[:_MOST_FILES]]
    return tuple(file for file in told if _proper_name(file.name) and file.size_bytes >= 0)


def _images(pictures: list[Picture]) -> tuple[Image, ...]:
    told = [picture for picture in pictures[:_MOST_PICTURES] if _proper_name(picture.name)]
    proper = [picture for picture in told if picture.media_type in MEDIA_TYPES.values()]
    return tuple(Image(picture.name, picture.media_type, picture.content) for picture in proper)


def bounded_variables(told: dict[str, Variable]) -> dict[str, Variable]:
    """Variables as a worker tells of them, no more and no longer than an honest one does."""
    names = [name for name in itertools.islice(told, _MOST_NAMES) if len(name) <= _NAME_CHARS]
    return {name: Variable(told[name].type[:200], told[name].text[:_TEXT_CHARS]) for name in names}


def _proper_name(name: Any) -> bool:
    """A path below the folder: callers may join it to a path of their own. Its bytes need not be UTF-8."""
    path, shown = PurePosixPath(name), os.fsencode(name).decode(errors="replace")
    if not name or len(name) > 1000 or not shown.isprintable():
        return False
    return not path.is_absolute() and ".." not in path.parts
